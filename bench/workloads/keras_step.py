"""The training step that everybody writes with Keras: model, loss, optimizer, metric.

The same network and row as `train_step`, which is what it is measured against: what Keras's layers
cost over the same step written by hand.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

from bench.work import Goal, Timed, Work
from bench.workloads import train_step
from bench.workloads.train_step import CHECKED_STEPS, RATE, SMALL


def with_keras(tf: Any) -> Timed:
    keras = tf.keras
    inputs, *hidden, outputs = SMALL.widths
    model = keras.Sequential(
        [
            *(keras.layers.Dense(width, activation="relu") for width in hidden),
            keras.layers.Dense(outputs),
        ]
    )
    model.build((None, inputs))
    model.set_weights(SMALL.parameters())
    loss_fn, optimizer = keras.losses.MeanSquaredError(), keras.optimizers.Adam(RATE)
    metric = keras.metrics.Mean()

    @tf.function
    def step(x: Any, y: Any) -> None:
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x))
        gradients = tape.gradient(loss, model.trainable_weights)
        optimizer.apply_gradients(zip(gradients, model.trainable_weights, strict=True))
        metric.update_state(loss)

    x, y = (tf.constant(value) for value in SMALL.batch())
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
