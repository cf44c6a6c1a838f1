"""Tensors made from a shape: constants, ranges, one-hot rows."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as numpy_module

from ...core import context, dtypes
from ...core.dtypes import DType, as_dtype
from ...core.native_operations import MANY, SOME, Folded
from ...core.process.tracebacks import hide_frames
from ...core.specs import TensorSpec
from ...core.values import TensorLike
from ...errors import InvalidArgumentError, OpError
from ..bind import bind
from ..composed import composed
from ..conversion import as_tensor, as_tensors, static_dims, static_int, static_value
from ..demands import UNKNOWN, dims
from ..dispatch.meanings import dispatchable
from ..op import (
    ANY,
    FLOATS,
    INDEX,
    NATIVE,
    REALS,
    Attr,
    In,
    Moves,
    Op,
    Out,
    as_eager,
    types,
    usually,
)
from ..sizes import make_nothing
from .range_ends import of_one_dtype
from .shapes import as_scalar, as_shape_tensor, as_sizes, shape_of

if TYPE_CHECKING:
    from ..results import Tensor

LARGEST_KEPT: Final = 4096  # elements of an identity matrix that is kept


class Fill(Op):
    """A tensor of shape `dims` whose elements are all `value`."""

    moves = Moves.ELEMENTS
    dims = In("index_type n")
    value = In("T")
    output = Out("T ...")
    T = ANY
    index_type = INDEX
    loose = frozenset(
        (
            "dims",
            "value",
        )
    )

    def demands(self, sizes: Any) -> Any:
        """The sizes of the result."""
        shape = sizes.numbers(self.dims)
        sizes.possible(shape)
        return shape

    def infer(self) -> TensorSpec:
        return TensorSpec(self.dims.as_shape(), self.value.dtype)

    def eager(self, np: Any) -> Any:
        filled = np.empty(self.found, self.value.dtype)
        filled[...] = self.value
        return filled

    def xla(self, xla: Any) -> Any:
        return xla.np.broadcast_to(self.value, tuple(map(xla.fixed, self.found)))

    def lower(self, loops: Any) -> Any:
        return loops.map(self.found, self.value.dtype, lambda *index: self.value[()])

    def vjp(self, doutput: Any) -> Any:
        from ..math.reduce import reduce_sum

        return None, reduce_sum(doutput)


@dispatchable
def fill(dims: Any, value: Any, name: str | None = None, layout: Any = None) -> Tensor:
    """A tensor of shape `dims` (one number for a vector) whose elements are all `value`: a scalar
    of any dtype, or one element.

    >>> tf.fill([2, 3], 7).numpy()
    array([[7, 7, 7],
           [7, 7, 7]], dtype=int32)

    Raises:
        InvalidArgumentError: a size is negative; `value` has several elements.
    """
    return bind(Fill, as_sizes(dims), as_scalar(as_tensor(value)), name=name)


class ZerosLike(Op):
    """Zeros (empty strings, False) in the shape of the input."""

    x = In("T *s")
    y = Out("T *s")
    T = ANY
    xla = as_eager

    def eager(self, np: Any) -> Any:
        if self.x.dtype.kind == "O":
            return np.full(self.x.shape, b"", object)
        return np.zeros(self.x.shape, self.x.dtype)

    def lower(self, loops: Any) -> Any:
        zero = loops.constant(0, self.x.dtype)
        return loops.map(self.x.shape, self.x.dtype, lambda *index: zero)

    def vjp(self, dy: Any) -> Any:
        return None


class OnesLike(Op):
    """Ones (True) in the shape of the input."""

    x = In("T *s")
    y = Out("T *s")
    T = NATIVE
    xla = as_eager

    def eager(self, np: Any) -> Any:
        return np.ones(self.x.shape, self.x.dtype)

    def lower(self, loops: Any) -> Any:
        one = loops.constant(1, self.x.dtype)
        return loops.map(self.x.shape, self.x.dtype, lambda *index: one)

    def vjp(self, dy: Any) -> Any:
        return None


@dispatchable
def zeros(
    shape: Any, dtype: Any = dtypes.float32, name: str | None = None, layout: Any = None
) -> Tensor:
    """Zeros of a dtype (0, False or the empty string) in a shape: sizes, or an integer vector.

    >>> tf.zeros([2, 2], tf.int32).numpy()
    array([[0, 0],
           [0, 0]], dtype=int32)

    Raises:
        InvalidArgumentError: a size is negative.
    """
    return _filled(shape, as_dtype(dtype), 0, name or "zeros")


@dispatchable
def ones(
    shape: Any, dtype: Any = dtypes.float32, name: str | None = None, layout: Any = None
) -> Tensor:
    """Ones of a dtype (1 or True) in the shape `shape`: sizes, or an integer vector.

    >>> tf.ones([3]).numpy()
    array([1., 1., 1.], dtype=float32)

    Raises:
        TypeError: the dtype is string.
        InvalidArgumentError: a size is negative.
    """
    return _filled(shape, as_dtype(dtype), 1, name or "ones")


def _filled(shape: Any, dtype: DType, number: int, name: str | None) -> Any:
    """A Fill."""
    if dtype is dtypes.string:
        if number:
            raise TypeError("tf.ones() does not support the dtype string")
        value = numpy_module.array(b"", object)
    else:
        value = numpy_module.asarray(number, dtype.storage)
    try:
        return bind(Fill, as_sizes(shape), as_tensor(value, dtype), name=name)
    except (TypeError, ValueError, OpError) as error:
        hide_frames(error)
        raise


@dispatchable(elements=1)
def zeros_like(
    input: Any, dtype: Any = None, name: str | None = None, layout: Any = None
) -> Tensor:
    """Zeros in the shape of `input`, of its dtype or another: 0, False or the empty string.

    >>> tf.zeros_like([[1.5], [2.5]], tf.int32).numpy()
    array([[0],
           [0]], dtype=int32)

    Raises:
        TypeError: there is no such dtype, or none that has zeros.
        ValueError: the operand is nothing that a tensor can hold.
    """
    return _like(ZerosLike, input, dtype, name or "zeros_like", 0)


@dispatchable(elements=1)
def ones_like(input: Any, dtype: Any = None, name: str | None = None, layout: Any = None) -> Tensor:
    """Ones in the shape of `input`, of its dtype or another: 1 or True.

    >>> tf.ones_like([[1.5, 2.5]]).numpy()
    array([[1., 1.]], dtype=float32)

    Raises:
        TypeError: the dtype is string.
    """
    return _like(OnesLike, input, dtype, name or "ones_like", 1)


def _like(op: type[Op], input: Any, dtype: Any, name: str | None, number: int) -> Any:
    """Of `input` only the shape counts: where a trace knows that, nothing depends on `input`."""
    input = as_tensor(input)
    target = input.dtype if dtype is None else as_dtype(dtype)
    is_needed = not input.symbolic or static_dims(input) is None
    if target is input.dtype and is_needed:
        return bind(op, input, name=name)
    return _filled(shape_of(input), target, number, name)


def zero_or_one(x: Any) -> Any:
    """0 where x is 0 and 1 elsewhere, in the dtype of x."""
    from ..math.cast import cast
    from ..math.comparison import not_equal

    return cast(not_equal(x, 0), x.dtype)


class Range(Op):
    """start, start + delta, ... as long as it is before limit.

    Raises:
        InvalidArgumentError: delta is 0 or leads away from limit.
    """

    start = In("Tidx")
    limit = In("Tidx")
    delta = In("Tidx")
    output = Out("Tidx n")
    Tidx = REALS - types("u8")
    usual = usually(Tidx="i32")
    loose = frozenset(
        (
            "start",
            "limit",
            "delta",
        )
    )
    differentiable = False
    xla = as_eager
    native_from = 1

    @classmethod
    def fold(cls, operands: Sequence[Any], attrs: dict[str, Any]) -> Folded | None:
        """The same, of many numbers; few are NumPy's, whatever the operands are."""
        start, limit, delta = map(float, operands)
        return Folded(operands, attrs, (-1,)) if abs(limit - start) > MANY * abs(delta) else None

    def demands(self, sizes: Any) -> Any:
        """How many numbers there are."""
        operands = (self.start, self.limit, self.delta)
        if not sizes.numpy_looks:  # whose operands have the ranks of the patterns
            for one in operands:
                sizes.require(sizes.equal(sizes.rank(one), 0), InvalidArgumentError, NO_SCALARS)
        start, limit, delta = sizes.values(*operands)
        sizes.require(delta != 0, InvalidArgumentError, NO_DELTA)
        forward, backward = (delta < 0) | (start <= limit), (delta > 0) | (start >= limit)
        sizes.require(forward, InvalidArgumentError, NOT_FORWARD, start, limit)
        sizes.require(backward, InvalidArgumentError, NOT_BACKWARD, start, limit)
        count, fits = sizes.steps(start, limit, delta)
        sizes.require(fits, InvalidArgumentError, TOO_LONG)
        return count

    def infer(self) -> TensorSpec:
        return TensorSpec((self.found,), self.start.dtype)

    def eager(self, np: Any) -> Any:
        return self.start + np.arange(self.found).astype(self.start.dtype) * self.delta

    def lower(self, loops: Any) -> Any:
        dtype, cast = self.start.dtype, loops.scalars.cast
        start, delta = self.start[()], self.delta[()]
        return loops.map([self.found], dtype, lambda index: start + cast(index, dtype) * delta)


