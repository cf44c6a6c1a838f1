"""Two bidirectional LSTMs over the 80 words of a text."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, product, trained
from bench.workloads.models.training import Batch, Model

ROWS, TOKENS, WORDS, WIDTH, UNITS, CLASSES = 32, 80, 5000, 64, 64, 2


def build(keras: Any) -> Any:
    layers = keras.layers
    return keras.Sequential(
        [
            keras.Input((TOKENS,), dtype="int32"),
            layers.Embedding(WORDS, WIDTH),
            layers.Bidirectional(layers.LSTM(UNITS, return_sequences=True)),
            layers.Bidirectional(layers.LSTM(UNITS)),
            layers.Dense(CLASSES, activation="softmax"),
        ]
    )


def batch(generator: np.random.Generator) -> Batch:
    return generator.integers(0, WORDS, (ROWS, TOKENS)), generator.integers(0, CLASSES, ROWS)


def both_ways(inputs: int) -> int:
    return 2 * TOKENS * product(ROWS, inputs + UNITS, 4 * UNITS)


OPERATIONS = trained(0, both_ways(WIDTH), both_ways(2 * UNITS), product(ROWS, 2 * UNITS, CLASSES))

MODEL = Model("2 bidirectional LSTM 64, 80 words, batch 32", build, batch, OPERATIONS)
WORK = MODEL.row(Goal("tensorflow", 0.6))
