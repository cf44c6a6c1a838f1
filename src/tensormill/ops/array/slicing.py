"""Parts of a tensor: slices with any stride."""

from __future__ import annotations

import builtins
from dataclasses import dataclass
from typing import Any

from ...core.specs import TensorSpec
from ...core.values import TensorLike
from ...errors import InvalidArgumentError
from .. import sizes as size
from ..bind import bind
from ..dispatch.meanings import dispatchable
from ..math.cast import cast
from ..op import ANY, INDEX, Attr, In, Op, Out


@dataclass(frozen=True)
class IndexEntry:
    """What one entry of an index does with one axis of the input.

    axis: the axis of the input, or None for a new axis. entry: which element of `begin`, `end`
    and `strides` speaks of it, or None for the whole axis. single: the axis is indexed and goes.
    """

    axis: int | None
    entry: int | None
    single: bool = False


class StridedIndex(Op, abstract=True):
    """Operations that share TensorFlow's encoding of `x[begin:end:stride, i, ..., newaxis]`.

    Bit k of a mask speaks of entry k: begin_mask and end_mask: ignore the number, take the end of
    the axis; ellipsis_mask: all axes not mentioned; new_axis_mask: a new axis of size 1;
    shrink_axis_mask: index with `begin`, without keeping the axis.
    """

    begin_mask = Attr(0)
    end_mask = Attr(0)
    ellipsis_mask = Attr(0)
    new_axis_mask = Attr(0)
    shrink_axis_mask = Attr(0)
    T = ANY
    Index = INDEX

    def parts(self, rank: int, entries: int) -> list[IndexEntry]:
        """What the index does, in the order of its entries, for an input of `rank`."""
        if self.ellipsis_mask & (self.ellipsis_mask - 1):
            raise InvalidArgumentError("StridedSlice: Multiple ellipses in slice spec not allowed")
        mentioned = sum(
            not (self.new_axis_mask | self.ellipsis_mask) >> k & 1 for k in range(entries)
        )
        if rank == 0 and mentioned:
            raise InvalidArgumentError("StridedSlice: Attempting to slice scalar input.")
        if mentioned > rank:
            raise InvalidArgumentError(
                f"StridedSlice: Index out of range using input dim {rank}; input has only {rank} "
                "dims"
            )
        parts: list[IndexEntry] = []
        axis = 0
        for k in range(entries):
            if self.ellipsis_mask >> k & 1:
                parts += [IndexEntry(axis + j, None) for j in range(rank - mentioned)]
                axis += rank - mentioned
            elif self.new_axis_mask >> k & 1:
                parts.append(IndexEntry(None, k))
            else:
                parts.append(IndexEntry(axis, k, bool(self.shrink_axis_mask >> k & 1)))
                axis += 1
        return parts + [IndexEntry(j, None) for j in range(axis, rank)]

    def attributes(self) -> dict[str, int]:
        names = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
        return {name: getattr(self, name) for name in names}

    def masked(self, mask: int, part: IndexEntry) -> bool:
        return part.entry is None or bool(mask >> part.entry & 1)

    def inferred(self, dims: Any, begin: Any, end: Any, strides: Any, entries: int) -> Any:
        """The sizes of the result of indexing a tensor with sizes `dims` (None: unknown)."""
        result: list[int | None] = []
        for part in self.parts(len(dims), entries):
            if part.axis is None:
                result.append(1)
            elif part.entry is None:
                result.append(dims[part.axis])
            elif part.single:
                _check_index(begin[part.entry], dims[part.axis], part.axis)
            else:
                result.append(self.inferred_size(dims, part, begin, end, strides))
        return result

    def inferred_size(self, dims: Any, part: IndexEntry, begin: Any, end: Any, strides: Any) -> Any:
        width, step = dims[part.axis], strides[part.entry]
        _check_stride(step, part.entry)
        first = None if self.masked(self.begin_mask, part) else begin[part.entry]
        last = None if self.masked(self.end_mask, part) else end[part.entry]
        unknown_first = first is None and not self.masked(self.begin_mask, part)
        unknown_last = last is None and not self.masked(self.end_mask, part)
        if step is None or unknown_first or unknown_last:
            return None
        if width is not None:
            return len(range(*builtins.slice(first, last, step).indices(width)))
        return None

    def python_index(self, rank: int, shape: Any) -> tuple[Any, ...]:
        """The index in Python's words, of an eager application."""
        begin, end, strides = self.begin.tolist(), self.end.tolist(), self.strides.tolist()
        index: list[Any] = []
        for part in self.parts(rank, len(begin)):
            if part.axis is None:
                index.append(None)
            elif part.entry is None:
                index.append(builtins.slice(None))
            elif part.single:
                _check_index(begin[part.entry], shape[part.axis], part.axis)
                index.append(begin[part.entry])
            else:
                _check_stride(strides[part.entry], part.entry)
                first = None if self.masked(self.begin_mask, part) else begin[part.entry]
                last = None if self.masked(self.end_mask, part) else end[part.entry]
                index.append(builtins.slice(first, last, strides[part.entry]))
        return tuple(index)

    def ranges(self, loops: Any, shape: Any) -> list[tuple[IndexEntry, Any, Any, Any]]:
        """Each part with its first index, stride and count, for a tensor of `shape`."""
        begin, end = loops.sizes(self.begin), loops.sizes(self.end)
        strides = loops.static(self.strides)
        found: list[tuple[IndexEntry, Any, Any, Any]] = []
        for part in self.parts(len(shape), len(begin)):
            if part.axis is None:
                found.append((part, 0, 1, 1))
            elif part.entry is None:
                found.append((part, 0, 1, shape[part.axis]))
            elif part.single:
                place = _checked_place(loops, begin[part.entry], shape[part.axis], part.axis)
                found.append((part, place, 1, 1))
            else:
                step = strides[part.entry]
                _check_stride(step, part.entry)
                first = None if self.masked(self.begin_mask, part) else begin[part.entry]
                last = None if self.masked(self.end_mask, part) else end[part.entry]
                width = shape[part.axis]
                found.append((part, *_range(loops, first, last, step, width)))
        return found


