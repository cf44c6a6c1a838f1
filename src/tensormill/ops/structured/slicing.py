"""Some of the records: rows, columns, fields."""

from __future__ import annotations

from typing import Any

from ..ragged.ragged_shape import DynamicRaggedShape
from .fields import in_rows


def part_of(records: Any, key: Any) -> Any:
    """The records, or the field of them, that `key` asks for."""
    keys = list(key) if isinstance(key, list | tuple) else [key]
    rank = records.rank
    if rank == 0:
        return _of_one(records, keys)
    if len(keys) > rank:
        _require_name(keys[rank])
    for one in keys[:rank]:
        if one is None or one is Ellipsis:
            name = "tf.newaxis" if one is None else "Ellipsis"
            raise ValueError(f"Slicing not supported for {name}: name an index or a slice per axis")
        if isinstance(one, str):
            raise TypeError(
                f"Only integers, slices and scalar tensors are valid indices of the {rank} axes of "
                f"a StructuredTensor, got {one!r}; use field_value({one!r})"
            )
    if len(keys) > rank:
        value, axes = records.field_value(keys[rank]), [*keys[:rank], *keys[rank + 1 :]]
        return value[tuple(axes)]
    fields = {name: value[tuple(keys)] for name, value in records._values.items()}
    return type(records)(fields, _shape_of(records, keys))


def _shape_of(records: Any, keys: list[Any]) -> DynamicRaggedShape:
    left: Any = records._rows_of_zeros()[tuple(keys)]
    return in_rows(DynamicRaggedShape.from_tensor(left, records._ragged_shape.dtype))


def _of_one(records: Any, keys: list[Any]) -> Any:
    if not keys:
        return records
    first, *rest = keys
    if first == slice(None):
        return records[tuple(rest)] if not rest else _refuse(rest[0])
    _require_name(first)
    value = records.field_value(first)
    return value[tuple(rest)] if rest else value


def _refuse(key: Any) -> Any:
    kind = TypeError if isinstance(key, str) else ValueError
    raise kind(f"a StructuredTensor of one record has no axes: {key!r} is no valid index")


def _require_name(key: Any) -> None:
    if not isinstance(key, str):
        raise ValueError(
            "Key for indexing a StructuredTensor must be a string or a full slice (':') where all "
            f"axes are indexed, got {key!r}"
        )
