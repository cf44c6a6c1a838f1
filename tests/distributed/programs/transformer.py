"""A transformer of two blocks learns to turn sequences round, on a mesh of 2 x 2 devices of XLA's
or, told "whole", on one: it tells its losses, and how its largest variable lies.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np
import tensorflow as tf

dtensor = tf.experimental.dtensor
BATCH, LENGTH, WIDTH, HEADS, WORDS, BLOCKS = 8, 6, 16, 4, 11, 2
IS_DIVIDED = sys.argv[1] == "divided"

dtensor.initialize_accelerator_system("CPU", num_logical_cpu_devices=4)
MESH = dtensor.create_mesh([("batch", 2), ("model", 2)])
RANDOM = np.random.default_rng(5)
VARIABLES: list[Any] = []


def variable(shape: list[int], *axes: str) -> Any:
    """One that is divided along axes of the mesh, "" standing for none."""
    value = (RANDOM.standard_normal(shape) / np.sqrt(shape[0])).astype(np.float32)
    layout = dtensor.Layout([one or dtensor.UNSHARDED for one in axes], MESH)
    made = dtensor.DVariable(value, layout=layout) if IS_DIVIDED else tf.Variable(value)
    VARIABLES.append(made)
    return made


def data(value: Any) -> Any:
    if not IS_DIVIDED:
        return tf.constant(value)
    return dtensor.copy_to_mesh(value, dtensor.Layout.batch_sharded(MESH, "batch", rank=2))


class Block:
    """Attention whose heads, and a network whose hidden units, are divided along `model`."""

    def __init__(self) -> None:
        size = WIDTH // HEADS
        self.queries, self.keys, self.values = (
            variable([WIDTH, HEADS, size], "", "model", "") for _ in range(3)
        )
        self.joined = variable([HEADS, size, WIDTH], "model", "", "")
        self.inner, self.outer = (
            variable([WIDTH, 4 * WIDTH], "", "model"), variable([4 * WIDTH, WIDTH], "model", "")
        )  # fmt: skip

    def __call__(self, x: Any) -> Any:
        y = normalized(x)
        q, k, v = (
            tf.einsum("btd,dhs->bhts", y, one) for one in (self.queries, self.keys, self.values)
        )
        weights = tf.nn.softmax(tf.einsum("bhts,bhus->bhtu", q, k) / np.sqrt(WIDTH // HEADS))
        x += tf.einsum("bhts,hsd->btd", tf.einsum("bhtu,bhus->bhts", weights, v), self.joined)
        hidden = tf.nn.relu(tf.einsum("btd,df->btf", normalized(x), self.inner))
        return x + tf.einsum("btf,fd->btd", hidden, self.outer)


def normalized(x: Any) -> Any:
    centered = x - tf.reduce_mean(x, -1, keepdims=True)
    return centered * tf.math.rsqrt(tf.reduce_mean(tf.square(centered), -1, keepdims=True) + 1e-5)


WORD, PLACE = variable([WORDS, WIDTH], "", ""), variable([LENGTH, WIDTH], "", "")
MODEL = [Block() for _ in range(BLOCKS)]


def loss_of(x: Any, y: Any) -> Any:
    h = tf.einsum("btw,wd->btd", tf.one_hot(x, WORDS), WORD) + PLACE
    for block in MODEL:
        h = block(h)
    logits = tf.einsum("btd,wd->btw", normalized(h), WORD)
    each = tf.nn.log_softmax(logits) * tf.one_hot(y, WORDS)
    return -tf.reduce_mean(tf.reduce_sum(each, -1))


@tf.function
def step(x: Any, y: Any) -> Any:
    with tf.GradientTape() as tape:
        loss = loss_of(x, y)
    for one, gradient in zip(VARIABLES, tape.gradient(loss, VARIABLES), strict=True):
        one.assign_sub(0.3 * gradient)
    return loss


losses = []
for _ in range(20):
    words = RANDOM.integers(0, WORDS, [BATCH, LENGTH]).astype(np.int32)
    losses.append(float(step(data(words), data(words[:, ::-1].copy()))))
array = MODEL[0].inner._storage.array.device_array
print(json.dumps([losses, [list(one.data.shape) for one in array.addressable_shards]]))
