"""exp, exp2, expm1 and sigmoid.

x = n ln 2 + r with |r| <= ln(2)/2, and e**x = 2**n e**r; n ln 2 is subtracted in two parts, the
first so short that its product with n is exact (Cody and Waite 1980). e**r = 1 + r + r² q(r), q a
minimax polynomial (tests/compiler/llvm/minimax.py finds it again).
"""

from __future__ import annotations

import math
from typing import Final

from ....core.process.named_tuples import NamedTuple
from .language import (
    RAISED,
    Term,
    float_of_bits,
    fma,
    maximum,
    minimum,
    polynomial,
    quick_polynomial,
    round_to_integer,
    scale_by_raised,
    select,
)


class SplitNumber(NamedTuple):
    """A number as the sum of a short float and a rest, and where e**x begins and ends."""

    high: float
    low: float
    least: float
    greatest: float


# ln 2 = high + low. high has 15 bits (f32) or 41 (f64): n has at most 9 or 12.
LN2: Final = {
    "f32": SplitNumber(0.693145751953125, 1.4286068203094173e-06, -104.0, 89.0),
    "f64": SplitNumber(0.693147180559663, 2.8235290563031577e-13, -746.0, 710.0),
}
LOG2_E: Final = 1.4426950408889634

# (e**r - 1 - r) / r² on |r| <= 0.347, relative to e**r: errors 2**-28.2 and 2**-58.
Q: Final = {
    "f32": (
        0.5,
        0.1666651964187622,
        0.04166640341281891,
        0.008368827402591705,
        0.0013940646313130856,
    ),
    "f64": (
        0.5000000000000013,
        0.16666666666666669,
        0.04166666666651047,
        0.008333333333329215,
        0.0013888888948354668,
        0.00019841269864422808,
        2.4801488508769652e-05,
        2.7557268286609623e-06,
        2.7631808626263423e-07,
        2.509994700632052e-08,
    ),
}


class Reduced(NamedTuple):
    """x = n ln 2 + r + rest: n as a float and, raised, in the low bits of an integer."""

    n: Term
    exponent: Term
    r: Term
    rest: Term


def reduced(x: Term, raised: int = 0) -> Reduced:
    """Split x, |x| < 1000, for an exponential."""
    ln2 = LN2[x.kind]
    n, exponent = round_to_integer(x, LOG2_E, raised)
    first = fma(-n, ln2.high, x)
    r = fma(-n, ln2.low, first)
    return Reduced(n, exponent, r, fma(-n, ln2.low, first - r))


def _q(r: Term) -> Term:
    """q(r): five coefficients are soonest done one after another, ten are not."""
    form = polynomial if r.kind == "f32" else quick_polynomial
    return form(r, Q[r.kind])


def exp_minus_1_minus(r: Term) -> Term:
    """e**r - 1 - r for |r| <= ln(2)/2."""
    return _q(r) * (r * r)


def polynomial_exp(r: Term) -> Term:
    """e**r for |r| <= ln(2)/2."""
    return 1.0 + fma(r * r, _q(r), r)


def exp(x: Term) -> Term:
    """e**x, subnormal results and both ends of the range included."""
    ends = LN2[x.kind]
    split = reduced(minimum(maximum(x, ends.least), ends.greatest), RAISED[x.kind])
    return scale_by_raised(polynomial_exp(split.r), split.exponent)


def exp2(x: Term) -> Term:
    """2**x, by e**(r ln 2)."""
    least, greatest = (-151.0, 129.0) if x.kind == "f32" else (-1076.0, 1025.0)
    x = minimum(maximum(x, least), greatest)
    n, exponent = round_to_integer(x, raised=RAISED[x.kind])
    return scale_by_raised(polynomial_exp((x - n) * math.log(2)), exponent)


def exp_of_negative(x: Term) -> Term:
    """e**x for x <= 0, subnormal results included.

    The power of two is made so much larger that it is a normal float, then smaller again.
    """
    lift, bias = (31, 127) if x.kind == "f32" else (61, 1023)
    split = reduced(maximum(x, LN2[x.kind].least), bias + lift)
    lifted = float_of_bits(split.exponent << (23 if x.kind == "f32" else 52))
    return polynomial_exp(split.r) * lifted * 2.0**-lift


def exp_of_sum(high: Term, low: Term) -> Term:
    """e**(high + low) for a tiny low, with little more than the error of rounding the result."""
    ends = LN2[high.kind]
    split = reduced(minimum(maximum(high, ends.least), ends.greatest), RAISED[high.kind])
    low = low + split.rest
    r = split.r + low
    rest = fma(r * r, _q(r), (split.r - r) + low)
    total = 1.0 + r
    return scale_by_raised(total + ((r - (total - 1.0)) + rest), split.exponent)


def expm1(x: Term) -> Term:
    """e**x - 1 = (2**n - 1) + 2**n r + 2**n (e**r - 1 - r), small terms last."""
    top = 128.0 if x.kind == "f32" else 1024.0
    greatest = LN2[x.kind].greatest
    split = reduced(minimum(maximum(x, -40.0), greatest))
    small = exp_minus_1_minus(split.r) + split.rest
    # 2**1024 is no number: there the sum is made at half its size.
    at_top = split.n >= top
    power = power_of_two(select(at_top, split.exponent - 1, split.exponent))
    total = fma(power, small, fma(power, split.r, power - select(at_top, x.constant(0.5), 1.0)))
    return select(x.equals(0.0), x, total * select(at_top, x.constant(2.0), 1.0))


def power_of_two(exponent: Term) -> Term:
    """2**exponent for an integer whose low bits are a normal float's exponent."""
    mantissa, bias = (23, 127) if exponent.kind == "i32" else (52, 1023)
    return float_of_bits((exponent + bias) << mantissa)


def sigmoid(x: Term) -> Term:
    """1 / (1 + e**-x), as e**x / (1 + e**x) for negative x: nothing overflows."""
    power = exp_of_negative(-abs(x))
    total = 1.0 + power
    lost = power - (total - 1.0)
    quotient = select(x < 0.0, power, 1.0) / total
    return fma(-quotient, lost, quotient)
