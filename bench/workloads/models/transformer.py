"""Two blocks of attention over 128 tokens, which classify a text."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, product, trained
from bench.workloads.models.training import Batch, Model

ROWS, TOKENS, WORDS, WIDTH, HEADS, INNER, CLASSES, BLOCKS = 32, 128, 5000, 64, 4, 256, 2, 2


def build(keras: Any) -> Any:
    inputs = keras.Input((TOKENS,), dtype="int32")
    x = keras.layers.Embedding(WORDS, WIDTH)(inputs)
    for _ in range(BLOCKS):
        x = block(keras, x, HEADS, WIDTH // HEADS, INNER)
    x = keras.layers.GlobalAveragePooling1D()(x)
    return keras.Model(inputs, keras.layers.Dense(CLASSES, activation="softmax")(x))


def block(
    keras: Any, x: Any, heads: int, width: int, inner: int, use_causal_mask: bool = False
) -> Any:
    """Attention of so many heads of that width, then two dense layers, each with a norm."""
    layers = keras.layers
    attention = layers.MultiHeadAttention(heads, width)
    seen = attention(x, x, use_causal_mask=use_causal_mask)
    x = layers.LayerNormalization(epsilon=1e-6)(layers.Add()([x, seen]))
    told = layers.Dense(x.shape[-1])(layers.Dense(inner, activation="relu")(x))
    return layers.LayerNormalization(epsilon=1e-6)(layers.Add()([x, told]))


def block_operations(rows: int, tokens: int, width: int, attended: int, inner: int) -> int:
    """Products of a block: `attended` is the width of all heads together."""
    positions = rows * tokens
    projections = 4 * product(positions, width, attended)
    attention = 2 * rows * product(tokens, attended, tokens)
    return projections + attention + 2 * product(positions, width, inner)


def batch(generator: np.random.Generator) -> Batch:
    return generator.integers(0, WORDS, (ROWS, TOKENS)), generator.integers(0, CLASSES, ROWS)


# What comes first is rows of a table: all products have gradients on both sides.
OPERATIONS = trained(
    0,
    BLOCKS * block_operations(ROWS, TOKENS, WIDTH, WIDTH, INNER),
    product(ROWS, WIDTH, CLASSES),
)

TITLE = "2 transformer blocks, width 64, 128 tokens, batch 32"
MODEL = Model(TITLE, build, batch, OPERATIONS)
WORK = MODEL.row(Goal("tensorflow", 0.6), Goal("jax", 0.6), Goal("torch", 0.6))
