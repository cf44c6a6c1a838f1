"""MobileNet's blocks on pictures of 64×64: a convolution per channel, then one across them."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, product, trained
from bench.workloads.models.training import Batch, Model

ROWS, SIZE, CLASSES = 32, 64, 10
STEM = 16
BLOCKS = (32, 32), (64, 16), (128, 8)  # channels, and the width of a picture after the block


def build(keras: Any) -> Any:
    layers = keras.layers
    model = keras.Sequential([keras.Input((SIZE, SIZE, 3))])
    model.add(layers.Conv2D(STEM, 3, padding="same", activation="relu"))
    for channels, _ in BLOCKS:
        model.add(layers.DepthwiseConv2D(3, strides=2, padding="same", use_bias=False))
        model.add(layers.BatchNormalization())
        model.add(layers.ReLU())
        model.add(layers.Conv2D(channels, 1, use_bias=False))
        model.add(layers.BatchNormalization())
        model.add(layers.ReLU())
    model.add(layers.GlobalAveragePooling2D())
    model.add(layers.Dense(CLASSES, activation="softmax"))
    return model


def batch(generator: np.random.Generator) -> Batch:
    x = generator.standard_normal((ROWS, SIZE, SIZE, 3), np.float32)
    return x, generator.integers(0, CLASSES, ROWS)


def block(before: int, channels: int, size: int) -> int:
    pictures = ROWS * size * size
    return product(pictures, 3 * 3, before) + product(pictures, before, channels)


OPERATIONS = trained(
    product(ROWS * SIZE * SIZE, 3 * 3 * 3, STEM),
    block(STEM, 32, 32), block(32, 64, 16), block(64, 128, 8),
    product(ROWS, 128, CLASSES),
)  # fmt: skip

MODEL = Model("depthwise blocks on 64×64, batch 32", build, batch, OPERATIONS)
WORK = MODEL.row(Goal("tensorflow", 0.6))
