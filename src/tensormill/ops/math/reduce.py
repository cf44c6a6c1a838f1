"""Reductions: all elements along some axes become one."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any, Final

import numpy as numpy_module

from ...core import dtypes
from ...core.dtypes import DType
from ...core.process import floating_point_warnings
from ...core.process.tracebacks import hide_frames
from ...core.values import TensorLike
from ...errors import OpError
from ..array.broadcasting import broadcast_to, summed
from ..array.shapes import rank as rank_of
from ..array.shapes import reshape, shape_of, size, sizes_tensor
from ..bind import bind
from ..conversion import as_tensor, static_value
from ..dispatch.meanings import dispatchable
from ..families import Reduction
from ..op import REALS, In, Op, Out, as_eager, types
from .arithmetic import conjugated, maximum

if TYPE_CHECKING:
    from ..results import Tensor

NARROW = types("f16 bf16")


def axes_of(application: Reduction) -> tuple[int, ...]:
    """The axes of an eager application, non-negative."""
    return tuple(application.found)


def is_narrow(array: Any) -> bool:
    """Whether sums of this array want a wider accumulator."""
    return array.dtype.itemsize == 2 and array.dtype.kind not in "iu"


def back_to_input(application: Reduction, gradient: Any) -> Any:
    """A gradient of the output, with the reduced axes put back with size 1."""
    if application.keep_dims or (gradient.shape.rank == 0 and application.input.shape.rank == 0):
        return gradient
    return reshape(gradient, kept_shape(application))


def kept_shape(application: Reduction) -> Any:
    """The shape of the output with the reduced axes kept: static sizes, or a tensor."""
    dims, axes = application.input.shape.entries, static_value(application.reduction_indices)
    if dims is not None and axes is not None:
        gone = {int(axis) % len(dims) for axis in axes.reshape(-1)}
        kept = [1 if k in gone else size for k, size in enumerate(dims)]
        if kept.count(None) <= 1:
            return [-1 if size is None else size for size in kept]
        sizes = shape_of(application.input)
        return [sizes[k] if size is None else size for k, size in enumerate(kept)]
    return _kept_shape_at_run_time(application)


def _kept_shape_at_run_time(application: Reduction) -> Any:
    from ..array.fill import ones_like
    from ..array.scatter import tensor_scatter_nd_update

    axes = _axes_at_run_time(application)
    return tensor_scatter_nd_update(
        shape_of(application.input), reshape(axes, [-1, 1]), ones_like(axes)
    )


def _axes_at_run_time(application: Reduction) -> Any:
    """The reduced axes as a vector, none of them negative."""
    from .cast import cast

    axes = reshape(application.reduction_indices, [-1])
    return axes % cast(rank_of(application.input), axes.dtype)


# NumPy begins anew with each row: of many short ones, sums of columns cost a fifth (measured).
SHORT_ROW: Final = 6
MANY_ROWS: Final = 1000


def _sum(np: Any, x: Any, axes: tuple[int, ...], wide: Any, keepdims: bool) -> Any:
    rows_are_short = axes == (x.ndim - 1,) and 0 < x.shape[-1] <= SHORT_ROW
    if not rows_are_short or x.size < MANY_ROWS * x.shape[-1]:
        return summed(np, x, axes, wide, keepdims)
    total = x[..., 0].astype(wide)
    for column in range(1, x.shape[-1]):
        total += x[..., column]
    return total[..., None] if keepdims else total


class Sum(Reduction):
    """The sum along some axes. Narrow floats are accumulated in float32."""

    kind = "sum"
    xla = as_eager

    def eager(self, np: Any) -> Any:
        wide = np.float32 if is_narrow(self.input) else self.input.dtype
        total = _sum(np, self.input, axes_of(self), wide, self.keep_dims)
        return total if wide is self.input.dtype else total.astype(self.input.dtype, copy=False)

    def vjp(self, doutput: Any) -> Any:
        return broadcast_to(back_to_input(self, doutput), shape_of(self.input)), None


# The sums of integers, before they are divided: bytes of images are more than a byte together.
WIDE_INTEGERS: Final = {"i": numpy_module.int64, "u": numpy_module.uint64}


class Mean(Reduction):
    """The mean along some axes; of integers, rounded towards zero (0 where there are none)."""

    kind = "sum"

    def eager(self, np: Any) -> Any:
        x, axes = self.input, axes_of(self)
        wide = np.dtype(np.float32 if is_narrow(x) else WIDE_INTEGERS.get(x.dtype.kind, x.dtype))
        total = _sum(np, x, axes, wide, self.keep_dims)
        count = 1
        for axis in axes:
            count *= x.shape[axis]
        if x.dtype.kind in "iu":
            return _rounded_towards_zero(np, total, max(count, 1)).astype(x.dtype)
        token = floating_point_warnings.enter()  # of nothing: 0 / 0
        try:
            mean = _divided(np, total, count)
        finally:
            floating_point_warnings.leave(token)
        return mean if wide == x.dtype else mean.astype(x.dtype)

    def xla(self, xla: Any) -> Any:
        np, x, axes = xla.np, self.input, axes_of(self)
        wide = np.dtype(np.float32 if is_narrow(x) else WIDE_INTEGERS.get(x.dtype.kind, x.dtype))
        total = np.sum(x, axes, dtype=wide, keepdims=self.keep_dims)
        count = prod(x.shape[axis] for axis in axes)
        if x.dtype.kind in "iu":
            return _rounded_towards_zero(np, total, max(count, 1)).astype(x.dtype)
        return xla.scalars.divide(total, np.asarray(count, wide)).astype(x.dtype)

    def accumulator(self, dtype: DType) -> DType:
        if dtype.is_integer:
            return dtypes.uint64 if dtype.is_unsigned else dtypes.int64
        return dtypes.float32 if dtype in NARROW else dtype

    def scalar_of(self, loops: Any, element: Any) -> Any:
        wide = self.accumulator(self.input.dtype)
        return element if wide is self.input.dtype else loops.scalars.cast(element, wide)

    def finish(self, loops: Any, result: Any, count: Any) -> Any:
        s, dtype, wide = loops.scalars, self.input.dtype, self.accumulator(self.input.dtype)
        if dtype.is_integer:
            from .. import sizes

            count = sizes.maximum(loops, count, 1)
        if isinstance(count, int):
            divisor = loops.constant(count, wide)
        else:
            divisor = s.cast(count, wide)

        def element(*index: Any) -> Any:
            if dtype.is_integer:
                mean = s.truncate_divide(result[index], divisor)
            else:
                mean = result[index] / divisor
            return mean if wide is dtype else s.cast(mean, dtype)

        return loops.map(result.shape, dtype, element)

    def vjp(self, doutput: Any) -> Any:
        spread = broadcast_to(back_to_input(self, doutput), shape_of(self.input))
        return spread / count_of_reduced(self, spread.dtype), None


def _divided(np: Any, total: Any, count: int) -> Any:
    """Parts of complex numbers by themselves: NumPy multiplies them by a rounded reciprocal."""
    if total.dtype.kind != "c":
        return total / total.dtype.type(count)
    mean = np.empty(total.shape, total.dtype)
    mean.real, mean.imag = total.real / count, total.imag / count
    return mean


def _rounded_towards_zero(np: Any, total: Any, count: int) -> Any:
    quotient, rest = np.divmod(total, total.dtype.type(count))
    return quotient + ((quotient < 0) & (rest != 0)).astype(total.dtype)


def count_of_reduced(application: Reduction, dtype: DType) -> Any:
    """How many elements become one, as a scalar of `dtype`."""
    from .cast import cast

    inner, outer = application.input.shape.num_elements(), application.output.shape.num_elements()
    if inner is not None and outer is not None:
        return as_tensor(numpy_module.asarray(inner // max(outer, 1), dtype.storage))
    count = size(application.input) // maximum(size(application.output), 1)
    return cast(count, dtype)


# NumPy multiplies a row number by number, each waiting for the one before.
LONG_ROW: Final = 16
LONG_PRODUCT: Final = 512


def _product(np: Any, x: Any, axes: tuple[int, ...], wide: Any, keepdims: bool) -> Any:
    whole = len(axes) == x.ndim
    in_rows = whole or axes == (x.ndim - 1,)
    if in_rows and x.size >= LONG_PRODUCT and np.dtype(wide).kind in "fc":
        rows = x.reshape((*[1] * (x.ndim - 1), -1)) if whole else x
        x = _halved(rows.astype(wide, copy=False))
    return np.prod(x, axes, dtype=wide, keepdims=keepdims)


def _halved(rows: Any) -> Any:
    """Shorter rows of the same products: one half of each times the other."""
    while (length := rows.shape[-1]) > LONG_ROW:
        half = length // 2
        shorter = rows[..., :half] * rows[..., half : 2 * half]
        if length % 2:
            shorter[..., 0] *= rows[..., -1]
        rows = shorter
    return rows


class Prod(Reduction):
    """The product along some axes."""

    kind = "prod"

    def eager(self, np: Any) -> Any:
        wide = np.float32 if is_narrow(self.input) else self.input.dtype
        product = _product(np, self.input, axes_of(self), wide, self.keep_dims)
        return product.astype(self.input.dtype, copy=False)

    def xla(self, xla: Any) -> Any:
        np, dtype = xla.np, self.input.dtype
        wide = np.float32 if is_narrow(self.input) else dtype
        found = np.prod(self.input, axes_of(self), dtype=wide, keepdims=self.keep_dims)
        return found.astype(dtype)

    def vjp(self, doutput: Any) -> Any:
        """The product of all others, from both sides, so that zeros do no harm."""
        from .scan import cumprod

        if static_value(self.reduction_indices) is None or self.input.shape.rank is None:
            return back_to_input(self, doutput) * _others_of_unknown_axes(self), None
        order, inverse, outer = _reduced_axes_first(self)
        from ..array.rearrangement import transpose

        moved = transpose(self.input, order)
        rows = (
            reshape(moved, [-1, outer])
            if outer is not None
            else reshape(moved, [_product_of_sizes(self), -1])
        )
        others = cumprod(rows, 0, exclusive=True) * cumprod(rows, 0, exclusive=True, reverse=True)
        back = transpose(reshape(conjugated(others), shape_of(moved)), inverse)
        return back_to_input(self, doutput) * back, None


def _others_of_unknown_axes(application: Reduction) -> Any:
    """For each element the product of the others along the reduced axes, known or not."""
    from ..array.concatenation import concat
    from ..array.fill import range as range_tensor
    from ..array.rearrangement import invert_permutation, transpose
    from ..array.select import boolean_mask
    from .cast import cast
    from .comparison import equal, logical_not
    from .scan import cumprod

    x = application.input
    axes, gone = range_tensor(rank_of(x)), _axes_at_run_time(application)
    is_gone = reduce_any(equal(cast(axes, gone.dtype)[:, None], gone), 1)
    order = concat([boolean_mask(axes, is_gone), boolean_mask(axes, logical_not(is_gone))], 0)
    moved = transpose(x, order)
    rows = reshape(moved, [_product_of_sizes(application), -1])
    others = cumprod(rows, 0, exclusive=True) * cumprod(rows, 0, exclusive=True, reverse=True)
    back = reshape(conjugated(others), shape_of(moved))
    return transpose(back, invert_permutation(order))


def _reduced_axes_first(application: Reduction) -> tuple[list[int], list[int], int | None]:
    """An order of axes with the reduced ones first, its inverse, and the size of the others."""
    rank = application.input.shape.rank
    axes = static_value(application.reduction_indices).reshape(-1)  # type: ignore[union-attr]
    gone = [int(axis) % rank for axis in axes]
    order = gone + [k for k in range(rank) if k not in gone]
    inverse = [order.index(k) for k in range(rank)]
    dims = [application.input.shape[k] for k in order[len(gone) :]]
    return order, inverse, None if None in dims else int(numpy_module.prod(dims or [1]))


def _product_of_sizes(application: Reduction) -> Any:
    """The number of elements along the reduced axes."""
    return count_of_reduced(application, dtypes.int32)


class Extremum(Reduction, abstract=True):
    """The largest or smallest along some axes; NaN where there is one. Ties share the gradient."""

    T = REALS

    def vjp(self, doutput: Any) -> Any:
        from .cast import cast
        from .comparison import equal

        kept = equal(self.input, back_to_input(self, self.output))
        marks = cast(kept, doutput.dtype)
        axes = self.reduction_indices
        ties = bind(Sum, marks, axes, keep_dims=True)
        return marks * (back_to_input(self, doutput) / ties), None


class Max(Extremum):
    """The largest along some axes; the smallest number of the dtype where there is none."""

    kind = "max"
    xla = as_eager

    def eager(self, np: Any) -> Any:
        lowest = smallest(self.input.dtype)
        return np.max(self.input, axes_of(self), keepdims=self.keep_dims, initial=lowest)


class Min(Extremum):
    """The smallest along some axes; the largest number of the dtype where there is none."""

    kind = "min"
    xla = as_eager

    def eager(self, np: Any) -> Any:
        highest = largest(self.input.dtype)
        return np.min(self.input, axes_of(self), keepdims=self.keep_dims, initial=highest)


def smallest(dtype: numpy_module.dtype[Any]) -> Any:
    """-inf, or the smallest integer."""
    if dtype.kind in "iu":
        return numpy_module.iinfo(dtype).min
    return dtype.type(-numpy_module.inf)


def largest(dtype: numpy_module.dtype[Any]) -> Any:
    """inf, or the largest integer."""
    if dtype.kind in "iu":
        return numpy_module.iinfo(dtype).max
    return dtype.type(numpy_module.inf)


class LogicalReduction(Reduction, abstract=True):
    """A question about bools along some axes."""

    input = In("bool ...")
    output = Out("bool ...")
    T = frozenset((dtypes.bool_,))
    differentiable = False


class Any_(LogicalReduction, tf_name="Any"):
    """Whether any element along some axes is true."""

    kind = "any"
    xla = as_eager

    def eager(self, np: Any) -> Any:
        return np.any(self.input, axes_of(self), keepdims=self.keep_dims)


class All(LogicalReduction):
    """Whether all elements along some axes are true."""

    kind = "all"
    xla = as_eager

    def eager(self, np: Any) -> Any:
        return np.all(self.input, axes_of(self), keepdims=self.keep_dims)


class EuclideanNorm(Reduction):
    """The square root of the sum of squares of absolute values along some axes."""

    xla = as_eager

    def eager(self, np: Any) -> Any:
        x = self.input.astype(np.float32) if is_narrow(self.input) else self.input
        squares = summed(np, x * np.conj(x), axes_of(self), x.dtype, self.keep_dims)
        return np.sqrt(squares).astype(self.input.dtype)

    kind = "sum"

    def accumulator(self, dtype: DType) -> DType:
        return dtypes.float32 if dtype in NARROW else dtype

    def scalar_of(self, loops: Any, element: Any) -> Any:
        s = loops.scalars
        if self.input.dtype in NARROW:
            element = s.cast(element, dtypes.float32)
        return element * s.conj(element) if self.input.dtype.is_complex else element * element

    def finish(self, loops: Any, result: Any, count: Any) -> Any:
        s, dtype = loops.scalars, self.input.dtype

        def element(*index: Any) -> Any:
            total = result[index]
            if dtype.is_integer:
                total = s.cast(total, dtypes.float64)
            return s.cast(s.sqrt(total), dtype)

        return loops.map(result.shape, dtype, element)

    def vjp(self, doutput: Any) -> Any:
        kept = back_to_input(self, self.output)
        return self.input * (back_to_input(self, doutput) / conjugated(kept)), None


def all_axes(x: Any) -> Any:
    """Every axis of a tensor, as an int32 vector."""
    rank = x.shape.rank
    if rank is not None:
        return sizes_tensor(tuple(range(rank)), dtypes.int32)
    from ..array.fill import range as range_tensor

    return range_tensor(0, rank_of(x))


def reduced(op: type[Op], x: Any, axis: Any, keepdims: Any, name: str | None) -> Any:
    """Apply a reduction; no axis means all axes."""
    try:
        if not isinstance(x, TensorLike):
            x = as_tensor(x, op.inputs[0].fixed_dtype)
        axes = all_axes(x) if axis is None else axis
        result = bind(op, x, axes, keep_dims=bool(keepdims), name=name)
    except (TypeError, ValueError, OpError) as error:
        hide_frames(error)
        raise
    if axis is None and not keepdims and result.shape.rank is None:
        result.set_shape(())  # inference cannot see that a range over the rank means all axes
    return result


@dispatchable
def reduce_sum(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The sum along `axis` (an int, several, or None: all); the axes go, unless `keepdims`.

    input_tensor: any numbers, of any shape; the result has its dtype. The sum of nothing is 0.
    Narrow floats (float16, bfloat16) are added up in float32; integers wrap around.

    >>> tf.reduce_sum([[1, 2], [3, 4]], axis=1).numpy()
    array([3, 7], dtype=int32)
    >>> tf.reduce_sum([[1, 2], [3, 4]], axis=1, keepdims=True).shape
    TensorShape([2, 1])

    Raises:
        InvalidArgumentError: an axis does not exist, or is named twice.
        DTypeMismatchError: the dtype is not taken.
    """
    return reduced(Sum, input_tensor, axis, keepdims, name)


