"""Reductions made of others: logsumexp, variance, moments, counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...core import dtypes
from ...core.dtypes import as_dtype
from ..array.fill import zeros_like
from ..array.select import where
from ..array.shapes import reshape, shape_of, size, squeeze
from ..composed import composed
from ..control.flow import stop_gradient
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from .arithmetic import add, square, squared_difference
from .cast import cast
from .comparison import is_finite, less, less_equal, not_equal
from .complex import conj, real
from .division import truediv
from .elementwise import exp, log, rsqrt, sqrt
from .reduce import reduce_all, reduce_max, reduce_mean, reduce_sum

if TYPE_CHECKING:
    from ..results import Tensor


@dispatchable
@composed("ReduceLogSumExp", names_result=True)
def reduce_logsumexp(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """log(sum(exp(x))) along `axis`, without overflow.

    input_tensor: floats of any shape. axis: an int, several, or None: all; the axes go, unless
    `keepdims`.

    >>> tf.reduce_logsumexp([[1000.0, 1000.0], [-np.inf, 3.0]], axis=1).numpy().round(3)
    array([1000.693,    3.   ], dtype=float32)

    Raises:
        InvalidArgumentError: an axis does not exist, or is named twice.
        DTypeMismatchError: the dtype is not taken.
    """
    x = as_tensor(input_tensor)
    highest = reduce_max(x, axis, keepdims=True)
    shift = stop_gradient(where(is_finite(highest), highest, zeros_like(highest)))
    total = log(reduce_sum(exp(x - shift), axis, keepdims=keepdims))
    return add(total, shift if keepdims else reshape(shift, shape_of(total)), name=name)


@dispatchable
@composed("reduce_variance")
def reduce_variance(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The mean of squared distances from the mean along `axis`; real, of complex numbers too.

    input_tensor: floats or complex numbers, of any shape. axis: an int, several, or None: all; the
    axes go, unless `keepdims`. The divisor is the number of elements, not one less.

    >>> tf.math.reduce_variance([[1.0, 3.0], [2.0, 10.0]], axis=1).numpy()
    array([ 1., 16.], dtype=float32)

    Raises:
        TypeError: the input is an integer tensor.
        InvalidArgumentError: an axis does not exist, or is named twice.
    """
    x = as_tensor(input_tensor)
    if not (x.dtype.is_floating or x.dtype.is_complex):
        raise TypeError(f"Input must be either real or complex. Received integer type {x.dtype}.")
    squares = squares_of(x - reduce_mean(x, axis, keepdims=True))
    return reduce_mean(squares, axis, keepdims=keepdims, name=name)


def squares_of(x: Any) -> Any:
    """The squares of absolute values, which are real."""
    return real(x * conj(x)) if x.dtype.is_complex else square(x)


