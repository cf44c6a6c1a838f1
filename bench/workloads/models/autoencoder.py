"""A convolutional autoencoder: two strided convolutions, and their transposes back."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, product, trained
from bench.workloads.models.training import Batch, Model

ROWS, SIZE = 64, 28


def build(keras: Any) -> Any:
    layers, same = keras.layers, {"strides": 2, "padding": "same", "activation": "relu"}
    return keras.Sequential(
        [
            keras.Input((SIZE, SIZE, 1)),
            layers.Conv2D(16, 3, **same),
            layers.Conv2D(32, 3, **same),
            layers.Conv2DTranspose(32, 3, **same),
            layers.Conv2DTranspose(16, 3, **same),
            layers.Conv2D(1, 3, padding="same", activation="sigmoid"),
        ]
    )


def batch(generator: np.random.Generator) -> Batch:
    x = generator.random((ROWS, SIZE, SIZE, 1), np.float32)
    return x, x


OPERATIONS = trained(
    product(ROWS * 14 * 14, 3 * 3 * 1, 16),
    product(ROWS * 7 * 7, 3 * 3 * 16, 32),
    product(ROWS * 7 * 7, 3 * 3 * 32, 32),
    product(ROWS * 14 * 14, 3 * 3 * 32, 16),
    product(ROWS * 28 * 28, 3 * 3 * 16, 1),
)

TITLE = "autoencoder with transposes on 28×28, batch 64"
MODEL = Model(TITLE, build, batch, OPERATIONS, loss="mean_squared_error")
WORK = MODEL.row(Goal("tensorflow", 0.6))
