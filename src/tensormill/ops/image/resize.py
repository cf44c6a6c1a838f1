"""Images in other sizes.

Along each axis an element of the result is a weighted sum of neighbours in the image: resizing is
two sums over windows. The two cheapest ways, nearest and bilinear, read their elements directly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from ...core import context, dtypes
from ...core.native_operations import CHANNELS, FEW, MANY
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, ResourceExhaustedError, ShapeMismatchError
from ..array.shapes import shape_of
from ..bind import bind
from ..conversion import static_value
from ..demand_readers import EAGER
from ..demands import refuse
from ..math.cast import cast
from ..op import FLOATS, REALS, Attr, In, Op, Out, as_eager, types
from ..sizes import choose, scalar
from .resize_windows import (
    area_windows,
    cubic_windows,
    linear_windows,
    nearest_windows,
    sampled_windows,
)
from .windows import resampled, spread

FEW_CHANNELS = 8  # of a picture: more fill vectors by themselves
IMAGES = REALS - types("u32 u64")


class Resizing(Op, abstract=True):
    """`images` [n, height, width, channels] in `size` [height, width]."""

    native_from = MANY
    native_axes = CHANNELS

    images = In("T ...")
    size = In("i32 2")
    align_corners = Attr(False)
    T = IMAGES

    def demands(self, sizes: Any) -> Any:
        """The height and width of the result."""
        return demand_size(sizes, self)

    def result(self, dtype: Any) -> TensorSpec:
        """The spec of the result."""
        x, size = self.images.shape.entries or (None,) * 4, self.size.as_shape().entries
        height, width = size if size is not None and len(size) == 2 else (None, None)
        return TensorSpec((x[0], height, width, x[3]), dtype)

    def flags(self) -> tuple[bool, bool]:
        """Whether corners are aligned, and whether pixels have their centres at halves."""
        return self.align_corners, getattr(self, "half_pixel_centers", False)

    def require_memory(self, size: Any) -> None:
        """Refuse, eagerly, a result that memory cannot hold."""
        x = self.images.shape
        require_memory((x[0], *size, x[3]), self.images.dtype)

    def summed(self, windows: Any) -> Any:
        """The sums over windows, which `windows(size, own, *flags)` gives for height and width."""
        require_room(self.images, self.size)
        own = shape_of(self.images)
        rows, columns = (windows(self.size[k], own[k + 1], *self.flags()) for k in (0, 1))
        return resampled(cast(self.images, dtypes.float32), rows, columns)

    def spread(self, windows: Any, doutput: Any) -> Any:
        """The gradient of that with respect to images, None where they are no floats."""
        if not self.images.dtype.is_floating:
            return None
        own = shape_of(self.images)
        rows, columns = (windows(self.size[k], own[k + 1], *self.flags()) for k in (0, 1))
        return cast(spread(doutput, rows, columns, own[1:3]), self.images.dtype)


def demand_size(sizes: Any, op: Any) -> tuple[Any, ...]:
    """The height and width that `size` gives to images, which have at least one pixel each."""
    shape, size = sizes.shape(op.images, 4), sizes.shape(op.size, 1)
    if len(shape) != 4:
        refuse(ShapeMismatchError, NO_IMAGES, op.name, shape)
    fits = sizes.equal(size[0], 2) if len(size) == 1 else False
    sizes.require(fits, ShapeMismatchError, NO_SIZE, op.name, size)
    wanted = sizes.numbers(op.size, 2)
    for one in (*shape[1:3], *wanted):
        sizes.require_late(one > 0, ShapeMismatchError, NOT_POSITIVE, op.name, one)
    sizes.require_late(shape[3] > 0, ShapeMismatchError, NO_CHANNEL, op.name)
    return sizes.possible_late(wanted)


def demand_scale(sizes: Any, op: Any) -> None:
    """Refuse images of no size, or of a negative one."""
    sizes.each(op.scale, lambda one: one > 0, InvalidArgumentError, NO_SCALE, op.name)


NO_SCALE = "{}: Scale must be greater than zero, and scale{at} is {it}"
NO_IMAGES = "{}: input must be 4-dimensional {} (Shape must be rank 4)"
NO_SIZE = "{}: shape_t must be 1-dimensional with 2 elements, not {}"
NO_CHANNEL = "{}: image must have at least one channel"
NOT_POSITIVE = "{}: image and output dimensions must be positive: {}"


def require_memory(sizes: Sequence[int], dtype: Any) -> None:
    """Refuse at once a result for which there is no room, before long preparations for it.

    Raises:
        InvalidArgumentError: no tensor can have these sizes.
        ResourceExhaustedError: there is no memory for an array of this NumPy dtype.
    """
    EAGER.possible(sizes)
    try:
        numpy.empty(sizes, dtype)  # the system gives addresses only: nothing is written
    except (MemoryError, ValueError):
        raise ResourceExhaustedError(
            f"OOM when allocating tensor with shape {list(sizes)} and type {numpy.dtype(dtype)}"
        ) from None


def require_room(images: Any, size: Any) -> None:
    """Refuse, eagerly, a result that memory cannot hold before weights are made for it."""
    if context.building_graph():
        return
    dims, known = images.shape.entries, static_value(size)
    height, width = (0, 0) if known is None else known.tolist()
    if height > 0 and width > 0:
        require_memory((dims[0], height, width, dims[3]), dtypes.float32.storage)


# ---------------------------------------------------------------- nearest


class ResizeNearestNeighbor(Resizing):
    """Every element of the result is the nearest one of the image."""

    resized_images = Out("T ...")
    half_pixel_centers = Attr(False)
    xla = as_eager

    def infer(self) -> TensorSpec:
        return self.result(self.images.dtype)

    def eager(self, np: Any) -> Any:
        size = self.found
        self.require_memory(size)
        rows, columns = (
            nearest_places(np, out, own, *self.flags())
            for out, own in zip(size, self.images.shape[1:3], strict=True)
        )
        return self.images[:, rows][:, :, columns]

    def lower(self, loops: Any) -> Any:
        x, size, s = self.images, self.found, loops.scalars
        align, half = self.flags()

        def place(index: Any, out: Any, own: Any) -> Any:
            scale = lowered_scale(loops, out, own, align)
            at = s.cast(index, dtypes.float32)
            at = (at + loops.constant(0.5, dtypes.float32)) * scale if half else at * scale
            nearest = s.floor(at + loops.constant(0.5, dtypes.float32)) if align else s.floor(at)
            return within(loops, s.cast(nearest, dtypes.int64), own)

        def element(n: Any, i: Any, j: Any, c: Any) -> Any:
            return x[(n, place(i, size[0], x.shape[1]), place(j, size[1], x.shape[2]), c)]

        return loops.view((x.shape[0], *size, x.shape[3]), x.dtype, element)

    def vjp(self, doutput: Any) -> Any:
        own = shape_of(self.images)[1:3]
        return bind(ResizeNearestNeighborGrad, doutput, own, **self.attr_values()), None


def nearest_places(np: Any, out: int, own: int, align: bool, half: bool) -> Any:
    scale = np.float32((own - 1) / (out - 1)) if align and out > 1 else np.float32(own / out)
    at = np.arange(out, dtype=np.float32)
    at = (at + np.float32(0.5)) * scale if half else at * scale
    nearest = np.floor(at + np.float32(0.5)) if align else np.floor(at)
    return np.clip(nearest.astype(np.int64), 0, own - 1)


def lowered_scale(loops: Any, out: Any, own: Any, align: bool) -> Any:
    """How many elements of the image one of the result stands for, as a float32 scalar."""
    s, one = loops.scalars, loops.constant(1, dtypes.int64)
    wide = [s.cast(scalar(loops, size), dtypes.float32) for size in (own, out)]
    plain = wide[0] / wide[1]
    if not align:
        return plain
    inner = [
        s.cast(s.maximum(scalar(loops, size) - 1, one if k else one - 1), dtypes.float32)
        for k, size in enumerate((own, out))
    ]
    aligned = inner[0] / inner[1]
    return (
        choose(loops, out > 1, aligned, plain)
        if not isinstance(out, int)
        else (aligned if out > 1 else plain)
    )


def within(loops: Any, place: Any, size: Any) -> Any:
    s = loops.scalars
    last = scalar(loops, size - 1)
    return s.maximum(s.minimum(place, last), loops.constant(0, dtypes.int64))


NO_ORIGINAL = "ResizeNearestNeighborGrad: size{at} = {it} is not positive"


class ResizeNearestNeighborGrad(Op):
    """The gradient of ResizeNearestNeighbor, for images of `size`."""

    grads = In("T n h w c")
    size = In("i32 2")
    output = Out("T ...")
    align_corners = Attr(False)
    half_pixel_centers = Attr(False)
    T = FLOATS | types("u8 i8 i32")

    def infer(self) -> TensorSpec:
        dims, size = self.grads.shape.entries or (None,) * 4, self.size.as_shape().entries
        return TensorSpec((dims[0], *(size or (None, None)), dims[3]), self.grads.dtype)

    def demands(self, sizes: Any) -> None:
        sizes.each(self.size, lambda one: one > 0, InvalidArgumentError, NO_ORIGINAL)

    def expand(self) -> Any:
        given, size = shape_of(self.grads), self.size
        flags = self.align_corners, self.half_pixel_centers
        rows, columns = (nearest_windows(given[k + 1], size[k], *flags) for k in (0, 1))
        dx = spread(cast(self.grads, dtypes.float32), rows, columns, size)
        return cast(dx, self.grads.dtype)


# ---------------------------------------------------------------- bilinear


class ResizeBilinear(Resizing):
    """Between the four nearest elements, in proportion; the result is float32."""

    resized_images = Out("f32 ...")
    half_pixel_centers = Attr(False)
    xla = as_eager

    def infer(self) -> TensorSpec:
        return self.result(dtypes.float32)

    def eager(self, np: Any) -> Any:
        size, x = self.found, self.images.astype(np.float32, copy=False)
        self.require_memory(size)
        for axis, out in enumerate(size, 1):
            low, high, part = linear_places(np, out, x.shape[axis], *self.flags())
            shaped = part.reshape(-1, *(1,) * (3 - axis))
            first, second = np.take(x, low, axis), np.take(x, high, axis)
            x = first + (second - first) * shaped
        return x

    def lower(self, loops: Any) -> Any:
        x, size, s = loops.kept(self.images), self.found, loops.scalars
        tables = [
            lowered_linear_places(loops, size[k], x.shape[k + 1], *self.flags()) for k in (0, 1)
        ]
        if isinstance(x.shape[3], int) and x.shape[3] <= FEW_CHANNELS:
            return loops.interpolate(x, *tables)
        rows, columns = tables

        def element(n: Any, i: Any, j: Any, c: Any) -> Any:
            (top, bottom, down), (left, right, across) = (
                [one[k,] for one in table] for table, k in ((rows, i), (columns, j))
            )

            def between(column: Any) -> Any:
                first, second = (
                    s.cast(x[(n, k, column, c)], dtypes.float32) for k in (top, bottom)
                )
                return first + (second - first) * down

            before, after = between(left), between(right)
            return before + (after - before) * across

        return loops.map((x.shape[0], *size, x.shape[3]), dtypes.float32, element)

    def vjp(self, doutput: Any) -> Any:
        if not self.images.dtype.is_floating:
            return None, None
        return bind(ResizeBilinearGrad, doutput, self.images, **self.attr_values()), None


def linear_places(np: Any, out: int, own: int, align: bool, half: bool) -> tuple[Any, Any, Any]:
    """The two nearest elements, and how far it is from the first."""
    scale = np.float32((own - 1) / (out - 1)) if align and out > 1 else np.float32(own / out)
    at, middle = np.arange(out, dtype=np.float32), np.float32(0.5)
    at = (at + middle) * scale - middle if half else at * scale
    low = np.floor(at)
    first, second = (one.astype(np.int64).clip(0, own - 1) for one in (low, np.ceil(at)))
    return first, second, at - low


def lowered_linear_places(
    loops: Any, out: Any, own: Any, align: bool, half: bool
) -> tuple[Any, Any, Any]:
    """The same in compiled code, as vectors that all rows share: they would find them again."""
    s, middle = loops.scalars, loops.constant(0.5, dtypes.float32)

    def place(index: Any) -> tuple[Any, Any, Any]:
        at, scale = s.cast(index, dtypes.float32), lowered_scale(loops, out, own, align)
        at = (at + middle) * scale - middle if half else at * scale
        low = s.floor(at)
        return (
            within(loops, s.cast(low, dtypes.int64), own),
            within(loops, s.cast(s.ceil(at), dtypes.int64), own),
            at - low,
        )

    def column(part: int, dtype: Any) -> Any:
        return loops.kept(loops.map((out,), dtype, lambda index: place(index)[part]))

    return column(0, dtypes.int64), column(1, dtypes.int64), column(2, dtypes.float32)


class ResizeBilinearGrad(Op):
    """The gradient of ResizeBilinear, for images like `original_image`."""

    native_from = MANY

    grads = In("f32 n h w c")
    original_image = In("T n a b c")
    output = Out("T n a b c")
    align_corners = Attr(False)
    half_pixel_centers = Attr(False)
    T = FLOATS

    def expand(self) -> Any:
        given, own = shape_of(self.grads), shape_of(self.original_image)
        flags = self.align_corners, self.half_pixel_centers
        rows, columns = (linear_windows(given[axis], own[axis], *flags) for axis in (1, 2))
        return cast(spread(self.grads, rows, columns, own[1:3]), self.original_image.dtype)


# ---------------------------------------------------------------- cubic, area


class ResizeBicubic(Resizing):
    """A cubic polynomial through the sixteen nearest elements; the result is float32."""

    resized_images = Out("f32 ...")
    half_pixel_centers = Attr(False)
    native_from = FEW

    def infer(self) -> TensorSpec:
        return self.result(dtypes.float32)

    def expand(self) -> Any:
        return self.summed(cubic_windows)

    def vjp(self, doutput: Any) -> Any:
        return self.spread(cubic_windows, doutput), None


class ResizeArea(Resizing):
    """The mean of what the image has in the place of every element; the result is float32."""

    resized_images = Out("f32 ...")
    native_from = FEW

    def infer(self) -> TensorSpec:
        return self.result(dtypes.float32)

    def expand(self) -> Any:
        return self.summed(area_windows)

    def vjp(self, doutput: Any) -> Any:
        return self.spread(area_windows, doutput), None


class ScaleAndTranslate(Op):
    """Images sampled with a kernel: `scale` and `translation` tell where, for height and width."""

    native_from = FEW
    native_axes = CHANNELS

    images = In("T n h w c")
    size = In("i32 2")
    scale = In("f32 2")
    translation = In("f32 2")
    resized_images = Out("f32 ...")
    kernel_type = Attr("lanczos3")
    antialias = Attr(True)
    T = IMAGES

    def demands(self, sizes: Any) -> Any:
        demand_scale(sizes, self)
        return demand_size(sizes, self)

    def infer(self) -> TensorSpec:
        dims, size = self.images.shape.entries or (None,) * 4, self.size.as_shape().entries
        return TensorSpec((dims[0], *(size or (None, None)), dims[3]), dtypes.float32)

    def expand(self) -> Any:
        require_room(self.images, self.size)
        rows, columns = sampled_windows(self, shape_of(self.images), self.size)
        return resampled(cast(self.images, dtypes.float32), rows, columns)

    def vjp(self, doutput: Any) -> Any:
        if not self.images.dtype.is_floating:
            return (None,) * 4
        own = shape_of(self.images)
        dx = spread(doutput, *sampled_windows(self, own, self.size), own[1:3])
        return cast(dx, self.images.dtype), None, None, None
