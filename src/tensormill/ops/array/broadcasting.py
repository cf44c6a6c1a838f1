"""Broadcasting as operations, and its reverse: how gradients return to the shape of an operand."""

from __future__ import annotations

from typing import Any

import numpy as numpy_module

from ...core.shapes import TensorShape, broadcast_dims
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, ShapeMismatchError
from ..bind import api, bind
from ..conversion import static_dims
from ..dispatch.meanings import dispatchable
from ..op import ANY, INDEX, NUMBERS, In, Op, Out
from ..sizes import demand, require_same, require_shape, shape_in


class BroadcastTo(Op):
    """`input` repeated along axes of size 1, and new leading axes, until it has `shape`, a vector
    of sizes.

    >>> tf.broadcast_to([[1], [2]], [2, 3]).numpy()
    array([[1, 1, 1],
           [2, 2, 2]], dtype=int32)

    Raises:
        InvalidArgumentError: an axis has neither the wanted size nor 1 (also a ValueError).
    """

    input = In("T ...")
    shape = In("Tidx n")
    output = Out("T ...")
    T = ANY
    Tidx = INDEX

    def infer(self) -> TensorSpec:
        require_shape(self.shape.sizes)
        wanted, given = self.shape.as_shape(), self.input.shape
        if wanted.dims is None or given.dims is None:
            return TensorSpec(wanted, self.input.dtype)
        if len(given.dims) > len(wanted.dims):
            raise _cannot_broadcast(given, wanted)
        merged = list(wanted.dims)
        for axis, size in enumerate(given.dims, len(wanted.dims) - len(given.dims)):
            if size in (None, 1):
                continue
            if merged[axis] not in (None, size):
                raise _cannot_broadcast(given, wanted)
            merged[axis] = size
        return TensorSpec(tuple(merged), self.input.dtype)

    def eager(self, np: Any) -> Any:
        shape = tuple(self.shape.tolist())
        require_shape(shape)
        try:
            return np.broadcast_to(self.input, shape)
        except ValueError:
            raise _cannot_broadcast(self.input.shape, shape) from None

    def lower(self, loops: Any) -> Any:
        sizes = shape_in(loops, self.shape)
        merged = loops.broadcast_shape(self.input.shape, sizes)
        require_same(loops, merged, sizes, WIDER)
        return loops.broadcast(self.input, sizes)

    def vjp(self, doutput: Any) -> Any:
        return unbroadcast(doutput, self.input), None


broadcast_to = api(BroadcastTo)

WIDER = "BroadcastTo: Incompatible shapes: {} elements cannot become {}"


def _cannot_broadcast(given: Any, wanted: Any) -> ShapeMismatchError:
    return ShapeMismatchError(
        f"BroadcastTo: Incompatible shapes: {list(given)} vs. {list(wanted)}; an axis of the input "
        "must have the wanted size or 1"
    )


class BroadcastArgs(Op):
    """The shape of an elementwise result, from the shapes of its two operands."""

    s0 = In("T n")
    s1 = In("T m")
    r0 = Out("T k")
    T = INDEX
    differentiable = False

    def infer(self) -> TensorSpec:
        left, right = self.s0.shape.dims, self.s1.shape.dims
        known = left and right and None not in (*left, *right)
        size = max(left[0], right[0]) if known else None  # type: ignore[index,type-var]
        return TensorSpec((size,), self.s0.dtype)

    def eager(self, np: Any) -> Any:
        dims = broadcast_dims(tuple(self.s0.tolist()), tuple(self.s1.tolist()))
        return np.asarray(dims, self.s0.dtype)

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
    if shape_x.dims is None or shape_y.dims is None:
        return TensorShape(None)
    return TensorShape(broadcast_dims(shape_x.dims, shape_y.dims))


