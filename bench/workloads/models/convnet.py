"""The convolutional network that everybody begins with, on pictures of handwritten digits."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, product, trained
from bench.workloads.models.training import Batch, Model

ROWS, SIZE, CLASSES = 128, 28, 10


def build(keras: Any) -> Any:
    layers = keras.layers
    return keras.Sequential(
        [
            keras.Input((SIZE, SIZE, 1)),
            layers.Conv2D(32, 3, activation="relu"),
            layers.MaxPooling2D(),
            layers.Conv2D(64, 3, activation="relu"),
            layers.MaxPooling2D(),
            layers.Flatten(),
            layers.Dense(CLASSES, activation="softmax"),
        ]
    )


def batch(generator: np.random.Generator) -> Batch:
    x = generator.random((ROWS, SIZE, SIZE, 1), np.float32)
    return x, generator.integers(0, CLASSES, ROWS)


OPERATIONS = trained(
    product(ROWS * 26 * 26, 3 * 3 * 1, 32),
    product(ROWS * 11 * 11, 3 * 3 * 32, 64),
    product(ROWS, 5 * 5 * 64, CLASSES),
)

MODEL = Model("convolutions 32-64 on 28×28, batch 128", build, batch, OPERATIONS)
WORK = MODEL.row(Goal("tensorflow", 0.6))
