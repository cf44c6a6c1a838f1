"""Reductions: sums of short rows and products of long ones, which eager code takes apart."""

from __future__ import annotations

import numpy as np
import pytest

import tensormill as tf
from tensormill.ops.math.reduce import LONG_PRODUCT, MANY_ROWS, SHORT_ROW


@pytest.mark.sampled
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


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex64"])
@pytest.mark.parametrize("shape", [(LONG_PRODUCT - 1,), (LONG_PRODUCT + 1,), (23, 41), (3, 5, 67)])
@pytest.mark.parametrize("keepdims", [False, True])
def test_products_of_long_rows_are_those_of_numpy(
    dtype: str, shape: tuple[int, ...], keepdims: bool
) -> None:
    x = np.random.default_rng(0).uniform(0.99, 1.01, shape).astype(dtype)
    for axis in (None, 0, -1):
        expected = np.prod(x.astype(complex), axis, keepdims=keepdims)
        found = tf.reduce_prod(x, axis, keepdims=keepdims)

        assert (dtype, expected.shape) == (found.dtype, found.shape)
        np.testing.assert_allclose(found, expected, 2e-3 if dtype == "float16" else 1e-5)


def test_long_products_keep_zeros_and_nan() -> None:
    x = np.ones(2 * LONG_PRODUCT + 1, np.float32)
    x[-1] = 0.0

    assert 0.0 == tf.reduce_prod(x)
    x[0] = np.nan
    assert np.isnan(tf.reduce_prod(x))


@pytest.mark.sampled
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


@pytest.mark.sampled
@pytest.mark.parametrize("axes", [[[0]], [[1], [0]], [[[1]]], [[]]])
@pytest.mark.parametrize("name", ["Sum", "Max", "Mean"])
def test_operands_of_any_rank_may_name_the_axes(name: str, axes: list[object]) -> None:
    x = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    operation, given = getattr(tf.raw_ops, name), tf.constant(axes, tf.int32)
    in_a_row = operation(input=x, axis=tf.reshape(given, [-1]), keep_dims=False)

    def reduced(x: tf.Tensor) -> tf.Tensor:
        return operation(input=x, axis=given, keep_dims=False)

    for found in (reduced(x), tf.function(reduced)(x)):
        assert in_a_row.numpy().tolist() == found.numpy().tolist()


def test_what_is_rolled_has_a_scalar_or_a_vector_of_axes() -> None:
    @tf.function
    def rolled(x: tf.Tensor, axis: tf.Tensor) -> tf.Tensor:
        return tf.roll(x, axis, axis)

    with pytest.raises(tf.errors.InvalidArgumentError, match="scalars or vectors"):
        tf.roll(tf.ones([2, 3]), [[1]], [[0]])
    with pytest.raises(tf.errors.InvalidArgumentError, match="scalars or vectors"):
        rolled(tf.ones([2, 3]), tf.constant([[0]]))
