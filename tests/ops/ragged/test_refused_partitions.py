"""What can't divide values into rows is refused where it is known, `validate` or not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf

VALUES = tf.constant([1, 2, 3])
R = tf.RaggedTensor
MAKERS = [R.from_row_splits, R.from_row_lengths, R.from_row_starts, R.from_row_limits]
ROWIDS = R.from_value_rowids


@pytest.mark.parametrize("make", [*MAKERS, ROWIDS])
@pytest.mark.parametrize("bad", [[0.0, 3.0], ["a"], tf.constant([0, 3], tf.int16)], ids=str)
def test_partitions_are_integers_of_32_or_64_bits(make: Callable[..., Any], bad: Any) -> None:
    with pytest.raises(ValueError, match="must have dtype int32 or int64"):
        make(VALUES, bad, validate=False)


@pytest.mark.parametrize("make", MAKERS)
def test_a_partition_is_a_vector(make: Callable[..., Any]) -> None:
    for bad in (3, [[0, 3]]):
        with pytest.raises(ValueError, match="must have rank 1"):
            make(VALUES, bad, validate=False)


@pytest.mark.parametrize("make", [*MAKERS, ROWIDS])
def test_values_have_an_outer_axis(make: Callable[..., Any]) -> None:
    with pytest.raises(ValueError, match=r"Shape"):
        make(tf.constant(1), [0, 1], validate=False)


@pytest.mark.parametrize("validate", [False, True])
def test_each_value_has_a_row(validate: bool) -> None:
    def rows(values: Any) -> Any:
        return ROWIDS(values, tf.constant([0, 1]), validate=validate)

    for form in (rows, tf.function(rows)):
        with pytest.raises(ValueError, match="incompatible"):
            form(VALUES)


def test_row_splits_are_not_empty() -> None:
    for make in (
        lambda x: R.from_row_splits(VALUES, x),
        tf.experimental.RowPartition.from_row_splits,
    ):
        with pytest.raises(ValueError, match="may not be empty"):
            make([])


@pytest.mark.parametrize("make", [*MAKERS, ROWIDS])
def test_arrays_keep_their_dtype_and_lists_are_int64(make: Callable[..., Any]) -> None:
    values = VALUES[:2] if make is ROWIDS else VALUES

    def dtype(partition: Any) -> Any:
        return make(values, partition, validate=False).row_splits.dtype

    assert dtype(np.array([0, 3], np.int32)) is tf.int32
    assert dtype(np.array([0, 3], np.int16)) is tf.int64
    assert dtype([0, 3]) is tf.int64
    assert dtype([tf.constant(0), tf.constant(3)]) is tf.int64


@pytest.mark.parametrize("kind", [list, np.array, np.int8], ids=["list", "int64", "int8"])
def test_outer_splits_without_a_dtype_have_that_of_the_inner_ones(kind: Any) -> None:
    inner = tf.constant([0, 3])

    assert R.from_nested_row_splits(VALUES, [kind([0, 1]), inner]).row_splits.dtype is tf.int32


@pytest.mark.parametrize("dtype", [tf.int32, tf.float64, tf.bool])
def test_ragged_features_are_of_what_examples_hold(dtype: Any) -> None:
    with pytest.raises(ValueError, match="must be int64, float32"):
        tf.io.RaggedFeature(dtype)
