"""Pooling to any smaller size: in cells whose borders are drawn at random (Graham 2014).

The borders along an axis are a sequence from 0 to the axis's size, one more than there are cells.
A pseudo-random sequence rounds multiples of the ratio, moved by a random number; another one is the
widths of the cells in random order.
"""

from __future__ import annotations

import math
from collections import namedtuple
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy

from ...core import dtypes
from ...core.native_operations import FEW
from ...core.random_state import state
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, ShapeMismatchError, UnimplementedError
from ..array.shapes import shape as sizes_as
from ..bind import bind
from ..demands import refuse
from ..dispatch.meanings import dispatchable
from ..effects import World
from ..op import Attr, In, Op, Out, as_float32, types
from ..random.philox import WordStream
from ..random.seeds import get_seed
from ..random.uniform_and_normal import stream_advanced
from ..random.words import LoweredWords, Words
from ..sizes import minimum, scalar
from ..underivable import no_derivative

POOLED = types("f32 f64 i32 i64")
# Called as TensorFlow calls them.
FractionalMax = namedtuple("FractionalMaxPool", "output row_pooling_sequence col_pooling_sequence")
FractionalAverage = namedtuple(
    "FractionalAvgPool", "output row_pooling_sequence col_pooling_sequence"
)


def cells(size: int, ratio: float) -> int:
    """How many cells an axis has."""
    return math.floor(numpy.float32(size) / numpy.float32(ratio))


def lowered_cells(loops: Any, size: Any, ratio: float) -> Any:
    if isinstance(size, int):
        return cells(size, ratio)
    s, single = loops.scalars, dtypes.float32
    return s.cast(s.floor(s.cast(size, single) / loops.constant(ratio, single)), dtypes.int64)


