# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.math`: functions of numbers."""

from ..eager.tensor import Tensor as _Tensor
from typing import Any as _Any
from ..ops.math.signs import abs as abs
from ..ops.math.sums import accumulate_n as accumulate_n
from ..ops.math.arithmetic import add as add
from ..ops.math.sums import add_n as add_n
from ..ops.math.complex import angle as angle
from ..ops.array.approximate_top import approx_max_k as approx_max_k
from ..ops.array.approximate_top import approx_min_k as approx_min_k
from ..version_one.functions.reductions import argmax as argmax
from ..version_one.functions.reductions import argmin as argmin
from ..version_one.functions.batches import bincount as bincount
from ..version_one.functions.arrays import confusion_matrix as confusion_matrix
from ..ops.math.complex import conj as conj
from ..version_one.functions.reductions import count_nonzero as count_nonzero
from ..ops.math.scan import cumprod as cumprod
from ..ops.math.scan import cumsum as cumsum
from ..ops.math.scan import cumulative_logsumexp as cumulative_logsumexp
from ..ops.math.division import divide as divide
from ..ops.math.division import divide_no_nan as divide_no_nan
from ..ops.math.comparison import equal as equal
from ..ops.math.special import erfcinv as erfcinv
from ..ops.math.complex import imag as imag
from ..version_one.functions.networks import in_top_k as in_top_k
from ..ops.array.rearrangement import invert_permutation as invert_permutation
from ..ops.math.moments import is_non_decreasing as is_non_decreasing
from ..ops.math.moments import is_strictly_increasing as is_strictly_increasing
from ..ops.math.norms import l2_normalize as l2_normalize
from ..ops.math.gamma_functions import lbeta as lbeta
from ..ops.math.elementwise import log_sigmoid as log_sigmoid
from ..version_one.functions.networks import log_softmax as log_softmax
from ..ops.math.comparison import logical_xor as logical_xor
from ..ops.math.comparison import not_equal as not_equal
from ..ops.math.gamma_functions import polyval as polyval
from ..ops.math.complex import real as real
from ..ops.math.division import reciprocal_no_nan as reciprocal_no_nan
from ..version_one.functions.reductions import reduce_all as reduce_all
from ..version_one.functions.reductions import reduce_any as reduce_any
from ..ops.math.reduce import reduce_euclidean_norm as reduce_euclidean_norm
from ..version_one.functions.reductions import reduce_logsumexp as reduce_logsumexp
from ..version_one.functions.reductions import reduce_max as reduce_max
from ..version_one.functions.reductions import reduce_mean as reduce_mean
from ..version_one.functions.reductions import reduce_min as reduce_min
from ..version_one.functions.reductions import reduce_prod as reduce_prod
from ..ops.math.moments import reduce_std as reduce_std
from ..version_one.functions.reductions import reduce_sum as reduce_sum
from ..ops.math.moments import reduce_variance as reduce_variance
from ..ops.math.elementwise import round as round
from ..ops.math.arithmetic import scalar_mul as scalar_mul
from ..ops.random.sobol import sobol_sample as sobol_sample
from ..version_one.functions.networks import softmax as softmax
from . import math_special as special
from ..ops.array.sorting import top_k as top_k
from ..ops.math.division import truediv as truediv
from ..ops.math.segments import unsorted_segment_mean as unsorted_segment_mean
from ..ops.math.segments import unsorted_segment_sqrt_n as unsorted_segment_sqrt_n
from ..ops.math.moments import zero_fraction as zero_fraction

