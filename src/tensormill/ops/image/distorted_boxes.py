"""Parts of an image drawn at random, which show enough of a box: for training classifiers.

A part has a proportion of width to height and an area drawn from ranges. As many are tried as it
takes, `max_attempts` at most; then the part is the whole image.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...core import dtypes
from ...core.random_state import state
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, ShapeMismatchError
from ..bind import bind
from ..demands import refuse
from ..dispatch.meanings import dispatchable
from ..effects import World
from ..op import INDEX, Attr, In, Op, Out, as_float32, types
from ..random.philox import WordStream
from ..random.seeds import get_seed
from ..random.stateless import compiled_stream_of, demand_two_seeds, stream_of
from ..random.uniform_and_normal import stream_advanced
from ..random.words import LoweredWords, Words
from ..sizes import scalar

WHOLE = types("u8 i8 i16 i32 i64")
# The proportion of width to height, and the part of the area.
PROPORTIONS, AREAS = (0.75, 1.33), (0.05, 1.0)
ROUNDED = 0.5 - 1e-7  # what is added to a width that rounding may still reach
# Called as TensorFlow calls them.
Distorted = namedtuple("SampleDistortedBoundingBoxV2", "begin size bboxes")
StatelessDistorted = namedtuple("StatelessSampleDistortedBoundingBox", "begin size bboxes")
# What such a part is: of the image, its first row and column, height and width.
Part = tuple[Any, Any, Any, Any]


class Sampling(Op, abstract=True):
    """A part of an image, as what `tf.slice` takes and as a box."""

    image_size: Any
    bounding_boxes: Any
    min_object_covered: Any
    aspect_ratio_range: Any
    area_range: Any
    max_attempts: Any
    use_image_if_no_bounding_boxes: Any
    # Where random words come from, and in it the number of the first group of four; the same in
    # compiled code, where `loops` are known.
    stream: Callable[..., tuple[WordStream, Any]]
    compiled_stream: Callable[..., tuple[WordStream, Any]]
    differentiable = False

    def demands(self, sizes: Any) -> Any:
        """The height and width of the image."""
        self.demand_ranges(sizes)
        size, boxes = sizes.shape(self.image_size, 1), sizes.shape(self.bounding_boxes, 3)
        three = len(size) == 1 and sizes.equal(size[0], 3)
        sizes.require(three, ShapeMismatchError, NO_SIZE, self.name, size)
        four = len(boxes) == 3 and sizes.equal(boxes[2], 4)
        sizes.require(four, ShapeMismatchError, NO_BOXES, self.name, boxes)
        some = self.use_image_if_no_bounding_boxes or sizes.count(boxes) > 0
        sizes.require_late(some, InvalidArgumentError, NO_BOX, self.name)
        sizes.each(
            self.bounding_boxes, lambda it: (it >= 0) & (it <= 1), InvalidArgumentError,
            OUTSIDE, self.name,
        )  # fmt: skip
        height, width, _ = sizes.numbers(self.image_size, 3)
        return height, width

    def demand_ranges(self, sizes: Any) -> None:
        for name, values in (
            ("Aspect ratio", self.aspect_ratio_range), ("Area", self.area_range),
        ):  # fmt: skip
            if len(values) != 2:
                refuse(InvalidArgumentError, NOT_TWO, self.name, name, values)
            if min(values) <= 0:
                refuse(InvalidArgumentError, NOT_POSITIVE, self.name, name, values)
        if max(self.area_range) > 1:
            refuse(InvalidArgumentError, TOO_MUCH, self.name, self.area_range)
        if self.max_attempts <= 0:
            refuse(InvalidArgumentError, NO_ATTEMPT, self.name, self.max_attempts)
        covered = self.min_object_covered
        if isinstance(covered, float):
            sizes.require(covered >= 0, InvalidArgumentError, NOT_COVERED, self.name, covered)
        else:
            sizes.each(covered, lambda it: it >= 0, InvalidArgumentError, NONE_COVERED, self.name)

    def infer(self) -> tuple[TensorSpec, ...]:
        numbers = TensorSpec((3,), self.image_size.dtype)
        return numbers, numbers, TensorSpec((1, 1, 4), dtypes.float32)

    def eager(self, np: Any) -> Any:
        height, width = self.found
        words = Words(np, *self.stream())
        boxes = self.bounding_boxes.reshape(-1, 4)
        if not len(boxes):
            boxes = np.array([[0, 0, 1, 1]], np.float32)
        edges = (boxes * np.array([height, width] * 2, np.float32)).astype(np.int64)
        part = (0, 0, height, width)
        for _ in range(self.max_attempts):
            tried = self.tried(np, words, height, width)
            if tried is not None and self.shows_enough(np, tried, edges):
                part = tried
                break
        row, column, rows, columns = part
        kept = self.image_size.dtype
        ends = np.array([row, column, row + rows, column + columns], np.float32)
        with np.errstate(all="ignore"):  # an image without pixels
            box = ends / np.array([height, width] * 2, np.float32)
        return (
            np.array([row, column, 0]).astype(kept), np.array([rows, columns, -1]).astype(kept),
            box.reshape(1, 1, 4),
        )  # fmt: skip

    def lower(self, loops: Any) -> Any:
        s, kept = loops.scalars, self.image_size.dtype
        height, width = (scalar(loops, size) for size in self.found)
        words = LoweredWords(loops, *self.compiled_stream(loops))
        edges = self.lowered_edges(loops, height, width)
        zero, most = (loops.constant(k, dtypes.int64) for k in (0, self.max_attempts))

        def goes_on(attempt: Any, place: Any, found: Any, *_: Any) -> Any:
            return (attempt < most) & (found == zero)

        def step(attempt: Any, place: Any, *_: Any) -> tuple[Any, ...]:
            place, fits, part = self.lowered_attempt(loops, words, place, height, width)
            good = fits & self.lowered_enough(loops, part, edges)
            whole = (zero, zero, height, width)
            chosen = [s.where(good, one, other) for one, other in zip(part, whole, strict=True)]
            return attempt + 1, place, s.cast(good, dtypes.int64), *chosen

        initial = (zero, words.start, zero, zero, zero, height, width)
        *_, row, column, rows, columns = loops.repeat(initial, goes_on, step)
        single = dtypes.float32
        box = [
            s.cast(place, single) / s.cast(size, single)
            for place, size in (
                (row, height), (column, width), (row + rows, height), (column + columns, width)
            )
        ]  # fmt: skip
        begin, size = (
            loops.vector([s.cast(one, kept) for one in numbers], kept)
            for numbers in ((row, column, zero), (rows, columns, zero - 1))
        )
        return begin, size, loops.reshape(loops.vector(box, single), (1, 1, 4))

    def lowered_edges(self, loops: Any, height: Any, width: Any) -> Any:
        """The rows and columns between which boxes lie, int64 [n, 4]; of none, the image's."""
        s, boxes = loops.scalars, self.bounding_boxes
        count = loops.count(boxes.shape[:2])
        flat = loops.reshape(boxes, (count, 4))
        ends = [s.cast(size, dtypes.float32) for size in (height, width)]

        def edge(box: Any, k: Any) -> Any:
            end = s.where(k % 2 < 1, *ends)
            return s.cast(flat[(box, k)] * end, dtypes.int64)

        return loops.kept(loops.map((count, 4), dtypes.int64, edge))

    def lowered_attempt(
        self, loops: Any, words: LoweredWords, place: Any, height: Any, width: Any
    ) -> tuple[Any, Any, Part]:
        """Where the next word is, whether there is a part of such a size, and the part."""
        s, single, long = loops.scalars, dtypes.float32, dtypes.int64

        def number(value: Any) -> Any:
            return loops.constant(value, single)

        def whole(value: Any) -> Any:
            return s.cast(s.round(value), long)

        zero, one = (loops.constant(k, long) for k in (0, 1))
        low, high = (np.float32(edge) for edge in self.aspect_ratio_range)
        place, unit = words.unit(place)
        ratio = unit * number(float(high - low)) + number(float(low))
        wide, tall = s.cast(width, single), s.cast(height, single)
        least, most = (number(part) * wide * tall for part in self.area_range)
        rows, tallest = (whole(s.sqrt(area / ratio)) for area in (least, most))
        in_order = loops.constant(self.area_range[0] <= self.area_range[1], dtypes.bool_)
        fits = in_order & (height > zero) & (width > zero)

        def columns_of(rows: Any) -> Any:
            return whole(s.cast(rows, single) * ratio)

        def area_of(rows: Any) -> Any:
            return s.cast(rows * columns_of(rows), single)

        widest = s.cast(s.cast(s.cast(width, dtypes.float64) + ROUNDED, single) / ratio, long)
        widest = widest - s.cast(columns_of(widest) > width, long)
        tallest = s.where(columns_of(tallest) > width, widest, tallest)
        tallest = s.minimum(tallest, height)
        rows = s.minimum(rows, tallest)
        place, more = words.below(place, tallest - rows + 1, fits & (rows < tallest))
        rows = rows + more
        rows = rows + s.cast(area_of(rows) < least, long)
        rows = rows - s.cast(area_of(rows) > most, long)
        columns, area = columns_of(rows), area_of(rows)
        fits = fits & (area >= least) & (area <= most)
        fits = fits & (columns >= one) & (columns <= width) & (rows >= one) & (rows <= height)
        place, row = words.below(place, height - rows, fits & (rows < height))
        place, column = words.below(place, width - columns, fits & (columns < width))
        return place, fits, (row, column, rows, columns)

    def lowered_enough(self, loops: Any, part: Part, edges: Any) -> Any:
        s, single = loops.scalars, dtypes.float32
        covered, zero = self.covered(loops), loops.constant(0, dtypes.int64)
        row, column, rows, columns = part
        last = (row + rows, column + columns)

        def between(low: Any, high: Any) -> Any:
            return s.maximum(high - low, zero)

        def is_shown(_: Any, index: Any) -> Any:
            top, left, bottom, right = (edges[(*index, k)] for k in range(4))
            whole = between(top, bottom) * between(left, right)
            shown = between(s.maximum(top, row), s.minimum(bottom, last[0])) * between(
                s.maximum(left, column), s.minimum(right, last[1])
            )
            enough = s.cast(shown, single) / s.cast(whole, single) >= covered
            return (whole > zero) & enough

        count = edges.shape[0]
        found = loops.reduce("any", (), (count,), dtypes.bool_, is_shown)[()]
        # Without any box, the whole image is one: an image with pixels.
        part_of_all = s.cast(rows * columns, single)
        everything = s.cast(scalar(loops, self.found[0]) * scalar(loops, self.found[1]), single)
        return found | ((scalar(loops, count) < 1) & (part_of_all / everything >= covered))

    def covered(self, loops: Any) -> Any:
        """How much must be shown."""
        covered = self.min_object_covered
        if isinstance(covered, float):
            return loops.constant(covered, dtypes.float32)
        return covered[()]

    def tried(self, np: Any, words: Words, height: int, width: int) -> Part | None:
        """The next part that the words tell, if there is one of such a size."""
        single, (low, high) = np.float32, self.aspect_ratio_range
        ratio = words.unit() * single(single(high) - single(low)) + single(low)
        least, most = (single(part) * single(width) * single(height) for part in self.area_range)
        if self.area_range[0] > self.area_range[1] or height <= 0 or width <= 0:
            return None
        rows, tallest = (int(np.rint(np.sqrt(area / ratio))) for area in (least, most))
        if int(np.rint(single(tallest) * ratio)) > width:
            tallest = int(single(width + ROUNDED) / ratio)
            tallest -= int(np.rint(single(tallest) * ratio)) > width
        tallest = min(tallest, height)
        rows = min(rows, tallest)
        if rows < tallest:
            rows += words.below(tallest - rows + 1)

        def columns_of(rows: int) -> tuple[int, Any]:
            columns = int(np.rint(single(rows) * ratio))
            return columns, single(rows * columns)

        rows += columns_of(rows)[1] < least
        rows -= columns_of(rows)[1] > most
        columns, area = columns_of(rows)
        if not least <= area <= most or not 0 < columns <= width or not 0 < rows <= height:
            return None
        row = words.below(height - rows) if rows < height else 0
        column = words.below(width - columns) if columns < width else 0
        return row, column, rows, columns

    def shows_enough(self, np: Any, part: Part, edges: Any) -> bool:
        """Whether the part covers enough of one of the boxes, of those with an area."""
        row, column, rows, columns = part
        whole = (edges[:, 2] - edges[:, 0]).clip(0) * (edges[:, 3] - edges[:, 1]).clip(0)
        shown = (
            np.minimum(edges[:, 2], row + rows) - np.maximum(edges[:, 0], row)
        ).clip(0) * (
            np.minimum(edges[:, 3], column + columns) - np.maximum(edges[:, 1], column)
        ).clip(0)  # fmt: skip
        some = whole > 0
        shares = shown[some].astype(np.float32) / whole[some].astype(np.float32)
        return bool((shares >= np.float32(self.min_object_covered)).any())


