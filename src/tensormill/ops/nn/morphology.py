"""Grey-scale morphology: the largest sum of an image and a filter in every window.

Where several sums are the largest, the first one (row by row) gets the gradient.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ...core import dtypes
from ...core.native_operations import SLOW
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, ShapeMismatchError, UnimplementedError
from ..array.fill import zeros_like
from ..array.rearrangement import reverse
from ..bind import bind
from ..conversion import as_tensor
from ..demands import dims, refuse
from ..dispatch.meanings import dispatchable
from ..in_xla.windows import seen_in_xla
from ..math.arithmetic import negative
from ..op import REALS, ZERO, Attr, In, Op, Out, ints
from ..origins import Origin
from ..sizes import scalar
from .windows import Windows, demand_window, margins_of, patches


class Morphology(Op, abstract=True):
    """Windows of the filter's size slide over images [n, height, width, depth]."""

    input: Any
    filter: Any
    strides: Any
    rates: Any
    padding: Any

    def demands(self, sizes: Any) -> tuple[Windows, Any]:
        """The windows, and the shape of their sums."""
        x, filter = sizes.shape(self.input, 4), sizes.shape(self.filter, 3)
        if len(x) != 4:
            refuse(ShapeMismatchError, NO_IMAGES, self.name, x)
        if len(filter) != 3:
            refuse(ShapeMismatchError, NO_FILTER, self.name, filter)
        strides = self.across_space("Stride", self.strides, 1)
        rates = self.across_space("Rate", self.rates, 0)
        alike = sizes.equal(x[3], filter[2])
        sizes.require(alike, ShapeMismatchError, OTHER_DEPTH, self.name, x[3], filter[2])
        windows = Windows(filter[:2], strides, rates, self.padding)
        demand_window(sizes, self.name, filter[:2])
        return windows, (x[0], *windows.demand_room(sizes, self.name, x[1:3], False), x[3])

    def across_space(self, what: str, values: Sequence[int], least: int) -> tuple[int, int]:
        if len(values) < 4:
            refuse(InvalidArgumentError, TOO_FEW, self.name, what, list(values))
        if (values[0], values[3]) != (1, 1):
            refuse(UnimplementedError, NOT_SPACE, self.name, what, list(values))
        if min(values[1:3]) < least:
            refuse(ShapeMismatchError, NOT_POSITIVE, self.name, what, list(values))
        return values[1], values[2]

    def sums(self, np: Any) -> Any:
        """What every window sees, the filter added: [n, rows, columns, taps, depth]."""
        windows, shape = self.found
        low = lowest(self.input.dtype)
        inside = patches(np, np.ones((1, *self.input.shape[1:3], 1), bool), windows, False)
        with np.errstate(all="ignore"):
            found = patches(np, self.input, windows, low) + self.filter
        found = np.where(inside & (found > low), found, low)
        return found.reshape(*shape[:3], math.prod(windows.kernel), shape[3])

    def winners(self, np: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """Where every largest sum is in the image, and where in the filter."""
        return self.places_of(np, self.sums(np).argmax(3))

    def places_of(self, np: Any, first: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """The same, told which place of its window every largest sum has."""
        windows, shape = self.found
        taps = first // windows.kernel[1], first % windows.kernel[1]
        n, i, j, c = np.ogrid[tuple(map(slice, shape))]
        befores = [before for before, _ in margins_of(windows, self.input.shape[1:3])]
        places = [
            np.clip(
                own * windows.strides[k] + taps[k] * windows.dilations[k] - befores[k],
                0, self.input.shape[k + 1] - 1,
            )
            for k, own in enumerate((i, j))
        ]  # fmt: skip
        return (n, *places, c), (*taps, c)

    def lowered_look(self, loops: Any) -> Any:
        """The sum of a place in a window, and where in the image that is."""
        x, filter, s = loops.kept(self.input), loops.kept(self.filter), loops.scalars
        windows, _ = self.found
        befores = windows.befores(loops, x.shape[1:3])
        zero = loops.constant(0, dtypes.int64)
        low = loops.constant(lowest(x.dtype.storage), x.dtype)

        def look(index: Any, tap: Any) -> tuple[Any, Any]:
            places, inside = list[Any](), None
            for axis in (0, 1):
                step = tap[axis] * windows.dilations[axis]
                place = index[axis + 1] * windows.strides[axis] + step - befores[axis]
                fits = (place >= 0) & (place < x.shape[axis + 1])
                inside = fits if inside is None else inside & fits
                last = scalar(loops, x.shape[axis + 1] - 1)
                places.append(s.maximum(s.minimum(place, last), zero))
            value = x[(index[0], *places, index[3])] + filter[(*tap, index[3])]
            return s.where(inside & (value > low), value, low), places

        return look

    def lowered_winners(self, loops: Any) -> tuple[Any, Any]:
        """The place in its window of every largest sum, row by row, and the rule for sums."""
        (windows, shape), look = self.found, self.lowered_look(loops)
        s, columns = loops.scalars, windows.kernel[1]
        dtype = self.input.dtype
        largest = loops.kept(
            loops.reduce("max", shape, windows.kernel, dtype, lambda i, tap: look(i, tap)[0])
        )
        none = scalar(loops, loops.count(windows.kernel) - 1)

        def number(index: Any, tap: Any) -> Any:
            value, _ = look(index, tap)
            return s.where(value == largest[index], tap[0] * columns + tap[1], none)

        winners = loops.reduce("min", shape, windows.kernel, dtypes.int64, number)
        return loops.kept(winners), look

    def picked(self, dinput: Any, dfilter: Any) -> Any:
        """What directions have where the largest sums are."""
        operands = self.input, self.filter, dinput, dfilter
        return bind(Dilation2DTangent, *operands, **self.attr_values())

    def demand_output(self, sizes: Any, found: tuple[Windows, Any], dy: Any) -> None:
        """The gradient has the shape of the sums."""
        given = sizes.shape(dy, 4)
        sizes.alike(given, found[1], ShapeMismatchError, OTHER_OUTPUT, self.name)

    def sums_in_xla(self, xla: Any) -> Any:
        """`sums` in XLA."""
        np, (windows, _) = xla.np, self.found
        low = lowest(self.input.dtype)
        inside = seen_in_xla(xla, np.ones((1, *self.input.shape[1:3], 1), bool), windows, False)
        own = self.filter.reshape(-1, self.filter.shape[-1])
        found = seen_in_xla(xla, self.input, windows, low) + own
        return np.where(inside & (found > low), found, low)

    def winners_in_xla(self, xla: Any) -> Any:
        """`winners` in XLA."""
        return self.places_of(xla.np, self.sums_in_xla(xla).argmax(3))


def lowest(dtype: Any) -> Any:
    """What no sum is below: one that is no number, or is, does not count."""
    return dtype.type(dtypes.as_dtype(dtype).min)


NO_IMAGES = "{}: input must be 4-dimensional: {}"
NO_FILTER = "{}: filter must be 3-dimensional: {}"
OTHER_DEPTH = "{}: input and filter must have the same depth: {} vs {}"
OTHER_OUTPUT = "{}: out_backprop has incompatible size: {}, not {}"
OTHER_DIRECTION = "{}: a direction of shape {} does not go with an operand of shape {}"
TOO_FEW = "{}: {} needs 4 numbers, one for each axis, not {}"
NOT_SPACE = "{}: {} is only supported across spatial dimensions: {}"
NOT_POSITIVE = "{}: {} must be > 0, but got {}"


class Dilation2D(Morphology):
    """The largest sum of the image and the filter in every window."""

    native_from = SLOW

    input = In("T ...")
    filter = In("T ...")
    output = Out("T ...")
    strides = Attr(ints)
    rates = Attr(ints)
    padding = Attr(allowed="SAME VALID")
    T = REALS

    def infer(self) -> TensorSpec:
        return TensorSpec(dims(self.found[1]), self.input.dtype)

    def eager(self, np: Any) -> Any:
        low = lowest(self.input.dtype)
        return self.sums(np).max(3, initial=low)

    def xla(self, xla: Any) -> Any:
        return self.sums_in_xla(xla).max(3, initial=lowest(self.input.dtype))

    def lower(self, loops: Any) -> Any:
        (windows, shape), look = self.found, self.lowered_look(loops)
        return loops.reduce(
            "max", shape, windows.kernel, self.input.dtype, lambda index, tap: look(index, tap)[0]
        )

    def vjp(self, doutput: Any) -> Any:
        operands, attrs = (self.input, self.filter, doutput), self.attr_values()
        return (
            lambda: bind(Dilation2DBackpropInput, *operands, **attrs),
            lambda: bind(Dilation2DBackpropFilter, *operands, **attrs),
        )

    def jvp(self, dinput: Any, dfilter: Any) -> Any:
        return self.picked(
            zeros_like(self.input) if dinput is None else dinput,
            zeros_like(self.filter) if dfilter is None else dfilter,
        )


class Dilation2DBackpropInput(Morphology):
    """The gradient of Dilation2D by the image."""

    native_from = SLOW

    input = In("T ...")
    filter = In("T ...")
    out_backprop = In("T ...")
    in_backprop = Out("T ...")
    strides = Attr(ints)
    rates = Attr(ints)
    padding = Attr(allowed="SAME VALID")
    T = REALS

    def demands(self, sizes: Any) -> tuple[Windows, Any]:
        found = super().demands(sizes)
        self.demand_output(sizes, found, self.out_backprop)
        return found

    def infer(self) -> TensorSpec:
        return TensorSpec(self.input.shape, self.input.dtype)

    def eager(self, np: Any) -> Any:
        _, shape = self.found
        result = np.zeros(self.input.shape, self.input.dtype)
        if 0 in shape:
            return result
        np.add.at(result, self.winners(np)[0], self.out_backprop)
        return result

    def xla(self, xla: Any) -> Any:
        _, shape = self.found
        result = xla.np.zeros(self.input.shape, self.input.dtype)
        if 0 in shape:
            return result
        return result.at[self.winners_in_xla(xla)[0]].add(self.out_backprop)

    def lower(self, loops: Any) -> Any:
        x, dy = self.input, loops.kept(self.out_backprop)
        (_, shape), columns = self.found, self.filter.shape[1]
        winners, look = self.lowered_winners(loops)
        zero = loops.constant(0, x.dtype)

        def position(*index: Any) -> Any:
            number = winners[index]
            _, places = look(index, (number // columns, number % columns))
            return (index[0], *places, index[3])

        target = loops.map(x.shape, x.dtype, lambda *_: zero)
        return loops.scatter("add", target, shape, position, lambda *index: dy[index])

    def vjp(self, din_backprop: Any) -> Any:
        return ZERO, ZERO, lambda: self.picked(din_backprop, zeros_like(self.filter))


class Dilation2DBackpropFilter(Morphology):
    """The gradient of Dilation2D by the filter."""

    native_from = SLOW

    input = In("T ...")
    filter = In("T ...")
    out_backprop = In("T ...")
    filter_backprop = Out("T ...")
    strides = Attr(ints)
    rates = Attr(ints)
    padding = Attr(allowed="SAME VALID")
    T = REALS

    def demands(self, sizes: Any) -> tuple[Windows, Any]:
        found = super().demands(sizes)
        self.demand_output(sizes, found, self.out_backprop)
        return found

    def infer(self) -> TensorSpec:
        return TensorSpec(self.filter.shape, self.filter.dtype)

    def eager(self, np: Any) -> Any:
        _, shape = self.found
        result = np.zeros(self.filter.shape, self.filter.dtype)
        if 0 in shape:
            return result
        np.add.at(result, self.winners(np)[1], self.out_backprop)
        return result

    def xla(self, xla: Any) -> Any:
        _, shape = self.found
        result = xla.np.zeros(self.filter.shape, self.filter.dtype)
        if 0 in shape:
            return result
        return result.at[self.winners_in_xla(xla)[1]].add(self.out_backprop)

    def lower(self, loops: Any) -> Any:
        filter, dy = self.filter, loops.kept(self.out_backprop)
        (_, shape), columns = self.found, filter.shape[1]
        winners, _ = self.lowered_winners(loops)
        zero = loops.constant(0, filter.dtype)

        def position(*index: Any) -> Any:
            number = winners[index]
            return (number // columns, number % columns, index[3])

        target = loops.map(filter.shape, filter.dtype, lambda *_: zero)
        return loops.scatter("add", target, shape, position, lambda *index: dy[index])

    def vjp(self, dfilter_backprop: Any) -> Any:
        return ZERO, ZERO, lambda: self.picked(zeros_like(self.input), dfilter_backprop)


class Dilation2DTangent(Morphology):
    """How the largest sums change along directions: what these have where the largest ones are."""

    input = In("T ...")
    filter = In("T ...")
    dinput = In("T ...")
    dfilter = In("T ...")
    doutput = Out("T ...")
    strides = Attr(ints)
    rates = Attr(ints)
    padding = Attr(allowed="SAME VALID")
    origin = Origin.GRAPHS
    T = REALS

    def demands(self, sizes: Any) -> tuple[Windows, Any]:
        for operand, rank, direction in (
            (self.input, 4, self.dinput), (self.filter, 3, self.dfilter),
        ):  # fmt: skip
            have, want = sizes.shape(direction, rank), sizes.shape(operand, rank)
            sizes.alike(have, want, ShapeMismatchError, OTHER_DIRECTION, self.name)
        return super().demands(sizes)

    def infer(self) -> TensorSpec:
        return TensorSpec(dims(self.found[1]), self.input.dtype)

    def eager(self, np: Any) -> Any:
        shape = self.found[1]
        if 0 in shape or not self.filter.size:
            return np.zeros(shape, self.input.dtype)
        places, taps = self.winners(np)
        return self.dinput[places] + self.dfilter[taps]

    def xla(self, xla: Any) -> Any:
        shape = self.found[1]
        if 0 in shape or not self.filter.size:
            return xla.np.zeros(shape, self.input.dtype)
        places, taps = self.winners_in_xla(xla)
        return self.dinput[places] + self.dfilter[taps]

    def lower(self, loops: Any) -> Any:
        dx, dfilter = loops.kept(self.dinput), loops.kept(self.dfilter)
        (_, shape), columns = self.found, self.filter.shape[1]
        winners, look = self.lowered_winners(loops)

        def element(*index: Any) -> Any:
            number = winners[index]
            tap = number // columns, number % columns
            _, places = look(index, tap)
            return dx[(index[0], *places, index[3])] + dfilter[(*tap, index[3])]

        return loops.map(shape, dx.dtype, element)

    def vjp(self, ddoutput: Any) -> Any:
        operands, attrs = (self.input, self.filter, ddoutput), self.attr_values()
        return (
            ZERO,
            ZERO,
            lambda: bind(Dilation2DBackpropInput, *operands, **attrs),
            lambda: bind(Dilation2DBackpropFilter, *operands, **attrs),
        )


# ---------------------------------------------------------------- functions


@dispatchable
def dilation2d(
    input: Any,
    filters: Any,
    strides: Sequence[int],
    padding: str,
    data_format: str,
    dilations: Sequence[int],
    name: str | None = None,
) -> Any:
    """The largest sum of an image and a filter in every window: grey-scale dilation.

    Args:
        input: real numbers [n, height, width, depth].
        filters: [rows, columns, depth], of the same dtype.
        strides, dilations: how far windows are apart, and what they see: [1, rows, columns, 1].
        padding: "SAME" or "VALID". Beyond the image there is nothing.
        data_format: "NHWC".

    Returns:
        [n, rows, columns, depth], with gradients by both.

    >>> x = tf.reshape([1.0, 5.0, 2.0], [1, 1, 3, 1])
    >>> ones = [1, 1, 1, 1]
    >>> tf.nn.dilation2d(x, tf.zeros([1, 3, 1]), ones, "SAME", "NHWC", ones)[0, 0, :, 0].numpy()
    array([5., 5., 5.], dtype=float32)

    Raises:
        ValueError: another format.
        InvalidArgumentError: the shapes do not go together, or another padding.
        UnimplementedError: strides or dilations of batch or depth.
    """
    _require_format(data_format)
    return bind(
        Dilation2D, input, filters, strides=tuple(strides), rates=tuple(dilations),
        padding=padding, name=name,
    )  # fmt: skip


@dispatchable
def erosion2d(
    value: Any,
    filters: Any,
    strides: Sequence[int],
    padding: str,
    data_format: str,
    dilations: Sequence[int],
    name: str | None = None,
) -> Any:
    """The smallest difference of an image and a filter in every window: grey-scale erosion, which
    is the dilation of what is below the image. Arguments are those of `dilation2d`.

    >>> x = tf.reshape([1.0, 5.0, 2.0], [1, 1, 3, 1])
    >>> ones = [1, 1, 1, 1]
    >>> tf.nn.erosion2d(x, tf.zeros([1, 3, 1]), ones, "SAME", "NHWC", ones)[0, 0, :, 0].numpy()
    array([1., 1., 2.], dtype=float32)

    Raises:
        ValueError: another format.
        InvalidArgumentError: the shapes do not go together, or another padding.
        UnimplementedError: strides or dilations of batch or depth.
    """
    _require_format(data_format)
    dilated = bind(
        Dilation2D, negative(as_tensor(value)), reverse(filters, [0, 1]), strides=tuple(strides),
        rates=tuple(dilations), padding=padding,
    )  # fmt: skip
    return negative(dilated, name=name)


def _require_format(data_format: str) -> None:
    if data_format != "NHWC":
        raise ValueError(f"`data_format` must be 'NHWC', got {data_format!r}")
