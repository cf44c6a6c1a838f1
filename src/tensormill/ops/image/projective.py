"""Images seen through projective transformations."""

from __future__ import annotations

from typing import Any

import numpy as numpy_module

from ...core import dtypes
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, ShapeMismatchError
from ..array.shapes import reshape, shape_of
from ..bind import bind
from ..demands import dims, either, refuse
from ..op import Attr, In, Op, Out, as_eager, types
from ..sizes import scalar

NO_TRANSFORM = "{}: Input transform should be num_images x 8 or 1 x 8: {} x {}"
NO_SIZE = "{}: output_shape must hold two numbers: {} is not 2"
FILL_MODES = ("REFLECT", "WRAP", "CONSTANT", "NEAREST")
TRANSFORMED = types("u8 i32 i64 f16 bf16 f32 f64")


class ImageProjectiveTransformV3(Op):
    """The element at (x, y) of the result is that of the image at
    ((a0 x + a1 y + a2) / k, (b0 x + b1 y + b2) / k), where k = c0 x + c1 y + 1.

    images: [n, height, width, channels]; transforms: [n or 1, 8], rows a0 a1 a2 b0 b1 b2 c0 c1;
    output_shape: [height, width]. interpolation: "NEAREST" or "BILINEAR". fill_mode: what lies
    beyond the borders.
    """

    images = In("dtype n h w c")
    transforms = In("f32 m 8")
    output_shape = In("i32 2")
    fill_value = In("f32")
    transformed_images = Out("dtype ...")
    interpolation = Attr(str)
    fill_mode = Attr("CONSTANT")
    dtype = TRANSFORMED
    xla = as_eager

    def demands(self, sizes: Any) -> Any:
        """The height and width of the result."""
        if self.interpolation not in ("NEAREST", "BILINEAR"):
            refuse(InvalidArgumentError, "Invalid interpolation {}", self.interpolation)
        if self.fill_mode not in FILL_MODES:
            refuse(InvalidArgumentError, "Invalid fill mode {}", self.fill_mode)
        images, (rows, width) = sizes.shape(self.images, 4), sizes.shape(self.transforms, 2)
        one_each = either(sizes.equal(rows, images[0]), sizes.equal(rows, 1))
        fits = sizes.equal(width, 8) & one_each
        sizes.require_late(fits, ShapeMismatchError, NO_TRANSFORM, self.name, rows, width)
        wanted = sizes.numbers(self.output_shape)
        sizes.require(len(wanted) == 2, ShapeMismatchError, NO_SIZE, self.name, len(wanted))
        return sizes.possible_late(wanted)

    def infer(self) -> TensorSpec:
        images = self.images.shape.entries or (None,) * 4
        height, width = (None, None) if self.found is None else dims(self.found)
        return TensorSpec((images[0], height, width, images[3]), self.images.dtype)

    def eager(self, np: Any) -> Any:
        height, width = self.found
        shape = (self.images.shape[0], height, width, self.images.shape[3])
        if 0 in shape:
            return np.empty(shape, self.images.dtype)
        x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
        t = self.transforms[:, None, None, :]
        with numpy_module.errstate(all="ignore"):
            depth = t[..., 6] * x + t[..., 7] * y + np.float32(1)
            across = (t[..., 0] * x + t[..., 1] * y + t[..., 2]) / depth
            down = (t[..., 3] * x + t[..., 4] * y + t[..., 5]) / depth
        found = self.sampled(np, across, down)
        fill = np.asarray(self.fill_value, self.images.dtype)
        return np.where((depth == 0)[..., None], fill, found).astype(self.images.dtype)

    def sampled(self, np: Any, across: Any, down: Any) -> Any:
        _, height, width, _ = self.images.shape
        with numpy_module.errstate(all="ignore"):
            x, y = (
                mapped(np, across, width, self.fill_mode),
                mapped(np, down, height, self.fill_mode),
            )
            if self.interpolation == "NEAREST":
                return self.read(np, nearest(np, y), nearest(np, x))
            top, left = np.floor(y), np.floor(x)
            right, bottom = (x - left)[..., None], (y - top)[..., None]
            rows = [
                (1 - right) * self.read(np, row, left) + right * self.read(np, row, left + 1)
                for row in (top, top + 1)
            ]
            return (1 - bottom) * rows[0] + bottom * rows[1]

    def read(self, np: Any, row: Any, column: Any) -> Any:
        """The elements there; the fill value beyond the borders."""
        n, height, width, channels = self.images.shape
        shape = np.broadcast_shapes(row.shape, (n, 1, 1))
        fill = np.asarray(self.fill_value, self.images.dtype)
        if not height * width:
            return np.broadcast_to(fill, (*shape, channels))
        row, column = np.broadcast_to(row, shape), np.broadcast_to(column, shape)
        inside = (row >= 0) & (row < height) & (column >= 0) & (column < width)
        i = np.where(inside, row, 0).astype(np.int64)
        j = np.where(inside, column, 0).astype(np.int64)
        found = self.images[np.arange(n)[:, None, None], i, j]
        return np.where(inside[..., None], found, fill)

    def lower(self, loops: Any) -> Any:
        x, t, s = loops.kept(self.images), loops.kept(self.transforms), loops.scalars
        fill = s.cast(self.fill_value[()], x.dtype)
        (height, width), single = self.found, loops.constant(0, dtypes.int64)

        def read(n: Any, row: Any, column: Any, c: Any) -> Any:
            i, j = (s.cast(one, dtypes.int64) for one in (row, column))
            inside = (row >= 0) & (i < x.shape[1]) & (column >= 0) & (j < x.shape[2])
            place = [
                s.maximum(s.minimum(one, scalar(loops, size - 1)), single)
                for one, size in ((i, x.shape[1]), (j, x.shape[2]))
            ]
            return s.where(inside, x[(n, *place, c)], fill)

        def element(n: Any, i: Any, j: Any, c: Any) -> Any:
            row = s.minimum(n, scalar(loops, t.shape[0] - 1))
            a = [t[(row, k)] for k in range(8)]
            at_x, at_y = (s.cast(one, dtypes.float32) for one in (j, i))
            depth = a[6] * at_x + a[7] * at_y + loops.constant(1, dtypes.float32)
            across = (a[0] * at_x + a[1] * at_y + a[2]) / depth
            down = (a[3] * at_x + a[4] * at_y + a[5]) / depth
            column = lowered_mapped(loops, across, x.shape[2], self.fill_mode)
            line = lowered_mapped(loops, down, x.shape[1], self.fill_mode)
            found = self.between(loops, read, n, line, column, c, x.dtype)
            return s.where(depth == 0, fill, found)

        return loops.map((x.shape[0], height, width, x.shape[3]), x.dtype, element)

    def between(self, loops: Any, read: Any, n: Any, y: Any, x: Any, c: Any, dtype: Any) -> Any:
        s = loops.scalars
        if self.interpolation == "NEAREST":
            return read(n, lowered_nearest(loops, y), lowered_nearest(loops, x), c)
        wide = dtypes.float64 if dtype is dtypes.float64 else dtypes.float32
        one = loops.constant(1, dtypes.float32)
        top, left = s.floor(y), s.floor(x)
        right, bottom = (s.cast(part, wide) for part in (x - left, y - top))
        rest = loops.constant(1, wide)
        rows: list[Any] = []
        for row in (top, top + one):
            first, second = (s.cast(read(n, row, column, c), wide) for column in (left, left + one))
            rows.append((rest - right) * first + right * second)
        return s.cast((rest - bottom) * rows[0] + bottom * rows[1], dtype)

    def vjp(self, doutput: Any) -> Any:
        """As TensorFlow has it: the gradient, seen through the inverse transformation."""
        from ..array.fill import ones_like, zeros
        from ..linalg.solving import inv

        t = self.transforms
        from ..array.concatenation import concat

        matrices = reshape(concat([t, ones_like(t[:, :1])], 1), [-1, 3, 3])
        flat = reshape(inv(matrices), [-1, 9])
        back = (flat / flat[:, 8:9])[:, :8]
        dimages = bind(
            ImageProjectiveTransformV3, doutput, back, shape_of(self.images)[1:3],
            zeros([], dtypes.float32), interpolation=self.interpolation, fill_mode=self.fill_mode,
        )  # fmt: skip
        return dimages, None, None, None


