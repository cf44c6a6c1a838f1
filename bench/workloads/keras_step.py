"""The training step that everybody writes with Keras: model, loss, optimizer, metric.

The same network and row as `train_step`, which is what it is measured against: what Keras's layers
cost over the same step written by hand.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work
from bench.workloads import train_step
from bench.workloads.train_step import CHECKED_STEPS, RATE, SIZES, initial_parameters, one_row


def with_keras(tf: Any) -> Timed:
    keras = tf.keras
    model = keras.Sequential(
        [
            keras.layers.Dense(SIZES[1], activation="relu"),
            keras.layers.Dense(SIZES[2], activation="relu"),
            keras.layers.Dense(SIZES[3]),
        ]
    )
    model.build((None, SIZES[0]))
    model.set_weights(initial_parameters())
    loss_fn, optimizer = keras.losses.MeanSquaredError(), keras.optimizers.Adam(RATE)
    metric = keras.metrics.Mean()

    @tf.function
    def step(x: Any, y: Any) -> None:
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(tf.expand_dims(x, axis=0)))
        gradients = tape.gradient(loss, model.trainable_weights)
        optimizer.apply_gradients(zip(gradients, model.trainable_weights, strict=True))
        metric.update_state(loss)

    x, y = one_row()
    x, y = tf.constant(x), tf.constant(y[np.newaxis])
    for _ in range(CHECKED_STEPS):
        step(x, y)
    return Timed(lambda: step(x, y), check=float(metric.result()))


def with_tensormill() -> Timed:
    os.environ["KERAS_BACKEND"] = "tensorflow"
    return with_keras(import_module("tensormill"))


def by_hand() -> Timed:
    return Timed(train_step.make_tf2_step(import_module("tensormill")))


WORK = Work(
    title="the same train step with Keras",
    unit="step",
    programs={
        "tensormill": with_tensormill,
        "tensorflow": lambda: with_keras(import_module("tensorflow")),
        "hand": by_hand,
    },
    goals=(Goal("hand", 3),),
)
