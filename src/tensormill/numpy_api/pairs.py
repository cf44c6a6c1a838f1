"""Functions of the elements of two arrays, which broadcast and share a dtype."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..control.while_loop import while_loop
from ..core import dtypes
from ..ops.array.broadcasting import broadcast_dynamic_shape, broadcast_to
from ..ops.array.fill import ones_like, zeros_like
from ..ops.array.select import where
from ..ops.array.shapes import shape_of
from ..ops.math import arithmetic, bitwise, circular, comparison, division, elementwise
from ..ops.math.cast import cast
from ..ops.math.complex import complex as complex_number
from ..ops.math.power import power as raised
from ..ops.math.reduce import reduce_any
from ..ops.math.signs import abs as absolute_value
from ..ops.math.special import nextafter as next_after
from .elementwise import absolute, exp2
from .promotion import as_arrays, as_bools, as_float_arrays

Function = Callable[[Any, Any], Any]
Operands = Callable[[Any, Any], list[Any]]


def of_pairs(
    name: str, apply: Function, convert: Operands, says: str, example: str, result: str
) -> Function:
    """`apply`, of what `convert` makes of both operands: a function called `name`."""

    def function(x1: Any, x2: Any) -> Any:
        return apply(*convert(x1, x2))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""{says}

    x1, x2: what is an array to NumPy; they broadcast and take the dtype of `result_type(x1, x2)`.

    >>> tf.experimental.numpy.{name}({example}).numpy()
    {result}

    Raises:
        InvalidArgumentError: the shapes do not broadcast (ValueError in a trace).
        TypeError: no dtype fits both, or the function is none of this dtype.
    """
    return function


def of_numbers(name: str, apply: Function, says: str, example: str, result: str) -> Function:
    return of_pairs(name, apply, as_arrays, says, example, result)


def of_bools(name: str, apply: Function, says: str, example: str, result: str) -> Function:
    def convert(x1: Any, x2: Any) -> list[Any]:
        return [as_bools(x1), as_bools(x2)]

    return of_pairs(name, apply, convert, says, example, result)


def of_floats(name: str, apply: Function, says: str, example: str, result: str) -> Function:
    says = f"{says} Integers and bools become float64."
    return of_pairs(name, apply, as_float_arrays, says, example, result)


def either(of_bools: Function, of_others: Function) -> Function:
    """One function of bools, another of numbers."""

    def apply(x: Any, y: Any) -> Any:
        return of_bools(x, y) if x.dtype.is_bool else of_others(x, y)

    return apply


def as_integers(function: Function) -> Function:
    """`function`, of bools as int8."""

    def apply(x: Any, y: Any) -> Any:
        if x.dtype.is_bool:
            x, y = cast(x, dtypes.int8), cast(y, dtypes.int8)
        return function(x, y)

    return apply


both, any_of, one_of = comparison.logical_and, comparison.logical_or, comparison.logical_xor

add = of_numbers("add", either(any_of, arithmetic.add), "x1 + x2; of bools, whether one is True.",
                 "[1, 2], 0.5", "array([1.5, 2.5])")  # fmt: skip
subtract = of_numbers("subtract", arithmetic.subtract, "x1 - x2.", "[1, 2], 1", "array([0, 1])")
multiply = of_numbers(
    "multiply", either(both, arithmetic.multiply), "x1 · x2; of bools, whether both are True.",
    "[1, 2], 3", "array([3, 6])",
)  # fmt: skip
true_divide = of_numbers(
    "true_divide",
    lambda x, y: division.truediv(*as_float_arrays(x, y)) if x.dtype.is_bool
    else division.truediv(x, y),
    "x1 / x2; of integers, a float (float32 of the narrow ones).", "[1, 2], 4",
    "array([0.25, 0.5 ])",
)  # fmt: skip
floor_divide = of_numbers(
    "floor_divide", as_integers(division.floordiv), "x1 / x2, rounded down; of bools, as int8.",
    "[7, -7], 2", "array([ 3, -4])",
)  # fmt: skip
mod = of_numbers(
    "mod", as_integers(division.floormod), "What x1 leaves when divided by x2, with its sign.",
    "[7, -7], 4", "array([3, 1])",
)  # fmt: skip
power = of_numbers("power", raised, "x1 to the power x2.", "[2, 3], 2.0", "array([4., 9.])")
float_power = of_numbers(
    "float_power", raised, "x1 to the power x2, of their common dtype.", "[2.0, 3.0], 2",
    "array([4., 9.])",
)  # fmt: skip
maximum = of_numbers(
    "maximum", either(any_of, arithmetic.maximum), "The larger one; NaN, where there is one.",
    "[1, 5], 2.5", "array([2.5, 5. ])",
)  # fmt: skip
minimum = of_numbers(
    "minimum", either(both, arithmetic.minimum), "The smaller one; NaN, where there is one.",
    "[1, 5], 2.5", "array([1. , 2.5])",
)  # fmt: skip
arctan2 = of_numbers(
    "arctan2", circular.atan2, "The angle of the point (x2, x1) in the plane, between -π and π.",
    "[1.0, -1.0], 0.0", "array([ 1.57079633, -1.57079633])",
)  # fmt: skip
nextafter = of_numbers(
    "nextafter", next_after, "The float after x1 on the way to x2: of float32 and float64.",
    "1.0, [1.0, 2.0]", "array([1., 1.])",
)  # fmt: skip


