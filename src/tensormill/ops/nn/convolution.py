"""Convolutions of images and volumes, and their gradients, which are convolutions again.

Forward, to the input and to the filter are three products of one trilinear form, so each of the
three operations has the other two as its gradients.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from types import MappingProxyType
from typing import Any, Final

from ...core.native_operations import MANY
from ...core.specs import TensorSpec
from ...errors import ShapeMismatchError
from ..array.shapes import shape_of
from ..bind import bind
from ..demands import dims
from ..in_xla.convolutions import convolved_in_xla, transposed
from ..linalg.matmul import product
from ..op import FLOATS, INDEX, Attr, In, Op, Out, ints, types
from .filtering import Filtering
from .windows import (
    Windows,
    channels_back,
    channels_last,
    demand_window,
    margins_of,
    moved_back,
    moved_last,
    patches,
    tap_slices,
    viewed_back,
    viewed_last,
    wide_type,
)

CONVOLVED = FLOATS | types("i32")


class Convolving(Filtering, abstract=True):
    """What the three operations share. `filter` is [*kernel, channels / groups, filters]."""

    output = Out("T ...")
    strides = Attr(ints)
    padding = Attr(str)
    explicit_paddings: Any = ()
    native_from = MANY
    native_axes = MappingProxyType({"filter": slice(0, -2)})  # the kernel's sizes

    def fitting(self, sizes: Any, x: Any, filter: Any, dy: Any = None) -> Any:
        """The windows and the shape of the output, channels last as in the shapes of input and of
        the output's gradient.

        Raises:
            ShapeMismatchError: they do not go together.
        """
        windows = self.windows(filter[: self.spatial])
        self.demand_groups(sizes, x[-1], *filter[-2:])
        output = (x[0], *windows.demand_room(sizes, self.name, x[1:-1]), filter[-1])
        if dy is not None:
            sizes.alike(dy, output, ShapeMismatchError, UNLIKE_OUTPUT, self.name)
        return windows, output

    def demand_groups(self, sizes: Any, channels: Any, depth: Any, filters: Any) -> None:
        name = self.name
        sizes.require(depth > 0, ShapeMismatchError, EMPTY_FILTER, name)
        fits = (channels % depth == 0) & (channels > 0)
        sizes.require(fits, ShapeMismatchError, UNLIKE_DEPTH, name, channels, depth)
        groups = channels // depth
        sizes.require(
            filters % groups == 0, ShapeMismatchError, UNLIKE_GROUPS, name, filters, groups
        )

    def attributes(self) -> dict[str, Any]:
        return self.attr_values()


EMPTY_FILTER = "{}: filter must not have zero elements (Depth of filter must not be 0)"
UNLIKE_DEPTH = (
    "{}: input depth must be evenly divisible by filter depth: {} vs {} (Depth of input is not a "
    "multiple of input depth of filter)"
)
UNLIKE_GROUPS = (
    "{}: output depth must be evenly divisible by number of groups: {} vs {} (is not a multiple of "
    "the number of groups)"
)
UNLIKE_OUTPUT = "{}: Size of out_backprop doesn't match computed: actual = {}, computed = {}"


class Forward(Convolving, abstract=True):
    """The input convolved with a filter."""

    input = In("T ...")
    filter = In("T ...")

    def demands(self, sizes: Any) -> Any:
        x = self.last(sizes, "input", self.input)
        filter = self.shape(sizes, "filter", self.filter)
        found = self.fitting(sizes, x, filter)
        demand_window(sizes, self.name, filter[: self.spatial])
        return found

    def infer(self) -> TensorSpec:
        _, output = self.found
        return TensorSpec(dims(channels_back(output, self.data_format)), self.input.dtype)

    def eager(self, np: Any) -> Any:
        windows, _ = self.found
        y = convolved(np, moved_last(np, self.input, self.data_format), self.filter, windows)
        return moved_back(np, y, self.data_format)

    def xla(self, xla: Any) -> Any:
        windows, _ = self.found
        return convolved_in_xla(xla, self.input, self.filter, windows, self.data_format)

    def lower(self, loops: Any) -> Any:
        x, filter = viewed_last(loops, self.input, self.data_format), self.filter
        windows, _ = self.found
        return viewed_back(loops, loops.convolve(x, filter, windows), self.data_format)

    def vjp(self, doutput: Any) -> Any:
        x, filter, attrs = self.input, self.filter, self.attributes()
        to_input, to_filter = GRADIENTS[self.name]
        return (
            lambda: bind(to_input, shape_of(x), filter, doutput, **attrs),
            lambda: bind(to_filter, x, shape_of(filter), doutput, **attrs),
        )


class ToInput(Convolving, abstract=True):
    """The gradient of a convolution with respect to its input, of `input_sizes`: also what is
    called a transposed convolution.
    """

    elsewhere = ShapeMismatchError
    filter: Any
    out_backprop: Any
    input_sizes: Any

    def demands(self, sizes: Any) -> Any:
        filter = self.shape(sizes, "filter", self.filter)
        dy = self.last(sizes, "out_backprop", self.out_backprop)
        given = self.full_sizes(sizes, sizes.numbers(self.input_sizes), dy, filter[-2])
        sizes.possible(given)
        x = channels_last(given, self.data_format)
        windows, _ = self.fitting(sizes, x, filter, dy)
        return windows, x

    def full_sizes(self, sizes: Any, given: Any, dy: Any, depth: Any) -> tuple[Any, ...]:
        """`input_sizes` with batch and channels, which may be left out."""
        if len(given) == self.spatial:
            return channels_back((dy[0], *given, depth), self.data_format)
        rank = self.spatial + 2
        message = "{}: input_sizes must hold {} sizes, not {}"
        sizes.require(len(given) == rank, ShapeMismatchError, message, self.name, rank, len(given))
        return given

    def infer(self) -> TensorSpec:
        if self.found is None:
            return TensorSpec((None,) * (self.spatial + 2), self.filter.dtype)
        _, x = self.found
        return TensorSpec(dims(channels_back(x, self.data_format)), self.filter.dtype)

    def eager(self, np: Any) -> Any:
        filter, dy = self.filter, moved_last(np, self.out_backprop, self.data_format)
        windows, x = self.found
        return moved_back(np, spread_back(np, x, filter, dy, windows), self.data_format)

    def xla(self, xla: Any) -> Any:
        windows, shape = self.found

        def product(x: Any) -> Any:
            return convolved_in_xla(xla, x, self.filter, windows, self.data_format)

        given = channels_back(shape, self.data_format)
        return transposed(xla, product, given, self.out_backprop)

    def lower(self, loops: Any) -> Any:
        filter, dy = self.filter, viewed_last(loops, self.out_backprop, self.data_format)
        windows, x = self.found
        dx = loops.convolve_back(dy, filter, windows, x)
        return viewed_back(loops, dx, self.data_format)

    def vjp(self, doutput: Any) -> Any:
        attrs = self.attributes()
        forward, to_filter = FORWARD[self.name]
        return (
            None,
            lambda: bind(to_filter, doutput, shape_of(self.filter), self.out_backprop, **attrs),
            lambda: bind(forward, doutput, self.filter, **attrs),
        )


class ToFilter(Convolving, abstract=True):
    """The gradient of a convolution with respect to its filter, of `filter_sizes`."""

    elsewhere = ShapeMismatchError
    input = In("T ...")
    filter_sizes = In("i32 n")
    out_backprop = In("T ...")
    T = FLOATS

    def demands(self, sizes: Any) -> Any:
        return self.demands_of_filter(sizes)

    def infer(self) -> TensorSpec:
        return self.spec_of_filter()

    def eager(self, np: Any) -> Any:
        x = moved_last(np, self.input, self.data_format)
        dy = moved_last(np, self.out_backprop, self.data_format)
        windows, filter = self.found
        return filter_gradient(np, x, filter, dy, windows)

    def xla(self, xla: Any) -> Any:
        windows, shape = self.found

        def product(filter: Any) -> Any:
            return convolved_in_xla(xla, self.input, filter, windows, self.data_format)

        return transposed(xla, product, shape, self.out_backprop)

    def lower(self, loops: Any) -> Any:
        x = viewed_last(loops, self.input, self.data_format)
        dy = viewed_last(loops, self.out_backprop, self.data_format)
        windows, filter = self.found
        return loops.filter_gradient(x, dy, windows, filter)

    def vjp(self, doutput: Any) -> Any:
        attrs = self.attributes()
        forward, to_input = FORWARD[self.name]
        return (
            lambda: bind(to_input, shape_of(self.input), doutput, self.out_backprop, **attrs),
            None,
            lambda: bind(forward, self.input, doutput, **attrs),
        )


# ---------------------------------------------------------------- two spatial axes


class Conv2D(Forward):
    """Images [n, height, width, channels] convolved with [kernel, kernel, channels, filters]."""

    use_cudnn_on_gpu = Attr(True)
    explicit_paddings = Attr(())
    data_format = Attr("NHWC")
    dilations = Attr((1, 1, 1, 1))
    T = CONVOLVED


class Conv2DBackpropInput(ToInput):
    """The gradient of Conv2D with respect to its input."""

    input_sizes = In("i32 n")
    filter = In("T ...")
    out_backprop = In("T ...")
    use_cudnn_on_gpu = Attr(True)
    explicit_paddings = Attr(())
    data_format = Attr("NHWC")
    dilations = Attr((1, 1, 1, 1))
    T = CONVOLVED


class Conv2DBackpropFilter(ToFilter):
    """The gradient of Conv2D with respect to its filter."""

    use_cudnn_on_gpu = Attr(True)
    explicit_paddings = Attr(())
    data_format = Attr("NHWC")
    dilations = Attr((1, 1, 1, 1))


# ---------------------------------------------------------------- three spatial axes


class Conv3D(Forward):
    """Volumes [n, depth, height, width, channels] convolved with a filter of rank 5."""

    data_format = Attr("NDHWC")
    dilations = Attr((1, 1, 1, 1, 1))
    T = FLOATS


class Conv3DBackpropInputV2(ToInput):
    """The gradient of Conv3D with respect to its input."""

    input_sizes = In("Tshape n")
    filter = In("T ...")
    out_backprop = In("T ...")
    data_format = Attr("NDHWC")
    dilations = Attr((1, 1, 1, 1, 1))
    T = FLOATS
    Tshape = INDEX


class Conv3DBackpropFilterV2(ToFilter):
    """The gradient of Conv3D with respect to its filter."""

    data_format = Attr("NDHWC")
    dilations = Attr((1, 1, 1, 1, 1))


GRADIENTS: dict[str, tuple[type[Op], type[Op]]] = {
    "Conv2D": (Conv2DBackpropInput, Conv2DBackpropFilter),
    "Conv3D": (Conv3DBackpropInputV2, Conv3DBackpropFilterV2),
}
FORWARD: dict[str, tuple[type[Op], type[Op]]] = {
    "Conv2DBackpropInput": (Conv2D, Conv2DBackpropFilter),
    "Conv2DBackpropFilter": (Conv2D, Conv2DBackpropInput),
    "Conv3DBackpropInputV2": (Conv3D, Conv3DBackpropFilterV2),
    "Conv3DBackpropFilterV2": (Conv3D, Conv3DBackpropInputV2),
}


# ---------------------------------------------------------------- NumPy


# Bytes of what the windows of a few images see. Written at once for all images, it would come from
# memory that the system must first clear, and be read from there again.
PIECE: Final = 1 << 21


def pieces(seen: Any, itemsize: int) -> Iterator[slice]:
    """Some images at a time, where `seen` [batch, ...] is what all windows see."""
    step = max(1, PIECE // max(prod(seen[1:]) * itemsize, 1))
    return (slice(first, first + step) for first in range(0, seen[0], step))


def channels(group: int, count: int) -> tuple[Any, slice]:
    """Where the channels of a group are."""
    return ..., slice(group * count, (group + 1) * count)


def convolved(np: Any, x: Any, filter: Any, windows: Windows) -> Any:
    """One matrix product per group: what every window sees, times the filter."""
    seen, groups = patches(np, x, windows), group_count(x, filter)
    lead, depth, count = x.ndim - 1, filter.shape[-2], filter.shape[-1] // max(groups, 1)
    result = np.empty((*seen.shape[:lead], filter.shape[-1]), x.dtype)
    for piece in pieces(seen.shape, x.dtype.itemsize):
        some, target = seen[piece], result[piece]
        for g in range(groups):
            part = rows_of(some[channels(g, depth)], lead)
            own = filter[channels(g, count)].reshape(part.shape[1], count)
            target[channels(g, count)] = product(np, part, own).reshape(*target.shape[:-1], count)
    return result


def spread_back(np: Any, shape: Any, filter: Any, dy: Any, windows: Windows) -> Any:
    """Every element of the gradient times the filter, added up where the windows were."""
    margins = margins_of(windows, shape[1:-1])
    padded = tuple(n + sum(pair) for n, pair in zip(shape[1:-1], margins, strict=True))
    wide = wide_type(np, dy.dtype)
    dx = np.zeros((shape[0], *padded, shape[-1]), wide)
    depth, groups = filter.shape[-2], shape[-1] // max(filter.shape[-2], 1)
    count, taps = filter.shape[-1] // max(groups, 1), prod(windows.kernel)
    places = [tap_slices(windows, dy.shape[1:-1], tap) for tap in np.ndindex(windows.kernel)]
    for piece in pieces((*dy.shape[:-1], taps, depth), wide.itemsize):
        for g in range(groups):
            own = filter[channels(g, count)].astype(wide, copy=False).reshape(taps * depth, count)
            part = dy[piece][channels(g, count)].astype(wide, copy=False)
            columns = product(np, rows_of(part, dy.ndim - 1), own.T)
            columns = columns.reshape(*part.shape[:-1], taps, depth)
            target = dx[piece][channels(g, depth)]
            for tap, place in enumerate(places):
                target[place] += columns[..., tap, :]
    inner = (slice(b, b + n) for n, (b, _) in zip(shape[1:-1], margins, strict=True))
    return dx[(slice(None), *inner)].astype(dy.dtype, copy=False)


def filter_gradient(np: Any, x: Any, shape: Any, dy: Any, windows: Windows) -> Any:
    """What every window saw, transposed, times the gradient."""
    seen, wide = patches(np, x, windows), wide_type(np, x.dtype)
    depth, groups = shape[-2], x.shape[-1] // max(shape[-2], 1)
    count = shape[-1] // max(groups, 1)
    result = np.zeros(shape, wide)
    for piece in pieces(seen.shape, wide.itemsize):
        for g in range(groups):
            part = rows_of(seen[piece][channels(g, depth)], dy.ndim - 1).astype(wide, copy=False)
            own = dy[piece][channels(g, count)].astype(wide, copy=False)
            target = result[channels(g, count)]
            target += product(np, part.T, rows_of(own, dy.ndim - 1)).reshape(target.shape)
    return result.astype(x.dtype, copy=False)


def rows_of(seen: Any, lead: int) -> Any:
    """What every window sees as a row of a matrix."""
    return seen.reshape(prod(seen.shape[:lead]), prod(seen.shape[lead:]))


def group_count(x: Any, filter: Any) -> int:
    return x.shape[-1] // filter.shape[-2] if filter.shape[-2] else 1
