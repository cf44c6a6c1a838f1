"""Shapes as tensors, and the same elements in another shape."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as numpy_module

from ...core import dtypes
from ...core.dtypes import as_dtype
from ...core.specs import TensorSpec
from ...core.values import TensorLike
from ...errors import InvalidArgumentError, ShapeMismatchError
from ..bind import bind
from ..conversion import as_tensor, static_dims, static_value
from ..dispatch.meanings import dispatchable
from ..lowering import NotStatic
from ..op import ANY, INDEX, Attr, In, Op, Out
from .fill import as_shape_tensor


class Shape(Op):
    """The sizes of the axes, as an integer vector."""

    input = In("T ...")
    output = Out("out_type rank")
    out_type = Attr(dtypes.int32)
    T = ANY
    differentiable = False

    def infer(self) -> TensorSpec:
        return TensorSpec((self.input.rank,), self.out_type)

    def eager(self, np: Any) -> Any:
        return np.asarray(self.input.shape, self.out_type.numpy)

    def lower(self, loops: Any) -> Any:
        return loops.vector(self.input.shape, self.out_type)


@dispatchable
def shape(input: Any, out_type: Any = None, name: str | None = None) -> Any:
    """The sizes of the axes, as an integer vector (int32) [rank]; constant where all are known.

    >>> tf.shape([[1, 2, 3], [4, 5, 6]]).numpy()
    array([2, 3], dtype=int32)
    """
    target = dtypes.int32 if out_type is None else as_dtype(out_type)
    input = as_tensor(input)
    sizes = static_dims(input)
    if sizes is not None:
        return as_tensor(numpy_module.asarray(sizes, target.numpy))
    return bind(Shape, input, out_type=target, name=name)


def shape_of(tensor: Any) -> Any:
    """The shape of a tensor, for use as an operand: a constant where it is known."""
    return shape(tensor)


@dispatchable
def shape_n(input: Any, out_type: Any = dtypes.int32, name: str | None = None) -> list[Any]:
    """The shapes of several tensors, as a list of integer vectors.

    >>> [one.numpy().tolist() for one in tf.shape_n([[1, 2], [[3]]])]
    [[2], [1, 1]]
    """
    return [shape(one, out_type, name) for one in input]


class Size(Op):
    """The number of elements."""

    input = In("T ...")
    output = Out("out_type")
    out_type = Attr(dtypes.int32)
    T = ANY
    differentiable = False

    def eager(self, np: Any) -> Any:
        return np.asarray(self.input.size, self.out_type.numpy)

    def lower(self, loops: Any) -> Any:
        count = loops.count(self.input.shape)
        return loops.reshape(loops.vector([count], self.out_type), [])


@dispatchable
def size(input: Any, out_type: Any = None, name: str | None = None) -> Any:
    """The number of elements, as a scalar (int32).

    >>> int(tf.size([[1, 2, 3], [4, 5, 6]]))
    6
    """
    target = dtypes.int32 if out_type is None else as_dtype(out_type)
    input = as_tensor(input)
    count = input.shape.num_elements()
    if count is not None:
        return as_tensor(numpy_module.asarray(count, target.numpy))
    return bind(Size, input, out_type=target, name=name)


class Rank(Op):
    """The number of axes."""

    input = In("T ...")
    output = Out("i32")
    T = ANY
    differentiable = False

    def eager(self, np: Any) -> Any:
        return np.asarray(self.input.ndim, np.int32)

    def lower(self, loops: Any) -> Any:
        return loops.reshape(loops.vector([self.input.rank], dtypes.int32), [])


@dispatchable
def rank(input: Any, name: str | None = None) -> Any:
    """The number of axes, as an int32 scalar.

    >>> int(tf.rank([[1, 2, 3]]))
    2
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

    tensor = In("T ...")
    shape = In("Tshape n")
    output = Out("T ...")
    T = ANY
    Tshape = INDEX

    def infer(self) -> TensorSpec:
        if self.shape.sizes is None:
            return TensorSpec(self.shape.as_shape(), self.tensor.dtype)
        if self.shape.value is not None and self.tensor.shape.is_fully_defined():
            given = self.tensor.shape.as_tuple()
            return TensorSpec(full_shape(self.shape.sizes, given), self.tensor.dtype)
        # The one -1 is no different from an unknown size, unless all other sizes are known.
        return TensorSpec(self.shape.as_shape(), self.tensor.dtype)

    def eager(self, np: Any) -> Any:
        sizes = self.shape.reshape(-1).tolist()
        return self.tensor.reshape(full_shape(sizes, self.tensor.shape))

    def lower(self, loops: Any) -> Any:
        wanted, given = list(loops.sizes(self.shape)), self.tensor.shape
        if all(isinstance(size, int) for size in (*wanted, *given)):
            return loops.reshape(self.tensor, full_shape(wanted, given))
        if not all(loops.is_count(size) for size in wanted):
            wanted = self._filled(loops, wanted)
        return self._checked(loops, wanted, loops.count(given))

    def _filled(self, loops: Any, wanted: list[Any]) -> list[Any]:
        """Sizes of which one is or may be -1, with what is left in its place (`full_shape`)."""
        s, one = loops.scalars, loops.constant(1, dtypes.int64)
        free = [not loops.is_count(size) and size == -1 for size in wanted]
        named = [
            (1 if is_free else size) if isinstance(size, int) else s.where(is_free, one, size)
            for is_free, size in zip(free, wanted, strict=True)
        ]
        empty: Any = False
        for size in named:
            if isinstance(size, int):
                empty = empty if size else True
            elif empty is not True:
                empty = size == 0 if isinstance(empty, bool) else s.logical_or(empty, size == 0)
        counts = [_nonzero(loops, size) for size in self.tensor.shape]
        total = loops.count(self.tensor.shape)
        if empty is not False:
            total = s.where(empty, _scalar(loops, loops.count(counts)), _scalar(loops, total))
        rest = total // loops.count([_nonzero(loops, size) for size in named])
        return [
            (rest if is_free else size) if isinstance(is_free, bool)
            else s.where(is_free, _scalar(loops, rest), size)
            for is_free, size in zip(free, named, strict=True)
        ]  # fmt: skip

    def _checked(self, loops: Any, wanted: list[Any], count: Any) -> Any:
        taken = loops.count(wanted)
        if count is not taken and not (isinstance(count, int) and isinstance(taken, int)):
            loops.check(
                self._fits(loops, wanted, count == taken), InvalidArgumentError,
                "Reshape: Input to reshape is a tensor with {} values, but the requested shape "
                "has {}", count, taken,
            )  # fmt: skip
        return loops.reshape(self.tensor, wanted)

    def _fits(self, loops: Any, wanted: list[Any], same_count: Any) -> Any:
        """Whether the counts are the same, not by an overflow nor by sizes below zero."""
        s, fits = loops.scalars, same_count
        product = loops.constant(1.0, dtypes.float64)
        for size in wanted:
            if isinstance(size, int):
                product = product * float(size)
            else:
                product = product * s.cast(size, dtypes.float64)
                fits = s.logical_and(fits, size >= 0)
        return s.logical_and(fits, product < 2.0**62)

    def vjp(self, doutput: Any) -> Any:
        return reshape(doutput, shape_of(self.tensor)), None


