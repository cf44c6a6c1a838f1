"""Shapes as tensors, and the same elements in another shape."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as numpy_module

from ...core import context, dtypes
from ...core.dtypes import DType, as_dtype
from ...core.shapes import TensorShape
from ...core.specs import TensorSpec
from ...core.values import TensorLike
from ...errors import InvalidArgumentError, ShapeMismatchError
from ..bind import bind
from ..conversion import as_tensor, static_dims, static_value
from ..demands import dims, either, refuse
from ..dispatch.meanings import dispatchable
from ..dispatch.placements import installed
from ..families import Rephrased, in_a_row
from ..op import ANY, INDEX, Attr, In, Moves, Op, Out, as_eager, ints

if TYPE_CHECKING:
    from ..results import Tensor


class Shape(Op):
    """The sizes of the axes, as an integer vector."""

    moves = Moves.ELEMENTS
    input = In("T ...")
    output = Out("out_type rank")
    out_type = Attr(dtypes.int32, INDEX)
    T = ANY
    differentiable = False

    def infer(self) -> TensorSpec:
        return TensorSpec((self.input.rank,), self.out_type)

    def eager(self, np: Any) -> Any:
        return np.asarray(self.input.shape, self.out_type.storage)

    def xla(self, xla: Any) -> Any:
        return numpy_module.asarray(self.input.shape, self.out_type.storage)

    def lower(self, loops: Any) -> Any:
        return loops.vector(self.input.shape, self.out_type)


@dispatchable
def shape(input: Any, out_type: Any = None, name: str | None = None) -> Tensor:
    """The sizes of the axes, as an integer vector (int32) [rank]; constant where all are known.

    >>> tf.shape([[1, 2, 3], [4, 5, 6]]).numpy()
    array([2, 3], dtype=int32)

    Raises:
        TypeError: there is no such dtype.
        DTypeMismatchError: `out_type` is neither int32 nor int64.
        ValueError: the operand is nothing that a tensor can hold.
    """
    target = dtypes.int32 if out_type is None else as_dtype(out_type)
    input = as_tensor(input)
    sizes = static_dims(input)
    lies_on_a_mesh = installed.placements is not None and installed.placements.concern((input,))
    if sizes is not None and not lies_on_a_mesh and _may_be(target):
        return sizes_tensor(tuple(sizes), target)
    return bind(Shape, input, out_type=target, name=name)


def sizes_tensor(sizes: tuple[int, ...], dtype: DType) -> Any:
    """Known sizes as a vector. Eagerly those of equal sizes share an array: programs ask for few,
    again and again, and nobody writes to what tensors hold.
    """
    interpreter: Any = context.top().interpreter
    if interpreter.building_graph:
        return as_tensor(numpy_module.asarray(sizes, dtype.storage))
    return interpreter.constant(_array_of_sizes(sizes, dtype is dtypes.int64))


@lru_cache(1024)
def _array_of_sizes(sizes: tuple[int, ...], is_wide: bool) -> Any:
    return numpy_module.array(sizes, numpy_module.int64 if is_wide else numpy_module.int32)


def _may_be(target: DType) -> bool:
    """Whether sizes may be a constant of this dtype: in graphs of any, as TensorFlow has it."""
    return target in INDEX or context.top().interpreter.building_graph


def shape_of(tensor: Any) -> Any:
    """The shape of a tensor, for use as an operand: a constant where it is known."""
    return shape(tensor)


@dispatchable
def shape_n(input: Any, out_type: Any = dtypes.int32, name: str | None = None) -> list[Any]:
    """The shapes of several tensors, as a list of integer vectors.

    >>> [one.numpy().tolist() for one in tf.shape_n([[1, 2], [[3]]])]
    [[2], [1, 1]]

    Raises:
        InvalidArgumentError: the tensors are none, or have several dtypes.
    """
    return list(bind(ShapeN, input, out_type=out_type, name=name))


class ShapeN(Rephrased):
    """The shapes of several tensors."""

    input = In("N * T ...")
    output = Out("N * out_type ...")
    out_type = Attr(dtypes.int32, INDEX)
    T = ANY
    differentiable = False

    def demands(self, sizes: Any) -> None:
        if not self.input:
            refuse(InvalidArgumentError, "ShapeN: one tensor at least is wanted, got none")

    def infer(self) -> tuple[TensorSpec, ...]:
        return tuple([TensorSpec((one.rank,), self.out_type) for one in self.input])

    def expand(self) -> tuple[Any, ...]:
        return tuple([bind(Shape, one, out_type=self.out_type) for one in self.input])


class Size(Op):
    """The number of elements."""

    moves = Moves.ELEMENTS
    input = In("T ...")
    output = Out("out_type")
    out_type = Attr(dtypes.int32, INDEX)
    T = ANY
    differentiable = False

    def eager(self, np: Any) -> Any:
        return np.asarray(self.input.size, self.out_type.storage)

    def xla(self, xla: Any) -> Any:
        return numpy_module.asarray(self.input.size, self.out_type.storage)

    def lower(self, loops: Any) -> Any:
        count = loops.count(self.input.shape)
        return loops.reshape(loops.vector([count], self.out_type), [])


@dispatchable
def size(input: Any, out_type: Any = None, name: str | None = None) -> Tensor:
    """The number of elements, as a scalar (int32).

    >>> int(tf.size([[1, 2, 3], [4, 5, 6]]))
    6

    Raises:
        TypeError: there is no such dtype.
        ValueError: the operand is nothing that a tensor can hold.
    """
    target = dtypes.int32 if out_type is None else as_dtype(out_type)
    input = as_tensor(input)
    count = input.shape.num_elements()
    if count is not None:
        return as_tensor(numpy_module.asarray(count, target.storage))
    return bind(Size, input, out_type=target, name=name)


class Rank(Op):
    """The number of axes."""

    moves = Moves.ELEMENTS
    input = In("T ...")
    output = Out("i32")
    T = ANY
    differentiable = False

    def eager(self, np: Any) -> Any:
        return np.asarray(self.input.ndim, np.int32)

    def xla(self, xla: Any) -> Any:
        return numpy_module.asarray(self.input.ndim, numpy_module.int32)

    def lower(self, loops: Any) -> Any:
        return loops.reshape(loops.vector([self.input.rank], dtypes.int32), [])


@dispatchable
def rank(input: Any, name: str | None = None) -> Tensor:
    """The number of axes, as an int32 scalar.

    >>> int(tf.rank([[1, 2, 3]]))
    2

    Raises:
        ValueError: the operand is nothing that a tensor can hold.
    """
    input = as_tensor(input)
    if input.shape.rank is not None:
        return as_tensor(numpy_module.asarray(input.shape.rank, numpy_module.int32))
    return bind(Rank, input, name=name)


class Reshape(Op):
    """The same elements, in row-major order, in another shape; -1 stands for what is left.

    Raises:
        InvalidArgumentError: the number of elements does not fit.
    """

    moves = Moves.NAMES
    tensor = In("T ...")
    shape = In("Tshape n")
    output = Out("T ...")
    T = ANY
    Tshape = INDEX
    loose = frozenset(("shape",))
    xla = as_eager

    def demands(self, sizes: Any) -> Any:
        """The sizes of the result."""
        wanted, given = sizes.numbers(self.shape), sizes.shape(self.tensor)
        if sizes.all_known(*wanted, *given):
            return full_shape(sizes, wanted, given)
        return _full_shape_then(sizes, wanted, given)

    def infer(self) -> TensorSpec:
        shape = self.shape.as_shape() if self.found is None else dims(self.found)
        return TensorSpec(shape, self.tensor.dtype)

    def eager(self, np: Any) -> Any:
        return self.tensor.reshape(self.found)

    def lower(self, loops: Any) -> Any:
        return loops.reshape(self.tensor, self.found)

    def vjp(self, doutput: Any) -> Any:
        return reshape(doutput, shape_of(self.tensor)), None


TWO_FREE = "Reshape: Only one input size may be -1"
NEGATIVE = "Reshape: Size {} must be non-negative, not {}"
NO_MULTIPLE = (
    "Reshape: Input to reshape is a tensor with {} values, but the requested shape requires a "
    "multiple of {}: {}"
)
ANOTHER_COUNT = (
    "Reshape: Input to reshape is a tensor with {} values, but the requested shape has {}: {}"
)


def full_shape(sizes: Any, wanted: Any, given: Any) -> tuple[int, ...]:
    """`wanted` with -1 replaced, for a tensor of the shape `given`, where all are known.

    Where one of the sizes is 0, anything would fit in the place of -1: empty axes do not count
    then, on neither side.

    Raises:
        InvalidArgumentError: there is no such shape.
    """
    count = math.prod(given)
    if -1 not in wanted and math.prod(wanted) == count and min(wanted, default=0) >= 0:
        return wanted
    free = [k for k, size in enumerate(wanted) if size == -1]
    if len(free) > 1:
        sizes.refuse_late(InvalidArgumentError, TWO_FREE)
    for k, one in enumerate(wanted):
        sizes.require(one >= -1, InvalidArgumentError, NEGATIVE, k, one)
    named = [one for one in wanted if one != -1]
    if free and 0 not in named:
        by = math.prod(named)
        sizes.require(count % by == 0, ShapeMismatchError, NO_MULTIPLE, count, by, wanted)
    total = math.prod([size or 1 for size in given]) if 0 in named else count
    rest = total // math.prod([size or 1 for size in named])
    filled = tuple([rest if one == -1 else one for one in wanted])
    taken = math.prod(filled)
    sizes.require(taken == count, ShapeMismatchError, ANOTHER_COUNT, count, taken, wanted)
    return filled


def _full_shape_then(sizes: Any, wanted: Any, given: Any) -> tuple[Any, ...]:
    """The same where only run time knows some of them."""
    free = [not sizes.is_count(size) and size == -1 for size in wanted]
    maybe_free = [is_free for is_free in free if is_free is not False]
    if sum([is_free is True for is_free in maybe_free]) > 1:
        sizes.refuse_late(InvalidArgumentError, TWO_FREE)
    if len(maybe_free) > 1:
        several = sum([sizes.choose(is_free, 1, 0) for is_free in maybe_free])
        sizes.require(several < 2, InvalidArgumentError, TWO_FREE)
    named = [sizes.choose(is_free, 1, size) for is_free, size in zip(free, wanted, strict=True)]
    for k, size in enumerate(named):
        if not sizes.is_count(size):
            sizes.require(size >= 0, InvalidArgumentError, NEGATIVE, k, size)
    count, filled, by = sizes.count(given), named, sizes.count(named)
    if maybe_free:
        empty = either(*(sizes.equal(size, 0) for size in named))
        total = sizes.choose(empty, sizes.count([_nonzero(sizes, size) for size in given]), count)
        rest = total // sizes.count([_nonzero(sizes, size) for size in named])
        filled = [
            sizes.choose(is_free, rest, size) for is_free, size in zip(free, named, strict=True)
        ]
    taken = sizes.count(filled)
    fits = sizes.equal(count, taken)
    if fits is not True:
        fits = fits & sizes.is_countable(filled)
        if any(is_free is True for is_free in free):
            sizes.require(fits, ShapeMismatchError, NO_MULTIPLE, count, by, wanted)
        else:
            sizes.require(fits, ShapeMismatchError, ANOTHER_COUNT, count, taken, wanted)
    return tuple(filled)


def _nonzero(sizes: Any, size: Any) -> Any:
    """A size as a factor where empty axes do not count."""
    return sizes.choose(sizes.equal(size, 0), 1, size)


@dispatchable
def reshape(tensor: Any, shape: Any, name: str | None = None) -> Tensor:
    """The same elements in row-major order in another shape; one size may be -1: what is left.

    tensor: any dtype and shape. shape: int32 or int64 [rank of the result]; one number makes a
    vector.

    >>> tf.reshape([[1, 2, 3], [4, 5, 6]], [3, -1]).numpy()
    array([[1, 2],
           [3, 4],
           [5, 6]], dtype=int32)

    Raises:
        InvalidArgumentError: the number of elements does not fit.
    """
    sizes = as_shape_tensor(shape)
    if sizes.shape.rank == 0:
        sizes = bind(ExpandDims, sizes, 0)
    return bind(Reshape, tensor, sizes, name=name)


def as_sizes(shape: Any) -> Any:
    """A shape as an int vector; a number is the size of a vector."""
    sizes = as_shape_tensor(shape)
    if sizes.shape.rank not in (None, 0):
        return sizes
    return reshape(sizes, [-1])


def as_shape_tensor(shape: Any) -> Any:
    """A shape (ints, sizes that are tensors, a TensorShape, an integer tensor) as an int vector."""
    if isinstance(shape, TensorLike):
        return as_tensor(shape)
    if type(shape) is list and all([type(size) is int and 0 <= size < 2**31 for size in shape]):
        return sizes_tensor(tuple(shape), dtypes.int32)
    if isinstance(shape, TensorShape):
        shape = shape.as_list()
        if None in shape:
            raise ValueError(f"Cannot convert a partially known TensorShape {shape} to a Tensor.")
    if isinstance(shape, numpy_module.ndarray):
        return as_tensor(shape)
    if not isinstance(shape, (list, tuple)):
        return as_tensor(shape)
    if any(isinstance(size, TensorLike) for size in shape):
        from .concatenation import stack

        return stack([as_size(size) for size in shape])
    wide = any(isinstance(size, int) and size > 2**31 - 1 for size in shape)
    return as_tensor(list(shape), dtypes.int64 if wide else dtypes.int32)


def as_size(size: Any) -> Any:
    """One size, or one in a list: there, though not as a vector, TensorFlow takes tensors of floats
    and of shorter integers, too.
    """
    if not isinstance(size, TensorLike) or not size.dtype.is_numeric:
        return size
    if size.dtype in (dtypes.int32, dtypes.int64):
        return size
    from ..math.cast import cast

    return cast(size, dtypes.int32)


def as_scalar(x: Any) -> Any:
    """`x`, or the one element of it: there are scalars that may as well be vectors of one number.

    Raises:
        InvalidArgumentError: it has more elements, or none.
    """
    return x if x.shape.rank == 0 else reshape(x, [])


class ExpandDims(Op):
    """A new axis of size 1 before axis `dim`."""

    moves = Moves.NAMES
    input = In("T ...")
    dim = In("Tdim ...", keyword="axis")
    output = Out("T ...")
    T = ANY
    Tdim = INDEX
    xla = as_eager

    def demands(self, sizes: Any) -> int:
        """Where the new axis is in the result."""
        given = sizes.shape(self.dim)
        one = sizes.equal(sizes.count(given), 1)
        sizes.require(
            one, ShapeMismatchError, "{}: dim must be one number, not {}", self.name, given
        )
        dim, rank = in_a_row(sizes.static(self.dim))[0], len(sizes.shape(self.input))
        message = "ExpandDims: Tried to expand dim index {} for tensor with {} dimensions."
        if not -rank - 1 <= dim <= rank:
            refuse(InvalidArgumentError, message, dim, rank)
        return dim % (rank + 1)

    def infer(self) -> TensorSpec:
        dims, k = self.input.shape.entries, self.found
        if dims is None:
            return TensorSpec(None, self.input.dtype)
        if k is None:
            return TensorSpec((None,) * (len(dims) + 1), self.input.dtype)
        return TensorSpec((*dims[:k], 1, *dims[k:]), self.input.dtype)

    def eager(self, np: Any) -> Any:
        return np.expand_dims(self.input, self.found)

    def lower(self, loops: Any) -> Any:
        x, k = self.input, self.found
        return loops.reshape(x, [*x.shape[:k], 1, *x.shape[k:]])

    def vjp(self, doutput: Any) -> Any:
        return reshape(doutput, shape_of(self.input)), None


@dispatchable
def expand_dims(input: Any, axis: Any, name: str | None = None) -> Tensor:
    """A new axis of size 1 at `axis` (in the result; negative: from its end).

    input: a tensor of any dtype, which the result has.

    >>> tf.expand_dims([1, 2], -1).numpy()
    array([[1],
           [2]], dtype=int32)

    Raises:
        InvalidArgumentError: there is no such axis.
        ShapeMismatchError: `axis` is more than one number.
    """
    return bind(ExpandDims, input, axis, name=name)


class Squeeze(Op):
    """Without the axes in `squeeze_dims` (all of size 1, if empty)."""

    moves = Moves.NAMES
    input = In("T ...")
    output = Out("T ...")
    squeeze_dims = Attr((), keyword="axis", of=ints)
    T = ANY
    xla = as_eager

    def demands(self, sizes: Any) -> Any:
        """The axes that go."""
        shape = sizes.shape(self.input)
        if not isinstance(self.squeeze_dims, (list, tuple)):
            raise TypeError("Squeeze: the axes stand in a list")
        if not self.squeeze_dims:
            fixed = [sizes.fixed(size, "which axes have size 1") for size in shape]
            return {k for k, size in enumerate(fixed) if size == 1}
        rank = len(shape)
        for dim in self.squeeze_dims:
            if not -rank <= dim < rank:
                refuse(InvalidArgumentError, NO_AXIS, dim, rank)
            size = shape[dim]
            one = sizes.equal(size, 1)
            sizes.require(one, ShapeMismatchError, NOT_ONE, dim % rank, size)
        return {dim % rank for dim in self.squeeze_dims}

    def kept(self, sizes: Any) -> list[Any]:
        return [size for k, size in enumerate(sizes) if k not in self.found]

    def infer(self) -> TensorSpec:
        dims = self.input.shape.entries
        return TensorSpec(None if self.found is None else self.kept(dims), self.input.dtype)

    def eager(self, np: Any) -> Any:
        return self.input.reshape(self.kept(self.input.shape))

    def lower(self, loops: Any) -> Any:
        return loops.reshape(self.input, self.kept(self.input.shape))

    def vjp(self, doutput: Any) -> Any:
        return reshape(doutput, shape_of(self.input))


NO_AXIS = "Squeeze: Tried to squeeze dim index {} for tensor with {} dimensions."
NOT_ONE = "Squeeze: Can not squeeze dim[{}], expected a dimension of 1, got {}"


@dispatchable
def squeeze(input: Any, axis: Any = None, name: str | None = None) -> Tensor:
    """Without all axes of size 1, or without those in `axis` (an int or a list of ints).

    >>> tf.squeeze([[[1], [2]]], axis=0).numpy()
    array([[1],
           [2]], dtype=int32)

    Raises:
        InvalidArgumentError: an axis does not exist or has another size than 1.
        TypeError: an axis is no int, or a tensor without a known value.
    """
    axes = () if axis is None else axis if isinstance(axis, (list, tuple)) else _listed(axis)
    chosen = tuple([_known_axis(one) for one in axes])
    return bind(Squeeze, input, squeeze_dims=chosen, name=name)


def _listed(axis: Any) -> Sequence[Any]:
    value = static_value(axis) if isinstance(axis, TensorLike) else axis
    return [axis] if value is None else numpy_module.atleast_1d(value).tolist()


def _known_axis(axis: Any) -> int:
    """An axis as an int.

    Raises:
        TypeError: it is none, or is known only when the graph runs.
    """
    value = static_value(axis) if isinstance(axis, TensorLike) else axis
    if value is None or isinstance(value, (str, bytes)):
        raise TypeError(
            f"Expected int for argument 'axis' of tf.squeeze, not {axis!r}: which axes a result "
            "has is known before a graph runs; tf.reshape takes a tensor of sizes"
        )
    return int(value)
