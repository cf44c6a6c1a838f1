"""Boxes drawn into images."""

from __future__ import annotations

from typing import Any

import numpy

from ...core import dtypes
from ...core.native_operations import MANY
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, ShapeMismatchError
from ..bind import bind
from ..conversion import as_tensor
from ..demands import either
from ..dispatch.meanings import dispatchable
from ..op import In, Op, Out, types, usually
from ..sizes import choose, maximum, scalar

DRAWN = types("f32 f16")
# Of boxes that nobody gave a colour: yellow, blue, red, lime, purple, olive, maroon, navy, aqua,
# fuchsia. Grey images show them white.
COLORS = (
    (1.0, 1.0, 0.0, 1.0), (0.0, 0.0, 1.0, 1.0), (1.0, 0.0, 0.0, 1.0), (0.0, 1.0, 0.0, 1.0),
    (0.5, 0.0, 0.5, 1.0), (0.5, 0.5, 0.0, 1.0), (0.5, 0.0, 0.0, 1.0), (0.0, 0.0, 0.5, 1.0),
    (0.0, 1.0, 1.0, 1.0), (1.0, 0.0, 1.0, 1.0),
)  # fmt: skip


class DrawBoundingBoxesV2(Op):
    """The outlines of boxes [n, boxes, 4], rows y1, x1, y2, x2, over images; `colors` go round."""

    images = In("T n h w depth")
    boxes = In("f32 n boxes 4")
    colors = In("f32 colors c")
    output = Out("T n h w depth")
    T = DRAWN
    usual = usually(T="f32")
    native_from = MANY

    def demands(self, sizes: Any) -> None:
        images, boxes = sizes.shape(self.images, 4), sizes.shape(self.boxes, 3)
        colors = sizes.shape(self.colors, 2)
        if (len(images), len(boxes), len(colors)) != (4, 3, 2):
            return  # the patterns refuse that
        known = either(*(sizes.equal(images[3], depth) for depth in (1, 3, 4)))
        sizes.require_late(known, InvalidArgumentError, NO_DEPTH, self.name, images)
        four = sizes.equal(boxes[2], 4)
        sizes.require(four, ShapeMismatchError, NO_BOXES, self.name, boxes)
        alike = sizes.equal(images[0], boxes[0])
        sizes.require_late(alike, InvalidArgumentError, OTHER_BATCH, self.name, images, boxes)
        enough = either(sizes.equal(colors[0], 0), colors[1] >= images[3])
        sizes.require_late(enough, InvalidArgumentError, TOO_FEW, self.name, images, colors)

    def infer(self) -> TensorSpec:
        return TensorSpec(self.images.shape, self.images.dtype)

    def eager(self, np: Any) -> Any:
        result = self.images.copy()
        _, height, width, depth = result.shape
        colors = self.colors if len(self.colors) else palette(depth)
        with np.errstate(all="ignore"):
            ends = self.boxes * np.array([height - 1, width - 1] * 2, np.float32)
        edges = whole_places(np, ends)
        for image, boxes in zip(result, edges, strict=True):
            for number, (top, left, bottom, right) in enumerate(boxes):
                if top > bottom or left > right:
                    continue
                color = colors[number % len(colors), :depth]
                rows = slice(max(top, 0), max(bottom + 1, 0))
                columns = slice(max(left, 0), max(right + 1, 0))
                for row in {top, bottom}:
                    if 0 <= row < height:
                        image[row, columns] = color
                for column in {left, right}:
                    if 0 <= column < width:
                        image[rows, column] = color
        return result

    def xla(self, xla: Any) -> Any:
        np, (_, height, width, depth) = xla.np, self.images.shape
        colors = (self.colors if len(self.colors) else np.asarray(palette(depth)))[:, :depth]
        ends = self.boxes * np.asarray([height - 1, width - 1] * 2, np.float32)
        edges, row, column = whole_places(np, ends), np.arange(height)[:, None], np.arange(width)

        def drawn(number: Any, images: Any) -> Any:
            top, left, bottom, right = np.moveaxis(edges[:, number], -1, 0)[:, :, None, None]
            across = (left <= column) & (column <= right) & ((row == top) | (row == bottom))
            down = (top <= row) & (row <= bottom) & ((column == left) | (column == right))
            here = (across | down) & (top <= bottom) & (left <= right)
            color = colors[number % len(colors)].astype(images.dtype)
            return np.where(here[..., None], color, images)

        return xla.lax.fori_loop(0, self.boxes.shape[1], drawn, self.images)

    def lower(self, loops: Any) -> Any:
        x, s, long = self.images, loops.scalars, dtypes.int64
        batch, height, width, depth = x.shape
        count, zero = self.boxes.shape[1], loops.constant(0, long)
        colors, number = self.lowered_colors(loops, depth)
        lasts = [scalar(loops, size) - 1 for size in (height, width)]
        scales = [s.cast(one, dtypes.float32) for one in lasts]

        def corner(n: Any, box: Any) -> list[Any]:
            return [s.cast(self.boxes[(n, box, k)] * scales[k % 2], long) for k in range(4)]

        edges = loops.kept(
            loops.map((batch, count, 4), long, lambda n, box, k: pick(s, corner(n, box), k))
        )

        def place(n: Any, box: Any, side: Any, step: Any) -> tuple[Any, Any, Any]:
            """A row and a column of one side of a box, and whether they are there."""
            own = [edges[(n, box, k)] for k in range(4)]
            is_row, is_first = side < 2, side % 2 < 1
            row = s.where(is_row, s.where(is_first, own[0], own[2]), step)
            column = s.where(is_row, step, s.where(is_first, own[1], own[3]))
            inside = (own[0] <= own[2]) & (own[1] <= own[3])
            for at, low, high, last in (
                (row, own[0], own[2], lasts[0]), (column, own[1], own[3], lasts[1])
            ):  # fmt: skip
                inside = inside & (at >= zero) & (at <= last) & (at >= low) & (at <= high)
            return row, column, inside

        def position(n: Any, box: Any, side: Any, step: Any, c: Any) -> tuple[Any, ...]:
            row, column, _ = place(n, box, side, step)
            return (
                n, s.maximum(s.minimum(row, lasts[0]), zero),
                s.maximum(s.minimum(column, lasts[1]), zero), c,
            )  # fmt: skip

        # An image without pixels has no step along its sides.
        steps = choose(loops, either(height < 1, width < 1), 0, maximum(loops, height, width))
        return loops.scatter(
            "set", x, (batch, count, 4, steps, depth), position,
            lambda n, box, side, step, c: s.cast(colors[(box % number, c)], x.dtype),
            lambda n, box, side, step, c: place(n, box, side, step)[2],
        )  # fmt: skip

    def lowered_colors(self, loops: Any, depth: Any) -> tuple[Any, Any]:
        """The colours, and how many go round; where there are none, the usual ones."""
        s, given = loops.scalars, self.colors
        count, usual = given.shape[0], len(COLORS)
        if isinstance(count, int) and count:
            return loops.kept(given), count
        table = loops.literal_array(palette(4), dtypes.float32)
        one = loops.constant(1, dtypes.float32)
        is_grey = scalar(loops, depth) < 2

        def color(k: Any, c: Any) -> Any:
            usual_one = table[(s.minimum(k, loops.constant(usual - 1, dtypes.int64)), c)]
            return s.where(is_grey, one, usual_one)

        target = loops.map((maximum(loops, count, usual), depth), dtypes.float32, color)
        colors = loops.scatter(
            "set", target, (count, depth), lambda k, c: (k, c), lambda k, c: given[(k, c)]
        )
        return loops.kept(colors), choose(loops, count < 1, usual, count)

    def vjp(self, doutput: Any) -> Any:
        """What is painted over does not count; no colour at all would mean the usual ones."""
        nothing = as_tensor(numpy.zeros((1, 4), numpy.float32))
        return bind(DrawBoundingBoxesV2, doutput, self.boxes, nothing), None, None


