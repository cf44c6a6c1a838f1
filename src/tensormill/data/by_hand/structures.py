"""Specs of elements by the names that TensorFlow 1 had for them."""

from __future__ import annotations

from typing import Any

from ...control.tensor_array_spec import TensorArraySpec
from ...core.specs import TensorSpec
from ...ops.ragged.ragged_tensor import RaggedTensorSpec
from ...ops.sparse.sparse_tensor import SparseTensorSpec
from ..experimental import map_and_batch


def tensor_structure(dtype: Any, shape: Any) -> TensorSpec:
    """`tf.TensorSpec(shape, dtype)`.

    >>> tf.compat.v1.data.experimental.TensorStructure(tf.int32, [2])
    TensorSpec(shape=(2,), dtype=tf.int32, name=None)
    """
    return TensorSpec(shape, dtype)


def sparse_tensor_structure(dtype: Any, shape: Any) -> SparseTensorSpec:
    """`tf.SparseTensorSpec(shape, dtype)`.

    >>> tf.compat.v1.data.experimental.SparseTensorStructure(tf.int32, [2])
    SparseTensorSpec(TensorShape([2]), tf.int32)
    """
    return SparseTensorSpec(shape, dtype)


def ragged_tensor_structure(dtype: Any, shape: Any, ragged_rank: int) -> RaggedTensorSpec:
    """`tf.RaggedTensorSpec(shape, dtype, ragged_rank)`.

    >>> tf.compat.v1.data.experimental.RaggedTensorStructure(tf.int32, [2, None], 1)
    RaggedTensorSpec(TensorShape([2, None]), tf.int32, 1, tf.int64)
    """
    return RaggedTensorSpec(shape, dtype, ragged_rank)


def tensor_array_structure(
    dtype: Any, element_shape: Any, dynamic_size: bool, infer_shape: bool
) -> TensorArraySpec:
    """`tf.TensorArraySpec(element_shape, dtype, dynamic_size, infer_shape)`.

    >>> tf.compat.v1.data.experimental.TensorArrayStructure(tf.int32, [2], True, True)
    TensorArraySpec(TensorShape([2]), tf.int32, True, True)
    """
    return TensorArraySpec(element_shape, dtype, dynamic_size, infer_shape)


def map_and_batch_with_legacy_function(
    map_func: Any, batch_size: Any, num_parallel_batches: int | None = None,
    drop_remainder: bool = False, num_parallel_calls: int | None = None,
) -> Any:  # fmt: skip
    """`tf.data.experimental.map_and_batch`: functions are of one kind here.

    >>> both = tf.compat.v1.data.experimental.map_and_batch_with_legacy_function(lambda x: x + 1, 2)
    >>> [batch.numpy().tolist() for batch in tf.data.Dataset.range(3).apply(both)]
    [[1, 2], [3]]

    Raises:
        ValueError: both numbers of calls are given.
    """
    return map_and_batch(
        map_func, batch_size, num_parallel_batches, drop_remainder, num_parallel_calls
    )
