"""Images in other sizes.

Along each axis an element of the result is a weighted sum of elements of the image, so resizing is
two matrix products; the two cheapest ways, nearest and bilinear, read their elements directly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from ...core import context, dtypes
from ...core.native_operations import MANY
from ...core.specs import TensorSpec
from ...errors import ResourceExhaustedError, ShapeMismatchError
from ..array.fill import range as numbers
from ..array.fill import zeros_like
from ..array.rearrangement import transpose
from ..array.select import where
from ..array.shapes import reshape, shape_of
from ..bind import bind
from ..conversion import static_value
from ..demand_readers import EAGER
from ..demands import refuse
from ..linalg.matmul import matmul
from ..math.arithmetic import maximum, minimum
from ..math.cast import cast
from ..math.circular import sin
from ..math.comparison import equal, greater, greater_equal, less, less_equal, logical_and
from ..math.elementwise import ceil, exp, floor
from ..math.elementwise import round as rounded
from ..math.reduce import reduce_sum
from ..math.signs import abs
from ..op import FLOATS, REALS, Attr, In, Op, Out, as_eager, types
from ..sizes import choose, scalar

IMAGES = REALS - types("u32 u64")


class Resizing(Op, abstract=True):
    """`images` [n, height, width, channels] in `size` [height, width]."""

    native_from = MANY

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

    def matrices(self, weights: Any, shape: Any, size: Any) -> tuple[Any, Any]:
        """What to multiply with along height and width."""
        require_room(self.images, size)
        pairs = zip((1, 2), (0, 1), strict=True)
        rows, columns = (weights(size[k], shape[axis], *self.flags()) for axis, k in pairs)
        return rows, columns


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
    return sizes.possible_late(wanted)


NO_IMAGES = "{}: input must be 4-dimensional {} (Shape must be rank 4)"
NO_SIZE = "{}: shape_t must be 1-dimensional with 2 elements, not {}"
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

    def expand(self) -> Any:
        given, size = shape_of(self.grads), self.size
        flags = self.align_corners, self.half_pixel_centers
        rows, columns = (nearest_weights(given[k + 1], size[k], *flags) for k in (0, 1))
        wide = cast(self.grads, dtypes.float32)
        return cast(resampled(wide, transpose(rows), transpose(columns)), self.grads.dtype)


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
        align, half = self.flags()
        middle = loops.constant(0.5, dtypes.float32)

        def place(index: Any, out: Any, own: Any) -> Any:
            at, scale = s.cast(index, dtypes.float32), lowered_scale(loops, out, own, align)
            at = (at + middle) * scale - middle if half else at * scale
            low = s.floor(at)
            return (
                within(loops, s.cast(low, dtypes.int64), own),
                within(loops, s.cast(s.ceil(at), dtypes.int64), own),
                at - low,
            )

        def element(n: Any, i: Any, j: Any, c: Any) -> Any:
            top, bottom, down = place(i, size[0], x.shape[1])
            left, right, across = place(j, size[1], x.shape[2])

            def between(row: Any) -> Any:
                first, second = (s.cast(x[(n, row, k, c)], dtypes.float32) for k in (left, right))
                return first + (second - first) * across

            above, below = between(top), between(bottom)
            return above + (below - above) * down

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
        rows, columns = (linear_weights(given[axis], own[axis], *flags) for axis in (1, 2))
        dx = resampled(self.grads, transpose(rows), transpose(columns))
        return cast(dx, self.original_image.dtype)


# ---------------------------------------------------------------- cubic, area


class ResizeBicubic(Resizing):
    """A cubic polynomial through the sixteen nearest elements; the result is float32."""

    resized_images = Out("f32 ...")
    half_pixel_centers = Attr(False)

    def infer(self) -> TensorSpec:
        return self.result(dtypes.float32)

    def expand(self) -> Any:
        x = cast(self.images, dtypes.float32)
        return resampled(x, *self.matrices(cubic_weights, shape_of(x), self.size))


class ResizeArea(Resizing):
    """The mean of what the image has in the place of every element; the result is float32."""

    resized_images = Out("f32 ...")

    def infer(self) -> TensorSpec:
        return self.result(dtypes.float32)

    def expand(self) -> Any:
        x = cast(self.images, dtypes.float32)
        return resampled(x, *self.matrices(area_weights, shape_of(x), self.size))


class ScaleAndTranslate(Op):
    """Images sampled with a kernel: `scale` and `translation` tell where, for height and width."""

    native_from = MANY

    images = In("T n h w c")
    size = In("i32 2")
    scale = In("f32 2")
    translation = In("f32 2")
    resized_images = Out("f32 ...")
    kernel_type = Attr("lanczos3")
    antialias = Attr(True)
    T = IMAGES

    def demands(self, sizes: Any) -> Any:
        return demand_size(sizes, self)

    def infer(self) -> TensorSpec:
        dims, size = self.images.shape.entries or (None,) * 4, self.size.as_shape().entries
        return TensorSpec((dims[0], *(size or (None, None)), dims[3]), dtypes.float32)

    def expand(self) -> Any:
        require_room(self.images, self.size)
        x, own = cast(self.images, dtypes.float32), shape_of(self.images)
        rows, columns = (
            kernel_weights(
                self.size[k], own[k + 1], 1.0 / self.scale[k], self.translation[k],
                self.kernel_type, self.antialias,
            )
            for k in (0, 1)
        )  # fmt: skip
        return resampled(x, rows, columns)


# ---------------------------------------------------------------- weights: [result, image]


def resampled(x: Any, rows: Any, columns: Any) -> Any:
    """`x` [n, height, width, c] multiplied with matrices along height and width."""
    for axis, matrix in ((1, rows), (2, columns)):
        order = [0, 3 - axis, 3, axis]
        last = transpose(x, order)
        shape = shape_of(last)
        product = matmul(reshape(last, [-1, shape[3]]), matrix, transpose_b=True)
        whole = reshape(product, [shape[0], shape[1], shape[2], shape_of(matrix)[0]])
        back = [order.index(k) for k in (0, 1, 2, 3)]
        x = transpose(whole, back)
    return x


def scale_of(out: Any, own: Any, align: bool) -> Any:
    """How many elements of the image one of the result stands for."""
    out, own = cast(out, dtypes.float32), cast(own, dtypes.float32)
    if not align:
        return own / out
    return where(greater(out, 1.0), (own - 1.0) / maximum(out - 1.0, 1.0), own / out)


def counted(count: Any) -> Any:
    return cast(numbers(count), dtypes.float32)


def places_of(out: Any, own: Any, align: bool, half: bool) -> Any:
    """Where in the image the elements of the result are, as a column."""
    at, scale = counted(out), scale_of(out, own, align)
    at = (at + 0.5) * scale - 0.5 if half else at * scale
    return reshape(at, [-1, 1])


def marks(places: Any, own: Any) -> Any:
    """1 where a column of places says, else 0."""
    last = cast(own, dtypes.float32) - 1.0
    kept = maximum(minimum(places, last), 0.0)
    return cast(equal(kept, reshape(counted(own), [1, -1])), dtypes.float32)


def nearest_weights(out: Any, own: Any, align: bool, half: bool) -> Any:
    at = counted(out)
    at = (at + (0.5 if half else 0.0)) * scale_of(out, own, align)
    return marks(reshape(floor(at + 0.5 if align else at), [-1, 1]), own)


def linear_weights(out: Any, own: Any, align: bool, half: bool) -> Any:
    at = places_of(out, own, align, half)
    low = floor(at)
    part = at - low
    return marks(low, own) * (1.0 - part) + marks(ceil(at), own) * part


def cubic_weights(out: Any, own: Any, align: bool, half: bool) -> Any:
    """TensorFlow looks weights up in a table with 1024 places between two elements."""
    at = places_of(out, own, align, half)
    low = floor(at)
    part = rounded((at - low) * 1024.0) / 1024.0
    index = reshape(counted(own), [1, -1])
    if half:  # nothing is beyond the border: weights within it make one
        weights = keys_cubic(abs(index - (low + part)), -0.5)
        return weights / reduce_sum(weights, 1, keepdims=True)
    total: Any = 0.0
    for step in (-1.0, 0.0, 1.0, 2.0):
        total = total + marks(low + step, own) * keys_cubic(abs(part - step), -0.75)
    return total


def keys_cubic(x: Any, a: float) -> Any:
    near = ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0
    far = ((a * x - 5.0 * a) * x + 8.0 * a) * x - 4.0 * a
    return where(less_equal(x, 1.0), near, where(less(x, 2.0), far, zeros_like(x)))


def area_weights(out: Any, own: Any, align: bool, half: bool) -> Any:
    at, scale = reshape(counted(out), [-1, 1]), scale_of(out, own, align)
    begin, end = at * scale, (at + 1.0) * scale
    index = reshape(counted(own), [1, -1])
    covered = maximum(minimum(index + 1.0, end) - maximum(index, begin), 0.0)
    beyond = maximum(end - cast(own, dtypes.float32), 0.0)
    last = cast(equal(index, cast(own, dtypes.float32) - 1.0), dtypes.float32)
    return (covered + beyond * last) / scale


# ---------------------------------------------------------------- kernels


def kernel_weights(
    out: Any, own: Any, inverse: Any, translation: Any, kernel: str, antialias: bool
) -> Any:
    """The kernel around the place of every element, cut off at the borders, with the sum one."""
    wide = maximum(inverse, 1.0) if antialias else 1.0
    at = reshape((counted(out) + 0.5) * inverse - inverse * translation, [-1, 1])
    size = cast(own, dtypes.float32)
    index = reshape(counted(own), [1, -1])
    distance = abs(index + 0.5 - at) / wide
    weights = where(less_equal(distance, RADII[kernel]), KERNELS[kernel](distance), 0.0)
    inside = logical_and(greater_equal(at, 0.0), less_equal(at, size))
    weights = where(inside, weights, zeros_like(weights))
    total = reduce_sum(weights, 1, keepdims=True)
    some = greater(abs(total), 1e-30)
    return where(some, weights / where(some, total, 1.0), zeros_like(weights))


def _lanczos(radius: float) -> Any:
    def kernel(x: Any) -> Any:
        pi = 3.14159265358979
        near = less_equal(x, 1e-3)
        safe = where(near, 1.0, x)
        value = sin(safe * pi) * sin(safe * (pi / radius)) * (radius / pi**2) / (safe * safe)
        return where(near, 1.0, value)

    return kernel


def _mitchell(x: Any) -> Any:
    near = ((7.0 / 6.0) * x - 2.0) * x * x + 8.0 / 9.0
    far = ((-7.0 / 18.0 * x + 2.0) * x - 10.0 / 3.0) * x + 16.0 / 9.0
    return where(less(x, 1.0), near, far)


def _box(x: Any) -> Any:
    return where(less(x, 0.5), 1.0, where(equal(x, 0.5), 0.5, zeros_like(x)))


KERNELS: dict[str, Any] = {
    "lanczos1": _lanczos(1.0),
    "lanczos3": _lanczos(3.0),
    "lanczos5": _lanczos(5.0),
    "gaussian": lambda x: where(less(x, 1.5), exp(x * x * -2.0), zeros_like(x)),
    "box": _box,
    "triangle": lambda x: maximum(1.0 - x, 0.0),
    "keyscubic": lambda x: keys_cubic(x, -0.5),
    "mitchellcubic": _mitchell,
}
RADII = {
    "lanczos1": 1.0, "lanczos3": 3.0, "lanczos5": 5.0, "gaussian": 1.5, "box": 0.5,
    "triangle": 1.0, "keyscubic": 2.0, "mitchellcubic": 2.0,
}  # fmt: skip