def whole_places(np: Any, ends: Any) -> Any:
    """Rows and columns; NaN and what has no place as far up, or left, as can be."""
    lost = ~(np.abs(ends) < 2.0**62)
    return np.where(lost, np.int64(-(2**62)), np.where(lost, 0, ends).astype(np.int64))


def pick(s: Any, values: list[Any], number: Any) -> Any:
    found = values[-1]
    for k in reversed(range(len(values) - 1)):
        found = s.where(number == k, values[k], found)
    return found


def palette(depth: int) -> Any:
    colors = numpy.array(COLORS, numpy.float32)
    return numpy.ones_like(colors) if depth == 1 else colors


NO_DEPTH = "{}: Channel depth should be either 1 (GRY), 3 (RGB), or 4 (RGBA): images are {}"
NO_BOXES = "{}: The size of the third dimension of the box must be 4: boxes are {}"
OTHER_BATCH = "{}: The batch sizes should be the same: images are {}, boxes {}"
TOO_FEW = "{}: colors must have equal or more channels than the image: images are {}, colors {}"


class DrawBoundingBoxes(Op):
    """The outlines of boxes [n, boxes, 4], rows y1, x1, y2, x2, over images, in ten colours."""

    images = In("T n h w depth")
    boxes = In("f32 n boxes 4")
    output = Out("T n h w depth")
    T = DRAWN
    usual = usually(T="f32")

    def infer(self) -> TensorSpec:
        return TensorSpec(self.images.shape, self.images.dtype)

    def expand(self) -> Any:
        nothing = as_tensor(numpy.zeros((0, 4), numpy.float32))
        return bind(DrawBoundingBoxesV2, self.images, self.boxes, nothing)


@dispatchable
def draw_bounding_boxes(images: Any, boxes: Any, colors: Any, name: str | None = None) -> Any:
    """Images with the outlines of boxes, one pixel wide.

    Args:
        images: float32 or float16 [n, height, width, depth], of 1, 3 or 4 channels.
        boxes: float32 [n, boxes, 4], rows y1, x1, y2, x2: 0 is the first pixel, 1 the last one.
        colors: float32 [colors, at least depth], of which the boxes take one after the other, or
            None: ten usual ones.

    Returns:
        [n, height, width, depth], with a gradient by `images`.

    >>> boxes = [[[0.0, 0.0, 1.0, 0.7]]]
    >>> drawn = tf.image.draw_bounding_boxes(tf.zeros([1, 3, 4, 1]), boxes, [[9.0]])
    >>> drawn[0, :, :, 0].numpy()
    array([[9., 9., 9., 0.],
           [9., 0., 9., 0.],
           [9., 9., 9., 0.]], dtype=float32)

    Raises:
        InvalidArgumentError: shapes do not fit, or there are other channels or dtypes.
    """
    if colors is None:
        return bind(DrawBoundingBoxes, images, boxes, name=name)
    return bind(DrawBoundingBoxesV2, images, boxes, colors, name=name)
