"""Rows of tables, which may be in several parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...core.values import PartitionedBase
from ..array.concatenation import concat
from ..array.distinct import unique
from ..array.fill import range as numbers
from ..array.gather import gather
from ..array.partitions import dynamic_partition, dynamic_stitch
from ..array.select import where
from ..array.shapes import rank, reshape, shape, size
from ..composed import composed
from ..control.flow import identity
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from ..math.arithmetic import maximum
from ..math.cast import cast
from ..math.norms import clip_by_norm

if TYPE_CHECKING:
    from ..results import Tensor


@dispatchable
@composed("embedding_lookup", names_result=True)
def embedding_lookup(
    params: Any, ids: Any, max_norm: Any = None, name: str | None = None
) -> Tensor:
    """The rows of `params` that `ids` name, clipped to the norm `max_norm` where that is given.

    params: [n, *rest], any dtype (floats with `max_norm`); or a list of its parts (or a variable in
    parts), which follow each other, the first of them with a row more where their number does not
    divide n. ids: int32 or int64 [*s], or ragged. The result has the shape [*s, *rest]; of ragged
    ids it is ragged.

    >>> table = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    >>> tf.nn.embedding_lookup(table, [1, 0, 1]).numpy()
    array([[3., 4.],
           [1., 2.],
           [3., 4.]], dtype=float32)
    >>> tf.nn.embedding_lookup(table, [1], max_norm=2.5).numpy()
    array([[1.5, 2. ]], dtype=float32)

    Raises:
        ValueError: there is no table.
        InvalidArgumentError: an id is outside of [0, n).
    """
    params = parts_of_table(params)
    if params is None or (isinstance(params, (list, tuple)) and not params):
        raise ValueError(f"params: a table is wanted, got {params!r}")
    if isinstance(params, list) and len(params) == 1:
        (params,) = params
    if hasattr(ids, "with_flat_values"):  # ragged ids give ragged rows
        return ids.with_flat_values(embedding_lookup(params, ids.flat_values, max_norm, name))
    if isinstance(params, list):
        return _rows_of_parts(params, ids, "div", max_norm)
    rows = gather(params, ids, name=name)
    if max_norm is None:
        return identity(rows)
    outer, inner = as_tensor(ids).shape.rank, rows.shape.rank
    if outer is None or inner is None:
        return clip_by_norm(rows, max_norm, axes=numbers(rank(ids), rank(rows)))
    return clip_by_norm(rows, max_norm, axes=list(range(outer, inner)))


def parts_of_table(table: Any) -> Any:
    """The parts of a table that is a variable in parts, a list; what else there is as it is."""
    return list(table) if isinstance(table, PartitionedBase) else table


@composed("embedding_lookup")
def rows_of_parts(
    parts: Sequence[Any], ids: Any, strategy: str, max_norm: Any = None, name: str | None = None
) -> Any:
    """The rows `ids` [...] of a table: [..., columns]. A part gets the ids that are its own, so its
    gradient has those rows.

    Raises:
        ValueError: there is no such strategy.
    """
    return _rows_of_parts(parts, ids, strategy, max_norm)


def _rows_of_parts(parts: Sequence[Any], ids: Any, strategy: str, max_norm: Any) -> Any:
    parts = [one if hasattr(one, "shape") else as_tensor(one) for one in parts]
    if len(parts) == 1:
        return embedding_lookup(parts[0], ids, max_norm)
    wanted = as_tensor(ids)
    flat = reshape(wanted, [-1])
    part, row = _places(parts, flat, strategy)
    rows = dynamic_partition(row, part, len(parts))
    places = dynamic_partition(numbers(size(flat)), part, len(parts))
    found = [embedding_lookup(one, own, max_norm) for one, own in zip(parts, rows, strict=True)]
    stitched = dynamic_stitch(places, found)
    return reshape(stitched, concat([shape(wanted), shape(stitched)[1:]], 0))


def rows_named(
    parts: Sequence[Any], ids: Any, strategy: str, default_id: int | None = None
) -> tuple[Any, Any]:
    """The rows of a table that ids name, sparse or ragged ones, and these ids as numbers of rows.

    Ids below 0, which some take for none, stay so. The first row is that of `default_id`.
    """
    different, numbered = unique(ids.values)
    extra = as_tensor([default_id or 0], different.dtype)
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
