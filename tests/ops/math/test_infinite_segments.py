"""The largest and smallest of segments where all numbers are infinite."""

from __future__ import annotations

import numpy as np
import pytest

import tensormill as tf


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("columns", [None, 1, 3])
@pytest.mark.parametrize("turns", [1, 40])  # few, and many in native code
@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
def test_extremes_of_infinite_numbers_are_infinite(
    dtype: str, columns: int | None, turns: int, compiled: bool
) -> None:
    limit, numbers = np.inf, np.arange(turns)
    ids = np.repeat(4 * numbers, 6) + [0, 0, 2, 2, 3, 3] * turns
    data = [-limit, -limit, limit, limit, -limit, 1.0] * turns
    largest, smallest = [-limit, 0, limit, 1] * turns, [-limit, 0, limit, -limit] * turns

    def tensor(values: list[float]) -> tf.Tensor:
        made = tf.constant(values, dtype)
        return made if columns is None else tf.repeat(made[:, None], columns, 1)

    for function, expected in ((tf.math.segment_max, largest), (tf.math.segment_min, smallest)):
        found = (tf.function(function) if compiled else function)(tensor(data), ids)
        np.testing.assert_array_equal(tensor(expected), found)