NO_SIZE = "{}: image_size must contain 3 elements, got shape {}"
NO_BOXES = "{}: boxes must be 3-dimensional [batch, num_boxes, 4], got shape {}"
NO_BOX = (
    "{}: No bounding boxes provided as input. One must enable use_image_if_no_bounding_boxes if "
    "you wish to not provide any bounding boxes."
)
OUTSIDE = "{}: All bounding box coordinates must be in [0.0, 1.0]: box{at} is {it}"
NOT_TWO = "{}: {} range field must specify 2 dimensions, got {}"
NOT_POSITIVE = "{}: {} range must be non-negative: {}"
TOO_MUCH = "{}: Area range must be less then or equal to 1.0: {}"
NO_ATTEMPT = "{}: Max attempts must be non-negative: {}"
NOT_COVERED = "{}: Min object covered must be non-negative: {}"
NONE_COVERED = "{}: Min object covered must be non-negative: {it}"


class Anew(Sampling, abstract=True):
    """Draws anew each time: from the stream of two seeds, where the one before has left off."""

    seed: Any
    seed2: Any
    effects = (World.DRAWS,)

    def stream(self) -> tuple[WordStream, Any]:
        # Eagerly, calls with other attributes begin the stream again.
        attrs = tuple(sorted(self.attr_values().items()))
        start = state.advance((self.name, self.seed, self.seed2, attrs), self.max_attempts)
        return WordStream.of_seeds(self.seed, self.seed2), start

    def compiled_stream(self, loops: Any) -> tuple[WordStream, Any]:
        start = stream_advanced(loops, self, self.max_attempts)
        return WordStream.of_seeds(self.seed, self.seed2), start


