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


@pytest.mark.parametrize("dtype", [tf.uint8, tf.int8, tf.uint16, tf.int16, tf.int32, tf.uint32])
def test_means_of_integers_do_not_overflow(dtype: tf.DType) -> None:
    compiled = tf.function(tf.reduce_mean, [tf.TensorSpec([None], dtype)], autograph=False)
    for numbers in ([dtype.max, dtype.max, 1], [dtype.min, dtype.min, 0], [dtype.max] * 300):
        x = tf.constant(numbers, dtype)
        expected = int(sum(numbers) / len(numbers))  # towards zero

        assert tf.reduce_mean(x).numpy() == compiled(x).numpy() == expected


def test_an_axis_is_reduced_once() -> None:
    compiled = tf.function(lambda x: tf.reduce_sum(x, [0, -2]), [tf.TensorSpec([None, None])])

    with pytest.raises((tf.errors.InvalidArgumentError, ValueError), match="duplicate"):
        tf.reduce_sum(tf.ones([2, 3]), [0, -2])
    with pytest.raises((tf.errors.InvalidArgumentError, ValueError), match="duplicate"):
        compiled(tf.ones([2, 3]))
