"""Patches of images and volumes side by side in the channels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ...core.specs import TensorSpec
from ...errors import (
    InvalidArgumentError,
    OutOfRangeError,
    ShapeMismatchError,
    UnimplementedError,
)
from ..array.concatenation import concat
from ..array.fill import eye
from ..array.rearrangement import transpose
from ..array.shapes import reshape, shape_of
from ..bind import bind
from ..demands import dims
from ..dispatch.meanings import dispatchable
from ..in_xla.windows import seen_in_xla
from ..nn.convolution import Conv2DBackpropInput, Conv3DBackpropInputV2
from ..nn.depthwise_convolution import inside_or
from ..nn.windows import Windows, patches
from ..op import NUMBERS, REALS, Attr, In, Op, Out, ints, types


class Extracting(Op, abstract=True):
    """What every window sees, as channels: in row-major order, channels last."""

    padding: Any
    ksizes: Any
    strides: Any

    rates: Any = None
    form = ""

    def images_field(self) -> Any:
        return getattr(self, self.inputs[0].name)

    def windows(self) -> Windows:
        rates = self.rates or (1,) * len(self.form)
        if self.padding not in ("SAME", "VALID"):
            raise InvalidArgumentError(
                f"{self.name}: Value for attr 'padding' of \"{self.padding}\" is not in the list "
                'of allowed values: "SAME", "VALID"'
            )
        parts = (("ksizes", self.ksizes), ("strides", self.strides), ("rates", rates))
        kernel, strides, dilations = (
            across_space(self.name, name, values, len(self.form)) for name, values in parts
        )
        return Windows(kernel, strides, dilations, self.padding)

    def demands(self, sizes: Any) -> Any:
        rank, windows = len(self.form), self.windows()
        x = sizes.shape(self.images_field(), rank)
        message = "{}: input must be {}-dimensional {} (Shape must be rank {})"
        sizes.require(len(x) == rank, ShapeMismatchError, message, self.name, rank, x, rank)
        counts = windows.demand_room(sizes, self.name, x[1:-1], False)
        return windows, (x[0], *counts, x[-1] * math.prod(windows.kernel))

    def infer(self) -> TensorSpec:
        _, shape = self.found
        return TensorSpec(dims(shape), self.images_field().dtype)

    def eager(self, np: Any) -> Any:
        windows, shape = self.found
        return patches(np, self.images_field(), windows).reshape(shape)

    def xla(self, xla: Any) -> Any:
        windows, shape = self.found
        return seen_in_xla(xla, self.images_field(), windows).reshape(shape)

    def lower(self, loops: Any) -> Any:
        x, (windows, shape) = loops.kept(self.images_field()), self.found
        befores = windows.befores(loops, x.shape[1:-1])
        depth, zero = x.shape[-1], loops.constant(0, x.dtype)

        def element(n: Any, *rest: Any) -> Any:
            *window, place = rest
            channel, tap = place % depth, place // depth
            own: list[Any] = []
            for axis in reversed(range(len(window))):
                size = windows.kernel[axis]
                step = tap % size * windows.dilations[axis]
                own.insert(0, window[axis] * windows.strides[axis] + step)
                tap = tap // size
            if windows.padding == "VALID":
                return x[(n, *own, channel)]
            return inside_or(loops, x, (n, *own, channel), befores, zero)

        return loops.view(shape, x.dtype, element)

    def vjp(self, doutput: Any) -> Any:
        """Extracting is a convolution with filters that look at one element each.

        Channels do not meet: each is an image of its own to them.
        """
        x, kernel = self.images_field(), self.windows().kernel
        taps = math.prod(kernel)
        sizes, counts = shape_of(x), shape_of(doutput)[:-1]
        depth, last = sizes[-1:], len(self.form) - 1
        back = transpose(
            reshape(doutput, concat([counts, [taps], depth], 0)),
            [0, last + 1, *range(1, last), last],
        )
        filters = reshape(eye(taps, dtype=x.dtype), [*kernel, 1, taps])
        op = Conv2DBackpropInput if len(self.form) == 4 else Conv3DBackpropInputV2
        images = sizes[:1] * depth
        dx = bind(
            op, concat([images, sizes[1:-1], [1]], 0), filters,
            reshape(back, concat([images, counts[1:], [taps]], 0)), strides=self.strides,
            padding=self.padding, dilations=tuple(self.rates or (1,) * len(self.form)),
        )  # fmt: skip
        apart = reshape(dx, concat([sizes[:1], depth, sizes[1:-1]], 0))
        return transpose(apart, [0, *range(2, last + 1), 1])


def across_space(name: str, what: str, values: Sequence[int], rank: int) -> tuple[int, ...]:
    """What is told for the axes of space; for batch and channels it is 1.

    Raises:
        ShapeMismatchError: there are not as many as axes.
        UnimplementedError: one of batch or channels is not 1.
        OutOfRangeError: one is not positive.
    """
    if len(values) != rank:
        raise ShapeMismatchError(
            f"{name}: {rank} numbers are needed for {what}, one for each axis, not {list(values)}"
        )
    first, *spatial, last = values
    if (first, last) != (1, 1):
        raise UnimplementedError(
            f"{name}: {what} go across space only: those of batch and channels are 1, not "
            f"{list(values)}"
        )
    if min(spatial) < 1:
        raise OutOfRangeError(f"{name}: {what} out of range, must be positive: {list(values)}")
    return tuple(spatial)


class ExtractImagePatches(Extracting):
    """Patches of images."""

    form = "NHWC"
    images = In("T ...")
    patches = Out("T ...")
    ksizes = Attr(ints)
    strides = Attr(ints)
    rates = Attr(ints)
    padding = Attr(str)
    T = NUMBERS | types("bool")


class ExtractVolumePatches(Extracting):
    """Patches of volumes."""

    form = "NDHWC"
    input = In("T ...")
    patches = Out("T ...")
    ksizes = Attr(ints)
    strides = Attr(ints)
    padding = Attr(str)
    T = REALS


@dispatchable
def extract_patches(
    images: Any, sizes: Any, strides: Any, rates: Any, padding: str, name: str | None = None
) -> Any:
    """Patches of `images`, flat in the channels.

    Args:
        images: numbers or booleans [n, height, width, channels].
        sizes, strides, rates: [1, rows, columns, 1]: how large patches are, how far apart, and
            how far apart the elements in a patch.
        padding: "SAME" or "VALID".

    Returns:
        [n, rows, columns, rows of a patch * columns of it * channels].

    >>> images = tf.reshape(tf.range(9), [1, 3, 3, 1])
    >>> one = [1, 1, 1, 1]
    >>> tf.image.extract_patches(images, [1, 2, 2, 1], one, one, "VALID")[0, 0].numpy()
    array([[0, 1, 3, 4],
           [1, 2, 4, 5]], dtype=int32)

    Raises:
        ShapeMismatchError: the rank is not 4, or sizes, strides or rates are not 4.
        UnimplementedError: one of them is not 1 for batch or channels.
        OutOfRangeError: one of them is not positive.
        TypeError: one of them is no list of integers.
        InvalidArgumentError: an unknown padding.
    """
    attrs = {"ksizes": sizes, "strides": strides, "rates": rates}
    listed = {key: _integers(key, value) for key, value in attrs.items()}
    return bind(ExtractImagePatches, images, padding=padding, name=name, **listed)


@dispatchable
def extract_volume_patches(
    input: Any, ksizes: Any, strides: Any, padding: str, name: str | None = None
) -> Any:
    """Patches of volumes, flat in the channels.

    Args:
        input: numbers [n, depth, height, width, channels].
        ksizes, strides: [1, planes, rows, columns, 1]: how large patches are, and how far apart.
        padding: "SAME" or "VALID".

    Returns:
        [n, planes, rows, columns, size of a patch * channels].

    >>> volumes = tf.reshape(tf.range(8), [1, 2, 2, 2, 1])
    >>> tf.extract_volume_patches(volumes, [1, 2, 2, 1, 1], [1] * 5, "VALID")[0, 0, 0].numpy()
    array([[0, 2, 4, 6],
           [1, 3, 5, 7]], dtype=int32)

    Raises:
        ShapeMismatchError: the rank is not 5, or ksizes or strides are not 5.
        UnimplementedError: one of them is not 1 for batch or channels.
        OutOfRangeError: one of them is not positive.
        TypeError: one of them is no list of integers.
        InvalidArgumentError: an unknown padding.
    """
    attrs = {"ksizes": ksizes, "strides": strides}
    listed = {key: _integers(key, value) for key, value in attrs.items()}
    return bind(ExtractVolumePatches, input, padding=padding, name=name, **listed)


def _integers(what: str, values: Any) -> tuple[int, ...]:
    try:
        return tuple(int(one) for one in values)
    except (TypeError, ValueError):
        raise TypeError(
            f"{what} of patches are a list of integers, one for each axis, not {values!r}"
        ) from None
