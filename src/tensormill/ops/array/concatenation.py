"""Joining tensors along an axis, and taking them apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as numpy_module

from ...core import dtypes
from ...core.shapes import TensorShape
from ...core.specs import TensorSpec
from ...core.values import TensorLike
from ...errors import InvalidArgumentError, ShapeMismatchError
from ..bind import bind
from ..conversion import as_tensor, as_tensors, static_value
from ..dispatch.meanings import dispatchable
from ..op import ANY, INDEX, Attr, In, Op, Out, types
from ..sizes import choose, demand, require_same

FEW: Final = 32  # of so many things one is chosen in turn


def _axis(op: str, axis: int, rank: int) -> int:
    if not -rank <= axis < rank:
        raise InvalidArgumentError(
            f"{op}: axis must be in the range [{-rank}, {rank}), but got {axis}"
        )
    return axis % rank


class ConcatV2(Op):
    """The inputs one after the other along `axis`; their other axes agree."""

    values = In("N * T ...")
    axis = In("Tidx")
    output = Out("T ...")
    T = ANY
    Tidx = INDEX

    def position(self, axis: int, rank: int) -> int:
        if rank == 0:
            raise InvalidArgumentError(
                "ConcatOp : Can't concatenate scalars (use tf.stack instead)"
            )
        if not -rank <= axis < rank:
            raise InvalidArgumentError(
                "ConcatOp : Expected concatenating dimensions in the range "
                f"[{-rank}, {rank}), but got {axis}"
            )
        return axis % rank

    def infer(self) -> TensorSpec:
        dtype = self.values[0].dtype
        ranks = {known.rank for known in self.values} - {None}
        if len(ranks) > 1:
            raise self.mismatch([known.shape for known in self.values], "Ranks")
        if not ranks:
            return TensorSpec(None, dtype)
        rank = ranks.pop()
        axis = (self.axis.sizes or (None,))[0]
        if axis is None:
            return TensorSpec((None,) * rank, dtype)  # type: ignore[operator]
        where = self.position(axis, rank)  # type: ignore[arg-type]
        total: int | None = 0
        merged = TensorShape((None,) * rank)  # type: ignore[operator]
        for known in self.values:
            dims = known.shape.dims or (None,) * rank  # type: ignore[operator]
            size = dims[where]
            total = None if total is None or size is None else total + size
            blank = (*dims[:where], None, *dims[where + 1 :])
            if not merged.is_compatible_with(blank):
                raise self.mismatch([one.shape for one in self.values], "Dimensions")
            merged = merged.merge_with(blank)
        dims = merged.dims or ()
        return TensorSpec((*dims[:where], total, *dims[where + 1 :]), dtype)

    def mismatch(self, shapes: list[Any], what: str) -> ShapeMismatchError:
        shown = " vs. ".join(f"shape[{k}] = {shape}" for k, shape in enumerate(shapes))
        return ShapeMismatchError(f"ConcatOp : {what} of all input tensors should match: {shown}")

    def eager(self, np: Any) -> Any:
        where = self.position(int(self.axis), self.values[0].ndim)
        if len({value.ndim for value in self.values}) > 1:
            raise self.mismatch([list(value.shape) for value in self.values], "Ranks")
        return np.concatenate(self.values, where)

    def lower(self, loops: Any) -> Any:
        first, axis = self.values[0], loops.static(self.axis)
        where = self.position(axis, first.rank)
        self.check_sizes(loops, where)
        pieces, total = [], 0
        for value in self.values:
            size = value.shape[where]
            if not (isinstance(size, int) and size == 0):
                pieces.append((value, total))
            total = total + size

        def element(*index: Any) -> Any:
            def in_turn(begin: int, end: int) -> Any:
                chosen = None
                for value, start in reversed(pieces[begin:end] or [(first, 0)]):
                    chosen = self.piece(loops, value, start, where, index, chosen)
                return chosen

            def begins_before(number: int) -> Any:
                return index[where] < pieces[number][1]

            return one_of_many(loops, len(pieces), in_turn, begins_before)

        shape = [*first.shape[:where], total, *first.shape[where + 1 :]]
        return loops.view(shape, first.dtype, element)

    def piece(self, loops: Any, value: Any, start: Any, where: int, index: Any, after: Any) -> Any:
        """The element of `value` at `index`, or `after` where it lies behind `value`."""
        s, last = loops.scalars, value.shape[where] - 1
        zero = loops.constant(0, dtypes.int64)
        inside = s.maximum(s.minimum(index[where] - start, last), zero)
        own = value[[*index[:where], inside, *index[where + 1 :]]]
        if after is None:
            return own
        return s.where(index[where] < start + value.shape[where], own, after)

    def check_sizes(self, loops: Any, where: int) -> None:
        first = self.values[0]
        for value in self.values[1:]:
            for axis in range(first.rank):
                message = f"ConcatOp : Dimension {axis} in both shapes must be equal: {{}} vs. {{}}"
                if axis != where:
                    require_same(loops, [first.shape[axis]], [value.shape[axis]], message)

    def vjp(self, doutput: Any) -> Any:
        from .shapes import shape_of
        from .slicing import slice_of_axis

        axis = static_value(self.axis)
        rank = doutput.shape.rank or next(v.shape.rank for v in self.values if v.shape.rank)
        where = int(axis) % rank  # type: ignore[arg-type]
        pieces, start = [], 0
        for value in self.values:
            size = value.shape.dims[where] if value.shape.dims else None
            if size is None:
                size = shape_of(value)[where]
            pieces.append(slice_of_axis(doutput, where, start, size))
            start = start + size
        return pieces, None


@dispatchable
def concat(values: Any, axis: Any, name: str | None = "concat") -> Any:
    """The tensors in the list `values` one after the other along `axis`.

    values: tensors of one dtype (any) and one rank of at least 1, whose shapes agree along all axes
    but `axis`; a negative `axis` counts from the last. Along it the sizes of the result add up.

    >>> tf.concat([[[1, 2]], [[3, 4]]], 1).numpy()
    array([[1, 2, 3, 4]], dtype=int32)

    Raises:
        InvalidArgumentError: scalars, shapes that differ along another axis, or no such axis; also
            a TypeError where dtypes differ.
    """
    if not isinstance(values, (list, tuple)):
        if hasattr(values, "joined"):  # a list that grew in staged code
            return values.joined(axis)
        values = [values]
    if len(values) == 1:
        from ..control.flow import identity

        axis = as_tensor(axis)
        if axis.shape.rank not in (0, None):
            raise ValueError(f"Shape must be rank 0 but is rank {axis.shape.rank} for the axis")
        return identity(values[0], name=name)
    return bind(ConcatV2, as_tensors(*values), axis, name=name)


def one_of_many(
    loops: Any, count: int, in_turn: Callable[[int, int], Any], is_before: Callable[[int], Any]
) -> Any:
    """One of `count` things: of a few `in_turn(begin, end)` chooses, of many halves are asked for.

    A choice within a choice for each would be as deep as they are many.
    """

    def chosen(begin: int, end: int) -> Any:
        if end - begin <= FEW:
            return in_turn(begin, end)
        middle = (begin + end) // 2
        return loops.scalars.where(is_before(middle), chosen(begin, middle), chosen(middle, end))

    return chosen(0, count)


class Pack(Op):
    """The inputs, of one shape, side by side along a new axis."""

    values = In("N * T *s")
    output = Out("T ...")
    axis = Attr(0)
    T = ANY

    def position(self, rank: int) -> int:
        return _axis("Pack", self.axis, rank + 1)

    def infer(self) -> TensorSpec:
        shape = self.values[0].shape
        for known in self.values[1:]:
            if not shape.is_compatible_with(known.shape):
                raise self.mismatch(shape, known.shape)
            shape = shape.merge_with(known.shape)
        if shape.dims is None:
            return TensorSpec(None, self.values[0].dtype)
        where = self.position(len(shape.dims))
        dims = (*shape.dims[:where], len(self.values), *shape.dims[where:])
        return TensorSpec(dims, self.values[0].dtype)

    def mismatch(self, one: Any, other: Any) -> ShapeMismatchError:
        return ShapeMismatchError(
            f"Pack: Shapes of all inputs must match: values[0].shape = {one} != "
            f"values[i].shape = {other}"
        )

    def eager(self, np: Any) -> Any:
        first = self.values[0]
        for value in self.values[1:]:
            if value.shape != first.shape:
                raise self.mismatch(list(first.shape), list(value.shape))
        return np.stack(self.values, self.position(first.ndim))

    def lower(self, loops: Any) -> Any:
        first = self.values[0]
        if first.rank == 0:
            return loops.vector([value[()] for value in self.values], first.dtype)
        where = self.position(first.rank)
        self.check_sizes(loops)
        s = loops.scalars

        def element(*index: Any) -> Any:
            own = [*index[:where], *index[where + 1 :]]

            def in_turn(begin: int, end: int) -> Any:
                chosen = self.values[end - 1][own]
                for k in reversed(range(begin, end - 1)):
                    chosen = s.where(index[where] == k, self.values[k][own], chosen)
                return chosen

            return one_of_many(loops, len(self.values), in_turn, lambda k: index[where] < k)

        shape = [*first.shape[:where], len(self.values), *first.shape[where:]]
        return loops.view(shape, first.dtype, element)

    def check_sizes(self, loops: Any) -> None:
        first = self.values[0]
        for value in self.values[1:]:
            message = "Pack: Shapes of all inputs must match: {} != {}"
            require_same(loops, first.shape, value.shape, message)

    def vjp(self, doutput: Any) -> Any:
        return (list(bind(Unpack, doutput, num=len(self.values), axis=self.axis)),)


@dispatchable
def stack(values: Any, axis: int = 0, name: str | None = "stack") -> Any:
    """The tensors in `values`, of one shape and dtype (any), side by side along a new axis.

    The result has one axis more, of size len(values), at `axis` (in the result; negative: from its
    end).

    >>> tf.stack([[1, 2], [3, 4], [5, 6]], axis=1).numpy()
    array([[1, 3, 5],
           [2, 4, 6]], dtype=int32)

    Raises:
        ValueError: the axis does not exist.
        InvalidArgumentError: shapes differ (also a ValueError).
    """
    if isinstance(values, TensorLike):
        if axis == 0 and values.shape.rank:  # its slices side by side: itself, of any length
            return as_tensor(values)
        values = unstack(values)
    elif hasattr(values, "stacked"):  # a list that grew in staged code
        return values.stacked(axis)
    if not values:
        return as_tensor(values)
    tensors = as_tensors(*values)
    rank = tensors[0].shape.rank
    if rank is not None and not -rank - 1 <= axis <= rank:
        raise ValueError(f"Argument `axis` = {axis} not in range [{-rank - 1}, {rank + 1})")
    return bind(Pack, tensors, axis=axis, name=name)


class Unpack(Op):
    """The slices along an axis, which goes."""

    value = In("T ...")
    output = Out("num * T ...")
    num = Attr()
    axis = Attr(0)
    T = ANY

    def infer(self) -> Any:
        dims = self.value.shape.dims
        if dims is None:
            return (TensorSpec(None, self.value.dtype),) * self.num
        where = _axis("Unpack", self.axis, len(dims))
        if dims[where] not in (None, self.num):
            raise self.mismatch(dims)
        rest = dims[:where] + dims[where + 1 :]
        return (TensorSpec(rest, self.value.dtype),) * self.num

    def mismatch(self, dims: Any) -> ShapeMismatchError:
        return ShapeMismatchError(
            f"Unpack: Input shape axis {self.axis} must equal {self.num}, got shape {list(dims)}"
        )

    def eager(self, np: Any) -> Any:
        where = _axis("Unpack", self.axis, self.value.ndim)
        if self.value.shape[where] != self.num:
            raise self.mismatch(self.value.shape)
        before = (slice(None),) * where
        return tuple(self.value[(*before, k)] for k in range(self.num))

    def lower(self, loops: Any) -> Any:
        x = self.value
        where = _axis("Unpack", self.axis, x.rank)
        message = f"Unpack: Input shape axis {where} must equal {{1}}, got {{0}}"
        require_same(loops, [x.shape[where]], [self.num], message)
        rest = [*x.shape[:where], *x.shape[where + 1 :]]
        if x.rank == 1:
            return tuple(loops.scalar(x[[k]]) for k in range(self.num))
        return tuple(
            loops.view(rest, x.dtype, lambda *i, k=k: x[[*i[:where], k, *i[where:]]])
            for k in range(self.num)
        )

    def vjp(self, *doutputs: Any) -> Any:
        return bind(Pack, list(doutputs), axis=self.axis)


@dispatchable
def unstack(value: Any, num: int | None = None, axis: int = 0, name: str | None = "unstack") -> Any:
    """The slices along `axis`, as a list of tensors with one axis less than `value` (of any dtype).

    num: how many there are, where the shape of `value` does not say it.

    >>> [column.numpy().tolist() for column in tf.unstack([[1, 2], [3, 4]], axis=1)]
    [[1, 3], [2, 4]]

    Raises:
        ValueError: their number is not known or not `num`, or the axis does not exist.
    """
    value = as_tensor(value)
    if num is None:
        rank = value.shape.rank
        if rank is not None and not -rank <= axis < rank:
            raise ValueError(f"Argument `axis` = {axis} not in range [{-rank}, {rank})")
        num = None if rank is None else value.shape[axis]
    if num is None:
        raise ValueError(f"Cannot infer argument `num` from shape {value.shape}")
    return list(bind(Unpack, value, num=num, axis=axis, name=name))


class Split(Op):
    """`num_split` equal parts along an axis."""

    split_dim = In("i32")
    value = In("T ...")
    output = Out("num_split * T ...")
    num_split = Attr()
    T = ANY

    def part(self, size: int, axis: int) -> int:
        if self.num_split < 1:
            raise InvalidArgumentError(
                f"Value for attr 'num_split' of {self.num_split} must be at least minimum 1"
            )
        if size % self.num_split:
            raise InvalidArgumentError(
                "Split: Number of ways to split should evenly divide the split dimension, but got "
                f"split_dim {axis} (size = {size}) and num_split {self.num_split}"
            )
        return size // self.num_split

    def infer(self) -> Any:
        dims, axis = self.value.shape.dims, (self.split_dim.sizes or (None,))[0]
        dtype = self.value.dtype
        if dims is None or axis is None:
            unknown = None if dims is None else (None,) * len(dims)
            return (TensorSpec(unknown, dtype),) * self.num_split
        where = _axis("Split", axis, len(dims))
        size = dims[where]
        part = None if size is None else self.part(size, where)
        return (TensorSpec((*dims[:where], part, *dims[where + 1 :]), dtype),) * self.num_split

    def eager(self, np: Any) -> Any:
        where = _axis("Split", int(self.split_dim), self.value.ndim)
        self.part(self.value.shape[where], where)
        return tuple(np.split(self.value, self.num_split, where))

    def lower(self, loops: Any) -> Any:
        x = self.value
        where = _axis("Split", loops.static(self.split_dim), x.rank)
        size = x.shape[where]
        if isinstance(size, int):
            part: Any = self.part(size, where)
        else:
            part = size // self.num_split
            loops.check(
                part * self.num_split == size, InvalidArgumentError,
                "Split: Number of ways to split should evenly divide the split dimension, but got "
                f"split_dim {where} (size = {{}}) and num_split {self.num_split}", size,
            )  # fmt: skip
        return tuple(section(loops, x, where, k * part, part) for k in range(self.num_split))

    def vjp(self, *doutputs: Any) -> Any:
        return None, concat(list(doutputs), self.split_dim)


def section(loops: Any, x: Any, where: int, start: Any, size: Any) -> Any:
    """The part of a loop array that begins at `start` along one axis."""
    shape = [*x.shape[:where], size, *x.shape[where + 1 :]]

    def element(*index: Any) -> Any:
        return x[[*index[:where], index[where] + start, *index[where + 1 :]]]

    return loops.view(shape, x.dtype, element)


class SplitV(Op):
    """Parts of given sizes along an axis; one size may be -1, which stands for what is left."""

    value = In("T ...")
    size_splits = In("Tlen n")
    split_dim = In("i32")
    output = Out("num_split * T ...")
    num_split = Attr()
    T = ANY
    Tlen = types("i8 i32 i64")

    def full_sizes(self, sizes: Any, size: int) -> list[int]:
        free = [k for k, one in enumerate(sizes) if one == -1]
        if len(free) > 1:
            raise InvalidArgumentError("SplitV: There can only be one -1 in the input.")
        taken = sum(one for one in sizes if one != -1)
        if taken > size or (not free and taken != size) or any(one < -1 for one in sizes):
            raise InvalidArgumentError(
                "SplitV: Determined shape must either match input shape along split_dim exactly "
                "if fully specified, or be less than the size of the input along split_dim if not "
                f"fully specified. Got: {taken} of {size}"
            )
        return [size - taken if one == -1 else one for one in sizes]

    def infer(self) -> Any:
        dims, axis = self.value.shape.dims, (self.split_dim.sizes or (None,))[0]
        dtype, sizes = self.value.dtype, self.size_splits.sizes
        if dims is None or axis is None:
            unknown = None if dims is None else (None,) * len(dims)
            return (TensorSpec(unknown, dtype),) * self.num_split
        where = _axis("SplitV", axis, len(dims))
        parts: Any = sizes or (None,) * self.num_split
        if len(parts) != self.num_split:
            raise InvalidArgumentError(
                "SplitV: size of the split_tensor must be 1-D and have the same elements as "
                f"outputs got {self.num_split} outputs and {len(parts)} elements"
            )
        if dims[where] is not None and None not in parts:
            parts = self.full_sizes(parts, dims[where])  # type: ignore[arg-type]
        return tuple(
            TensorSpec((*dims[:where], None if p == -1 else p, *dims[where + 1 :]), dtype)
            for p in parts
        )

    def eager(self, np: Any) -> Any:
        where = _axis("SplitV", int(self.split_dim), self.value.ndim)
        if self.size_splits.size != self.num_split:
            raise InvalidArgumentError(
                "SplitV: size of the split_tensor must be 1-D and have the same elements as "
                f"outputs got {self.num_split} outputs and {self.size_splits.size} elements"
            )
        sizes = self.full_sizes(self.size_splits.tolist(), self.value.shape[where])
        ends = numpy_module.cumsum(sizes)[:-1]
        return tuple(np.split(self.value, ends, where))

    def lower(self, loops: Any) -> Any:
        x, sizes = self.value, list(loops.sizes(self.size_splits))
        where = _axis("SplitV", loops.static(self.split_dim), x.rank)
        total = x.shape[where]
        if isinstance(total, int) and all(isinstance(size, int) for size in sizes):
            sizes = self.full_sizes(sizes, total)
        else:
            sizes = self.run_time_sizes(loops, sizes, total)
        parts, start = [], 0
        for size in sizes:
            parts.append(section(loops, x, where, start, size))
            start = start + size
        return tuple(parts)

    def run_time_sizes(self, loops: Any, sizes: list[Any], total: Any) -> list[Any]:
        """The sizes, none of which leads out of the axis, once that is checked."""
        taken: Any = 0
        free: Any = 0
        for size in sizes:
            outside = "SplitV: Expected a size in [-1, {}], but got {}"
            for fits in (size >= -1, size <= total):
                demand(loops, fits, InvalidArgumentError, outside, total, size)
            taken = taken + choose(loops, size == -1, 0, size)
            free = free + choose(loops, size == -1, 1, 0)
        message = "SplitV: Determined shape must match input shape along split_dim: {} of {}"
        demand(
            loops, free <= 1, InvalidArgumentError, "SplitV: There can only be one -1, not {}", free
        )
        fits = choose(loops, free == 0, taken == total, taken <= total)
        demand(loops, fits, InvalidArgumentError, message, taken, total)
        return [choose(loops, size == -1, total - taken, size) for size in sizes]

    def vjp(self, *doutputs: Any) -> Any:
        return concat(list(doutputs), self.split_dim), None, None


@dispatchable
def split(
    value: Any,
    num_or_size_splits: Any,
    axis: Any = 0,
    num: int | None = None,
    name: str | None = "split",
) -> Any:
    """Equal parts along `axis` (an int), or parts of given sizes (a vector; one may be -1), as a
    list.

    value: a tensor of any dtype. The parts have its shape, but for their own sizes along `axis`.
    num: how many there are, where the shape of the vector does not say it.

    >>> [part.numpy().tolist() for part in tf.split([1, 2, 3, 4, 5], [1, -1, 2])]
    [[1], [2, 3], [4, 5]]

    Raises:
        ValueError: the number of parts is not known.
        InvalidArgumentError: the sizes do not add up, the parts are not equal, or there is no such
            axis.
    """
    value = as_tensor(value)
    if isinstance(num_or_size_splits, int):
        count = num_or_size_splits
        return list(bind(Split, axis, value, num_split=count, name=name))
    sizes = as_tensor(num_or_size_splits)
    if sizes.shape.rank == 0:
        raise ValueError(
            "num_or_size_splits is a Python number, or a list or vector of sizes, not the scalar "
            f"tensor {num_or_size_splits}: how many results there are must be known"
        )
    if num is None:
        num = sizes.shape[0]
    if num is None:
        raise ValueError(f"Cannot infer argument `num` from shape {sizes.shape}")
    return list(bind(SplitV, value, sizes, axis, num_split=num, name=name))
