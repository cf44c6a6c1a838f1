"""Chebyshev series, read as polynomials."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from ....core.process.named_tuples import NamedTuple
from .language import Kind, Term, fma, polynomial


class Series(NamedTuple):
    """c[0] + c[1] T1(t) + c[2] T2(t) …, where t goes from -1 to 1 as x does from low to high.

    What is enough for f32 are the first `short` coefficients.
    """

    low: float
    high: float
    short: int
    coefficients: tuple[float, ...]

    def value(self, x: Term, precision: Kind) -> Term:
        """The sum at x, an f64 between low and high, as right as `precision` asks for."""
        count = self.short if precision == "f32" else len(self.coefficients)
        width = self.high - self.low
        t = fma(x, 2.0 / width, -(self.high + self.low) / width)
        return polynomial(t, powers(self.coefficients[:count]))


@cache
def powers(coefficients: tuple[float, ...]) -> tuple[float, ...]:
    """The same polynomial by powers of t, each coefficient rounded once."""
    last, this = [Fraction(1)], [Fraction(0), Fraction(1)]
    total = [Fraction(0)] * (len(coefficients) + 1)
    for coefficient in coefficients:
        for k, one in enumerate(last):
            total[k] += one * Fraction(coefficient)
        doubled = [Fraction(0), *(2 * one for one in this)]
        last, this = this, [a - b for a, b in zip(doubled, [*last, 0, 0], strict=False)]
    return tuple(map(float, total[: len(coefficients)]))
