"""Values of special functions by mpmath, for `test_special_values.py`, which does not need it:
`python -m tests.ops.math.special_values` writes `special_values.json`.

A function has rows of operands and of the value, all float64; operands are float32 numbers as well,
but for those named `…, float64`. Those named `…, float32` are for these alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
from mpmath import mpf

FILE = Path(__file__).with_name("special_values.json")
REAL = [1e-30, 1e-6, 0.01, 0.25, 0.5, 0.9, 1.0, 1.5, 2.0, 2.75, 3.9, 4.1, 5.9, 6.1, 7.9, 8.1, 11.7,
        15.9, 16.1, 30.0, 80.0]  # fmt: skip
BOTH = [*REAL, *(-x for x in REAL)]
WAVES = [*REAL, 2.4, 5.5, 3.8, 14.5, 1e3, 3e8, 1e15, 1e20, 1e30]
ROOTS = [2.4048, 5.5201, 0.8936, 3.9577, 2.1971, 3.8317, 14.93]
BELOW = [-0.25, -1.5, -2.45, -2.6, -3.2, -5.9, -7.01, -30.5]
UNIT = [1e-30, 1e-6, 0.01, 0.2, 0.5, 0.75, 0.999]
PAIRS = [(0.5, 0.25), (2.0, 1.5), (2.0, 9.0), (10.0, 8.0), (0.01, 0.5), (30.0, 50.0)]


def dawson(x: Any) -> Any:
    return mpmath.sqrt(mpmath.pi) / 2 * mpmath.exp(-x * x) * mpmath.erfi(x)


def by_shape(a: Any, x: Any) -> Any:
    return mpmath.diff(lambda b: mpmath.gammainc(b, 0, x, regularized=True), a)


def inverse(function: Callable[[Any], Any], scale: float) -> Callable[[Any], Any]:
    """Where a function of one number, close to erf, has a value."""

    def value(y: Any) -> Any:
        low, high = mpf(-40), mpf(40)
        for _ in range(180):
            middle = (low + high) / 2
            low, high = (middle, high) if (function(middle) < y) == (scale > 0) else (low, middle)
        return low

    return value


def gammainc(a: Any, x: Any) -> Any:
    return mpmath.gammainc(a, 0, x, regularized=True)


def lgamma(x: Any) -> Any:
    return mpmath.loggamma(x).real


FUNCTIONS: dict[str, tuple[Callable[..., Any], list[Any]]] = {
    "math.erf": (mpmath.erf, [x for x in BOTH if abs(x) < 6]),
    "math.erfc": (mpmath.erfc, [*REAL[:13], -3.0]),
    "math.erfinv": (mpmath.erfinv, UNIT),
    "math.erfcinv": (inverse(mpmath.erfc, -1), UNIT[1:]),
    "math.ndtri": (inverse(mpmath.ncdf, 1), [x for x in UNIT[1:] if x != 0.5]),
    "math.lgamma": (lgamma, [*REAL, *BELOW, 1e30]),
    "math.lgamma, float64": (lgamma, [1.0000001, 1.9999999, -2.457024738, -2.7476826467, -1e-9,
                                      -3.1435808883, -5.00821816844, -6.00138529, -9.99999972,
                                      1.5554598, 1.7250309, -2.5340818, -2.2604, -2.5, -6.0001,
                                      -11.0000000054858, -14.00000000001, -17.00000000000001,
                                      5e-324, 1e-310, -1e-310]),
    "math.digamma": (lambda x: mpmath.digamma(x).real, [*REAL, *BELOW]),
    "math.digamma, float64": (lambda x: mpmath.digamma(x).real, [-4.98920878, -0.9, -3.97, -9.02]),
    "math.bessel_i0": (lambda x: mpmath.besseli(0, x), BOTH),
    "math.bessel_i1": (lambda x: mpmath.besseli(1, x), BOTH),
    "math.bessel_i0e": (lambda x: mpmath.besseli(0, x) * mpmath.exp(-abs(x)), BOTH),
    "math.bessel_i1e": (lambda x: mpmath.besseli(1, x) * mpmath.exp(-abs(x)), BOTH),
    "math.special.bessel_k0": (lambda x: mpmath.besselk(0, x), REAL),
    "math.special.bessel_k1": (lambda x: mpmath.besselk(1, x), REAL),
    "math.special.bessel_k0e": (lambda x: mpmath.besselk(0, x) * mpmath.exp(x), REAL),
    "math.special.bessel_k1e": (lambda x: mpmath.besselk(1, x) * mpmath.exp(x), REAL),
    **{f"math.special.bessel_{name}, float64": (function, [5e-324, 1e-323, 1e-310]) for
       name, function in {"k0": lambda x: mpmath.besselk(0, x), "k1": lambda x: 1 / x,
                          "k0e": lambda x: mpmath.besselk(0, x), "k1e": lambda x: 1 / x}.items()},
    "math.special.bessel_j0": (lambda x: mpmath.besselj(0, x), WAVES),
    "math.special.bessel_j1": (lambda x: mpmath.besselj(1, x), WAVES),
    "math.special.bessel_y0": (lambda x: mpmath.bessely(0, x), WAVES),
    "math.special.bessel_y1": (lambda x: mpmath.bessely(1, x), WAVES),
    "math.special.bessel_y1, float64": (lambda x: mpmath.bessely(1, x), [4e-309, 1e-300, 1e-9]),
    "math.special.bessel_j0, float32": (lambda x: mpmath.besselj(0, x), ROOTS),
    "math.special.bessel_j1, float32": (lambda x: mpmath.besselj(1, x), ROOTS),
    "math.special.bessel_y0, float32": (lambda x: mpmath.bessely(0, x), ROOTS),
    "math.special.bessel_y1, float32": (lambda x: mpmath.bessely(1, x), ROOTS),
    "math.special.dawsn": (dawson, [*BOTH, 0.0124]),
    "math.special.dawsn, float64": (dawson, [10.1, 12.7, 37.13277, -250.3, 1e8, 1e200]),
    "math.special.expint": (mpmath.ei, [*REAL, 0.4]),
    "math.special.expint, float64": (mpmath.ei, [39.9, 40.1, 40.3357290187904, 61.7, 300.0, 715.0]),
    "math.special.fresnel_sin": (mpmath.fresnels, [x for x in BOTH if abs(x) > 1e-20]),
    "math.special.fresnel_cos": (mpmath.fresnelc, BOTH),
    "math.special.fresnel_cos, float64": (
        mpmath.fresnelc, [1e-9, 0.01, 0.10449346474359844, -0.3, 0.65]
    ),
    "math.special.spence": (lambda x: mpmath.polylog(2, 1 - x).real, [*REAL, 1.001, 0.999]),
    "math.igamma": (gammainc, PAIRS),
    "math.igammac": (lambda a, x: mpmath.gammainc(a, x, regularized=True), PAIRS),
    "math.zeta": (mpmath.zeta, [(1.5, 0.25), (2.0, 1.0), (8.0, 3.5), (3.0, -2.25), (4.0, -7.5)]),
    "math.polygamma": (mpmath.polygamma, [(1, 0.25), (2, 3.0), (5, 8.5), (0, 0.5), (3, -1.25)]),
    "raw_ops.IgammaGradA": (by_shape, [*PAIRS, (1.5, 90.0)]),
    "math.betainc": (
        lambda a, b, x: mpmath.betainc(a, b, 0, x, regularized=True),
        [(0.5, 0.25, 0.125), (2.0, 3.0, 0.75), (30.0, 20.0, 0.5), (1.0, 9.0, 0.01)],
    ),
}  # fmt: skip


def row(function: Callable[..., Any], operands: Any, precise: bool) -> list[float]:
    numbers = operands if isinstance(operands, tuple) else (operands,)
    rounded = [float(x) if precise else float(np.float32(x)) for x in numbers]
    with mpmath.workdps(60):
        return [*rounded, float(function(*map(mpf, rounded)))]


if __name__ == "__main__":
    rows = {
        name: [row(function, one, name.endswith("float64")) for one in operands]
        for name, (function, operands) in FUNCTIONS.items()
    }
    text = ",\n".join(f' "{name}": {json.dumps(found)}' for name, found in rows.items())
    FILE.write_text(f"{{\n{text}\n}}\n")