class SampleDistortedBoundingBox(Anew):
    """A part of an image."""

    image_size = In("T 3")
    bounding_boxes = In("f32 batch n 4")
    begin = Out("T 3")
    size = Out("T 3")
    bboxes = Out("f32 ...")
    seed = Attr(0)
    seed2 = Attr(0)
    min_object_covered = Attr(as_float32(0.1))
    aspect_ratio_range = Attr(PROPORTIONS)
    area_range = Attr(AREAS)
    max_attempts = Attr(100)
    use_image_if_no_bounding_boxes = Attr(False)
    T = WHOLE


class SampleDistortedBoundingBoxV2(Anew):
    """A part of an image."""

    image_size = In("T 3")
    bounding_boxes = In("f32 batch n 4")
    min_object_covered = In("f32")
    begin = Out("T 3")
    size = Out("T 3")
    bboxes = Out("f32 ...")
    seed = Attr(0)
    seed2 = Attr(0)
    aspect_ratio_range = Attr(PROPORTIONS)
    area_range = Attr(AREAS)
    max_attempts = Attr(100)
    use_image_if_no_bounding_boxes = Attr(False)
    T = WHOLE


class StatelessSampleDistortedBoundingBox(Sampling):
    """A part of an image that two seeds determine."""

    image_size = In("T 3")
    bounding_boxes = In("f32 batch n 4")
    min_object_covered = In("f32")
    seed = In("Tseed 2")
    begin = Out("T 3")
    size = Out("T 3")
    bboxes = Out("f32 ...")
    aspect_ratio_range = Attr(PROPORTIONS)
    area_range = Attr(AREAS)
    max_attempts = Attr(100)
    use_image_if_no_bounding_boxes = Attr(False)
    T = WHOLE
    Tseed = INDEX

    def demands(self, sizes: Any) -> Any:
        demand_two_seeds(sizes, self.seed)
        return super().demands(sizes)

    def stream(self) -> tuple[WordStream, Any]:
        return stream_of(self.seed), 0

    def compiled_stream(self, loops: Any) -> tuple[WordStream, Any]:
        return compiled_stream_of(loops, self.seed)


