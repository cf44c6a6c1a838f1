# Written by `make stubs` from the table beside it.

"""`tf.math`: arithmetic, elementary functions, reductions."""

from builtins import bool as _bool
from builtins import int as _int
from builtins import str as _str
from typing import Any as _Any
from ..ops.math.arithmetic import add as add
from ..ops.math.scan import argmax as argmax
from ..ops.math.scan import argmin as argmin
from ..ops.array.grids import confusion_matrix as confusion_matrix
from ..ops.math.moments import count_nonzero as count_nonzero
from ..ops.math.scan import cumprod as cumprod
from ..ops.math.incomplete_gamma import cumulative_logsumexp as cumulative_logsumexp
from ..ops.nn.bias_and_dropout import in_top_k as in_top_k
from ..ops.array.rearrangement import invert_permutation as invert_permutation
from ..ops.math.moments import is_non_decreasing as is_non_decreasing
from ..ops.math.moments import is_strictly_increasing as is_strictly_increasing
from ..ops.math.norms import l2_normalize as l2_normalize
from ..ops.math.incomplete_gamma import lbeta as lbeta
from ..ops.math.elementwise import log_sigmoid as log_sigmoid
from ..ops.nn.softmax import log_softmax as log_softmax
from ..ops.math.comparison import logical_xor as logical_xor
from ..ops.math.incomplete_gamma import polyval as polyval
from ..ops.math.reduce import reduce_euclidean_norm as reduce_euclidean_norm
from ..ops.math.arithmetic import scalar_mul as scalar_mul
from . import math_special as special
from ..ops.array.sorting import top_k as top_k
from ..ops.math.moments import zero_fraction as zero_fraction

__all__ = ['abs', 'acos', 'acosh', 'add', 'add_n', 'angle', 'argmax', 'argmin', 'asin', 'asinh', 'atan', 'atan2', 'atanh', 'bessel_i0', 'bessel_i0e', 'bessel_i1', 'bessel_i1e', 'betainc', 'bincount', 'ceil', 'confusion_matrix', 'conj', 'cos', 'cosh', 'count_nonzero', 'cumprod', 'cumsum', 'cumulative_logsumexp', 'digamma', 'divide', 'divide_no_nan', 'equal', 'erf', 'erfc', 'erfcinv', 'erfinv', 'exp', 'expm1', 'floor', 'floordiv', 'floormod', 'greater', 'greater_equal', 'igamma', 'igammac', 'imag', 'in_top_k', 'invert_permutation', 'is_finite', 'is_inf', 'is_nan', 'is_non_decreasing', 'is_strictly_increasing', 'l2_normalize', 'lbeta', 'less', 'less_equal', 'lgamma', 'log', 'log1p', 'log_sigmoid', 'log_softmax', 'logical_and', 'logical_not', 'logical_or', 'logical_xor', 'maximum', 'minimum', 'mod', 'multiply', 'multiply_no_nan', 'ndtri', 'negative', 'nextafter', 'not_equal', 'polygamma', 'polyval', 'pow', 'real', 'reciprocal', 'reciprocal_no_nan', 'reduce_all', 'reduce_any', 'reduce_euclidean_norm', 'reduce_logsumexp', 'reduce_max', 'reduce_mean', 'reduce_min', 'reduce_prod', 'reduce_std', 'reduce_sum', 'reduce_variance', 'rint', 'round', 'rsqrt', 'scalar_mul', 'segment_max', 'segment_mean', 'segment_min', 'segment_prod', 'segment_sum', 'sigmoid', 'sign', 'sin', 'sinh', 'softmax', 'softplus', 'softsign', 'special', 'sqrt', 'square', 'squared_difference', 'subtract', 'tan', 'tanh', 'top_k', 'truediv', 'unsorted_segment_max', 'unsorted_segment_mean', 'unsorted_segment_min', 'unsorted_segment_prod', 'unsorted_segment_sqrt_n', 'unsorted_segment_sum', 'xdivy', 'xlog1py', 'xlogy', 'zero_fraction', 'zeta']

def abs(x: _Any, name: _str | None = None) -> _Any:
    """The absolute value; of complex numbers, a real tensor of absolute values."""

def acos(x: _Any, name: _Any = None) -> _Any:
    """The angle whose cosine is x."""

def acosh(x: _Any, name: _Any = None) -> _Any:
    """The number whose hyperbolic cosine is x."""

def add_n(inputs: _Any, name: _str | None = None) -> _Any:
    """The sum of a list of tensors of one shape and dtype (IndexedSlices are made dense).

    Raises:
        ValueError: the list is empty or not a list."""

