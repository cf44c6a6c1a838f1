"""log, log1p, log2 and log10.

x = 2**e m with m near 1, and log x = e ln 2 + log1p(f) where f = m - 1.
"""

from __future__ import annotations

import math
from typing import Final

from ....core.process.named_tuples import NamedTuple
from .exponential import LN2
from .language import (
    Term,
    bits,
    float_of_bits,
    fma,
    polynomial,
    quick_polynomial,
    select,
    to_float,
)


class Format(NamedTuple):
    """What taking a float apart needs."""

    mantissa: int
    mask: int
    least_m: int
    least_normal: float
    lift: int


# m lies in [2/3, 4/3) for f32, in [sqrt(1/2), sqrt(2)) for f64. Subnormals are lifted by 2**lift.
FORMAT: Final = {
    "f32": Format(23, (1 << 23) - 1, 0x3F2AAAAB, 2.0**-126, 24),
    "f64": Format(52, (1 << 52) - 1, 0x3FE6A09E667F3BCD, 2.0**-1022, 54),
}

# (log1p(f) - f + f²/2) / f³ on |f| <= 1/3, relative to log1p(f): error 2**-27.7.
F32: Final = (
    0.3333321511745453,
    -0.2499980628490448,
    0.2001042664051056,
    -0.16680197417736053,
    0.14005734026432037,
    -0.12187446653842926,
    0.13984595239162445,
    -0.12880216538906097,
)
# (2 atanh(s) - 2s) / s³ in z = s², |s| <= 0.1716, relative to 2 atanh(s).
F64: Final = (
    0.6666666666667271,
    0.399999999961598,
    0.2857142939565364,
    0.2222213847051521,
    0.1818635737708763,
    0.15250161895933473,
    0.1536840156833988,
)


def taken_apart(x: Term) -> tuple[Term, Term]:
    """(e, m) with x = 2**e m, both floats, for positive x; subnormals included."""
    form = FORMAT[x.kind]
    small = x < form.least_normal
    pattern = bits(select(small, x * 2.0**form.lift, x)) - form.least_m
    e = to_float(pattern >> form.mantissa) - select(small, x.constant(form.lift), 0.0)
    return e, float_of_bits((pattern & form.mask) + form.least_m)


def log1p_of_fraction(f: Term) -> tuple[Term, Term]:
    """log1p(f) as f plus a correction, for f = m - 1."""
    if f.kind == "f32":
        square = f * f
        return f, square * fma(f, quick_polynomial(f, F32), -0.5)
    # log1p(f) = f - f²/2 + s (f²/2 + R), s = f / (2 + f): the error of s hardly counts (fdlibm).
    s = f / (2.0 + f)
    half_square = 0.5 * f * f
    z = s * s
    return f, fma(s, fma(z, polynomial(z, F64), half_square), -half_square)


def with_edges(x: Term, result: Term) -> Term:
    """A logarithm's values at zero, infinity, NaN and below zero."""
    infinity = x.constant(math.inf)
    result = select(x < math.inf, result, x)
    result = select(x.equals(0.0), -infinity, result)
    return select(x < 0.0, x.constant(math.nan), result)


def log(x: Term) -> Term:
    """The natural logarithm."""
    ln2 = LN2[x.kind]
    e, m = taken_apart(x)
    f, correction = log1p_of_fraction(m - 1.0)
    return with_edges(x, fma(e, ln2.high, f + fma(e, ln2.low, correction)))


def log1p(x: Term) -> Term:
    """log(1 + x). f = (1 + x) 2**-e - 1 is made from x itself, so that no bit of x is lost."""
    return log1p_raised(x, x.constant(0.0))


def log1p_raised(x: Term, raise_by: Term) -> Term:
    """log(2**raise_by (1 + x)) for a whole number raise_by."""
    ln2, form = LN2[x.kind], FORMAT[x.kind]
    total = 1.0 + x
    exponent = (bits(total) - form.least_m) >> form.mantissa
    # 4 · 2**-e, as the greatest e has no 2**-e; then x / 4, which might lose a subnormal's bits.
    down = float_of_bits(bits(x.constant(4.0)) - (exponent << form.mantissa))
    fraction = fma(x * 0.25, down, fma(down, 0.25, -1.0))
    f, correction = log1p_of_fraction(select(exponent.equals(0), x, fraction))
    e = to_float(exponent) + raise_by
    result = fma(e, ln2.high, f + fma(e, ln2.low, correction))
    return select(x.equals(0.0), x, with_edges(total, result))


# log2(e) and log10(e), log10(2): each as a short float and the rest.
_LOG2_E: Final = {
    "f32": (1.4426950216293335, 1.9259629911266175e-08),
    "f64": (1.4426950408889634, 2.0355273740931033e-17),
}
_LOG10_E: Final = {
    "f32": (0.4342944920063019, -1.0103050118726031e-08),
    "f64": (0.4342944819032518, 1.098319650216765e-17),
}
_LOG10_2: Final = {
    "f32": (0.301025390625, 4.605038981195214e-06),
    "f64": (0.3010299956639, 8.119521373889472e-14),
}


def log2(x: Term) -> Term:
    """The logarithm to base 2; exact at powers of two."""
    e, m = taken_apart(x)
    high, low = _LOG2_E[x.kind]
    f, correction = log1p_of_fraction(m - 1.0)
    rest = fma(correction, high, f * low)
    return with_edges(x, e + fma(f, high, rest))


def log10(x: Term) -> Term:
    """The logarithm to base 10."""
    e, m = taken_apart(x)
    (high, low), (two_high, two_low) = _LOG10_E[x.kind], _LOG10_2[x.kind]
    f, correction = log1p_of_fraction(m - 1.0)
    rest = fma(correction, high, fma(f, low, e * two_low))
    return with_edges(x, fma(e, two_high, fma(f, high, rest)))
