"""`tf.distribute.experimental.partitioners`: into how many parts variables are cut."""

from __future__ import annotations

import math
from typing import Any

from ..core import dtypes
from ..core.dtypes import as_dtype
from ..core.shapes import TensorShape


class Partitioner:
    """Called with a shape, a dtype and an axis: how many parts each axis is cut into."""

    def __call__(self, shape: Any, dtype: Any, axis: int = 0) -> list[int]:
        """How many parts each axis of a variable is cut into: one, but for `axis`.

        Raises:
            NotImplementedError: members say.
        """
        raise NotImplementedError("Partitioner.__call__: make one of its subclasses")


class FixedShardsPartitioner(Partitioner):
    """So many parts, or as many as there are rows.

    >>> partitioner = tf.distribute.experimental.partitioners.FixedShardsPartitioner(num_shards=2)
    >>> partitioner(tf.TensorShape([10, 3]), tf.float32)
    [2, 1]
    """

    def __init__(self, num_shards: int) -> None:
        self._count = num_shards

    def __call__(self, shape: Any, dtype: Any, axis: int = 0) -> list[int]:
        """How many parts each axis of a variable is cut into.

        Raises:
            ValueError: a size is unknown, or there is no such axis.
        """
        sizes = _sizes(shape, axis)
        return _along(axis, sizes, min(self._count, sizes[axis]))


class MinSizePartitioner(Partitioner):
    """As many parts, up to `max_shards`, as leave `min_shard_bytes` bytes to each.

    >>> partitioner = tf.distribute.experimental.partitioners.MinSizePartitioner(4, max_shards=3)
    >>> partitioner(tf.TensorShape([6, 1]), tf.float32)
    [3, 1]

    Raises:
        ValueError: an argument is not positive.
    """

    def __init__(
        self, min_shard_bytes: int = 256 << 10, max_shards: int = 1, bytes_per_string: int = 16
    ) -> None:
        _require_positive(
            min_shard_bytes=min_shard_bytes,
            max_shards=max_shards,
            bytes_per_string=bytes_per_string,
        )
        self._least, self._most, self._of_text = min_shard_bytes, max_shards, bytes_per_string

    def __call__(self, shape: Any, dtype: Any, axis: int = 0) -> list[int]:
        """How many parts each axis of a variable is cut into.

        Raises:
            ValueError: a size is unknown, or there is no such axis.
        """
        sizes = _sizes(shape, axis)
        size = math.prod(sizes) * _element_bytes(dtype, self._of_text)
        count = max(1, math.ceil(size / self._least))
        return _along(axis, sizes, max(1, min(sizes[axis], self._most, count)))


class MaxSizePartitioner(Partitioner):
    """As few parts as leave at most `max_shard_bytes` bytes to each, and at most `max_shards`.

    >>> partitioner = tf.distribute.experimental.partitioners.MaxSizePartitioner(16)
    >>> partitioner(tf.TensorShape([6, 1]), tf.float32)
    [2, 1]

    Raises:
        ValueError: an argument is not positive.
    """

    def __init__(
        self, max_shard_bytes: int, max_shards: int | None = None, bytes_per_string: int = 16
    ) -> None:
        _require_positive(max_shard_bytes=max_shard_bytes, bytes_per_string=bytes_per_string)
        if max_shards is not None:
            _require_positive(max_shards=max_shards)
        self._largest, self._most, self._of_text = max_shard_bytes, max_shards, bytes_per_string

    def __call__(self, shape: Any, dtype: Any, axis: int = 0) -> list[int]:
        """How many parts each axis of a variable is cut into.

        Raises:
            ValueError: a size is unknown, or there is no such axis.
        """
        sizes = _sizes(shape, axis)
        others = math.prod(sizes[:axis] + sizes[axis + 1 :])
        row = others * _element_bytes(dtype, self._of_text)
        rows = max(1, self._largest // row) if row else max(1, sizes[axis])
        count = max(1, math.ceil(sizes[axis] / rows))
        return _along(axis, sizes, count if self._most is None else min(count, self._most))


def _require_positive(**numbers: int) -> None:
    for name, number in numbers.items():
        if number < 1:
            raise ValueError(f"Argument `{name}` must be positive. Received: {number}")


def _sizes(shape: Any, axis: int) -> list[int]:
    found = TensorShape(shape)
    if not found.is_fully_defined():
        raise ValueError(f"a partitioner needs all sizes of the variable, not {found}")
    sizes: list[Any] = found.as_list()
    if not 0 <= axis < len(sizes):
        raise ValueError(f"Cannot partition variable along axis {axis} when shape is only {found}")
    return sizes


def _element_bytes(dtype: Any, of_text: int) -> int:
    found = as_dtype(dtype)
    return of_text if found is dtypes.string else found.size


def _along(axis: int, sizes: list[int], count: int) -> list[int]:
    return [count if place == axis else 1 for place in range(len(sizes))]
