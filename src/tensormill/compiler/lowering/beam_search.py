"""Searches for the most probable labels as calls of native/beam_search.py."""

from __future__ import annotations

from ...core import dtypes
from ..loops.ir import FRAME, LONG, Address, Allocate, Apply, Check, Literal, NativeCall
from ..lowered import NO_MEMORY
from ..native.beam_search import NO_ROOM
from .arrays import Array
from .emitter import Emitter
from .scalars import size_expression


def most_probable(
    builder: Emitter, steps: Array, lengths: Array, width: int, best: int, merged: bool
) -> tuple[Array, Array, Array, Array]:
    """Of float64 [time, batch, classes] and int64 [batch]: labels [best, batch, time], how many of
    them there are [best, batch], scores [batch, best], and how many paths there are [batch].
    """
    time, batch, classes = steps.shape
    reads = [builder.force(one) for one in (steps, lengths)]
    shapes = ((best, batch, time), (best, batch), (batch, best), (batch,))
    kinds = (dtypes.int64, dtypes.int64, dtypes.float64, dtypes.int64)
    outs = [
        builder.blocks.temporary(dtype, shape, "beam")
        for dtype, shape in zip(kinds, shapes, strict=True)
    ]
    numbers = map(size_expression, (time, batch, classes, width, best, int(merged)))
    outcome = builder.blocks.variable("outcome", "i64")
    call = NativeCall(
        "tm_beam_search", (FRAME, *map(Address, (*reads, *outs)), *numbers), outcome, tuple(reads),
        tuple(outs), work=LONG,
    )  # fmt: skip
    has_room = Apply("ne", (outcome, Literal(NO_ROOM, "i64")), "bool")
    builder.blocks.emit(*map(Allocate, outs), call, Check(has_room, NO_MEMORY))
    labels, counts, scores, found = (
        builder.stored(one, dtype, shape)
        for one, dtype, shape in zip(outs, kinds, shapes, strict=True)
    )
    return labels, counts, scores, found
