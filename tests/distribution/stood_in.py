"""Programs for TPUs and GPUs, for which devices of the host stand in: it tells, as JSON, what they
saw. Without an argument it trains; with "GPU" it asks for devices.

JAX has neither where this runs. Who asks it for them is one place, which is told here to take the
host's for them; all that follows is what a machine with such devices would do.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import jax
import numpy as np

from tensormill import backends
from tensormill.compat import install
from tensormill.core.process.accelerators import accelerators

X = np.random.RandomState(0).rand(64, 6).astype(np.float32)
Y = (X.sum(1, keepdims=True) > 3).astype(np.float32)


def trained(tf: Any, strategy: Any) -> dict[str, Any]:
    """A Keras model after three epochs, whose last batches are smaller than others."""
    import keras

    keras.utils.set_random_seed(1)
    with strategy.scope():
        model = keras.Sequential(
            [
                keras.layers.Input([6]),
                keras.layers.Dense(8, activation="tanh"),
                keras.layers.BatchNormalization(),
                keras.layers.Dense(1, activation="sigmoid"),
            ]
        )
        model.compile(keras.optimizers.Adam(0.05), "binary_crossentropy", metrics=["accuracy"])
    options: Any = {"batch_size": 24, "verbose": 0}
    history = model.fit(X, Y, epochs=3, shuffle=False, **options)
    kernel = model.layers[0].kernel.value
    whole = kernel.values[0]._storage.array.device_array.whole
    return {
        "history": history.history,
        "predicted": model.predict(X[:9], **options).ravel().tolist(),
        "tested": model.evaluate(X, Y, **options),
        "weights": [one.tolist() for one in model.get_weights()],
        "places": [one.device.rpartition("/")[2] for one in kernel.values],
        "devices": sorted(one.id for one in whole.devices()),
    }


def train() -> dict[str, Any]:
    """What programs for TPUs do, and the same on logical CPUs."""
    accelerators.source = lambda kind: jax.devices("cpu") if kind == "TPU" else ()
    tf = install()
    (cpu,) = tf.config.list_physical_devices("CPU")
    tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 4)
    resolver = tf.distribute.cluster_resolver.TPUClusterResolver(tpu="")
    tf.config.experimental_connect_to_cluster(resolver)
    topology = tf.tpu.experimental.initialize_tpu_system(resolver)
    strategy = tf.distribute.TPUStrategy(resolver)
    found = {
        "resolver": [resolver.num_accelerators(), resolver.master(), resolver.get_job_name()],
        "core": topology.tpu_device_name_at_coordinates([2, 0, 0, 0]),
        "cores": topology.num_tpus_per_task,
        "knows": [strategy.num_replicas_in_sync, strategy.cluster_resolver is resolver],
        "logical": [one.name for one in tf.config.list_logical_devices("TPU")],
        "tpus": trained(tf, strategy),
        "cpus": trained(tf, tf.distribute.MirroredStrategy()),
        "refused": {
            "eager": error_of(lambda: strategy.run(lambda: 1)),
            "other": error_of(lambda: tf.distribute.TPUStrategy("grpc://10.0.0.2:8470")),
            "assigned": error_of(lambda: tf.distribute.TPUStrategy(resolver, object())),
        },
        "first": tf.distribute.experimental.TPUStrategy(resolver).num_replicas_in_sync,
    }
    tf.tpu.experimental.shutdown_tpu_system(resolver)
    return found


def ask_for_gpus() -> dict[str, Any]:
    """What programs ask where there are three GPUs, of which they take the last two."""
    accelerators.source = lambda kind: jax.devices("cpu")[1:] if kind == "GPU" else ()
    tf = install()
    gpus = tf.config.list_physical_devices("GPU")
    engines = [backends.default().__name__]
    tf.config.set_visible_devices([], "GPU")
    engines.append(backends.default().__name__)
    for gpu in gpus:
        tf.config.experimental.set_memory_growth(gpu, True)
    tf.config.set_visible_devices(gpus[1:], "GPU")
    parts = [tf.config.LogicalDeviceConfiguration(memory_limit=1024)]
    double = tf.function(lambda x: x * 2.0)
    x, v = tf.constant([1.0, 2.0]), tf.Variable([1.0, 1.0])
    add = tf.function(lambda: v.assign_add([1.0, 2.0]))
    double(x)
    add()
    result, _ = double(x), add()
    import keras

    recurrent = [keras.layers.LSTM(2), keras.layers.GRU(2)]
    with tf.device("/GPU:1"):
        meant = tf.constant(1.0).device
    return {
        "engines": [name.rpartition(".")[2] for name in (*engines, backends.default().__name__)],
        "physical": [one.name for one in gpus],
        "growth": tf.config.experimental.get_memory_growth(gpus[0]),
        "logical": [one.name for one in tf.config.list_logical_devices()],
        "available": [tf.test.is_gpu_available(), tf.test.gpu_device_name()],
        "meant": meant,
        "recurrent": [tf.function(one)(tf.ones([3, 4, 5])).device for one in recurrent],
        "result": [sorted(one.id for one in result._away[1].devices()), result.numpy().tolist()],
        "variable": sorted(one.id for one in v._storage.array.device_array.devices()),
        "changed": v.numpy().tolist(),
        "mirrored": list(tf.distribute.MirroredStrategy().extended.worker_devices),
        "central": list(
            tf.distribute.experimental.CentralStorageStrategy().extended.worker_devices
        ),
        "refused": {
            "divided": error_of(lambda: tf.config.set_logical_device_configuration(gpus[0], parts)),
            "late": error_of(lambda: tf.config.set_visible_devices(gpus, "GPU")),
            "uncounted": error_of(lambda: tf.config.experimental.get_memory_info("GPU:0")),
            "hidden": error_of(lambda: tf.config.experimental.get_memory_info("GPU:2")),
        },
    }


def error_of(call: Any) -> str:
    try:
        call()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "nothing"


if __name__ == "__main__":
    print(json.dumps(ask_for_gpus() if sys.argv[1:] == ["GPU"] else train()))
