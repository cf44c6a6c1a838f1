"""Ragged and plain tensors of different shapes brought to one shape, by NumPy's rules.

Axis by axis, from the outermost in, every operand keeps which place of its own each place of the
result comes from. Rows that differ in length must be the same in all operands that have them; an
axis of size 1 is repeated, along such rows, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import compress
from typing import Any

from ...core.process.lazy_property import lazy_property
from ...errors import InvalidArgumentError
from ..array.concatenation import concat, stack
from ..array.fill import range as numbers_from
from ..array.fill import zeros_like
from ..array.gather import gather
from ..array.rearrangement import repeat
from ..array.select import where
from ..array.shapes import shape as sizes_of
from ..checks.assertions import require_equal
from ..conversion import as_tensor, static_int, static_value
from ..math.scan import cumsum
from .checks import one_splits_dtype
from .merged_axes import flat_axes
from .ragged_tensor import RaggedTensor

DIFFERENT = "Unable to broadcast: rows are of other lengths, or an axis has another size: "

# Where the places of the result come from, if not from places that a tensor tells.
FIRST = "the first place, all of them"
SAME = "the same place, each of them"


class Operand:
    """A tensor on its way: its places for those of the result, and how many axes it lacks."""

    def __init__(self, value: Any, lead: int) -> None:
        self.value = value
        self.lead = lead
        self.at: Any = FIRST
        self.rows: list[RaggedTensor] = []
        while isinstance(value, RaggedTensor):
            self.rows.append(value)
            value = value.values
        self.flat = value

    @property
    def is_rigid(self) -> bool:
        """Whether it has rows that differ in length, which are never repeated."""
        return any(one.uniform_row_length is None for one in self.rows)

    def row_splits(self, axis: int) -> Any:
        """Those of an axis whose rows differ in length, else None."""
        own = axis - self.lead
        is_ragged = 1 <= own <= len(self.rows) and self.rows[own - 1].uniform_row_length is None
        return self.rows[own - 1].row_splits if is_ragged else None

    def size(self, axis: int, kind: Any) -> Any:
        """The size of an axis whose rows are of one length."""
        own = axis - self.lead
        if own < 0:
            return as_tensor(1, kind)
        if (known := self.value.shape[own]) is not None:
            return as_tensor(known, kind)
        if own == 0 and self.rows:
            return self.rows[0].nrows(kind)
        if 1 <= own <= len(self.rows):
            return self.rows[own - 1].uniform_row_length
        return sizes_of(self.flat, kind)[own - len(self.rows)]

    def of(self, row: Any) -> Any:
        """The places that the rows come from."""
        if isinstance(self.at, str):
            return row if self.at is SAME else zeros_like(row)
        return gather(self.at, row)

    def moved(self, axes: int) -> Any:
        """The elements at the places of the result."""
        inner = axes - self.lead - len(self.rows)
        values = flat_axes(self.flat, 0, inner) if inner else self.flat
        return values if isinstance(self.at, str) else gather(values, self.at)


class Rows:
    """An axis of the result: where rows begin and end, and their length if they have one."""

    def __init__(self, splits: Any, length: Any = None) -> None:
        self.splits = splits
        self.length = length
        self.lengths = splits[1:] - splits[:-1]

    @lazy_property
    def row(self) -> Any:
        """The row of each place."""
        count = sizes_of(self.lengths, self.splits.dtype)[0]
        return repeat(numbers_from(count), self.lengths)

    @lazy_property
    def place(self) -> Any:
        """How far from the beginning of its row each place is."""
        return numbers_from(self.splits[-1]) - gather(self.splits, self.row)


def together(values: Sequence[Any]) -> tuple[list[Any], list[Rows]]:
    """The flat values of operands at the places of the result, and the rows of that.

    What has none of the axes that are rows stays as it is: a dense function repeats it.

    Raises:
        InvalidArgumentError: the shapes do not go together; graphs raise it when they run.
        ValueError: a rank is not known, or row splits have different dtypes.
    """
    ragged = [one for one in values if isinstance(one, RaggedTensor)]
    kind = one_splits_dtype(ragged)
    rank = max(map(_rank, values))
    axes = max(rank - _rank(one) + one.ragged_rank for one in ragged)
    operands = [Operand(one, rank - _rank(one)) for one in values]
    moving = [one for one in operands if one.lead <= axes]
    rows = list(_matched(moving, axes, kind))
    return [one.moved(axes) if one.lead <= axes else one.value for one in operands], rows


def with_rows(values: Any, rows: Sequence[Rows]) -> Any:
    """`values` in rows, the outermost axis first."""
    for one in reversed(rows):
        values = RaggedTensor(values, one.splits, one.length)
    return values


def _rank(value: Any) -> int:
    rank = value.shape.rank
    if rank is None:
        raise ValueError("ragged rows and a tensor need known ranks to be combined")
    return rank


def _matched(operands: Sequence[Operand], axes: int, kind: Any) -> Iterator[Rows]:
    """The axes of the result that are rows, after each of which all operands have moved."""
    sizes = [one.size(0, kind) for one in operands]
    rigid = [one.is_rigid and not one.lead for one in operands]
    count = reduce(_common, compress(sizes, rigid) if any(rigid) else sizes)
    outermost = Rows(stack([0 * count, count]), count)
    for operand, size, is_rigid in zip(operands, sizes, rigid, strict=True):
        if is_rigid:
            _require(size, count)
            operand.at = SAME
        else:
            _move_uniform(operand, size, outermost, is_outermost=True)
    for axis in range(1, axes + 1):
        rows = _next_rows(operands, axis, count, kind)
        count = rows.splits[-1]
        yield rows


def _next_rows(operands: Sequence[Operand], axis: int, count: Any, kind: Any) -> Rows:
    splits = [one.row_splits(axis) for one in operands]
    ragged = [one for one, own in zip(operands, splits, strict=True) if own is not None]
    sizes = [
        one.size(axis, kind) if own is None else None
        for one, own in zip(operands, splits, strict=True)
    ]
    if ragged:
        rows = _rows_like(ragged[0], axis, count)
    else:
        length = reduce(_common, sizes)
        rows = Rows(numbers_from(count + 1) * length, length)
    for operand, own, size in zip(operands, splits, sizes, strict=True):
        if own is None:
            _move_uniform(operand, size, rows)
        else:
            _move_ragged(operand, own, rows)
    return rows


def _rows_like(operand: Operand, axis: int, count: Any) -> Rows:
    """The rows that differ in length, at the places that the operand has come to."""
    splits = operand.row_splits(axis)
    if operand.at is SAME:
        return Rows(splits)
    lengths = gather(splits[1:] - splits[:-1], operand.of(numbers_from(count)))
    return Rows(concat([[0], cumsum(lengths)], 0))


def _move_ragged(operand: Operand, splits: Any, rows: Rows) -> None:
    if operand.at is SAME:
        if splits is not rows.splits:
            _require(splits, rows.splits)
        return
    count = sizes_of(rows.lengths, splits.dtype)[0]
    _require(gather(splits[1:] - splits[:-1], operand.of(numbers_from(count))), rows.lengths)
    operand.at = gather(splits, operand.of(rows.row)) + rows.place


def _move_uniform(operand: Operand, size: Any, rows: Rows, is_outermost: bool = False) -> None:
    known, is_same = static_int(size), is_outermost or operand.at is SAME
    if known == 1 and (rows.length is None or static_int(rows.length) != 1):
        operand.at = FIRST if operand.at is FIRST else operand.of(rows.row)
        return
    fits = size is rows.length
    if not fits and known is not None:
        _require(rows.lengths, size)
        fits = True
    if fits and is_same:
        operand.at = SAME
        return
    place = rows.place
    if not fits:
        require_equal((size == 1) | (rows.lengths == size), True, DIFFERENT)
        place = where(size == 1, zeros_like(place), place)
    operand.at = operand.of(rows.row) * size + place


def _common(one: Any, other: Any) -> Any:
    """The size that both have, or can be repeated to."""
    left, right = static_int(one), static_int(other)
    if one is other or right == 1 or (left is not None and left != 1):
        return one
    return other if left == 1 or right is not None else where(one == 1, other, one)


def _require(one: Any, other: Any) -> None:
    left, right = static_value(one), static_value(other)
    if left is None or right is None:
        require_equal(one, other, DIFFERENT)
    elif (left.shape != right.shape and right.shape) or (left != right).any():
        raise InvalidArgumentError(f"{DIFFERENT}{left.tolist()} and {right.tolist()}")
