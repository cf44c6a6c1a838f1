"""Order: rows sorted by merging, places found by halving."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core import dtypes
from ...core.dtypes import DType
from ..loops.ir import Allocate, Buffer, Local, Repeat, Set, Statement
from .arrays import Array, Size
from .emitter import Emitter
from .scalars import SCALARS, Scalar, as_number

Precedes = Callable[[Scalar, Scalar], Scalar]


def order(builder: Emitter, x: Array, precedes: Precedes) -> Array:
    """The places of the elements of each row in order, int64; equal ones keep theirs.

    Runs of 1, 2, 4, ... places are merged pairwise, from the result into a spare row and back. A
    row in order is one run; one that falls at one place only begins with runs as long as that is
    far: so do the indices of one or two sparse tensors.
    """
    builder.force(x)
    blocks, count = builder.blocks, x.shape[-1]
    places = blocks.temporary(dtypes.int64, x.shape, "order")
    spare = blocks.temporary(dtypes.int64, (count,), "merged")
    blocks.emit(Allocate(places), Allocate(spare))
    found = builder.stored(places, dtypes.int64, x.shape)

    def row(*outer: Any) -> None:
        def is_before(one: Scalar, other: Scalar) -> Scalar:
            return precedes(x[(*outer, one)], x[(*outer, other)])

        registers = [blocks.register(name, dtypes.int64, as_number(0)) for name in ("falls", "at")]
        falls, at = (Scalar(register, dtypes.int64) for register in registers)

        def begin(k: Scalar) -> None:
            builder.store(places, (*outer, k), k)
            is_fall = blocks.let(is_before(k, _before(k)))
            _set(builder, registers[0], falls + SCALARS.cast(is_fall, dtypes.int64))
            _set(builder, registers[1], SCALARS.where(is_fall, k, at))

        builder.each(count, begin)
        once = SCALARS.where(falls > 0, at, as_number(count))
        first = SCALARS.where(falls > 1, as_number(1), once)
        width = blocks.register("width", dtypes.int64, first)
        with blocks.block() as merging:
            _merge(builder, lambda k: found[(*outer, k)], spare, count, Scalar(width, dtypes.int64),
                   is_before)  # fmt: skip
            merged = builder.stored(spare, dtypes.int64, (count,))
            builder.each(count, lambda k: builder.store(places, (*outer, k), merged[(k,)]))
            blocks.emit(Set(width, blocks.named(Scalar(width, dtypes.int64) * 2)))
        run_while(builder, lambda: Scalar(width, dtypes.int64) < count, merging)

    builder.nest(x.shape[:-1], row, parallel=False)
    return found


def leading(builder: Emitter, x: Array, count: int, precedes: Precedes) -> Array:
    """The first `count` of what `order` gives, which must be few.

    One element after the other moves up past those that it precedes. There is a place behind the
    last one, for what falls out.
    """
    builder.force(x)
    blocks, shape = builder.blocks, (*x.shape[:-1], count + 1)
    places = blocks.temporary(dtypes.int64, shape, "leading")
    blocks.emit(Allocate(places))
    found = builder.stored(places, dtypes.int64, shape)

    def row(*outer: Any) -> None:
        def element(k: Scalar) -> None:
            register = blocks.register("hole", dtypes.int64, start(k))
            hole = Scalar(register, dtypes.int64)

            def above() -> Scalar:  # 0, which is a place of every row, where there is none
                return SCALARS.where(hole > 0, found[(*outer, _before(hole))], as_number(0))

            with blocks.block() as moving:
                builder.store(places, (*outer, hole), found[(*outer, _before(hole))])
                _set(builder, register, hole - 1)
            run_while(
                builder,
                lambda: (hole > 0) & precedes(x[(*outer, k)], x[(*outer, blocks.let(above()))]),
                moving,
            )
            builder.store(places, (*outer, hole), k)

        builder.each(x.shape[-1], element)

    def start(k: Scalar) -> Scalar:
        return SCALARS.minimum(k, as_number(count))

    builder.nest(x.shape[:-1], row)
    return found


def shuffled(builder: Emitter, count: Size, others: Array) -> Array:
    """The numbers below `count`: each place in turn changes its number with that of `others`."""
    builder.force(others)
    blocks = builder.blocks
    places = blocks.temporary(dtypes.int64, (count,), "shuffled")
    blocks.emit(Allocate(places))
    found = builder.stored(places, dtypes.int64, (count,))

    def exchange(place: Scalar) -> None:
        other = blocks.let(others[(place,)])
        here, there = blocks.let(found[(place,)]), blocks.let(found[(other,)])
        builder.store(places, (place,), there)
        builder.store(places, (other,), here)

    builder.each(count, lambda k: builder.store(places, (k,), k))
    builder.each(others.shape[0], exchange)
    return found


def _before(place: Scalar) -> Scalar:
    return SCALARS.maximum(place - 1, as_number(0))


def _merge(
    builder: Emitter,
    place: Callable[[Scalar], Scalar],
    target: Buffer,
    count: Size,
    width: Scalar,
    is_before: Callable[[Scalar, Scalar], Scalar],
) -> None:
    """Merge the neighbouring runs of `width` places, two by two, into `target`."""
    blocks = builder.blocks
    names = ("left", "middle", "right", "finish")
    registers = [blocks.register(name, dtypes.int64, as_number(0)) for name in names]
    last, size = as_number(count) - 1, as_number(count)

    def one(k: Scalar) -> None:
        old = [blocks.let(Scalar(register, dtypes.int64)) for register in registers]
        fresh = blocks.let(k >= old[3])
        starts = (k, SCALARS.minimum(k + width, size), SCALARS.minimum(k + width, size),
                  SCALARS.minimum(k + width * 2, size))  # fmt: skip
        pairs = zip(starts, old, strict=True)
        left, middle, right, finish = (
            blocks.let(SCALARS.where(fresh, start, before)) for start, before in pairs
        )
        one = blocks.let(place(SCALARS.minimum(left, last)))
        other = blocks.let(place(SCALARS.minimum(right, last)))
        turn = (right < finish) & ((left >= middle) | is_before(other, one))
        turned = blocks.let(turn)
        builder.store(target, (k,), SCALARS.where(turned, other, one))
        step = blocks.let(SCALARS.cast(turned, dtypes.int64))
        updated = (left + 1 - step, middle, right + step, finish)
        for register, value in zip(registers, updated, strict=True):
            blocks.emit(Set(register, blocks.named(value)))

    builder.each(count, one)


def search(
    builder: Emitter, count: Size, values: Array, dtype: DType, is_below: Callable[..., Scalar]
) -> Array:
    """For each element of `values` the first place of its row for which `is_below(place, *index)`
    is false; it must be true up to some place and false from there on.
    """
    blocks = builder.blocks
    result = blocks.temporary(dtype, values.shape, "places")
    blocks.emit(Allocate(result))

    def one(*index: Any) -> None:
        low = blocks.register("low", dtypes.int64, as_number(0))
        high = blocks.register("high", dtypes.int64, as_number(count))
        bounds = [Scalar(low, dtypes.int64), Scalar(high, dtypes.int64)]
        with blocks.block() as halving:
            start, end = (blocks.let(bound) for bound in bounds)
            middle = blocks.let((start + end) // 2)
            below = blocks.let(is_below(middle, *index))
            _set(builder, low, SCALARS.where(below, middle + 1, start))
            _set(builder, high, SCALARS.where(below, end, middle))
        run_while(builder, lambda: bounds[0] < bounds[1], halving)
        builder.store(result, index, SCALARS.cast(bounds[0], dtype))

    builder.nest(values.shape, one)
    return builder.stored(result, dtype, values.shape)


def _set(builder: Emitter, register: Local, value: Scalar) -> None:
    builder.blocks.emit(Set(register, builder.blocks.named(value)))


def run_while(builder: Emitter, going_on: Callable[[], Scalar], body: list[Statement]) -> None:
    with builder.blocks.block() as before:
        condition = builder.blocks.named(going_on())
    builder.blocks.emit(Repeat(tuple(before), condition, tuple(body)))
