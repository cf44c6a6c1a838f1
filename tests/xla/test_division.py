"""Quotients by constants in programs of XLA are rounded once, as those of the processor are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill import backends

NUMBERS = np.random.RandomState(0).uniform(-100.0, 100.0, [100, 100])
NUMBERS[0, :5] = 0.0, -0.0, np.inf, -np.inf, np.nan
ROWS = np.random.RandomState(1).uniform(0.5, 2.0, [100, 1])
ROWS[1] = 0.0

DIVISIONS: dict[str, Callable[[Any], Any]] = {
    "by a constant": lambda x: x / 3.0,
    "by zero": lambda x: x / 0.0,
    "by numbers of rows": lambda x: x / tf.constant(ROWS, x.dtype),
    "of each": lambda x: x / x[::-1],
    "of one": lambda x: x[3, 3] / 3.0,
    "rounded down": lambda x: x // 0.1,
    "rounded towards zero": lambda x: tf.truncatediv(x, 0.1),
    "that remain": lambda x: x % 0.1,
    "without NaN": lambda x: tf.math.divide_no_nan(x, 3.0),
    "where something is": lambda x: tf.math.xdivy(x, 3.0),
    "of TensorFlow 1": lambda x: tf.compat.v1.div(x, 7.0),
    "of a gradient": lambda x: tf.gradients(x / 3.0, x)[0],
    "that halves meet": lambda x: tf.round(x / 0.3),
}


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_quotients_have_the_bits_of_the_cpu(dtype: str) -> None:
    x = tf.constant(NUMBERS, dtype)

    def divided(x: Any) -> Any:
        return {name: division(x) for name, division in DIVISIONS.items()}

    found = {}
    for backend in ("reference", "xla"):
        with backends.using(backend):
            found[backend] = tf.function(divided)(x)
    for name in DIVISIONS:
        expected, quotients = found["reference"][name].numpy(), found["xla"][name].numpy()
        np.testing.assert_array_equal(quotients, expected, name, strict=True)


def test_means_divide_as_the_cpu_does() -> None:
    x = tf.constant(np.arange(21.0).reshape(7, 3), tf.float32)  # whose sums are exact
    mean = tf.function(lambda x: (tf.reduce_mean(x), tf.reduce_mean(x, 0), tf.reduce_mean(x, 1)))

    with backends.using("xla"):
        found = mean(x)
    for one, axis in zip(found, (None, 0, 1), strict=True):
        np.testing.assert_array_equal(one, x.numpy().mean(axis))
