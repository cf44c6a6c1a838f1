"""Where the series of `vector_math/series.py` come from: `python -m tests.compiler.llvm.chebyshev`.

Chebyshev coefficients of what is left of a special function when the factors that vary most are
taken out, by mpmath. A series ends where what follows adds up to less than the error that f64
(second figure, bits) allows; f32 reads as much of it as it needs (first figure).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import mpmath
from mpmath import besseli, besselj, besselk, bessely, exp, log, mpf, pi, polylog, sqrt

Function = Callable[[Any], Any]


class Form(NamedTuple):
    """What is fitted, where, and the errors in bits that f32 and f64 may have."""

    function: Function
    low: float
    high: float
    short_bits: int
    bits: int


def of_root(function: Function) -> Function:
    return lambda square: function(sqrt(square))


def of_inverse(function: Function, start: float) -> Function:
    """In start / x: all x from `start` on."""
    return lambda t: function(start / t)


def hankel(order: int, square: Any) -> tuple[Any, Any]:
    """P and x Q: J = sqrt(2/(πx)) (P cos θ - Q sin θ), Y with sin and cos (A&S 9.2.5)."""
    x = sqrt(square)
    angle = x - (2 * order + 1) * pi / 4
    cosine, sine = mpmath.cos(angle), mpmath.sin(angle)
    j, y = (f(order, x) * sqrt(pi * x / 2) for f in (besselj, bessely))
    return j * cosine + y * sine, (y * cosine - j * sine) * x


def dawson(x: Any) -> Any:
    return sqrt(pi) / 2 * exp(-x * x) * mpmath.erfi(x)


def auxiliary(x: Any) -> tuple[Any, Any]:
    """πx f and π²x³ g of Fresnel's integrals (A&S 7.3.5, 7.3.6)."""
    c, s = mpmath.fresnelc(x) - mpf(1) / 2, mpmath.fresnels(x) - mpf(1) / 2
    cosine, sine = mpmath.cos(pi * x * x / 2), mpmath.sin(pi * x * x / 2)
    return pi * x * (c * sine - s * cosine), -(pi**2) * x**3 * (c * cosine + s * sine)


def without(x: Any, roots: list[Any]) -> Any:
    """The product of x² - r² over the roots, which is divided out."""
    return mpmath.fprod(x * x - root * root for root in roots)


def j0_roots() -> list[Any]:
    return [mpmath.besseljzero(0, 1), mpmath.besseljzero(0, 2)]


def j1_roots() -> list[Any]:
    return [mpmath.besseljzero(1, 1)]


def k0_rest(x: Any) -> Any:
    return besselk(0, x) + log(x / 2) * besseli(0, x)


def k1_rest(x: Any) -> Any:
    return (besselk(1, x) - 1 / x - log(x / 2) * besseli(1, x)) / x


def y0_rest(x: Any) -> Any:
    return bessely(0, x) - 2 / pi * log(x) * besselj(0, x)


def y1_rest(x: Any) -> Any:
    return (bessely(1, x) - 2 / pi * (log(x) * besselj(1, x) - 1 / x)) / x


def scaled_ei(x: Any) -> Any:
    return x * exp(-x) * mpmath.ei(x)


def stirlings_rest(a: Any) -> Any:
    """What Stirling's formula leaves of the gamma function: a factor (Gil et al. 2012)."""
    return mpmath.gamma(a) * exp(a) * a ** (mpf(1) / 2 - a) / sqrt(2 * pi)


def erfinv_of(w: Any) -> Any:
    """The inverse error function of x, over x, where w = -log(1 - x²) (Giles 2010)."""
    x = sqrt(1 - exp(-w))
    return mpmath.erfinv(x) / x if w else sqrt(pi) / 2


def fourth_root(function: Function) -> Function:
    return lambda power: function(mpmath.root(power, 4))


