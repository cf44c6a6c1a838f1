"""Dawson's integral, the exponential integral, Fresnel's integrals and the dilogarithm, in f64.

`precision` says how many coefficients of each series count.
"""

from __future__ import annotations

import math
from typing import Final

from . import series
from .exponential import exp
from .language import (
    Kind,
    Term,
    copysign,
    fma,
    maximum,
    minimum,
    polynomial,
    rint,
    select,
)
from .logarithm import log, log1p

_EULER: Final = 0.5772156649015329
# sin(πr)/r and cos(πr) in r², |r| <= 1/4: Taylor's coefficients.
_SIN: Final = tuple(
    (-1) ** k * math.pi ** (2 * k + 1) / math.factorial(2 * k + 1) for k in range(9)
)
_COS: Final = tuple((-1) ** k * math.pi ** (2 * k) / math.factorial(2 * k) for k in range(9))

# (C(x)/x - 1)/x⁴ in x⁴ for |x| < 0.7: Taylor's coefficients (Abramowitz and Stegun 7.3.11).
_C_SMALL: Final = tuple(
    (-1) ** k * (math.pi / 2) ** (2 * k) / (math.factorial(2 * k) * (4 * k + 1))
    for k in range(1, 9)
)


def dawsn(x: Term, precision: Kind) -> Term:
    """The integral of e**(t² - x²) over t from 0 to x."""
    square = x * x
    near = x * series.DAWSN_NEAR.value(minimum(square, 16.0), precision)
    inverse = 1.0 / x
    far = inverse * series.DAWSN_FAR.value(minimum(inverse * (inverse * 16.0), 1.0), precision)
    return select(abs(x) <= 4.0, near, far)


def expint(x: Term, precision: Kind) -> Term:
    """Ei(x): minus infinity at 0. In the middle a logarithm and a series, e**x / x times one
    elsewhere.
    """
    magnitude = abs(x)
    middle = (
        _EULER + log(magnitude) + x * series.EIN.value(maximum(minimum(x, 1.0), -1.0), precision)
    )
    below = maximum(magnitude, 1.0)
    scaled = series.E1.value(1.0 - 4.0 / (below + 2.0), precision)
    near = series.EI_NEAR.value(minimum(maximum(x, 1.0), 6.0), precision)
    farther = series.EI_MIDDLE.value(minimum(maximum(x, 6.0), 16.0), precision)
    far = series.EI_FAR.value(16.0 / maximum(x, 16.0), precision)
    scaled = select(x < 0.0, scaled, select(x < 6.0, near, select(x < 16.0, farther, far)))
    half = exp(minimum(maximum(x, -1500.0), 1500.0) * 0.5)
    outer = (half * (scaled / x)) * half
    outer = select(x.equals(math.inf), x, outer)
    return select(magnitude <= 1.0, middle, outer)


def fresnel_sin(x: Term, precision: Kind) -> Term:
    """The integral of sin(πt²/2) from 0 to x, odd."""
    fourth = minimum(x * x * (x * x), 39.0625)
    near = x * x * x * series.S_NEAR.value(fourth, precision)
    sine, cosine, f, g = _fresnel_parts(x, precision)
    return select(abs(x) <= 2.5, near, copysign(0.5 - (f * cosine + g * sine), x))


def fresnel_cos(x: Term, precision: Kind) -> Term:
    """The integral of cos(πt²/2) from 0 to x, odd."""
    fourth = minimum(x * x * (x * x), 39.0625)
    near = x * series.C_NEAR.value(fourth, precision)
    small = copysign(fma(x * fourth, polynomial(minimum(fourth, 0.25), _C_SMALL), x), x)
    near = select(fourth < 0.25, small, near)
    sine, cosine, f, g = _fresnel_parts(x, precision)
    return select(abs(x) <= 2.5, near, copysign(0.5 + (f * sine - g * cosine), x))


def _fresnel_parts(x: Term, precision: Kind) -> tuple[Term, Term, Term, Term]:
    """Sine and cosine of πx²/2, and f and g (Abramowitz and Stegun 7.3.9, 7.3.10)."""
    x = minimum(maximum(abs(x), 2.5), 2.0**60)
    high = x * x
    low = fma(x, x, -high)
    # Of x² only what is left by 4 counts.
    quarters = fma(rint(high * 0.25), -4.0, high)
    sine, cosine = _sine_and_cosine_of_quarters(quarters, fma(rint(low * 0.25), -4.0, low))
    inverse = 1.0 / x
    square = inverse * inverse
    power = square * (square * 39.0625)
    f = inverse * (1.0 / math.pi) * series.F_FAR.value(power, precision)
    g = inverse * square * (math.pi**-2) * series.G_FAR.value(power, precision)
    return sine, cosine, f, g


def _sine_and_cosine_of_quarters(high: Term, low: Term) -> tuple[Term, Term]:
    """Of π/2 (high + low), |high| <= 2, low small."""
    whole = rint(high)
    r = 0.5 * ((high - whole) + low)
    square = r * r
    sine, cosine = r * polynomial(square, _SIN), polynomial(square, _COS)
    odd = abs(whole).equals(1.0)
    turned = select(abs(whole).equals(2.0), r.constant(-1.0), 1.0)
    found = select(odd, whole * cosine, turned * sine), select(odd, -whole * sine, turned * cosine)
    return found


def spence(x: Term, precision: Kind) -> Term:
    """The integral of log(t) / (1 - t) from 1 to x: NaN below 0.

    A series around 1; numbers below 1/2 are reflected, those above 3/2 inverted.
    """
    is_large = x > 1.5
    y = select(is_large, 1.0 / maximum(x, 1.5), x)
    is_small = y < 0.5
    w = minimum(maximum(select(is_small, -y, y - 1.0), -0.5), 0.5)
    value = w * series.SPENCE.value(w, precision) + 0.0  # no -0 at 1
    logarithm = log(x)
    product = log1p(-minimum(y, 0.5)) * select(is_large, -logarithm, logarithm)
    product = select(y.equals(0.0), y, product)
    value = select(is_small, (math.pi**2 / 6.0 - product) - value, value)
    found = select(is_large, -0.5 * logarithm * logarithm - value, value)
    return select(x < 0.0, x.constant(math.nan), found)
