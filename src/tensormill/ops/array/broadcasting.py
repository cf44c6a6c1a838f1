"""Broadcasting as operations, and its reverse: how gradients return to the shape of an operand."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as numpy_module

from ...core.shapes import TensorShape, broadcast_dims
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, ShapeMismatchError
from ..bind import api, bind
from ..conversion import static_dims
from ..demands import either
from ..dispatch.meanings import dispatchable
from ..op import ANY, INDEX, NUMBERS, In, Moves, Op, Out, as_eager, usually
from ..origins import Origin
from ..sizes import statically_equal
from .long_sums import add_up


class BroadcastTo(Op):
    """`input` repeated along axes of size 1, and new leading axes, until it has `shape`, a vector
    of sizes.

    input: of any dtype, which the result has.

    >>> tf.broadcast_to([[1], [2]], [2, 3]).numpy()
    array([[1, 1, 1],
           [2, 2, 2]], dtype=int32)

    Raises:
        InvalidArgumentError: an axis has neither the wanted size nor 1 (also a ValueError).
    """

    moves = Moves.ELEMENTS
    input = In("T ...")
    shape = In("Tidx n")
    output = Out("T ...")
    T = ANY
    Tidx = INDEX
    usual = usually(Tidx="i32")
    xla = as_eager

    def demands(self, sizes: Any) -> Any:
        """The sizes of the result."""
        wanted = sizes.possible_late(sizes.numbers(self.shape))
        if sizes.numpy_looks:
            return wanted
        given = sizes.shape(self.input)
        leading = len(wanted) - len(given)
        sizes.require(leading >= 0, ShapeMismatchError, CANNOT_BROADCAST, given, wanted)
        for size, want in zip(given, wanted[max(leading, 0) :], strict=True):
            if (same_size := sizes.equal(size, want)) is not True:
                fits = either(same_size, sizes.equal(size, 1))
                sizes.require(fits, ShapeMismatchError, CANNOT_BROADCAST, given, wanted)
        return wanted

    def infer(self) -> TensorSpec:
        wanted, given = self.shape.as_shape(), self.input.shape.entries or ()
        if wanted.entries is None:
            return TensorSpec(wanted, self.input.dtype)
        merged = list(wanted.entries)
        for axis, size in enumerate(given, len(merged) - len(given)):
            merged[axis] = merged[axis] if size in (None, 1) else size
        return TensorSpec(tuple(merged), self.input.dtype)

    def eager(self, np: Any) -> Any:
        return np.broadcast_to(self.input, self.found)

    def lower(self, loops: Any) -> Any:
        return loops.broadcast(self.input, self.found)

    def vjp(self, doutput: Any) -> Any:
        return unbroadcast(doutput, self.input), None


broadcast_to = api(BroadcastTo)

CANNOT_BROADCAST = (
    "BroadcastTo: Incompatible shapes: {} vs. {}; an axis of the input must have the wanted size "
    "or 1"
)


class BroadcastArgs(Op):
    """The shape of an elementwise result, from the shapes of its two operands."""

    s0 = In("T n")
    s1 = In("T m")
    r0 = Out("T k")
    T = INDEX
    usual = usually(T="i32")
    differentiable = False

    def infer(self) -> TensorSpec:
        left, right = self.s0.shape.entries, self.s1.shape.entries
        known = left and right and None not in (*left, *right)
        size = max(left[0], right[0]) if known else None
        return TensorSpec((size,), self.s0.dtype)

    def eager(self, np: Any) -> Any:
        dims = broadcast_dims(tuple(self.s0.tolist()), tuple(self.s1.tolist()))
        return np.asarray(dims, self.s0.dtype)

    def xla(self, xla: Any) -> Any:
        np, rank = xla.np, max(len(self.s0), len(self.s1))
        one, other = (
            np.concatenate([np.ones(rank - len(s), s.dtype), s]) for s in (self.s0, self.s1)
        )
        return np.where(one == 1, other, one)

    def lower(self, loops: Any) -> Any:
        shape = loops.broadcast_shape(loops.sizes(self.s0), loops.sizes(self.s1))
        return loops.vector(shape, self.s0.dtype)


@dispatchable
def broadcast_dynamic_shape(shape_x: Any, shape_y: Any) -> Any:
    """The shape of an elementwise result, as an integer vector, [k].

    shape_x, shape_y: the shapes of the operands, int32 or int64 [n] and [m]; k is the larger of n
    and m.

    >>> tf.broadcast_dynamic_shape([2, 1, 3], [4, 1]).numpy()
    array([2, 4, 3], dtype=int32)

    Raises:
        InvalidArgumentError: the shapes do not broadcast (also a ValueError).
    """
    return bind(BroadcastArgs, shape_x, shape_y)


@dispatchable
def broadcast_static_shape(shape_x: TensorShape, shape_y: TensorShape) -> TensorShape:
    """The shape of an elementwise result, as far as it is known from two TensorShapes.

    >>> tf.broadcast_static_shape(tf.TensorShape([None, 1]), tf.TensorShape([3]))
    TensorShape([None, 3])

    Raises:
        ValueError: the shapes do not broadcast.
    """
    if shape_x.entries is None or shape_y.entries is None:
        return TensorShape(None)
    return TensorShape(broadcast_dims(shape_x.entries, shape_y.entries))


class BroadcastGradientArgs(Op):
    """The axes along which each of two shapes is broadcast by the other.

    TensorFlow's gradients sum along them. Of equal shapes none is.
    """

    s0 = In("T n")
    s1 = In("T m")
    r0 = Out("T a")
    r1 = Out("T b")
    T = INDEX
    usual = usually(T="i32")
    differentiable = False

    def demands(self, sizes: Any) -> Any:
        """Both shapes, filled up with ones to the same length."""
        shapes = sizes.numbers(self.s0), sizes.numbers(self.s1)
        rank = max(map(len, shapes))
        first, second = ((*[1] * (rank - len(one)), *one) for one in shapes)
        for one, other in zip(first, second, strict=True):
            fits = either(sizes.equal(one, other), sizes.equal(one, 1), sizes.equal(other, 1))
            sizes.require(fits, InvalidArgumentError, NO_BROADCAST, *shapes)
        return first, second

    def infer(self) -> tuple[TensorSpec, TensorSpec]:
        axes = TensorSpec((None,), self.s0.dtype)
        return axes, axes

    def eager(self, np: Any) -> Any:
        if np.array_equal(self.s0, self.s1):
            found: Any = ((), ())
        else:
            found = ([k for k, size in enumerate(one) if size == 1] for one in self.found)
        return tuple([np.array(axes, self.s0.dtype).reshape(-1) for axes in found])


NO_BROADCAST = "BroadcastGradientArgs: the shapes {} and {} do not broadcast"


class SumToShape(Op):
    """`input` summed over the axes that broadcasting from `shape` gave it: its transpose.

    Our own operation: TensorFlow spells it BroadcastGradientArgs, Sum and Reshape, which hides
    from the compiler that no axis is chosen by data.
    """

    input = In("T ...")
    shape = In("Tidx n")
    output = Out("T ...")
    origin = Origin.GRAPHS
    T = NUMBERS
    Tidx = INDEX
    xla = as_eager

    def demands(self, sizes: Any) -> Any:
        """The sizes of the result."""
        kept, given = sizes.numbers(self.shape), sizes.shape(self.input)
        leading = len(given) - len(kept)
        sizes.require(leading >= 0, InvalidArgumentError, NO_SUM, kept, given)
        for one, size in zip(kept, given[max(leading, 0) :], strict=True):
            if (same_size := sizes.equal(one, size)) is not True:
                fits = either(same_size, sizes.equal(one, 1))
                sizes.require(fits, InvalidArgumentError, NO_SUM, kept, given)
        return kept

    def infer(self) -> TensorSpec:
        return TensorSpec(self.shape.as_shape(), self.input.dtype)

    def eager(self, np: Any) -> Any:
        shape = self.found
        sizes = (1,) * (self.input.ndim - len(shape)) + shape
        axes = tuple(k for k, size in enumerate(sizes) if size != self.input.shape[k])
        return sum_in_wide(np, self.input, axes, keepdims=True).reshape(shape)

    def lower(self, loops: Any) -> Any:
        x, kept = self.input, self.found
        leading = x.rank - len(kept)
        split = [_split_size(loops, size, x.shape[leading + k]) for k, size in enumerate(kept)]
        extents = [*x.shape[:leading], *(extent for extent in split if extent is not None)]
        if not extents:
            return x

        def element(outer: Any, inner: Any) -> Any:
            rest = iter(inner[leading:])
            own = [o if e is None else o + next(rest) for o, e in zip(outer, split, strict=True)]
            return x[[*inner[:leading], *own]]

        return loops.reduce("sum", kept, extents, x.dtype, element)

    def vjp(self, doutput: Any) -> Any:
        from .shapes import shape_of

        return broadcast_to(doutput, shape_of(self.input)), None


NO_SUM = "SumToShape: shape {} does not broadcast to {}"


def _split_size(loops: Any, kept: Any, size: Any) -> Any:
    """How many elements of an axis of `size` go into each of the `kept` ones; None: just one."""
    if statically_equal(kept, size):
        return None
    if isinstance(kept, int):
        return size if kept == 1 else None
    return size // loops.scalars.maximum(kept, loops.constant(1, kept.dtype))


def sum_in_wide(np: Any, x: Any, axes: tuple[int, ...], keepdims: bool) -> Any:
    """A sum in the dtype of `x`; narrow floats are accumulated in float32."""
    small = x.dtype.itemsize < 4  # asked first: names of dtypes take long
    narrow = small and (x.dtype.kind in "fV" or x.dtype.name == "bfloat16")
    wide = numpy_module.float32 if narrow else x.dtype
    total = summed(np, x, axes, wide, keepdims)
    return total if wide is x.dtype else total.astype(x.dtype, copy=False)


def summed(np: Any, x: Any, axes: tuple[int, ...], wide: Any, keepdims: bool) -> Any:
    """`np.sum`, of NumPy's arrays without its detours, which take as long as a small sum."""
    if np is numpy_module:
        return add_up(x, axes, wide, keepdims)
    return np.sum(x, axis=axes, dtype=wide, keepdims=keepdims)


