"""Convolutions of every channel by itself, and their gradients.

`filter` is [height, width, channels, multiplier]; channel c of the input makes the channels
c * multiplier, c * multiplier + 1 and so on of the output.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import prod
from types import MappingProxyType
from typing import Any

from ...core import dtypes
from ...core.native_operations import MANY
from ...core.specs import TensorSpec
from ...errors import ShapeMismatchError
from ..array.shapes import shape_of
from ..bind import bind
from ..demands import UNKNOWN, dims
from ..in_xla.convolutions import convolved_in_xla, one_filter_each, transposed
from ..op import FLOATS, Attr, In, Out, ints
from ..sizes import all_static, maximum, scalar, statically_equal
from .filtering import Filtering
from .windows import (
    Windows,
    channels_back,
    channels_last,
    demand_window,
    margins_of,
    moved_back,
    moved_last,
    pad_for,
    tap_slices,
    viewed_back,
    viewed_last,
    wide_type,
)

# Kernels of up to so many elements are written out, so that loops run along the channels.
WRITTEN_OUT = 25
FEW_CHANNELS = 8


class Depthwise(Filtering, abstract=True):
    """What the three operations share."""

    native_from = MANY
    native_axes = MappingProxyType({"filter": slice(None)})

    output = Out("T ...")
    strides = Attr(ints)
    padding = Attr(str)
    explicit_paddings = Attr(())
    data_format = Attr("NHWC")
    dilations = Attr((1, 1, 1, 1))
    T = FLOATS

    def fitting(self, sizes: Any, x: Any, filter: Any, dy: Any = None) -> Any:
        """The windows and the shape of the output, channels last as in the shapes of input and of
        the output's gradient.

        Raises:
            ShapeMismatchError: they do not go together.
        """
        fits, windows = sizes.equal(x[-1], filter[2]), self.windows(filter[:2])
        sizes.require(fits, ShapeMismatchError, UNLIKE_DEPTH, self.name, x[-1], filter[2])
        counts = windows.demand_room(sizes, self.name, x[1:-1])
        output = (x[0], *counts, (filter[2] if x[-1] is UNKNOWN else x[-1]) * filter[3])
        if dy is not None:
            sizes.alike(dy, output, ShapeMismatchError, UNLIKE_OUTPUT, self.name)
        return windows, output

    def product_in_xla(self, xla: Any, x: Any, filter: Any) -> Any:
        windows, groups = self.found[0], filter.shape[2]
        own = one_filter_each(filter)
        return convolved_in_xla(xla, x, own, windows, self.data_format, groups)


UNLIKE_DEPTH = (
    "{}: input depth must be evenly divisible by filter depth: {} vs {} (Dimensions must be equal)"
)
UNLIKE_OUTPUT = "{}: out_backprop has the shape {}, but {} is what the convolution gives"


class DepthwiseConv2dNative(Depthwise):
    """Every channel of images convolved with filters of its own."""

    input = In("T ...")
    filter = In("T ...")

    def demands(self, sizes: Any) -> Any:
        x = self.last(sizes, "input", self.input)
        filter = self.shape(sizes, "filter", self.filter)
        found = self.fitting(sizes, x, filter)
        demand_window(sizes, self.name, filter[:2])
        return found

    def infer(self) -> TensorSpec:
        _, shape = self.found
        return TensorSpec(dims(channels_back(shape, self.data_format)), self.input.dtype)

    def eager(self, np: Any) -> Any:
        x, filter = moved_last(np, self.input, self.data_format), self.filter
        (windows, shape), wide = self.found, wide_type(np, x.dtype)
        padded = pad_for(np, x, windows).astype(wide, copy=False)
        y = np.zeros((*shape[:3], *filter.shape[2:]), wide)
        for tap in np.ndindex(windows.kernel):
            seen = padded[tap_slices(windows, shape[1:3], tap)]
            y += seen[..., None] * filter[tap].astype(wide, copy=False)
        return moved_back(np, y.reshape(shape).astype(x.dtype, copy=False), self.data_format)

    def xla(self, xla: Any) -> Any:
        return self.product_in_xla(xla, self.input, self.filter)

    def lower(self, loops: Any) -> Any:
        x, filter = viewed_last(loops, self.input, self.data_format), loops.kept(self.filter)
        windows, shape = self.found
        padded, s = with_margins(loops, x, windows), loops.scalars
        wide = wide_dtype(x.dtype)
        if are_many(windows.kernel, filter.shape[2:]):
            y = by_rows(loops, padded, filter, shape, windows)
            return viewed_back(loops, narrowed(loops, y, shape, x.dtype), self.data_format)

        def term(outer: Any, tap: Any) -> Any:
            n, *window, c, m = outer
            place = [
                o * stride + t * rate
                for o, t, stride, rate in zip(
                    window, tap, windows.strides, windows.dilations, strict=True
                )
            ]
            return s.cast(padded[(n, *place, c)], wide) * s.cast(filter[(*tap, c, m)], wide)

        full = (*shape[:3], *filter.shape[2:])
        y = sum_of_taps(loops, full, windows.kernel, wide, term)
        return viewed_back(loops, narrowed(loops, y, shape, x.dtype), self.data_format)

    def vjp(self, doutput: Any) -> Any:
        x, filter, attrs = self.input, self.filter, self.attr_values()
        return (
            lambda: bind(DepthwiseConv2dNativeBackpropInput, shape_of(x), filter, doutput, **attrs),
            lambda: bind(
                DepthwiseConv2dNativeBackpropFilter, x, shape_of(filter), doutput, **attrs
            ),
        )


class DepthwiseConv2dNativeBackpropInput(Depthwise):
    """The gradient of DepthwiseConv2dNative with respect to its input."""

    input_sizes = In("i32 n")
    filter = In("T ...")
    out_backprop = In("T ...")

    def demands(self, sizes: Any) -> Any:
        given = sizes.numbers(self.input_sizes)
        self.demand_rank(sizes, "input_sizes", given)
        sizes.possible(given)
        x, filter = channels_last(given, self.data_format), self.shape(sizes, "filter", self.filter)
        dy = self.last(sizes, "out_backprop", self.out_backprop)
        windows, _ = self.fitting(sizes, x, filter, dy)
        return windows, x

    def infer(self) -> TensorSpec:
        if self.found is None:
            return TensorSpec((None,) * 4, self.filter.dtype)
        _, x = self.found
        return TensorSpec(dims(channels_back(x, self.data_format)), self.filter.dtype)

    def eager(self, np: Any) -> Any:
        filter, dy = self.filter, moved_last(np, self.out_backprop, self.data_format)
        (windows, shape), wide = self.found, wide_type(np, dy.dtype)
        margins = margins_of(windows, shape[1:3])
        padded = [n + sum(pair) for n, pair in zip(shape[1:3], margins, strict=True)]
        dx = np.zeros((shape[0], *padded, shape[3]), wide)
        spread = dy.reshape(*dy.shape[:3], *filter.shape[2:]).astype(wide, copy=False)
        for tap in np.ndindex(windows.kernel):
            own = filter[tap].astype(wide, copy=False)
            dx[tap_slices(windows, dy.shape[1:3], tap)] += (spread * own).sum(-1)
        inner = (slice(b, b + n) for n, (b, _) in zip(shape[1:3], margins, strict=True))
        dx = dx[(slice(None), *inner)].astype(dy.dtype, copy=False)
        return moved_back(np, dx, self.data_format)

    def xla(self, xla: Any) -> Any:
        shape = channels_back(self.found[1], self.data_format)
        dy = self.out_backprop
        return transposed(xla, lambda x: self.product_in_xla(xla, x, self.filter), shape, dy)

    def lower(self, loops: Any) -> Any:
        filter = loops.kept(self.filter)
        dy = viewed_last(loops, self.out_backprop, self.data_format)
        windows, shape = self.found
        spread, s, wide = stretched(loops, dy, windows, shape), loops.scalars, wide_dtype(dy.dtype)
        multiplier = filter.shape[3]

        def term(outer: Any, tap: Any) -> Any:
            n, *place, c = outer
            *where, m = tap
            seen = [
                p + (k - 1 - t) * rate
                for p, t, k, rate in zip(
                    place, where, windows.kernel, windows.dilations, strict=True
                )
            ]
            value = spread[(n, *seen, c * multiplier + m)]
            return s.cast(value, wide) * s.cast(filter[(*where, c, m)], wide)

        dx = sum_of_taps(loops, shape, (*windows.kernel, multiplier), wide, term)
        return viewed_back(loops, narrowed(loops, dx, shape, dy.dtype), self.data_format)

    def vjp(self, doutput: Any) -> Any:
        attrs, filter, dy = self.attr_values(), self.filter, self.out_backprop
        sizes_of = shape_of(filter)
        return (
            None,
            lambda: bind(DepthwiseConv2dNativeBackpropFilter, doutput, sizes_of, dy, **attrs),
            lambda: bind(DepthwiseConv2dNative, doutput, filter, **attrs),
        )


class DepthwiseConv2dNativeBackpropFilter(Depthwise):
    """The gradient of DepthwiseConv2dNative with respect to its filter."""

    input = In("T ...")
    filter_sizes = In("i32 n")
    out_backprop = In("T ...")

    def demands(self, sizes: Any) -> Any:
        return self.demands_of_filter(sizes)

    def infer(self) -> TensorSpec:
        return self.spec_of_filter()

    def eager(self, np: Any) -> Any:
        x = moved_last(np, self.input, self.data_format)
        dy = moved_last(np, self.out_backprop, self.data_format)
        (windows, shape), wide = self.found, wide_type(np, x.dtype)
        padded = pad_for(np, x, windows).astype(wide, copy=False)
        spread = dy.reshape(*dy.shape[:3], *shape[2:]).astype(wide, copy=False)
        result = np.empty(shape, wide)
        for tap in np.ndindex(windows.kernel):
            seen = padded[tap_slices(windows, dy.shape[1:3], tap)]
            result[tap] = np.einsum("nhwc,nhwcm->cm", seen, spread)
        return result.astype(x.dtype, copy=False)

    def xla(self, xla: Any) -> Any:
        dy, shape = self.out_backprop, self.found[1]
        return transposed(xla, lambda one: self.product_in_xla(xla, self.input, one), shape, dy)

    def lower(self, loops: Any) -> Any:
        x = viewed_last(loops, self.input, self.data_format)
        dy = loops.kept(viewed_last(loops, self.out_backprop, self.data_format))
        windows, shape = self.found
        padded, s, wide = with_margins(loops, x, windows), loops.scalars, wide_dtype(x.dtype)
        multiplier = shape[3]

        def term(outer: Any, inner: Any) -> Any:
            (*tap, c, m), (n, *window) = outer, inner
            place = [
                o * stride + t * rate
                for o, t, stride, rate in zip(
                    window, tap, windows.strides, windows.dilations, strict=True
                )
            ]
            value = dy[(n, *window, c * multiplier + m)]
            return s.cast(padded[(n, *place, c)], wide) * s.cast(value, wide)

        if all_static(multiplier) and multiplier == 1:
            total = loops.reduce(
                "sum", shape[:3], dy.shape[:3], wide, lambda o, r: term((*o, 0), r)
            )
        else:
            total = loops.reduce("sum", shape, dy.shape[:3], wide, term)
        return narrowed(loops, total, shape, x.dtype)

    def vjp(self, doutput: Any) -> Any:
        attrs, x, dy = self.attr_values(), self.input, self.out_backprop
        return (
            lambda: bind(DepthwiseConv2dNativeBackpropInput, shape_of(x), doutput, dy, **attrs),
            None,
            lambda: bind(DepthwiseConv2dNative, x, doutput, **attrs),
        )


# ---------------------------------------------------------------- numbers


def wide_dtype(dtype: Any) -> Any:
    """In which dtype it is computed."""
    return dtypes.float32 if dtype.storage.itemsize == 2 else dtype


def narrowed(loops: Any, x: Any, shape: Any, dtype: Any) -> Any:
    """`x` as an array of that shape and dtype."""
    if x.dtype is not dtype:
        wide = x
        x = loops.map(wide.shape, dtype, lambda *index: loops.scalars.cast(wide[index], dtype))
    return x if len(x.shape) == len(shape) else loops.reshape(x, shape)


# ---------------------------------------------------------------- loops


def are_many(taps: Any, channels: Any) -> bool:
    """Whether so many taps are dear to write out, or channels too few for vectors of them."""
    if not all_static(*taps):
        return True
    return prod(taps) > WRITTEN_OUT or (all_static(*channels) and prod(channels) < FEW_CHANNELS)


def by_rows(loops: Any, padded: Any, filter: Any, shape: Any, windows: Windows) -> Any:
    """The convolution of an array with margins, every channel as often as it has filters."""
    wide, s, multiplier = wide_dtype(padded.dtype), loops.scalars, filter.shape[3]
    single = all_static(multiplier) and multiplier == 1

    def channel(*index: Any) -> Any:
        *place, c = index
        return s.cast(padded[(*place, c if single else c // multiplier)], wide)

    def weight(*index: Any) -> Any:
        *tap, c = index
        place = (c, 0) if single else (c // multiplier, c % multiplier)
        return s.cast(filter[(*tap, *place)], wide)

    x = padded
    if not (single and wide is x.dtype):
        x = loops.view((*padded.shape[:-1], shape[-1]), wide, channel)
    weights = loops.view((*windows.kernel, shape[-1]), wide, weight)
    return loops.sum_shifted(x, weights, shape[1:-1], windows.strides, windows.dilations)


def sum_of_taps(
    loops: Any, shape: Any, extents: Any, dtype: Any, term: Callable[[Any, Any], Any]
) -> Any:
    """At every index of `shape` (an inner axis of size 1 is dropped): the sum of all terms."""
    single = all_static(shape[-1]) and shape[-1] == 1 and len(shape) == 5
    kept = shape[:-1] if single else shape

    def one(outer: Any, inner: Any) -> Any:
        return term((*outer, 0) if single else outer, inner)

    count = 1
    for extent in extents:
        count = count * extent if all_static(count, extent) else None
    if count is None or count > WRITTEN_OUT or count == 0:
        return loops.reduce("sum", kept, extents, dtype, one)

    def element(*index: Any) -> Any:
        parts = [one(index, inner) for inner in product(*map(range, extents))]
        return sum(parts[1:], parts[0])

    return loops.map(kept, dtype, element)


def with_margins(loops: Any, x: Any, windows: Windows) -> Any:
    """`x` in memory, with zeros wherever windows look beyond it."""
    dims, counts = x.shape[1:-1], windows.counts(x.shape[1:-1])
    befores = windows.befores(loops, dims)
    extents: list[Any] = []
    for axis, (count, size) in enumerate(zip(counts, dims, strict=True)):
        seen = (count - 1) * windows.strides[axis] + windows.reach(axis)
        end = size if windows.padding == "VALID" else befores[axis] + size
        extents.append(end if windows.padding == "VALID" else maximum(loops, end, seen))
    if all(map(statically_equal, extents, dims)):
        return loops.kept(x)
    zero, source = loops.constant(0, x.dtype), loops.kept(x)

    def element(*index: Any) -> Any:
        return inside_or(loops, source, index, befores, zero)

    return loops.kept(loops.view((x.shape[0], *extents, x.shape[-1]), x.dtype, element))


def inside_or(loops: Any, x: Any, index: Any, befores: Any, outside: Any) -> Any:
    """The element of `x`, moved by `befores` along its spatial axes; `outside` beyond it."""
    s, first, inside = loops.scalars, loops.constant(0, dtypes.int64), None
    place = list(index)
    for axis, (before, size) in enumerate(zip(befores, x.shape[1:-1], strict=True), 1):
        own = index[axis] - before
        fits = (own >= 0) & (own < size)
        inside = fits if inside is None else inside & fits
        place[axis] = s.maximum(s.minimum(own, scalar(loops, size - 1)), first)
    return s.where(inside, x[place], outside)


def stretched(loops: Any, dy: Any, windows: Windows, shape: Any) -> Any:
    """`dy` with its elements as far apart as the strides, zeros between and around them: for the
    element p of the input and the tap t it holds, at p + (kernel - 1 - t) * dilation, what p met.
    """
    s, source = loops.scalars, loops.kept(dy)
    befores = windows.befores(loops, shape[1:-1])
    zero, first = loops.constant(0, dy.dtype), loops.constant(0, dtypes.int64)
    extents = [size + windows.reach(axis) - 1 for axis, size in enumerate(shape[1:-1])]

    def element(n: Any, *rest: Any) -> Any:
        *place, c = rest
        own, inside = [], None
        for axis, p in enumerate(place):
            stride, count = windows.strides[axis], dy.shape[axis + 1]
            moved = p + (befores[axis] - (windows.reach(axis) - 1))
            window = moved // stride if stride > 1 else moved
            fits = (moved >= 0) & (window < count)
            if stride > 1:
                fits = fits & (moved % stride == 0)
            inside = fits if inside is None else inside & fits
            own.append(s.maximum(s.minimum(window, scalar(loops, count - 1)), first))
        return s.where(inside, source[(n, *own, c)], zero)

    return loops.kept(loops.view((dy.shape[0], *extents, dy.shape[-1]), dy.dtype, element))
