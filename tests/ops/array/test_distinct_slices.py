"""Distinct slices in compiled functions are those of the kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf

DRAWN = np.random.default_rng(6)
SHAPES = [(50, 3), (4, 60), (5, 4, 30), (3, 0), (0, 3), (7,), (200, 1)]


def drawn(shape: tuple[int, ...], dtype: Any) -> Any:
    """Few values, so that many slices are alike; zeros of both signs and NaN among them."""
    x = DRAWN.integers(0, 3, shape).astype(dtype)
    if x.size and x.dtype.kind in "fc":
        x.flat[::17] = np.nan
        x.flat[1::5] = -0.0
    return tf.constant(x)


@pytest.mark.sampled
@pytest.mark.parametrize("dtype", [np.int32, np.float32, np.float16, np.complex64, bool, np.uint8])
@pytest.mark.parametrize("shape", SHAPES)
def test_slices_are_those_of_the_kernel(shape: tuple[int, ...], dtype: Any) -> None:
    def distinct(x: Any, axis: Any) -> Any:
        return (
            *tf.raw_ops.UniqueV2(x=x, axis=axis, out_idx=tf.int64),
            *tf.raw_ops.UniqueWithCountsV2(x=x, axis=axis),
        )

    x = drawn(shape, dtype)
    of_any_axis = tf.function(distinct)
    for axis in range(-len(shape), len(shape)):
        fixed = tf.function(lambda x, axis=axis: distinct(x, [axis]))
        for found in (fixed(x), of_any_axis(x, tf.constant([axis]))):
            for expected, one in zip(distinct(x, [axis]), found, strict=True):
                assert expected.dtype == one.dtype
                np.testing.assert_array_equal(expected, one)
        assert fixed.report().callbacks == of_any_axis.report().callbacks == ()


def test_an_axis_that_is_not_there_is_refused_as_it_runs() -> None:
    distinct = tf.function(lambda x, axis: tf.raw_ops.UniqueV2(x=x, axis=axis))

    for axis in (2, -3):
        with pytest.raises(tf.errors.InvalidArgumentError, match="axis has to be between"):
            distinct(tf.ones([2, 2]), tf.constant([axis]))


def test_many_slices_have_the_places_that_they_have_eagerly() -> None:
    x = DRAWN.integers(0, 40, (3000, 2))
    kept = dict.fromkeys(map(tuple, x.tolist()))

    y, idx, count = tf.raw_ops.UniqueWithCountsV2(x=x, axis=[0])

    np.testing.assert_array_equal(list(kept), y)
    np.testing.assert_array_equal(x, tf.gather(y, idx))
    np.testing.assert_array_equal(np.bincount(idx), count)


def test_without_an_axis_a_vector_has_elements() -> None:
    distinct = tf.function(lambda x, axes: tf.raw_ops.UniqueV2(x=x, axis=axes))

    y, idx = distinct(tf.constant([7, 9, 7]), tf.zeros([0], tf.int32))

    assert ([7, 9], [0, 1, 0]) == (y.numpy().tolist(), idx.numpy().tolist())
    assert distinct.report().callbacks == ()
