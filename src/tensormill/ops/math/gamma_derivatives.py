"""The derivative of the incomplete gamma function by its shape, in NumPy.

Both ways give it over the density x^(a-1) e^-x / gamma(a), which may be too small for a number.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]
_TINY = 1e-17  # beside the sum
_MOST_STEPS = 1000


def by_shape_over_density(a: Array, x: Array) -> Array:
    """The derivative of P(a, x) by a over that by x; a and x are positive, of one shape."""
    above = (x > 1) & (x > a)
    found = np.empty(a.shape)
    found[above] = -_upper(a[above], x[above])
    found[~above] = _lower(a[~above], x[~above])
    return found


def _lower(a: Array, x: Array) -> Array:
    """By the series of P: the sum of t (log x - digamma(a + n + 1)), where t is
    x^(n+1) / (a (a+1) ... (a+n)) (Abramowitz and Stegun 6.5.29).
    """
    from scipy.special import digamma

    logarithm, term, psi = np.log(x), x / a, digamma(a + 1)
    total = np.zeros(a.shape)
    for step in range(int(x.max(initial=0) * 2) + _MOST_STEPS):
        added = term * (logarithm - psi)
        total = total + added
        if (np.abs(added) <= _TINY * np.abs(total)).all():
            break
        psi = psi + 1 / (a + step + 1)
        term = term * x / (a + step + 1)
    return total


def _upper(a: Array, x: Array) -> Array:
    """By the continued fraction of Q, which is x times the density times
    1/(x+1-a- 1(1-a)/(x+3-a- 2(2-a)/(x+5-a- ...))) (6.5.31): Lentz's way to compute it, every step
    differentiated by a.
    """
    from scipy.special import digamma

    b = x + 1 - a
    d, slope_d = 1 / b, 1 / b**2
    c, slope_c = np.full(a.shape, np.inf), np.zeros(a.shape)
    value, slope = d, slope_d / d  # the slope of the logarithm
    for step in range(1, int(x.max(initial=0)) + _MOST_STEPS):
        numerator, slope_numerator = -step * (step - a), float(step)
        b = b + 2
        bottom = b + numerator * d
        slope_bottom = -1 + slope_numerator * d + numerator * slope_d
        top = b + numerator / c
        slope_top = -1 + slope_numerator / c - numerator * slope_c / c**2
        d, slope_d = 1 / bottom, -slope_bottom / bottom**2
        c, slope_c = top, slope_top
        factor = c * d
        added = slope_c / c + slope_d / d
        value, slope = value * factor, slope + added
        if (np.abs(factor - 1) < 1e-16).all() and (np.abs(added) <= 1e-16 * np.abs(slope)).all():
            break
    return x * value * (slope + np.log(x) - digamma(a))
