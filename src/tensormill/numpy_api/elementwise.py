"""Functions of the elements of one array."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..core import dtypes
from ..core.numpy_behavior import changes
from ..ops.array.fill import ones_like, zeros_like
from ..ops.array.select import where
from ..ops.control.flow import identity
from ..ops.conversion import as_tensor
from ..ops.math import bitwise, circular, comparison, elementwise
from ..ops.math import complex as complex_parts
from ..ops.math.arithmetic import negative as negated
from ..ops.math.arithmetic import reciprocal as inverted
from ..ops.math.arithmetic import square as squared
from ..ops.math.cast import cast
from ..ops.math.power import power as raised
from ..ops.math.signs import abs as absolute_value
from ..ops.math.signs import sign as sign_of
from .promotion import as_array, as_bools, as_floats, keeps_weak

Function = Callable[[Any], Any]

# What is raised.
NO_ARRAY = "ValueError: `x` is nothing that an array can hold."
NO_NUMBERS = "UnimplementedError: `x` are strings."
OTHER_DTYPE = "DTypeMismatchError: `x` are numbers of another kind, bools or strings."


def of_elements(
    name: str,
    apply: Function,
    convert: Function,
    says: str,
    example: str,
    result: str,
    *refusals: str,
) -> Function:
    """`apply`, of what `convert` makes of `x`: a function called `name`, with its documentation.

    refusals: what it raises, beside what it does of things that are no arrays.
    """

    def function(x: Any) -> Any:
        result = apply(convert(x))
        return result if changes.constant is None else changes.constant(x, result)

    function.__name__ = function.__qualname__ = name
    raised = "".join(f"\n        {one}" for one in (NO_ARRAY, *refusals))
    function.__doc__ = f"""{says}

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.{name}({example}).numpy()
    {result}

    Raises:{raised}
    """
    return function


FLOATS = " Integers and bools become float64."


def of_floats(name: str, apply: Function, says: str, example: str, result: str) -> Function:
    return of_elements(name, apply, as_floats, says + FLOATS, example, result, NO_NUMBERS)


def of_numbers(name: str, apply: Function, says: str, example: str, result: str) -> Function:
    says += " The dtype stays."
    return of_elements(name, apply, as_array, says, example, result, OTHER_DTYPE)


sin = of_floats("sin", circular.sin, "The sine.", "[0, 1]", "array([0.        , 0.84147098])")
cos = of_floats("cos", circular.cos, "The cosine.", "[0, 1]", "array([1.        , 0.54030231])")
tan = of_floats("tan", circular.tan, "The tangent.", "[0, 1]", "array([0.        , 1.55740772])")
arcsin = of_floats(
    "arcsin", circular.asin, "The angle with this sine.", "[0, 1]",
    "array([0.        , 1.57079633])",
)  # fmt: skip
arccos = of_floats(
    "arccos", circular.acos, "The angle with this cosine.", "[1, 0]",
    "array([0.        , 1.57079633])",
)  # fmt: skip
arctan = of_floats(
    "arctan", circular.atan, "The angle with this tangent.", "[0, 1]",
    "array([0.        , 0.78539816])",
)  # fmt: skip
sinh = of_floats(
    "sinh", circular.sinh, "The hyperbolic sine.", "[0, 1]", "array([0.        , 1.17520119])"
)
cosh = of_floats(
    "cosh", circular.cosh, "The hyperbolic cosine.", "[0, 1]", "array([1.        , 1.54308063])"
)
tanh = of_floats(
    "tanh", circular.tanh, "The hyperbolic tangent.", "[0, 1]", "array([0.        , 0.76159416])"
)
arcsinh = of_floats(
    "arcsinh", circular.asinh, "The number with this hyperbolic sine.", "[0, 1]",
    "array([0.        , 0.88137359])",
)  # fmt: skip
arccosh = of_floats(
    "arccosh", circular.acosh, "The number with this hyperbolic cosine.", "[1, 2]",
    "array([0.       , 1.3169579])",
)  # fmt: skip
arctanh = of_floats(
    "arctanh", circular.atanh, "The number with this hyperbolic tangent.", "[0, 0.5]",
    "array([0.        , 0.54930614])",
)  # fmt: skip
deg2rad = of_floats(
    "deg2rad", lambda x: x * (math.pi / 180.0), "Degrees as radians.", "[0, 180]",
    "array([0.        , 3.14159265])",
)  # fmt: skip
rad2deg = of_floats(
    "rad2deg", lambda x: x * (180.0 / math.pi), "Radians as degrees.", "[0, 1]",
    "array([ 0.        , 57.29577951])",
)  # fmt: skip

exp = of_floats("exp", elementwise.exp, "e to the power x.", "[0, 1]",
                "array([1.        , 2.71828183])")  # fmt: skip
exp2 = of_floats("exp2", lambda x: raised(_like(2, x), x), "2 to the power x.", "[0, 3]",
                 "array([1., 8.])")  # fmt: skip
expm1 = of_floats(
    "expm1", elementwise.expm1, "e to the power x, less 1: exact near 0.", "[0, 1]",
    "array([0.        , 1.71828183])",
)  # fmt: skip
log = of_floats("log", elementwise.log, "The natural logarithm.", "[1, 2]",
                "array([0.        , 0.69314718])")  # fmt: skip
log2 = of_floats(
    "log2", lambda x: elementwise.log(x) / math.log(2.0), "The logarithm of base 2.", "[1, 8]",
    "array([0., 3.])",
)  # fmt: skip
log10 = of_floats(
    "log10", lambda x: elementwise.log(x) / math.log(10.0), "The logarithm of base 10.",
    "[1, 100]", "array([0., 2.])",
)  # fmt: skip
log1p = of_floats(
    "log1p", elementwise.log1p, "The natural logarithm of 1 + x: exact near 0.", "[0, 1]",
    "array([0.        , 0.69314718])",
)  # fmt: skip
sqrt = of_floats("sqrt", elementwise.sqrt, "The square root.", "[4, 9]", "array([2., 3.])")


def _cbrt(x: Any) -> Any:
    """A step of Newton's makes good that a third is rounded; 0 and infinity are their own."""
    near = sign_of(x) * raised(absolute_value(x), _like(1.0 / 3.0, x))
    is_usual = comparison.is_finite(x) & comparison.not_equal(x, zeros_like(x))
    safe = where(is_usual, near, ones_like(x))
    return where(is_usual, near - (safe - x / (safe * safe)) / _like(3, x), near)


