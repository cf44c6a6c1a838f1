"""Parts of a tensor: slices with any stride."""

from __future__ import annotations

import builtins
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ...core.process.named_tuples import NamedTuple
from ...core.specs import TensorSpec
from ...core.values import TensorLike
from ...errors import InvalidArgumentError, ShapeMismatchError
from ..bind import bind
from ..demand_readers import TRACED
from ..demands import dims, refuse
from ..dispatch.meanings import dispatchable
from ..math.cast import cast
from ..op import ANY, INDEX, Attr, In, Moves, Op, Out, types
from ..sizes import choose, clamp, maximum, places_on_axis

if TYPE_CHECKING:
    from ..results import Tensor


class IndexEntry(NamedTuple):
    """What one entry of an index does with one axis of the input.

    axis: the axis of the input, or None for a new axis. entry: which element of `begin`, `end`
    and `strides` speaks of it, or None for the whole axis. single: the axis is indexed and goes.
    """

    axis: int | None
    entry: int | None
    single: bool = False


@lru_cache(1024)  # programs write few kinds of indices
def _read_entries(
    ellipsis_mask: int, new_axis_mask: int, shrink_axis_mask: int, rank: int, entries: int
) -> tuple[int, tuple[IndexEntry, ...]]:
    """How many axes an index mentions, and what it does with all of them."""
    others = new_axis_mask | ellipsis_mask
    mentioned = sum([not others >> k & 1 for k in range(entries)])
    parts: list[IndexEntry] = []
    axis = 0
    for k in range(entries):
        if ellipsis_mask >> k & 1:
            parts += [IndexEntry(axis + j, None) for j in range(rank - mentioned)]
            axis += rank - mentioned
        elif new_axis_mask >> k & 1:
            parts.append(IndexEntry(None, k))
        else:
            parts.append(IndexEntry(axis, k, bool(shrink_axis_mask >> k & 1)))
            axis += 1
    return mentioned, (*parts, *(IndexEntry(j, None) for j in range(axis, rank)))


