"""Partitioners of TensorFlow 1: functions that tell how many parts each axis is cut into."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.dtypes import float32
from ..distribution.partitioners import (
    FixedShardsPartitioner,
    MaxSizePartitioner,
    MinSizePartitioner,
    Partitioner,
)


def fixed_size_partitioner(num_shards: int, axis: int = 0) -> Callable[..., list[int]]:
    """So many parts along an axis, or as many as it has places. Variables stay whole here.

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
    """As few parts as leave at most `max_shard_bytes` bytes to each. Variables stay whole here.

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
    """As many parts, up to `max_partitions`, as leave `min_slice_size` bytes to each. Variables
    stay whole here.

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
