"""What depends on values: the places where something holds, the first numbers that are good."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...core import dtypes
from ...core.dtypes import DType
from ..loops.ir import Address, Allocate, Bind, Buffer, For, Literal, Set, Statement
from .arrays import Array, Size
from .blocks import Blocks
from .emitter import Emitter
from .reductions import reduce
from .scalars import SCALARS, Scalar, literal
from .sorting import run_while


def places(builder: Emitter, condition: Array) -> Array:
    """The indices of the true elements of a bool array, in row-major order: int64 [n, rank].

    They are counted first, so that only as much memory is taken as they need.
    """
    if condition.element is not None and condition.cost > 0:
        builder.force(condition)
    blocks, shape = builder.blocks, condition.shape

    def one(_: Any, index: Any) -> Scalar:
        return SCALARS.cast(condition[index], dtypes.int64)

    count = reduce(builder, "sum", (), shape, dtypes.int64, one)[()]
    # Every element is stored where the next true one goes, so that there is no branch to guess
    # wrong; what the last ones leave behind the end is in a row of its own.
    buffer = blocks.temporary(dtypes.int64, (count + 1, len(shape)), "places")
    blocks.emit(Allocate(buffer))
    found = blocks.register("found", dtypes.int64, literal(0, dtypes.int64))
    place = Scalar(found, dtypes.int64)

    def body(*index: Any) -> None:
        for axis, here in enumerate(index):
            builder.store(buffer, (place, axis), here)
        blocks.emit(Set(found, blocks.named(place + one((), index))))

    builder.nest(shape, body, parallel=False)
    rows = blocks.pointed(dtypes.int64, (count, len(shape)), "places")
    blocks.emit(Bind(rows, Address(buffer)))
    return builder.stored(rows, dtypes.int64, (count, len(shape)))


def accepted(
    builder: Emitter,
    rows: Size,
    width: int,
    dtype: DType,
    candidates: Callable[[Scalar, Scalar], Sequence[tuple[Scalar, Scalar]]],
) -> Array:
    """For every row the first `width` good ones of its candidates.

    Each is stored where the next good one goes, so that there is no branch to guess wrong; behind
    the last place there is one more, for what comes too late.
    """
    blocks, full = builder.blocks, literal(width, dtypes.int64)
    buffer = blocks.temporary(dtype, (rows, width + 1), "accepted")
    blocks.emit(Allocate(buffer))

    def one(row: Scalar) -> None:
        registers = [blocks.register(name, dtypes.int64, literal(0, dtypes.int64))
                     for name in ("found", "step")]  # fmt: skip
        found, step = (Scalar(register, dtypes.int64) for register in registers)
        with blocks.block() as trying:
            place = blocks.let(found)
            for number, is_good in candidates(row, blocks.let(step)):
                builder.store(buffer, (row, place), number)
                counts = SCALARS.cast(is_good & (place < full), dtypes.int64)
                place = blocks.let(place + counts)
            blocks.emit(Set(registers[0], blocks.named(place)))
            blocks.emit(Set(registers[1], blocks.named(step + 1)))
        run_while(builder, lambda: found < full, trying)

    builder.nest((rows,), one)
    return builder.stored(buffer, dtype, (rows, width + 1))


def chosen(
    builder: Emitter,
    scores: Array,
    limit: Size,
    conflict: Callable[[Sequence[Any], Scalar, Scalar], Scalar],
) -> tuple[Array, Array]:
    """For every row of scores, in their order, the places that no better one chosen excludes.

    Mostly few are taken of many: a heap needs not sort the rest.
    """
    builder.force(scores)
    rows = scores.shape[:-1]
    # There is a place more, which exists where none is wanted.
    places, places_buffer = memory(builder, (*rows, limit + 1))
    counts, counts_buffer = memory(builder, rows)
    heaps, _ = memory(builder, scores.shape)

    def row(*outer: Any) -> None:
        heap = Heap(builder, scores, heaps, outer)

        def is_free(other: Scalar, found: Scalar, one: Scalar) -> Scalar:
            before = builder.blocks.let(places[(*outer, other)])
            return (other < found) & SCALARS.logical_not(conflict(outer, one, before))

        def next_one(other: Scalar, found: Scalar, one: Scalar) -> tuple[Scalar, ...]:
            return other + 1, found, one

        def are_wanted(size: Scalar, found: Scalar) -> Scalar:
            return (size > 0) & (found < limit)

        def take(size: Scalar, found: Scalar) -> tuple[Scalar, Scalar]:
            one = builder.blocks.let(heap.first())
            builder.store(places_buffer, (*outer, found), one)
            other, *_ = repeat(builder, (_ZERO, found, one), is_free, next_one)
            left = heap.after_look(size, one, literal(True, dtypes.bool_))
            return left, found + SCALARS.cast(other == found, dtypes.int64)

        _, found = repeat(builder, (heap.size, _ZERO), are_wanted, take)
        builder.store(counts_buffer, outer, found)

    builder.nest(rows, row)
    return places, counts


class Heap:
    """The places of one row of scores above minus infinity, the best one first: the higher score,
    of equal ones the lower place.
    """

    def __init__(self, builder: Emitter, scores: Array, heaps: Array, outer: Sequence[Any]) -> None:
        self.builder, self.scores, self.outer = builder, scores, outer
        self.heaps, self.buffer = heaps, builder.force(heaps)
        lowest = literal(float("-inf"), scores.dtype)
        size = builder.blocks.register("heaped", dtypes.int64, _ZERO)
        counted = Scalar(size, dtypes.int64)

        def add(place: Scalar) -> None:
            builder.store(self.buffer, (*outer, counted), place)
            is_there = SCALARS.cast(scores[(*outer, place)] > lowest, dtypes.int64)
            builder.blocks.emit(Set(size, builder.blocks.named(counted + is_there)))

        def settle(hole: Scalar) -> tuple[Scalar]:
            self.sink(hole, builder.blocks.let(heaps[(*outer, hole)]), self.size)
            return (hole - 1,)

        def is_parent(hole: Scalar) -> Scalar:
            return hole >= 0

        builder.each(scores.shape[-1], add)
        self.size = builder.blocks.let(counted)
        repeat(builder, (self.size // 2 - 1,), is_parent, settle)

    def precedes(self, one: Scalar, other: Scalar) -> Scalar:
        score, against = self.scores[(*self.outer, one)], self.scores[(*self.outer, other)]
        return (score > against) | ((score == against) & (one < other))

    def sink(self, hole: Scalar, value: Scalar, size: Scalar) -> None:
        """Put `value` where it belongs, below a hole in the heap."""
        last = SCALARS.maximum(size - 1, _ZERO)

        def at(place: Scalar) -> Scalar:
            return self.heaps[(*self.outer, SCALARS.minimum(place, last))]

        def better_child(hole: Scalar) -> Scalar:
            """The child that belongs above the value; -1: there is none."""
            left, right = hole * 2 + 1, hole * 2 + 2
            is_right = (right < size) & self.precedes(at(right), at(left))
            child = self.builder.blocks.let(SCALARS.where(is_right, right, left))
            rises = (left < size) & self.precedes(at(child), value)
            return SCALARS.where(rises, child, _ZERO - 1)

        def rise(hole: Scalar, child: Scalar) -> tuple[Scalar, Scalar]:
            self.builder.store(self.buffer, (*self.outer, hole), at(child))
            return child, better_child(child)

        def is_there(_: Scalar, child: Scalar) -> Scalar:
            return child >= 0

        hole, _ = repeat(self.builder, (hole, better_child(hole)), is_there, rise)
        self.builder.store(self.buffer, (*self.outer, hole), value)

    def first(self) -> Scalar:
        return self.heaps[(*self.outer, _ZERO)]

    def after_look(self, size: Scalar, first: Scalar, goes: Scalar) -> Scalar:
        """The size of the heap when the first one goes, or has got a lower score."""
        left = self.builder.blocks.let(size - SCALARS.cast(goes, dtypes.int64))
        last = SCALARS.minimum(left, size - 1)
        value = SCALARS.where(goes, self.heaps[(*self.outer, last)], first)
        self.sink(_ZERO, self.builder.blocks.let(value), left)
        return left


_ZERO = literal(0, dtypes.int64)


def strongest(
    builder: Emitter,
    scores: Array,
    limit: Size,
    weighed: Callable[[Scalar, Scalar, Scalar], Scalar],
) -> tuple[Array, Array, Array]:
    """The place of the highest score again and again, the others being changed by it each time.

    A score is changed when it is the highest one: none grows, so that the others may wait.
    """
    blocks, shape = builder.blocks, scores.shape
    values, values_buffer = memory(builder, shape, scores.dtype)
    builder.fill(values_buffer, scores)
    places, places_buffer = memory(builder, (limit + 1,))
    taken, taken_buffer = memory(builder, (limit + 1,), scores.dtype)
    seen, seen_buffer = memory(builder, shape)  # how many of those taken a score knows
    count, count_buffer = memory(builder, ())
    lowest = literal(float("-inf"), scores.dtype)
    heap = Heap(builder, values, memory(builder, shape)[0], ())

    def look(size: Scalar, found: Scalar) -> tuple[Scalar, Scalar]:
        one = blocks.let(heap.first())
        before = blocks.let(values[(one,)])

        def waits(number: Scalar, score: Scalar) -> Scalar:
            return (number < found) & (score > lowest)

        def change(number: Scalar, score: Scalar) -> tuple[Scalar, Scalar]:
            return number + 1, weighed(score, one, blocks.let(places[(number,)]))

        _, now = repeat(builder, (seen[(one,)], before), waits, change)
        builder.store(values_buffer, (one,), now)
        builder.store(seen_buffer, (one,), found)
        builder.store(places_buffer, (found,), one)
        builder.store(taken_buffer, (found,), now)
        is_taken = blocks.let((now == before) & (now > lowest))
        goes = is_taken | SCALARS.logical_not(now > lowest)
        left = heap.after_look(size, one, blocks.let(goes))
        return left, found + SCALARS.cast(is_taken, dtypes.int64)

    def are_wanted(size: Scalar, found: Scalar) -> Scalar:
        return (size > 0) & (found < limit)

    _, found = repeat(builder, (heap.size, _ZERO), are_wanted, look)
    builder.store(count_buffer, (), found)
    return places, taken, count


def memory(
    builder: Emitter, shape: Sequence[Size], dtype: DType = dtypes.int64
) -> tuple[Array, Buffer]:
    """Zeros, to be changed where they lie."""
    buffer = builder.blocks.temporary(dtype, tuple(shape), "found")
    builder.blocks.emit(Allocate(buffer))
    zero = literal(0, dtype)
    builder.nest(shape, lambda *index: builder.store(buffer, index, zero))
    return builder.stored(buffer, dtype, shape), buffer


def repeat(
    builder: Emitter,
    values: Sequence[Scalar],
    goes_on: Callable[..., Scalar],
    step: Callable[..., Sequence[Scalar]],
) -> tuple[Scalar, ...]:
    """Registers that a step gives other values, all of them at once."""
    current, turn = _turn(builder.blocks, values, step)
    run_while(builder, lambda: goes_on(*current), turn)
    return builder.blocks.let_all(current)


def rounds(
    builder: Emitter, count: int, values: Sequence[Scalar], step: Callable[..., Sequence[Scalar]]
) -> tuple[Scalar, ...]:
    """The same, so many times."""
    current, turn = _turn(builder.blocks, values, step)
    number, _ = builder.blocks.index("turn")
    builder.blocks.emit(For(number, Literal(count, "i64"), tuple(turn)))
    return builder.blocks.let_all(current)


def _turn(
    blocks: Blocks, values: Sequence[Scalar], step: Callable[..., Sequence[Scalar]]
) -> tuple[list[Scalar], list[Statement]]:
    """Registers that begin as `values`, and what gives them their next ones."""
    registers = blocks.registers("turn", values)
    current = [Scalar(one, value.dtype) for one, value in zip(registers, values, strict=True)]
    with blocks.block() as turn:
        changed = blocks.let_all(step(*blocks.let_all(current)))
        for register, value in zip(registers, changed, strict=True):
            blocks.emit(Set(register, value.expression))
    return current, turn