__all__ = ['abs', 'accumulate_n', 'acos', 'acosh', 'add', 'add_n', 'angle', 'approx_max_k', 'approx_min_k', 'argmax', 'argmin', 'asin', 'asinh', 'atan', 'atan2', 'atanh', 'bessel_i0', 'bessel_i0e', 'bessel_i1', 'bessel_i1e', 'betainc', 'bincount', 'ceil', 'confusion_matrix', 'conj', 'cos', 'cosh', 'count_nonzero', 'cumprod', 'cumsum', 'cumulative_logsumexp', 'digamma', 'divide', 'divide_no_nan', 'equal', 'erf', 'erfc', 'erfcinv', 'erfinv', 'exp', 'expm1', 'floor', 'floordiv', 'floormod', 'greater', 'greater_equal', 'igamma', 'igammac', 'imag', 'in_top_k', 'invert_permutation', 'is_finite', 'is_inf', 'is_nan', 'is_non_decreasing', 'is_strictly_increasing', 'l2_normalize', 'lbeta', 'less', 'less_equal', 'lgamma', 'log', 'log1p', 'log_sigmoid', 'log_softmax', 'logical_and', 'logical_not', 'logical_or', 'logical_xor', 'maximum', 'minimum', 'mod', 'multiply', 'multiply_no_nan', 'ndtri', 'negative', 'nextafter', 'not_equal', 'polygamma', 'polyval', 'pow', 'real', 'reciprocal', 'reciprocal_no_nan', 'reduce_all', 'reduce_any', 'reduce_euclidean_norm', 'reduce_logsumexp', 'reduce_max', 'reduce_mean', 'reduce_min', 'reduce_prod', 'reduce_std', 'reduce_sum', 'reduce_variance', 'rint', 'round', 'rsqrt', 'scalar_mul', 'segment_max', 'segment_mean', 'segment_min', 'segment_prod', 'segment_sum', 'sigmoid', 'sign', 'sin', 'sinh', 'sobol_sample', 'softmax', 'softplus', 'softsign', 'special', 'sqrt', 'square', 'squared_difference', 'subtract', 'tan', 'tanh', 'top_k', 'truediv', 'unsorted_segment_max', 'unsorted_segment_mean', 'unsorted_segment_min', 'unsorted_segment_prod', 'unsorted_segment_sqrt_n', 'unsorted_segment_sum', 'xdivy', 'xlog1py', 'xlogy', 'zero_fraction', 'zeta']