def angle(input: _Any, name: _str | None = None) -> _Any:
    """The angle of complex numbers; 0 or pi for real ones, by their sign."""

def asin(x: _Any, name: _Any = None) -> _Any:
    """The angle whose sine is x."""

def asinh(x: _Any, name: _Any = None) -> _Any:
    """The number whose hyperbolic sine is x."""

def atan(x: _Any, name: _Any = None) -> _Any:
    """The angle whose tangent is x."""

def atan2(y: _Any, x: _Any, name: _Any = None) -> _Any:
    """The angle of the point with abscissa x and ordinate y, in (-pi, pi]."""

def atanh(x: _Any, name: _Any = None) -> _Any:
    """The number whose hyperbolic tangent is x."""

def bessel_i0(x: _Any, name: _Any = None) -> _Any:
    """The modified Bessel function of the first kind, of order 0."""

def bessel_i0e(x: _Any, name: _Any = None) -> _Any:
    """exp(-|x|) times the modified Bessel function of the first kind, of order 0."""

def bessel_i1(x: _Any, name: _Any = None) -> _Any:
    """The modified Bessel function of the first kind, of order 1."""

def bessel_i1e(x: _Any, name: _Any = None) -> _Any:
    """exp(-|x|) times the modified Bessel function of the first kind, of order 1."""

def betainc(a: _Any, b: _Any, x: _Any, name: _Any = None) -> _Any:
    """The regularised incomplete beta function I_x(a, b). Shapes are equal, or those of scalars.

    Raises:
        InvalidArgumentError: two shapes differ, and neither is that of a scalar."""

def bincount(arr: _Any, weights: _Any = None, minlength: _Any = None, maxlength: _Any = None, dtype: _Any = ..., name: _str | None = None, axis: _int | None = None, binary_output: _bool = False) -> _Any:
    """How often (or with which total of `weights`) each integer 0, 1, ... occurs.

    `arr` is a tensor, ragged or sparse. axis: None or 0 counts all elements, -1 each row on its
    own. binary_output: 1 for "at all". The result is as long as the largest element needs, within
    `minlength` and `maxlength`. Of floats and booleans the integer parts count.

    Raises:
        InvalidArgumentError: an integer is negative; weights or counts of another dtype than int32,
            int64, float32 and float64.
        ValueError: another axis, or weights for a binary output.
        ShapeMismatchError: rows are asked for of more than a matrix."""

def ceil(x: _Any, name: _Any = None) -> _Any:
    """The smallest integer not below x."""

def conj(x: _Any, name: _str | None = None) -> _Any:
    """The complex conjugate; a real tensor is returned as it is.

    Raises:
        TypeError: `x` is not numeric."""

def cos(x: _Any, name: _Any = None) -> _Any:
    """The cosine of an angle in radians."""

def cosh(x: _Any, name: _Any = None) -> _Any:
    """The hyperbolic cosine."""

def cumsum(x: _Any, axis: _Any = 0, exclusive: _bool = False, reverse: _bool = False, name: _str | None = None) -> _Any:
    """Running sums along `axis`; without the element itself if `exclusive`."""

def digamma(x: _Any, name: _Any = None) -> _Any:
    """The derivative of lgamma."""

def divide(x: _Any, y: _Any, name: _str | None = None) -> _Any:
    """x / y, as Python 3 divides: integers give floats."""

def divide_no_nan(x: _Any, y: _Any, name: _str | None = None) -> _Any:
    """x / y, and 0 where y is 0. Integers are divided as float64 (8 and 16 bits: float32)."""

def equal(x: _Any, y: _Any, name: _str | None = None) -> _Any:
    """x == y, element by element; operands broadcast."""

def erf(x: _Any, name: _Any = None) -> _Any:
    """The error function."""

def erfc(x: _Any, name: _Any = None) -> _Any:
    """1 - erf(x), exact for large x."""

def erfcinv(x: _Any, name: _str | None = None) -> _Any:
    """The number whose complementary error function is x."""

def erfinv(x: _Any, name: _Any = None) -> _Any:
    """The number whose error function is x."""

def exp(x: _Any, name: _Any = None) -> _Any:
    """e to the power x."""

def expm1(x: _Any, name: _Any = None) -> _Any:
    """e to the power x, minus 1, exact for small x."""

def floor(x: _Any, name: _Any = None) -> _Any:
    """The largest integer not above x."""