# ---------------------------------------------------------------- functions


@dispatchable
def sample_distorted_bounding_box(
    image_size: Any,
    bounding_boxes: Any,
    seed: int = 0,
    min_object_covered: Any = 0.1,
    aspect_ratio_range: Sequence[float] | None = None,
    area_range: Sequence[float] | None = None,
    max_attempts: int | None = None,
    use_image_if_no_bounding_boxes: bool | None = None,
    name: str | None = None,
) -> Distorted:
    """A part of an image, drawn at random, that shows enough of one of some boxes.

    Args:
        image_size: integers [3]: height, width, channels.
        bounding_boxes: float32 [batch, n, 4], rows y1, x1, y2, x2, in [0, 1].
        seed: an int, of this operation; it and `tf.random.set_seed` tell the stream. 0: none.
        min_object_covered: how much of a box is shown, a part of 1.
        aspect_ratio_range: of width to height, (0.75, 1.33) by default.
        area_range: parts of the image's area, (0.05, 1) by default.
        max_attempts: after so many, 100 by default, it is the whole image.
        use_image_if_no_bounding_boxes: without boxes, take the whole image for one.

    Returns:
        A tuple: `begin` and `size`, as `image_size`, for `tf.slice`; `bboxes`, float32 [1, 1, 4].

    >>> boxes = [[[0.1, 0.2, 0.6, 0.7]]]
    >>> begin, size, box = tf.image.sample_distorted_bounding_box([50, 60, 3], boxes)
    >>> tf.slice(tf.zeros([50, 60, 3]), begin, size).shape[2]
    3

    Raises:
        InvalidArgumentError: shapes do not fit, a box is not in [0, 1], a range is none, or there
            is no box.
    """
    first, second = get_seed(seed) if seed else (0, 0)
    return of_seeds(
        image_size, bounding_boxes, first, second, min_object_covered, aspect_ratio_range,
        area_range, max_attempts, use_image_if_no_bounding_boxes, name,
    )  # fmt: skip


