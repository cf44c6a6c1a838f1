"""Partitioners of TensorFlow 1: functions that tell how many parts each axis is cut into."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..core.dtypes import as_dtype, float32
from ..core.shapes import as_shape
from ..distribution.partitioners import (
    FixedShardsPartitioner,
    MaxSizePartitioner,
    MinSizePartitioner,
    Partitioner,
)
from ..eager.convert import convert_to_tensor
from ..eager.scopes import name_scope
from .partitioned import cuts
from .variable_scopes import store_here, variable_scope


def fixed_size_partitioner(num_shards: int, axis: int = 0) -> Callable[..., list[int]]:
    """So many parts along an axis, or as many as it has places.

    >>> tf.compat.v1.fixed_size_partitioner(2)(shape=tf.TensorShape([10, 3]), dtype=tf.float32)
    [2, 1]

    Raises (when it is called):
        ValueError: a size is unknown, or there is no such axis.

    Raises:
        ValueError (when it is called): the variable has no such axis, or no known sizes.
    """
    return _along(axis, FixedShardsPartitioner(num_shards))


def variable_axis_size_partitioner(
    max_shard_bytes: int,
    axis: int = 0,
    bytes_per_string_element: int = 16,
    max_shards: int | None = None,
) -> Callable[..., list[int]]:
    """As few parts as leave at most `max_shard_bytes` bytes to each.

    >>> partitioner = tf.compat.v1.variable_axis_size_partitioner(16)
    >>> partitioner(tf.TensorShape([6, 1]), tf.float32)
    [2, 1]

    Raises:
        ValueError: a number of bytes or parts is not positive; when it is called, a size is
            unknown, or there is no such axis.
    """
    made = MaxSizePartitioner(max_shard_bytes, max_shards, bytes_per_string_element)
    return _along(axis, made)


def min_max_variable_partitioner(
    max_partitions: int = 1,
    axis: int = 0,
    min_slice_size: int = 256 << 10,
    bytes_per_string_element: int = 16,
) -> Callable[..., list[int]]:
    """As many parts, up to `max_partitions`, as leave `min_slice_size` bytes to each.

    >>> partitioner = tf.compat.v1.min_max_variable_partitioner(3, min_slice_size=4)
    >>> partitioner(tf.TensorShape([6, 1]), tf.float32)
    [3, 1]

    Raises:
        ValueError: a number of bytes or parts is not positive; when it is called, a size is
            unknown, or there is no such axis.
    """
    return _along(
        axis, MinSizePartitioner(min_slice_size, max_partitions, bytes_per_string_element)
    )


def _along(axis: int, wanted: Partitioner) -> Callable[..., list[int]]:
    def partitioner(shape: Any, dtype: Any = float32) -> list[int]:
        return wanted(shape, dtype, axis)

    return partitioner


def create_partitioned_variables(
    shape: Any, slicing: Sequence[int], initializer: Any, dtype: Any = float32,
    trainable: bool = True, collections: Any = None, name: str | None = None, reuse: Any = None,
) -> list[Any]:  # fmt: skip
    """Variables that are the parts of one, which is cut along one axis.

    shape: that of the whole. slicing: for each axis into how many parts it is cut: ones but for one
    axis, of which the first parts are a row longer where it does not come out even. initializer: a
    tensor, the whole; or an initializer, which is called for each part. reuse: as that of
    `variable_scope`.

    >>> with tf.Graph().as_default():
    ...     parts = tf.compat.v1.create_partitioned_variables([5, 2], [2, 1], tf.zeros([5, 2]))
    >>> [part.shape.as_list() for part in parts]
    [[3, 2], [2, 2]]

    Raises:
        ValueError: `slicing` has another length than `shape`, cuts several axes, or one into more
            parts than it has rows.
    """
    counts = list(slicing)
    sizes: Any = as_shape(shape).as_list()
    cuts(sizes, counts)  # refuses what cannot be cut
    if not callable(initializer):
        initializer = convert_to_tensor(initializer, dtype)

    def partitioner(shape: Any, dtype: Any) -> list[int]:
        return counts

    with variable_scope(name, "PartitionedVariable", reuse=reuse) as scope, name_scope(""):
        whole = store_here().get_variable(
            scope.name, reuse=scope.reuse, shape=sizes, dtype=as_dtype(dtype),
            initializer=initializer, trainable=trainable, collections=collections,
            partitioner=partitioner,
        )  # fmt: skip
    return list(whole)