NO_SCALARS = "Range: start, limit and delta must be scalars"
NO_DELTA = "Range: Requires delta != 0: 0"
NOT_FORWARD = "Range: Requires start <= limit when delta > 0: {}/{}"
NOT_BACKWARD = "Range: Requires start >= limit when delta < 0: {}/{}"
TOO_LONG = "Range: Requires at most 2**63 - 1 numbers"


@dispatchable
def range(
    start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None, name: str | None = "range"
) -> Tensor:
    """The numbers start, start + delta, ... up to, not including, `limit`, as a vector.

    start, limit, delta: scalars; a single one is `limit`, and `start` is 0. Without `dtype` the
    result has the widest of their dtypes, int32 < int64 < float16 < bfloat16 < float32 < float64.

    >>> tf.range(10, 3, -3).numpy()
    array([10,  7,  4], dtype=int32)

    Raises:
        InvalidArgumentError: `delta` is 0 or leads away from `limit`; an operand is no scalar.
        ValueError: dtypes differ, and one of them is none of those six.
    """
    if limit is None:
        start, limit = 0, start
    return bind(Range, *of_one_dtype((start, limit, delta), dtype), name=name)


class LinSpace(Op):
    """`num` numbers from start to stop, both included, at equal distances."""

    start = In("T")
    stop = In("T")
    num = In("Tidx")
    output = Out("T n")
    T = FLOATS
    Tidx = INDEX
    usual = usually(Tidx="i32")

    def demands(self, sizes: Any) -> Any:
        """How many numbers there are."""
        (count,) = sizes.numbers(self.num)
        sizes.require(count >= 0, InvalidArgumentError, "LinSpace: Requires num >= 0: {}", count)
        return count

    def infer(self) -> TensorSpec:
        return TensorSpec(dims((UNKNOWN if self.found is None else self.found,)), self.start.dtype)

    def eager(self, np: Any) -> Any:
        count = self.found
        steps = np.arange(count, dtype=self.start.dtype)
        step = (self.stop - self.start) / self.start.dtype.type(max(count - 1, 1))
        line = (self.start + step * steps).astype(self.start.dtype, copy=False)
        line[:1] = self.start
        if count > 1:
            line[-1] = self.stop
        return line

    def xla(self, xla: Any) -> Any:
        np, count, dtype = xla.np, xla.fixed(self.found), self.start.dtype
        steps = np.arange(count, dtype=dtype)
        step = (self.stop - self.start) / dtype.type(max(count - 1, 1))
        line = (self.start + step * steps).astype(dtype)
        ends = [np.where(steps == 0, self.start, line)]
        return np.where((steps == count - 1) & (count > 1), self.stop, *ends)

    def lower(self, loops: Any) -> Any:
        s, dtype, count = loops.scalars, self.start.dtype, self.found
        start, stop = self.start[()], self.stop[()]
        if not isinstance(count, int):
            gaps = s.cast(s.maximum(count - 1, loops.constant(1, dtypes.int64)), dtype)
        else:
            gaps = loops.constant(max(count - 1, 1), dtype)
        step = (stop - start) / gaps

        def element(index: Any) -> Any:
            last = (index == count - 1) & (index != 0)
            inner = s.where(index == 0, start, start + step * s.cast(index, dtype))
            return s.where(last, stop, inner)

        return loops.map([count], dtype, element)

    def vjp(self, doutput: Any) -> Any:
        """An element is start * (1 - k) + stop * k, with k from 0 to 1."""
        from ..math.reduce import reduce_sum

        zero, one = zeros_like(self.start), ones_like(self.start)
        share = bind(LinSpace, zero, one, self.num)
        return reduce_sum(doutput * (1.0 - share)), reduce_sum(doutput * share), None


