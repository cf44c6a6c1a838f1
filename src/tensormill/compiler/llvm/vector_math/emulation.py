"""Operations that old x86 processors lack, as recipes: no call of the C library is left.

Used where a processor has no FMA or no SSE4.1, and by the NumPy reader, which has no fused
multiply-add either.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from .language import (
    Term,
    bits,
    copysign,
    float_of_bits,
    narrow,
    select,
    wide,
)


def fused_multiply_add(x: Term, y: Term, z: Term) -> Term:
    """`x * y + z`: rounded once for f32, with an error below one in 2**105 of the terms for f64."""
    if x.kind == "f32":
        return _rounded_once(wide(x), wide(y), wide(z))
    return _nearly_fused(x, y, z)


def _nearly_fused(x: Term, y: Term, z: Term) -> Term:
    """`x * y + z` with the exact product of f32, or a product of f64 and its error."""
    if x.kind == "f32":
        return narrow(wide(x) * wide(y) + wide(z))
    product, product_error = exact_product(x, y)
    total, total_error = exact_sum(product, z)
    correction = total_error + product_error
    # Splitting overflows near the end of the range, where corrections don't matter.
    return select((correction * 0.0).equals(0.0), total + correction, total)


def _multiply_then_add(x: Term, y: Term, z: Term) -> Term:
    return x * y + z


def _rounded_once(x: Term, y: Term, z: Term) -> Term:
    """The product is exact in f64; the sum is rounded to odd there, so narrowing rounds once.

    Rounding to odd: Boldo and Melquiond, "Emulation of FMA and correctly rounded sums" (2008).
    """
    total, error = exact_sum(x * y, z)
    pattern = bits(total)
    away = ((error > 0.0) ^ (total < 0.0)) & (error * 0.0).equals(0.0)
    inexact_and_even = (error < 0.0) | (error > 0.0)
    towards = select(away, pattern + 1, pattern - 1)
    even = (pattern & 1).equals(0)
    finite = (error * 0.0).equals(0.0)
    return narrow(float_of_bits(select(inexact_and_even & even & finite, towards, pattern)))


def exact_sum(x: Term, y: Term) -> tuple[Term, Term]:
    """The rounded sum and its error (Knuth 1969)."""
    total = x + y
    part = total - x
    return total, (x - (total - part)) + (y - part)


def exact_product(x: Term, y: Term) -> tuple[Term, Term]:
    """The rounded product of two f64 and its error (Dekker 1971, Veltkamp 1968)."""
    product = x * y
    (x_high, x_low), (y_high, y_low) = _halves(x), _halves(y)
    error = ((x_high * y_high - product) + x_high * y_low + x_low * y_high) + x_low * y_low
    return product, error


def _halves(x: Term) -> tuple[Term, Term]:
    large = x * 134217729.0
    high = large - (large - x)
    return high, x - high


def _rint(x: Term) -> Term:
    """Adding 2**(mantissa bits) to |x| leaves no room for a fraction."""
    limit = 2.0**23 if x.kind == "f32" else 2.0**52
    magnitude = abs(x)
    rounded = (magnitude + limit) - limit
    return copysign(select(magnitude < limit, rounded, magnitude), x)


def _trunc(x: Term) -> Term:
    magnitude = abs(x)
    rounded = _rint(magnitude)
    return copysign(select(rounded > magnitude, rounded - 1.0, rounded), x)


def _floor(x: Term) -> Term:
    rounded = _rint(x)
    return copysign(select(rounded > x, rounded - 1.0, rounded), x)


def _ceil(x: Term) -> Term:
    rounded = _rint(x)
    return copysign(select(rounded < x, rounded + 1.0, rounded), x)


EMULATIONS: Final[dict[str, Callable[..., Term]]] = {
    "fma": _nearly_fused,
    "multiply-add": _multiply_then_add,
    "floor": _floor,
    "ceil": _ceil,
    "trunc": _trunc,
    "rint": _rint,
}
