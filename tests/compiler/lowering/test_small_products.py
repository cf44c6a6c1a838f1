"""Small products are loops, whose rows come several at a time: numbers of rows without divisors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf

ROWS = (1, 2, 3, 5, 11, 13, 17, 23, 29, 37)


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("depth", "columns", "dtype"),
    [
        (3, 8, np.float32), (3, 8, np.int32), (3, 8, np.float64),
        (5, 1, np.float32), (2, 17, np.float64),
    ],
)  # fmt: skip
def test_every_row_is_where_it_belongs(depth: int, columns: int, dtype: Any) -> None:
    b = np.arange(depth * columns).reshape(depth, columns).astype(dtype)
    pairs = [(np.arange(rows * depth).reshape(rows, depth).astype(dtype), b) for rows in ROWS]

    @tf.function(autograph=False)
    def products() -> Any:
        return [tf.matmul(tf.constant(a), tf.constant(b)) + 0 for a, b in pairs]

    @tf.function(autograph=False)
    def of_arguments(*left: Any) -> Any:
        return [tf.matmul(a, tf.constant(b)) for a in left]

    for found in (products(), of_arguments(*(tf.constant(a) for a, _ in pairs))):
        for (a, b), c in zip(pairs, found, strict=True):
            np.testing.assert_array_equal(c, a @ b)
