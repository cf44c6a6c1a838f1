"""How values are divided into rows, and functions of such divisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsInt

import numpy as np

from ...core import dtypes
from ...core.dtypes import DType, as_dtype
from ...core.shapes import TensorShape
from ...core.specs import TensorSpec
from ...core.tensorflow_names import at_home_in
from ...core.tree import Composite
from ...core.type_spec import TypeSpec
from ...core.type_spec_names import register
from ...core.values import TensorLike
from ...errors import DTypeMismatchError, ShapeMismatchError
from ..array.concatenation import concat
from ..array.fill import ones_like, zeros_like
from ..array.fill import range as numbers_from
from ..array.gather import gather
from ..array.range_ends import of_one_dtype
from ..array.rearrangement import repeat
from ..array.select import where
from ..array.shapes import reshape, size
from ..checks.assertions import assert_equal, assert_non_negative, assert_none_equal
from ..conversion import as_tensor, static_value
from ..dispatch.meanings import dispatchable
from ..math.arithmetic import maximum
from ..math.cast import cast
from ..math.elementwise import ceil
from ..math.reduce import reduce_max, reduce_sum
from ..math.scan import cumsum
from ..math.segments import unsorted_segment_sum
from ..op import INDEX
from .checks import as_partition, check_splits, check_uniform
from .ragged_tensor import RaggedTensor

if TYPE_CHECKING:
    from ..results import Tensor

Size = SupportsInt | TensorShape | None


@at_home_in("tensorflow.python.ops.ragged.row_partition")
class RowPartition(Composite):
    """Which values belong to which row: row k has those from `row_splits[k]` on.

    Make one with `from_row_splits`, `from_row_lengths`, `from_value_rowids` and their like.

    >>> tf.experimental.RowPartition.from_row_lengths([2, 0, 1])
    tf.RowPartition(row_splits=[0 2 2 3])
    """

    def __init__(
        self, row_splits: Tensor, uniform_row_length: Tensor | None = None, nvals: int | None = None
    ) -> None:
        self._row_splits = row_splits
        self._uniform_row_length = uniform_row_length
        self._nvals = nvals  # where a graph knows it, which does not know the splits

    @classmethod
    def _of(cls, numbered: RaggedTensor, dtype: Any) -> RowPartition:
        splits = numbered.row_splits
        return cls(splits if dtype is None else cast(splits, _splits_dtype(dtype)))

    @classmethod
    def from_row_splits(
        cls, row_splits: Any, validate: bool = True, dtype: Any = None, dtype_hint: Any = None
    ) -> RowPartition:
        """The partition into rows that begin and end at these places.

        >>> tf.experimental.RowPartition.from_row_splits([0, 2, 2, 3]).row_lengths().numpy()
        array([2, 0, 1])
        """
        splits = as_partition(row_splits, "row_splits")
        if splits.shape[0] == 0:
            raise ValueError("row_splits tensor may not be empty: they begin with 0")
        numbers = numbers_from(splits[-1])
        return cls._of(RaggedTensor.from_row_splits(numbers, splits, validate=validate), dtype)

    @classmethod
    def from_row_lengths(
        cls, row_lengths: Any, validate: bool = True, dtype: Any = None, dtype_hint: Any = None
    ) -> RowPartition:
        """The partition into rows that are so long.

        >>> tf.experimental.RowPartition.from_row_lengths([2, 0, 1]).row_splits().numpy()
        array([0, 2, 2, 3])
        """
        lengths = as_partition(row_lengths, "row_lengths")
        numbers = numbers_from(reduce_sum(lengths))
        return cls._of(RaggedTensor.from_row_lengths(numbers, lengths, validate=validate), dtype)

    @classmethod
    def from_value_rowids(
        cls,
        value_rowids: Any,
        nrows: Any = None,
        validate: bool = True,
        dtype: Any = None,
        dtype_hint: Any = None,
    ) -> RowPartition:
        """The partition of values of which each is in the row of this number.

        >>> tf.experimental.RowPartition.from_value_rowids([0, 0, 2]).row_splits().numpy()
        array([0, 2, 2, 3])
        """
        rows = as_partition(value_rowids, "value_rowids")
        numbers = numbers_from(size(rows, rows.dtype))
        ragged = RaggedTensor.from_value_rowids(numbers, rows, nrows, validate=validate)
        return cls._of(ragged, dtype)

    @classmethod
    def from_row_limits(
        cls, row_limits: Any, validate: bool = True, dtype: Any = None, dtype_hint: Any = None
    ) -> RowPartition:
        """The partition into rows that end before these places.

        >>> tf.experimental.RowPartition.from_row_limits([2, 2, 3]).row_splits().numpy()
        array([0, 2, 2, 3])
        """
        limits = as_partition(row_limits, "row_limits")
        splits = concat([as_tensor([0], limits.dtype), limits], 0)
        if validate:
            check_splits(splits, splits[-1])
        return cls(splits if dtype is None else cast(splits, _splits_dtype(dtype)))

    @classmethod
    def from_row_starts(
        cls, row_starts: Any, nvals: Any, validate: bool = True, dtype: Any = None,
        dtype_hint: Any = None,
    ) -> RowPartition:  # fmt: skip
        """The partition of `nvals` values into rows that begin at these places.

        >>> tf.experimental.RowPartition.from_row_starts([0, 2, 2], nvals=3).row_splits().numpy()
        array([0, 2, 2, 3])
        """
        starts = as_partition(row_starts, "row_starts")
        count = as_tensor(nvals, starts.dtype)
        splits = concat([starts, reshape(count, [1])], 0)
        if validate:
            check_splits(splits, count)
        return cls(splits if dtype is None else cast(splits, _splits_dtype(dtype)))

    @classmethod
    def from_uniform_row_length(
        cls, uniform_row_length: Any, nvals: Any = None, nrows: Any = None, validate: bool = True,
        dtype: Any = None, dtype_hint: Any = None,
    ) -> RowPartition:  # fmt: skip
        """The partition into rows of one length, of so many values or so many rows.

        >>> tf.experimental.RowPartition.from_uniform_row_length(2, nvals=6).row_splits().numpy()
        array([0, 2, 4, 6])

        Raises:
            ValueError: neither number is given, they do not agree, or the length is negative.
        """
        if nvals is None and nrows is None:
            raise ValueError("Either (or both) of nvals and nrows must be specified")
        kind = dtypes.int64 if dtype is None else _splits_dtype(dtype)
        length = as_tensor(uniform_row_length, None, kind)
        known = static_value(length)
        if known is not None and known < 0:
            raise ValueError(f"uniform_row_length must be >= 0, not {known}")
        if nrows is None:
            rows = as_tensor(nvals, length.dtype) // maximum(length, 1)
        else:
            rows = as_tensor(nrows, length.dtype)
        if validate and nvals is not None:
            check_uniform(length, rows, as_tensor(nvals, length.dtype))
        return cls(cast(numbers_from(rows + 1) * length, kind), cast(length, kind))

    def with_dtype(self, dtype: Any) -> RowPartition:
        """The same partition with row splits of another dtype.

        >>> p = tf.experimental.RowPartition.from_row_lengths([2, 0, 1])
        >>> p.with_dtype(tf.int32).dtype
        tf.int32

        Raises:
            ValueError: row splits are int32 or int64.
        """
        kind, length = _splits_dtype(dtype), self._uniform_row_length
        uniform = None if length is None else cast(length, kind)
        return RowPartition(cast(self._row_splits, kind), uniform, self._nvals)

    def is_uniform(self) -> bool:
        """Whether all rows are of one length by the way they were made.

        >>> p = tf.experimental.RowPartition.from_row_lengths([2, 0, 1])
        >>> p.is_uniform()
        False
        """
        return self._uniform_row_length is not None

    @property
    def static_uniform_row_length(self) -> np.integer[Any] | None:
        """How long every row is, where that is known; else None.

        >>> p = tf.experimental.RowPartition.from_uniform_row_length(2, nvals=6)
        >>> int(p.static_uniform_row_length)
        2
        """
        length = self._uniform_row_length
        return None if length is None else _known(length)

    @property
    def static_nvals(self) -> int | None:
        """The number of values where it is known.

        >>> p = tf.experimental.RowPartition.from_row_lengths([2, 0, 1])
        >>> p.static_nvals
        3
        """
        if self._nvals is not None:
            return self._nvals
        if self.static_nrows is not None and self.static_uniform_row_length is not None:
            return self.static_nrows * int(self.static_uniform_row_length)
        splits = static_value(self._row_splits)
        return None if splits is None else int(splits[-1])

    def offsets_in_rows(self) -> Tensor:
        """The place of each value in its row.

        >>> p = tf.experimental.RowPartition.from_row_lengths([2, 0, 1])
        >>> p.offsets_in_rows().numpy()
        array([0, 1, 0])
        """
        rows = self.value_rowids()
        return numbers_from(self.nvals()) - gather(self.row_starts(), rows)

    @property
    def dtype(self) -> DType:
        """The dtype of the row splits, int32 or int64.

        >>> p = tf.experimental.RowPartition.from_row_lengths([2, 0, 1])
        >>> p.dtype
        tf.int64
        """
        return self._row_splits.dtype

    @property
    def static_nrows(self) -> int | None:
        """The number of rows where it is known.

        >>> p = tf.experimental.RowPartition.from_row_lengths([2, 0, 1])
        >>> p.static_nrows
        3
        """
        count = self._row_splits.shape[0]
        return None if count is None else count - 1

    def uniform_row_length(self) -> Tensor | None:
        """How long every row is, where they are of one length by the way they were made.

        >>> p = tf.experimental.RowPartition.from_uniform_row_length(2, nvals=6)
        >>> p.uniform_row_length().numpy()
        np.int64(2)
        """
        return self._uniform_row_length

    def row_splits(self) -> Tensor:
        """Where each row begins, and where the last one ends: [rows + 1].

        >>> p = tf.experimental.RowPartition.from_row_lengths([2, 0, 1])
        >>> p.row_splits().numpy()
        array([0, 2, 2, 3])
        """
        return self._row_splits

    def row_lengths(self) -> Tensor:
        """How many values each row has.

        >>> p = tf.experimental.RowPartition.from_row_lengths([2, 0, 1])
        >>> p.row_lengths().numpy()
        array([2, 0, 1])
        """
        return self._row_splits[1:] - self._row_splits[:-1]

    def row_starts(self) -> Tensor:
        """With which value each row begins.

        >>> p = tf.experimental.RowPartition.from_row_lengths([2, 0, 1])
        >>> p.row_starts().numpy()
        array([0, 2, 2])
        """
        return self._row_splits[:-1]

    def row_limits(self) -> Tensor:
        """Behind which value each row ends.

        >>> p = tf.experimental.RowPartition.from_row_lengths([2, 0, 1])
        >>> p.row_limits().numpy()
        array([2, 2, 3])
        """
        return self._row_splits[1:]

    def value_rowids(self) -> Tensor:
        """In which row each value is.

        >>> p = tf.experimental.RowPartition.from_row_lengths([2, 0, 1])
        >>> p.value_rowids().numpy()
        array([0, 0, 2])
        """
        return row_splits_to_segment_ids(self._row_splits)

    def nvals(self) -> Tensor:
        """The number of values.

        >>> p = tf.experimental.RowPartition.from_row_lengths([2, 0, 1])
        >>> p.nvals().numpy()
        np.int64(3)
        """
        return self._row_splits[-1]

    def nrows(self) -> Tensor:
        """The number of rows.

        >>> p = tf.experimental.RowPartition.from_row_lengths([2, 0, 1])
        >>> p.nrows().numpy()
        np.int64(3)
        """
        return RaggedTensor(numbers_from(self.nvals()), self._row_splits).nrows()

    def __repr__(self) -> str:
        if self.static_uniform_row_length is not None and self.static_nrows is not None:
            length = self.static_uniform_row_length
            return f"tf.RowPartition(nrows={self.static_nrows}, uniform_row_length={length})"
        splits = static_value(self._row_splits)
        return f"tf.RowPartition(row_splits={self._row_splits if splits is None else splits})"

    @property
    def _type_spec(self) -> RowPartitionSpec:
        facts = self.static_nrows, self.static_nvals, self.static_uniform_row_length
        return RowPartitionSpec(*facts, self.dtype)


def _known(number: Tensor) -> Any:
    found = static_value(number)
    return None if found is None else found[()]


def _splits_dtype(dtype: Any) -> DType:
    found = as_dtype(dtype)
    if found not in INDEX:
        raise ValueError(f"dtype must be int32 or int64, got {found!r}")
    return found


@register("tf.RowPartitionSpec")
class RowPartitionSpec(TypeSpec):
    """Describes row partitions: how many rows and values, how long every row is, where that is
    known; and the dtype of the splits.
    """

    __slots__ = ("_facts", "dtype")

    def __init__(
        self,
        nrows: Size = None,
        nvals: Size = None,
        uniform_row_length: Size = None,
        dtype: Any = dtypes.int64,
    ) -> None:
        given = (nrows, nvals, uniform_row_length)
        self._facts = tuple(one if isinstance(one, TensorShape) else _one(one) for one in given)
        self.dtype = as_dtype(dtype)

    @property
    def value_type(self) -> type[RowPartition]:
        return RowPartition

    @property
    def nrows(self) -> int | None:
        """How many rows there are, where that is known."""
        return self._facts[0][0]

    @property
    def nvals(self) -> int | None:
        """How many values there are, where that is known."""
        return self._facts[1][0]

    @property
    def uniform_row_length(self) -> int | None:
        """How long every row is, where that is known."""
        return self._facts[2][0]

    def _serialize(self) -> tuple[Any, ...]:
        return *self._facts, self.dtype

    @property
    def _component_specs(self) -> TensorSpec:
        count = None if self.nrows is None else self.nrows + 1
        return TensorSpec([count], self.dtype)

    def _to_components(self, value: RowPartition) -> Tensor:
        return value.row_splits()

    def _from_components(self, components: Any) -> RowPartition:
        length = self.uniform_row_length
        uniform = None if length is None else as_tensor(length, self.dtype)
        given: Any = components
        real = isinstance(given, TensorLike) and static_value(given) is not None
        return RowPartition(components, uniform, None if real else self.nvals)

    def __repr__(self) -> str:
        return (
            f"RowPartitionSpec(nrows={self.nrows}, nvals={self.nvals}, "
            f"uniform_row_length={self.uniform_row_length}, dtype={self.dtype!r})"
        )


def _one(size: SupportsInt | None) -> TensorShape:
    return TensorShape([None if size is None else int(size)])


@dispatchable
def row_splits_to_segment_ids(splits: Any, name: str | None = None, out_type: Any = None) -> Tensor:
    """The row of each value, from the places where rows begin and end.

    splits: [rows + 1], int32 or int64 and ascending. The result is [values], of the same dtype or
    `out_type`.

    >>> tf.ragged.row_splits_to_segment_ids([0, 2, 2, 3]).numpy()
    array([0, 0, 2])

    Raises:
        ValueError: `splits` are not integers, no vector, or empty.
        InvalidArgumentError: `splits` descend, or `out_type` is neither int32 nor int64.
    """
    splits = as_tensor(splits, None, dtypes.int64)
    if splits.dtype not in INDEX or splits.shape.rank not in (1, None) or splits.shape == [0]:
        raise ValueError(f"splits must be [rows + 1] numbers of int32 or int64, got {splits}")
    lengths = splits[1:] - splits[:-1]
    rows = repeat(numbers_from(size(lengths, splits.dtype)), lengths)
    if out_type is None:
        return rows
    if (wanted := as_dtype(out_type)) not in INDEX:
        raise DTypeMismatchError(f"out_type={wanted.name} is neither int32 nor int64")
    return cast(rows, wanted)


@dispatchable
def segment_ids_to_row_splits(
    segment_ids: Any, num_segments: Any = None, out_type: Any = None, name: str | None = None
) -> Tensor:
    """Where rows begin and end, of ascending row numbers.

    segment_ids: [values], int32 or int64. num_segments: how many rows; by default, one more than
    the last number. The result is [rows + 1], of the same dtype or `out_type`.

    >>> tf.ragged.segment_ids_to_row_splits([0, 0, 2], num_segments=4).numpy()
    array([0, 2, 2, 3, 3])

    Raises:
        InvalidArgumentError: a number is below 0, or not below `num_segments`; or there is no
            vector of integers.
    """
    rows = as_tensor(segment_ids, None, dtypes.int64)
    assert_non_negative(rows, "segment_ids must not be negative")
    if num_segments is None:
        num_segments = reduce_max(concat([as_tensor([-1], rows.dtype), rows], 0)) + 1
    lengths = unsorted_segment_sum(zeros_like(rows) + 1, rows, as_tensor(num_segments))
    splits = concat([as_tensor([0], rows.dtype), cumsum(lengths)], 0)
    return splits if out_type is None else cast(splits, as_dtype(out_type))


@dispatchable
def ragged_range(
    starts: Any,
    limits: Any = None,
    deltas: Any = 1,
    dtype: Any = None,
    name: str | None = None,
    row_splits_dtype: Any = dtypes.int64,
) -> RaggedTensor:
    """Row k counts from `starts[k]` up to `limits[k]` by `deltas[k]`; a scalar is that of all.

    starts, limits, deltas: [n] or scalars, numbers. With `starts` alone, these are the limits, and
    rows start at 0. The result is ragged, [n, (lengths)]; the limits are not in it.

    >>> tf.ragged.range([2, 0, 3]).to_list()
    [[0, 1], [], [0, 1, 2]]
    >>> tf.ragged.range([1, 9], [4, 5], [1, -2]).to_list()
    [[1, 2, 3], [9, 7]]

    Raises:
        InvalidArgumentError: the vectors differ in length, or are none; a delta is 0.
    """
    if limits is None:
        starts, limits = 0, starts
    starts, limits, deltas = of_one_dtype((starts, limits, deltas), dtype)
    _require_alike(starts, limits, deltas)
    blank = zeros_like(limits + starts + deltas)
    starts, deltas, blank = (reshape(one, [-1]) for one in (starts + blank, deltas + blank, blank))
    assert_none_equal(deltas, zeros_like(deltas), message="ragged.range: Requires delta != 0")
    if limits.dtype.is_integer:
        # In 64 bits: 32 do not hold how far it is from one end of them to the other.
        first, last, step = (cast(one, dtypes.int64) for one in (starts, limits, deltas))
        unit = ones_like(step)
        spans = (last - first + step - where(step > 0, unit, -unit)) // step
    else:
        spans = ceil((limits - starts) / deltas)
    lengths = cast(where(spans > 0, spans, zeros_like(spans)), as_dtype(row_splits_dtype))
    within = RaggedTensor.from_row_lengths(
        numbers_from(reduce_sum(lengths)), lengths, validate=False
    )
    rows = within.value_rowids()
    place = within.values - gather(within.row_starts(), rows)
    values = gather(starts, rows) + cast(place, limits.dtype) * gather(deltas, rows)
    return within.with_values(values)


def _require_alike(*operands: Any) -> None:
    """That vectors have one length: those of one number would be taken for all rows."""
    vectors = [one for one in operands if one.shape.rank != 0]
    for one in vectors:
        if one.shape.rank not in (None, 1):
            raise ShapeMismatchError(
                "ragged.range: starts, limits and deltas must be scalars or vectors, got shape "
                f"{one.shape}"
            )
        if not vectors[0].shape.is_compatible_with(one.shape):
            raise ShapeMismatchError(f"{UNLIKE}: {vectors[0].shape} and {one.shape}")
        if not (vectors[0].shape.is_fully_defined() and one.shape.is_fully_defined()):
            assert_equal(size(vectors[0]), size(one), message=UNLIKE)


UNLIKE = "ragged.range: starts, limits and deltas must have the same shape"