class OneHot(Op):
    """`on_value` at each index, `off_value` elsewhere; the new axis of size `depth` is `axis`.

    An index outside 0 .. depth - 1 gives no `on_value` at all.
    """

    native_from = SOME

    indices = In("TI *s")
    depth = In("i32")
    on_value = In("T")
    off_value = In("T")
    output = Out("T ...")
    axis = Attr(-1)
    T = ANY
    differentiable = False
    TI = types("u8 i8 i32 i64")

    def demands(self, sizes: Any) -> Any:
        """The new axis and its size."""
        (depth,) = sizes.numbers(self.depth)
        sizes.require(
            depth >= 0, InvalidArgumentError, "depth must be non-negative, got: {}", depth
        )
        rank, axis = len(sizes.shape(self.indices)), self.axis
        message = "Expected axis to be -1 or between [0, {}).  But received: {}"
        sizes.require_late(-1 <= axis <= rank, InvalidArgumentError, message, rank + 1, axis)
        return rank if axis == -1 else axis, depth

    def infer(self) -> TensorSpec:
        if self.found is None:
            return TensorSpec(None, self.on_value.dtype)
        shape, (where, depth) = self.indices.shape.as_tuple(), self.found
        return TensorSpec((*shape[:where], *dims((depth,)), *shape[where:]), self.on_value.dtype)

    def eager(self, np: Any) -> Any:
        (where, depth), shape = self.found, self.indices.shape
        made = np.full((*shape[:where], depth, *shape[where:]), self.off_value)
        inside = (self.indices >= 0) & (self.indices < depth)
        place = list(np.argwhere(inside).T)
        place.insert(where, self.indices[inside])
        made[tuple(place)] = self.on_value
        return made

    def xla(self, xla: Any) -> Any:
        np, (where, depth) = xla.np, self.found
        shape = [1] * (self.indices.ndim + 1)
        shape[where] = depth = xla.fixed(depth, "the depth")
        classes = np.arange(depth, dtype=self.indices.dtype if depth < 128 else np.int64)
        here = np.expand_dims(self.indices, where) == classes.reshape(shape)
        return np.where(here, self.on_value, self.off_value)

    def lower(self, loops: Any) -> Any:
        s, x, (where, depth) = loops.scalars, self.indices, self.found
        on, off = self.on_value[()], self.off_value[()]

        def element(*index: Any) -> Any:
            chosen = s.cast(x[[*index[:where], *index[where + 1 :]]], dtypes.int64)
            return s.where(chosen == index[where], on, off)

        return loops.map([*x.shape[:where], depth, *x.shape[where:]], on.dtype, element)


