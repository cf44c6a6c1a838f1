"""Rows of a table that is in several parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...eager.convert import constant
from ...eager.scopes import name_scope
from ...ops.array.concatenation import concat
from ...ops.array.distinct import unique
from ...ops.array.fill import range as numbers
from ...ops.array.partitions import dynamic_partition, dynamic_stitch
from ...ops.array.select import where
from ...ops.array.shapes import reshape, shape, size
from ...ops.conversion import as_tensor
from ...ops.math.arithmetic import maximum
from ...ops.math.cast import cast
from ...ops.nn import losses as weighted


def rows_of_parts(
    parts: Sequence[Any], ids: Any, strategy: str, max_norm: Any = None, name: str | None = None
) -> Any:
    """The rows `ids` [...] of a table: [..., columns]. A part gets the ids that are its own, so its
    gradient has those rows.

    Raises:
        ValueError: there is no such strategy.
    """
    with name_scope(name or "embedding_lookup"):
        wanted = as_tensor(ids)
        flat = reshape(wanted, [-1])
        part, row = _places(parts, flat, strategy)
        rows = dynamic_partition(row, part, len(parts))
        places = dynamic_partition(numbers(size(flat)), part, len(parts))
        found = [
            weighted.embedding_lookup(one, own, max_norm)
            for one, own in zip(parts, rows, strict=True)
        ]
        stitched = dynamic_stitch(places, found)
        return reshape(stitched, concat([shape(wanted), shape(stitched)[1:]], 0))


def rows_named(
    parts: Sequence[Any], ids: Any, strategy: str, default_id: int | None = None
) -> tuple[Any, Any]:
    """The rows of a table that ids name, sparse or ragged ones, and these ids as numbers of rows.

    Ids below 0, which some take for none, stay so. The first row is that of `default_id`.
    """
    different, numbered = unique(ids.values)
    extra = constant([default_id or 0], different.dtype)
    rows = rows_of_parts(parts, concat([extra, maximum(different, 0)], 0), strategy)
    numbered = where(ids.values < 0, -1, cast(numbered, "int32") + 1)
    return rows, ids.with_values(cast(numbered, ids.dtype))


def _places(parts: Sequence[Any], ids: Any, strategy: str) -> tuple[Any, Any]:
    """The part of each id, and the row in it."""
    count = len(parts)
    if strategy == "mod":
        return cast(ids % count, "int32"), ids // count
    if strategy != "div":
        raise ValueError(f"partition_strategy must be one of 'mod' or 'div', got {strategy!r}")
    total = sum(_rows_of(one, ids.dtype) for one in parts)
    least, more = total // count, total % count
    part = maximum(ids // (least + 1), (ids - more) // least)
    row = where(part < more, ids % (least + 1), (ids - more) % least)
    return cast(part, "int32"), row


def _rows_of(part: Any, dtype: Any) -> Any:
    known = part.shape[0]
    return cast(shape(part)[0], dtype) if known is None else known
