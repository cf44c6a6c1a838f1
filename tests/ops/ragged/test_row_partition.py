"""`tf.experimental.RowPartition` and `DynamicRaggedShape`; texts and numbers are TensorFlow's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf

P = tf.experimental.RowPartition
S = tf.experimental.DynamicRaggedShape


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (lambda: P.from_row_limits([1, 4, 4]), "tf.RowPartition(row_splits=[0 1 4 4])"),
        (lambda: P.from_row_starts([0, 1, 4], 5), "tf.RowPartition(row_splits=[0 1 4 5])"),
        (lambda: P.from_row_limits([]), "tf.RowPartition(row_splits=[0])"),
        (lambda: P.from_uniform_row_length(2, nvals=6),
         "tf.RowPartition(nrows=3, uniform_row_length=2)"),
        (lambda: P.from_uniform_row_length(0, nrows=3),
         "tf.RowPartition(nrows=3, uniform_row_length=0)"),
    ],
)  # fmt: skip
def test_partitions_are_made_in_many_ways(made: Any, expected: str) -> None:
    assert expected == repr(made())


def test_a_partition_tells_what_is_known() -> None:
    uniform, ragged = P.from_uniform_row_length(2, nvals=6), P.from_row_lengths([1, 2])

    assert (True, 6, 2, 3) == (
        uniform.is_uniform(), uniform.static_nvals, uniform.static_uniform_row_length,
        uniform.static_nrows,
    )  # fmt: skip
    assert (False, 3, None) == (
        ragged.is_uniform(), ragged.static_nvals, ragged.static_uniform_row_length,
    )  # fmt: skip
    assert [0, 1, 0, 1, 0, 1] == uniform.offsets_in_rows().numpy().tolist()
    assert [0, 0, 1] == ragged.offsets_in_rows().numpy().tolist()
    assert (
        tf.int32
        == uniform.with_dtype(tf.int32).dtype
        == P.from_row_limits([1], dtype="int32").dtype
    )


@pytest.mark.parametrize(
    ("made", "error"),
    [
        (lambda: P.from_row_limits([3, 1]), tf.errors.InvalidArgumentError),
        (lambda: P.from_row_starts([1, 2], nvals=3), tf.errors.InvalidArgumentError),
        (lambda: P.from_row_starts([0, 5], nvals=3), tf.errors.InvalidArgumentError),
        (lambda: P.from_row_splits([1, 2]), tf.errors.InvalidArgumentError),
        (lambda: P.from_uniform_row_length(4, nvals=6), ValueError),
        (lambda: P.from_uniform_row_length(2, nvals=6, nrows=2), ValueError),
        (lambda: P.from_uniform_row_length(-1, nvals=0), ValueError),
        (lambda: P.from_uniform_row_length(2), ValueError),
    ],
)
def test_what_is_no_partition_is_refused(made: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        made()


def test_partitions_are_made_in_functions() -> None:
    @tf.function(input_signature=[tf.TensorSpec([None], tf.int64), tf.TensorSpec([], tf.int64)])
    def places(starts: Any, count: Any) -> Any:
        rows = P.from_row_starts(starts, count)
        even = P.from_uniform_row_length(count, nrows=2)
        return rows.offsets_in_rows(), even.row_splits()

    offsets, splits = places(np.array([0, 2]), np.int64(5))

    assert ([0, 1, 0, 1, 2], [0, 5, 10]) == (offsets.numpy().tolist(), splits.numpy().tolist())
    with pytest.raises(tf.errors.InvalidArgumentError):
        places(np.array([1, 2]), np.int64(5))


@pytest.mark.parametrize(
    ("lengths", "partitions", "inner"),
    [
        ([2, (3, 1)], 1, [4]),
        ([2, 3, 4], 0, [2, 3, 4]),
        ([2, (1, 2), 3], 1, [3, 3]),
        ([2, 3, (1, 2, 3, 4, 5, 6)], 2, [21]),
        ([], 0, []),
    ],
)
def test_shapes_are_told_by_lengths(lengths: list[Any], partitions: int, inner: list[int]) -> None:
    shape = S.from_lengths(lengths)

    text = ", ".join(map(str, lengths))
    assert f"<DynamicRaggedShape lengths=[{text}] num_row_partitions={partitions}>" == repr(shape)
    assert inner == shape.inner_shape.numpy().tolist()


@pytest.mark.parametrize("wrong", [[2, (1, 2, 3)], [(1, 2), 3], [None, 2]])
def test_lengths_that_do_not_fit_are_refused(wrong: list[Any]) -> None:
    with pytest.raises(ValueError, match=r"not consistent|should be int"):
        S.from_lengths(wrong)


def test_a_shape_is_told_by_partitions() -> None:
    shape = S.from_row_partitions([P.from_row_lengths([1, 2])], dtype=tf.int32)

    assert (tf.int32, [3]) == (shape.dtype, shape.inner_shape.numpy().tolist())
    with pytest.raises(ValueError, match="cannot be empty"):
        S.from_row_partitions([])


@pytest.mark.parametrize("dtype", [tf.float32, tf.int16])
def test_splits_are_integers_of_32_or_64_bits(dtype: tf.DType) -> None:
    made = tf.experimental.RowPartition.from_row_lengths
    with pytest.raises(ValueError, match="must be int32 or int64"):
        made([1], dtype=dtype)
    with pytest.raises(ValueError, match="must be int32 or int64"):
        made([1]).with_dtype(dtype)
