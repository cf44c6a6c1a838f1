"""What tf.summary, Keras and TensorBoard's own summaries write, read by TensorBoard's readers."""

import glob
import os
import tempfile

import keras
import numpy as np
import tensorflow as tf
from tensorboard import data_compat, dataclass_compat
from tensorboard.backend.event_processing import (
    directory_watcher,
    event_accumulator,
    event_file_loader,
    plugin_event_multiplexer,
)
from tensorboard.plugins.histogram import summary_v2 as histograms
from tensorboard.plugins.hparams import api as hp
from tensorboard.plugins.hparams import plugin_data_pb2
from tensorboard.plugins.hparams import summary_v2 as hparams_summary
from tensorboard.plugins.mesh import summary_v2 as meshes
from tensorboard.plugins.pr_curve import summary as pr_curves
from tensorboard.plugins.projector import projector_config_pb2, visualize_embeddings
from tensorboard.plugins.scalar import summary_v2 as scalars
from tensorboard.plugins.text import summary_v2 as texts
from tensorboard.util import tensor_util


def _written(write):
    """The folder in which `write` wrote."""
    folder = tempfile.mkdtemp()
    with tf.summary.create_file_writer(folder).as_default():
        write()
    return folder


def _values(folder):
    """All that the events in a folder say: tags, steps, plugins and values."""
    found = []
    for path in sorted(glob.glob(os.path.join(folder, "**", "events*"), recursive=True)):
        for event in event_file_loader.EventFileLoader(path).Load():
            for part in dataclass_compat.migrate_event(data_compat.migrate_event(event), {}):
                found += [(part.step, *_value(one)) for one in part.summary.value]
    return found


def _value(value):
    meta = value.metadata
    told = (meta.plugin_data.plugin_name, meta.data_class, meta.summary_description)
    return [value.tag, *told, tensor_util.make_ndarray(value.tensor)]


def scalars_of_every_dtype():
    def write():
        for step in range(3):
            tf.summary.scalar("loss", 1.0 / (step + 1), step=step, description="how wrong")
            tf.summary.scalar("count", tf.constant(step, tf.int64), step=step)
            tf.summary.scalar("half", tf.constant(0.5, tf.float16), step=step)

    return _values(_written(write))


def histograms_images_and_texts():
    noise = np.random.normal(size=200)
    picture = np.arange(48, dtype=np.uint8).reshape(1, 4, 4, 3)

    def write():
        tf.summary.histogram("weights", noise, step=1, buckets=10)
        tf.summary.histogram("constant", np.ones(5), step=1)
        tf.summary.histogram("nothing", np.zeros(0), step=1)
        tf.summary.text("note", ["*one*", "two"], step=2)
        tf.summary.image("picture", picture, step=3, max_outputs=2)

    values = _values(_written(write))
    pixels = tf.io.decode_png(values[-1][-1][2])
    return [*values[:-1], values[-1][:-1], values[-1][-1][:2], pixels]


def sound():
    wave = np.sin(np.arange(100, dtype=np.float32) / 5)[None, :, None]
    values = _values(_written(lambda: tf.summary.audio("beep", wave, 8000, step=0)))
    return values[0][:5], tf.audio.decode_wav(values[0][5].ravel()[0]).audio


def scopes_and_steps_that_are_variables():
    def write():
        step = tf.Variable(5, dtype=tf.int64)
        tf.summary.experimental.set_step(step)
        with tf.name_scope("outer"), tf.summary.experimental.summary_scope("inner") as (tag, _):
            tf.summary.write(tag, tf.constant([1, 2]))
        step.assign_add(1)
        with tf.name_scope("outer"):
            tf.summary.scalar("value", 2.0)
        tf.summary.experimental.set_step(None)

    return _values(_written(write))


def summaries_of_a_compiled_function():
    @tf.function
    def train(step):
        with tf.summary.record_if(tf.equal(step % 2, 0)):
            tf.summary.scalar("loss", tf.cast(step, tf.float32) ** 2, step=step)
        return step

    def write():
        for step in range(5):
            train(tf.constant(step, tf.int64))

    return _values(_written(write))


def an_accumulator():
    def write():
        for step in range(4):
            tf.summary.scalar("loss", step * 0.5, step=step)
            tf.summary.text("words", "said", step=step)

    found = event_accumulator.EventAccumulator(_written(write), size_guidance={"tensors": 3})
    found.Reload()
    tensors = [
        [(one.step, tensor_util.make_ndarray(one.tensor_proto)) for one in found.Tensors(tag)]
        for tag in ("loss", "words")
    ]
    tags = {name: value for name, value in found.Tags().items() if value}
    return tags, tensors, found.SummaryMetadata("loss").plugin_data.plugin_name


def a_folder_of_runs():
    folder = tempfile.mkdtemp()
    for run in ("train", "validation"):
        with tf.summary.create_file_writer(os.path.join(folder, run)).as_default():
            tf.summary.scalar("accuracy", 0.5, step=1)
    runs = plugin_event_multiplexer.EventMultiplexer().AddRunsFromDirectory(folder)
    runs.Reload()
    return {run: runs.Tensors(run, "accuracy")[0].step for run in sorted(runs.Runs())}


