"""What is dealt out, counted and found equal in native code is what the kernels find."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tensormill as tf

VECTOR = tf.TensorSpec([None], tf.float32)
FEW = [0.0, -0.0, 1.0, -3.5, float("inf"), float("nan")]
NUMBERS = st.lists(st.one_of(st.sampled_from(FEW), st.floats(width=32)), max_size=40)


@tf.function(input_signature=[VECTOR])
def distinct(x: Any) -> Any:
    wide = tf.complex(x, x[::-1])
    whole = tf.cast(tf.clip_by_value(x, -9.0, 9.0), tf.int64)
    return tf.unique(x), tf.unique_with_counts(wide, tf.int64), tf.unique(whole), tf.unique(x > 0)


@tf.function(input_signature=[VECTOR, tf.TensorSpec([None], tf.int32)])
def dealt(x: Any, places: Any) -> Any:
    """Some slices of three numbers dealt out, put together again with others, and counted."""
    slices = tf.stack([x, -x, x + 1.0], 1)
    parts = tf.dynamic_partition(slices, places, 3)
    merged = tf.dynamic_stitch([places, tf.constant([[1, 7]])], [slices, tf.ones([1, 2, 3])])
    bins = tf.histogram_fixed_width(tf.where(tf.math.is_nan(x), 0.0, x), [-2.0, 3.0], 7)
    return parts, merged, bins


def assert_native_as_eager(fn: Any, *operands: Any) -> None:
    expected, found = tf.nest.flatten(fn.python_function(*operands)), tf.nest.flatten(fn(*operands))
    for one, other in zip(expected, found, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(other.numpy(), one.numpy())


@given(NUMBERS)
@settings(max_examples=60, deadline=None)
def test_distinct_numbers_are_found_as_by_the_kernel(numbers: list[float]) -> None:
    assert_native_as_eager(distinct, tf.constant(numbers, tf.float32))
    assert "in Python" not in str(distinct.report())


@given(NUMBERS, st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_slices_are_dealt_out_as_by_the_kernel(numbers: list[float], random: Any) -> None:
    places = [random.randrange(3) for _ in numbers]

    assert_native_as_eager(dealt, tf.constant(numbers, tf.float32), tf.constant(places, tf.int32))
    assert "in Python" not in str(dealt.report())


def test_tables_of_many_distinct_numbers_have_room() -> None:
    x = np.random.default_rng(0).permutation(40_000).astype(np.float32)
    found, places = distinct(tf.constant(x))[0]

    np.testing.assert_array_equal(found, x)
    np.testing.assert_array_equal(places, np.arange(len(x)))


@pytest.mark.parametrize("places", [[0, 3], [-1, 0]])
def test_no_slice_goes_where_no_tensor_is(places: list[int]) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="is not in"):
        dealt(tf.constant([1.0, 2.0]), tf.constant(places))


def test_lists_that_belong_together_are_equally_long() -> None:
    for indices, data in (([[0], [1]], [[1.0]]), ([[0]], [[1.0], [2.0]])):
        with pytest.raises(ValueError, match="as many tensors"):
            tf.dynamic_stitch(indices, data)
    with pytest.raises(IndexError, match="got none"):
        tf.dynamic_stitch([], [])


def test_a_number_of_partitions_below_one_is_refused() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="at least 1"):
        tf.dynamic_partition([1.0], [0], 0)
