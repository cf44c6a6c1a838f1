"""What tf.shape tells of ragged tensors; numbers recorded from TensorFlow."""

from __future__ import annotations

from typing import Any

import pytest

import tensormill as tf
from tensormill.ops.ragged.ragged_shape import DynamicRaggedShape


def pairs() -> Any:
    return tf.RaggedTensor.from_row_lengths(tf.constant([[1, 2], [3, 4], [5, 6]]), [1, 2])


def test_sizes_of_axes_that_are_not_ragged() -> None:
    shape = tf.shape(pairs())

    assert (2, 2, 2) == (int(shape[0]), int(shape[2]), int(shape[-1]))
    assert (3, 1, tf.int32) == (shape.rank, shape.num_row_partitions, shape.dtype)
    assert [3, 2] == shape.inner_shape.numpy().tolist()
    assert [2, (1, 2), 2] == shape.static_lengths()
    assert [2, None, 2] == shape.static_lengths(ragged_lengths=False)
    assert "<DynamicRaggedShape lengths=[2, (1, 2), 2] num_row_partitions=1>" == repr(shape)


def test_a_ragged_axis_has_no_size() -> None:
    shape = tf.shape(pairs())

    assert [True, False, True] == [shape.is_uniform(axis) for axis in range(3)]
    with pytest.raises(ValueError, match="not uniform"):
        shape[1]


@pytest.mark.parametrize(
    ("key", "lengths"),
    [
        (slice(None), [2, (1, 2), 2]),
        (slice(2), [2, (1, 2)]),
        (slice(1), [2]),
        (slice(2, 3), [2]),
    ],
)
def test_slices_are_shapes_of_some_axes(key: slice, lengths: list[Any]) -> None:
    assert lengths == tf.shape(pairs())[key].static_lengths()


@pytest.mark.parametrize(
    ("key", "error", "words"),
    [
        (slice(1, None), ValueError, "must be uniform"),
        (slice(0, 1, 2), IndexError, "stride"),
        (3, IndexError, "too big"),
        ("a", TypeError, "not an int"),
    ],
)
def test_bad_axes_are_errors(key: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        tf.shape(pairs())[key]


def test_sizes_are_integers_of_32_or_64_bits() -> None:
    assert tf.int64 == tf.shape(pairs(), tf.int64).dtype
    assert tf.int64 == tf.shape(pairs()).with_dtype(tf.int64)[0].dtype
    with pytest.raises(ValueError, match="Illegal dtype"):
        tf.shape(pairs(), tf.float32)


def test_tensors_have_ragged_shapes_without_partitions() -> None:
    shape = DynamicRaggedShape.from_tensor(tf.zeros([3, 4]))

    assert [3, 4] == shape.static_lengths()
    assert [4] == shape[1:].static_lengths()


@pytest.mark.parametrize("dtype", [tf.int32, tf.int64])
def test_shapes_of_tensors_have_the_dtype_of_their_splits(dtype: tf.DType) -> None:
    ragged = tf.ragged.constant([[1], [2, 3]], row_splits_dtype=dtype)
    shape = DynamicRaggedShape.from_tensor(ragged)
    assert [dtype] * 3 == [shape.dtype, shape.inner_shape.dtype, shape.row_partitions[0].dtype]
    assert tf.int32 == DynamicRaggedShape.from_tensor(tf.zeros([2])).dtype


def test_another_dtype_is_that_of_the_partitions_too() -> None:
    shape = DynamicRaggedShape.from_lengths([2, (1, 2)]).with_dtype(tf.int32)
    assert tf.int32 == shape.row_partitions[0].dtype


def test_uniform_axes_after_the_first_are_a_shape() -> None:
    shape = DynamicRaggedShape.from_lengths([2, 3, 4], num_row_partitions=2, dtype=tf.int32)
    assert [3, 4] == shape[1:].static_lengths()
    assert tf.int32 == shape[1:].dtype
    with pytest.raises(ValueError, match="must be uniform"):
        DynamicRaggedShape.from_lengths([2, (2, 1), 4])[1:]


def test_functions_give_ragged_shapes_back() -> None:
    @tf.function
    def sizes(ragged: Any) -> Any:
        shape = tf.shape(ragged)
        return shape, shape[0]

    shape, rows = sizes(pairs())

    assert (2, [2, (1, 2), 2]) == (int(rows), shape.static_lengths())


def test_the_first_size_is_there_where_the_rank_is_unknown() -> None:
    def first(x: Any) -> Any:
        return DynamicRaggedShape.from_tensor(x)[0]

    found = tf.function(first, [tf.TensorSpec(None)], autograph=False)(tf.zeros([3, 2]))
    assert found.numpy() == 3


@pytest.mark.parametrize(
    ("one", "other", "lengths"),
    [
        ([3, 1], [3, (1, 2, 0)], [3, (1, 2, 0)]),
        ([3, (1, 2, 0)], [], [3, (1, 2, 0)]),
        ([2, 3, (1, 2, 0, 1, 1, 1)], [2, 1, 1], [2, 3, (1, 2, 0, 1, 1, 1)]),
        ([2, (1, 2), 1], [2, 1, 3], [2, (1, 2), 3]),
        ([2, (1, 2), (1, 2, 3)], [2, (1, 2), 1], [2, (1, 2), (1, 2, 3)]),
        ([2, 3], [1, 3], [2, 3]),
    ],
)
def test_ragged_shapes_broadcast(one: Any, other: Any, lengths: Any) -> None:
    left, right = map(tf.experimental.DynamicRaggedShape.from_lengths, (one, other))

    assert lengths == tf.broadcast_dynamic_shape(left, right).static_lengths()
    assert lengths == tf.broadcast_dynamic_shape(right, left).static_lengths()


def test_a_ragged_shape_broadcasts_with_a_vector_of_sizes() -> None:
    shape = tf.shape(tf.ragged.constant([[1], [2, 3]]))
    wanted = [2, (1, 2)]

    assert wanted == tf.broadcast_dynamic_shape(shape, [2, 1]).static_lengths()
    assert (
        wanted == tf.broadcast_dynamic_shape(tf.constant([2, 1], tf.int64), shape).static_lengths()
    )
    assert tf.int32 == tf.broadcast_dynamic_shape(shape, [2, 1]).dtype
    with pytest.raises(tf.errors.InvalidArgumentError, match="Unable to broadcast"):
        tf.broadcast_dynamic_shape(shape, [2, 3])


def test_functions_broadcast_ragged_shapes() -> None:
    @tf.function
    def rows(x: Any, y: Any) -> Any:
        return tf.broadcast_to(y, tf.broadcast_dynamic_shape(tf.shape(x), tf.shape(y)))

    assert [[7], [8, 8]] == rows(
        tf.ragged.constant([[1], [2, 3]]), tf.constant([[7], [8]])
    ).to_list()
