"""A GRU over 50 steps of a series of 8 numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, product, trained
from bench.workloads.models.training import Batch, Model

ROWS, STEPS, INPUTS, UNITS = 32, 50, 8, 64


def build(keras: Any) -> Any:
    layers = keras.layers
    return keras.Sequential([keras.Input((STEPS, INPUTS)), layers.GRU(UNITS), layers.Dense(1)])


def batch(generator: np.random.Generator) -> Batch:
    x = generator.standard_normal((ROWS, STEPS, INPUTS), np.float32)
    return x, generator.standard_normal((ROWS, 1), np.float32)


OPERATIONS = trained(
    STEPS * product(ROWS, INPUTS, 3 * UNITS),
    STEPS * product(ROWS, UNITS, 3 * UNITS),
    product(ROWS, UNITS, 1),
)

MODEL = Model("GRU 64 over 50 steps, batch 32", build, batch, OPERATIONS, loss="mean_squared_error")
WORK = MODEL.row(Goal("tensorflow", 0.2))
