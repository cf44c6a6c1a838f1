"""tensorflow-hub: modules in folders, loaded as they are and as layers of Keras 2."""

import os
import tempfile

import numpy as np
import tensorflow as tf
import tensorflow_hub as hub


class _Encoder(tf.Module):
    """Words become rows of a table; a vocabulary file is an asset."""

    def __init__(self):
        super().__init__()
        path = os.path.join(tempfile.mkdtemp(), "words.txt")
        with open(path, "w") as file:
            file.write("cat\ndog\nbird\n")
        start = tf.lookup.TextFileInitializer(
            path, tf.string, tf.lookup.TextFileIndex.WHOLE_LINE,
            tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER,
        )  # fmt: skip
        self.table = tf.lookup.StaticVocabularyTable(start, num_oov_buckets=1)
        rows = np.arange(8, dtype=np.float32).reshape(4, 2) / 8
        self.embeddings = tf.Variable(rows, name="embeddings")
        self.variables_to_train = [self.embeddings]

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def __call__(self, words):
        return tf.nn.embedding_lookup(self.embeddings, self.table.lookup(words))


def _scaled():
    """What hub calls a reusable model: `training`, and lists of what there is to learn."""
    kernel = tf.Variable([[1.0, 2.0], [0.5, -1.0]], name="kernel")
    mean = tf.Variable([0.5, 0.5], trainable=False, name="mean")

    @tf.function(input_signature=[])
    def penalty():
        return 0.1 * tf.reduce_sum(kernel**2)

    @tf.function(input_signature=[tf.TensorSpec([None, 2]), tf.TensorSpec([], tf.bool)])
    def call(x, training=False):
        if training:
            mean.assign(0.5 * mean + 0.5 * tf.reduce_mean(x, 0))
        return tf.matmul(x - mean, kernel)

    module = tf.train.Checkpoint()
    module.variables = [kernel, mean]
    module.trainable_variables = [kernel]
    module.regularization_losses = [penalty]
    module.__call__ = call
    return module


def _saved(module, **options):
    folder = tempfile.mkdtemp()
    tf.saved_model.save(module, folder, **options)
    return folder


def _named(module):
    """The same module with a signature of two results."""

    @tf.function(input_signature=[tf.TensorSpec([None, 2], name="x")])
    def both(x):
        found = module.__call__(x, False)
        return {"default": found, "double": 2.0 * found}

    return _saved(module, signatures={"serving_default": both})


WORDS = ["dog", "bird", "ant", "cat"]
ROWS = np.float32([[1.0, 2.0], [3.0, -1.0], [0.0, 0.5]])


def a_module_is_loaded():
    loaded = hub.load(_saved(_Encoder()))
    return loaded(tf.constant(WORDS)), loaded.embeddings, hub.resolve(_saved(_Encoder()))[:4]


def a_layer_of_words():
    layer = hub.KerasLayer(_saved(_Encoder()), input_shape=[], dtype=tf.string, output_shape=[2])
    model = tf.keras.Sequential([layer, tf.keras.layers.Dense(1, kernel_initializer="ones")])
    return layer(tf.constant(WORDS)), model(tf.constant(WORDS)), layer.compute_output_shape((3,))


def a_layer_that_learns():
    tf.keras.utils.set_random_seed(1)
    layer = hub.KerasLayer(_saved(_scaled()), trainable=True)
    model = tf.keras.Sequential([layer])
    model.compile("sgd", "mse")
    history = model.fit(ROWS, ROWS[:, ::-1], epochs=3, verbose=0, shuffle=False).history
    names = sorted(one.shape.as_list() for one in layer.trainable_weights)
    return history, [one.numpy() for one in model.losses], names, model.predict(ROWS, verbose=0)


def a_layer_that_is_kept_as_it_is():
    layer = hub.KerasLayer(_saved(_scaled()))
    with tf.GradientTape() as tape:
        found = layer(ROWS)
    return found, len(layer.trainable_weights), len(layer.weights), len(tape.watched_variables())


def training_changes_what_is_not_trained():
    layer = hub.KerasLayer(_saved(_scaled()), trainable=True)
    before, trained = layer(ROWS), layer(ROWS, training=True)
    return before, trained, layer(ROWS, training=False)


def a_signature_and_one_of_its_outputs():
    folder = _named(_scaled())
    options = {"signature": "serving_default"}
    one = hub.KerasLayer(folder, output_key="double", **options)
    both = hub.KerasLayer(folder, signature_outputs_as_dict=True, **options)
    return one(tf.constant(ROWS)), dict(sorted(both(tf.constant(ROWS)).items()))


def arguments_and_configuration():
    folder = _saved(_scaled())
    layer = hub.KerasLayer(folder, arguments={"training": False}, output_shape=(2,))
    again = hub.KerasLayer.from_config(layer.get_config())
    config = {key: value for key, value in again.get_config().items() if key != "handle"}
    return again(ROWS), {key: str(value) for key, value in config.items()}


def a_layer_of_a_function():
    double = tf.function(lambda x: 2.0 * x)
    model = tf.keras.Sequential([tf.keras.Input([2]), hub.KerasLayer(double)])
    return model(ROWS)


def a_model_with_a_layer_is_saved_and_loaded():
    layer = hub.KerasLayer(_saved(_scaled()), trainable=True, input_shape=[2])
    model = tf.keras.Sequential([layer, tf.keras.layers.Dense(1, kernel_initializer="ones")])
    folder = os.path.join(tempfile.mkdtemp(), "model")
    tf.saved_model.save(model, folder)
    again = tf.saved_model.load(folder)
    custom = {"KerasLayer": hub.KerasLayer}
    path = os.path.join(tempfile.mkdtemp(), "model.h5")
    model.save(path)
    return again(ROWS), tf.keras.models.load_model(path, custom_objects=custom)(ROWS)


def functional_models():
    inputs = tf.keras.Input([2])
    model = tf.keras.Model(inputs, hub.KerasLayer(_saved(_scaled()))(inputs))
    return model.predict(ROWS, verbose=0), model.output_shape


def what_is_wrong_is_said():
    def name(call):
        try:
            call()
        except Exception as error:
            return type(error).__name__
        return "nothing"

    folder = _saved(_scaled())
    return [
        name(lambda: hub.KerasLayer(folder, signature="none")(ROWS)),
        name(lambda: hub.KerasLayer(folder, output_key="a")),
        name(lambda: hub.KerasLayer(lambda x: x, tags=["serve"])),
        name(lambda: hub.load(3)),
    ]