class ImageProjectiveTransformV2(Op):
    """ImageProjectiveTransformV3 with zeros beyond the borders."""

    images = In("dtype n h w c")
    transforms = In("f32 m 8")
    output_shape = In("i32 2")
    transformed_images = Out("dtype ...")
    interpolation = Attr(str)
    fill_mode = Attr("CONSTANT")
    dtype = TRANSFORMED

    def infer(self) -> TensorSpec:
        images, size = (
            self.images.shape.entries or (None,) * 4,
            self.output_shape.as_shape().entries,
        )
        return TensorSpec((images[0], *(size or (None, None)), images[3]), self.images.dtype)

    def expand(self) -> Any:
        from ..array.fill import zeros

        return bind(
            ImageProjectiveTransformV3, self.images, self.transforms, self.output_shape,
            zeros([], dtypes.float32), interpolation=self.interpolation, fill_mode=self.fill_mode,
        )  # fmt: skip


def nearest(np: Any, place: Any) -> Any:
    """The nearest whole number; halves away from zero."""
    half = np.float32(0.5)
    return np.where(place < 0, np.ceil(place - half), np.floor(place + half))


def lowered_nearest(loops: Any, place: Any) -> Any:
    """The same of a float32 scalar."""
    s, half = loops.scalars, loops.constant(0.5, dtypes.float32)
    below = place < loops.constant(0, dtypes.float32)
    return s.where(below, s.ceil(place - half), s.floor(place + half))