class StridedIndex(Op, abstract=True):
    """Operations that share TensorFlow's encoding of `x[begin:end:stride, i, ..., newaxis]`.

    Bit k of a mask speaks of entry k: begin_mask and end_mask: ignore the number, take the end of
    the axis; ellipsis_mask: all axes not mentioned; new_axis_mask: a new axis of size 1;
    shrink_axis_mask: index with `begin`, without keeping the axis.
    """

    begin: Any
    end: Any
    strides: Any

    begin_mask = Attr(0)
    end_mask = Attr(0)
    ellipsis_mask = Attr(0)
    new_axis_mask = Attr(0)
    shrink_axis_mask = Attr(0)
    T = ANY
    Index = INDEX

    def demand_index(self, sizes: Any, shape: Any) -> Any:
        """What the index does to a tensor of `shape`, and its begins, ends and strides."""
        begin, end, strides = map(sizes.numbers, (self.begin, self.end, self.strides))
        sizes.require(
            len(begin) == len(end) == len(strides), ShapeMismatchError, UNLIKE_LENGTHS,
            (len(begin),), (len(end),), (len(strides),),
        )  # fmt: skip
        parts = self.parts(sizes, len(shape), len(begin))
        for part in () if sizes.numpy_looks else parts:
            axis, k = part.axis, part.entry
            if axis is None or k is None:
                continue
            if part.single:
                index, width = begin[k], shape[axis]
                fits = (index >= -width) & (index < width)
                sizes.require(fits, InvalidArgumentError, OUTSIDE, index, axis, width)
                sizes.require(strides[k] > 0, InvalidArgumentError, BACKWARDS, k, strides[k])
            else:
                sizes.require(strides[k] != 0, InvalidArgumentError, NO_STRIDE, k)
        return parts, begin, end, strides

    def parts(self, sizes: Any, rank: int, entries: int) -> tuple[IndexEntry, ...]:
        """What the index does, in the order of its entries, for a tensor of `rank`."""
        one_ellipsis = not self.ellipsis_mask & (self.ellipsis_mask - 1)
        sizes.require(one_ellipsis, InvalidArgumentError, ELLIPSES)
        masks = self.ellipsis_mask, self.new_axis_mask, self.shrink_axis_mask
        mentioned, parts = _read_entries(*masks, rank, entries)
        sizes.require(rank > 0 or not mentioned, InvalidArgumentError, SCALAR)
        sizes.require(mentioned <= rank, InvalidArgumentError, TOO_LONG, rank, rank)
        return parts

    def attributes(self) -> dict[str, int]:
        names = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
        return {name: getattr(self, name) for name in names}

    def taken(self, sizes: Any, shape: Any, found: Any) -> list[Any]:
        """The sizes of what the index takes from a tensor of `shape`; `found` by `demand_index`."""
        parts, begin, end, strides = found
        return [
            1 if part.axis is None
            else shape[part.axis] if part.entry is None
            else sizes.extent(
                shape[part.axis], *self.bounds(part.entry, begin, end), strides[part.entry]
            )
            for part in parts if not part.single
        ]  # fmt: skip

    def bounds(self, k: int, begin: Any, end: Any) -> tuple[Any, Any]:
        """Where the range of entry `k` begins and ends; None where that is an end of the axis."""
        first = None if self.begin_mask >> k & 1 else begin[k]
        return first, None if self.end_mask >> k & 1 else end[k]

    def python_index(self) -> tuple[Any, ...]:
        """The index in Python's words, of an eager application."""
        parts, begin, end, strides = self.found
        index: list[Any] = []
        for part in parts:
            if part.axis is None:
                index.append(None)
            elif part.entry is None:
                index.append(builtins.slice(None))
            elif part.single:
                if strides[part.entry] <= 0:
                    refuse(InvalidArgumentError, BACKWARDS, part.entry, strides[part.entry])
                index.append(begin[part.entry])
            else:
                index.append(
                    builtins.slice(*self.bounds(part.entry, begin, end), strides[part.entry])
                )
        return tuple(index)

    def ranges(self, loops: Any, shape: Any) -> list[tuple[IndexEntry, Any, Any, Any]]:
        """Each part with its first index, stride and count, for a tensor of `shape`."""
        parts, begin, end, _ = self.found
        strides = loops.static(self.strides)
        found: list[tuple[IndexEntry, Any, Any, Any]] = []
        for part in parts:
            if part.axis is None:
                found.append((part, 0, 1, 1))
            elif part.entry is None:
                found.append((part, 0, 1, shape[part.axis]))
            elif part.single:
                index, width = begin[part.entry], shape[part.axis]
                place = choose(loops, index < 0, index + width, index)
                found.append((part, place, 1, 1))
            else:
                first, last = self.bounds(part.entry, begin, end)
                step, width = strides[part.entry], shape[part.axis]
                found.append((part, *places_on_axis(loops, first, last, step, width)))
        return found

    def index_in_xla(self, xla: Any) -> tuple[Any, ...]:
        """The index in Python's words: numbers of the program only where they name one element."""
        parts, begin, end, strides = self.found
        begin, end = list(begin), list(end)
        for part in parts:
            if (k := part.entry) is None or part.axis is None or part.single:
                continue
            first, last = self.bounds(k, begin, end)
            begin[k] = 0 if first is None else xla.fixed(first, "where a slice begins")
            end[k] = 0 if last is None else xla.fixed(last, "where a slice ends")
        self.found = parts, begin, end, [xla.fixed(one, "a stride") for one in strides]
        return self.python_index()


ELLIPSES = "StridedSlice: Multiple ellipses in slice spec not allowed"
SCALAR = "StridedSlice: Attempting to slice scalar input."
TOO_LONG = "StridedSlice: Index out of range using input dim {}; input has only {} dims"
UNLIKE_LENGTHS = (
    "Expected begin, end, and strides to be 1D equal size tensors: 'begin' of shape {}, 'end' of "
    "shape {} and 'strides' of shape {}"
)
OUTSIDE = "slice index {} of dimension {} out of bounds: its size is {}"
BACKWARDS = "StridedSlice: only stride 1 allowed on an index that is no range: strides[{}] is {}"
NO_STRIDE = "StridedSlice: strides[{}] must be non-zero"


