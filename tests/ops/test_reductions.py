"""Sums of many short rows, which eager code adds up by columns."""

from __future__ import annotations

import numpy as np
import pytest

import tensormill as tf
from tensormill.ops.reduce import MANY_ROWS, SHORT_ROW


@pytest.mark.parametrize("dtype", ["float16", "float32", "int32", "complex64"])
@pytest.mark.parametrize("columns", [1, 3, SHORT_ROW, SHORT_ROW + 1])
@pytest.mark.parametrize("keepdims", [False, True])
def test_sums_of_many_short_rows_are_those_of_few(dtype: str, columns: int, keepdims: bool) -> None:
    x = np.random.default_rng(0).integers(-9, 9, (2, MANY_ROWS, columns)).astype(dtype)

    for reduction, numpy in ((tf.reduce_sum, np.sum), (tf.reduce_mean, np.mean)):
        many = reduction(x, -1, keepdims=keepdims)
        few = [reduction(x[:, k : k + 9], -1, keepdims=keepdims) for k in range(0, MANY_ROWS, 9)]
        assert many.dtype == dtype
        np.testing.assert_array_equal(many, tf.concat(few, 1))
        if dtype != "int32":
            np.testing.assert_allclose(many, numpy(x, -1, keepdims=keepdims), 1e-2, 1e-2)
