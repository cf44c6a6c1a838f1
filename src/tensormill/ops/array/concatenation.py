"""Joining tensors along an axis, and taking them apart."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import numpy as numpy_module

from ...core import context, dtypes
from ...core.shapes import TensorShape
from ...core.specs import TensorSpec
from ...core.values import TensorLike
from ...errors import InvalidArgumentError, ShapeMismatchError
from ..bind import bind
from ..conversion import as_tensor, as_tensors, decide_together, static_int
from ..demands import dims, refuse, require_some
from ..dispatch.meanings import dispatchable
from ..op import ANY, INDEX, Attr, In, Moves, Op, Out, as_eager, types

if TYPE_CHECKING:
    from ..results import Tensor

FEW: Final = 32  # of so many things one is chosen in turn
MOST_CHOICES: Final = 6  # for which loops are divided (compiler/loops/passes/splitting.py)


def from_the_front(op: str, axis: int, rank: int) -> int:
    """The axis from the front, if there is one."""
    if not -rank <= axis < rank:
        message = "{}: axis must be in the range [{}, {}), but got {}"
        refuse(InvalidArgumentError, message, op, -rank, rank, axis)
    return axis % rank


class ConcatV2(Op):
    """The inputs one after the other along `axis`; their other axes agree."""

    moves = Moves.ELEMENTS
    values = In("N * T ...")
    axis = In("Tidx")
    output = Out("T ...")
    T = ANY
    Tidx = INDEX
    loose = frozenset(("axis",))
    xla = as_eager

    def demands(self, sizes: Any) -> int:
        """The axis from the front."""
        require_some(self.name, self.values, 2)
        first = self.values[0]
        shapes = [first.shape] if sizes.numpy_looks else sizes.shapes(self.values, RANKS)
        rank, axis = len(shapes[0]), sizes.static(self.axis)
        if rank == 0:
            refuse(InvalidArgumentError, NO_SCALARS)
        if not -rank <= axis < rank:
            refuse(InvalidArgumentError, WRONG_AXIS, -rank, rank, axis)
        where = axis % rank
        blank = [(*shape[:where], -1, *shape[where + 1 :]) for shape in shapes]
        sizes.common(blank, ShapeMismatchError, UNLIKE)
        return where

    def infer(self) -> TensorSpec:
        dtype, where = self.values[0].dtype, self.found
        ranks = [known.rank for known in self.values if known.rank is not None]
        if not ranks:
            return TensorSpec(None, dtype)
        if where is None:
            return TensorSpec((None,) * ranks[0], dtype)
        total: int | None = 0
        merged = TensorShape((None,) * ranks[0])
        for known in self.values:
            dims = known.shape.entries or (None,) * ranks[0]
            size = dims[where]
            total = None if total is None or size is None else total + size
            merged = merged.merge_with((*dims[:where], None, *dims[where + 1 :]))
        dims = merged.entries or ()
        return TensorSpec((*dims[:where], total, *dims[where + 1 :]), dtype)

    def eager(self, np: Any) -> Any:
        return np.concatenate(self.values, self.found)

    def lower(self, loops: Any) -> Any:
        first, where = self.values[0], self.found
        pieces, total = [], 0
        for value in self.values:
            size = value.shape[where]
            if not (isinstance(size, int) and size == 0):
                pieces.append((value, total))
            total = total + size
        shape = [*first.shape[:where], total, *first.shape[where + 1 :]]
        if where and MOST_CHOICES < len(pieces) <= FEW:
            return self.copied(loops, pieces, where, shape)

        def element(*index: Any) -> Any:
            def in_turn(begin: int, end: int) -> Any:
                chosen = None
                for value, start in reversed(pieces[begin:end] or [(first, 0)]):
                    chosen = self.piece(loops, value, start, where, index, chosen)
                return chosen

            def begins_before(number: int) -> Any:
                return index[where] < pieces[number][1]

            return one_of_many(loops, len(pieces), in_turn, begins_before)

        return loops.view(shape, first.dtype, element)

    def copied(self, loops: Any, pieces: Any, where: int, shape: Any) -> Any:
        """All pieces in memory. Every row has to choose between them anew, where many are joined
        along another axis than the first.
        """
        whole = loops.memory(shape, pieces[0][0].dtype)

        def copy(value: Any, start: Any) -> None:
            def element(*index: Any) -> None:
                place = [*index[:where], index[where] + start, *index[where + 1 :]]
                loops.put(whole, place, value[index])

            loops.for_each(value.shape, element)

        for value, start in pieces:
            copy(value, start)
        return whole

    def piece(self, loops: Any, value: Any, start: Any, where: int, index: Any, after: Any) -> Any:
        """The element of `value` at `index`, or `after` where it lies behind `value`."""
        s, last = loops.scalars, value.shape[where] - 1
        zero = loops.constant(0, dtypes.int64)
        inside = s.maximum(s.minimum(index[where] - start, last), zero)
        own = value[[*index[:where], inside, *index[where + 1 :]]]
        if after is None:
            return own
        return s.where(index[where] < start + value.shape[where], own, after)

    def vjp(self, doutput: Any) -> Any:
        from .shapes import shape_of
        from .slicing import slice_of_axis

        axis = static_int(self.axis)
        ranks = [one.shape.rank for one in (doutput, *self.values) if one.shape.rank is not None]
        if axis is None or not ranks:
            lengths = [shape_of(value)[self.axis] for value in self.values]
            return split(doutput, lengths, self.axis, len(lengths)), None
        where = axis % ranks[0]
        pieces, start = [], 0
        for value in self.values:
            size = value.shape.entries[where] if value.shape.entries else None
            if size is None:
                size = shape_of(value)[where]
            pieces.append(slice_of_axis(doutput, where, start, size))
            start = start + size
        return pieces, None


RANKS = "ConcatOp : Ranks of all input tensors should match: shape[0] = {} vs. shape[{}] = {}"
NO_SCALARS = "ConcatOp : Can't concatenate scalars (use tf.stack instead)"
WRONG_AXIS = "ConcatOp : Expected concatenating dimensions in the range [{}, {}), but got {}"
UNLIKE = "ConcatOp : Dimensions of all input tensors should match: shape[0] = {} vs. shape[{}] = {}"


@dispatchable
def concat(values: Any, axis: Any, name: str | None = "concat") -> Tensor:
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
    if not len(values) and not context.building_graph():
        raise IndexError("list index out of range: tf.concat of no tensors")
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

    moves = Moves.ELEMENTS
    values = In("N * T *s")
    output = Out("T ...")
    axis = Attr(0)
    T = ANY
    xla = as_eager

    def demands(self, sizes: Any) -> int:
        """Where the new axis is in the result."""
        require_some(self.name, self.values, 1)
        first = self.values[0]
        shapes = [first.shape] if sizes.numpy_looks else sizes.shapes(self.values, UNLIKE_SLICES)
        sizes.common(shapes, ShapeMismatchError, UNLIKE_SLICES)
        return from_the_front("Pack", self.axis, len(shapes[0]) + 1)

    def infer(self) -> TensorSpec:
        shape, where = self.values[0].shape, self.found
        for known in self.values[1:]:
            shape = shape.merge_with(known.shape)
        if shape.entries is None:
            return TensorSpec(None, self.values[0].dtype)
        dims = (*shape.entries[:where], len(self.values), *shape.entries[where:])
        return TensorSpec(dims, self.values[0].dtype)

    def eager(self, np: Any) -> Any:
        return np.stack(self.values, self.found)

    def lower(self, loops: Any) -> Any:
        first, where = self.values[0], self.found
        if first.rank == 0:
            return loops.vector([value[()] for value in self.values], first.dtype)
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

    def vjp(self, doutput: Any) -> Any:
        return (list(bind(Unpack, doutput, num=len(self.values), axis=self.axis)),)


UNLIKE_SLICES = (
    "Pack: Shapes of all inputs must match: values[0].shape = {} != values[{}].shape = {}"
)


@dispatchable
def stack(values: Any, axis: int = 0, name: str | None = "stack") -> Tensor:
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
    elif not hasattr(values, "__len__"):  # a generator, which TensorFlow refuses
        values = list(values)
    if axis == 0 and (isinstance(values, numpy_module.ndarray) or decide_together(values)):
        with suppress(TypeError, ValueError):  # told of one by one
            return as_tensor(values)
    if not len(values):
        return as_tensor(values)
    tensors = as_tensors(*values)
    rank = tensors[0].shape.rank
    if rank is not None and not -rank - 1 <= axis <= rank:
        raise ValueError(f"Argument `axis` = {axis} not in range [{-rank - 1}, {rank + 1})")
    return bind(Pack, tensors, axis=axis, name=name)


def parallel_stack(values: Any, name: str | None = "parallel_stack") -> Any:
    """As `tf.stack` along axis 0; only in functions, for tensors of fully known shapes.

    >>> rows = tf.function(lambda x: tf.parallel_stack([x, x]))
    >>> rows(tf.constant([1, 2])).numpy()
    array([[1, 2],
           [1, 2]], dtype=int32)

    Raises:
        RuntimeError: operations run at once here.
        ValueError: a shape is not fully known, or shapes differ.
    """
    if not context.building_graph():
        raise RuntimeError(
            "tf.parallel_stack() is not compatible with eager execution; use tf.stack"
        )
    tensors = as_tensors(*values)
    if not tensors[0].shape.is_fully_defined():
        raise ShapeMismatchError(
            f"tf.parallel_stack needs fully known shapes, got {tensors[0].shape}; use tf.stack"
        )
    return bind(Pack, tensors, axis=0, name=name)


class Unpack(Op):
    """The slices along an axis, which goes."""

    moves = Moves.ELEMENTS
    value = In("T ...")
    output = Out("num * T ...")
    num = Attr(int)
    axis = Attr(0)
    T = ANY
    xla = as_eager

    def demands(self, sizes: Any) -> int:
        """The axis from the front."""
        shape = sizes.shape(self.value)
        where = from_the_front("Unpack", self.axis, len(shape))
        fits = sizes.equal(shape[where], self.num)
        sizes.require(fits, ShapeMismatchError, WRONG_COUNT, self.axis, self.num, shape)
        return where

    def infer(self) -> Any:
        dims, where = self.value.shape.entries, self.found
        rest = None if dims is None else dims[:where] + dims[where + 1 :]
        return (TensorSpec(rest, self.value.dtype),) * self.num

    def eager(self, np: Any) -> Any:
        return tuple(self.value[(*(slice(None),) * self.found, k)] for k in range(self.num))

    def lower(self, loops: Any) -> Any:
        x, where = self.value, self.found
        rest = [*x.shape[:where], *x.shape[where + 1 :]]
        if x.rank == 1:
            return tuple(loops.scalar(x[[k]]) for k in range(self.num))
        return tuple(
            loops.view(rest, x.dtype, lambda *i, k=k: x[[*i[:where], k, *i[where:]]])
            for k in range(self.num)
        )

    def vjp(self, *doutputs: Any) -> Any:
        return bind(Pack, list(doutputs), axis=self.axis)


WRONG_COUNT = "Unpack: Input shape axis {} must equal {}, got shape {}"


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

    split_dim = In("i32", keyword="axis")
    value = In("T ...")
    output = Out("num_split * T ...")
    num_split = Attr(int)
    T = ANY
    xla = as_eager

    def demands(self, sizes: Any) -> Any:
        """The axis from the front, and the size of a part."""
        count = self.num_split
        sizes.require(count > 0, InvalidArgumentError, NO_PARTS, count)
        axis, shape = sizes.static(self.split_dim), sizes.shape(self.value)
        where = from_the_front("Split", axis, len(shape))
        size = shape[where]
        sizes.require(size % count == 0, InvalidArgumentError, UNEVEN, where, size, count)
        return where, size // count

    def infer(self) -> Any:
        shape, dtype = self.value.shape.entries, self.value.dtype
        if self.found is None or shape is None:
            unknown = None if shape is None else (None,) * len(shape)
            return (TensorSpec(unknown, dtype),) * self.num_split
        where, part = self.found
        some = (*shape[:where], *dims((part,)), *shape[where + 1 :])
        return (TensorSpec(some, dtype),) * self.num_split

    def eager(self, np: Any) -> Any:
        where, _ = self.found
        return tuple(np.split(self.value, self.num_split, where))

    def lower(self, loops: Any) -> Any:
        x, (where, part) = self.value, self.found
        return tuple(section(loops, x, where, k * part, part) for k in range(self.num_split))

    def vjp(self, *doutputs: Any) -> Any:
        return None, concat(list(doutputs), self.split_dim)


NO_PARTS = "Value for attr 'num_split' of {} must be at least minimum 1"
UNEVEN = (
    "Split: Number of ways to split should evenly divide the split dimension, but got split_dim {} "
    "(size = {}) and num_split {}"
)


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
    split_dim = In("i32", keyword="axis")
    output = Out("num_split * T ...")
    num_split = Attr(int)
    T = ANY
    Tlen = types("i8 i32 i64")
    loose = frozenset(("split_dim",))
    xla = as_eager

    def demands(self, sizes: Any) -> Any:
        """The axis from the front, and the sizes of all parts, none of which leads out of it."""
        axis, parts = sizes.static(self.split_dim), sizes.numbers(self.size_splits)
        sizes.require(
            len(parts) == self.num_split, InvalidArgumentError, NOT_EACH, self.num_split, len(parts)
        )
        shape = sizes.shape(self.value)
        where = from_the_front("SplitV", axis, len(shape))
        total = shape[where]
        for part in parts:  # so that no sum of them overflows
            fits = (part >= -1) & (part <= total)
            sizes.require(fits, InvalidArgumentError, UNLIKE_AXIS, part, total)
        free = [sizes.equal(part, -1) for part in parts]
        several = sum([sizes.choose(is_free, 1, 0) for is_free in free])
        sizes.require(several < 2, InvalidArgumentError, TWO_FREE)
        taken = sum([sizes.choose(one, 0, part) for one, part in zip(free, parts, strict=True)])
        fits = (taken == total) | (several > 0) & (taken <= total)
        sizes.require(fits, InvalidArgumentError, UNLIKE_AXIS, taken, total)
        rest = total - taken
        return where, [sizes.choose(one, rest, part) for one, part in zip(free, parts, strict=True)]

    def infer(self) -> Any:
        shape, dtype = self.value.shape.entries, self.value.dtype
        if self.found is None or shape is None:
            return (TensorSpec(self.cut_somewhere(shape), dtype),) * self.num_split
        where, parts = self.found
        return tuple(
            TensorSpec((*shape[:where], part, *shape[where + 1 :]), dtype) for part in dims(parts)
        )

    def cut_somewhere(self, shape: tuple[int | None, ...] | None) -> Any:
        """The shape of parts whose sizes are not known."""
        if shape is None or self.split_dim.value is None:
            return None if shape is None else (None,) * len(shape)
        where = from_the_front("SplitV", int(self.split_dim.value), len(shape))
        return *shape[:where], None, *shape[where + 1 :]

    def eager(self, np: Any) -> Any:
        where, parts = self.found
        return tuple(np.split(self.value, numpy_module.cumsum(parts)[:-1], where))

    def lower(self, loops: Any) -> Any:
        x, (where, sizes) = self.value, self.found
        parts, start = [], 0
        for size in sizes:
            parts.append(section(loops, x, where, start, size))
            start = start + size
        return tuple(parts)

    def vjp(self, *doutputs: Any) -> Any:
        return concat(list(doutputs), self.split_dim), None, None


NOT_EACH = (
    "SplitV: size of the split_tensor must be 1-D and have the same elements as outputs got {} "
    "outputs and {} elements"
)
TWO_FREE = "SplitV: There can only be one -1 in the input."
UNLIKE_AXIS = (
    "SplitV: Determined shape must either match input shape along split_dim exactly if fully "
    "specified, or be less than the size of the input along split_dim if not fully specified. Got: "
    "{} of {}"
)


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
