"""The modified Bessel functions I and K, of orders 0 and 1, in f64.

Numbers up to 8 (I) have e**-x I by a series, larger ones sqrt(x) e**-x I by one in 8/x. K of up
to 2 is a logarithm times I and a series (Abramowitz and Stegun 9.6.11), beyond it sqrt(x) e**x K
is a series in 2/x. `precision` says how many coefficients count.
"""

from __future__ import annotations

import math

from . import series
from .chebyshev import Series
from .exponential import exp
from .language import Kind, Term, maximum, minimum, select, sign_bit, sqrt, with_sign
from .logarithm import log


def i0e(x: Term, precision: Kind) -> Term:
    """e**-|x| I0(x)."""
    magnitude = abs(x)
    near = series.I0E_NEAR.value(minimum(magnitude, 8.0), precision)
    return select(magnitude <= 8.0, near, _far(magnitude, 8.0, series.I0E_FAR, precision))


def i1e(x: Term, precision: Kind) -> Term:
    """e**-|x| I1(x), odd."""
    magnitude = abs(x)
    near = x * series.I1E_NEAR.value(minimum(magnitude, 8.0), precision)
    far = _far(magnitude, 8.0, series.I1E_FAR, precision)
    return select(magnitude <= 8.0, near, with_sign(far, sign_bit(x)))


def i0(x: Term, precision: Kind) -> Term:
    """I0(x)."""
    return _grown(i0e(x, precision), abs(x))


def i1(x: Term, precision: Kind) -> Term:
    """I1(x), odd."""
    return _grown(i1e(x, precision), abs(x))


def _grown(scaled: Term, magnitude: Term) -> Term:
    """`scaled` times e**magnitude, in two steps: the power alone may overflow."""
    half = exp(minimum(magnitude, 1400.0) * 0.5)
    return select(
        magnitude.equals(math.inf), with_sign(magnitude, sign_bit(scaled)), (half * scaled) * half
    )


def _far(x: Term, start: float, rest: Series, precision: Kind) -> Term:
    """A series in start / x over sqrt(x); 0 at infinity."""
    inverse = 1.0 / maximum(x, start)
    return sqrt(inverse) * rest.value(inverse * start, precision)


def k0e(x: Term, precision: Kind) -> Term:
    """e**x K0(x): infinite at 0, NaN below."""
    return select(
        x <= 2.0,
        exp(minimum(x, 2.0)) * _k0_small(x, precision),
        _far(x, 2.0, series.K0_FAR, precision),
    )


def k1e(x: Term, precision: Kind) -> Term:
    """e**x K1(x): infinite at 0, NaN below."""
    return select(
        x <= 2.0,
        exp(minimum(x, 2.0)) * _k1_small(x, precision),
        _far(x, 2.0, series.K1_FAR, precision),
    )


def k0(x: Term, precision: Kind) -> Term:
    """K0(x): infinite at 0, NaN below."""
    return select(
        x <= 2.0, _k0_small(x, precision), exp(-x) * _far(x, 2.0, series.K0_FAR, precision)
    )


def k1(x: Term, precision: Kind) -> Term:
    """K1(x): infinite at 0, NaN below."""
    return select(
        x <= 2.0, _k1_small(x, precision), exp(-x) * _far(x, 2.0, series.K1_FAR, precision)
    )


def _k0_small(x: Term, precision: Kind) -> Term:
    square = minimum(x * x, 4.0)
    grown = series.I0_SMALL.value(square, precision)
    # Half of the least number is 0.
    least = x < _LEAST
    scale, steps = select(least, x.constant(2.0**60), 0.5), select(least, x.constant(61.0), 0.0)
    logarithm = log(x * scale) - steps * math.log(2.0)
    return series.K0_SMALL.value(square, precision) - logarithm * grown


def _k1_small(x: Term, precision: Kind) -> Term:
    square = minimum(x * x, 4.0)
    grown = log(maximum(x, _LEAST) * 0.5) * series.I1_SMALL.value(square, precision)
    found = 1.0 / abs(x) + x * (grown + series.K1_SMALL.value(square, precision))
    return select(x < 0.0, x.constant(math.nan), found)


_LEAST = 2.0**-1000