def of_seeds(
    image_size: Any, bounding_boxes: Any, first: int, second: int, min_object_covered: Any,
    aspect_ratio_range: Sequence[float] | None, area_range: Sequence[float] | None,
    max_attempts: int | None, use_image_if_no_bounding_boxes: bool | None, name: str | None,
) -> Distorted:  # fmt: skip
    """`sample_distorted_bounding_box` with the two seeds of the operation itself."""
    found = bind(
        SampleDistortedBoundingBoxV2, image_size, bounding_boxes, min_object_covered, seed=first,
        seed2=second, name=name,
        **_options(aspect_ratio_range, area_range, max_attempts, use_image_if_no_bounding_boxes),
    )  # fmt: skip
    return Distorted(*found)


@dispatchable
def stateless_sample_distorted_bounding_box(
    image_size: Any,
    bounding_boxes: Any,
    seed: Any,
    min_object_covered: Any = 0.1,
    aspect_ratio_range: Sequence[float] | None = None,
    area_range: Sequence[float] | None = None,
    max_attempts: int | None = None,
    use_image_if_no_bounding_boxes: bool | None = None,
    name: str | None = None,
) -> StatelessDistorted:
    """A part of an image, which `seed`, two integers, determines, that shows enough of one of some
    boxes. Arguments and results are those of `sample_distorted_bounding_box`.

    >>> begin, size, _ = tf.image.stateless_sample_distorted_bounding_box(
    ...     [50, 60, 3], [[[0.1, 0.2, 0.6, 0.7]]], seed=(1, 5))
    >>> begin.numpy(), size.numpy()
    (array([ 7, 10,  0], dtype=int32), array([41, 43, -1], dtype=int32))

    Raises:
        InvalidArgumentError: shapes do not fit, a box is not in [0, 1], a range is none, or there
            is no box.
    """
    found = bind(
        StatelessSampleDistortedBoundingBox, image_size, bounding_boxes, min_object_covered, seed,
        name=name,
        **_options(aspect_ratio_range, area_range, max_attempts, use_image_if_no_bounding_boxes),
    )  # fmt: skip
    return StatelessDistorted(*found)


def _options(
    proportions: Sequence[float] | None, areas: Sequence[float] | None, most: int | None,
    use_image: bool | None,
) -> dict[str, Any]:  # fmt: skip
    return {
        "aspect_ratio_range": tuple(
            map(float, PROPORTIONS if proportions is None else proportions)
        ),
        "area_range": tuple(map(float, AREAS if areas is None else areas)),
        "max_attempts": 100 if most is None else int(most),
        "use_image_if_no_bounding_boxes": bool(use_image),
    }
