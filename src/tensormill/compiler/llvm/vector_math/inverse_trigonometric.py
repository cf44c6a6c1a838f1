"""asin, acos, atan and atan2, in f64, by fewer terms where the result is rounded to f32.

atan and atan2 bring the quotient of two numbers into |t| <= tan(π/8), by exchanging them and by
atan(n/d) = π/4 + atan((n - d)/(n + d)), before they divide: one division in all. asin and acos go
from (1/2, 1] to [0, 1/2] by asin(x) = π/2 - 2 asin(sqrt((1 - x)/2)).
"""

from __future__ import annotations

import math
from typing import Final

from .language import (
    Kind,
    Term,
    bits,
    copysign,
    fma,
    polynomial,
    select,
    sqrt,
)

# (atan(t)/t - 1)/t² in t² for |t| <= tan(π/8), error 2**-59.5 of atan.
_ATAN_F64: Final = (
    -0.333333333333332,
    0.19999999999953816,
    -0.14285714280220105,
    0.11111110784649436,
    -0.09090897791915115,
    0.07692060817206849,
    -0.06663110776659091,
    0.05847937087829098,
    -0.0503951382091297,
    0.0380697027884942,
    -0.017912645036389552,
)
# (asin(t)/t - 1)/t² in t² for |t| <= 1/2, error 2**-59.8 of asin.
_ASIN_F64: Final = (
    0.16666666666666763,
    0.07499999999970117,
    0.044642857175273616,
    0.030381942675732,
    0.022372215895917077,
    0.01735159564429286,
    0.013981017118538991,
    0.011397302688981325,
    0.010789275801714552,
    0.0036723296079328553,
    0.021790349834838563,
    -0.021116363766597642,
    0.03270197473848776,
)
# The same, errors 2**-33.3 and 2**-33.9.
_ATAN: Final = {
    "f64": _ATAN_F64,
    "f32": (
        -0.333333332792548,
        0.19999977258688387,
        -0.14284151193628614,
        0.11071365021884794,
        -0.08624676145249494,
        0.050481385120797445,
    ),
}
_ASIN: Final = {
    "f64": _ASIN_F64,
    "f32": (
        0.16666666686085643,
        0.07499992404401838,
        0.04464766388813485,
        0.030269138728589183,
        0.023611817008891752,
        0.010574415516912909,
        0.030974540371355073,
    ),
}
_TAN_EIGHTH: Final = 0.41421356237309503
_QUARTER: Final = (0.7853981633974483, 3.061616997868383e-17)  # π/4, and what it lacks


def atan(x: Term, precision: Kind) -> Term:
    """The inverse tangent."""
    magnitude = abs(x)
    return copysign(_angle(magnitude, magnitude.constant(1.0), x.constant(0.0), precision), x)


def atan2(y: Term, x: Term, precision: Kind) -> Term:
    """The angle of the point (x, y), from -π to π; zeros and infinities as IEEE 754 has them."""
    return copysign(_angle(abs(y), abs(x), x, precision), y)


def _angle(y: Term, x: Term, sign: Term, precision: Kind) -> Term:
    """The angle of (x, y), both not negative; its supplement where `sign` has a minus sign."""
    exchanged = y > x
    less, greater = select(exchanged, x, y), select(exchanged, y, x)
    if precision == "f64":  # a sum of the greatest numbers must stay finite
        factor = select(greater > 2.0**1000, x.constant(0.25), 1.0)
        less, greater = less * factor, greater * factor
    # Infinity over infinity is at 45 degrees, zero over zero at none.
    same = less.equals(greater)
    beyond = (less > greater * _TAN_EIGHTH) | (same & (greater > 0.0))
    top = select(beyond, less - greater, less)
    bottom = select(beyond, less + greater, greater)
    top, bottom = select(same, x.constant(0.0), top), select(same, x.constant(1.0), bottom)
    t = top / bottom
    square = t * t
    rest = fma(t * square, polynomial(square, _ATAN[precision]), t)
    return _turned(rest, select(beyond, t.constant(1.0), 0.0), exchanged, sign)


def _turned(rest: Term, eighths: Term, exchanged: Term, sign: Term) -> Term:
    """The angle eighths · π/4 + rest, mirrored where the coordinates were."""
    eighths = select(exchanged, 2.0 - eighths, eighths)
    rest = select(exchanged, -rest, rest)
    negative = bits(sign) < 0
    eighths = select(negative, 4.0 - eighths, eighths)
    rest = select(negative, -rest, rest)
    return fma(eighths, _QUARTER[0], fma(eighths, _QUARTER[1], rest))


def asin(x: Term, precision: Kind) -> Term:
    """The inverse sine; NaN beyond one."""
    magnitude = abs(x)
    outer = magnitude > 0.5
    angle = _asin_of_half(magnitude, outer, precision)
    complement = (_QUARTER[0] - angle) + (_QUARTER[1] * 2.0 - angle) + _QUARTER[0]
    return copysign(select(outer, complement, angle), x)


def acos(x: Term, precision: Kind) -> Term:
    """The inverse cosine; NaN beyond one."""
    magnitude = abs(x)
    outer = magnitude > 0.5
    angle = _asin_of_half(magnitude, outer, precision)
    twice = angle + angle
    outside = select(x < 0.0, (math.pi - twice) + _QUARTER[1] * 4.0, twice)
    signed = copysign(angle, x)
    return select(outer, outside, _QUARTER[0] * 2.0 - (signed - _QUARTER[1] * 2.0))


def _asin_of_half(x: Term, outer: Term, precision: Kind) -> Term:
    """asin(x), or asin(sqrt((1 - x)/2)) for an outer x."""
    square = select(outer, fma(x, -0.5, x.constant(0.5)), x * x)
    t = select(outer, sqrt(square), x)
    return fma(t * square, polynomial(square, _ASIN[precision]), t)