@dispatchable
def one_hot(
    indices: Any,
    depth: Any,
    on_value: Any = None,
    off_value: Any = None,
    axis: int | None = None,
    dtype: Any = None,
    name: str | None = None,
) -> Tensor:
    """Rows with `on_value` (1) at each index and `off_value` (0) elsewhere.

    indices: uint8, int8, int32 or int64 of any shape; the result has one more axis, of size
    `depth`, at `axis` (the last). The dtype is that of the values, or `dtype`, or float32. The row
    of an index outside of [0, depth) has no `on_value`.

    >>> tf.one_hot([1, 0, -1], 3, dtype=tf.int32).numpy()
    array([[0, 1, 0],
           [1, 0, 0],
           [0, 0, 0]], dtype=int32)

    Raises:
        TypeError: the values have another dtype than `dtype`, or two different ones.
        InvalidArgumentError: `depth` is negative, or there is no such axis.
    """
    target = None if dtype is None else as_dtype(dtype)
    for given in (on_value, off_value):
        if target is not None and isinstance(given, TensorLike) and given.dtype != target:
            raise TypeError(
                f"dtype {given.dtype.name} of on_value or off_value does not match dtype parameter "
                f"{target.name}"
            )
    given = [value for value in (on_value, off_value) if value is not None]
    if target is None:
        target = as_tensors(*given)[0].dtype if given else dtypes.float32
    on = as_tensor(1 if on_value is None else on_value, target)
    off = as_tensor(0 if off_value is None else off_value, target)
    if on.dtype is not off.dtype:
        raise TypeError(
            f"dtype {on.dtype.name} of on_value does not match dtype {off.dtype.name} of off_value"
        )
    axis = -1 if axis is None else axis
    return bind(OneHot, indices, depth, on, off, axis=axis, name=name or "one_hot")


