"""What windows see, in XLA's words: reductions of windows, and places in them one by one."""

from __future__ import annotations

from typing import Any

import numpy

from ..nn.window_values import lowest, taps, without
from ..nn.windows import Windows, margins_of, pad_for, tap_slices
from .convolutions import transposed


def largest_in_xla(xla: Any, x: Any, windows: Windows) -> Any:
    """The largest element of every window of [n, *spatial, channels]."""
    low = numpy.asarray(lowest(numpy, x.dtype)).astype(x.dtype)
    return _reduced(xla, x, low[()], xla.lax.max, windows)


def totals_in_xla(xla: Any, x: Any, windows: Windows) -> Any:
    """The sum of what every window sees."""
    return _reduced(xla, x, numpy.zeros((), x.dtype)[()], xla.lax.add, windows)


def _reduced(xla: Any, x: Any, start: Any, combine: Any, windows: Windows) -> Any:
    margins = margins_of(windows, x.shape[1:-1])
    return xla.lax.reduce_window(
        x, start, combine, (1, *windows.kernel, 1), (1, *windows.strides, 1),
        ((0, 0), *margins, (0, 0)),
    )  # fmt: skip


def shared_in_xla(xla: Any, share: Any, windows: Windows, shape: Any) -> Any:
    """Every number added to all that its window sees of an array of `shape`."""
    return transposed(xla, lambda x: totals_in_xla(xla, x, windows), shape, share)


def first_largest_in_xla(xla: Any, x: Any, y: Any, windows: Windows) -> Any:
    """Which place of every window holds its largest element, the first of them; -1: none."""
    np = xla.np
    padded = pad_for(np, x, windows, lowest(numpy, x.dtype))
    inside = pad_for(numpy, numpy.ones((1, *x.shape[1:-1], 1), bool), windows, False)
    winners = np.full(y.shape, -1, np.int32)
    for number, tap in reversed(list(enumerate(taps(windows)))):
        place = tap_slices(windows, y.shape[1:-1], tap)
        winners = np.where((padded[place] == y) & inside[place], np.int32(number), winners)
    return winners


def to_largest_in_xla(xla: Any, x: Any, y: Any, dy: Any, windows: Windows, to_all: bool) -> Any:
    """Gradients where the largest elements of windows are: the first, or all of a window."""
    np, counts = xla.np, y.shape[1:-1]
    margins = margins_of(windows, x.shape[1:-1])
    sizes = [n + sum(pair) for n, pair in zip(x.shape[1:-1], margins, strict=True)]
    around: Any = pad_for(np, x, windows, lowest(numpy, x.dtype)) if to_all else None
    winners: Any = None if to_all else first_largest_in_xla(xla, x, y, windows)
    dx = np.zeros((x.shape[0], *sizes, x.shape[-1]), dy.dtype)
    for number, tap in enumerate(taps(windows) if dy.size else ()):
        here = around[tap_slices(windows, counts, tap)] == y if to_all else winners == number
        dx = dx + _at_tap(xla, np.where(here, dy, np.zeros((), dy.dtype)), windows, tap, sizes)
    return without(dx, margins, x.shape[1:-1])


def _at_tap(xla: Any, value: Any, windows: Windows, tap: Any, sizes: Any) -> Any:
    """Numbers, one for each window, at one place of them in an array that is zero elsewhere."""
    margins = [(0, 0, 0)]
    for axis, size in enumerate(sizes):
        start, stride = tap[axis] * windows.dilations[axis], windows.strides[axis]
        end = start + (value.shape[axis + 1] - 1) * stride + 1
        margins.append((start, size - end, stride - 1))
    return xla.lax.pad(value, xla.np.zeros((), value.dtype), [*margins, (0, 0, 0)])


def from_largest_in_xla(xla: Any, x: Any, y: Any, ddx: Any, windows: Windows) -> Any:
    """Of every window, the element of `ddx` where its largest was."""
    np, winners = xla.np, first_largest_in_xla(xla, x, y, windows)
    padded = pad_for(np, ddx, windows)
    result = np.zeros(y.shape, ddx.dtype)
    for number, tap in enumerate(taps(windows)):
        seen = padded[tap_slices(windows, y.shape[1:-1], tap)]
        result = np.where(winners == number, seen, result)
    return result


def seen_in_xla(xla: Any, x: Any, windows: Windows, fill: Any = 0) -> Any:
    """What every window sees of padded `x`: [n, *counts, taps, channels]."""
    padded, counts = pad_for(xla.np, x, windows, fill), windows.counts(x.shape[1:-1])
    seen = [padded[tap_slices(windows, counts, tap)] for tap in taps(windows)]
    return xla.np.stack(seen, -2) if seen else xla.np.zeros((*x.shape[:1], *counts, 0, x.shape[-1]))