class StridedSlice(StridedIndex):
    """`input[begin:end:strides]`, with TensorFlow's masks for everything else an index can say.

    Raises:
        InvalidArgumentError: an index (not a range) is out of bounds.
    """

    moves = Moves.ELEMENTS
    input = In("T ...")
    begin = In("Index n")
    end = In("Index n")
    strides = In("Index n")
    output = Out("T ...")
    Index = INDEX | types("i16")

    def demands(self, sizes: Any) -> Any:
        return self.demand_index(sizes, sizes.shape(self.input))

    def infer(self) -> TensorSpec:
        if self.found is None:
            return TensorSpec(None, self.input.dtype)
        taken = self.taken(TRACED, TRACED.shape(self.input), self.found)
        return TensorSpec(dims(taken), self.input.dtype)

    def eager(self, np: Any) -> Any:
        return self.input[self.python_index()]

    def xla(self, xla: Any) -> Any:
        return self.input[self.index_in_xla(xla)]

    def lower(self, loops: Any) -> Any:
        x = self.input
        ranges = self.ranges(loops, x.shape)
        kept = [(part, count) for part, _, _, count in ranges if not part.single]

        def element(*index: Any) -> Any:
            given, own = iter(index), []
            for part, start, step, _ in ranges:
                place = 0 if part.single else next(given)
                if part.axis is None:
                    continue
                own.append(start if part.single else _place(start, step, place))
            return x[own]

        return loops.view([count for _, count in kept], x.dtype, element)

    def vjp(self, doutput: Any) -> Any:
        from .shapes import shape

        sizes = shape(self.input, self.begin.dtype)
        operands = (sizes, self.begin, self.end, self.strides, doutput)
        return bind(StridedSliceGrad, *operands, name=None, **self.attributes()), None, None, None


def _place(start: Any, step: int, k: Any) -> Any:
    """The k-th index of a range."""
    moved = k if step == 1 else k * step
    return moved if isinstance(start, int) and start == 0 else start + moved


class StridedSliceGrad(StridedIndex):
    """`dy` where the slice was taken from a tensor of `shape`, zeros elsewhere."""

    shape = In("Index r")
    begin = In("Index n")
    end = In("Index n")
    strides = In("Index n")
    dy = In("T ...")
    output = Out("T ...")

    def demands(self, sizes: Any) -> Any:
        shape = sizes.numbers(self.shape)
        sizes.possible(shape)
        found = self.demand_index(sizes, shape)
        dy, taken = sizes.shape(self.dy), tuple(self.taken(sizes, shape, found))
        fits = sizes.are_same(dy, taken)
        sizes.require_late(fits, InvalidArgumentError, UNLIKE, dy, taken)
        return found

    def infer(self) -> TensorSpec:
        return TensorSpec(self.shape.as_shape(), self.dy.dtype)

    def eager(self, np: Any) -> Any:
        whole = np.zeros(self.shape.tolist(), self.dy.dtype)
        whole[self.python_index()] = self.dy
        return whole

    def xla(self, xla: Any) -> Any:
        shape, index = [xla.fixed(size) for size in xla.static(self.shape)], self.index_in_xla(xla)
        own = [one for one in index if one is not None]
        if not all(isinstance(one, (int, builtins.slice)) for one in own):
            return xla.np.zeros(shape, self.dy.dtype).at[index].set(self.dy)
        if not self.dy.size:
            return xla.np.zeros(shape, self.dy.dtype)
        spans = [
            range(size)[one] if isinstance(one, builtins.slice)
            else range(size)[one % size :][:1]
            for one, size in zip(own, shape, strict=True)
        ]  # fmt: skip
        dy = self.dy.reshape([len(span) for span in spans])
        dy = xla.np.flip(dy, [k for k, span in enumerate(spans) if span.step < 0])
        margins = [
            (min(span[0], span[-1]), size - 1 - max(span[0], span[-1]), abs(span.step) - 1)
            for span, size in zip(spans, shape, strict=True)
        ]
        return xla.lax.pad(dy, xla.np.zeros((), dy.dtype), margins)

    def lower(self, loops: Any) -> Any:
        dy, shape = self.dy, loops.sizes(self.shape)
        ranges = self.ranges(loops, shape)
        zero = loops.constant(0, dy.dtype)

        def element(*index: Any) -> Any:
            inside, own = None, []
            for part, start, step, count in ranges:
                if part.axis is None:
                    own.append(0)
                    continue
                fits, k = _inverse(loops, index[part.axis], start, step, count, part)
                inside = fits if inside is None else inside if fits is None else inside & fits
                if not part.single:
                    own.append(k)
            return dy[own] if inside is None else loops.scalars.where(inside, dy[own], zero)

        return loops.view(shape, dy.dtype, element)

    def vjp(self, doutput: Any) -> Any:
        operands = (doutput, self.begin, self.end, self.strides)
        return None, None, None, None, bind(StridedSlice, *operands, name=None, **self.attributes())


