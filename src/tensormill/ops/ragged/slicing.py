"""`ragged[...]`: a row for an integer, some rows for a slice; what follows is for each row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core import context
from ...errors import RowIndexError, RowKeyError
from ..array.concatenation import concat
from ..array.fill import range as numbers_from
from ..array.gather import gather
from ..array.rearrangement import repeat
from ..array.select import where
from ..array.shapes import shape as sizes_of
from ..checks.assertions import Assert
from ..conversion import as_tensor, static_int
from ..dispatch.meanings import dispatchable
from ..math.arithmetic import maximum, minimum
from ..math.cast import cast
from ..math.reduce import reduce_sum
from ..math.scan import cumsum
from .ragged_tensor import RaggedTensor

WHOLE = slice(None)


@dispatchable
def part_of(ragged: RaggedTensor, key: Any) -> Any:
    """`ragged[key]`.

    Raises:
        RowIndexError: (an IndexError) there is no such row.
        ValueError: an integer for an axis whose size differs from row to row, two `...`, or a
            step that is no int other than 0.
    """
    keys = list(key) if isinstance(key, tuple) else [key]
    return _rows(ragged, _without_ellipsis(keys, ragged))


def _without_ellipsis(keys: list[Any], ragged: RaggedTensor) -> list[Any]:
    places = [place for place, one in enumerate(keys) if one is ...]
    if not places:
        return keys
    if len(places) > 1:
        raise ValueError("an index can have only one ellipsis ('...')")
    rank = ragged.shape.rank
    if rank is None:
        raise ValueError("an index with '...' needs a ragged tensor of known rank")
    missing = rank - sum(one is not None for one in keys) + 1
    return [*keys[: places[0]], *[WHOLE] * missing, *keys[places[0] + 1 :]]


def _rows(ragged: RaggedTensor, keys: Sequence[Any]) -> Any:
    if not keys:
        return ragged
    first, *rest = keys
    if first is None:
        whole = _rows(ragged, rest)
        count = _count(whole, ragged.row_splits.dtype)
        return RaggedTensor(whole, _ends_of(count[None]), count)
    if not isinstance(first, slice):
        _require_row(ragged, first)
    begins, ends = ragged.row_splits[:-1][first], ragged.row_splits[1:][first]
    if not isinstance(first, slice):
        row = ragged.values[begins:ends]
        return row[tuple(rest)] if rest else row
    if first.step in (None, 1):
        # Where there are no rows, the sums of none are 0: values[0:0], and the splits [0].
        start, end = reduce_sum(begins[:1]), reduce_sum(ends[-1:])
        splits = concat([[start], ends], 0) - start
        rows = RaggedTensor(ragged.values[start:end], splits, ragged.uniform_row_length)
        return _each(rows, rest)
    length = ragged.uniform_row_length
    return _each(_pieces(ragged.values, begins, ends - begins, length), rest)


def _require_row(ragged: RaggedTensor, index: Any) -> None:
    """Refuse a number that no row has, where nothing is traced.

    Raises:
        RowIndexError (InvalidArgumentError, IndexError): there is no such row.
    """
    if context.building_graph():
        return
    (ends,) = ragged.row_splits.shape.entries
    number, count = index if type(index) is int else static_int(index), ends - 1
    if number is not None and not -count <= number < count:
        error = RowKeyError if number > 0 else RowIndexError
        raise error(f"Row key {number} is out of bounds: there are {count} ragged rows")


def _each(ragged: RaggedTensor, keys: Sequence[Any]) -> Any:
    """`row[keys]` for each row."""
    if not keys:
        return ragged
    first, *rest = keys
    if first is None:
        rows = _each(ragged, rest)
        kind = ragged.row_splits.dtype
        return RaggedTensor(rows, numbers_from(_count(rows, kind) + 1), as_tensor(1, kind))
    if not isinstance(first, slice) and ragged.uniform_row_length is not None:
        column = _column(ragged, first)
        return column[(WHOLE, *rest)] if rest else column
    if not isinstance(first, slice):
        raise ValueError(
            "Cannot index into an inner ragged dimension: its size differs from row to row. Take "
            f"a slice, or a row first; the index was {first!r}"
        )
    cut = ragged if first == WHOLE else _cut(ragged, first)
    values = cut.values
    if not rest:
        return cut
    if isinstance(values, RaggedTensor):
        return cut.with_values(_each(values, rest))
    return cut.with_values(values[(WHOLE, *rest)])


def _column(ragged: RaggedTensor, place: Any) -> Any:
    """The element at one place of every row; all rows are as long.

    Raises:
        InvalidArgumentError: it is beyond their end.
    """
    length = ragged.uniform_row_length
    wanted = cast(as_tensor(place), length.dtype)
    found = where(wanted < 0, wanted + length, wanted)
    message = "Index out of bounds when indexing into a ragged tensor: "
    Assert((found >= 0) & (found < length), [message, wanted])
    return _taken(ragged.values, ragged.row_splits[:-1] + found)


def _cut(ragged: RaggedTensor, part: slice) -> RaggedTensor:
    """`row[part]` for each row, by the rules of Python's slices."""
    step = 1 if part.step is None else part.step
    if not isinstance(step, int) or step == 0:
        raise ValueError(f"the step of a slice must be an int other than 0, not {step!r}")
    starts, counts = _span(ragged.row_lengths(), part, step)
    length = ragged.uniform_row_length
    if length is not None:
        length = _span(length, part, step)[1]
    return _pieces(ragged.values, ragged.row_splits[:-1] + starts, counts, length, step)


def _span(lengths: Any, part: slice, step: int) -> tuple[Any, Any]:
    """Where the slice begins in rows of these lengths, and how many elements it has."""
    # The places that a slice may begin and end at.
    lowest, highest = (0, lengths) if step > 0 else (-1, lengths - 1)
    start = _place(part.start, lengths, lowest, highest, lowest if step > 0 else highest)
    stop = _place(part.stop, lengths, lowest, highest, highest if step > 0 else lowest)
    distance = stop - start if step > 0 else start - stop
    return start, maximum((distance + (abs(step) - 1)) // abs(step), 0)


def _place(place: Any, lengths: Any, lowest: Any, highest: Any, default: Any) -> Any:
    if place is None:
        return default + lengths * 0
    wanted = cast(as_tensor(place), lengths.dtype)
    from_end = cast(wanted < 0, lengths.dtype) * lengths
    return minimum(maximum(wanted + from_end, lowest), highest)


def _pieces(
    values: Any, begins: Any, counts: Any, uniform: Any = None, step: int = 1
) -> RaggedTensor:
    """Row k is the `counts[k]` values from `begins[k]` on, `step` apart; `uniform`: all counts."""
    splits = _ends_of(counts)
    row = repeat(numbers_from(_count(counts, counts.dtype)), counts)
    place = numbers_from(splits[-1]) - gather(splits, row)
    return RaggedTensor(_taken(values, gather(begins, row) + place * step), splits, uniform)


def _taken(values: Any, places: Any) -> Any:
    if not isinstance(values, RaggedTensor):
        return gather(values, places)
    begins, lengths = values.row_splits[:-1], values.row_lengths()
    chosen = gather(begins, places), gather(lengths, places)
    return _pieces(values.values, *chosen, values.uniform_row_length)


def _ends_of(counts: Any) -> Any:
    return concat([[0], cumsum(counts)], 0)


def _count(values: Any, dtype: Any) -> Any:
    if isinstance(values, RaggedTensor):
        return values.nrows(dtype)
    return sizes_of(values, dtype)[0]
