"""How ragged tensors are made: of values, and what says where rows begin and end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

from ...core import dtypes
from ...core.dtypes import DType
from ...core.values import RaggedBase, TensorLike
from ..array.concatenation import concat
from ..array.fill import ones_like
from ..array.fill import range as numbers_from
from ..array.shapes import reshape
from ..array.shapes import shape as sizes_of
from ..conversion import as_tensor
from ..math.arithmetic import maximum
from ..math.reduce import reduce_max
from ..math.scan import cumsum
from ..math.segments import unsorted_segment_sum
from .checks import (
    as_partition,
    check_nesting,
    check_row_count,
    check_rowids,
    check_splits,
    check_uniform,
    check_values,
)


class RaggedConstructors:
    """What a ragged tensor consists of: `values`, which may be ragged themselves, and where the
    rows of them begin and end.
    """

    def __init__(self, values: Any, row_splits: Any, uniform_row_length: Any = None) -> None:
        check_nesting(values, row_splits)
        self._values = values
        self._row_splits = row_splits
        self._uniform_row_length = uniform_row_length

    @classmethod
    def from_row_splits(
        cls, values: Any, row_splits: Any, name: str | None = None, validate: bool = True
    ) -> Self:
        """Row k is `values[row_splits[k] : row_splits[k + 1]]`; `row_splits` begin with 0.

        >>> tf.RaggedTensor.from_row_splits([1, 2, 3], [0, 2, 3])
        <tf.RaggedTensor [[1, 2], [3]]>

        Raises:
            InvalidArgumentError: the splits do not fit the values.
        """
        values = as_values(values)
        splits = as_partition(row_splits, "row_splits", _usual(values))
        check_values(values)
        if splits.shape[0] == 0:
            raise ValueError("row_splits tensor may not be empty: they begin with 0")
        if validate:
            check_splits(splits, outer_size(values, splits.dtype))
        return cls(values, splits)

    @classmethod
    def from_row_lengths(
        cls, values: Any, row_lengths: Any, name: str | None = None, validate: bool = True
    ) -> Self:
        """Row k has the next `row_lengths[k]` values.

        >>> tf.RaggedTensor.from_row_lengths([1, 2, 3], [2, 0, 1])
        <tf.RaggedTensor [[1, 2], [], [3]]>
        """
        values = as_values(values)
        lengths = as_partition(row_lengths, "row_lengths", _usual(values))
        zero = as_tensor([0], lengths.dtype)
        return cls.from_row_splits(values, concat([zero, cumsum(lengths)], 0), validate=validate)

    @classmethod
    def from_value_rowids(
        cls,
        values: Any,
        value_rowids: Any,
        nrows: Any = None,
        name: str | None = None,
        validate: bool = True,
    ) -> Self:
        """The value k is in row `value_rowids[k]`; these numbers ascend.

        >>> tf.RaggedTensor.from_value_rowids([1, 2, 3], [0, 0, 2], nrows=4)
        <tf.RaggedTensor [[1, 2], [], [3], []]>
        """
        values = as_values(values)
        rows = as_partition(value_rowids, "value_rowids", _usual(values))
        check_values(values, rows)
        if validate:
            check_rowids(rows)
        if nrows is None:
            nrows = reduce_max(concat([as_tensor([-1], rows.dtype), rows], 0)) + 1
        count = as_tensor(nrows, rows.dtype)
        check_row_count(rows, count)
        lengths = unsorted_segment_sum(ones_like(rows), rows, count)
        return cls.from_row_lengths(values, lengths, validate=validate)

    @classmethod
    def from_row_starts(
        cls, values: Any, row_starts: Any, name: str | None = None, validate: bool = True
    ) -> Self:
        """Row k begins with the value `row_starts[k]`; the last row ends with the values.

        >>> tf.RaggedTensor.from_row_starts([1, 2, 3], [0, 2, 2])
        <tf.RaggedTensor [[1, 2], [], [3]]>
        """
        values = as_values(values)
        starts = as_partition(row_starts, "row_starts", _usual(values))
        check_values(values)
        end = reshape(outer_size(values, starts.dtype), [1])
        return cls.from_row_splits(values, concat([starts, end], 0), validate=validate)

    @classmethod
    def from_row_limits(
        cls, values: Any, row_limits: Any, name: str | None = None, validate: bool = True
    ) -> Self:
        """Row k ends before the value `row_limits[k]`.

        >>> tf.RaggedTensor.from_row_limits([1, 2, 3], [2, 2, 3])
        <tf.RaggedTensor [[1, 2], [], [3]]>
        """
        values = as_values(values)
        limits = as_partition(row_limits, "row_limits", _usual(values))
        zero = as_tensor([0], limits.dtype)
        return cls.from_row_splits(values, concat([zero, limits], 0), validate=validate)

    @classmethod
    def from_uniform_row_length(
        cls,
        values: Any,
        uniform_row_length: Any,
        nrows: Any = None,
        validate: bool = True,
        name: str | None = None,
    ) -> Self:
        """Rows of one length; `nrows` is needed where that is 0.

        >>> tf.RaggedTensor.from_uniform_row_length([1, 2, 3, 4], 2).shape
        TensorShape([2, 2])

        Raises:
            ValueError: these are not all the values; in graphs an InvalidArgumentError.
        """
        values = as_values(values)
        length = as_partition(uniform_row_length, "UniformRowLength", _usual(values), rank=0)
        check_values(values)
        count = outer_size(values, length.dtype)
        rows = count // maximum(length, 1) if nrows is None else as_tensor(nrows, length.dtype)
        if validate:
            check_uniform(length, rows, count)
        return cls(values, numbers_from(rows + 1) * length, length)

    @classmethod
    def from_nested_row_splits(
        cls,
        flat_values: Any,
        nested_row_splits: Any,
        name: str | None = None,
        validate: bool = True,
    ) -> Any:
        """Rows of rows: the splits of the outermost axis come first.

        >>> tf.RaggedTensor.from_nested_row_splits([1, 2, 3], [[0, 2], [0, 2, 3]]).to_list()
        [[[1, 2], [3]]]
        """
        return _nested(cls.from_row_splits, flat_values, nested_row_splits, validate)

    @classmethod
    def from_nested_row_lengths(
        cls,
        flat_values: Any,
        nested_row_lengths: Any,
        name: str | None = None,
        validate: bool = True,
    ) -> Any:
        """Rows of rows: the lengths of the outermost axis come first.

        >>> tf.RaggedTensor.from_nested_row_lengths([1, 2, 3], [[2], [2, 1]]).to_list()
        [[[1, 2], [3]]]
        """
        return _nested(cls.from_row_lengths, flat_values, nested_row_lengths, validate)

    @classmethod
    def from_nested_value_rowids(
        cls,
        flat_values: Any,
        nested_value_rowids: Any,
        nested_nrows: Any = None,
        name: str | None = None,
        validate: bool = True,
    ) -> Any:
        """Rows of rows: the numbers for the outermost axis come first.

        >>> tf.RaggedTensor.from_nested_value_rowids([1, 2, 3], [[0, 0], [0, 0, 1]]).to_list()
        [[[1, 2], [3]]]
        """
        make = cls.from_value_rowids
        return _nested(make, flat_values, nested_value_rowids, validate, nested_nrows)


def _nested(
    make: Callable[..., Any], flat: Any, each: Any, validate: bool, counts: Any = None
) -> Any:
    if isinstance(each, TensorLike):
        raise TypeError(f"a list of tensors is needed, one for each ragged axis; got {each!r}")
    if counts is not None and len(counts) != len(each):
        raise ValueError(f"{len(counts)} numbers of rows do not go with {len(each)} ragged axes")
    values = as_values(flat)
    for axis in reversed(range(len(each))):
        more = () if counts is None else (counts[axis],)
        values = make(values, each[axis], *more, validate=validate)
    return values


def as_values(values: Any) -> Any:
    return values if isinstance(values, RaggedBase) else as_tensor(values)


def _usual(values: Any) -> DType:
    """The dtype of row splits that come as a list: that of splits within."""
    if not isinstance(values, RaggedBase):
        return dtypes.int64
    rows: Any = values
    return rows.row_splits.dtype


def outer_size(values: Any, dtype: DType = dtypes.int64) -> Any:
    if isinstance(values, RaggedBase):
        rows: Any = values
        return rows.nrows(dtype)
    return sizes_of(values, dtype)[0]