def floordiv(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """x / y rounded down."""

def floormod(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """What remains of x / y rounded down; it has the sign of y."""

def greater(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """x > y."""

def greater_equal(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """x >= y."""

def igamma(a: _Any, x: _Any, name: _Any = None) -> _Any:
    """The lower incomplete gamma function P(a, x)."""

def igammac(a: _Any, x: _Any, name: _Any = None) -> _Any:
    """The upper incomplete gamma function Q(a, x) = 1 - P(a, x)."""

def imag(input: _Any, name: _str | None = None) -> _Any:
    """The imaginary part; zeros for a real tensor."""

def is_finite(x: _Any, name: _Any = None) -> _Any:
    """Whether x is neither infinite nor NaN."""

def is_inf(x: _Any, name: _Any = None) -> _Any:
    """Whether x is infinite, of either sign."""

def is_nan(x: _Any, name: _Any = None) -> _Any:
    """Whether x is not a number."""

def less(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """x < y."""

def less_equal(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """x <= y."""

def lgamma(x: _Any, name: _Any = None) -> _Any:
    """The logarithm of the absolute value of the gamma function."""

def log(x: _Any, name: _Any = None) -> _Any:
    """The natural logarithm."""

def log1p(x: _Any, name: _Any = None) -> _Any:
    """The natural logarithm of 1 + x, exact for small x."""

def logical_and(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """Whether both are true."""

def logical_not(x: _Any, name: _Any = None) -> _Any:
    """Whether x is false."""

def logical_or(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """Whether at least one is true."""

def maximum(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """The larger of x and y; NaN where either is NaN. The gradient of a tie goes to x."""

def minimum(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """The smaller of x and y; NaN where either is NaN. The gradient of a tie goes to x."""

def mod(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """What remains of x / y rounded down; it has the sign of y."""

def multiply(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """x * y."""

def multiply_no_nan(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """x * y, and 0 where y is 0, even if x is infinite or NaN."""

def ndtri(x: _Any, name: _Any = None) -> _Any:
    """The number below which a standard normal number lies with probability x."""

def negative(x: _Any, name: _Any = None) -> _Any:
    """-x."""

def nextafter(x1: _Any, x2: _Any, name: _Any = None) -> _Any:
    """The next number after x1 on the way to x2."""

def not_equal(x: _Any, y: _Any, name: _str | None = None) -> _Any:
    """x != y, element by element; operands broadcast."""

def polygamma(a: _Any, x: _Any, name: _Any = None) -> _Any:
    """The derivative of order a of digamma(x), for whole numbers a; NaN for others."""

def pow(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """x to the power y.

    Raises:
        InvalidArgumentError: an integer to a negative power."""

def real(input: _Any, name: _str | None = None) -> _Any:
    """The real part; a real tensor is returned as it is.

    Raises:
        ValueError: the input is not numeric."""

def reciprocal(x: _Any, name: _Any = None) -> _Any:
    """1 / x."""

def reciprocal_no_nan(x: _Any, name: _str | None = None) -> _Any:
    """1 / x, and 0 where x is 0."""

def reduce_all(input_tensor: _Any, axis: _Any = None, keepdims: _bool = False, name: _str | None = None) -> _Any:
    """Whether all elements along `axis` (an int, several, or None: all) are true."""

def reduce_any(input_tensor: _Any, axis: _Any = None, keepdims: _bool = False, name: _str | None = None) -> _Any:
    """Whether any element along `axis` (an int, several, or None: all) is true."""

def reduce_logsumexp(input_tensor: _Any, axis: _Any = None, keepdims: _bool = False, name: _str | None = None) -> _Any:
    """log(sum(exp(x))) along `axis`, without overflow."""

def reduce_max(input_tensor: _Any, axis: _Any = None, keepdims: _bool = False, name: _str | None = None) -> _Any:
    """The largest along `axis` (an int, several, or None: all); NaN where there is one."""

def reduce_mean(input_tensor: _Any, axis: _Any = None, keepdims: _bool = False, name: _str | None = None) -> _Any:
    """The mean along `axis` (an int, several, or None: all); of integers, an integer."""

def reduce_min(input_tensor: _Any, axis: _Any = None, keepdims: _bool = False, name: _str | None = None) -> _Any:
    """The smallest along `axis` (an int, several, or None: all); NaN where there is one."""

def reduce_prod(input_tensor: _Any, axis: _Any = None, keepdims: _bool = False, name: _str | None = None) -> _Any:
    """The product along `axis` (an int, several, or None: all); the axes go, unless `keepdims`."""

def reduce_std(input_tensor: _Any, axis: _Any = None, keepdims: _bool = False, name: _str | None = None) -> _Any:
    """The square root of the variance along `axis`.

    Raises:
        TypeError: the input is an integer tensor."""

def reduce_sum(input_tensor: _Any, axis: _Any = None, keepdims: _bool = False, name: _str | None = None) -> _Any:
    """The sum along `axis` (an int, several, or None: all); the axes go, unless `keepdims`."""

def reduce_variance(input_tensor: _Any, axis: _Any = None, keepdims: _bool = False, name: _str | None = None) -> _Any:
    """The mean of squared distances from the mean along `axis`; real, of complex numbers too.

    Raises:
        TypeError: the input is an integer tensor."""

def rint(x: _Any, name: _Any = None) -> _Any:
    """The nearest integer; of two equally near, the even one."""

def round(x: _Any, name: _str | None = None) -> _Any:
    """The nearest integers; of two equally near, the even one. Integers stay as they are."""

def rsqrt(x: _Any, name: _Any = None) -> _Any:
    """1 / sqrt(x)."""

def segment_max(data: _Any, segment_ids: _Any, name: _Any = None) -> _Any:
    """The largest of each segment; 0 for an empty one."""

def segment_mean(data: _Any, segment_ids: _Any, name: _Any = None) -> _Any:
    """The mean of each segment; 0 for an empty one."""

def segment_min(data: _Any, segment_ids: _Any, name: _Any = None) -> _Any:
    """The smallest of each segment; 0 for an empty one."""

def segment_prod(data: _Any, segment_ids: _Any, name: _Any = None) -> _Any:
    """The product of each segment; 1 for an empty one."""

def segment_sum(data: _Any, segment_ids: _Any, name: _Any = None) -> _Any:
    """The sum of each segment; 0 for an empty one."""

def sigmoid(x: _Any, name: _Any = None) -> _Any:
    """1 / (1 + exp(-x)), computed without overflow."""

def sign(x: _Any, name: _Any = None) -> _Any:
    """-1, 0 or 1; x / |x| for complex numbers; NaN stays NaN."""

def sin(x: _Any, name: _Any = None) -> _Any:
    """The sine of an angle in radians."""

def sinh(x: _Any, name: _Any = None) -> _Any:
    """The hyperbolic sine."""

def softmax(logits: _Any, axis: _int | None = None, name: _str | None = None) -> _Any:
    """exp(x) divided by its sum along `axis` (the last one by default)."""

def softplus(features: _Any, name: _Any = None) -> _Any:
    """log(1 + e**x), without overflow."""

def softsign(features: _Any, name: _Any = None) -> _Any:
    """x / (1 + |x|)."""

def sqrt(x: _Any, name: _Any = None) -> _Any:
    """The square root. Its gradient at 0 is infinite."""

def square(x: _Any, name: _Any = None) -> _Any:
    """x * x."""

def squared_difference(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """(x - y) (x - y), with the conjugate of one of them where they are complex."""

def subtract(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """x - y."""

def tan(x: _Any, name: _Any = None) -> _Any:
    """The tangent of an angle in radians."""

def tanh(x: _Any, name: _Any = None) -> _Any:
    """The hyperbolic tangent."""

def truediv(x: _Any, y: _Any, name: _str | None = None) -> _Any:
    """x / y; integers are divided as float64 (8 and 16 bits: as float32).

    Raises:
        TypeError: the operands are bool or string, or have different dtypes."""

def unsorted_segment_max(data: _Any, segment_ids: _Any, num_segments: _Any, name: _Any = None) -> _Any:
    """The largest of each segment; the smallest finite number for an empty one."""

def unsorted_segment_mean(data: _Any, segment_ids: _Any, num_segments: _Any, name: _str | None = None) -> _Any:
    """The mean of each segment; 0 for an empty one."""

def unsorted_segment_min(data: _Any, segment_ids: _Any, num_segments: _Any, name: _Any = None) -> _Any:
    """The smallest of each segment; the largest finite number for an empty one."""

def unsorted_segment_prod(data: _Any, segment_ids: _Any, num_segments: _Any, name: _Any = None) -> _Any:
    """The product of each segment; 1 for an empty one."""

def unsorted_segment_sqrt_n(data: _Any, segment_ids: _Any, num_segments: _Any, name: _str | None = None) -> _Any:
    """The sum of each segment divided by the square root of its size; 0 for an empty one."""

def unsorted_segment_sum(data: _Any, segment_ids: _Any, num_segments: _Any, name: _Any = None) -> _Any:
    """The sum of each segment; 0 for an empty one."""

def xdivy(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """x / y, and 0 where x is 0."""

def xlog1py(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """x log(1 + y), and 0 where x is 0."""

def xlogy(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """x log(y), and 0 where x is 0."""

def zeta(x: _Any, q: _Any, name: _Any = None) -> _Any:
    """Hurwitz's zeta function: the sum of (q + k)^-x over k = 0, 1, ..."""
