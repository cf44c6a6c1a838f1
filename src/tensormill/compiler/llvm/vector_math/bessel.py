"""The Bessel functions J and Y, of orders 0 and 1, in f64.

Up to 6 J is a series in x², and Y a logarithm times J and such a series (Abramowitz and Stegun
9.1.13). Beyond, both come from the sine and cosine of x and two series in 36/x² (9.2.5, 9.2.6).
`precision` says how many coefficients count, and how the angle is reduced.
"""

from __future__ import annotations

import math

from ....core.process.named_tuples import NamedTuple
from . import series
from .chebyshev import Series
from .language import Kind, Term, fma, maximum, minimum, select, sign_bit, sqrt, with_sign
from .logarithm import log
from .trigonometric import sine_and_cosine

_TWO_OVER_PI = 2.0 / math.pi


# The squares of the first roots of J0 and J1, each as a float and what is left of it.
_J0_ROOTS = (
    (5.783185962946784, 4.123247343506204e-16),
    (30.471262343662087, -2.366534485750659e-16),
)
_J1_ROOTS = ((14.681970642123893, -9.858177825793294e-17),)


class Wave(NamedTuple):
    """Of the functions of one order beyond 6: how high they are there, and the angle's parts."""

    height: Term
    p: Term
    q: Term
    sine: Term
    cosine: Term


def _wave(x: Term, order: int, p: Series, q: Series, precision: Kind) -> Wave:
    """For x >= 0; the angle is x - (2 order + 1) π/4."""
    x = maximum(x, 6.0)
    inverse = 1.0 / x
    square = (inverse * 36.0) * inverse
    sine, cosine = sine_and_cosine(select(x < math.inf, x, 6.0), precision)
    total, difference = cosine + sine, sine - cosine
    pair = (difference, total) if order == 0 else (-total, difference)
    height = sqrt(inverse) * math.sqrt(1.0 / math.pi)
    found = p.value(square, precision), inverse * q.value(square, precision)
    return Wave(height, *found, *pair)


def j0(x: Term, precision: Kind) -> Term:
    """J0(x), even."""
    magnitude = abs(x)
    near_x = minimum(magnitude, 6.0)
    near = _j0_near(near_x, near_x * near_x, precision)
    wave = _wave(magnitude, 0, series.P0, series.Q0, precision)
    return select(magnitude <= 6.0, near, _cosine(wave))


def _j0_near(x: Term, square: Term, precision: Kind) -> Term:
    rest = series.J0_NEAR.value(square, precision)
    found = _from_root(x, _J0_ROOTS[0]) * (_from_root(x, _J0_ROOTS[1]) * rest)
    return select(square.equals(0.0), square.constant(1.0), found)


def _j1_near(x: Term, square: Term, precision: Kind) -> Term:
    return x * (_from_root(x, _J1_ROOTS[0]) * series.J1_NEAR.value(square, precision))


def _from_root(x: Term, square_of_root: tuple[float, float]) -> Term:
    """x² - r², right where it is nearly 0."""
    high, low = square_of_root
    return fma(x, x, -high) - low


def j1(x: Term, precision: Kind) -> Term:
    """J1(x), odd."""
    magnitude = abs(x)
    near_x = maximum(minimum(x, 6.0), -6.0)
    near = _j1_near(near_x, near_x * near_x, precision)
    far = _cosine(_wave(magnitude, 1, series.P1, series.Q1, precision))
    return select(magnitude <= 6.0, near, with_sign(far, sign_bit(x)))


def y0(x: Term, precision: Kind) -> Term:
    """Y0(x): minus infinity at 0, NaN below."""
    near_x = minimum(x, 6.0)
    square = near_x * near_x
    j = _j0_near(near_x, square, precision)
    near = _TWO_OVER_PI * log(x) * j + series.Y0_NEAR.value(square, precision)
    return select(x <= 6.0, near, _sine(_wave(x, 0, series.P0, series.Q0, precision)))


def y1(x: Term, precision: Kind) -> Term:
    """Y1(x): minus infinity at 0, NaN below."""
    near_x = minimum(x, 6.0)
    square = near_x * near_x
    j = _j1_near(near_x, square, precision)
    product = log(maximum(x, 2.0**-1000)) * j
    # 1 / x overflows where Y1 does not yet.
    pole = x.constant(_TWO_OVER_PI) / abs(x)
    near = fma(product, _TWO_OVER_PI, -pole) + x * series.Y1_NEAR.value(square, precision)
    near = select(x < 0.0, x.constant(math.nan), near)
    return select(x <= 6.0, near, _sine(_wave(x, 1, series.P1, series.Q1, precision)))


def _cosine(wave: Wave) -> Term:
    return wave.height * (wave.p * wave.cosine - wave.q * wave.sine) + 0.0  # no -0 at infinity


def _sine(wave: Wave) -> Term:
    return wave.height * (wave.p * wave.sine + wave.q * wave.cosine) + 0.0