def a_watcher_that_follows_files():
    folder = tempfile.mkdtemp()
    watcher = directory_watcher.DirectoryWatcher(
        folder, event_file_loader.EventFileLoader, lambda path: "events" in path
    )
    seen = []
    for step in range(2):
        with tf.summary.create_file_writer(folder, filename_suffix=f".{step}").as_default():
            tf.summary.scalar("loss", float(step), step=step)
        seen.append([event.step for event in watcher.Load() if event.HasField("summary")])
    return seen


def _hyperparameters(value):
    data = plugin_data_pb2.HParamsPluginData()
    data.ParseFromString(value.metadata.plugin_data.content)
    data.session_start_info.start_time_secs = 0
    data.experiment.time_created_secs = 0
    return str(data)


def hyperparameters_of_a_session():
    units = hp.HParam("units", hp.Discrete([4, 8]), description="how wide")
    rate = hp.HParam("rate", hp.RealInterval(0.1, 0.5))
    layers = hp.HParam("layers", hp.IntInterval(1, 3))

    def write():
        hp.hparams_config([units, rate, layers], metrics=[hp.Metric("accuracy", display_name="A")])
        hp.hparams({units: 8, rate: 0.25, layers: 2, "name": "try", "flag": True}, trial_id="t1")
        tf.summary.scalar("accuracy", 0.75, step=1)

    folder = _written(write)
    found = []
    for path in glob.glob(os.path.join(folder, "events*")):
        for event in event_file_loader.EventFileLoader(path).Load():
            for value in event.summary.value:
                found.append((value.tag, _hyperparameters(value)))
    return found, units.domain.sample_uniform(np.random.default_rng(0)) in (4, 8)


def hyperparameters_as_messages():
    summary = hparams_summary.hparams_pb({"rate": 0.5, "kind": "sgd"}, start_time_secs=7.0)
    config = hparams_summary.hparams_config_pb(
        [hp.HParam("rate", hp.RealInterval(0.0, 1.0))], [hp.Metric("loss")], time_created_secs=7.0
    )
    return [_hyperparameters(one.value[0]) for one in (summary, config)]


def a_keras_model_with_callbacks():
    keras.utils.set_random_seed(0)
    folder = tempfile.mkdtemp()
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2, name="hidden")])
    model.compile("sgd", "mse", metrics=["mae"])
    x = np.random.normal(size=(16, 3)).astype("float32")
    callbacks = [
        keras.callbacks.TensorBoard(folder, histogram_freq=1, write_graph=False, profile_batch=0),
        hp.KerasCallback(os.path.join(folder, "session"), {"units": 2}, trial_id="one"),
    ]
    data = {"x": x, "y": x[:, :2], "validation_data": (x, x[:, 1:])}
    model.fit(**data, epochs=2, batch_size=8, verbose=0, callbacks=callbacks)
    return [
        (step, tag, plugin, value)
        for step, tag, plugin, _, _, value in _values(folder)
        if plugin != "hparams" and "steps_per_second" not in tag
    ]


def messages_made_by_plugins():
    made = [
        scalars.scalar_pb("loss", 0.5, description="d"),
        histograms.histogram_pb("weights", np.arange(6.0), buckets=3),
        texts.text_pb("note", "word"),
    ]
    return [one.SerializeToString() for one in made]


def summaries_written_by_plugins():
    def write():
        scalars.scalar("loss", 0.25, step=1)
        histograms.histogram("weights", tf.range(6.0), step=1, buckets=3)
        texts.text("note", "word", step=1)
        vertices = tf.constant([[[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]])
        meshes.mesh("triangle", vertices, faces=tf.constant([[[0, 1, 2]]]), step=1)

    return _values(_written(write))


def precision_and_recall():
    labels = np.array([True, False, True, False])
    predictions = np.array([0.9, 0.4, 0.3, 0.6], np.float32)
    curve = pr_curves.pb("curve", labels, predictions, num_thresholds=5)
    return tensor_util.make_ndarray(curve.value[0].tensor)


def a_projector():
    folder = tempfile.mkdtemp()
    config = projector_config_pb2.ProjectorConfig()
    config.embeddings.add().tensor_name = "embedding/.ATTRIBUTES/VARIABLE_VALUE"
    visualize_embeddings(folder, config)
    with open(os.path.join(folder, "projector_config.pbtxt")) as file:
        return file.read()


def tensors_as_messages():
    values = [
        np.arange(6, dtype=np.int32).reshape(2, 3),
        np.array([b"a", b"bc"], object),
        True,
        1.5,
    ]
    messages = [tensor_util.make_tensor_proto(one) for one in values]
    theirs = [tf.make_ndarray(one) for one in messages]
    return theirs, [tensor_util.make_ndarray(tf.make_tensor_proto(one)) for one in theirs]
