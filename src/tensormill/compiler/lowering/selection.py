"""What depends on values: the places where something holds, the first numbers that are good."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...core import dtypes
from ...core.dtypes import DType
from ..loops.ir import Address, Allocate, Bind, Buffer, Set
from .arrays import Array, Size
from .emitter import Emitter
from .reductions import reduce
from .scalars import SCALARS, Scalar, literal
from .sorting import order, run_while


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
    """For every row of scores, in their order, the places that no better one chosen excludes."""
    blocks, size = builder.blocks, scores.shape[-1]
    ranked = order(builder, scores, lambda one, other: one > other)
    rows = scores.shape[:-1]
    # There is a place more, which exists where none is wanted.
    places, places_buffer = memory(builder, (*rows, limit + 1))
    counts, counts_buffer = memory(builder, rows)
    lowest, zero = literal(float("-inf"), scores.dtype), literal(0, dtypes.int64)

    def row(*outer: Any) -> None:
        found, other = (blocks.register(name, dtypes.int64, zero) for name in ("found", "other"))
        counted, others = (Scalar(one, dtypes.int64) for one in (found, other))

        def candidate(k: Scalar) -> None:
            one = blocks.let(ranked[(*outer, k)])
            counts = blocks.let((counted < limit) & (scores[(*outer, one)] > lowest))
            blocks.emit(Set(other, blocks.named(zero)))
            with blocks.block() as next_one:
                blocks.emit(Set(other, blocks.named(others + 1)))

            def is_free() -> Scalar:
                before = blocks.let(places[(*outer, others)])
                is_excluded = conflict(outer, one, before)
                return counts & (others < counted) & SCALARS.logical_not(is_excluded)

            run_while(builder, is_free, next_one)
            builder.store(places_buffer, (*outer, counted), one)
            is_chosen = SCALARS.cast(counts & (others == counted), dtypes.int64)
            blocks.emit(Set(found, blocks.named(counted + is_chosen)))

        builder.each(size, candidate)
        builder.store(counts_buffer, outer, counted)

    builder.nest(rows, row)
    return places, counts


def strongest(
    builder: Emitter,
    scores: Array,
    limit: Size,
    weighed: Callable[[Scalar, Scalar, Scalar], Scalar],
) -> tuple[Array, Array, Array]:
    """The place of the highest score again and again, the others being changed by it each time."""
    blocks, size = builder.blocks, scores.shape[0]
    left_buffer = blocks.temporary(scores.dtype, (size,), "left")
    blocks.emit(Allocate(left_buffer))
    builder.fill(left_buffer, scores)
    left = builder.stored(left_buffer, scores.dtype, (size,))
    places, places_buffer = memory(builder, (limit + 1,))
    values, values_buffer = memory(builder, (limit + 1,), scores.dtype)
    count, count_buffer = memory(builder, ())
    lowest, zero = literal(float("-inf"), scores.dtype), literal(0, dtypes.int64)
    found, best = (blocks.register(name, dtypes.int64, zero) for name in ("found", "best"))
    top = blocks.register("top", scores.dtype, lowest)
    counted, place = (Scalar(one, dtypes.int64) for one in (found, best))
    value = Scalar(top, scores.dtype)

    def look(k: Scalar) -> None:
        here = blocks.let(left[(k,)])
        is_better = blocks.let(here > value)
        blocks.emit(Set(best, blocks.named(SCALARS.where(is_better, k, place))))
        blocks.emit(Set(top, blocks.named(SCALARS.where(is_better, here, value))))

    def find() -> None:
        blocks.emit(Set(top, blocks.named(lowest)))
        builder.each(size, look)

    def change(k: Scalar) -> None:
        changed = weighed(left[(k,)], k, place)
        builder.store(left_buffer, (k,), SCALARS.where(k == place, lowest, changed))

    find()
    with blocks.block() as taking:
        builder.store(places_buffer, (counted,), place)
        builder.store(values_buffer, (counted,), value)
        blocks.emit(Set(found, blocks.named(counted + 1)))
        builder.each(size, change)
        find()
    run_while(builder, lambda: (counted < limit) & (value > lowest), taking)
    builder.store(count_buffer, (), counted)
    return places, values, count


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
    blocks = builder.blocks
    registers = [blocks.register("turn", value.dtype, value) for value in values]
    current = [Scalar(one, value.dtype) for one, value in zip(registers, values, strict=True)]
    with blocks.block() as turn:
        changed = [blocks.let(one) for one in step(*[blocks.let(one) for one in current])]
        for register, value in zip(registers, changed, strict=True):
            blocks.emit(Set(register, blocks.named(value)))
    run_while(builder, lambda: goes_on(*current), turn)
    return tuple([blocks.let(one) for one in current])