def _hypot(x: Any, y: Any) -> Any:
    """As the size of a complex number, on whose way there are no squares that are no numbers."""
    if x.dtype.is_complex:
        return elementwise.sqrt(x * x + y * y)
    if x.dtype in (dtypes.float16, dtypes.bfloat16):
        return cast(_hypot(cast(x, dtypes.float32), cast(y, dtypes.float32)), x.dtype)
    bad = comparison.is_nan(x) | comparison.is_nan(y)  # beside infinity, too, as in TensorFlow
    return where(bad, x + y, absolute_value(complex_number(x, y)))


hypot = of_floats("hypot", _hypot, "The length of (x1, x2).", "[3, 6], [4, 8]",
                  "array([ 5., 10.])")  # fmt: skip


def _heaviside(x: Any, at_zero: Any) -> Any:
    zero = zeros_like(x)
    steps = where(comparison.less(x, zero), zero, where(comparison.equal(x, zero), at_zero,
                                                        ones_like(x)))  # fmt: skip
    return where(comparison.is_nan(x), x, steps)


heaviside = of_floats(
    "heaviside", _heaviside, "0 where x1 is below 0, 1 where it is above, x2 where it is 0.",
    "[-1.0, 0.0, 3.0], 0.5", "array([0. , 0.5, 1. ])",
)  # fmt: skip


def _logaddexp(x: Any, y: Any, power: Any = elementwise.exp, unit: float = 1.0) -> Any:
    """The logarithm, of the base of these powers, of their sum; unit: the base's own logarithm."""
    larger = arithmetic.maximum(x, y)
    apart = x - y
    # NaN where two infinities are one: their sum's logarithm is this infinity.
    added = larger + elementwise.log1p(power(-absolute_value(apart))) / unit
    return where(comparison.is_nan(apart), x + y, added)


def _logaddexp2(x: Any, y: Any) -> Any:
    return _logaddexp(x, y, exp2, math.log(2.0))


logaddexp = of_floats("logaddexp", _logaddexp, "log(exp(x1) + exp(x2)), also where exp is too big.",
                      "1000.0, [1000.0]", "array([1000.69314718])")  # fmt: skip
logaddexp2 = of_floats("logaddexp2", _logaddexp2, "log2(2 ** x1 + 2 ** x2).", "1.0, [1.0, 3.0]",
                       "array([2.        , 3.32192809])")  # fmt: skip

bitwise_and = of_numbers(
    "bitwise_and", either(both, bitwise.bitwise_and), "The bits that are set in both.",
    "[5, 6], 4", "array([4, 4])",
)  # fmt: skip
bitwise_or = of_numbers("bitwise_or", either(any_of, bitwise.bitwise_or),
                        "The bits that are set in one.", "[5, 6], 1", "array([5, 7])")  # fmt: skip
bitwise_xor = of_numbers("bitwise_xor", either(one_of, bitwise.bitwise_xor),
                         "The bits that differ.", "[5, 6], 4", "array([1, 2])")  # fmt: skip

equal = of_numbers("equal", comparison.equal, "Whether elements are equal.", "[1, 2], 1.0",
                   "array([ True, False])")  # fmt: skip
