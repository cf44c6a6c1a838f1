"""lgamma of float64 near its roots, where SciPy's is right absolutely only."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.polynomial.polynomial import polyval

from .lgamma_roots import FIRST, ROWS, WINDOW

Array = np.ndarray[Any, Any]
_NEAR = 0.5  # from 1 and 2
_EULER = 0.5772156649015329


def corrected(x: Array, found: Array) -> Array:
    """What SciPy found for x, right where it is near 0."""
    positive = np.abs(x - 1.5) < 0.5 + _NEAR
    if positive.any():
        found = np.where(positive, _near_one_and_two(np.where(positive, x, 1.0)), found)
    negative = (x < -2.0) & (x > -18.0)
    if negative.any():
        near, is_near = _near_negative_roots(np.where(negative, x, -2.4))
        found = np.where(negative & is_near, near, found)
    return found


def _near_one_and_two(x: Array) -> Array:
    """By Taylor's series of lgamma(2 + t) (Abramowitz and Stegun 6.1.33)."""
    t = x - np.rint(x)
    found = t * polyval(t, _series())
    return np.where(x < 1.5, found - np.log1p(t), found)


@cache
def _series() -> Array:
    from scipy.special import zetac

    k = np.arange(2, 30)
    return np.concatenate([[1.0 - _EULER], (-1.0) ** k * zetac(k) / k])


def _near_negative_roots(x: Array) -> tuple[Array, Array]:
    """The logarithm of a quotient of two sines, and Taylor's series of what is smooth; and where
    that holds.
    """
    half = np.clip(np.floor(x * -2.0) - FIRST, 0, len(ROWS) - 1).astype(np.intp)
    root, rest, inverse_sine, *terms = np.moveaxis(np.array(ROWS)[half], -1, 0)
    distance = (x - root) - rest
    from_pole = x - np.rint(root)  # that of -2.5, too, is the root's
    middle = from_pole - distance / 2
    turn = 2.0 * np.cos(np.pi * middle) * np.sin(np.pi / 2 * distance) * inverse_sine
    is_near = (np.abs(distance) < WINDOW) & (from_pole != 0)
    # Towards the pole, and away from it, the quotient itself has more digits than what it is by.
    is_little = np.abs(turn) < 0.5
    quotient = np.sin(np.pi * from_pole) * inverse_sine
    logarithm = np.where(
        is_little,
        np.log1p(np.where(is_little, turn, 0.0)),
        np.log(np.where(is_near & ~is_little, quotient, 1.0)),
    )
    smooth = polyval(distance, np.array(terms), tensor=False)
    return distance * smooth - logarithm, is_near
