"""What windows see: their largest elements, how many there are, and the way back."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import Any

import numpy as numpy_module

from ...core import dtypes
from ..sizes import all_static, scalar
from .windows import Windows, pad_for, tap_slices

# Windows of up to so many elements are written out, so that loops run along the channels.
WRITTEN_OUT = 16


# ---------------------------------------------------------------- NumPy


def along(x: Any, axis: int, windows: Windows, count: int) -> list[Any]:
    """What the windows see along one axis, one array for each place in the window."""
    stride, spatial = windows.strides[axis - 1], axis - 1
    seen: list[Any] = []
    for tap in range(windows.kernel[spatial]):
        end = tap + (count - 1) * stride + 1
        seen.append(x[(slice(None),) * axis + (slice(tap, max(tap, end), stride),)])
    return seen


def largest(np: Any, x: Any, windows: Windows) -> Any:
    """Axis by axis."""
    result = pad_for(np, x, windows, lowest(np, x.dtype))
    for axis, count in enumerate(windows.counts(x.shape[1:-1]), 1):
        seen = along(result, axis, windows, count)
        result = seen[0].copy()
        for one in seen[1:]:
            np.maximum(result, one, out=result)
    return result


def lowest(np: Any, dtype: Any) -> Any:
    """What no element is below."""
    return np.iinfo(dtype).min if dtype.kind in "iu" else -np.inf


def first_largest(np: Any, x: Any, y: Any, windows: Windows) -> Any:
    """Which place of every window holds its largest element, the first of them."""
    padded = pad_for(np, x, windows, lowest(np, x.dtype))
    counts = y.shape[1:-1]
    inside = pad_for(np, np.ones((1, *x.shape[1:-1], 1), bool), windows, False)
    winners = np.full(y.shape, -1, np.int32)
    for number, tap in reversed(list(enumerate(taps(windows)))):
        place = tap_slices(windows, counts, tap)
        np.copyto(winners, number, where=(padded[place] == y) & inside[place])
    return winners


def in_windows(np: Any, windows: Windows, dims: Any, counts: Any) -> Any:
    """How many elements every window sees: [1, *counts, 1]."""
    total = np.ones((1,) * (len(dims) + 2))
    for axis, (size, count) in enumerate(zip(dims, counts, strict=True)):
        first = np.arange(count) * windows.strides[axis] - windows.before(None, axis, size)
        seen = np.minimum(first + windows.kernel[axis], size) - np.maximum(first, 0)
        total = total * seen.reshape(1, *(-1 if k == axis else 1 for k in range(len(dims))), 1)
    return total


def without(x: Any, margins: Any, dims: Any) -> Any:
    """What is left without the margins."""
    inner = (slice(b, b + n) for n, (b, _) in zip(dims, margins, strict=True))
    return x[(slice(None), *inner)]


def taps(windows: Windows) -> list[tuple[int, ...]]:
    """Every place in a window, in row-major order."""
    return list(product(*map(range, windows.kernel)))


# ---------------------------------------------------------------- loops


class Look:
    """What windows see of a loop array `x` (or of one of `shape`)."""

    def __init__(self, loops: Any, x: Any, windows: Windows, shape: Any = None) -> None:
        self.loops, self.x, self.windows = loops, x, windows
        self.dims = (x.shape if shape is None else shape)[1:-1]
        self.befores = windows.befores(loops, self.dims)
        self.zero = loops.constant(0, dtypes.int64)

    def places(self, index: Any, tap: Any) -> list[Any]:
        """Where the element `tap` of a window is, perhaps outside."""
        pairs = zip(index[1:-1], tap, self.befores, self.windows.strides, strict=True)
        return [i * stride + t - before for i, t, before, stride in pairs]

    def may_be_outside(self, axis: int) -> bool:
        before = self.befores[axis]
        return self.windows.padding != "VALID" and not (
            all_static(before, self.dims[axis])
            and before == 0
            and (self.windows.count(axis, self.dims[axis]) - 1) * self.windows.strides[axis]
            + self.windows.reach(axis)
            <= self.dims[axis]
        )

    def nearest(self, index: Any, tap: Any) -> Any:
        """The element, or where there is none the nearest one: it is in the window, too."""
        s, own = self.loops.scalars, [index[0]]
        for axis, place in enumerate(self.places(index, tap)):
            if self.may_be_outside(axis):
                last = scalar(self.loops, self.dims[axis] - 1)
                place = s.maximum(s.minimum(place, last), self.zero)
            own.append(place)
        return self.x[(*own, index[-1])]

    def nearest_or_lowest(self, index: Any, tap: Any) -> Any:
        """The nearest element; the lowest where images have none, and margins made windows."""
        element, count = self.nearest(index, tap), self.loops.count(self.dims)
        if self.windows.padding != "EXPLICIT" or (isinstance(count, int) and count):
            return element
        low = self.loops.constant(lowest(numpy_module, self.x.dtype.storage), self.x.dtype)
        return low if isinstance(count, int) else self.loops.scalars.where(count > 0, element, low)

    def is_inside(self, index: Any, tap: Any) -> Any:
        """A bool scalar; None where it is certain."""
        inside: Any = None
        for axis, place in enumerate(self.places(index, tap)):
            if self.may_be_outside(axis):
                fits = (place >= 0) & (place < self.dims[axis])
                inside = fits if inside is None else inside & fits
        return inside

    def inside(self, index: Any, tap: Any) -> Any:
        """The element, or where there is none zero."""
        inside = self.is_inside(index, tap)
        if inside is None:
            return self.nearest(index, tap)
        zero = self.loops.constant(0, self.x.dtype)
        return self.loops.scalars.where(inside, self.nearest(index, tap), zero)

    def count(self, index: Any) -> Any:
        """How many elements a window sees, an int64 scalar."""
        s, total = self.loops.scalars, self.loops.constant(1, dtypes.int64)
        for axis, first in enumerate(self.places(index, (0,) * len(self.dims))):
            if not self.may_be_outside(axis):
                total = total * self.windows.kernel[axis]
                continue
            last = scalar(self.loops, self.dims[axis])
            end = s.minimum(first + self.windows.kernel[axis], last)
            total = total * (end - s.maximum(first, self.zero))
        return total


def flat_tap(windows: Windows, tap: Any) -> Any:
    """The number of a place in a window, in row-major order."""
    number: Any = 0
    for size, one in zip(windows.kernel, tap, strict=True):
        number = number * size + one
    return number


def seen_by(loops: Any, x: Any, windows: Windows) -> Any:
    """`x`, stored where windows overlap: they would compute an element for each that sees it."""
    apart = all(k <= stride for k, stride in zip(windows.kernel, windows.strides, strict=True))
    return x if apart else loops.kept(x)


def lowered_winners(loops: Any, x: Any, y: Any, windows: Windows) -> Any:
    """`first_largest` of loop arrays, int32."""
    look, s = Look(loops, x, windows), loops.scalars
    nobody = loops.constant(-1, dtypes.int32)

    def is_largest(index: Any, tap: Any) -> Any:
        inside, equal = look.is_inside(index, tap), look.nearest(index, tap) == y[index]
        return equal if inside is None else inside & equal

    if prod(windows.kernel) <= WRITTEN_OUT:

        def element(*index: Any) -> Any:
            result = nobody
            for number, tap in reversed(list(enumerate(taps(windows)))):
                own = loops.constant(number, dtypes.int32)
                result = s.where(is_largest(index, tap), own, result)
            return result

        return loops.map(y.shape, dtypes.int32, element)
    none = loops.constant(prod(windows.kernel), dtypes.int32)

    def number_of(index: Any, tap: Any) -> Any:
        own = s.cast(flat_tap(windows, tap), dtypes.int32)
        return s.where(is_largest(index, tap), own, none)

    return loops.reduce("min", y.shape, windows.kernel, dtypes.int32, number_of)


def gathered(loops: Any, shape: Any, windows: Windows, dtype: Any, seen: Any) -> Any:
    """For every element of `shape`: the sum of `seen(window, tap, n, c)` over the windows that see
    it, `tap` being its place in the window.
    """
    s, zero = loops.scalars, loops.constant(0, dtype)
    first, counts = loops.constant(0, dtypes.int64), windows.counts(shape[1:-1])
    befores = windows.befores(loops, shape[1:-1])
    many = [-(-k // stride) for k, stride in zip(windows.kernel, windows.strides, strict=True)]

    def one(index: Any, back: Any) -> Any:
        window, tap, sees = [], [], None
        for axis, i in enumerate(index[1:-1]):
            place, stride = i + befores[axis], windows.strides[axis]
            last = place // stride if stride > 1 else place
            number = last - back[axis]
            own = place - number * stride
            window.append(s.maximum(s.minimum(number, counts[axis] - 1), first))
            tap.append(own)
            fits = (number >= 0) & (number < counts[axis]) & (own < windows.kernel[axis])
            sees = fits if sees is None else sees & fits
        return s.where(sees, seen(window, tap, index[0], index[-1]), zero)

    def element(*index: Any) -> Any:
        parts = [one(index, back) for back in product(*map(range, many))]
        return sum(parts[1:], parts[0])

    if prod(many) <= WRITTEN_OUT:
        return loops.map(shape, dtype, element)
    return loops.reduce("sum", shape, many, dtype, one, few=True)
