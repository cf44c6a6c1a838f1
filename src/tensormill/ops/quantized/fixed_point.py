"""Integers by a ratio of floats, in integers: what quantized models compute between layers."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ..array.fill import zeros_like
from ..array.select import where
from ..math.arithmetic import maximum, minimum
from ..math.bitwise import bitwise_and, left_shift, right_shift
from ..math.cast import bitcast, cast
from ..math.comparison import equal, greater_equal, less, logical_and

LOWEST, HIGHEST = -(2**31), 2**31 - 1
FRACTION = 2**52  # of a float64's bits


def wrapped(x: Any) -> Any:
    """int64 as 32 bits keep it."""
    return cast(cast(x, dtypes.int32), dtypes.int64)


def whole(x: Any) -> Any:
    """Floats without a fraction as int64; those that 32 bits do not hold, and NaN, as a processor
    converts them: -2^31.
    """
    wide = cast(x, dtypes.float64)
    fits = logical_and(greater_equal(wide, float(LOWEST)), less(wide, float(HIGHEST) + 1.0))
    return cast(where(fits, wide, zeros_like(wide) + float(LOWEST)), dtypes.int64)


def by_float32(x: Any) -> Any:
    """Levels of qint32 as TensorFlow's arrays of them hand them on: by way of float32."""
    return whole(cast(x, dtypes.float32))


def multiplier(ratio: Any) -> tuple[Any, Any]:
    """Positive float64 numbers as `factor * 2 ** (exponent - 31)`: factor has 31 bits, int64."""
    bits = bitcast(ratio, dtypes.int64)
    exponent = right_shift(bits, 52) - 1022
    mantissa = bitwise_and(bits, FRACTION - 1) + FRACTION
    factor = right_shift(mantissa + (1 << 21), 22)
    over = equal(factor, 1 << 31)
    factor = where(over, right_shift(factor, 1), factor)
    exponent = where(over, exponent + 1, exponent)
    tiny = less(exponent, zeros_like(exponent) - 31)
    return where(tiny, zeros_like(factor), factor), where(tiny, zeros_like(exponent), exponent)


def scaled(x: Any, ratio: Any) -> Any:
    """Integers of 32 bits by a ratio, the nearest (halves up), no further than 32 bits go: int64.

    x: int64. ratio: float64, positive; the shapes broadcast.
    """
    factor, exponent = multiplier(ratio)
    # From 2^31 on every number but 0 is beyond what 32 bits hold, or all but.
    by = minimum(exponent, zeros_like(exponent) + 31)
    shift = maximum(31 - by, zeros_like(by) + 1)
    product = x * factor
    near = right_shift(product + left_shift(zeros_like(shift) + 1, shift - 1), shift)
    found = where(equal(by, 31), product, near)
    return minimum(maximum(found, zeros_like(found) + LOWEST), zeros_like(found) + HIGHEST)
