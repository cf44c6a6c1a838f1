"""What depends on values: the places where a condition holds, the first numbers that are good."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...core import dtypes
from ...core.dtypes import DType
from ..loops.ir import Address, Allocate, Bind, Set
from .arrays import Array, Size
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