def _scalar(loops: Any, size: Any) -> Any:
    return loops.constant(size, dtypes.int64) if isinstance(size, int) else size


def _nonzero(loops: Any, size: Any) -> Any:
    """A size as a factor where empty axes do not count."""
    if isinstance(size, int):
        return size or 1
    return loops.scalars.where(size == 0, loops.constant(1, dtypes.int64), size)


def full_shape(sizes: Any, given: Any) -> tuple[int, ...]:
    """`sizes` with -1 replaced, for a tensor of the shape `given`.

    Where one of the sizes is 0, anything would fit in the place of -1: empty axes do not count
    then, on neither side.

    Raises:
        InvalidArgumentError: there is no such shape.
    """
    free = [k for k, size in enumerate(sizes) if size == -1]
    if len(free) > 1:
        raise InvalidArgumentError(
            f"Reshape: Only one input size may be -1, not both {free[0]} and {free[1]}"
        )
    for k, one in enumerate(sizes):
        if one < -1:
            raise InvalidArgumentError(f"Reshape: Size {k} must be non-negative, not {one}")
    count = math.prod(given)
    named = [one for one in sizes if one != -1]
    if free and 0 not in named and count % math.prod(named):
        raise ShapeMismatchError(
            f"Reshape: Input to reshape is a tensor with {count} values, but the requested shape "
            f"requires a multiple of {math.prod(named)}: {list(sizes)}"
        )
    total = math.prod([size or 1 for size in given]) if 0 in named else count
    rest = total // math.prod([size or 1 for size in named])
    filled = tuple([rest if one == -1 else one for one in sizes])
    if math.prod(filled) != count:
        raise ShapeMismatchError(
            f"Reshape: Input to reshape is a tensor with {count} values, but the requested shape "
            f"has {math.prod(filled)}: {list(sizes)}"
        )
    return filled


@dispatchable
def reshape(tensor: Any, shape: Any, name: str | None = None) -> Any:
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


def as_scalar(x: Any) -> Any:
    """`x`, or the one element of it: there are scalars that may as well be vectors of one number.

    Raises:
        InvalidArgumentError: it has more elements, or none.
    """
    return x if x.shape.rank == 0 else reshape(x, [])