def _check_index(index: Any, width: Any, axis: int) -> None:
    if index is not None and width is not None and not -width <= index < width:
        raise InvalidArgumentError(
            f"slice index {index} of dimension {axis} out of bounds: its size is {width}"
        )


def _check_stride(step: Any, entry: int | None) -> None:
    if step == 0:
        raise InvalidArgumentError(f"StridedSlice: strides[{entry}] must be non-zero")


def _checked_place(loops: Any, index: Any, width: Any, axis: int) -> Any:
    inside = (index >= -width) & (index < width)
    message = f"slice index {{}} of dimension {axis} out of bounds: its size is {{}}"
    size.demand(loops, inside, InvalidArgumentError, message, index, width)
    return size.choose(loops, index < 0, index + width, index)


def _range(loops: Any, first: Any, last: Any, step: int, width: Any) -> tuple[Any, int, Any]:
    """First index, stride and count of `first:last:step` on an axis of `width`."""
    low, high = (0, width) if step > 0 else (-1, width - 1)
    if first is None and last is None and step == 1:
        return 0, 1, width
    start = (low if step > 0 else high) if first is None else _bound(loops, first, width, low, high)
    stop = (high if step > 0 else low) if last is None else _bound(loops, last, width, low, high)
    distance = stop - start if step > 0 else start - stop
    stride = abs(step)
    count = distance if stride == 1 else (distance + (stride - 1)) // stride
    return start, step, size.maximum(loops, count, 0)


def _bound(loops: Any, index: Any, width: Any, low: Any, high: Any) -> Any:
    """A begin or end: counted from the end where negative, then clamped."""
    place = size.choose(loops, index < 0, index + width, index)
    return size.clamp(loops, place, low, high)


class StridedSlice(StridedIndex):
    """`input[begin:end:strides]`, with TensorFlow's masks for everything else an index can say.

    Raises:
        InvalidArgumentError: an index (not a range) is out of bounds.
    """

    input = In("T ...")
    begin = In("Index n")
    end = In("Index n")
    strides = In("Index n")
    output = Out("T ...")

    def infer(self) -> TensorSpec:
        dims, dtype = self.input.shape.dims, self.input.dtype
        shape = self.begin.shape
        entries = shape.dims[0] if shape.dims else None
        if dims is None or entries is None:
            return TensorSpec(None, dtype)
        unknown = (None,) * entries
        numbers = (known.sizes or unknown for known in (self.begin, self.end, self.strides))
        return TensorSpec(self.inferred(dims, *numbers, entries), dtype)

    def eager(self, np: Any) -> Any:
        return self.input[self.python_index(self.input.ndim, self.input.shape)]

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

    def infer(self) -> TensorSpec:
        return TensorSpec(self.shape.as_shape(), self.dy.dtype)

    def eager(self, np: Any) -> Any:
        shape = tuple(self.shape.tolist())
        size.require_shape(shape)
        whole = np.zeros(shape, self.dy.dtype)
        index = self.python_index(len(shape), shape)
        target = whole[index]
        if target.shape != self.dy.shape:
            raise InvalidArgumentError(
                f"StridedSliceGrad: shape of dy was {list(self.dy.shape)} instead of "
                f"{list(target.shape)}"
            )
        whole[index] = self.dy
        return whole

    def lower(self, loops: Any) -> Any:
        dy, shape = self.dy, size.shape_in(loops, self.shape)
        ranges = self.ranges(loops, shape)
        taken = [1 if part.axis is None else count for part, *_, count in ranges if not part.single]
        size.require_same(
            loops, dy.shape, taken, "StridedSliceGrad: shape of dy was {} instead of {}"
        )
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
    last = size.maximum(loops, count - 1, 0)
    return fits, size.clamp(loops, k, 0, last)


