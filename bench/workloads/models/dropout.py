"""Dense layers with dropout between them: as many random numbers as activations."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, product, trained
from bench.workloads.models.training import Batch, Model

ROWS, INPUTS, WIDTH, CLASSES = 128, 784, 512, 10


def build(keras: Any) -> Any:
    layers = keras.layers
    return keras.Sequential(
        [
            keras.Input((INPUTS,)),
            layers.Dense(WIDTH, activation="relu"),
            layers.Dropout(0.2),
            layers.Dense(WIDTH, activation="relu"),
            layers.Dropout(0.2),
            layers.Dense(CLASSES, activation="softmax"),
        ]
    )


def batch(generator: np.random.Generator) -> Batch:
    x = generator.random((ROWS, INPUTS), np.float32)
    return x, generator.integers(0, CLASSES, ROWS)


OPERATIONS = trained(
    product(ROWS, INPUTS, WIDTH), product(ROWS, WIDTH, WIDTH), product(ROWS, WIDTH, CLASSES)
)

MODEL = Model(
    "MLP 784-512-512-10 with dropout, batch 128", build, batch, OPERATIONS, is_random=True
)
WORK = MODEL.row(Goal("tensorflow", 0.6))
