"""Axes of records that become one, or two."""

from __future__ import annotations

from typing import Any

from ...core.values import RaggedBase
from ..array.gather import gather
from ..array.shapes import reshape
from ..checks.assertions import assert_equal
from ..conversion import static_value
from ..math.cast import cast
from ..ragged.merged_axes import flat_axes, merged_axes
from ..ragged.ragged_shape import DynamicRaggedShape
from ..ragged.ragged_tensor import RaggedTensor
from ..ragged.row_partition import RowPartition
from .fields import is_structured


def merged(value: Any, outer: int, inner: int) -> Any:
    """A field with these axes as one."""
    if is_structured(value):
        return with_merged_axes(value, outer, inner)
    if isinstance(value, RaggedBase):
        return merged_axes(value, outer, inner) if inner > outer else value
    return flat_axes(value, outer, inner)


def with_merged_axes(records: Any, outer_axis: int, inner_axis: int) -> Any:
    """Records with the axes from `outer_axis` to `inner_axis` as one.

    Raises:
        ValueError: there are no such axes, or they are in the wrong order.
    """
    outer = _axis(records, outer_axis, "outer_axis")
    inner = _axis(records, inner_axis, "inner_axis")
    if outer > inner:
        raise ValueError(
            f"Expected outer_axis ({outer_axis}) to be less than or equal to inner_axis "
            f"({inner_axis})"
        )
    if outer == inner:
        return records
    fields = {name: merged(value, outer, inner) for name, value in records._values.items()}
    return type(records)(fields, _merged_shape(records._ragged_shape, outer, inner))


def _axis(records: Any, axis: int, name: str) -> int:
    rank = records.rank
    if not -rank <= axis < rank:
        raise ValueError(f"{name}={axis} out of bounds: expected {-rank}<={name}<{rank}")
    return axis % rank


def _merged_shape(old: DynamicRaggedShape, outer: int, inner: int) -> DynamicRaggedShape:
    rows = list(old.row_partitions)
    after = rows[inner:]
    if outer == 0:
        count = rows[inner - 1].nvals()
        if after:
            return _of_rows(old, after)
        static = [rows[inner - 1].static_nvals]
        return DynamicRaggedShape((), reshape(count, [1]), old.dtype, static_inner_shape=static)
    splits = rows[outer - 1].row_splits()
    for one in rows[outer:inner]:
        splits = gather(one.row_splits(), splits)
    joined = RowPartition(splits, None, rows[inner - 1].static_nvals)
    return _of_rows(old, [*rows[: outer - 1], joined, *after])


def _of_rows(old: DynamicRaggedShape, rows: list[RowPartition]) -> DynamicRaggedShape:
    static = old._type_spec.static_inner_shape
    return DynamicRaggedShape(rows, old.inner_shape, old.dtype, static_inner_shape=static)


def partitioned(records: Any, rows: Any) -> Any:
    """Records with their first axis divided into rows.

    Raises:
        TypeError: `rows` are no RowPartition.
        ValueError: there is no axis.
        InvalidArgumentError: they are of another number of values.
    """
    if not isinstance(rows, RowPartition):
        raise TypeError(f"row_partition must be a RowPartition, not {rows!r}.")
    if not records.rank:
        raise ValueError(f"Shape {records.shape} must have rank at least 1")
    count = records.nrows()
    if static_value(count) is None or static_value(count) != static_value(rows.nvals()):
        message = "the rows must be of all records of the first axis"
        assert_equal(cast(rows.nvals(), count.dtype), count, message)
    fields = {name: _divided(value, rows) for name, value in records._values.items()}
    old = records._ragged_shape
    kept = [one.with_dtype(old.dtype) for one in (rows, *old.row_partitions)]
    return type(records)(fields, _of_rows(old, kept))


def _divided(value: Any, rows: RowPartition) -> Any:
    if is_structured(value):
        return partitioned(value, rows)
    splits_dtype = value.row_splits.dtype if isinstance(value, RaggedTensor) else rows.dtype
    same = rows.with_dtype(splits_dtype)
    length = same.static_uniform_row_length
    return RaggedTensor(value, same.row_splits(), None if length is None else int(length))
