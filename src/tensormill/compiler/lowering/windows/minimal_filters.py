"""Convolutions with windows of 3×3 as calls of native/windows/winograd.py."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....core import dtypes
from ....core.dtypes import DType
from ...loops.ir import FRAME, LONG, Address, Allocate, Buffer, NativeCall
from ...native.windows.winograd import KERNEL, LANES, LEAST_WINDOWS, MOST_DEPTH, POSITIONS
from ..arrays import Size
from ..emitter import Emitter
from ..scalars import size_expression
from .axes import Axis, is_known
from .tables import item_size, size_of, strides_of


def suits(axes: Sequence[Axis], groups: Size, depth: Size, filters: Size, dtype: DType) -> bool:
    """Whether a convolution is one of 3×3 windows side by side, whose vectors are whole."""
    return (
        dtype is dtypes.float32
        and len(axes) == 2
        and is_known(groups, 1)
        and all(map(_is_plain, axes))
        and isinstance(depth, int)
        and depth % LANES == 0
        and LANES <= depth <= MOST_DEPTH
        and isinstance(filters, int)
        and filters >= LANES
    )


def _is_plain(axis: Axis) -> bool:
    if not isinstance(axis.windows, int) or axis.windows < LEAST_WINDOWS:
        return False
    known = (axis.taps, KERNEL), (axis.step, 1), (axis.tap_step, 1), (axis.place_step, 1)
    return is_known(axis.place, 0) and all(is_known(size, value) for size, value in known)


def convolve_minimally(
    builder: Emitter, axes: Sequence[Axis], buffers: Sequence[Buffer], numbers: Sequence[Size]
) -> None:
    """Call `tm_winograd`; `buffers` and `numbers` are what `tm_convolve` is given."""
    source, (count, tap_count, run, filters, _, _) = buffers[0], numbers
    depth = size_of(source, 3)
    room = _room(builder, filters, depth)
    windows = tuple([axis.windows for axis in axes])
    origins = [axis.origin for axis in axes]
    given = (count, tap_count, run, filters, depth, *windows, *_steps(builder, source, origins))
    _emit(builder, "tm_winograd_f32", buffers, room, given)


def gradient_minimally(
    builder: Emitter,
    axes: Sequence[Axis],
    befores: Sequence[Size],
    buffers: Sequence[Buffer],
    numbers: Sequence[Size],
) -> None:
    """Call `tm_winograd_gradient`; `buffers` and `numbers` are what `tm_filter_gradient` is given.

    `befores`: what lies before the gradients of the windows, on each axis.
    """
    (source, gradient), (count, row_count, filters, _, _, parts) = buffers[:2], numbers
    depth = size_of(source, 3)
    room = _room(builder, filters, depth, parts)
    windows = tuple([axis.windows for axis in axes])
    origins = [axis.origin for axis in axes]
    places = (*_steps(builder, source, origins), *_steps(builder, gradient, befores))
    given = (count, row_count, filters, depth, parts, *windows, *places)
    _emit(builder, "tm_winograd_gradient_f32", buffers, room, given)


def _room(builder: Emitter, filters: Size, depth: Size, parts: Size = 1) -> list[Buffer]:
    """Memory for transformed filters, and for whether a result has to be computed directly."""
    panels = (filters + LANES - 1) // LANES
    factors = builder.blocks.temporary(dtypes.float32, (parts, panels, POSITIONS, depth, LANES))
    doubted = builder.blocks.temporary(dtypes.int64, (1,))
    builder.blocks.emit(Allocate(factors), Allocate(doubted))
    return [factors, doubted]


def _steps(builder: Emitter, buffer: Buffer, origins: Sequence[Size]) -> tuple[Size, ...]:
    """In bytes: where windows begin, and from a pixel, a row, an image to the next."""
    image, row, pixel, _ = [one * item_size(buffer) for one in strides_of(builder, buffer)]
    return (origins[0] * row + origins[1] * pixel, pixel, row, image)


def _emit(
    builder: Emitter,
    function: str,
    buffers: Sequence[Buffer],
    room: Sequence[Buffer],
    numbers: Sequence[Size],
) -> None:
    out = buffers[2]
    arguments: list[Any] = [FRAME, *map(Address, (*buffers, *room))]
    arguments += map(size_expression, numbers)
    reads = tuple([one for one in buffers if one is not out])
    call = NativeCall(function, tuple(arguments), None, reads, (out, *room), work=LONG)
    builder.blocks.emit(call)
