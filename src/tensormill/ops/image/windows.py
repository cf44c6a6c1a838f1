"""Sums of neighbours along an axis, each with weights of its own: resizing, one axis at a time.

    x [n, own, c] ─ windows: first, sizes [count], weights [count, taps] ─► sums [n, count, c]

Element `i` of the sums is that of `weights[i, t] * x[first[i] + t]` for all `t` below `sizes[i]`.
All windows lie within `x`. What no window reads may be anything: infinite, say.
"""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.process.named_tuples import NamedTuple
from ...core.specs import TensorSpec
from ..array.shapes import reshape, shape
from ..bind import bind
from ..math.cast import cast
from ..op import In, Op, Out
from ..origins import Origin


class WeightedWindows(NamedTuple):
    """What each element of a result is made of, along one axis.

    first, sizes: int64 [count], the first of the neighbours that are read and how many they are.
    weights: float32 [count, taps], where `taps` is the largest of the sizes.
    """

    first: Any
    sizes: Any
    weights: Any


class SumWindows(Op):
    """Of each window the weighted sum.

    Our own operation: TensorFlow has kernels for each way to resize.
    """

    linear = True

    x = In("f32 n own c")
    first = In("i64 count")
    sizes = In("i64 count")
    weights = In("f32 count taps")
    sums = Out("f32 n count c")
    origin = Origin.COMPILER

    def eager(self, np: Any) -> Any:
        rows, _, channels = self.x.shape
        sums = np.zeros((rows, *self.first.shape, channels), np.float32)
        for tap, weights in enumerate(self.weights.T):
            (within,) = np.nonzero(tap < self.sizes)
            read = self.x[:, self.first[within] + tap]
            sums[:, within] += read * weights[within, None]
        return sums

    def xla(self, xla: Any) -> Any:
        matrix = _matrix(xla.np, self, self.x.shape[1])
        return xla.np.einsum("oh,nhc->noc", matrix, self.x, precision=xla.precision)

    def lower(self, loops: Any) -> Any:
        x, windows = self.x, _KeptWindows(loops, self)
        rows, _, channels = x.shape
        sums = loops.memory((rows, windows.count, channels), dtypes.float32)

        def window(row: Any, place: Any) -> None:
            def tap(at: Any, weight: Any) -> None:
                def element(channel: Any) -> None:
                    here = row, place, channel
                    loops.put(sums, here, sums[here] + x[(row, at, channel)] * weight)

                loops.for_each((channels,), element)

            windows.each_tap(place, tap)

        loops.for_each((rows, windows.count), window)
        return sums

    def vjp(self, dsums: Any) -> Any:
        own = shape(self.x, dtypes.int64)[1]
        return bind(SpreadWindows, dsums, self.first, self.sizes, self.weights, own), *(None,) * 3


class SpreadWindows(Op):
    """The transpose of `SumWindows`: each element is added to what its window reads, in order.

    Our own operation, too.
    """

    linear = True

    sums = In("f32 n count c")
    first = In("i64 count")
    sizes = In("i64 count")
    weights = In("f32 count taps")
    own = In("i64")
    x = Out("f32 n own_size c")
    origin = Origin.COMPILER

    def demands(self, sizes: Any) -> Any:
        (own,) = sizes.numbers(self.own)
        return own

    def infer(self) -> TensorSpec:
        rows, _, channels = self.sums.shape.entries or (None,) * 3
        return TensorSpec((rows, (self.own.sizes or (None,))[0], channels), dtypes.float32)

    def eager(self, np: Any) -> Any:
        rows, count, channels = self.sums.shape
        x = np.zeros((rows, self.found, channels), np.float32)
        for place in range(count):
            first, size = int(self.first[place]), int(self.sizes[place])
            weights = self.weights[place, :size, None]
            x[:, first : first + size] += self.sums[:, place, None] * weights
        return x

    def xla(self, xla: Any) -> Any:
        own = xla.fixed(self.found, "the size of an image")
        return xla.np.einsum(
            "oh,noc->nhc", _matrix(xla.np, self, own), self.sums, precision=xla.precision
        )

    def lower(self, loops: Any) -> Any:
        sums, windows = self.sums, _KeptWindows(loops, self)
        rows, _, channels = sums.shape
        x = loops.memory((rows, self.found, channels), dtypes.float32)

        def one_row(row: Any) -> None:
            def window(place: Any) -> None:
                def tap(at: Any, weight: Any) -> None:
                    def element(channel: Any) -> None:
                        here = row, at, channel
                        loops.put(x, here, x[here] + sums[(row, place, channel)] * weight)

                    loops.for_each((channels,), element)

                windows.each_tap(place, tap)

            loops.for_each((windows.count,), window, in_order=True)

        loops.for_each((rows,), one_row)
        return x

    def vjp(self, dx: Any) -> Any:
        return bind(SumWindows, dx, self.first, self.sizes, self.weights), *(None,) * 4


class _KeptWindows:
    """Windows in compiled code."""

    def __init__(self, loops: Any, op: Any) -> None:
        self._loops = loops
        self._first, self._sizes, self._weights = (
            loops.kept(one) for one in (op.first, op.sizes, op.weights)
        )
        (self.count,) = op.first.shape

    def each_tap(self, place: Any, tap: Any) -> None:
        """`tap(where it reads, weight)` for all that a window reads, in order."""
        loops = self._loops
        first, size = (loops.held(one[(place,)]) for one in (self._first, self._sizes))

        def one(number: Any) -> None:
            tap(loops.held(first + number), loops.held(self._weights[(place, number)]))

        loops.for_each((size,), one, in_order=True)


def _matrix(np: Any, op: Any, own: int) -> Any:
    """Windows as a matrix [count, own], which XLA multiplies with."""
    taps = np.arange(op.weights.shape[1])
    kept = np.where(taps < op.sizes[:, None], op.weights, 0.0)
    columns = np.minimum(op.first[:, None] + taps, own - 1)
    rows = np.broadcast_to(np.arange(kept.shape[0])[:, None], kept.shape)
    return np.zeros((kept.shape[0], own), np.float32).at[rows, columns].add(kept)


def resampled(x: Any, rows: WeightedWindows, columns: WeightedWindows) -> Any:
    """The sums of images [n, height, width, c] over windows along height and width."""
    n, height, width, channels = _sizes(x)
    x = bind(SumWindows, reshape(x, [n, height, width * channels]), *rows)
    count = _sizes(x)[1]
    x = bind(SumWindows, reshape(x, [n * count, width, channels]), *columns)
    return reshape(x, [n, count, _sizes(x)[1], channels])


def spread(dx: Any, rows: WeightedWindows, columns: WeightedWindows, own: Any) -> Any:
    """The transpose of `resampled`, for images of the height and width `own`."""
    n, height, width, channels = _sizes(dx)
    own = cast(own, dtypes.int64)
    dx = bind(SpreadWindows, reshape(dx, [n * height, width, channels]), *columns, own[1])
    dx = reshape(dx, [n, height, own[1] * channels])
    dx = bind(SpreadWindows, dx, *rows, own[0])
    return reshape(dx, [n, own[0], own[1], channels])


def _sizes(x: Any) -> list[Any]:
    sizes = shape(x, dtypes.int64)
    return [sizes[axis] for axis in range(x.shape.rank)]
