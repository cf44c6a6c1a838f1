"""Parts of images, each cut out by a box and resized: the crops of detectors."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.native_operations import MANY
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, OutOfRangeError, ShapeMismatchError
from ..array.shapes import shape_of
from ..bind import bind
from ..demands import dims
from ..dispatch.meanings import dispatchable
from ..op import Attr, In, Op, Out, as_eager, as_float32, types
from ..sizes import maximum, scalar
from ..underivable import no_derivative

CROPPED = types("u8 u16 i8 i16 i32 i64 f16 f32 f64")
NO_BOXES = "{}: boxes must be 2-D with 4 columns, one box a row: got {}"
NO_INDICES = "{}: box_index has incompatible shape: there are {} boxes and {} indices"
NO_IMAGES = "{}: {} must be 4-D [n, height, width, depth], got {}"
NOT_POSITIVE = "{}: image dimensions must be positive, got {}"
NOT_FINITE = "{}: boxes{at} = {it}: contains at least one element that is not finite"
NO_SUCH_IMAGE = (
    "{}: box_index{at} = {it}: box_index has values outside [0, batch_size), which is {}"
)


def demand_boxes(sizes: Any, op: Any, batch: Any) -> Any:
    """There is an image among `batch` for each box; how many boxes there are."""
    boxes, indices = sizes.shape(op.boxes, 2), sizes.shape(op.box_ind, 1)
    fits = len(boxes) == 2 and sizes.equal(boxes[1], 4)
    sizes.require(fits, ShapeMismatchError, NO_BOXES, op.name, boxes)
    sizes.require(len(indices) == 1, ShapeMismatchError, NO_INDICES, op.name, boxes[0], indices)
    alike = sizes.equal(boxes[0], indices[0])
    sizes.require(alike, ShapeMismatchError, NO_INDICES, op.name, boxes[0], indices[0])
    sizes.each(op.boxes, sizes.scalars.is_finite, InvalidArgumentError, NOT_FINITE, op.name)
    sizes.each(
        op.box_ind, lambda k: (k >= 0) & (k < batch), OutOfRangeError, NO_SUCH_IMAGE, op.name, batch
    )
    return boxes[0]


def demand_images(sizes: Any, op: Any, images: Any, name: str) -> Any:
    """They are images with at least one pixel; their shape."""
    shape = sizes.shape(images, 4)
    sizes.require(len(shape) == 4, ShapeMismatchError, NO_IMAGES, op.name, name, shape)
    demand_positive(sizes, op, shape)
    return shape


def demand_positive(sizes: Any, op: Any, shape: Any) -> None:
    some = (shape[1] > 0) & (shape[2] > 0)
    sizes.require_late(some, InvalidArgumentError, NOT_POSITIVE, op.name, shape)


def demand_gradients(sizes: Any, op: Any, depth: Any) -> Any:
    """The gradients are those of crops of so many channels; their shape."""
    grads = sizes.shape(op.grads, 4)
    sizes.require(len(grads) == 4, ShapeMismatchError, NO_IMAGES, op.name, "grads", grads)
    some = (grads[1] > 0) & (grads[2] > 0)
    sizes.require_late(some, InvalidArgumentError, NO_CROP, op.name, grads[1:3])
    alike = sizes.equal(grads[3], depth)
    sizes.require_late(alike, InvalidArgumentError, OTHER_DEPTH, op.name, depth, grads)
    return grads


def demand_one_each(sizes: Any, op: Any, boxes: Any, grads: Any) -> None:
    alike = sizes.equal(boxes, grads[0])
    sizes.require_late(alike, InvalidArgumentError, OTHER_COUNT, op.name, boxes, grads)


NO_CROP = "{}: crop dimensions must be positive, got {}"
OTHER_DEPTH = "{}: image_size and grads are incompatible: a depth of {}, grads of shape {}"
OTHER_COUNT = "{}: boxes and grads have incompatible shape: {} boxes, grads of shape {}"


class CropAndResize(Op):
    """The parts of `image` that `boxes` frame, in `crop_size`.

    A box is y1, x1, y2, x2: 0 is the first pixel, 1 the last one. `box_ind` says for each box, of
    which image.
    """

    native_from = MANY

    image = In("T n h w depth")
    boxes = In("f32 boxes 4")
    box_ind = In("i32 boxes")
    crop_size = In("i32 2")
    crops = Out("f32 ...")
    method = Attr("bilinear", "nearest")
    extrapolation_value = Attr(0.0)
    T = CROPPED
    xla = as_eager

    def demands(self, sizes: Any) -> Any:
        """The shape of the result."""
        image = demand_images(sizes, self, self.image, "image")
        size = sizes.shape(self.crop_size, 1)
        two = len(size) == 1 and sizes.equal(size[0], 2)
        sizes.require(two, ShapeMismatchError, NO_SIZE, self.name, size)
        count = demand_boxes(sizes, self, image[0])
        height, width = sizes.numbers(self.crop_size, 2)
        some = (height > 0) & (width > 0)
        sizes.require_late(some, InvalidArgumentError, NO_CROP, self.name, (height, width))
        return sizes.possible_late((count, height, width, image[3]))

    def infer(self) -> TensorSpec:
        if self.found is not None:
            count, *others = dims(self.found)
            (indices,) = self.box_ind.shape.entries or (None,)
            return TensorSpec((indices if count is None else count, *others), dtypes.float32)
        image, boxes = (
            self.image.shape.entries,
            self.boxes.shape.entries or self.box_ind.shape.entries,
        )
        size = self.crop_size.as_shape().entries or (None, None)
        return TensorSpec((boxes and boxes[0], *size[:2], image and image[3]), dtypes.float32)

    def eager(self, np: Any) -> Any:
        _, height, width, _ = self.found
        x, boxes, index = self.image, self.boxes, self.box_ind
        rows, columns = (
            places(np, boxes[:, k], boxes[:, k + 2], x.shape[k + 1], count)
            for k, count in ((0, height), (1, width))
        )
        inside = rows.inside[:, :, None] & columns.inside[:, None, :]
        image = index[:, None, None]
        if self.method == "nearest":
            found = x[image, rows.nearest[:, :, None], columns.nearest[:, None, :]]
            found = found.astype(np.float32)
        else:
            above, below = (
                between(
                    x[image, row[:, :, None], columns.low[:, None, :]].astype(np.float32),
                    x[image, row[:, :, None], columns.high[:, None, :]].astype(np.float32),
                    columns.part[:, None, :, None],
                )
                for row in (rows.low, rows.high)
            )
            found = between(above, below, rows.part[:, :, None, None])
        return np.where(inside[..., None], found, np.float32(self.extrapolation_value))

    def lower(self, loops: Any) -> Any:
        x, s = loops.kept(self.image), loops.scalars
        outside = loops.constant(self.extrapolation_value, dtypes.float32)

        def element(box: Any, i: Any, j: Any, c: Any) -> Any:
            row, column = lowered_places(loops, self, x.shape, self.found, (box, i, j))
            image = s.cast(self.box_ind[(box,)], dtypes.int64)

            def pixel(y: Any, x_: Any) -> Any:
                return s.cast(x[(image, y, x_, c)], dtypes.float32)

            if self.method == "nearest":
                found = pixel(row.nearest, column.nearest)
            else:
                above, below = (
                    between(pixel(y, column.low), pixel(y, column.high), column.part)
                    for y in (row.low, row.high)
                )
                found = between(above, below, row.part)
            return s.where(row.inside & column.inside, found, outside)

        return loops.map(self.found, dtypes.float32, element)

    def vjp(self, dcrops: Any) -> Any:
        """That of the boxes is the one of "bilinear" for both ways, as in TensorFlow."""

        def of_image() -> Any:
            return bind(
                CropAndResizeGradImage, dcrops, self.boxes, self.box_ind, shape_of(self.image),
                T=self.image.dtype, method=self.method,
            )  # fmt: skip

        def of_boxes() -> Any:
            return bind(CropAndResizeGradBoxes, dcrops, self.image, self.boxes, self.box_ind)

        is_float = self.image.dtype.is_floating
        return of_image if is_float else None, of_boxes, None, None


NO_SIZE = "{}: crop_size must have two elements, got shape {}"


def between(first: Any, second: Any, part: Any) -> Any:
    return first + (second - first) * part


class Places:
    """Where in an image rows, or columns, of crops are: `inside`, between `low` and `high`."""

    __slots__ = ("high", "inside", "low", "nearest", "part", "scale")

    def __init__(
        self, inside: Any, low: Any, high: Any, part: Any, nearest: Any, scale: Any = None
    ) -> None:
        self.inside, self.low, self.high = inside, low, high
        self.part, self.nearest, self.scale = part, nearest, scale


def places(np: Any, first: Any, last: Any, size: int, count: int) -> Places:
    """Those of crops of `count` rows between the edges of boxes: [boxes, count]."""
    width = np.float32(size - 1)
    if count > 1:
        step = (last - first) * width / np.float32(count - 1)
        at = (first * width)[:, None] + np.arange(count, dtype=np.float32) * step[:, None]
    else:
        at = (np.float32(0.5) * (first + last) * width)[:, None]
    inside = (at >= 0) & (at <= width)
    at = np.where(inside, at, np.float32(0))
    low, high = np.floor(at), np.ceil(at)
    nearest = np.floor(at + np.float32(0.5))
    whole = [np.minimum(one, width).astype(np.int64) for one in (low, high, nearest)]
    return Places(inside, whole[0], whole[1], at - low, whole[2])


def lowered_places(
    loops: Any, op: Any, image: Any, crops: Any, index: Any
) -> tuple[Places, Places]:
    """The row and the column of a pixel of a crop."""
    box, *own = index
    row, column = (
        lowered_place(loops, op.boxes, box, axis, image[axis + 1], crops[axis + 1], own[axis])
        for axis in (0, 1)
    )
    return row, column


def lowered_place(
    loops: Any, boxes: Any, box: Any, axis: int, size: Any, count: Any, place: Any
) -> Places:
    """The same of one box, a row or a column. `scale`: how much the place changes with the first
    and the last edge of the box.
    """
    s, first, last = loops.scalars, boxes[(box, axis)], boxes[(box, axis + 2)]
    single = dtypes.float32
    zero, half = loops.constant(0, single), loops.constant(0.5, single)
    width = s.cast(scalar(loops, size - 1), single)
    steps = s.cast(scalar(loops, maximum(loops, count - 1, 1)), single)
    number = s.cast(place, single)
    several = first * width + number * ((last - first) * width / steps)
    middle = half * (first + last) * width
    at = choose_float(loops, count, several, middle)
    inside = (at >= zero) & (at <= width)
    at = s.where(inside, at, zero)
    low = s.floor(at)
    share = number * (width / steps)
    scale = (
        choose_float(loops, count, width - share, half * width),
        choose_float(loops, count, share, half * width),
    )

    def whole(value: Any) -> Any:
        return s.maximum(s.cast(s.minimum(value, width), dtypes.int64), scalar(loops, 0))

    return Places(inside, whole(low), whole(s.ceil(at)), at - low, whole(s.floor(at + half)), scale)


def choose_float(loops: Any, count: Any, several: Any, one: Any) -> Any:
    """What holds for crops of several rows, or of one."""
    if isinstance(count, int):
        return several if count > 1 else one
    return loops.scalars.where(count > 1, several, one)


class CropAndResizeGradImage(Op):
    """The gradient of CropAndResize by the image: gradients added where pixels came from."""

    native_from = MANY

    grads = In("f32 boxes a b depth")
    boxes = In("f32 boxes 4")
    box_ind = In("i32 boxes")
    image_size = In("i32 4")
    output = Out("T n h w depth")
    T = Attr(allowed=types("f16 f32 f64"))
    method = Attr("bilinear", "nearest")

    def demands(self, sizes: Any) -> Any:
        """The shapes of the image and the gradients."""
        (length,) = sizes.shape(self.image_size, 1)
        sizes.require(sizes.equal(length, 4), ShapeMismatchError, NO_IMAGE_SIZE, self.name, length)
        image = sizes.numbers(self.image_size, 4)
        demand_positive(sizes, self, image)
        boxes = demand_boxes(sizes, self, image[0])
        grads = demand_gradients(sizes, self, image[3])
        demand_one_each(sizes, self, boxes, grads)
        return sizes.possible_late(image), grads

    def infer(self) -> TensorSpec:
        if self.found is not None:
            return TensorSpec(dims(self.found[0]), self.T)
        return TensorSpec(self.image_size.as_shape().entries or (None,) * 4, self.T)

    def eager(self, np: Any) -> Any:
        shape, grads = self.found
        rows, columns = (
            places(np, self.boxes[:, k], self.boxes[:, k + 2], shape[k + 1], grads[k + 1])
            for k in (0, 1)
        )
        inside = rows.inside[:, :, None] & columns.inside[:, None, :]
        dy = np.where(inside[..., None], self.grads, np.float32(0))
        wide = np.float64 if self.T is dtypes.float64 else np.float32
        result = np.zeros(shape, wide)
        image = self.box_ind[:, None, None]
        for row, row_part in self.corners(rows):
            for column, column_part in self.corners(columns):
                weight = row_part[:, :, None, None] * column_part[:, None, :, None]
                place = (image, row[:, :, None], column[:, None, :])
                np.add.at(result, place, (dy * weight).astype(wide))
        return result.astype(self.T.storage)

    def xla(self, xla: Any) -> Any:
        np, (shape, grads) = xla.np, self.found
        shape = tuple(map(xla.fixed, shape))
        rows, columns = (
            places(np, self.boxes[:, k], self.boxes[:, k + 2], shape[k + 1], grads[k + 1])
            for k in (0, 1)
        )
        inside = rows.inside[:, :, None] & columns.inside[:, None, :]
        dy = np.where(inside[..., None], self.grads, 0)
        result = np.zeros(shape, np.float64 if self.T is dtypes.float64 else np.float32)
        image = self.box_ind[:, None, None]
        for row, row_part in self.corners(rows):
            for column, column_part in self.corners(columns):
                weight = row_part[:, :, None, None] * column_part[:, None, :, None]
                place = (image, row[:, :, None], column[:, None, :])
                result = result.at[place].add((dy * weight).astype(result.dtype))
        return result.astype(self.T.storage)

    def corners(self, at: Places) -> tuple[tuple[Any, Any], ...]:
        """The pixels that one of a crop is made of along an axis, and their parts of it."""
        if self.method == "nearest":
            return ((at.nearest, at.part * 0 + 1),)
        return (at.low, 1 - at.part), (at.high, at.part)

    def lower(self, loops: Any) -> Any:
        s, dy = loops.scalars, loops.kept(self.grads)
        shape, grads = self.found
        wide = dtypes.float64 if self.T is dtypes.float64 else dtypes.float32
        zero = loops.constant(0, wide)
        ways = 1 if self.method == "nearest" else 2

        def corner(index: Any) -> tuple[Any, Any, Any]:
            box, i, j, y, x, _ = index
            row, column = lowered_places(loops, self, shape, grads, (box, i, j))
            at = [self.lowered_corner(loops, one, k) for one, k in ((row, y), (column, x))]
            image = s.cast(self.box_ind[(box,)], dtypes.int64)
            place = (image, at[0][0], at[1][0], index[-1])
            return place, at[0][1] * at[1][1], row.inside & column.inside

        def value(*index: Any) -> Any:
            box, i, j, _, _, c = index
            return s.cast(dy[(box, i, j, c)] * corner(index)[1], wide)

        summed = loops.scatter(
            "add", loops.map(shape, wide, lambda *_: zero), (*grads[:3], ways, ways, grads[3]),
            lambda *index: corner(index)[0], value, lambda *index: corner(index)[2],
        )  # fmt: skip
        if self.T is wide:
            return summed
        found = loops.kept(summed)
        return loops.map(shape, self.T, lambda *index: s.cast(found[index], self.T))

    def lowered_corner(self, loops: Any, at: Places, which: Any) -> tuple[Any, Any]:
        one = loops.constant(1, dtypes.float32)
        if self.method == "nearest":
            return at.nearest, one
        s, is_high = loops.scalars, which > 0
        return s.where(is_high, at.high, at.low), s.where(is_high, at.part, one - at.part)

    def vjp(self, doutput: Any) -> Any:
        """It is the transpose of CropAndResize, which is linear in the image."""

        def of_grads() -> Any:
            size = shape_of(self.grads)[1:3]
            return bind(CropAndResize, doutput, self.boxes, self.box_ind, size, method=self.method)

        def of_boxes() -> Any:
            return bind(CropAndResizeGradBoxes, self.grads, doutput, self.boxes, self.box_ind)

        return of_grads, of_boxes, None, None


NO_IMAGE_SIZE = "{}: image_size must have 4 elements, got {}"


class CropAndResizeGradBoxes(Op):
    """The gradient of CropAndResize by the boxes: how crops change as their edges move."""

    native_from = MANY

    grads = In("f32 boxes a b depth")
    image = In("T n h w depth")
    boxes = In("f32 boxes 4")
    box_ind = In("i32 boxes")
    output = Out("f32 boxes 4")
    method = Attr("bilinear", "bilinear")
    T = CROPPED
    vjp = no_derivative
    xla = as_eager

    def demands(self, sizes: Any) -> Any:
        """The shape of the gradients."""
        image = demand_images(sizes, self, self.image, "image")
        boxes = demand_boxes(sizes, self, image[0])
        grads = demand_gradients(sizes, self, image[3])
        demand_one_each(sizes, self, boxes, grads)
        return grads

    def infer(self) -> TensorSpec:
        boxes = self.boxes.shape.entries
        return TensorSpec((boxes and boxes[0], 4), dtypes.float32)

    def eager(self, np: Any) -> Any:
        x, boxes, (_, height, width, _) = self.image, self.boxes, self.found
        rows, columns = (
            places(np, boxes[:, k], boxes[:, k + 2], x.shape[k + 1], count)
            for k, count in ((0, height), (1, width))
        )
        inside = rows.inside[:, :, None] & columns.inside[:, None, :]
        dy = np.where(inside[..., None], self.grads, np.float32(0))
        image = self.box_ind[:, None, None]
        corner = [
            [
                x[image, row[:, :, None], column[:, None, :]].astype(np.float32)
                for column in (columns.low, columns.high)
            ]
            for row in (rows.low, rows.high)
        ]
        down, across = slopes(corner, rows.part[:, :, None, None], columns.part[:, None, :, None])
        edges: dict[int, Any] = {}
        for axis, slope, count in ((0, down, height), (1, across, width)):
            share = (dy * slope).sum(-1).sum(2 - axis)
            for k, scale in enumerate(edge_scales(np, x.shape[axis + 1], count)):
                edges[axis + 2 * k] = (share * scale).sum(1)
        return np.stack([edges[k] for k in range(4)], 1)

    def lower(self, loops: Any) -> Any:
        x, s, dy = loops.kept(self.image), loops.scalars, loops.kept(self.grads)
        grads, zero = self.found, loops.constant(0, dtypes.float32)

        def element(outer: Any, inner: Any) -> Any:
            (box, edge), (i, j, c) = outer, inner
            row, column = lowered_places(loops, self, x.shape, grads, (box, i, j))
            image = s.cast(self.box_ind[(box,)], dtypes.int64)
            corner = [
                [s.cast(x[(image, y, at, c)], dtypes.float32) for at in (column.low, column.high)]
                for y in (row.low, row.high)
            ]
            down, across = slopes(corner, row.part, column.part)
            is_row, is_first = edge % 2 < 1, edge < 2
            moved = [s.where(is_first, *one.scale) for one in (row, column)]
            change = s.where(is_row, down * moved[0], across * moved[1])
            return s.where(row.inside & column.inside, dy[(box, i, j, c)] * change, zero)

        return loops.reduce("sum", (grads[0], 4), grads[1:], dtypes.float32, element)


def slopes(corner: Any, down: Any, across: Any) -> tuple[Any, Any]:
    """How fast the image changes downwards and across, between four pixels."""
    (above_left, above_right), (below_left, below_right) = corner
    return (
        between(below_left - above_left, below_right - above_right, across),
        between(above_right - above_left, below_right - below_left, down),
    )


def edge_scales(np: Any, size: int, count: int) -> tuple[Any, Any]:
    """How much places change with the first and the last edge of a box: [count] each."""
    width = np.float32(size - 1)
    if count == 1:
        return np.float32(0.5) * width, np.float32(0.5) * width
    share = np.arange(count, dtype=np.float32) * (width / np.float32(count - 1))
    return width - share, share


@dispatchable
def crop_and_resize(
    image: Any,
    boxes: Any,
    box_indices: Any,
    crop_size: Any,
    method: str = "bilinear",
    extrapolation_value: float = 0.0,
    name: str | None = None,
) -> Any:
    """Parts of images, framed by boxes, each resized to `crop_size`.

    Args:
        image: real numbers [n, height, width, depth].
        boxes: floats [boxes, 4], rows y1, x1, y2, x2: 0 is the first pixel, 1 the last one. A box
            may reach beyond; where y1 > y2 or x1 > x2 it is mirrored.
        box_indices: int32 [boxes]: of which image each is.
        crop_size: int32 [2], height and width.
        method: "bilinear" or "nearest".
        extrapolation_value: what lies beyond the image.

    Returns:
        float32 [boxes, *crop_size, depth], with gradients by image and boxes.

    >>> image = tf.reshape(tf.range(9.0), [1, 3, 3, 1])
    >>> tf.image.crop_and_resize(image, [[0.0, 0.0, 0.5, 1.0]], [0], [2, 2])[0, :, :, 0].numpy()
    array([[0., 2.],
           [3., 5.]], dtype=float32)

    Raises:
        InvalidArgumentError: shapes do not fit, a size is not positive, or a number in `boxes` is
            not finite.
        OutOfRangeError: there is no such image.
        ChoiceError: (an InvalidArgumentError) there is no such method.
    """
    return bind(
        CropAndResize, image, boxes, box_indices, crop_size, method=method,
        extrapolation_value=as_float32(extrapolation_value), name=name,
    )  # fmt: skip
