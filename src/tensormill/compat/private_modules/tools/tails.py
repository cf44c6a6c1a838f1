"""Distribution functions that `ops.distributions.special_math` has: tails by their logarithms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....core import dtypes
from ....ops.array.select import where
from ....ops.conversion import as_tensor
from ....ops.math import special
from ....ops.math.arithmetic import maximum, minimum, square
from ....ops.math.elementwise import erf, erfc, exp, log, log1p
from ....ops.math.signs import abs as absolute

WANTED = "{}.dtype={!r} is not handled, see docstring for supported types."
MANY_TERMS = 30


def _floats(x: Any, word: str) -> Any:
    found = as_tensor(x)
    if found.dtype not in (dtypes.float32, dtypes.float64):
        raise TypeError(WANTED.format(word, found.dtype))
    return found


def ndtr(x: Any, name: str = "ndtr") -> Any:
    """How probable a standard normal number up to `x` is.

    Raises:
        TypeError: `x` is neither float32 nor float64.
    """
    x = _floats(x, "x")
    half = math.sqrt(0.5)
    z = absolute(x * half)
    tail = erfc(z)
    return 0.5 * where(z < half, 1.0 + erf(x * half), where(x > 0.0, 2.0 - tail, tail))


def ndtri(p: Any, name: str = "ndtri") -> Any:
    """The inverse of `ndtr`.

    Raises:
        TypeError: `p` is neither float32 nor float64.
    """
    return special.ndtri(_floats(p, "p"))


def erfinv(x: Any, name: str = "erfinv") -> Any:
    """The inverse of the error function.

    Raises:
        TypeError: `x` is neither float32 nor float64.
    """
    return special.erfinv(_floats(x, "x"))


def log_ndtr(x: Any, series_order: int = 3, name: str = "log_ndtr") -> Any:
    """The logarithm of `ndtr`, far below by so many terms of its asymptotic series.

    Raises:
        TypeError: `x` is neither float32 nor float64, or `series_order` no integer.
        ValueError: `series_order` is not in [0, 30].
    """
    if not isinstance(series_order, int):
        raise TypeError("series_order must be a Python integer.")
    if series_order < 0:
        raise ValueError("series_order must be non-negative.")
    if series_order > MANY_TERMS:
        raise ValueError("series_order must be <= 30.")
    x = as_tensor(x)
    if x.dtype not in (dtypes.float32, dtypes.float64):
        raise TypeError(f"x.dtype={x.dtype!r} is not supported.")
    low, high = (-20.0, 8.0) if x.dtype is dtypes.float64 else (-10.0, 5.0)
    far, near = minimum(x, low), maximum(x, low)
    below = -0.5 * square(far) - log(-far) - 0.5 * math.log(2 * math.pi)
    below += log(_series(square(far), series_order))
    inside = log(ndtr(minimum(near, high)))
    return where(x > high, -ndtr(-x), where(x > low, inside, below))


def _series(squares: Any, terms: int) -> Any:
    """1 - 1/x^2 + 3/x^4 - 15/x^6 + ..."""
    found, term = 1.0, 1.0
    for order in range(1, terms + 1):
        term = -term * (2 * order - 1) / squares
        found += term
    return as_tensor(found, squares.dtype)


def log_cdf_laplace(x: Any, name: str = "log_cdf_laplace") -> Any:
    """How probable a number up to `x` of Laplace's distribution is, as a logarithm."""
    x = as_tensor(x)
    falls = exp(-absolute(x))
    return where(x < 0.0, x - np.log(2.0).astype(x.dtype.storage), log1p(-0.5 * falls))
