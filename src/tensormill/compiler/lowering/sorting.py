"""Order: rows by the digits of their ranks, places found by halving."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from ...core import dtypes
from ...core.dtypes import DType
from ...errors import UnimplementedError
from ..loops.ir import (
    FRAME,
    LONG,
    Address,
    Allocate,
    Buffer,
    For,
    Local,
    NativeCall,
    Repeat,
    Set,
    Statement,
)
from ..native import orders
from .arrays import Array, Size
from .emitter import Emitter
from .scalars import SCALARS, Scalar, as_number, size_expression


def order(builder: Emitter, ranks: Array, wanted: Size | None = None) -> Array:
    """The places of the elements of each row in ascending order, int64; equal ones keep theirs.
    Only the first `wanted` ones, where that is said.

    Ranks are numbers without a sign, of 32 or 64 bits (native/orders.py).
    """
    blocks, count = builder.blocks, ranks.shape[-1]
    first = count if wanted is None else wanted
    is_short = ranks.dtype is dtypes.uint32  # then rank and place are one number
    if is_short and not isinstance(count, int):
        builder.check(as_number(count) <= MOST, UnimplementedError, TOO_LONG, as_number(count))
    shape = (count,) if is_short else (count, 2)
    places = blocks.temporary(dtypes.int64, (*ranks.shape[:-1], first), "order")
    entries, spare = (blocks.temporary(dtypes.uint64, shape, name) for name in ("entry", "spare"))
    room = blocks.temporary(dtypes.uint64, (orders.ROOM,), "digits")
    blocks.emit(*map(Allocate, (places, entries, spare, room)))
    found = builder.stored(entries, dtypes.uint64, shape)

    def fill(k: Scalar, outer: Sequence[Scalar]) -> None:
        rank, place = (
            SCALARS.cast(one, dtypes.uint64) for one in (ranks[(*outer, k)], as_number(k))
        )
        if is_short:
            builder.store(entries, (k,), (rank << orders.HALF) | place)
        else:
            builder.store(entries, (k, 0), rank)
            builder.store(entries, (k, 1), place)

    def place(k: Scalar) -> Scalar:
        one = found[(k,)] & orders.LOWER if is_short else found[(k, 1)]
        return SCALARS.cast(one, dtypes.int64)

    def row(*outer: Scalar) -> None:
        builder.each(count, lambda k: fill(k, outer))
        left: Size = count
        if is_short and wanted is not None:
            left = _leading(builder, entries, room, count, wanted)
        function = "tm_order_pairs" if is_short else "tm_order_wide"
        _call(builder, function, (entries, spare, room), (left,))
        builder.each(first, lambda k: builder.store(places, (*outer, k), place(k)))

    builder.nest(ranks.shape[:-1], row, parallel=False)
    return builder.stored(places, dtypes.int64, (*ranks.shape[:-1], first))


MOST: Final = 1 << orders.HALF
TOO_LONG: Final = "rows that are put in order have at most 2**32 elements, not {}"


def _leading(builder: Emitter, entries: Buffer, room: Buffer, count: Size, wanted: Size) -> Scalar:
    left = builder.blocks.variable("left", "i64")
    _call(builder, "tm_order_leading", (entries, room), (count, wanted), left)
    return Scalar(left, dtypes.int64)


def _call(
    builder: Emitter,
    function: str,
    buffers: tuple[Buffer, ...],
    sizes: tuple[Size, ...],
    result: Local | None = None,
) -> None:
    """A native function, which reads and writes buffers."""
    arguments = (FRAME, *map(Address, buffers), *map(size_expression, sizes))
    builder.blocks.emit(
        NativeCall(function, arguments, result, buffers, buffers, pure=True, work=LONG)
    )


def leading(builder: Emitter, ranks: Array, count: int) -> Array:
    """The first `count` of what `order` gives, which must be few.

    One element after the other moves up past those of higher ranks. There is a place behind the
    last one, for what falls out.
    """
    builder.force(ranks)
    blocks, shape = builder.blocks, (*ranks.shape[:-1], count + 1)
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
                lambda: (hole > 0) & (ranks[(*outer, k)] < ranks[(*outer, blocks.let(above()))]),
                moving,
            )
            builder.store(places, (*outer, hole), k)

        builder.each(ranks.shape[-1], element)

    def start(k: Scalar) -> Scalar:
        return SCALARS.minimum(k, as_number(count))

    builder.nest(ranks.shape[:-1], row)
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


def search(
    builder: Emitter, count: Size, values: Array, dtype: DType, is_below: Callable[..., Scalar]
) -> Array:
    """For each element of `values` the first place of its row for which `is_below(place, *index)`
    is false; it must be true up to some place and false from there on.

    All halve their rows equally often, so that no processor has to guess which of them go on.
    """
    blocks = builder.blocks
    result = blocks.temporary(dtype, values.shape, "places")
    blocks.emit(Allocate(result))
    halvings, last = _halvings(builder, count), as_number(count - 1)

    def one(*index: Any) -> None:
        registers = [
            blocks.register(name, dtypes.int64, as_number(start))
            for name, start in (("low", 0), ("left", count))
        ]
        low, left = (Scalar(each, dtypes.int64) for each in registers)
        variable, _ = blocks.index("halving")
        with blocks.block() as halving:
            start, size = blocks.let(low), blocks.let(left)
            half = blocks.let(size >> as_number(1))
            middle = blocks.let(start + half)
            below = is_below(SCALARS.minimum(middle, last), *index)
            below = blocks.let(below & (size > as_number(0)))
            _set(builder, registers[0], SCALARS.where(below, middle + 1, start))
            _set(builder, registers[1], SCALARS.where(below, size - half - 1, half))
        blocks.emit(For(variable, size_expression(halvings), tuple(halving)))
        builder.store(result, index, SCALARS.cast(low, dtype))

    builder.nest(values.shape, one)
    return builder.stored(result, dtype, values.shape)


def _halvings(builder: Emitter, count: Size) -> Size:
    """How often what is left of a row can be halved until nothing is: as often as it has bits."""
    if isinstance(count, int):
        return count.bit_length()
    blocks = builder.blocks
    registers = [
        blocks.register(name, dtypes.int64, as_number(start))
        for name, start in (("bits", 0), ("rest", count))
    ]
    bits, rest = (Scalar(each, dtypes.int64) for each in registers)
    with blocks.block() as counting:
        _set(builder, registers[0], bits + 1)
        _set(builder, registers[1], rest >> as_number(1))
    run_while(builder, lambda: rest > as_number(0), counting)
    return blocks.let(bits)


def _set(builder: Emitter, register: Local, value: Scalar) -> None:
    builder.blocks.emit(Set(register, builder.blocks.named(value)))


def run_while(builder: Emitter, going_on: Callable[[], Scalar], body: list[Statement]) -> None:
    with builder.blocks.block() as before:
        condition = builder.blocks.named(going_on())
    builder.blocks.emit(Repeat(tuple(before), condition, tuple(body)))