cbrt = of_floats(
    "cbrt", _cbrt, "The cube root, of negative numbers, too.", "[8, -1]", "array([ 2., -1.])",
)  # fmt: skip
floor = of_floats("floor", elementwise.floor, "The largest whole number that is not above x.",
                  "[1.5, -1.5]", "array([ 1., -2.])")  # fmt: skip
ceil = of_floats("ceil", elementwise.ceil, "The smallest whole number that is not below x.",
                 "[1.5, -1.5]", "array([ 2., -1.])")  # fmt: skip
fix = of_floats(
    "fix", lambda x: where(x > _like(0, x), elementwise.floor(x), elementwise.ceil(x)),
    "The next whole number towards 0.", "[1.5, -1.5]", "array([ 1., -1.])",
)  # fmt: skip


def _like(number: float, x: Any) -> Any:
    """A number as a scalar of the dtype of `x`."""
    return as_tensor(number, x.dtype)


def _sinc(x: Any) -> Any:
    turned = x * math.pi
    is_zero = comparison.equal(x, zeros_like(x))
    safe = where(is_zero, ones_like(x), turned)
    return where(is_zero, ones_like(x), circular.sin(safe) / safe)


sinc = of_floats("sinc", _sinc, "sin(π x) / (π x), which is 1 where x is 0.", "[0, 0.5]",
                 "array([1.        , 0.63661977])")  # fmt: skip