class SumToShape(Op):
    """`input` summed over the axes that broadcasting from `shape` gave it: its transpose.

    Our own operation: TensorFlow spells it BroadcastGradientArgs, Sum and Reshape, which hides
    from the compiler that no axis is chosen by data.
    """

    input = In("T ...")
    shape = In("Tidx n")
    output = Out("T ...")
    T = NUMBERS
    Tidx = INDEX

    def infer(self) -> TensorSpec:
        return TensorSpec(self.shape.as_shape(), self.input.dtype)

    def eager(self, np: Any) -> Any:
        shape = tuple(self.shape.tolist())
        leading = self.input.ndim - len(shape)
        if leading < 0:
            raise InvalidArgumentError(TOO_LONG.format(self.input.ndim, len(shape)))
        sizes = (1,) * leading + shape
        axes = tuple(k for k, size in enumerate(sizes) if size != self.input.shape[k])
        if any(sizes[axis] != 1 for axis in axes):
            raise InvalidArgumentError(
                f"SumToShape: shape {list(shape)} does not broadcast to {list(self.input.shape)}"
            )
        return sum_in_wide(np, self.input, axes, keepdims=True).reshape(shape)

    def lower(self, loops: Any) -> Any:
        x, kept = self.input, loops.sizes(self.shape)
        leading = x.rank - len(kept)
        if leading < 0:
            raise InvalidArgumentError(TOO_LONG.format(x.rank, len(kept)))
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


TOO_LONG = "SumToShape: an input of rank {} is no sum of a shape of {} sizes"
UNLIKE_SUM = "SumToShape: Dimensions must be equal, but are {} and {}"


def _split_size(loops: Any, kept: Any, size: Any) -> Any:
    """How many elements of an axis of `size` go into each of the `kept` ones; None: just one."""
    if kept is size or (isinstance(kept, int) and isinstance(size, int) and kept == size):
        return None
    if isinstance(kept, int):
        if kept == 1:
            return size
        demand(loops, size == kept, InvalidArgumentError, UNLIKE_SUM, kept, size)
        return None
    fits = (kept == size) | (kept == 1)
    demand(loops, fits, InvalidArgumentError, UNLIKE_SUM, kept, size)
    return size // loops.scalars.maximum(kept, loops.constant(1, kept.dtype))


def sum_in_wide(np: Any, x: Any, axes: tuple[int, ...], keepdims: bool) -> Any:
    """A sum in the dtype of `x`; narrow floats are accumulated in float32."""
    narrow = (x.dtype.kind in "fV" and x.dtype.itemsize < 4) or x.dtype.name == "bfloat16"
    wide = numpy_module.float32 if narrow else x.dtype
    return np.sum(x, axis=axes, dtype=wide, keepdims=keepdims).astype(x.dtype, copy=False)


def unbroadcast(gradient: Any, operand: Any, *others: Any) -> Any:
    """`gradient` (of an elementwise result) summed to the shape of `operand`.

    `others` are the other operands, as far as the caller has them: they may show that nothing was
    broadcast although a size is unknown.
    """
    if not _may_broadcast(operand, gradient, others):
        return gradient
    from .shapes import shape_of

    if static_dims(operand) is not None and static_dims(operand) == static_dims(gradient):
        return gradient
    return bind(SumToShape, gradient, shape_of(operand))


def spread_like(operand: Any, result: Any) -> Any:
    """`operand` broadcast to the shape of an elementwise result: itself where that is known."""
    from .shapes import shape_of

    if static_dims(operand) is not None and static_dims(operand) == static_dims(result):
        return operand
    return broadcast_to(operand, shape_of(result))


def _may_broadcast(operand: Any, gradient: Any, others: tuple[Any, ...]) -> bool:
    mine, result = operand.shape.dims, gradient.shape.dims
    if mine is None or result is None:
        return not others or any(other is not operand for other in others)
    if len(mine) != len(result):
        return True
    if not others:
        return any(a is None or a != b for a, b in zip(mine, result, strict=True))
    return any(_axis_may_broadcast(k - len(mine), operand, others) for k in range(len(mine)))


def _axis_may_broadcast(axis: int, operand: Any, others: tuple[Any, ...]) -> bool:
    size = operand.shape.dims[axis]
    if size not in (None, 1):
        return False
    widths = (other.shape.dims for other in others if other is not operand)
    return any(dims is None or (len(dims) >= -axis and dims[axis] != 1) for dims in widths)
