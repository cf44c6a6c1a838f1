"""ResNet-20 on pictures of 32×32: three stages of three blocks, 16, 32 and 64 channels."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, product, trained
from bench.workloads.models.training import Batch, Model

ROWS, SIZE, CLASSES, BLOCKS = 32, 32, 10, 3
STAGES = (16, 32), (32, 16), (64, 8)  # channels, and the width of a picture with so many


def build(keras: Any) -> Any:
    inputs = keras.Input((SIZE, SIZE, 3))
    x = convolved(keras, inputs, STAGES[0][0])
    for channels, size in STAGES:
        for _ in range(BLOCKS):
            x = block(keras, x, channels, x.shape[1] // size)
    x = keras.layers.GlobalAveragePooling2D()(x)
    return keras.Model(inputs, keras.layers.Dense(CLASSES, activation="softmax")(x))


def block(keras: Any, x: Any, channels: int, stride: int) -> Any:
    """Two convolutions beside a way around them, which is one of 1×1 where the shape changes."""
    inner = convolved(keras, x, channels, stride)
    inner = convolved(keras, inner, channels, activation=None)
    if stride != 1:
        x = keras.layers.Conv2D(channels, 1, strides=stride, use_bias=False)(x)
    return keras.layers.ReLU()(keras.layers.Add()([x, inner]))


def convolved(
    keras: Any, x: Any, channels: int, stride: int = 1, activation: str | None = "relu"
) -> Any:
    x = keras.layers.Conv2D(channels, 3, strides=stride, padding="same", use_bias=False)(x)
    x = keras.layers.BatchNormalization()(x)
    return keras.layers.Activation(activation)(x) if activation else x


def batch(generator: np.random.Generator) -> Batch:
    x = generator.standard_normal((ROWS, SIZE, SIZE, 3), np.float32)
    return x, generator.integers(0, CLASSES, ROWS)


def stage(channels: int, size: int, before: int) -> int:
    """Operations of a stage whose first block takes another number of channels."""
    pictures = ROWS * size * size
    first = product(pictures, 3 * 3 * before, channels)
    around = product(pictures, before, channels) if before != channels else 0
    return first + around + (2 * BLOCKS - 1) * product(pictures, 3 * 3 * channels, channels)


OPERATIONS = trained(
    product(ROWS * SIZE * SIZE, 3 * 3 * 3, 16),
    stage(16, 32, 16), stage(32, 16, 16), stage(64, 8, 32),
    product(ROWS, 64, CLASSES),
)  # fmt: skip

MODEL = Model("ResNet-20 on 32×32, batch 32", build, batch, OPERATIONS)
WORK = MODEL.row(Goal("tensorflow", 0.6))
