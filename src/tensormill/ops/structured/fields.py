"""Fields of records, and which axes they say the records have."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from ...core import dtypes
from ...core.shapes import TensorShape
from ...core.values import RaggedBase
from ..array.shapes import reshape, shape
from ..checks.assertions import assert_equal
from ..conversion import as_tensor, static_value
from ..extension_type import BatchableExtensionType
from ..math.cast import cast
from ..ragged.ragged_shape import DynamicRaggedShape
from ..ragged.row_partition import RowPartition

_NAME: Final = re.compile(r"[a-zA-Z][a-zA-Z0-9_]*\Z")


def checked_shape(given: Any) -> TensorShape:
    """The shape of records that users tell.

    Raises:
        ValueError: its rank is unknown.
    """
    found = TensorShape(given)
    if found.rank is None:
        raise ValueError("StructuredTensor's shape must have known rank.")
    return found


def is_structured(value: Any) -> bool:
    """Whether a field holds records."""
    return isinstance(value, BatchableExtensionType) and "_ragged_shape" in vars(value)


def converted(fields: Any) -> dict[str, Any]:
    """The fields as tensors.

    Raises:
        TypeError: they are no mapping, a name is no text, or a value is no tensor.
        ValueError: a name is not allowed.
    """
    if not isinstance(fields, Mapping):
        raise TypeError(f"fields must be a dictionary, got {type(fields).__name__}")
    for name in fields:
        if not isinstance(name, str):
            raise TypeError(f"Unexpected type for key in `fields`: {name!r}; names are text")
        if not _NAME.match(name):
            raise ValueError(
                f"Field name {name!r} is not currently allowed: names are letters, digits and "
                "underscores, and begin with a letter"
            )
    return {name: as_field(value) for name, value in fields.items()}


def as_field(value: Any) -> Any:
    """A value that is not composite as a tensor."""
    kept = isinstance(value, RaggedBase) or is_structured(value)
    return value if kept else as_tensor(value)


def require_shape(fields: Mapping[str, Any], known: TensorShape) -> None:
    """Refuse fields whose first axes have other sizes.

    Raises:
        ValueError: one has.
    """
    rank = known.rank or 0
    for value in fields.values():
        found = value.shape
        if found.rank is not None and found.rank < rank and rank > 1:
            raise ValueError(f"the records have {rank} axes, but a field only has {found.rank}")
        if found.rank is not None:
            known.assert_is_compatible_with(found[:rank])


def shape_of(
    fields: Mapping[str, Any], known: TensorShape, nrows: Any, rows: Any, validate: bool
) -> DynamicRaggedShape:
    """The shape of records of these fields.

    Raises:
        ValueError: the fields do not agree, or nobody tells the shape.
    """
    rank = known.rank or 0
    if rows is not None and len(rows) != max(rank - 1, 0):
        raise ValueError(f"len(row_partitions) must be shape.rank-1: {len(rows)} of {rank} axes")
    if rank == 0:
        return DynamicRaggedShape((), np.zeros([0], np.int64))
    if rank == 1:
        return _one_axis(fields, known, nrows, validate)
    found = None if rows is None else list(rows)
    for name, value in fields.items():
        found = _agreed(found, partitions_of(value, rank - 1), name, validate)
    if found is None:
        if not known.is_fully_defined():
            raise ValueError(
                "Must specify row_partitions, a fully specified shape, or have fields if rank > 1"
            )
        return in_rows(DynamicRaggedShape((), known.as_list()))
    kind = found[0].dtype if len({one.dtype for one in found}) == 1 else dtypes.int64
    found = [one.with_dtype(kind) for one in found]
    count, values = reshape(found[-1].nvals(), [1]), found[-1].static_nvals
    return DynamicRaggedShape(found, count, kind, static_inner_shape=[values])


def _one_axis(
    fields: Mapping[str, Any], known: TensorShape, nrows: Any, validate: bool
) -> DynamicRaggedShape:
    size = known[0]
    for name, value in fields.items():
        found = value.shape[0]
        if None not in (size, found) and size != found:
            raise ValueError(f"Error in shape of {name}: {found} records, but others have {size}")
        size = found if size is None else size
    told = None if nrows is None else as_tensor(nrows, None, dtypes.int64)
    kind = dtypes.int64 if told is None else told.dtype
    if size is not None:
        return DynamicRaggedShape((), [size], kind)
    counts = [_rows_in(value) for value in fields.values()]
    if told is None and not counts:
        raise ValueError(
            "Must specify `nrows`, a fully specified `shape`, or have `fields` if `rank=1`"
        )
    if told is None:
        told, kind = counts[0], counts[0].dtype
    for one in counts if validate else ():
        assert_equal(cast(one, kind), told, "all fields must have as many rows")
    return DynamicRaggedShape((), reshape(told, [1]), kind)


def _rows_in(value: Any) -> Any:
    if hasattr(value, "nrows"):
        return value.nrows()
    return shape(value, dtypes.int64)[0]


def partitions_of(value: Any, count: int) -> list[RowPartition]:
    """The rows of the first axes that a field has after its first.

    Raises:
        ValueError: it has not as many.
    """
    if is_structured(value):
        if value.rank <= count:
            raise ValueError(f"a field has {value.rank} axes, its records have {count + 1}")
        return list(value.row_partitions[:count])
    if not isinstance(value, RaggedBase):
        return _uniform(value, count)
    ragged: Any = value
    rows = RowPartition(ragged.row_splits, ragged.uniform_row_length)
    return [rows, *(partitions_of(ragged.values, count - 1) if count > 1 else ())]


def _uniform(tensor: Any, count: int) -> list[RowPartition]:
    sizes, known = shape(tensor, dtypes.int64), tensor.shape
    if known.rank is not None and known.rank <= count:
        raise ValueError(f"num_row_partitions must be less than rank: {count} of {known.rank} axes")
    found: list[RowPartition] = []
    rows: Any = sizes[0] if known[0] is None else known[0]
    for axis in range(1, count + 1):
        length = sizes[axis] if known[axis] is None else known[axis]
        found.append(RowPartition.from_uniform_row_length(length, nrows=rows))
        rows = rows * length
    return found


def in_rows(shape: DynamicRaggedShape) -> DynamicRaggedShape:
    """The same shape with rows for all axes after the first."""
    if shape.rank is not None and shape.num_row_partitions >= shape.rank - 1:
        return shape
    rows = list(shape.row_partitions)
    count = rows[-1].nvals() if rows else shape.inner_shape[0]
    for axis in range(1, shape.inner_rank or 0):
        length = shape.inner_shape[axis]
        rows.append(RowPartition.from_uniform_row_length(length, nrows=count, dtype=shape.dtype))
        count = count * length
    return DynamicRaggedShape(rows, reshape(count, [1]), shape.dtype)


def _agreed(
    mine: list[RowPartition] | None, theirs: list[RowPartition], name: str, validate: bool
) -> list[RowPartition]:
    if mine is None:
        return theirs
    kept: list[RowPartition] = []
    for one, other in zip(mine, theirs, strict=True):
        if differ(one, other):
            raise ValueError(f"Error in shape of {name}: its rows are {other}, others' are {one}")
        if validate and None in (static_value(one.row_splits()), static_value(other.row_splits())):
            splits = cast(other.row_splits(), one.dtype)
            assert_equal(one.row_splits(), splits, "all fields must have the same rows")
        better = other if other.is_uniform() and not one.is_uniform() else one
        kept.append(better if one.dtype == other.dtype else better.with_dtype(dtypes.int64))
    return kept


def differ(one: RowPartition, other: RowPartition) -> bool:
    """Whether it is known that these are not the same rows."""
    left, right = static_value(one.row_splits()), static_value(other.row_splits())
    if left is not None and right is not None:
        return not np.array_equal(left, right)
    pairs = (
        (one.static_nrows, other.static_nrows),
        (one.static_nvals, other.static_nvals),
        (one.static_uniform_row_length, other.static_uniform_row_length),
    )
    return any(None not in pair and pair[0] != pair[1] for pair in pairs)
