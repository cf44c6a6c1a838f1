"""What `tf.shape` tells of a ragged tensor: sizes of the axes that have one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar, Final

import numpy as np

from ...core import dtypes
from ...core.dtypes import DType, as_dtype
from ...core.shapes import TensorShape
from ...core.specs import TensorSpec
from ...core.tensorflow_names import at_home_in
from ...core.tree import Composite
from ...core.type_spec import TypeSpec, spec_of
from ...core.type_spec_names import register
from ...core.values import TensorLike
from ..array.broadcasting import broadcast_dynamic_shape as dense_broadcast_dynamic_shape
from ..array.broadcasting import broadcast_to as dense_broadcast_to
from ..array.concatenation import stack
from ..array.fill import fill as dense_fill
from ..array.fill import ones as dense_ones
from ..array.fill import zeros as dense_zeros
from ..array.shapes import reshape as dense_reshape
from ..array.shapes import shape as sizes_of
from ..conversion import as_tensor, static_value
from ..dispatch.meanings import means_for
from ..math.cast import cast
from ..math.comparison import logical_or
from .checks import check_splits
from .elementwise import broadcast
from .ragged_tensor import RaggedTensor
from .row_partition import RowPartition, RowPartitionSpec


@at_home_in("tensorflow.python.ops.ragged.dynamic_ragged_shape")
class DynamicRaggedShape(Composite):
    """Row partitions, the outermost first, and the shape of the values that they divide.

    `shape[0]` and the axes within the values are scalars; a ragged axis has no single size.
    """

    Spec: ClassVar[type[Any]]

    def __init__(
        self,
        row_partitions: Sequence[RowPartition],
        inner_shape: Any,
        dtype: Any = None,
        validate: bool = False,
        static_inner_shape: Any = None,
    ) -> None:
        kind = _dtype_of_parts(row_partitions, inner_shape) if dtype is None else _size_dtype(dtype)
        rows = (one if one.dtype is kind else one.with_dtype(kind) for one in row_partitions)
        self._row_partitions = tuple(rows)
        self._inner_shape = cast(as_tensor(inner_shape, None, kind), kind)
        self._static_inner_shape = _static_sizes(self._inner_shape, static_inner_shape)
        if validate and self._row_partitions:
            last = self._row_partitions[-1]
            check_splits(last.row_splits(), self._inner_shape[0])

    @classmethod
    def from_tensor(cls, t: Any, dtype: Any = None) -> DynamicRaggedShape:
        """The shape of a tensor, ragged or not: int32, or the dtype of the ragged one's splits."""
        if not isinstance(t, RaggedTensor):
            kind = dtypes.int32 if dtype is None else _size_dtype(dtype)
            return cls((), sizes_of(as_tensor(t), kind), kind)
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
            return cls((), np.array(lengths, kind.storage), kind)
        partitions: list[RowPartition] = []
        values = lengths[0]
        for one in lengths[1 : count + 1]:
            partitions.append(_rows_of(one, values, kind))
            values = values * one if isinstance(one, int | np.integer) else sum(one)
        return cls(partitions, np.array([values, *lengths[count + 1 :]], kind.storage), kind)

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
        known = self._static_inner_shape
        sizes = [] if known.rank is None else known.as_list()
        return [*rows, *lengths, *(sizes[1:] if rows else sizes)]

    def __getitem__(self, key: Any) -> Any:
        """A size, or the shape of the first axes, or of others where these are uniform.

        Raises:
            ValueError: the axis is ragged, or one of others than the first axes.
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
            sizes = self._inner_shape[start - ragged : stop - ragged]
            return DynamicRaggedShape((), sizes, self.dtype)
        if start > 0:
            if not all(map(self.is_uniform, range(start, stop))):
                raise ValueError("All relevant dimensions must be uniform")
            sizes = [self._size(axis) for axis in range(start, stop)]
            return DynamicRaggedShape((), stack(sizes) if sizes else [], self.dtype)
        if stop > ragged:
            sizes = self._inner_shape[: stop - ragged]
            return DynamicRaggedShape(self._row_partitions, sizes, self.dtype)
        kept = self._row_partitions[: max(stop - 1, 0)]
        values = kept[-1].nvals() if kept else self._row_partitions[0].nrows()
        inner = dense_reshape(values, [1])[: min(stop, 1)]
        return DynamicRaggedShape(kept, inner, self.dtype)

    @property
    def _type_spec(self) -> RaggedShapeSpec:
        rows = [spec_of(one) for one in self._row_partitions]
        return RaggedShapeSpec(rows, self._static_inner_shape, self.dtype)

    def of(self, values: Any) -> Any:
        """`values`, which has the inner shape, in the rows of this shape."""
        for one in reversed(self._row_partitions):
            length = one.uniform_row_length()
            length = None if length is None else cast(length, self.dtype)
            values = RaggedTensor(values, cast(one.row_splits(), self.dtype), length)
        return values

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DynamicRaggedShape):
            return False
        mine, theirs = self._component_tensors(), other._component_tensors()
        if self.dtype != other.dtype or len(mine) != len(theirs):
            return False
        return all(map(_same, mine, theirs))

    __hash__: ClassVar[None] = None  # pyright: ignore[reportIncompatibleMethodOverride]

    def __repr__(self) -> str:
        lengths = ", ".join(str(length) for length in self.static_lengths())
        partitions = self.num_row_partitions
        return f"<DynamicRaggedShape lengths=[{lengths}] num_row_partitions={partitions}>"


_FACTS: Final = ("_row_partitions", "_inner_shape", "_static_inner_shape")  # TensorFlow's names


@register("tf.DynamicRaggedShape.Spec")
class RaggedShapeSpec(TypeSpec):
    """Describes shapes: the specs of their row partitions, and what is known of the inner shape.

    Raises:
        TypeError: `row_partitions` are no specs of row partitions.
        ValueError: `dtype` is neither int32 nor int64.
    """

    __slots__ = ("_row_partitions", "_static_inner_shape", "dtype")

    def __init__(
        self, row_partitions: Sequence[RowPartitionSpec], static_inner_shape: Any, dtype: Any
    ) -> None:
        if not isinstance(row_partitions, Iterable):
            raise TypeError(f"row_partitions should be an Iterable, not {row_partitions!r}")
        self._row_partitions = tuple(row_partitions)
        if not all(isinstance(one, RowPartitionSpec) for one in self._row_partitions):
            raise TypeError(
                f"row_partitions should be an Iterable of RowPartitionSpecs, not {row_partitions!r}"
            )
        self._static_inner_shape = TensorShape(static_inner_shape)
        self.dtype = _size_dtype(dtype)

    @classmethod
    def from_value(cls, value: Any) -> RaggedShapeSpec:
        """What describes a shape."""
        return value._type_spec

    @property
    def value_type(self) -> type[DynamicRaggedShape]:
        return DynamicRaggedShape

    @property
    def num_row_partitions(self) -> int:
        """How many axes are partitions."""
        return len(self._row_partitions)

    @property
    def inner_rank(self) -> int | None:
        """How many axes the inner shape has; None if that is unknown."""
        return self._static_inner_shape.rank

    @property
    def rank(self) -> int | None:
        """The number of axes; None if it is unknown."""
        inner = self.inner_rank
        return None if inner is None else inner + self.num_row_partitions

    @property
    def row_partitions(self) -> tuple[RowPartitionSpec, ...]:
        """The specs of the partitions, the outermost first."""
        return self._row_partitions

    @property
    def static_inner_shape(self) -> TensorShape:
        """What is known of the inner shape."""
        return self._static_inner_shape

    @property
    def shape(self) -> TensorShape:
        """The sizes that are known, as of a ragged tensor of this shape."""
        inner, rows = self._static_inner_shape, self._row_partitions
        if not rows or inner.rank is None:
            return inner
        lengths = [one.uniform_row_length for one in rows]
        return TensorShape([rows[0].nrows, *lengths, *inner[1:]])

    def with_dtype(self, dtype: Any) -> RaggedShapeSpec:
        """The same with sizes of another dtype."""
        kind = _size_dtype(dtype)
        rows = [
            RowPartitionSpec(one.nrows, one.nvals, one.uniform_row_length, kind)
            for one in self._row_partitions
        ]
        return RaggedShapeSpec(rows, self._static_inner_shape, kind)

    def _serialize(self) -> tuple[Any, ...]:
        inner = TensorSpec([self.inner_rank], self.dtype)
        values = (self._row_partitions, inner, self._static_inner_shape)
        return tuple(zip(_FACTS, values, strict=True))

    @classmethod
    def _deserialize(cls, serialization: Any) -> RaggedShapeSpec:
        facts = dict(serialization)
        rows, inner, static = (facts[name] for name in _FACTS)
        return cls(rows, static, inner.dtype)

    @property
    def _component_specs(self) -> Any:
        return TensorSpec([self.inner_rank], self.dtype), self._row_partitions

    def _to_components(self, value: Any) -> Any:
        return value.inner_shape, value.row_partitions

    def _from_components(self, components: Any) -> DynamicRaggedShape:
        inner, rows = components
        made = object.__new__(DynamicRaggedShape)  # the components may be stand-ins for tensors
        made._row_partitions = tuple(rows)
        made._inner_shape = inner
        told = self._static_inner_shape
        real = isinstance(inner, TensorLike) and static_value(inner) is not None
        made._static_inner_shape = _static_sizes(inner, None) if real else told
        return made

    def __repr__(self) -> str:
        return (
            f"DynamicRaggedShape.Spec(row_partitions={self._row_partitions!r}, "
            f"static_inner_shape={self._static_inner_shape!r}, dtype={self.dtype!r})"
        )


DynamicRaggedShape.Spec = RaggedShapeSpec


def _same(one: Any, other: Any) -> bool:
    left, right = static_value(one), static_value(other)
    if left is None or right is None:
        return one is other
    return np.array_equal(left, right)


def _static_sizes(inner_shape: Any, told: Any) -> TensorShape:
    known, rank = _known(inner_shape), inner_shape.shape[0]
    if known is None and rank is not None:
        known = [None] * rank
    found = TensorShape(known)
    return found if told is None else found.merge_with(told)


def _rows_of(lengths: Any, count: int, kind: DType) -> RowPartition:
    """`count` rows of these lengths."""
    if isinstance(lengths, int | np.integer):
        return RowPartition.from_uniform_row_length(lengths, nrows=count, dtype=kind)
    if len(lengths) != count:
        raise ValueError(f"Shape not consistent: {count} rows have the lengths {lengths}")
    return RowPartition.from_row_lengths(np.array(lengths, kind.storage), dtype=kind)


def _dtype_of_parts(row_partitions: Sequence[RowPartition], inner_shape: Any) -> DType:
    if row_partitions:
        return row_partitions[-1].dtype
    is_told = isinstance(inner_shape, TensorLike) and inner_shape.dtype is dtypes.int32
    return dtypes.int32 if is_told else dtypes.int64


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


@means_for(dense_broadcast_dynamic_shape, DynamicRaggedShape)
def broadcast_dynamic_shape(shape_x: Any, shape_y: Any) -> DynamicRaggedShape:
    """The shape of an elementwise result, of which one operand at least may have rows.

    Raises:
        InvalidArgumentError: the shapes do not broadcast.
    """
    given = shape_x, shape_y
    kind = next(one.dtype for one in given if isinstance(one, DynamicRaggedShape))
    shapes = [_as_ragged_shape(one, kind) for one in given]
    if not any(one.row_partitions for one in shapes):
        sizes = dense_broadcast_dynamic_shape(*(one.inner_shape for one in shapes))
        return DynamicRaggedShape((), sizes, kind)
    models = [zeros(one, dtypes.bool_) for one in shapes]
    return DynamicRaggedShape.from_tensor(broadcast(logical_or, models), kind)


def _as_ragged_shape(shape: Any, kind: DType) -> DynamicRaggedShape:
    if isinstance(shape, DynamicRaggedShape):
        return shape.with_dtype(kind)
    return DynamicRaggedShape((), shape, kind)


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
    return static_value(tensor)


def _known_lengths(partition: RowPartition) -> Any:
    if partition.is_uniform():
        return partition.static_uniform_row_length
    splits = _known(partition.row_splits())
    return None if splits is None else tuple(np.diff(splits).tolist())