@dispatchable
@composed("eye", names_result=True)
def eye(
    num_rows: Any,
    num_columns: Any = None,
    batch_shape: Any = None,
    dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """Identity matrices, [*batch_shape, num_rows, num_columns]; without `num_columns` they are
    square.

    >>> tf.eye(2, 3, dtype=tf.int32).numpy()
    array([[1, 0, 0],
           [0, 1, 0]], dtype=int32)

    Raises:
        InvalidArgumentError: a size is negative.
        TypeError: one is no number.
    """
    from .broadcasting import broadcast_to
    from .concatenation import concat

    columns = num_rows if num_columns is None else num_columns
    target = as_dtype(dtype)
    if batch_shape is None and (kept := _kept_eye(num_rows, columns, target)) is not None:
        return kept
    for one in (num_rows, columns):
        if not isinstance(one, TensorLike) and not _is_whole_number(one):
            raise TypeError(
                f"`num_rows` and `num_columns` must be integers, got {num_rows!r} and {columns!r}"
            )
    rows, columns = _as_int32(num_rows), _as_int32(columns)
    shape = _known_sizes(rows, columns, batch_shape)
    if make_nothing(shape):
        return zeros(shape, target, name)
    one, zero = (True, False) if target is dtypes.bool_ else (1, 0)
    matrix = one_hot(range(rows), columns, one, zero, dtype=target, name=name)
    if batch_shape is None:
        return matrix
    batch = as_shape_tensor(batch_shape)
    batch = _as_int32(batch) if batch.dtype.is_integer else batch
    sizes = concat([batch, as_shape_tensor([rows, columns])], 0)
    return broadcast_to(matrix, sizes)


def _is_whole_number(size: Any) -> bool:
    """Whether it is Python's or NumPy's, a bool or an array of one element among them."""
    return hasattr(size, "__index__") and numpy_module.ndim(size) == 0


def _as_int32(sizes: Any) -> Any:
    """What `one_hot` takes for a depth: an int32, of what other number a tensor has."""
    if not isinstance(sizes, TensorLike) or sizes.dtype is dtypes.int32:
        return sizes
    from ..math.cast import cast

    return cast(sizes, dtypes.int32) if sizes.dtype.is_numeric else sizes


def _kept_eye(rows: Any, columns: Any, dtype: DType) -> Any:
    """A small identity matrix, where operations run at once and nobody looks at each: all of one
    kind share an array, since nobody writes to what tensors hold. Else None.
    """
    here: Any = context.top()
    if here.told is None or not type(rows) is type(columns) is int or dtype not in NATIVE:
        return None
    if rows < 0 or columns < 0 or rows * columns > LARGEST_KEPT:
        return None
    return here.interpreter.constant(_eye(rows, columns, dtype.name))


@lru_cache(64)
def _eye(rows: int, columns: int, dtype: str) -> Any:
    return numpy_module.eye(rows, columns, dtype=as_dtype(dtype).storage)


def _known_sizes(num_rows: Any, num_columns: Any, batch_shape: Any) -> builtins.list[int | None]:
    """The sizes of `eye`, as far as they are known."""
    batch = [] if batch_shape is None else static_value(as_shape_tensor(batch_shape))
    known = [None] if batch is None else [int(size) for size in batch]
    return [*known, static_int(num_rows), static_int(num_columns)]
