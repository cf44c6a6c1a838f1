"""A language model of one block: which of 5 000 words comes next, for each of 80 tokens."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, product, trained
from bench.workloads.models.training import Batch, Model
from bench.workloads.models.transformer import block, block_operations

ROWS, TOKENS, WORDS, WIDTH, HEADS, INNER = 16, 80, 5000, 256, 2, 256


def build(keras: Any) -> Any:
    inputs = keras.Input((TOKENS,), dtype="int32")
    x = keras.layers.Embedding(WORDS, WIDTH)(inputs)
    x = block(keras, x, HEADS, WIDTH, INNER, use_causal_mask=True)
    return keras.Model(inputs, keras.layers.Dense(WORDS, activation="softmax")(x))


def batch(generator: np.random.Generator) -> Batch:
    tokens = generator.integers(0, WORDS, (ROWS, TOKENS + 1))
    return tokens[:, :-1], tokens[:, 1:]


OPERATIONS = trained(
    0,
    block_operations(ROWS, TOKENS, WIDTH, HEADS * WIDTH, INNER),
    product(ROWS * TOKENS, WIDTH, WORDS),
)

MODEL = Model("small GPT, width 256, 5 000 words, 16×80 tokens", build, batch, OPERATIONS)
WORK = MODEL.row(Goal("tensorflow", 0.7), Goal("jax", 0.7), Goal("torch", 0.7))