absolute = of_numbers(
    "absolute", absolute_value, "The absolute value; that of complex numbers is real.", "[-1, 2]",
    "array([1, 2])",
)  # fmt: skip
fabs = of_numbers("fabs", absolute_value, "The absolute value.", "[-1.5, 2]", "array([1.5, 2. ])")
negative = of_numbers("negative", negated, "-x.", "[1, -2]", "array([-1,  2])")
positive = of_elements(
    "positive", identity, as_array, "x itself. The dtype stays.", "[1, -2]", "array([ 1, -2])"
)
square = of_numbers("square", squared, "x times x.", "[2, -3]", "array([4, 9])")
reciprocal = of_numbers("reciprocal", inverted, "1 / x.", "[2.0, 4.0]", "array([0.5 , 0.25])")
conjugate = of_numbers(
    "conjugate", complex_parts.conj, "The complex conjugate.", "[1 + 2j]", "array([1.-2.j])"
)
bitwise_not = of_numbers(
    "bitwise_not",
    lambda x: comparison.logical_not(x) if x.dtype.is_bool else bitwise.invert(x),
    "Integers with every bit turned; of bools, the others.", "[0, 5]", "array([-1, -6])",
)  # fmt: skip


@keeps_weak
def sign(x: Any, out: Any = None, where: Any = None, **kwargs: Any) -> Any:
    """-1, 0 or 1: the sign of each element; x / |x| for complex numbers. The dtype stays.

    x: numbers of any shape, which the result has.

    >>> tf.experimental.numpy.sign([-3.0, 0.0, 2.0]).numpy()
    array([-1.,  0.,  1.])

    Raises:
        ValueError: `out`, `where` or anything else is given: NumPy has it, tensors do not.
    """
    for name, value in {"out": out, "where": where, **kwargs}.items():
        if value is not None:
            raise ValueError(f"sign: {name}={value!r} is not supported")
    return sign_of(as_array(x))


@keeps_weak
def real(val: Any) -> Any:
    """The real part.

    val: numbers of any shape, which the result has.

    >>> tf.experimental.numpy.real([1 + 2j]).numpy()
    array([1.])

    Raises:
        TypeError: `val` are strings.
        ValueError: it is nothing that an array can hold.
    """
    val = as_array(val)
    return val if val.dtype.is_bool else complex_parts.real(val)


@keeps_weak
def imag(val: Any) -> Any:
    """The imaginary part; 0 of real numbers.

    val: numbers of any shape, which the result has.

    >>> tf.experimental.numpy.imag([1 + 2j]).numpy()
    array([2.])

    Raises:
        ValueError: it is nothing that an array can hold.
    """
    val = as_array(val)
    return complex_parts.imag(val) if val.dtype.is_complex else zeros_like(val)


@keeps_weak
def angle(z: Any, deg: bool = False) -> Any:
    """The angle of complex numbers in the plane, in radians, or in degrees if `deg`.

    z: numbers of any shape, which the result has; negative real ones have the angle π.

    >>> tf.experimental.numpy.angle([1j, -1.0], deg=True).numpy()
    array([ 90., 180.])

    Raises:
        UnimplementedError: `z` are strings.
        ValueError: `z` is nothing that an array can hold.
    """
    found = complex_parts.angle(as_floats(z))
    return rad2deg(found) if deg else found


