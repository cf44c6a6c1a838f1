"""Keras trains on one device, or on four that share a program of XLA's: losses, and devices."""

import json
import sys

import keras
import numpy as np
import tensorflow as tf

if sys.argv[1] == "four":
    (cpu,) = tf.config.list_physical_devices("CPU")
    tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 4)
    strategy = tf.distribute.MirroredStrategy()
else:
    strategy = tf.distribute.get_strategy()


class Weighted(keras.Model):
    """A model with a step of its own."""

    def __init__(self):
        super().__init__()
        self.inner = keras.layers.Dense(16, activation="relu")
        self.normal = keras.layers.BatchNormalization(synchronized=True)
        self.last = keras.layers.Dense(1)
        self.mean = keras.metrics.Mean("mean")

    @property
    def metrics(self):
        return [self.mean]

    def call(self, x, training=False):
        return self.last(self.normal(self.inner(x), training=training))

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((self(x, training=True) - y) ** 2) / 16.0
        variables = self.trainable_variables
        gradients = tape.gradient(loss, variables)
        self.optimizer.apply_gradients(zip(gradients, variables, strict=True))
        self.mean.update_state(loss)
        return {"mean": self.mean.result()}


random = np.random.RandomState(0)
x = random.rand(64, 8).astype(np.float32)
y = x.sum(1, keepdims=True)
keras.utils.set_random_seed(3)
with strategy.scope():
    own = Weighted()
    own.compile(keras.optimizers.SGD(0.1))
    usual = keras.Sequential(
        [
            keras.layers.Input([8]),
            keras.layers.Dense(16, activation="relu"),
            keras.layers.BatchNormalization(synchronized=True),
            keras.layers.Dense(1),
        ]
    )
    usual.compile(keras.optimizers.Adam(0.01), "mse", metrics=["mae"])
given = {"batch_size": 16, "verbose": 0}
means = own.fit(x, y, epochs=3, shuffle=False, **given).history["mean"]
history = usual.fit(x, y, epochs=3, shuffle=False, **given).history
found = {
    # The mean over steps: of each replica's part of the loss in turn.
    "own": [one * strategy.num_replicas_in_sync for one in means],
    "loss": history["loss"],
    "mae": history["mae"],
    "evaluated": usual.evaluate(x, y, **given),
    "predicted": usual.predict(x[:3], **given).tolist(),
    "moving": usual.layers[1].moving_variance.numpy().tolist(),
}
devices = []
if sys.argv[1] == "four":
    whole = usual.layers[0].kernel.value.values[0]._storage.array.device_array.whole
    devices = [one.device.id for one in whole.addressable_shards]
print(json.dumps([found, devices]))