def unbroadcast(gradient: Any, operand: Any, *others: Any) -> Any:
    """`gradient` (of an elementwise result) summed to the shape of `operand`.

    `others` are the other operands, as far as the caller has them: they may show that nothing was
    broadcast although a size is unknown.
    """
    shape = operand.shape
    if shape is gradient.shape and shape.is_fully_defined():  # as eager ones are where they equal
        return gradient
    if not _may_broadcast(operand, gradient, others):
        return gradient
    if static_dims(operand) is not None and static_dims(operand) == static_dims(gradient):
        return gradient
    return bind(SumToShape, gradient, _shapes().shape_of(operand))


@cache
def _shapes() -> Any:
    """The module of shapes, which needs this one."""
    from . import shapes

    return shapes


def spread_like(operand: Any, result: Any) -> Any:
    """`operand` broadcast to the shape of an elementwise result: itself where that is known."""
    from .shapes import shape_of

    if static_dims(operand) is not None and static_dims(operand) == static_dims(result):
        return operand
    return broadcast_to(operand, shape_of(result))


def _may_broadcast(operand: Any, gradient: Any, others: tuple[Any, ...]) -> bool:
    mine, result = operand.shape.entries, gradient.shape.entries
    if mine is None or result is None:
        return not others or any(other is not operand for other in others)
    if len(mine) != len(result):
        return True
    if not others:
        return any(a is None or a != b for a, b in zip(mine, result, strict=True))
    return any(_axis_may_broadcast(k - len(mine), operand, others) for k in range(len(mine)))


def _axis_may_broadcast(axis: int, operand: Any, others: tuple[Any, ...]) -> bool:
    size = operand.shape.entries[axis]
    if size not in (None, 1):
        return False
    widths = (other.shape.entries for other in others if other is not operand)
    return any(dims is None or (len(dims) >= -axis and dims[axis] != 1) for dims in widths)