@keeps_weak
def around(a: Any, decimals: int = 0) -> Any:
    """`a` rounded to `decimals` digits behind the point, halves to the even neighbour.

    a: numbers of any shape and dtype, which the result has. With negative `decimals`, digits before
    the point become 0.

    >>> tf.experimental.numpy.around([1.25, 2.5, 14], 0).numpy()
    array([ 1.,  2., 14.])
    >>> tf.experimental.numpy.around([15, 25], -1).numpy()
    array([20, 20])

    Raises:
        UnimplementedError: `a` are strings.
        ValueError: `a` is nothing that an array can hold.
    """
    a = as_array(a)
    is_whole = a.dtype.is_integer or a.dtype.is_bool
    if is_whole and decimals >= 0:
        return a
    digits = as_floats(a)
    scale = _like(10.0 ** abs(decimals), digits)
    moved = digits * scale if decimals >= 0 else digits / scale
    rounded = elementwise.round(moved)
    return cast(rounded / scale if decimals >= 0 else rounded * scale, a.dtype)


def signbit(x: Any) -> Any:
    """Whether each element is below 0.

    x: real numbers or bools, of any shape. -0.0 is not below 0, other than for NumPy.

    >>> tf.experimental.numpy.signbit([-1.0, 2.0]).numpy()
    array([ True, False])

    Raises:
        DTypeMismatchError: `x` are strings or complex numbers.
        ValueError: it is nothing that an array can hold.
    """
    x = as_array(x)
    if x.dtype.is_bool:
        return zeros_like(x)
    return comparison.less(x, zeros_like(x))


def _is(name: str, apply: Function, says: str, example: str, result: str) -> Function:
    return of_elements(name, apply, as_floats, says, example, result, NO_NUMBERS)


def _positive_infinity(x: Any) -> Any:
    return comparison.equal(x, _like(math.inf, x))


def _negative_infinity(x: Any) -> Any:
    return comparison.equal(x, _like(-math.inf, x))


isfinite = _is("isfinite", comparison.is_finite,
               "Whether elements are neither infinite nor NaN, as bools.", "[1.0, np.inf]",
               "array([ True, False])")  # fmt: skip
isinf = _is("isinf", comparison.is_inf, "Whether elements are infinite, as bools.", "[1.0, np.inf]",
            "array([False,  True])")  # fmt: skip
isnan = _is("isnan", comparison.is_nan, "Whether elements are NaN, as bools.", "[1.0, np.nan]",
            "array([False,  True])")  # fmt: skip
isposinf = _is("isposinf", _positive_infinity,
               "Whether elements are the positive infinity, as bools.", "[-np.inf, np.inf]",
               "array([False,  True])")  # fmt: skip
isneginf = _is("isneginf", _negative_infinity,
               "Whether elements are the negative infinity, as bools.", "[-np.inf, np.inf]",
               "array([ True, False])")  # fmt: skip
logical_not = of_elements("logical_not", comparison.logical_not, as_bools,
                          "Whether elements are 0, as bools.", "[0, 2]", "array([ True, False])",
                          NO_NUMBERS)  # fmt: skip


def _is_complex(x: Any) -> Any:
    if not x.dtype.is_complex:
        return zeros_like(x, dtypes.bool_)
    part = complex_parts.imag(x)
    return comparison.not_equal(part, zeros_like(part))


iscomplex = of_elements("iscomplex", _is_complex, as_array,
                        "Whether elements have an imaginary part that is not 0, as bools.",
                        "[1, 1j]", "array([False,  True])")  # fmt: skip
isreal = of_elements("isreal", lambda x: comparison.logical_not(_is_complex(x)), as_array,
                     "Whether elements have no imaginary part but 0, as bools.", "[1, 1j]",
                     "array([ True, False])")  # fmt: skip


def iscomplexobj(x: Any) -> bool:
    """Whether the dtype of `x` is one of complex numbers, whatever the elements are.

    >>> tf.experimental.numpy.iscomplexobj([1, 1j])
    True

    Raises:
        ValueError: it is nothing that an array can hold.
    """
    return as_array(x).dtype.is_complex


def isrealobj(x: Any) -> bool:
    """Whether the dtype of `x` is none of complex numbers.

    >>> tf.experimental.numpy.isrealobj([1, 2])
    True

    Raises:
        ValueError: it is nothing that an array can hold.
    """
    return not iscomplexobj(x)