class Slice(Op):
    """`size[k]` elements (-1: all that follow) from `begin[k]` on, along every axis k."""

    input = In("T ...")
    begin = In("Index n")
    size = In("Index n")
    output = Out("T ...")
    T = ANY
    Index = INDEX

    def require_entries(self, begin: Any, size: Any, dims: Any) -> None:
        if len(begin) != len(dims) or len(size) != len(dims):
            raise InvalidArgumentError(
                f"Slice: Expected begin and size arguments to be 1-D tensors of size {len(dims)}, "
                f"but got shapes [{len(begin)}] and [{len(size)}] instead."
            )

    def checked(self, begin: Any, size: Any, dims: Any) -> list[int]:
        self.require_entries(begin, size, dims)
        counts: list[int] = []
        for k, (b, n, d) in enumerate(zip(begin, size, dims, strict=True)):
            if not 0 <= b <= d:
                raise InvalidArgumentError(f"Slice: Expected begin[{k}] in [0, {d}], but got {b}")
            counts.append(d - b if n == -1 else n)
            if not 0 <= counts[-1] <= d - b:
                raise InvalidArgumentError(
                    f"Slice: Expected size[{k}] in [0, {d - b}], but got {n}"
                )
        return counts

    def infer(self) -> TensorSpec:
        dims, begin, count = self.input.shape.dims, self.begin.sizes, self.size.sizes
        if dims is None:
            rank = self.begin.shape.dims[0] if self.begin.shape.dims else None
            dims = None if rank is None else (None,) * rank
        if dims is None or count is None:
            return TensorSpec(None if dims is None else (None,) * len(dims), self.input.dtype)
        begin = begin or (None,) * len(dims)
        self.require_entries(begin, count, dims)
        if None not in (*dims, *begin, *count):
            return TensorSpec(self.checked(begin, count, dims), self.input.dtype)
        found = [
            n if n != -1 else None if d is None or b is None else d - b
            for d, b, n in zip(dims, begin, count, strict=True)
        ]
        return TensorSpec(found, self.input.dtype)

    def eager(self, np: Any) -> Any:
        begin = self.begin.tolist()
        counts = self.checked(begin, self.size.tolist(), self.input.shape)
        pairs = zip(begin, counts, strict=True)
        return self.input[tuple(builtins.slice(b, b + n) for b, n in pairs)]

    def lower(self, loops: Any) -> Any:
        x, begin, asked, counts = self.input, loops.sizes(self.begin), loops.sizes(self.size), []
        self.require_entries(begin, asked, x.shape)
        for k, (b, n) in enumerate(zip(begin, asked, strict=True)):
            d = x.shape[k]
            message = f"Slice: Expected begin[{k}] in [0, {{}}], but got {{}}"
            size.demand(loops, (b >= 0) & (b <= d), InvalidArgumentError, message, d, b)
            count = size.choose(loops, n == -1, d - b, n)
            message = f"Slice: Expected size[{k}] in [0, {{}}], but got {{}}"
            fits = (count >= 0) & (count <= d - b)
            size.demand(loops, fits, InvalidArgumentError, message, d - b, n)
            counts.append(count)

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


@dispatchable
def slice(input_: Any, begin: Any, size: Any, name: str | None = None) -> Any:
    """`size[k]` elements (-1: all that follow) from `begin[k]` on, along every axis k.

    input_: any dtype, of rank r. begin, size: int32 or int64 [r].

    >>> tf.slice([[1, 2, 3], [4, 5, 6]], [0, 1], [2, -1]).numpy()
    array([[2, 3],
           [5, 6]], dtype=int32)

    Raises:
        InvalidArgumentError: they do not lie within the tensor.
    """
    from .fill import as_shape_tensor

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
) -> Any:
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
    from .fill import as_shape_tensor, ones_like

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