@dispatchable
def reduce_mean(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The mean along `axis` (an int, several, or None: all); of integers, an integer.

    input_tensor: any numbers, of any shape; the result has its dtype, so that means of integers are
    rounded towards zero. The axes go, unless `keepdims`. The mean of no floats is NaN, that of no
    integers 0.

    >>> tf.reduce_mean([[1.0, 2.0], [3.0, 6.0]], axis=0).numpy()
    array([2., 4.], dtype=float32)
    >>> int(tf.reduce_mean([1, 2]))
    1

    Raises:
        InvalidArgumentError: an axis does not exist, or is named twice.
        DTypeMismatchError: the dtype is not taken.
    """
    return reduced(Mean, input_tensor, axis, keepdims, name)


@dispatchable
def reduce_prod(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The product along `axis` (an int, several, or None: all); the axes go, unless `keepdims`.

    input_tensor: any numbers, of any shape; the result has its dtype. The product of nothing is 1.

    >>> tf.reduce_prod([[1, 2], [3, 4]], axis=1).numpy()
    array([ 2, 12], dtype=int32)

    Raises:
        InvalidArgumentError: an axis does not exist, or is named twice.
        DTypeMismatchError: the dtype is not taken.
    """
    return reduced(Prod, input_tensor, axis, keepdims, name)


@dispatchable
def reduce_max(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The largest along `axis` (an int, several, or None: all); NaN where there is one.

    input_tensor: real numbers, of any shape; the result has its dtype. The axes go, unless
    `keepdims`. The largest of nothing is -inf, of integers the smallest of their dtype.

    >>> tf.reduce_max([[1, 5], [3, 2]], axis=0).numpy()
    array([3, 5], dtype=int32)

    Raises:
        InvalidArgumentError: an axis does not exist, or is named twice.
        DTypeMismatchError: the dtype is not taken.
    """
    return reduced(Max, input_tensor, axis, keepdims, name)


@dispatchable
def reduce_min(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The smallest along `axis` (an int, several, or None: all); NaN where there is one.

    input_tensor: real numbers, of any shape; the result has its dtype. The axes go, unless
    `keepdims`. The smallest of nothing is inf, of integers the largest of their dtype.

    >>> tf.reduce_min([[1, 5], [3, 2]], axis=0).numpy()
    array([1, 2], dtype=int32)

    Raises:
        InvalidArgumentError: an axis does not exist, or is named twice.
        DTypeMismatchError: the dtype is not taken.
    """
    return reduced(Min, input_tensor, axis, keepdims, name)


@dispatchable
def reduce_any(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """Whether any element along `axis` (an int, several, or None: all) is true.

    input_tensor: bool, of any shape; so is the result. The axes go, unless `keepdims`. Of nothing,
    False.

    >>> tf.reduce_any([[True, False], [False, False]], axis=1).numpy()
    array([ True, False])

    Raises:
        InvalidArgumentError: an axis does not exist, or is named twice.
        DTypeMismatchError: the dtype is not taken.
    """
    return reduced(Any_, input_tensor, axis, keepdims, name)


@dispatchable
def reduce_all(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """Whether all elements along `axis` (an int, several, or None: all) are true.

    input_tensor: bool, of any shape; so is the result. The axes go, unless `keepdims`. Of nothing,
    True.

    >>> tf.reduce_all([[True, False], [True, True]], axis=1).numpy()
    array([False,  True])

    Raises:
        InvalidArgumentError: an axis does not exist, or is named twice.
        DTypeMismatchError: the dtype is not taken.
    """
    return reduced(All, input_tensor, axis, keepdims, name)


@dispatchable
def reduce_euclidean_norm(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The square root of the sum of squares along `axis` (an int, several, or None: all).

    input_tensor: any numbers, of any shape; the result has its dtype: of integers, the root without
    its fraction. Squares of complex numbers are those of their absolute values. The axes go, unless
    `keepdims`.

    >>> tf.math.reduce_euclidean_norm([[3.0, 4.0], [5.0, 12.0]], axis=1).numpy()
    array([ 5., 13.], dtype=float32)

    Raises:
        InvalidArgumentError: an axis does not exist, or is named twice.
        DTypeMismatchError: the dtype is not taken.
    """
    return reduced(EuclideanNorm, input_tensor, axis, keepdims, name)