UNLIKE = "StridedSliceGrad: shape of dy was {} instead of {}"


def _inverse(
    loops: Any, place: Any, start: Any, step: int, count: Any, part: IndexEntry
) -> tuple[Any, Any]:
    """Which number of the range `place` is, clamped, and whether it is one of them (None: yes)."""
    if part.entry is None:
        return None, place
    if part.single:
        return place == start, 0
    offset = place - start
    if abs(step) == 1:
        k = offset if step == 1 else -offset
        fits = (k >= 0) & (k < count)
    else:
        k = offset // step
        fits = (k * step == offset) & (k >= 0) & (k < count)
    last = maximum(loops, count - 1, 0)
    return fits, clamp(loops, k, 0, last)


class Slice(Op):
    """`size[k]` elements (-1: all that follow) from `begin[k]` on, along every axis k."""

    moves = Moves.ELEMENTS
    input = In("T ...")
    begin = In("Index n")
    size = In("Index n")
    output = Out("T ...")
    T = ANY
    Index = INDEX

    def demands(self, sizes: Any) -> Any:
        """The begins, and how many elements there are along every axis."""
        begin, count = sizes.numbers(self.begin), sizes.numbers(self.size)
        shape, counts = sizes.shape(self.input, len(begin)), []
        rank, given = len(shape), (len(begin), len(count))
        sizes.require(given == (rank, rank), InvalidArgumentError, NOT_EACH, rank, *given)
        for k, (b, n, d) in enumerate(zip(begin, count, shape, strict=True)):
            all_of_it, rest = sizes.equal(n, -1), d - b
            fits, fits_late = b >= 0, b <= d
            if all_of_it is True:
                fits = fits & fits_late
            if fits is not True:
                sizes.require(fits, InvalidArgumentError, OF_AXIS, "begin", k, d, b)
            if fits_late is not True:
                sizes.require_late(fits_late, InvalidArgumentError, OF_AXIS, "begin", k, d, b)
            taken = n if all_of_it is False else sizes.choose(all_of_it, rest, n)
            if (fits := n >= -1) is not True:
                sizes.require(fits, InvalidArgumentError, OF_AXIS, "size", k, rest, n)
            if (fits := taken <= rest) is not True:
                sizes.require_late(fits, InvalidArgumentError, OF_AXIS, "size", k, rest, n)
            counts.append(taken)
        return begin, counts

    def infer(self) -> TensorSpec:
        if self.found is None:
            rank = self.input.rank
            return TensorSpec(None if rank is None else (None,) * rank, self.input.dtype)
        return TensorSpec(dims(self.found[1]), self.input.dtype)

    def eager(self, np: Any) -> Any:
        pairs = zip(*self.found, strict=True)
        return self.input[tuple([builtins.slice(b, b + n) for b, n in pairs])]

    def xla(self, xla: Any) -> Any:
        begin, counts = self.found
        sizes = [xla.fixed(count, "the size of a slice") for count in counts]
        return xla.lax.dynamic_slice(self.input, begin, sizes)

    def lower(self, loops: Any) -> Any:
        x, (begin, counts) = self.input, self.found

        def element(*index: Any) -> Any:
            return x[[_place(b, 1, i) for b, i in zip(begin, index, strict=True)]]

        return loops.view(counts, x.dtype, element)

    def vjp(self, doutput: Any) -> Any:
        from .fill import ones_like
        from .shapes import shape

        begin, index = self.begin, self.begin.dtype
        end = begin + shape(doutput, index)
        operands = (shape(self.input, index), begin, end, ones_like(begin), doutput)
        return bind(StridedSliceGrad, *operands), None, None