FORMS: dict[str, Form] = {
    "I0E_NEAR": Form(lambda x: exp(-x) * besseli(0, x), 0, 8, 30, 56),
    "I0E_FAR": Form(of_inverse(lambda x: exp(-x) * besseli(0, x) * sqrt(x), 8), 0, 1, 31, 57),
    "I1E_NEAR": Form(lambda x: exp(-x) * besseli(1, x) / x, 0, 8, 33, 59),
    "I1E_FAR": Form(of_inverse(lambda x: exp(-x) * besseli(1, x) * sqrt(x), 8), 0, 1, 31, 57),
    "I0_SMALL": Form(of_root(lambda x: besseli(0, x)), 0, 4, 30, 56),
    "I1_SMALL": Form(of_root(lambda x: besseli(1, x) / x), 0, 4, 30, 56),
    "K0_SMALL": Form(of_root(k0_rest), 0, 4, 33, 58),
    "K1_SMALL": Form(of_root(k1_rest), 0, 4, 33, 58),
    "K0_FAR": Form(of_inverse(lambda x: besselk(0, x) * exp(x) * sqrt(x), 2), 0, 1, 30, 56),
    "K1_FAR": Form(of_inverse(lambda x: besselk(1, x) * exp(x) * sqrt(x), 2), 0, 1, 30, 56),
    "J0_NEAR": Form(of_root(lambda x: besselj(0, x) / without(x, j0_roots())), 0, 36, 54, 66),
    "J1_NEAR": Form(of_root(lambda x: besselj(1, x) / x / without(x, j1_roots())), 0, 36, 52, 64),
    "Y0_NEAR": Form(of_root(y0_rest), 0, 36, 46, 58),
    "Y1_NEAR": Form(of_root(y1_rest), 0, 36, 48, 60),
    "P0": Form(of_inverse(lambda u: hankel(0, u)[0], 36), 0, 1, 42, 56),
    "Q0": Form(of_inverse(lambda u: hankel(0, u)[1], 36), 0, 1, 40, 56),
    "P1": Form(of_inverse(lambda u: hankel(1, u)[0], 36), 0, 1, 42, 56),
    "Q1": Form(of_inverse(lambda u: hankel(1, u)[1], 36), 0, 1, 40, 56),
    "DAWSN_NEAR": Form(of_root(lambda x: dawson(x) / x), 0, 16, 34, 60),
    "DAWSN_FAR": Form(of_inverse(of_root(lambda x: dawson(x) * x), 16), 0, 1, 31, 56),
    "EIN": Form(lambda x: (mpmath.ei(x) - mpmath.euler - log(abs(x))) / x, -1, 1, 46, 58),
    "E1": Form(lambda t: (lambda x: x * exp(x) * mpmath.e1(x))(2 * (1 + t) / (1 - t)),
               -1 / 3, 1, 30, 55),
    "EI_NEAR": Form(scaled_ei, 1, 6, 30, 55),
    "EI_MIDDLE": Form(scaled_ei, 6, 16, 30, 56),
    "EI_FAR": Form(of_inverse(scaled_ei, 16), 0, 1, 30, 56),
    "S_NEAR": Form(fourth_root(lambda x: mpmath.fresnels(x) / x**3), 0, 39.0625, 36, 60),
    "C_NEAR": Form(fourth_root(lambda x: mpmath.fresnelc(x) / x), 0, 39.0625, 34, 58),
    "F_FAR": Form(of_inverse(fourth_root(lambda x: auxiliary(x)[0]), 39.0625), 0, 1, 29, 54),
    "G_FAR": Form(of_inverse(fourth_root(lambda x: auxiliary(x)[1]), 39.0625), 0, 1, 27, 52),
    "SPENCE": Form(lambda w: polylog(2, -w).real / w if w else mpf(-1), -0.5, 0.5, 31, 56),
    "ERFINV_NEAR": Form(erfinv_of, 0, 5, 31, 31),
    "ERFINV_FAR": Form(lambda root: erfinv_of(root * root), 5**0.5, 4.125, 31, 31),
    "NDTRI_FAR": Form(
        lambda u: erfinv_of((1 / u - 1) ** 2) * u, 1 / 11.2, 1 / (1 + 5**0.5), 31, 31
    ),
    "STIRLING": Form(of_inverse(stirlings_rest, 1), 0, 1, 34, 57),
}  # fmt: skip


def coefficients(form: Form, count: int = 64) -> list[Any]:
    """Those of the polynomial that meets the function at the roots of the next one."""
    with mpmath.workdps(150):
        middle, half = (mpf(form.high) + form.low) / 2, (mpf(form.high) - form.low) / 2
        angles = [pi * (2 * k + 1) / (2 * count) for k in range(count)]
        values = [form.function(middle + half * mpmath.cos(angle)) for angle in angles]
        sums = [
            mpmath.fsum(v * mpmath.cos(k * angle) for v, angle in zip(values, angles, strict=True))
            for k in range(count)
        ]
        return [sums[0] / count, *(2 * one / count for one in sums[1:])]


def needed(series: list[Any], bits: int) -> int:
    """How many coefficients: what is left out adds up to less than 2**-bits."""
    left, count = mpf(0), len(series)
    while count and left + abs(series[count - 1]) < mpf(2) ** -bits:
        left += abs(series[count - 1])
        count -= 1
    return count


def lines(name: str, form: Form) -> list[str]:
    series = coefficients(form)
    short, count = needed(series, form.short_bits), needed(series, form.bits)
    rows, row = [], "   "
    for number in series[:count]:
        word = f" {float(number)!r},"
        if len(row + word) > 98:
            rows, row = [*rows, row], "   "
        row += word
    return [f"{name}: Final = Series({form.low!r}, {form.high!r}, {short}, (", *rows, row, "))"]


HEADER = '''"""Chebyshev series of special functions; `tests/compiler/llvm/chebyshev.py` writes this
file and says what of each function a series stands for.
"""

from __future__ import annotations

from typing import Final

from .chebyshev import Series

# fmt: off
'''

FILE = Path(__file__).parents[3] / "src/tensormill/compiler/llvm/vector_math/series.py"

if __name__ == "__main__":
    text = "\n".join(line for name, form in FORMS.items() for line in lines(name, form))
    FILE.write_text(f"{HEADER}{text}\n# fmt: on\n")