class Fractional(Op, abstract=True):
    """Images [n, height, width, depth] in cells."""

    value: Any
    pooling_ratio: Any
    pseudo_random: Any
    overlapping: Any
    deterministic: Any
    seed: Any
    seed2: Any
    # What a cell becomes, of NumPy and what the cell holds; all cells in compiled code.
    pooled: Callable[..., Any]
    lowered_pooled: Callable[..., Any]
    effects = (World.DRAWS,)
    native_from = FEW  # the kernel goes from cell to cell in Python

    def demands(self, sizes: Any) -> None:
        shape, ratios = sizes.shape(self.value, 4), self.pooling_ratio
        if len(shape) != 4:
            refuse(ShapeMismatchError, NO_IMAGES, self.name, shape)
        if len(ratios) != 4 or min(ratios) < 1:
            refuse(InvalidArgumentError, NO_RATIO, self.name, list(ratios))
        if (ratios[0], ratios[3]) != (1, 1):
            refuse(UnimplementedError, NOT_SPACE, self.name, list(ratios))
        if not self.deterministic and (self.seed, self.seed2) != (0, 0):
            refuse(InvalidArgumentError, NO_SEEDS, self.name)
        for size, ratio in zip(shape[1:3], ratios[1:3], strict=True):
            fits = size >= math.ceil(ratio)
            sizes.require_late(fits, InvalidArgumentError, TOO_HIGH, self.name, size, ratio)

    def infer(self) -> tuple[TensorSpec, ...]:
        shape = self.value.shape.entries or (None,) * 4
        rows, columns = (
            None if size is None else cells(size, ratio)
            for size, ratio in zip(shape[1:3], self.pooling_ratio[1:3], strict=True)
        )
        borders = (
            TensorSpec((None if count is None else count + 1,), dtypes.int64)
            for count in (rows, columns)
        )
        return TensorSpec((shape[0], rows, columns, shape[3]), self.value.dtype), *borders

    def eager(self, np: Any) -> Any:
        shape = self.value.shape
        counts = [cells(shape[k], self.pooling_ratio[k]) for k in (1, 2)]
        groups = [1 if self.pseudo_random else -(-count // 4) for count in counts]
        start = 0
        if not self.deterministic:
            start = state.advance((self.name, 0, 0), sum(groups))
        stream = WordStream.of_seeds(self.seed, self.seed2)
        given = zip((start, start + groups[0]), shape[1:3], counts, strict=True)
        borders = [
            np.array(self.sequence(np, Words(np, stream, first), size, count), np.int64)
            for first, size, count in given
        ]
        rows, columns = (self.spans(np, one) for one in borders)
        result = np.empty((shape[0], *counts, shape[3]), self.value.dtype)
        for i, (top, bottom) in enumerate(rows):
            for j, (left, right) in enumerate(columns):
                result[:, i, j] = self.pooled(np, self.value[:, top:bottom, left:right])
        return result, *borders

    def spans(self, np: Any, borders: Any) -> list[tuple[int, int]]:
        return spans(borders, self.overlapping, borders[-1])

    def sequence(self, np: Any, words: Words, size: int, count: int) -> list[int]:
        if self.pseudo_random:
            alpha = size / count
            moved = words.wide_unit() * most_moved(min, float(int(alpha)), alpha, size, count)
            inner = [math.ceil(alpha * (k + moved)) - 1 for k in range(1, count)]
            return [0, *inner, size]
        widths = [-((k - size) // count) for k in range(count)]  # wider ones first
        for k in range(count - 1):
            other = k + words.below(count - k)
            widths[k], widths[other] = widths[other], widths[k]
        return [0, *np.cumsum(widths).tolist()]

    def lower(self, loops: Any) -> Any:
        x, sizes = loops.kept(self.value), self.value.shape[1:3]
        counts = [
            lowered_cells(loops, size, ratio)
            for size, ratio in zip(sizes, self.pooling_ratio[1:3], strict=True)
        ]
        groups = [1 if self.pseudo_random else (count + 3) // 4 for count in counts]
        start: Any = loops.constant(0, dtypes.int64)
        if not self.deterministic:
            start = stream_advanced(loops, self, groups[0] + groups[1])
        stream = WordStream.of_seeds(self.seed, self.seed2)
        borders = [
            self.lowered_sequence(loops, LoweredWords(loops, stream, first), size, count)
            for first, size, count in zip((start, start + groups[0]), sizes, counts, strict=True)
        ]
        look = Cells(loops, x.shape, borders, self.overlapping)
        return self.lowered_pooled(loops, x, look, counts), *borders

    def lowered_sequence(self, loops: Any, words: LoweredWords, size: Any, count: Any) -> Any:
        s, long, wide = loops.scalars, dtypes.int64, dtypes.float64
        length, number = scalar(loops, size), scalar(loops, count)
        zero, one = (loops.constant(k, long) for k in (0, 1))
        if self.pseudo_random:
            alpha = s.cast(length, wide) / s.cast(number, wide)
            floats = (s.cast(one, wide) for one in (length, number))
            most = most_moved(s.minimum, s.floor(alpha), alpha, *floats)
            moved = loops.held(words.wide_unit(words.start)[1] * most)

            def border(k: Any) -> Any:
                inner = s.cast(s.ceil(alpha * (s.cast(k, wide) + moved)), long) - 1
                return s.where(k < one, zero, s.where(k < number, inner, length))

            return loops.kept(loops.map((count + 1,), long, border))
        widths, borders = loops.memory((count + 1,), long), loops.memory((count + 1,), long)
        width = length // number
        wider = length - width * number

        def filled(k: Any) -> tuple[Any]:
            loops.put(widths, (k,), width + s.cast(k < wider, long))
            return (k + 1,)

        def shuffled(k: Any, place: Any, total: Any) -> tuple[Any, ...]:
            place, step = words.below(place, number - k, loops.constant(True, dtypes.bool_))
            own, other = loops.held(widths[(k,)]), loops.held(widths[(k + step,)])
            loops.put(widths, (k + step,), own)
            loops.put(borders, (k + 1,), total + other)
            return k + 1, place, total + other

        loops.repeat((zero,), lambda k: k < number, filled)
        loops.repeat((zero, words.start, zero), lambda k, *_: k < number, shuffled)
        return borders


def most_moved(least: Any, whole: Any, alpha: Any, size: Any, count: Any) -> Any:
    """How far a pseudo-random sequence may be moved, so that its first and its last cell are no
    wider than others.
    """
    return least((whole + 2) / alpha - 1, (size + 1 - whole) / alpha - (count - 1))


def spans(borders: Any, overlapping: bool, size: int) -> list[tuple[int, int]]:
    """The first element of every cell, and the one behind the last: the next cell's first one, of
    `size` that there are, belongs to both where they overlap.
    """
    return [(int(first), int(min(end + overlapping, size))) for first, end in pairwise(borders)]


NO_IMAGES = "{}: tensor_in must be 4-dimensional, got shape {}"
NO_RATIO = "{}: pooling_ratio must be four numbers of at least 1, not {}"
NOT_SPACE = "{}: pooling_ratio must be 1 for batch and channels: {}"
NO_SEEDS = "{}: Both seed and seed2 should be 0 if deterministic is false."
TOO_HIGH = "{}: Pooling ratio is higher than input dimension size: a size of {}, a ratio of {}"


class Cells:
    """Which elements of images are in which cells, in compiled code."""

    def __init__(self, loops: Any, shape: Any, borders: Any, overlapping: bool) -> None:
        self.loops, self.shape, self.overlapping = loops, shape, overlapping
        self.borders = [loops.kept(one) for one in borders]

    def widest(self) -> list[Any]:
        """Sizes that no cell exceeds: sequences of either kind round the mean width up or down."""
        more = 1 + bool(self.overlapping)
        return [
            minimum(self.loops, size, size // maximum_one(self.loops, one.shape[0] - 1) + more)
            for size, one in zip(self.shape[1:3], self.borders, strict=True)
        ]

    def place(self, cell: Any, step: Any) -> tuple[list[Any], Any]:
        """A row and a column of a cell, and whether they are in it."""
        s, places, inside = self.loops.scalars, list[Any](), None
        for axis in (0, 1):
            borders = self.borders[axis]
            last = scalar(self.loops, self.shape[axis + 1]) - 1
            end = borders[(cell[axis] + 1,)] + (0 if self.overlapping else -1)
            place = borders[(cell[axis],)] + step[axis]
            fits = place <= s.minimum(end, last)
            inside = fits if inside is None else inside & fits
            places.append(s.maximum(s.minimum(place, last), self.loops.constant(0, dtypes.int64)))
        return places, inside

    def count(self, cell: Any) -> Any:
        """How many elements a cell has."""
        s, found = self.loops.scalars, self.loops.constant(1, dtypes.int64)
        for axis in (0, 1):
            borders = self.borders[axis]
            last = scalar(self.loops, self.shape[axis + 1])
            end = borders[(cell[axis] + 1,)] + (1 if self.overlapping else 0)
            found = found * (s.minimum(end, last) - borders[(cell[axis],)])
        return found


class GivenCells(Cells):
    """Cells that somebody tells, of any widths."""

    def widest(self) -> list[Any]:
        return [self._widest(*pair) for pair in zip(self.shape[1:3], self.borders, strict=True)]

    def _widest(self, size: Any, borders: Any) -> Any:
        def width(outer: Any, step: Any) -> Any:
            return borders[(step[0] + 1,)] - borders[(step[0],)]

        loops = self.loops
        widths = loops.reduce("max", (), (borders.shape[0] - 1,), dtypes.int64, width)
        most = loops.scalars.maximum(loops.kept(widths)[()] + 1, scalar(loops, 0))
        return loops.scalars.minimum(most, scalar(loops, size))


def maximum_one(loops: Any, size: Any) -> Any:
    return max(size, 1) if isinstance(size, int) else loops.scalars.maximum(size, scalar(loops, 1))


class FractionalMaxPool(Fractional):
    """The largest element of every cell."""

    value = In("T n h w depth")
    output = Out("T ...")
    row_pooling_sequence = Out("i64 ...")
    col_pooling_sequence = Out("i64 ...")
    pooling_ratio = Attr()
    pseudo_random = Attr(False)
    overlapping = Attr(False)
    deterministic = Attr(False)
    seed = Attr(0)
    seed2 = Attr(0)
    T = POOLED

    def pooled(self, np: Any, seen: Any) -> Any:
        return seen.max((1, 2))

    def lowered_pooled(self, loops: Any, x: Any, look: Cells, counts: Any) -> Any:
        s, low = loops.scalars, loops.constant(self.value.dtype.min, x.dtype)

        def element(outer: Any, step: Any) -> Any:
            places, inside = look.place(outer[1:3], step)
            return s.where(inside, x[(outer[0], *places, outer[3])], low)

        shape = (x.shape[0], *counts, x.shape[3])
        return loops.reduce("max", shape, look.widest(), x.dtype, element)

    def vjp(self, doutput: Any, drows: Any, dcolumns: Any) -> Any:
        return bind(
            FractionalMaxPoolGrad, self.value, self.output, doutput, self.row_pooling_sequence,
            self.col_pooling_sequence, overlapping=self.overlapping,
        )  # fmt: skip


class FractionalAvgPool(Fractional):
    """The mean of every cell."""

    value = In("T n h w depth")
    output = Out("T ...")
    row_pooling_sequence = Out("i64 ...")
    col_pooling_sequence = Out("i64 ...")
    pooling_ratio = Attr()
    pseudo_random = Attr(False)
    overlapping = Attr(False)
    deterministic = Attr(False)
    seed = Attr(0)
    seed2 = Attr(0)
    T = POOLED

    def pooled(self, np: Any, seen: Any) -> Any:
        total, count = seen.sum((1, 2), dtype=seen.dtype), seen.shape[1] * seen.shape[2]
        if seen.dtype.kind == "f":
            return total / seen.dtype.type(count)
        return np.trunc(total / count).astype(seen.dtype)

    def lowered_pooled(self, loops: Any, x: Any, look: Cells, counts: Any) -> Any:
        s, zero = loops.scalars, loops.constant(0, x.dtype)

        def element(outer: Any, step: Any) -> Any:
            places, inside = look.place(outer[1:3], step)
            return s.where(inside, x[(outer[0], *places, outer[3])], zero)

        shape = (x.shape[0], *counts, x.shape[3])
        sums = loops.reduce("sum", shape, look.widest(), x.dtype, element, few=True)

        def mean(*index: Any) -> Any:
            count = s.cast(look.count(index[1:3]), x.dtype)
            total = sums[index]
            return total / count if x.dtype.is_floating else s.truncate_divide(total, count)

        return loops.map(shape, x.dtype, mean)

    def vjp(self, doutput: Any, drows: Any, dcolumns: Any) -> Any:
        return bind(
            FractionalAvgPoolGrad, sizes_as(self.value, dtypes.int64), doutput,
            self.row_pooling_sequence, self.col_pooling_sequence, overlapping=self.overlapping,
        )  # fmt: skip


class FractionalGradient(Op, abstract=True):
    """Gradients of cells, [n, rows, columns, depth], back at the elements that these hold."""

    out_backprop: Any
    row_pooling_sequence: Any
    col_pooling_sequence: Any
    overlapping: Any
    vjp = no_derivative

    def demand_borders(self, sizes: Any, image: Any) -> Any:
        """There is a border before and behind each cell, within the images; their shape."""
        dy = sizes.shape(self.out_backprop, 4)
        pairs = ((self.row_pooling_sequence, 1), (self.col_pooling_sequence, 2))
        for borders, axis in pairs:
            (count,) = sizes.shape(borders, 1)
            fits = sizes.equal(count, dy[axis] + 1)
            sizes.require(fits, InvalidArgumentError, OTHER_CELLS, self.name, count, dy)
            size = image[axis]
            sizes.each_pair(
                borders, lambda one, other: one <= other, InvalidArgumentError, NOT_RISING
            )
            sizes.each(
                borders, lambda it, size=size: (it >= 0) & (it <= size), InvalidArgumentError,
                NO_BORDER, self.name,
            )  # fmt: skip
        for axis in (0, 3):
            fits = sizes.equal(image[axis], dy[axis])
            sizes.require(fits, ShapeMismatchError, OTHER_IMAGES, self.name, image, dy)
        return image

    def cells(self) -> Any:
        """The spans of all cells by NumPy, with their indices."""
        both = self.row_pooling_sequence, self.col_pooling_sequence
        rows, columns = (
            spans(borders, self.overlapping, size)
            for borders, size in zip(both, self.found[1:3], strict=True)
        )
        for i, (top, bottom) in enumerate(rows):
            for j, (left, right) in enumerate(columns):
                yield i, j, slice(top, bottom), slice(left, right)

    def lowered_look(self, loops: Any) -> Cells:
        borders = (self.row_pooling_sequence, self.col_pooling_sequence)
        return GivenCells(loops, self.found, borders, self.overlapping)


OTHER_CELLS = "{}: {} borders do not go with gradients of shape {}"
NOT_RISING = "the borders of cells must not fall"
NO_BORDER = "{}: a border{at} of {it} is not within the images"
OTHER_IMAGES = "{}: images of shape {} do not go with gradients of shape {}"


class FractionalMaxPoolGrad(FractionalGradient):
    """The gradient of FractionalMaxPool, for the first of the largest elements of every cell."""

    orig_input = In("T n h w depth")
    orig_output = In("T ...")
    out_backprop = In("T n rows columns depth")
    row_pooling_sequence = In("i64 more_rows")
    col_pooling_sequence = In("i64 more_columns")
    output = Out("T n h w depth")
    overlapping = Attr(False)
    T = POOLED

    def demands(self, sizes: Any) -> Any:
        return self.demand_borders(sizes, sizes.shape(self.orig_input, 4))

    def infer(self) -> TensorSpec:
        return TensorSpec(self.orig_input.shape, self.orig_input.dtype)

    def eager(self, np: Any) -> Any:
        x, dy = self.orig_input, self.out_backprop
        result = np.zeros_like(x)
        n, c = np.ogrid[: x.shape[0], : x.shape[3]]
        for i, j, rows, columns in self.cells():
            seen = x[:, rows, columns]
            height, width = seen.shape[1:3]
            if not height * width:
                continue
            place = seen.reshape(len(x), height * width, x.shape[3]).argmax(1)
            result[n, rows.start + place // width, columns.start + place % width, c] += dy[:, i, j]
        return result

    def lower(self, loops: Any) -> Any:
        x, dy, s = loops.kept(self.orig_input), loops.kept(self.out_backprop), loops.scalars
        look, low = self.lowered_look(loops), loops.constant(x.dtype.min, x.dtype)
        widest = look.widest()
        none = scalar(loops, loops.count(widest))

        def seen(outer: Any, step: Any) -> tuple[Any, Any]:
            places, inside = look.place(outer[1:3], step)
            return s.where(inside, x[(outer[0], *places, outer[3])], low), inside

        largest = loops.kept(
            loops.reduce("max", dy.shape, widest, x.dtype, lambda *index: seen(*index)[0])
        )

        def number(outer: Any, step: Any) -> Any:
            value, inside = seen(outer, step)
            is_largest = inside & (value == largest[outer])
            return s.where(is_largest, step[0] * widest[1] + step[1], none)

        first = loops.kept(loops.reduce("min", dy.shape, widest, dtypes.int64, number))
        zero = loops.constant(0, x.dtype)

        def position(*index: Any) -> Any:
            place = first[index]
            places, _ = look.place(index[1:3], (place // widest[1], place % widest[1]))
            return (index[0], *places, index[3])

        return loops.scatter(
            "add", loops.map(x.shape, x.dtype, lambda *_: zero), dy.shape, position,
            lambda *index: dy[index], lambda *index: first[index] < none,
        )  # fmt: skip


class FractionalAvgPoolGrad(FractionalGradient):
    """The gradient of FractionalAvgPool: a part of that of its cell for every element."""

    orig_input_tensor_shape = In("i64 4")
    out_backprop = In("T n rows columns depth")
    row_pooling_sequence = In("i64 more_rows")
    col_pooling_sequence = In("i64 more_columns")
    output = Out("T ...")
    overlapping = Attr(False)
    T = POOLED

    def demands(self, sizes: Any) -> Any:
        (length,) = sizes.shape(self.orig_input_tensor_shape, 1)
        sizes.require(sizes.equal(length, 4), InvalidArgumentError, NOT_FOUR, self.name, length)
        shape = sizes.possible_late(sizes.numbers(self.orig_input_tensor_shape, 4))
        return self.demand_borders(sizes, shape)

    def infer(self) -> TensorSpec:
        shape = self.orig_input_tensor_shape.as_shape().entries or (None,) * 4
        return TensorSpec(shape, self.out_backprop.dtype)

    def eager(self, np: Any) -> Any:
        dy = self.out_backprop
        result = np.zeros(self.found, dy.dtype)
        for i, j, rows, columns in self.cells():
            count = max((rows.stop - rows.start) * (columns.stop - columns.start), 1)
            share = dy[:, i, j] / count
            if dy.dtype.kind != "f":
                share = np.trunc(share)
            result[:, rows, columns] += share.astype(dy.dtype)[:, None, None]
        return result

    def lower(self, loops: Any) -> Any:
        dy, s, look = loops.kept(self.out_backprop), loops.scalars, self.lowered_look(loops)
        zero, widest = loops.constant(0, dy.dtype), look.widest()

        def position(n: Any, i: Any, j: Any, down: Any, across: Any, c: Any) -> Any:
            return (n, *look.place((i, j), (down, across))[0], c)

        def share(n: Any, i: Any, j: Any, down: Any, across: Any, c: Any) -> Any:
            elements = s.maximum(look.count((i, j)), loops.constant(1, dtypes.int64))
            count, own = s.cast(elements, dy.dtype), dy[(n, i, j, c)]
            return own / count if dy.dtype.is_floating else s.truncate_divide(own, count)

        return loops.scatter(
            "add", loops.map(self.found, dy.dtype, lambda *_: zero),
            (*dy.shape[:3], *widest, dy.shape[3]), position, share,
            lambda n, i, j, down, across, c: look.place((i, j), (down, across))[1],
        )  # fmt: skip


NOT_FOUR = "{}: original input tensor shape must have 4 elements, not {}"


# ---------------------------------------------------------------- functions


@dispatchable
def fractional_max_pool(
    value: Any,
    pooling_ratio: Any,
    pseudo_random: bool = False,
    overlapping: bool = False,
    seed: int = 0,
    name: str | None = None,
) -> FractionalMax:
    """The largest element of cells of about `pooling_ratio` elements, whose borders are random.

    Args:
        value: float32, float64 or integers of 32 or 64 bits, [n, height, width, depth].
        pooling_ratio: how many times smaller the result is, at least 1: one number, or four, of
            which the first and the last are 1.
        pseudo_random: draw a number for all borders, not the order of the widths of cells.
        overlapping: the first elements of a cell belong to the one before it, too.
        seed: an int, of this operation; it and `tf.random.set_seed` tell the borders. 0: none.

    Returns:
        A tuple: `output` [n, floor(height / ratio), floor(width / ratio), depth], with a gradient;
        `row_pooling_sequence` and `col_pooling_sequence`, int64, the borders.

    >>> x = tf.reshape(tf.range(25.0), [1, 5, 5, 1])
    >>> found = tf.nn.fractional_max_pool(x, 1.5, seed=1)
    >>> found.output.shape, found.row_pooling_sequence.shape
    (TensorShape([1, 3, 3, 1]), TensorShape([4]))

    Raises:
        ValueError: these are no such ratios.
        InvalidArgumentError: the rank is not 4, or a ratio larger than its axis.
    """
    ratios, options = _ratios(pooling_ratio), _options(pseudo_random, overlapping, seed)
    found = bind(FractionalMaxPool, value, pooling_ratio=ratios, name=name, **options)
    return FractionalMax(*found)


@dispatchable
def fractional_avg_pool(
    value: Any,
    pooling_ratio: Sequence[float],
    pseudo_random: bool = False,
    overlapping: bool = False,
    seed: int = 0,
    name: str | None = None,
) -> FractionalAverage:
    """The mean of cells whose borders are random. Arguments and results are those of
    `fractional_max_pool`, but that `pooling_ratio` is four numbers.

    >>> x = tf.reshape(tf.range(25.0), [1, 5, 5, 1])
    >>> found = tf.nn.fractional_avg_pool(x, [1.0, 1.5, 1.0, 1.0], seed=1)
    >>> found.output.shape, found.col_pooling_sequence.numpy()
    (TensorShape([1, 3, 5, 1]), array([0, 1, 2, 3, 4, 5]))

    Raises:
        TypeError: `pooling_ratio` is no list.
        InvalidArgumentError: these are no such ratios; the rank is not 4, or a ratio larger than
            its axis.
    """
    if not isinstance(pooling_ratio, (list, tuple, numpy.ndarray)):
        raise TypeError(f"fractional_avg_pool: pooling_ratio is a list, not {pooling_ratio!r}")
    ratios = tuple(as_float32(one) for one in pooling_ratio)
    options = _options(pseudo_random, overlapping, seed)
    found = bind(FractionalAvgPool, value, pooling_ratio=ratios, name=name, **options)
    return FractionalAverage(*found)


def _ratios(ratio: Any) -> tuple[float, ...]:
    given = [1.0, ratio, ratio, 1.0] if isinstance(ratio, (int, float)) else list(ratio)
    if len(given) != 4 or (given[0], given[-1]) != (1, 1):
        raise ValueError(f"`pooling_ratio` is 1 for batch and channels, not {ratio}")
    if min(given) < 1:
        raise ValueError(f"`pooling_ratio` elements should be >= 1.0, not {ratio}")
    return tuple(as_float32(one) for one in given)


def _options(pseudo_random: bool, overlapping: bool, seed: int) -> dict[str, Any]:
    first, second = get_seed(seed) if seed else (0, 0)
    return {
        "pseudo_random": bool(pseudo_random), "overlapping": bool(overlapping),
        "deterministic": bool(seed), "seed": first, "seed2": second,
    }  # fmt: skip