NOT_EACH = (
    "Slice: Expected begin and size arguments to be 1-D tensors of size {}, but got shapes [{}] "
    "and [{}] instead."
)
OF_AXIS = "Slice: Expected {}[{}] in [0, {}], but got {}"


@dispatchable
def slice(input_: Any, begin: Any, size: Any, name: str | None = None) -> Tensor:
    """`size[k]` elements (-1: all that follow) from `begin[k]` on, along every axis k.

    input_: any dtype, of rank r. begin, size: int32 or int64 [r].

    >>> tf.slice([[1, 2, 3], [4, 5, 6]], [0, 1], [2, -1]).numpy()
    array([[2, 3],
           [5, 6]], dtype=int32)

    Raises:
        InvalidArgumentError: they do not lie within the tensor.
    """
    from .shapes import as_shape_tensor

    first, count = as_shape_tensor(begin), as_shape_tensor(size)
    if first.dtype is not count.dtype:  # what is no tensor gives way
        if isinstance(size, TensorLike) and not isinstance(begin, TensorLike):
            first = cast(first, count.dtype)
        elif not isinstance(size, TensorLike):
            count = cast(count, first.dtype)
    return bind(Slice, input_, first, count, name=name)


@dispatchable
def strided_slice(
    input_: Any,
    begin: Any,
    end: Any,
    strides: Any = None,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    var: Any = None,
    name: str | None = None,
) -> Tensor:
    """`input_[begin:end:strides]`, with masks for what else an index can say.

    input_: any dtype. begin, end, strides: int32 or int64 [n], for the first n axes; ranges are cut
    off at the ends as Python's are. Bit k of a mask speaks of number k of them: begin_mask,
    end_mask: from the first element, to the last; ellipsis_mask: all axes that are not spoken of;
    new_axis_mask: an axis of size 1; shrink_axis_mask: the element at begin[k], without the axis.

    >>> tf.strided_slice([[1, 2, 3], [4, 5, 6]], [0, 2], [2, 0], [1, -1]).numpy()
    array([[3, 2],
           [6, 5]], dtype=int32)

    Raises:
        InvalidArgumentError: an index of `shrink_axis_mask` is out of bounds, or a stride is 0.
    """
    from .fill import ones_like
    from .shapes import as_shape_tensor

    begin = as_shape_tensor(begin)
    steps = ones_like(begin) if strides is None else as_shape_tensor(strides)
    return bind(
        StridedSlice, input_, begin, as_shape_tensor(end), steps, begin_mask=begin_mask,
        end_mask=end_mask, ellipsis_mask=ellipsis_mask, new_axis_mask=new_axis_mask,
        shrink_axis_mask=shrink_axis_mask, name=name,
    )  # fmt: skip


def slice_of_axis(x: Any, axis: int, start: Any, count: Any) -> Any:
    """`count` slices of `x` from `start` on along one axis; both may be tensors."""
    whole = (1 << axis) - 1
    return strided_slice(
        x, [0] * axis + [start], [0] * axis + [start + count],
        [1] * (axis + 1), begin_mask=whole, end_mask=whole,
    )  # fmt: skip
