"""tanh, sinh, cosh and their inverses.

sinh and cosh take x = n ln 2 + r as the exponential does, and put e**±r together from cosh r and
sinh r, one polynomial each: sinh x = a cosh r + b sinh r with a, b = (2**n ∓ 2**-n) / 2, which has
no cancellation to speak of, and sinh x = sinh r near zero. The inverses are log1p of the amount by
which the classical argument of their logarithm exceeds one.
"""

from __future__ import annotations

import math
from typing import Final

from ....core.process.named_tuples import NamedTuple
from .exponential import power_of_two, reduced
from .language import (
    Term,
    copysign,
    either,
    fma,
    minimum,
    multiply_add,
    narrow,
    polynomial,
    quick_polynomial,
    select,
    sqrt,
    wide,
)
from .logarithm import log1p_raised

# tanh(x) / x = P(x²) / Q(x²) on |x| <= 9.11, relative error 2**-29.3 in f64.
_TANH_P: Final = (
    0.9999999985390368,
    0.13675669972555868,
    0.0038630081963397745,
    2.7900148378570597e-05,
    3.032725734506351e-08,
    -1.2012780706954036e-11,
)
_TANH_Q: Final = (
    1.0,
    0.47009001894883873,
    0.027226370565358024,
    0.00039292525638777665,
    1.27987196236825e-06,
)
# (tanh(x)/x - 1)/x² in x² on |x| < 0.4, error 2**-29 of tanh(x)/x.
_TANH_SMALL: Final = 0.4
_SMALL_TANH: Final = (
    -0.33333298563957214,
    0.13331203162670135,
    -0.05356018245220184,
    0.01873653568327427,
)
# (sinh(r)/r - 1)/r² and (cosh(r) - 1 - r²/2)/r⁴ in r², |r| <= 0.347: errors 2**-61 and 2**-57.
_SINH: Final = (
    0.16666666666666677,
    0.008333333333321386,
    0.00019841269886814182,
    2.7557243456603023e-06,
    2.51093177244072e-08,
)
_COSH: Final = (
    0.04166666666660238,
    0.0013888888927452833,
    2.480150783935236e-05,
    2.7625527923589003e-07,
)


def tanh_f32(x: Term) -> Term:
    """Near zero x + x³ P(x²), a chain of 16 cycles: recurrences wait for it, turn after turn."""
    size = abs(x)
    small = (size > 0.0) & (size < _TANH_SMALL)  # the sum would turn -0.0 into 0.0
    return either(small, lambda: _small_tanh(x), lambda: _rational_tanh(x))


def _small_tanh(x: Term) -> Term:
    square = x * x
    return multiply_add(x * square, quick_polynomial(square, _SMALL_TANH), x)


def _rational_tanh(x: Term) -> Term:
    """In f64: one division, and a shorter chain than e**x needs."""
    y = wide(copysign(minimum(abs(x), 9.1), x))
    square = y * y
    top = y * quick_polynomial(square, _TANH_P)
    return narrow(top / quick_polynomial(square, _TANH_Q))


def tanh_f64(x: Term) -> Term:
    """Sinh x / cosh x, or 1 - e**-x / cosh x, whose error is small, for greater |x|."""
    magnitude = minimum(abs(x), 20.0)
    parts = _parts(magnitude)
    complement = 2.0 * parts.down * ((1.0 - parts.sinh_r) + parts.cosh_r_minus_1)
    small = magnitude < 0.8
    quotient = select(small, parts.quarter_of_sinh(), complement) / parts.quarter_of_cosh()
    return copysign(select(small, quotient, 1.0 - quotient), x)


def sinh(x: Term) -> Term:
    """The hyperbolic sine of an f64."""
    magnitude = abs(x)
    result = 4.0 * _parts(minimum(magnitude, 711.0)).quarter_of_sinh()
    return copysign(select(magnitude > 2.0**-28, result, magnitude), x)


def cosh(x: Term) -> Term:
    """The hyperbolic cosine of an f64."""
    return 4.0 * _parts(minimum(abs(x), 711.0)).quarter_of_cosh()


class _Parts(NamedTuple):
    """cosh x = 4 ((up + down) cosh r + (up - down) sinh r), and sinh x the other way round.

    A quarter, because 2**1024 is no number.
    """

    up: Term
    down: Term
    cosh_r_minus_1: Term
    sinh_r: Term

    def quarter_of_sinh(self) -> Term:
        """sinh(x) / 4."""
        difference = self.up - self.down
        rest = fma(difference, self.cosh_r_minus_1, (self.up + self.down) * self.sinh_r)
        return difference + rest

    def quarter_of_cosh(self) -> Term:
        """cosh(x) / 4."""
        total = self.up + self.down
        return total + fma(total, self.cosh_r_minus_1, (self.up - self.down) * self.sinh_r)


def _parts(x: Term) -> _Parts:
    """Take 0 <= x < 712 apart."""
    split = reduced(x)
    up = power_of_two(split.exponent - 3)
    down = select(split.n < 100.0, power_of_two(-3 - split.exponent), 0.0)
    u = split.r * split.r
    cosh_r_minus_1 = u * fma(u, polynomial(u, _COSH), 0.5)
    sinh_r = fma(split.r * u, polynomial(u, _SINH), split.r)
    return _Parts(up, down, cosh_r_minus_1, sinh_r)


def asinh(x: Term) -> Term:
    """log(a + sqrt(a² + 1)) for a = |x| of f64, with x's sign."""
    magnitude = abs(x)
    square = magnitude * magnitude
    excess = magnitude + square / (1.0 + sqrt(square + 1.0))
    return copysign(_log_of_twice_or(magnitude, excess), x)


def acosh(x: Term) -> Term:
    """log(x + sqrt(x² - 1)) of f64; NaN below one."""
    above = x - 1.0
    result = _log_of_twice_or(x, above + sqrt(above * (above + 2.0)))
    return select(x < 1.0, x.constant(math.nan), result)


def _log_of_twice_or(x: Term, excess: Term) -> Term:
    """log1p(excess), or log(2x) where x is so large that squares would overflow."""
    large = x > 2.0**60
    return log1p_raised(select(large, x, excess), select(large, x.constant(1.0), 0.0))


def atanh(x: Term) -> Term:
    """log((1 + a) / (1 - a)) / 2 for a = |x| of f64, with x's sign; NaN beyond one."""
    magnitude = abs(x)
    excess = (magnitude + magnitude) / (1.0 - magnitude)
    return copysign(0.5 * log1p_raised(excess, x.constant(0.0)), x)
