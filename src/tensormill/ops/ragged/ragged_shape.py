"""What `tf.shape` tells of a ragged tensor: sizes of the axes that have one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...core import dtypes
from ...core.dtypes import DType, as_dtype
from ...core.tensorflow_names import at_home_in
from ...core.tree import Composite
from ..array.broadcasting import broadcast_to as dense_broadcast_to
from ..array.fill import fill as dense_fill
from ..array.fill import ones as dense_ones
from ..array.fill import zeros as dense_zeros
from ..array.shapes import reshape as dense_reshape
from ..array.shapes import shape as sizes_of
from ..conversion import as_tensor, static_value
from ..dispatch.meanings import means_for
from ..math.cast import cast
from .elementwise import broadcast
from .ragged_tensor import RaggedTensor
from .row_partition import RowPartition


@at_home_in("tensorflow.python.ops.ragged.dynamic_ragged_shape")
class DynamicRaggedShape(Composite):
    """Row partitions, the outermost first, and the shape of the values that they divide.

    `shape[0]` and the axes within the values are scalars; a ragged axis has no single size.
    """

    def __init__(
        self, row_partitions: Sequence[RowPartition], inner_shape: Any, dtype: Any = None
    ) -> None:
        kind = dtypes.int64 if dtype is None else _size_dtype(dtype)
        self._row_partitions = tuple(row_partitions)
        self._inner_shape = cast(as_tensor(inner_shape, None, kind), kind)

    @classmethod
    def from_tensor(cls, t: Any, dtype: Any = None) -> DynamicRaggedShape:
        """The shape of a tensor, ragged or not."""
        if not isinstance(t, RaggedTensor):
            return cls((), sizes_of(as_tensor(t), dtypes.int64), dtype)
        partitions = []
        flat: Any = t
        while isinstance(flat, RaggedTensor):
            partitions.append(RowPartition(flat.row_splits, flat.uniform_row_length))
            flat = flat.values
        return cls(partitions, sizes_of(flat, dtypes.int64), dtype)

    @classmethod
    def from_row_partitions(
        cls, row_partitions: Sequence[RowPartition], dtype: Any = None
    ) -> DynamicRaggedShape:
        """The shape of vectors' values in these rows, the outermost first.

        Raises:
            ValueError: there are no rows.
        """
        if not row_partitions:
            raise ValueError("row_partitions cannot be empty")
        count = row_partitions[-1].nvals()
        kind = count.dtype if dtype is None else _size_dtype(dtype)
        rows = [one.with_dtype(kind) for one in row_partitions]
        return cls(rows, dense_reshape(cast(count, kind), [1]), kind)

    @classmethod
    def from_lengths(
        cls,
        lengths: Sequence[Any],
        num_row_partitions: int | None = None,
        dtype: Any = dtypes.int64,
    ) -> DynamicRaggedShape:
        """The shape of these sizes; a tuple has the length of each row of its axis.

        >>> tf.experimental.DynamicRaggedShape.from_lengths([2, (3, 1), 4])
        <DynamicRaggedShape lengths=[2, (3, 1), 4] num_row_partitions=1>

        num_row_partitions: how many axes after the first are rows; by default, up to the last
        that is ragged.

        Raises:
            ValueError: these are no sizes, or rows are not as many as the axis before says.
        """
        for one in lengths:
            parts = one if isinstance(one, tuple | list) else (one,)
            if not all(isinstance(size, int | np.integer) for size in parts):
                raise ValueError(
                    f"element of lengths should be int or tuple of ints: instead {one!r}"
                )
        ragged = [axis for axis, one in enumerate(lengths) if isinstance(one, tuple | list)]
        count = max(ragged, default=0) if num_row_partitions is None else num_row_partitions
        if ragged and (ragged[0] == 0 or ragged[-1] > count):
            raise ValueError(f"Shape not consistent: {lengths} with {count} axes of rows")
        kind = dtypes.int64 if dtype is None else _size_dtype(dtype)
        if not count:
            return cls((), np.array(lengths, kind.numpy), kind)
        partitions: list[RowPartition] = []
        values = lengths[0]
        for one in lengths[1 : count + 1]:
            partitions.append(_rows_of(one, values, kind))
            values = values * one if isinstance(one, int | np.integer) else sum(one)
        return cls(partitions, np.array([values, *lengths[count + 1 :]], kind.numpy), kind)

    @property
    def row_partitions(self) -> tuple[RowPartition, ...]:
        """The partitions, the outermost first."""
        return self._row_partitions

    @property
    def num_row_partitions(self) -> int:
        """How many axes are partitions."""
        return len(self._row_partitions)

    @property
    def inner_shape(self) -> Any:
        """The shape of the values, all rows one after another."""
        return self._inner_shape

    @property
    def inner_rank(self) -> int | None:
        """How many axes the inner shape has; None if that is unknown."""
        return self._inner_shape.shape[0]

    @property
    def rank(self) -> int | None:
        """The number of axes; None if it is unknown."""
        inner = self.inner_rank
        return None if inner is None else inner + self.num_row_partitions

    @property
    def dtype(self) -> DType:
        """The dtype of the sizes, int32 or int64."""
        return self._inner_shape.dtype

    def with_dtype(self, dtype: Any) -> DynamicRaggedShape:
        """The same shape with sizes of another dtype."""
        return DynamicRaggedShape(self._row_partitions, self._inner_shape, dtype)

    def is_uniform(self, axis: int) -> bool:
        """Whether all rows of that axis are as long.

        Raises:
            IndexError: there is no such axis.
        """
        if axis < 0:
            raise IndexError("Negative axis values are not supported")
        if self.rank is not None and axis >= self.rank:
            raise IndexError(f"Expected axis={axis} < rank={self.rank}")
        if 0 < axis <= self.num_row_partitions:
            return self._row_partitions[axis - 1].uniform_row_length() is not None
        return True

    def static_lengths(self, ragged_lengths: bool = True) -> list[Any]:
        """The sizes that are known, None for others; of a ragged axis the row lengths, or None
        without `ragged_lengths`.
        """
        rows = [partition.static_nrows for partition in self._row_partitions[:1]]
        lengths = [_known_lengths(partition) for partition in self._row_partitions]
        if not ragged_lengths:
            lengths = [None if isinstance(one, tuple) else one for one in lengths]
        inner = _known(self._inner_shape)
        sizes = [None] * (self.inner_rank or 0) if inner is None else inner.tolist()
        return [*rows, *lengths, *(sizes[1:] if rows else sizes)]

    def __getitem__(self, key: Any) -> Any:
        """A size, or the shape of the first axes.

        Raises:
            ValueError: the axis is ragged, or the axes after the first are asked for.
            IndexError: there is no such axis, or the slice has a step.
            TypeError: `key` is neither a number nor a slice.
        """
        if isinstance(key, slice):
            return self._first_axes(key)
        if not isinstance(key, int | np.integer):
            raise TypeError("Argument is not an int or a slice")
        return self._size(int(key))

    def _size(self, index: int) -> Any:
        rank = self.rank
        if index < 0 and rank is None:
            raise ValueError("Rank must be known to use a negative index")
        axis = index + (rank or 0) if index < 0 else index
        if axis < 0 or (rank is not None and axis >= rank):
            raise IndexError(f"Index is too big: {index}>={rank}")
        if not self.is_uniform(axis):
            raise ValueError(f"Index {axis} is not uniform")
        if axis == 0 and self._row_partitions:
            return cast(self._row_partitions[0].nrows(), self.dtype)
        if axis <= self.num_row_partitions and self._row_partitions:
            return cast(self._row_partitions[axis - 1].uniform_row_length(), self.dtype)
        return self._inner_shape[axis - self.num_row_partitions]

    def _first_axes(self, key: slice) -> DynamicRaggedShape:
        if key.step not in (None, 1):
            raise IndexError("Cannot stride through a shape")
        if self.rank is None:
            raise ValueError("Rank must be known to slice a ragged shape")
        start, stop, _ = key.indices(self.rank)
        ragged = self.num_row_partitions
        if ragged == 0 or start > ragged:
            return DynamicRaggedShape((), self._inner_shape[start - ragged : stop - ragged])
        if start > 0:
            raise ValueError("All relevant dimensions must be uniform")
        if stop > ragged:
            sizes = self._inner_shape[: stop - ragged]
            return DynamicRaggedShape(self._row_partitions, sizes, self.dtype)
        kept = self._row_partitions[: max(stop - 1, 0)]
        values = kept[-1].nvals() if kept else self._row_partitions[0].nrows()
        inner = dense_reshape(values, [1])[: min(stop, 1)]
        return DynamicRaggedShape(kept, inner, self.dtype)

    def components(self) -> tuple[Any, ...]:
        """The tensors that it is made of: the row splits of each ragged axis, and the inner shape.

        >>> rows = tf.ragged.constant([[1, 2], [3]])
        >>> shape = tf.experimental.DynamicRaggedShape.from_tensor(rows)
        >>> [one.numpy().tolist() for one in shape.components()]
        [[0, 2, 3], [3]]
        """
        splits = (partition.row_splits() for partition in self._row_partitions)
        return (*splits, self._inner_shape)

    def with_components(self, components: Sequence[Any]) -> DynamicRaggedShape:
        """A shape of as many ragged axes, made of other `components()`.

        >>> rows = tf.ragged.constant([[1, 2], [3]])
        >>> shape = tf.experimental.DynamicRaggedShape.from_tensor(rows)
        >>> shape.with_components([tf.constant([0, 1, 5], tf.int64), tf.constant([5], tf.int64)])
        <DynamicRaggedShape lengths=[2, (1, 4)] num_row_partitions=1>
        """
        *splits, inner = components
        copy = object.__new__(DynamicRaggedShape)  # the components may be stand-ins for tensors
        lengths = [one.uniform_row_length() for one in self._row_partitions]
        known = [None if one is None else static_value(one) for one in lengths]
        copy._row_partitions = tuple(map(RowPartition, splits, known))
        copy._inner_shape = inner
        return copy

    def of(self, values: Any) -> Any:
        """`values`, which has the inner shape, in the rows of this shape."""
        for one in reversed(self._row_partitions):
            length = one.uniform_row_length()
            length = None if length is None else cast(length, self.dtype)
            values = RaggedTensor(values, cast(one.row_splits(), self.dtype), length)
        return values

    def __repr__(self) -> str:
        lengths = ", ".join(str(length) for length in self.static_lengths())
        partitions = self.num_row_partitions
        return f"<DynamicRaggedShape lengths=[{lengths}] num_row_partitions={partitions}>"


def _rows_of(lengths: Any, count: int, kind: DType) -> RowPartition:
    """`count` rows of these lengths."""
    if isinstance(lengths, int | np.integer):
        return RowPartition.from_uniform_row_length(lengths, nrows=count, dtype=kind)
    if len(lengths) != count:
        raise ValueError(f"Shape not consistent: {count} rows have the lengths {lengths}")
    return RowPartition.from_row_lengths(np.array(lengths, kind.numpy), dtype=kind)


def _size_dtype(dtype: Any) -> DType:
    found = as_dtype(dtype)
    if found not in (dtypes.int32, dtypes.int64):
        raise ValueError(f"Illegal dtype: {found!r}, sizes are int32 or int64")
    return found


@means_for(dense_broadcast_to, DynamicRaggedShape)
def broadcast_to(input: Any, shape: Any, name: str | None = None) -> Any:
    """`input` repeated to a shape with rows.

    Raises:
        InvalidArgumentError: it cannot be.
        ValueError: row splits have different dtypes.
    """
    if not isinstance(shape, DynamicRaggedShape):
        return NotImplemented
    value = input if isinstance(input, RaggedTensor) else as_tensor(input)
    if not shape.row_partitions:
        return dense_broadcast_to(value, shape.inner_shape)
    model = shape.of(dense_zeros(shape.inner_shape, value.dtype))
    return broadcast(lambda one, other: dense_broadcast_to(one, sizes_of(other)), [value, model])


@means_for(dense_zeros, DynamicRaggedShape)
def zeros(shape: Any, dtype: Any, *_: Any) -> Any:
    """Zeros in rows."""
    return _made(shape, lambda sizes: dense_zeros(sizes, dtype))


@means_for(dense_ones, DynamicRaggedShape)
def ones(shape: Any, dtype: Any, *_: Any) -> Any:
    """Ones in rows."""
    return _made(shape, lambda sizes: dense_ones(sizes, dtype))


@means_for(dense_fill, DynamicRaggedShape)
def fill(dims: Any, value: Any, *_: Any) -> Any:
    """Rows full of one value."""
    return _made(dims, lambda sizes: dense_fill(sizes, value))


def _made(shape: Any, make: Callable[[Any], Any]) -> Any:
    known = isinstance(shape, DynamicRaggedShape)
    return shape.of(make(shape.inner_shape)) if known else NotImplemented


@means_for(dense_reshape, RaggedTensor, DynamicRaggedShape)
def reshape(tensor: Any, shape: Any, name: str | None = None) -> Any:
    """The elements in order in another shape, with rows or without."""
    values = tensor.flat_values if isinstance(tensor, RaggedTensor) else as_tensor(tensor)
    if not isinstance(shape, DynamicRaggedShape):
        return dense_reshape(values, shape)
    return shape.of(dense_reshape(values, shape.inner_shape))


def _known(tensor: Any) -> Any:
    return None if tensor.symbolic else tensor.numpy()


def _known_lengths(partition: RowPartition) -> Any:
    if partition.is_uniform():
        return partition.static_uniform_row_length
    splits = _known(partition.row_splits())
    return None if splits is None else tuple(np.diff(splits).tolist())
