"""Reductions made of others: logsumexp, variance, moments, counts."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.dtypes import as_dtype
from ..array.fill import zeros_like
from ..array.select import where
from ..array.shapes import reshape, shape_of, size, squeeze
from ..composed import composed
from ..control.flow import stop_gradient
from ..conversion import as_tensor
from .arithmetic import square, squared_difference
from .cast import cast
from .comparison import is_finite, not_equal
from .complex import conj, real
from .elementwise import exp, log, rsqrt, sqrt
from .reduce import reduce_all, reduce_max, reduce_mean, reduce_sum


@composed("ReduceLogSumExp")
def reduce_logsumexp(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Any:
    """log(sum(exp(x))) along `axis`, without overflow."""
    x = as_tensor(input_tensor)
    highest = reduce_max(x, axis, keepdims=True)
    shift = stop_gradient(where(is_finite(highest), highest, zeros_like(highest)))
    total = log(reduce_sum(exp(x - shift), axis, keepdims=keepdims))
    return total + (shift if keepdims else reshape(shift, shape_of(total)))


@composed("reduce_variance")
def reduce_variance(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Any:
    """The mean of squared distances from the mean along `axis`; real, of complex numbers too.

    Raises:
        TypeError: the input is an integer tensor.
    """
    x = as_tensor(input_tensor)
    if not (x.dtype.is_floating or x.dtype.is_complex):
        raise TypeError(f"Input must be either real or complex. Received integer type {x.dtype}.")
    squares = squares_of(x - reduce_mean(x, axis, keepdims=True))
    return reduce_mean(squares, axis, keepdims=keepdims, name=name)


def squares_of(x: Any) -> Any:
    """The squares of absolute values, which are real."""
    return real(x * conj(x)) if x.dtype.is_complex else square(x)


@composed("reduce_std")
def reduce_std(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Any:
    """The square root of the variance along `axis`.

    Raises:
        TypeError: the input is an integer tensor.
    """
    return sqrt(reduce_variance(input_tensor, axis, keepdims), name=name)


def count_nonzero(
    input: Any,
    axis: Any = None,
    keepdims: bool | None = None,
    dtype: Any = dtypes.int64,
    name: str | None = None,
) -> Any:
    """How many elements along `axis` are not zero (for strings: not empty), as `dtype`."""
    x = as_tensor(input)
    marks = cast(not_equal(x, zeros_like(x)), dtypes.int64)
    return cast(reduce_sum(marks, axis, bool(keepdims)), as_dtype(dtype), name)


def zero_fraction(value: Any, name: str | None = None) -> Any:
    """Which part of the elements is zero, as a float32 scalar."""
    value = as_tensor(value)
    count = cast(size(value, dtypes.int64), dtypes.float32)
    return (count - cast(count_nonzero(value), dtypes.float32)) / count


@composed("moments")
def moments(
    x: Any, axes: Any, shift: Any = None, keepdims: bool = False, name: str | None = None
) -> tuple[Any, Any]:
    """Mean and variance along `axes`; narrow floats are computed with in float32.

    Raises:
        InvalidArgumentError: integers of another size than 32 or 64 bits.
    """
    x = as_tensor(x)
    wide = cast(x, dtypes.float32) if x.dtype in (dtypes.float16, dtypes.bfloat16) else x
    mean = reduce_mean(wide, axes, keepdims=True)
    variance = reduce_mean(squared_difference(wide, stop_gradient(mean)), axes, keepdims=True)
    if not keepdims:
        gone = [axes] if isinstance(axes, int) else list(axes)
        mean, variance = squeeze(mean, gone), squeeze(variance, gone)
    return cast(mean, x.dtype), cast(variance, x.dtype)


@composed("batchnorm")
def batch_normalization(
    x: Any,
    mean: Any,
    variance: Any,
    offset: Any,
    scale: Any,
    variance_epsilon: Any,
    name: str | None = None,
) -> Any:
    """(x - mean) / sqrt(variance + epsilon) scale + offset; `scale` and `offset` may be None."""
    factor = rsqrt(as_tensor(variance) + variance_epsilon)
    if scale is not None:
        factor = factor * scale
    shift = -as_tensor(mean) * factor if offset is None else offset - as_tensor(mean) * factor
    return as_tensor(x) * cast(factor, x.dtype) + cast(shift, x.dtype)


def is_non_decreasing(x: Any, name: str | None = None) -> Any:
    """Whether no element (in row-major order) is below the one before it."""
    from .comparison import less_equal

    flat = reshape(x, [-1])
    return reduce_all(less_equal(flat[:-1], flat[1:]))


def is_strictly_increasing(x: Any, name: str | None = None) -> Any:
    """Whether every element (in row-major order) is above the one before it."""
    from .comparison import less

    flat = reshape(x, [-1])
    return reduce_all(less(flat[:-1], flat[1:]))