def acos(x: _Any, name: _Any = None) -> _Tensor:
    """The angle whose cosine is x, in [0, pi]; NaN of floats outside of [-1, 1]. Floats or complex
    numbers of any shape.

    >>> tf.acos([1.0, 0.0, 2.0]).numpy().round(3)
    array([0.   , 1.571,   nan], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def acosh(x: _Any, name: _Any = None) -> _Tensor:
    """The number, not below 0, whose hyperbolic cosine is x; NaN of floats below 1. Floats or
    complex numbers of any shape.

    >>> tf.acosh([1.0, 2.0, 0.0]).numpy().round(3)
    array([0.   , 1.317,   nan], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def asin(x: _Any, name: _Any = None) -> _Tensor:
    """The angle whose sine is x, in [-pi/2, pi/2]; NaN of floats outside of [-1, 1]. Floats or
    complex numbers of any shape.

    >>> tf.asin([0.0, 1.0, 2.0]).numpy().round(3)
    array([0.   , 1.571,   nan], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def asinh(x: _Any, name: _Any = None) -> _Tensor:
    """The number whose hyperbolic sine is x. Floats or complex numbers of any shape.

    >>> tf.asinh([0.0, 1.0, -1.0]).numpy().round(3)
    array([ 0.   ,  0.881, -0.881], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def atan(x: _Any, name: _Any = None) -> _Tensor:
    """The angle whose tangent is x, in [-pi/2, pi/2]. Floats or complex numbers of any shape.

    >>> tf.atan([0.0, 1.0, -np.inf]).numpy().round(3)
    array([ 0.   ,  0.785, -1.571], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def atan2(y: _Any, x: _Any, name: _Any = None) -> _Tensor:
    """The angle of the point with abscissa x and ordinate y, in (-pi, pi]. Floats of one dtype,
    shapes broadcast.

    >>> tf.atan2([1.0, 0.0, -1.0], [0.0, -1.0, -1.0]).numpy().round(3)
    array([ 1.571,  3.142, -2.356], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def atanh(x: _Any, name: _Any = None) -> _Tensor:
    """The number whose hyperbolic tangent is x; infinite at -1 and 1, NaN of floats outside. Floats
    or complex numbers of any shape.

    >>> tf.atanh([0.0, 0.5, 1.0]).numpy().round(3)
    array([0.   , 0.549,   inf], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def bessel_i0(x: _Any, name: _Any = None) -> _Tensor:
    """The modified Bessel function of the first kind, of order 0.

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.bessel_i0([0.0, 1.0, 2.0]).numpy().round(3)
    array([1.   , 1.266, 2.28 ], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype."""

def bessel_i0e(x: _Any, name: _Any = None) -> _Tensor:
    """exp(-|x|) times the modified Bessel function of the first kind, of order 0.

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.bessel_i0e([0.0, 1.0, 2.0]).numpy().round(3)
    array([1.   , 0.466, 0.309], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype."""

def bessel_i1(x: _Any, name: _Any = None) -> _Tensor:
    """The modified Bessel function of the first kind, of order 1.

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.bessel_i1([0.0, 1.0, 2.0]).numpy().round(3)
    array([0.   , 0.565, 1.591], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype."""

def bessel_i1e(x: _Any, name: _Any = None) -> _Tensor:
    """exp(-|x|) times the modified Bessel function of the first kind, of order 1.

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.bessel_i1e([0.0, 1.0, 2.0]).numpy().round(3)
    array([0.   , 0.208, 0.215], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype."""

def betainc(a: _Any, b: _Any, x: _Any, name: _Any = None) -> _Tensor:
    """The regularised incomplete beta function I_x(a, b). Shapes are equal, or those of scalars;
    all three are float32 or float64. NaN where a or b is not positive, or x is outside of [0,
    1]. The gradient is by x only.

    >>> tf.math.betainc(1.0, 2.0, [0.0, 0.5, 1.0]).numpy().round(3)
    array([0.  , 0.75, 1.  ], dtype=float32)

    Raises:
        InvalidArgumentError: two shapes differ, and neither is that of a scalar.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def ceil(x: _Any, name: _Any = None) -> _Tensor:
    """The smallest integer not below x, as a float. It has no gradient. Floats of any shape.

    >>> tf.math.ceil([-1.5, 1.5, 2.0]).numpy()
    array([-1.,  2.,  2.], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def cos(x: _Any, name: _Any = None) -> _Tensor:
    """The cosine of an angle in radians. Floats or complex numbers of any shape.

    >>> tf.cos([0.0, 0.5, np.pi]).numpy().round(3)
    array([ 1.   ,  0.878, -1.   ], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def cosh(x: _Any, name: _Any = None) -> _Tensor:
    """The hyperbolic cosine, (e^x + e^-x) / 2. Floats or complex numbers of any shape.

    >>> tf.cosh([0.0, 1.0, -1.0]).numpy().round(3)
    array([1.   , 1.543, 1.543], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def digamma(x: _Any, name: _Any = None) -> _Tensor:
    """The derivative of lgamma; NaN at 0, -1, -2, ... Floats of any shape.

    >>> tf.math.digamma([1.0, 2.0, -1.0]).numpy().round(3)
    array([-0.577,  0.423,    nan], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def erf(x: _Any, name: _Any = None) -> _Tensor:
    """The error function: 2 / sqrt(pi) times the integral of exp(-t^2) from 0 to x. Floats of any
    shape.

    >>> tf.math.erf([0.0, 0.5, 10.0]).numpy().round(3)
    array([0.  , 0.52, 1.  ], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def erfc(x: _Any, name: _Any = None) -> _Tensor:
    """1 - erf(x), exact for large x. Floats of any shape.

    >>> tf.math.erfc([0.0, 0.5, -10.0]).numpy().round(3)
    array([1.  , 0.48, 2.  ], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def erfinv(x: _Any, name: _Any = None) -> _Tensor:
    """The number whose error function is x: infinite at -1 and 1, NaN outside.

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.erfinv([0.0, 0.5, 1.0]).numpy().round(3)
    array([0.   , 0.477,   inf], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype."""

def exp(x: _Any, name: _Any = None) -> _Tensor:
    """e to the power x. Floats or complex numbers of any shape.

    >>> tf.exp([0.0, 1.0, -np.inf]).numpy().round(3)
    array([1.   , 2.718, 0.   ], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def expm1(x: _Any, name: _Any = None) -> _Tensor:
    """e to the power x, minus 1, exact for small x. Floats or complex numbers of any shape.

    >>> tf.math.expm1([0.0, 1.0, -np.inf]).numpy().round(3)
    array([ 0.   ,  1.718, -1.   ], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def floor(x: _Any, name: _Any = None) -> _Tensor:
    """The largest integer not above x, as a float. It has no gradient. Floats of any shape.

    >>> tf.floor([-1.5, 1.5, 2.0]).numpy()
    array([-2.,  1.,  2.], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def floordiv(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """x / y rounded down. Real numbers of one dtype, which the result has; shapes broadcast.

    >>> tf.math.floordiv([7, -7], 2).numpy()
    array([ 3, -4], dtype=int32)

    Raises:
        InvalidArgumentError: an integer divided by 0.
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def floormod(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """What remains of x / y rounded down; it has the sign of y. Real numbers of one dtype, shapes
    broadcast.

    >>> tf.math.floormod([7, -7, 7], [3, 3, -3]).numpy()
    array([ 1,  2, -2], dtype=int32)

    Raises:
        InvalidArgumentError: an integer divided by 0.
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def greater(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """Whether x > y, for every element; of one real dtype, shapes broadcast.

    >>> tf.greater([1, 2, 3], 2).numpy()
    array([False, False,  True])

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def greater_equal(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """Whether x >= y, for every element; of one real dtype, shapes broadcast.

    >>> tf.greater_equal([1, 2, 3], 2).numpy()
    array([False,  True,  True])

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def igamma(a: _Any, x: _Any, name: _Any = None) -> _Tensor:
    """The lower incomplete gamma function P(a, x): the integral of t^(a-1) e^-t from 0 to x,
    divided by gamma(a). Floats, shapes broadcast. 0 where x is 0; else NaN where a is not
    positive or x is negative.

    >>> tf.math.igamma([1.0, 2.0], [0.0, 2.0]).numpy().round(3)
    array([0.   , 0.594], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def igammac(a: _Any, x: _Any, name: _Any = None) -> _Tensor:
    """The upper incomplete gamma function Q(a, x) = 1 - P(a, x), exact where it is small. Floats,
    shapes broadcast. NaN where a is not positive (or NaN) or x is negative.

    >>> tf.math.igammac([1.0, 2.0], [0.0, 2.0]).numpy().round(3)
    array([1.   , 0.406], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def is_finite(x: _Any, name: _Any = None) -> _Tensor:
    """Whether x is neither infinite nor NaN, for every element of a float tensor.

    >>> tf.math.is_finite([1.0, np.nan, np.inf]).numpy()
    array([ True, False, False])

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def is_inf(x: _Any, name: _Any = None) -> _Tensor:
    """Whether x is infinite, of either sign, for every element of a float tensor.

    >>> tf.math.is_inf([1.0, np.nan, -np.inf]).numpy()
    array([False, False,  True])

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def is_nan(x: _Any, name: _Any = None) -> _Tensor:
    """Whether x is not a number, for every element of a float tensor.

    >>> tf.math.is_nan([1.0, np.nan, np.inf]).numpy()
    array([False,  True, False])

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def less(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """Whether x < y, for every element; of one real dtype, shapes broadcast.

    >>> tf.less([1, 2, 3], 2).numpy()
    array([ True, False, False])

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def less_equal(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """Whether x <= y, for every element; of one real dtype, shapes broadcast.

    >>> tf.less_equal([1, 2, 3], 2).numpy()
    array([ True,  True, False])

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def lgamma(x: _Any, name: _Any = None) -> _Tensor:
    """The logarithm of the absolute value of the gamma function; inf at 0, -1, -2, ... Floats of
    any shape.

    >>> tf.math.lgamma([1.0, 5.0, -1.0]).numpy().round(3)
    array([0.   , 3.178,   inf], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def log(x: _Any, name: _Any = None) -> _Tensor:
    """The natural logarithm; -inf of 0, NaN of negative floats. Floats or complex numbers of any
    shape.

    >>> tf.math.log([1.0, 2.0, 0.0]).numpy().round(3)
    array([0.   , 0.693,  -inf], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def log1p(x: _Any, name: _Any = None) -> _Tensor:
    """The natural logarithm of 1 + x, exact for small x; -inf at -1, NaN below. Floats or complex
    numbers of any shape.

    >>> tf.math.log1p([0.0, 1.0, -1.0]).numpy().round(3)
    array([0.   , 0.693,  -inf], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def logical_and(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """Whether both are true, for every element; bools, shapes broadcast.

    >>> tf.logical_and([True, True, False], [True, False, False]).numpy()
    array([ True, False, False])

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: an operand is not bool."""

def logical_not(x: _Any, name: _Any = None) -> _Tensor:
    """Whether x is false, for every element of a bool tensor.

    >>> tf.logical_not([True, False]).numpy()
    array([False,  True])

    Raises:
        DTypeMismatchError: x is not bool."""

def logical_or(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """Whether at least one is true, for every element; bools, shapes broadcast.

    >>> tf.logical_or([True, True, False], [True, False, False]).numpy()
    array([ True,  True, False])

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: an operand is not bool."""

def maximum(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """The larger of x and y; NaN where either is NaN. The gradient of a tie goes to x. Real numbers
    of one dtype, shapes broadcast.

    >>> tf.maximum([-2.0, 3.0], 0.0).numpy()
    array([0., 3.], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def minimum(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """The smaller of x and y; NaN where either is NaN. The gradient of a tie goes to x. Real
    numbers of one dtype, shapes broadcast.

    >>> tf.minimum([-2.0, 3.0], 0.0).numpy()
    array([-2.,  0.], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def mod(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """What remains of x / y rounded down; it has the sign of y. Real numbers of one dtype, shapes
    broadcast.

    >>> tf.math.floormod([7, -7, 7], [3, 3, -3]).numpy()
    array([ 1,  2, -2], dtype=int32)

    Raises:
        InvalidArgumentError: an integer divided by 0.
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def multiply(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """x * y, element by element; numbers of one dtype, shapes broadcast.

    >>> tf.multiply([[1, 2], [3, 4]], [10, 100]).numpy()
    array([[ 10, 200],
           [ 30, 400]], dtype=int32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def multiply_no_nan(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """x * y, and 0 where y is 0, even if x is infinite or NaN. Floats or complex numbers of one
    dtype, shapes broadcast.

    >>> tf.math.multiply_no_nan([np.inf, np.nan, 2.0], [0.0, 0.0, 3.0]).numpy()
    array([0., 0., 6.], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def ndtri(x: _Any, name: _Any = None) -> _Tensor:
    """The number below which a standard normal number lies with probability x; NaN outside of [0,
    1].

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.ndtri([0.5, 0.975, 1.0]).numpy().round(3)
    array([0.  , 1.96,  inf], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype."""

def negative(x: _Any, name: _Any = None) -> _Tensor:
    """-x, of floats, complex numbers or signed integers of any shape.

    >>> tf.negative([1, -2]).numpy()
    array([-1,  2], dtype=int32)

    Raises:
        DTypeMismatchError: x is of another dtype."""

def nextafter(x1: _Any, x2: _Any, name: _Any = None) -> _Tensor:
    """The next number after x1 on the way to x2; both float32 or float64, shapes broadcast.

    >>> float(tf.math.nextafter(1.0, 2.0)) == 1 + 2**-23
    True

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def polygamma(a: _Any, x: _Any, name: _Any = None) -> _Tensor:
    """The derivative of order a of digamma(x), for whole numbers a; NaN for others. Floats, shapes
    broadcast. The gradient is by x only.

    >>> tf.math.polygamma([0.0, 1.0, 0.5], 1.0).numpy().round(3)
    array([-0.577,  1.645,    nan], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def pow(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """x to the power y. Floats, complex numbers or signed integers of one dtype, shapes broadcast.

    >>> tf.pow([2, 3], [[2], [3]]).numpy()
    array([[ 4,  9],
           [ 8, 27]], dtype=int32)

    Raises:
        InvalidArgumentError: an integer to a negative power.
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def reciprocal(x: _Any, name: _Any = None) -> _Tensor:
    """1 / x, of floats or complex numbers of any shape; infinite where x is 0.

    >>> tf.math.reciprocal([2.0, -4.0, 0.0]).numpy()
    array([ 0.5 , -0.25,   inf], dtype=float32)

    Raises:
        DTypeMismatchError: x is of another dtype."""

def rint(x: _Any, name: _Any = None) -> _Tensor:
    """The nearest integer, as a float; of two equally near, the even one. It has no gradient.
    Floats of any shape.

    >>> tf.math.rint([0.5, 1.5, -1.7]).numpy()
    array([ 0.,  2., -2.], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def rsqrt(x: _Any, name: _Any = None) -> _Tensor:
    """1 / sqrt(x); infinite at 0, NaN of negative floats. Floats or complex numbers of any shape.

    >>> tf.math.rsqrt([4.0, 0.25, 0.0]).numpy()
    array([0.5, 2. , inf], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def segment_max(data: _Any, segment_ids: _Any, name: _Any = None) -> _Tensor:
    """The largest of each segment; 0 for an empty one.

    data: [n, ...], real numbers. segment_ids: [n], int32 or int64, ascending. The result is
    [segment_ids[-1] + 1, ...], of the dtype of `data`.

    >>> tf.math.segment_max([1, 2, 3, 4], [0, 0, 2, 2]).numpy()
    array([2, 0, 4], dtype=int32)

    Raises:
        InvalidArgumentError: the numbers do not ascend or are negative, or there are not n of them.
        ShapeMismatchError: segment_ids is not a vector."""

def segment_mean(data: _Any, segment_ids: _Any, name: _Any = None) -> _Tensor:
    """The mean of each segment; 0 for an empty one; of integers, rounded towards zero.

    data: [n, ...], numbers. segment_ids: [n], int32 or int64, ascending. The result is
    [segment_ids[-1] + 1, ...], of the dtype of `data`.

    >>> tf.math.segment_mean([1.0, 2.0, 3.0, 5.0], [0, 0, 2, 2]).numpy()
    array([1.5, 0. , 4. ], dtype=float32)

    Raises:
        InvalidArgumentError: the numbers do not ascend or are negative, or there are not n of them.
        ShapeMismatchError: segment_ids is not a vector."""

def segment_min(data: _Any, segment_ids: _Any, name: _Any = None) -> _Tensor:
    """The smallest of each segment; 0 for an empty one.

    data: [n, ...], real numbers. segment_ids: [n], int32 or int64, ascending. The result is
    [segment_ids[-1] + 1, ...], of the dtype of `data`.

    >>> tf.math.segment_min([1, 2, 3, 4], [0, 0, 2, 2]).numpy()
    array([1, 0, 3], dtype=int32)

    Raises:
        InvalidArgumentError: the numbers do not ascend or are negative, or there are not n of them.
        ShapeMismatchError: segment_ids is not a vector."""

def segment_prod(data: _Any, segment_ids: _Any, name: _Any = None) -> _Tensor:
    """The product of each segment; 1 for an empty one.

    data: [n, ...], numbers. segment_ids: [n], int32 or int64, ascending. The result is
    [segment_ids[-1] + 1, ...], of the dtype of `data`.

    >>> tf.math.segment_prod([1, 2, 3, 4], [0, 0, 2, 2]).numpy()
    array([ 2,  1, 12], dtype=int32)

    Raises:
        InvalidArgumentError: the numbers do not ascend or are negative, or there are not n of them.
        ShapeMismatchError: segment_ids is not a vector."""

def segment_sum(data: _Any, segment_ids: _Any, name: _Any = None) -> _Tensor:
    """The sum of each segment; 0 for an empty one.

    data: [n, ...], numbers. segment_ids: [n], int32 or int64, ascending. The result is
    [segment_ids[-1] + 1, ...], of the dtype of `data`.

    >>> tf.math.segment_sum([1, 2, 3, 4], [0, 0, 2, 2]).numpy()
    array([3, 0, 7], dtype=int32)

    Raises:
        InvalidArgumentError: the numbers do not ascend or are negative, or there are not n of them.
        ShapeMismatchError: segment_ids is not a vector."""

def sigmoid(x: _Any, name: _Any = None) -> _Tensor:
    """1 / (1 + exp(-x)), computed without overflow. Floats or complex numbers of any shape.

    >>> tf.sigmoid([-1000.0, 0.0, 1.0]).numpy().round(3)
    array([0.   , 0.5  , 0.731], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def sign(x: _Any, name: _Any = None) -> _Tensor:
    """-1, 0 or 1; x / |x| for complex numbers; NaN stays NaN. Floats, complex numbers or signed
    integers of any shape; the result has their dtype.

    >>> tf.sign([-3.0, 0.0, 5.0]).numpy()
    array([-1.,  0.,  1.], dtype=float32)

    Raises:
        DTypeMismatchError: x is of another dtype."""

def sin(x: _Any, name: _Any = None) -> _Tensor:
    """The sine of an angle in radians. Floats or complex numbers of any shape.

    >>> tf.sin([0.0, 0.5, np.pi / 2]).numpy().round(3)
    array([0.   , 0.479, 1.   ], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def sinh(x: _Any, name: _Any = None) -> _Tensor:
    """The hyperbolic sine, (e^x - e^-x) / 2. Floats or complex numbers of any shape.

    >>> tf.sinh([0.0, 1.0, -1.0]).numpy().round(3)
    array([ 0.   ,  1.175, -1.175], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def softplus(features: _Any, name: _Any = None) -> _Tensor:
    """log(1 + e**x), without overflow, for each element of floats.

    >>> tf.math.softplus([-1.0, 0.0, 99.0]).numpy().round(3)
    array([ 0.313,  0.693, 99.   ], dtype=float32)

    Raises:
        DTypeMismatchError: features are not floats."""

def softsign(features: _Any, name: _Any = None) -> _Tensor:
    """x / (1 + |x|), between -1 and 1, for each element of floats.

    >>> tf.math.softsign([-3.0, 0.0, 1.0]).numpy()
    array([-0.75,  0.  ,  0.5 ], dtype=float32)

    Raises:
        DTypeMismatchError: features are not floats."""

def sqrt(x: _Any, name: _Any = None) -> _Tensor:
    """The square root; NaN of negative floats. Its gradient at 0 is infinite. Floats or complex
    numbers of any shape.

    >>> tf.sqrt([4.0, 0.25, -1.0]).numpy()
    array([2. , 0.5, nan], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def square(x: _Any, name: _Any = None) -> _Tensor:
    """x * x, of numbers of any shape. Integers wrap around.

    >>> tf.square([3, -4]).numpy()
    array([ 9, 16], dtype=int32)

    Raises:
        DTypeMismatchError: x is bool or string."""

def squared_difference(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """(x - y) (x - y), with the conjugate of one of them where they are complex. Floats, complex
    numbers, int32 or int64 of one dtype, shapes broadcast.

    >>> tf.math.squared_difference([1, 5, 9], 4).numpy()
    array([ 9,  1, 25], dtype=int32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def subtract(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """x - y; numbers of one dtype, shapes broadcast.

    >>> tf.subtract([5, 7], 2).numpy()
    array([3, 5], dtype=int32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def tan(x: _Any, name: _Any = None) -> _Tensor:
    """The tangent of an angle in radians. Floats or complex numbers of any shape.

    >>> tf.tan([0.0, 0.5, -0.5]).numpy().round(3)
    array([ 0.   ,  0.546, -0.546], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def tanh(x: _Any, name: _Any = None) -> _Tensor:
    """The hyperbolic tangent, sinh(x) / cosh(x). Floats or complex numbers of any shape.

    >>> tf.tanh([0.0, 1.0, -np.inf]).numpy().round(3)
    array([ 0.   ,  0.762, -1.   ], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def unsorted_segment_max(data: _Any, segment_ids: _Any, num_segments: _Any, name: _Any = None) -> _Tensor:
    """The largest of each segment; the smallest finite number for an empty one.

    data: real numbers, of a shape that starts with that of segment_ids (int32 or int64): ids.shape
    + [...]. The result is [num_segments, ...], of the dtype of `data`. Slices with a negative
    number are dropped.

    >>> tf.math.unsorted_segment_max([1, 7, 3, 4], [1, 0, 1, -1], num_segments=2).numpy()
    array([7, 3], dtype=int32)

    Raises:
        InvalidArgumentError: a number is not below num_segments.
        ShapeMismatchError: the shape of `data` does not start with that of `segment_ids`."""

def unsorted_segment_min(data: _Any, segment_ids: _Any, num_segments: _Any, name: _Any = None) -> _Tensor:
    """The smallest of each segment; the largest finite number for an empty one.

    data: real numbers, of a shape that starts with that of segment_ids (int32 or int64): ids.shape
    + [...]. The result is [num_segments, ...], of the dtype of `data`. Slices with a negative
    number are dropped.

    >>> tf.math.unsorted_segment_min([1, 7, 3, 4], [1, 0, 1, -1], num_segments=2).numpy()
    array([7, 1], dtype=int32)

    Raises:
        InvalidArgumentError: a number is not below num_segments.
        ShapeMismatchError: the shape of `data` does not start with that of `segment_ids`."""

def unsorted_segment_prod(data: _Any, segment_ids: _Any, num_segments: _Any, name: _Any = None) -> _Tensor:
    """The product of each segment; 1 for an empty one.

    data: numbers, of a shape that starts with that of segment_ids (int32 or int64): ids.shape +
    [...]. The result is [num_segments, ...], of the dtype of `data`. Slices with a negative number
    are dropped.

    >>> tf.math.unsorted_segment_prod([2, 7, 3, 4], [2, 0, 2, -1], num_segments=3).numpy()
    array([7, 1, 6], dtype=int32)

    Raises:
        InvalidArgumentError: a number is not below num_segments.
        ShapeMismatchError: the shape of `data` does not start with that of `segment_ids`."""

def unsorted_segment_sum(data: _Any, segment_ids: _Any, num_segments: _Any, name: _Any = None) -> _Tensor:
    """The sum of each segment; 0 for an empty one.

    data: numbers, of a shape that starts with that of segment_ids (int32 or int64): ids.shape +
    [...]. The result is [num_segments, ...], of the dtype of `data`. Slices with a negative number
    are dropped.

    >>> tf.math.unsorted_segment_sum([1, 2, 3, 4], [2, 0, 2, -1], num_segments=3).numpy()
    array([2, 0, 4], dtype=int32)

    Raises:
        InvalidArgumentError: a number is not below num_segments.
        ShapeMismatchError: the shape of `data` does not start with that of `segment_ids`."""

def xdivy(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """x / y, and 0 where x is 0. Floats or complex numbers of one dtype, shapes broadcast.

    >>> tf.math.xdivy([0.0, 1.0, 1.0], [0.0, 0.0, 4.0]).numpy()
    array([0.  ,  inf, 0.25], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def xlog1py(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """x log(1 + y), and 0 where x is 0. Floats or complex numbers of one dtype, shapes broadcast.

    >>> tf.math.xlog1py([0.0, 2.0], [-1.0, 1.0]).numpy().round(3)
    array([0.   , 1.386], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def xlogy(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """x log(y), and 0 where x is 0. Floats or complex numbers of one dtype, shapes broadcast.

    >>> tf.math.xlogy([0.0, 2.0], [0.0, 2.0]).numpy().round(3)
    array([0.   , 1.386], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def zeta(x: _Any, q: _Any, name: _Any = None) -> _Tensor:
    """Hurwitz's zeta function: the sum of (q + k)^-x over k = 0, 1, ... x and q are both float32 or
    float64, shapes broadcast. inf where x is 1, NaN where it is less. The gradient is by q only.

    >>> tf.math.zeta([2.0, 2.0, 1.0], [1.0, 2.0, 1.0]).numpy().round(3)
    array([1.645, 0.645,   inf], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""