not_equal = of_numbers("not_equal", comparison.not_equal, "Whether elements differ.", "[1, 2], 1.0",
                       "array([False,  True])")  # fmt: skip


def ordering(name: str, of_others: Function, says: str, example: str, result: str) -> Function:
    """A comparison: bools have the order of 0 and 1."""
    return of_numbers(name, as_integers(of_others), says, example, result)


less = ordering("less", comparison.less, "Whether x1 < x2.", "[1, 3], 2.5", "array([ True, False])")
less_equal = ordering("less_equal", comparison.less_equal, "Whether x1 <= x2.", "[1, 3], 3",
                      "array([ True,  True])")  # fmt: skip
greater = ordering("greater", comparison.greater, "Whether x1 > x2.", "[1, 3], 2.5",
                   "array([False,  True])")  # fmt: skip
greater_equal = ordering(
    "greater_equal", comparison.greater_equal, "Whether x1 >= x2.", "[1, 3], 3",
    "array([False,  True])",
)  # fmt: skip

logical_and = of_bools("logical_and", both, "Whether neither is 0.", "[0, 2], 0.5",
                       "array([False,  True])")  # fmt: skip
logical_or = of_bools("logical_or", any_of, "Whether one is not 0.", "[0, 2], 0",
                      "array([False,  True])")  # fmt: skip
logical_xor = of_bools("logical_xor", one_of, "Whether exactly one is not 0.", "[0, 2], 1",
                       "array([ True, False])")  # fmt: skip


def divmod(x1: Any, x2: Any) -> tuple[Any, Any]:
    """`floor_divide(x1, x2)` and `mod(x1, x2)`.

    x1, x2: what is an array to NumPy; they broadcast and take the dtype of `result_type(x1, x2)`.

    >>> [part.numpy() for part in tf.experimental.numpy.divmod([7, -7], 4)]
    [array([ 1, -2]), array([3, 1])]

    Raises:
        InvalidArgumentError: the shapes do not broadcast, or an integer is divided by 0.
    """
    x1, x2 = as_arrays(x1, x2)
    return floor_divide(x1, x2), mod(x1, x2)


def _integers(name: str, x1: Any, x2: Any) -> list[Any]:
    x1, x2 = as_arrays(x1, x2)
    if not x1.dtype.is_integer:
        raise ValueError(f"{name} is a function of integers, got {x1.dtype.name}")
    shape = broadcast_dynamic_shape(shape_of(x1), shape_of(x2))
    return [broadcast_to(x1, shape), broadcast_to(x2, shape)]


def _magnitudes(*integers: Any) -> list[Any]:
    return [absolute(one) if one.dtype.family == "int" else one for one in integers]


def gcd(x1: Any, x2: Any) -> Any:
    """The largest integer that divides both.

    x1, x2: integers that broadcast; the result has their common dtype. gcd(0, 0) is 0.

    >>> tf.experimental.numpy.gcd([12, 7], 18).numpy()
    array([6, 1])

    Raises:
        ValueError: they are no integers.
    """
    larger, smaller = _magnitudes(*_integers("gcd", x1, x2))

    def remains(_: Any, smaller: Any) -> Any:
        return reduce_any(comparison.not_equal(smaller, zeros_like(smaller)))

    def step(larger: Any, smaller: Any) -> Any:
        is_done = comparison.equal(smaller, zeros_like(smaller))
        divisor = where(is_done, ones_like(smaller), smaller)
        rest = where(is_done, smaller, division.floormod(larger, divisor))
        return where(is_done, larger, smaller), rest

    return while_loop(remains, step, (larger, smaller))[0]


def lcm(x1: Any, x2: Any) -> Any:
    """The smallest positive integer that both divide; 0 where one of them is 0.

    x1, x2: integers that broadcast; the result has their common dtype, and wraps around in it.

    >>> tf.experimental.numpy.lcm([4, 0], 6).numpy()
    array([12,  0])

    Raises:
        ValueError: they are no integers.
    """
    x1, x2 = _magnitudes(*_integers("lcm", x1, x2))
    divisor = gcd(x1, x2)
    divisor = where(comparison.equal(divisor, zeros_like(divisor)), ones_like(divisor), divisor)
    return arithmetic.multiply(division.floordiv(x1, divisor), x2)