@dispatchable
@composed("reduce_std")
def reduce_std(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The square root of the variance along `axis`.

    input_tensor: floats or complex numbers, of any shape; the result is real. axis: an int,
    several, or None: all; the axes go, unless `keepdims`. The divisor is the number of elements,
    not one less.

    >>> tf.math.reduce_std([[1.0, 3.0], [2.0, 10.0]], axis=1).numpy()
    array([1., 4.], dtype=float32)

    Raises:
        TypeError: the input is an integer tensor.
        InvalidArgumentError: an axis does not exist, or is named twice.
    """
    return sqrt(reduce_variance(input_tensor, axis, keepdims), name=name)


@dispatchable
@composed("count_nonzero")
def count_nonzero(
    input: Any,
    axis: Any = None,
    keepdims: bool | None = None,
    dtype: Any = dtypes.int64,
    name: str | None = None,
) -> Tensor:
    """How many elements along `axis` are not zero (for strings: not empty), as `dtype`.

    input: any dtype and shape. axis: an int, several, or None: all; the axes go, unless `keepdims`.

    >>> tf.math.count_nonzero([[0, 1, 7], [0, 0, 2]], axis=1).numpy()
    array([2, 1])

    Raises:
        InvalidArgumentError: an axis does not exist, or is named twice.
    """
    x = as_tensor(input)
    marks = cast(not_equal(x, zeros_like(x)), dtypes.int64)
    return cast(reduce_sum(marks, axis, bool(keepdims)), as_dtype(dtype), name)


@dispatchable
@composed("zero_fraction")
def zero_fraction(value: Any, name: str | None = None) -> Any:
    """Which part of the elements is zero, as a float32 scalar.

    value: any dtype and shape; of no elements, NaN.

    >>> float(tf.math.zero_fraction([[0, 1], [0, 0]]))
    0.75

    Raises:
        ValueError: the operand is nothing that a tensor can hold.
    """
    value = as_tensor(value)
    count = cast(size(value, dtypes.int64), dtypes.float32)
    return truediv(count - cast(count_nonzero(value), dtypes.float32), count, name="fraction")


@dispatchable
@composed("moments")
def moments(
    x: Any, axes: Any, shift: Any = None, keepdims: bool = False, name: str | None = None
) -> tuple[Any, Any]:
    """Mean and variance along `axes`; narrow floats are computed with in float32.

    x: numbers of any shape; both results have its dtype, so that those of integers are rounded.
    axes: an int or several; they go, unless `keepdims`. `shift` is not used.

    >>> mean, variance = tf.nn.moments([[1.0, 3.0], [2.0, 10.0]], axes=1)
    >>> mean.numpy(), variance.numpy()
    (array([2., 6.], dtype=float32), array([ 1., 16.], dtype=float32))

    Raises:
        InvalidArgumentError: 8 or 16 bit integers; an axis that does not exist.
    """
    x = as_tensor(x)
    wide = cast(x, dtypes.float32) if x.dtype in (dtypes.float16, dtypes.bfloat16) else x
    mean = reduce_mean(wide, axes, keepdims=True, name="mean")
    distances = squared_difference(wide, stop_gradient(mean))
    variance = reduce_mean(distances, axes, keepdims=True, name="variance")
    if not keepdims:
        gone = [axes] if isinstance(axes, int) else list(axes)
        mean, variance = squeeze(mean, gone), squeeze(variance, gone)
    return cast(mean, x.dtype), cast(variance, x.dtype)


@dispatchable
@composed("batchnorm")
def batch_normalization(
    x: Any,
    mean: Any,
    variance: Any,
    offset: Any,
    scale: Any,
    variance_epsilon: Any,
    name: str | None = None,
) -> Tensor:
    """(x - mean) / sqrt(variance + epsilon) scale + offset; `scale` and `offset` may be None.

    x: a float tensor. `mean`, `variance`, `offset` and `scale` broadcast to it: of shape [n], they
    belong to its last axis. The result has the shape and dtype of `x`.

    >>> x = tf.constant([[1.0, 5.0], [3.0, 9.0]])
    >>> tf.nn.batch_normalization(x, [2.0, 7.0], [1.0, 4.0], [10.0, 0.0], None, 0.0).numpy()
    array([[ 9., -1.],
           [11.,  1.]], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
    """
    factor = rsqrt(as_tensor(variance) + variance_epsilon)
    if scale is not None:
        factor = factor * scale
    shift = -as_tensor(mean) * factor if offset is None else offset - as_tensor(mean) * factor
    return as_tensor(x) * cast(factor, x.dtype) + cast(shift, x.dtype)


@dispatchable
def batch_norm_with_global_normalization(
    input: Any,
    mean: Any,
    variance: Any,
    beta: Any,
    gamma: Any,
    variance_epsilon: Any,
    scale_after_normalization: bool,
    name: str | None = None,
) -> Any:
    """`batch_normalization` with offset `beta` and scale `gamma`, which counts if
    `scale_after_normalization`.

    input: a float tensor, of whose last axis [n] the others have the shape.

    >>> x = tf.constant([[1.0, 5.0], [3.0, 9.0]])
    >>> mean, variance, beta = tf.constant([2.0, 7.0]), tf.constant([1.0, 4.0]), tf.zeros([2])
    >>> tf.nn.batch_norm_with_global_normalization(
    ...     x, mean, variance, beta, None, 0.0, scale_after_normalization=False).numpy()
    array([[-1., -1.],
           [ 1.,  1.]], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
    """
    scale = gamma if scale_after_normalization else None
    return batch_normalization(input, mean, variance, beta, scale, variance_epsilon, name)


@dispatchable
def is_non_decreasing(x: Any, name: str | None = None) -> Any:
    """Whether no element (in row-major order) is below the one before it.

    x: real numbers of any shape; the result is one bool.

    >>> bool(tf.math.is_non_decreasing([1, 1, 2]))
    True

    Raises:
        DTypeMismatchError: complex numbers, bools or strings.
    """
    flat = reshape(x, [-1])
    return reduce_all(less_equal(flat[:-1], flat[1:]))


@dispatchable
def is_strictly_increasing(x: Any, name: str | None = None) -> Any:
    """Whether every element (in row-major order) is above the one before it.

    x: real numbers of any shape; the result is one bool.

    >>> bool(tf.math.is_strictly_increasing([1, 1, 2]))
    False

    Raises:
        DTypeMismatchError: complex numbers, bools or strings.
    """
    flat = reshape(x, [-1])
    return reduce_all(less(flat[:-1], flat[1:]))
