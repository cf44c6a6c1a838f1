"""Handwritten digits, on one CPU, on several logical ones, or by several processes: the same file.

The data is scikit-learn's bundled set of 1 797 digits of 8 × 8 pixels. A loop by hand trains a
network of two layers, then Keras trains one by `fit`; all that differs is the strategy.

    tensormill run examples/distributed.py                  # one CPU
    tensormill run examples/distributed.py --devices 4      # four logical CPUs of one process
    TF_CONFIG='{"cluster": {"worker": ["localhost:2222", "localhost:2223"]},
                "task": {"type": "worker", "index": 0}}' tensormill run examples/distributed.py

The last one is one of two processes; the other has the index 1. The global batch is the same
everywhere, and so are the losses, up to the order in which float32 numbers are added up. It fails
where it has not learnt.
"""

import argparse
import json
import os
import sys

import keras
import numpy as np
import tensorflow as tf
from sklearn.datasets import load_digits

GLOBAL_BATCH = 96
ACCURACY_TO_REACH = 0.9


def strategy_for(devices):
    """A strategy over the processes of TF_CONFIG, else over so many logical CPUs."""
    if "TF_CONFIG" in os.environ:
        return tf.distribute.MultiWorkerMirroredStrategy()
    if devices == 1:
        return tf.distribute.get_strategy()
    cpu, *_ = tf.config.list_physical_devices("CPU")
    each = [tf.config.LogicalDeviceConfiguration()] * devices
    tf.config.set_logical_device_configuration(cpu, each)
    return tf.distribute.MirroredStrategy([f"CPU:{number}" for number in range(devices)])


def read_data():
    """Pixels from 0 to 1 and digits: float32[1728, 64] and int64[1728], 18 whole batches."""
    pixels, digits = load_digits(return_X_y=True)
    rows = len(digits) // GLOBAL_BATCH * GLOBAL_BATCH
    return (pixels[:rows] / 16).astype(np.float32), digits[:rows].astype(np.int64)


class Network(tf.Module):
    """64 pixels to 10 digits: weights that every replica begins with alike."""

    def __init__(self):
        super().__init__()
        numbers = np.random.default_rng(0)
        self.hidden = tf.Variable(numbers.normal(0, 0.2, (64, 32)).astype(np.float32))
        self.output = tf.Variable(numbers.normal(0, 0.2, (32, 10)).astype(np.float32))

    def __call__(self, pixels):
        return tf.nn.relu(pixels @ self.hidden) @ self.output


def train_by_hand(strategy, pixels, digits, epochs):
    """Train by gradient descent; give the mean loss of each epoch."""
    batches = tf.data.Dataset.from_tensor_slices((pixels, digits)).batch(GLOBAL_BATCH)
    with strategy.scope():
        network = Network()

    def replica_step(rows, labels):
        with tf.GradientTape() as tape:
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, network(rows))
            loss = tf.reduce_sum(losses) / GLOBAL_BATCH
        variables = network.trainable_variables
        gradients = tape.gradient(loss, variables)
        context = tf.distribute.get_replica_context()
        for variable, gradient in zip(variables, context.all_reduce("SUM", gradients)):
            variable.assign_sub(0.5 * gradient)
        return loss

    @tf.function
    def step(rows, labels):
        losses = strategy.run(replica_step, args=(rows, labels))
        return strategy.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)

    means = []
    for _ in range(epochs):
        losses = [step(*batch) for batch in strategy.experimental_distribute_dataset(batches)]
        means.append(float(tf.reduce_mean(losses)))
    return means


def train_with_keras(strategy, pixels, digits, epochs):
    """Train by `fit`; give the loss of each epoch, and the accuracy that `evaluate` finds."""
    keras.utils.set_random_seed(0)
    with strategy.scope():
        layers = [keras.layers.Dense(32, activation="relu"), keras.layers.Dense(10)]
        model = keras.Sequential([keras.layers.Input((64,)), *layers])
        loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        model.compile(keras.optimizers.Adam(0.01), loss, metrics=["accuracy"])
    history = model.fit(
        pixels, digits, batch_size=GLOBAL_BATCH, epochs=epochs, shuffle=False, verbose=0
    )
    found = model.evaluate(pixels, digits, batch_size=GLOBAL_BATCH, verbose=0, return_dict=True)
    scores = model.predict(pixels, batch_size=GLOBAL_BATCH, verbose=0)
    right = np.mean(scores.argmax(axis=1) == digits)
    if abs(right - found["accuracy"]) > 1e-6:
        sys.exit(f"predict finds {right} of the digits, evaluate {found['accuracy']}")
    return history.history["loss"], found["accuracy"]


def main():
    parser = argparse.ArgumentParser(description="Learn handwritten digits.")
    parser.add_argument("--devices", type=int, default=1, help="logical CPUs")
    parser.add_argument("--epochs", type=int, default=6)
    options = parser.parse_args()

    strategy = strategy_for(options.devices)
    pixels, digits = read_data()
    by_hand = train_by_hand(strategy, pixels, digits, options.epochs)
    losses, accuracy = train_with_keras(strategy, pixels, digits, options.epochs)
    found = {
        "replicas": strategy.num_replicas_in_sync,
        "by hand": [round(loss, 4) for loss in by_hand],
        "keras": [round(loss, 4) for loss in losses],
        "accuracy": round(accuracy, 4),
    }
    print(json.dumps(found))
    if accuracy < ACCURACY_TO_REACH or by_hand[-1] > by_hand[0] / 2:
        sys.exit("it has not learnt the digits")


if __name__ == "__main__":
    main()