class ExpandDims(Op):
    """A new axis of size 1 before axis `dim`."""

    input = In("T ...")
    dim = In("Tdim ...")
    output = Out("T ...")
    T = ANY
    Tdim = INDEX

    def position(self, rank: int, dim: int) -> int:
        if not -rank - 1 <= dim <= rank:
            raise InvalidArgumentError(
                f"ExpandDims: Tried to expand dim index {dim} for tensor with {rank} dimensions."
            )
        return dim % (rank + 1)

    def infer(self) -> TensorSpec:
        dims, where = self.input.shape.dims, self.dim.sizes
        if self.dim.shape.num_elements() not in (1, None):
            raise ShapeMismatchError(f"{self.name}: dim must be one number, not {self.dim.shape}")
        if dims is None:
            return TensorSpec(None, self.input.dtype)
        if where is None or where[0] is None:
            return TensorSpec((None,) * (len(dims) + 1), self.input.dtype)
        k = self.position(len(dims), where[0])
        return TensorSpec((*dims[:k], 1, *dims[k:]), self.input.dtype)

    def eager(self, np: Any) -> Any:
        if self.dim.size != 1:
            raise ShapeMismatchError(f"{self.name}: dim must be one number, not {self.dim.shape}")
        k = self.position(self.input.ndim, int(self.dim.reshape(-1)[0]))
        return np.expand_dims(self.input, k)

    def lower(self, loops: Any) -> Any:
        x, dim = self.input, loops.static(self.dim)
        k = self.position(x.rank, dim if isinstance(dim, int) else dim[0])
        return loops.reshape(x, [*x.shape[:k], 1, *x.shape[k:]])

    def vjp(self, doutput: Any) -> Any:
        return reshape(doutput, shape_of(self.input)), None


@dispatchable
def expand_dims(input: Any, axis: Any, name: str | None = None) -> Any:
    """A new axis of size 1 at `axis` (in the result; negative: from its end).

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

    input = In("T ...")
    output = Out("T ...")
    squeeze_dims = Attr(())
    T = ANY

    def gone(self, dims: Any) -> set[int]:
        """The axes that go, of a tensor with sizes `dims` (None: unknown)."""
        chosen = set[int]()
        for dim in self.squeeze_dims:
            if not -len(dims) <= dim < len(dims):
                raise InvalidArgumentError(
                    f"Squeeze: Tried to squeeze dim index {dim} for tensor with {len(dims)} "
                    "dimensions."
                )
            axis = dim % len(dims)
            if isinstance(dims[axis], int) and dims[axis] != 1:
                raise ShapeMismatchError(
                    f"Squeeze: Can not squeeze dim[{axis}], expected a dimension of 1, "
                    f"got {dims[axis]}"
                )
            chosen.add(axis)
        if self.squeeze_dims:
            return chosen
        return {k for k, size in enumerate(dims) if isinstance(size, int) and size == 1}

    def infer(self) -> TensorSpec:
        dims = self.input.shape.dims
        if dims is None or (not self.squeeze_dims and None in dims):
            return TensorSpec(None, self.input.dtype)
        gone = self.gone(dims)
        kept = tuple(size for k, size in enumerate(dims) if k not in gone)
        return TensorSpec(kept, self.input.dtype)

    def eager(self, np: Any) -> Any:
        dims = self.input.shape
        gone = self.gone(dims)
        return self.input.reshape([size for k, size in enumerate(dims) if k not in gone])

    def lower(self, loops: Any) -> Any:
        x = self.input
        if not self.squeeze_dims and any(not isinstance(size, int) for size in x.shape):
            raise NotStatic("which axes have size 1")
        gone = self.gone(x.shape)
        for k in gone:
            if not isinstance(x.shape[k], int):
                loops.check(
                    x.shape[k] == 1, InvalidArgumentError,
                    f"Squeeze: Can not squeeze dim[{k}], expected a dimension of 1, got {{}}",
                    x.shape[k],
                )  # fmt: skip
        return loops.reshape(x, [size for k, size in enumerate(x.shape) if k not in gone])

    def vjp(self, doutput: Any) -> Any:
        return reshape(doutput, shape_of(self.input))


@dispatchable
def squeeze(input: Any, axis: Any = None, name: str | None = None) -> Any:
    """Without all axes of size 1, or without those in `axis` (an int or a list of ints).

    >>> tf.squeeze([[[1], [2]]], axis=0).numpy()
    array([[1],
           [2]], dtype=int32)

    Raises:
        InvalidArgumentError: an axis does not exist or has another size than 1.
        TypeError: an axis is no int, or a tensor without a known value.
    """
    axes = () if axis is None else axis if isinstance(axis, (list, tuple)) else _listed(axis)
    chosen = tuple(_known_axis(one) for one in axes)
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