def mapped(np: Any, place: Any, size: int, mode: str) -> Any:
    """A place beyond the borders as one within them."""
    if mode == "CONSTANT":
        return place
    last = np.float32(size - 1)
    if mode == "NEAREST":
        return np.clip(place, 0, last)
    if size <= 1:
        return np.zeros_like(place)
    if mode == "WRAP":
        return _wrapped(np, place, size)
    return _reflected(np, place, size)


def _wrapped(np: Any, place: Any, size: int) -> Any:
    whole = np.float32(size - 1)
    length = np.float32(size)
    low = place + length * (np.trunc(-place / whole) + np.float32(1))
    high = place - length * np.trunc(place / whole)
    result = np.where(place < 0, low, np.where(place > whole, high, place))
    return np.clip(result, 0, whole)


def _reflected(np: Any, place: Any, size: int) -> Any:
    twice, last = np.float32(2 * size), np.float32(size - 1)
    low = np.where(place < -twice, twice * np.trunc(-place / twice) + place, place)
    low = np.where(low < -np.float32(size), low + twice, -low - np.float32(1))
    high = place - twice * np.trunc(place / twice)
    high = np.where(high >= size, twice - high - np.float32(1), high)
    return np.clip(np.where(place < 0, low, np.where(place > last, high, place)), 0, last)


def lowered_mapped(loops: Any, place: Any, size: Any, mode: str) -> Any:
    """`mapped` of a float32 scalar."""
    if mode == "CONSTANT":
        return place
    s = loops.scalars
    zero, one = (loops.constant(k, dtypes.float32) for k in (0, 1))
    whole = s.cast(scalar(loops, size), dtypes.float32)
    last = whole - one

    def clipped(value: Any) -> Any:
        return s.maximum(s.minimum(value, last), zero)

    def trunc(value: Any) -> Any:
        return s.where(value < zero, s.ceil(value), s.floor(value))

    if mode == "NEAREST":
        return clipped(place)
    if mode == "WRAP":
        low = place + whole * (trunc(-place / last) + one)
        high = place - whole * trunc(place / last)
    else:
        twice = whole + whole
        low = s.where(place < -twice, twice * trunc(-place / twice) + place, place)
        low = s.where(low < -whole, low + twice, -low - one)
        high = place - twice * trunc(place / twice)
        high = s.where(high >= whole, twice - high - one, high)
    moved = clipped(s.where(place < zero, low, s.where(place > last, high, place)))
    return s.where(last <= zero, zero, moved)
