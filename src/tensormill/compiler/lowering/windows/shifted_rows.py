"""Filters of single channels as calls of native/windows/shifted_rows.py."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....core import dtypes
from ...loops.ir import FRAME, LONG, Address, Allocate, Buffer, NativeCall
from ...native.windows.shifted_rows import lanes
from ..arrays import Array, Size
from ..emitter import Emitter
from ..scalars import SCALARS, Scalar, as_number, size_expression
from .tables import item_size, strides_of, table


def sum_shifted(
    builder: Emitter, x: Array, weights: Array, counts: Sequence[Size], steps: Sequence[int],
    rates: Sequence[int],
) -> Array:  # fmt: skip
    """y[n, *o, c], with `counts` of o: the sum over t of x[n, *(o steps + t rates), c] times
    weights[*t, c], of float32 or float64.
    """
    channels = x.shape[-1]
    if steps[-1] > 1:
        x = _by_phases(builder, x, steps[-1])
    source = builder.force(x)
    shape = (x.shape[0], *counts, channels)
    out = builder.blocks.temporary(x.dtype, shape)
    builder.blocks.emit(Allocate(out))
    strides = strides_of(builder, source)
    rows = strides[: len(counts)]
    starts = table(
        builder, (x.shape[0], *counts[:-1]), rows, [(0, one) for one in (1, *steps[:-1])],
        item_size(source),
    )  # fmt: skip
    taps = _taps(builder, source, strides, weights.shape[:-1], steps[-1], rates)
    sizes = (
        builder.count((x.shape[0], *counts[:-1])), builder.count(weights.shape[:-1]),
        counts[-1] * channels, channels,
    )  # fmt: skip
    buffers = (source, _repeated(builder, weights), out, starts, taps)
    call = NativeCall(
        f"tm_convolve_rows_{x.dtype.short}",
        (FRAME, *map(Address, buffers), *map(size_expression, sizes)), None,
        tuple(one for one in buffers if one is not out), (out,), work=LONG,
    )  # fmt: skip
    builder.blocks.emit(call)
    return builder.stored(out, x.dtype, shape)


def _by_phases(builder: Emitter, x: Array, step: int) -> Array:
    """[n, *rows, step, columns, channels]: neighbouring windows see neighbouring columns then."""
    *outer, width, channels = x.shape
    last = as_number(width - 1)

    def element(*index: Any) -> Scalar:
        *before, phase, column, channel = index
        return x[(*before, SCALARS.minimum(column * step + phase, last), channel)]

    return builder.view((*outer, step, (width + step - 1) // step, channels), x.dtype, element)


def _taps(
    builder: Emitter, source: Buffer, strides: Sequence[Size], kernel: Sequence[Size], step: int,
    rates: Sequence[int],
) -> Buffer:  # fmt: skip
    """How many bytes farther lies what a tap sees."""
    size, rows = item_size(source), strides[1 : len(kernel)]
    if step == 1:
        columns = (*rows, strides[-2])
        return table(builder, kernel, columns, [(0, rate) for rate in rates], size)
    phase_stride, column_stride = strides[-3:-1]

    def element(*tap: Any) -> Scalar:
        column = as_number(tap[-1]) * rates[-1]
        whole = column // step
        place = whole * column_stride + (column - whole * step) * phase_stride
        for one, rate, stride in zip(tap[:-1], rates[:-1], rows, strict=True):
            place = place + one * rate * stride
        return SCALARS.cast(place * size, dtypes.int64)

    return builder.force(builder.view(tuple(kernel), dtypes.int64, element))


def _repeated(builder: Emitter, weights: Array) -> Buffer:
    """The weights of every tap, and the first ones again: as many as a vector has."""
    *kernel, channels = weights.shape
    more = lanes(weights.dtype.short)

    def element(*index: Any) -> Scalar:
        *tap, place = index
        return weights[(*tap, place % channels)]

    return builder.force(builder.view((*kernel, channels + more), weights.dtype, element))
