"""The remainder of a division of floats, exactly.

r - q m is exact for a whole number q below 2**53, if r and m have that many bits. When x/y is
greater than that, multiples of y by powers of two are taken off first. f32 takes, in f64, as many
steps as its greatest quotient needs; f64 would need forty and takes what it needs in a loop, which
is one step nearly always.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from .language import (
    Term,
    bits,
    copysign,
    fma,
    maximum,
    minimum,
    narrow,
    repeat_while,
    scale,
    select,
    shift_right,
    trunc,
    wide,
)


def truncate_modulo_f32(x: Term, y: Term) -> Term:
    """x - y trunc(x/y), with the sign of x."""
    rest = wide(abs(x))
    divisor = minimum(wide(abs(y)), 2.0**200)  # as good as infinity, which has no multiples
    for step in (250, 200, 150, 100, 50, 0):
        rest = _reduced(rest, divisor * 2.0**step)
    return copysign(narrow(rest), x)


def truncate_modulo_f64(x: Term, y: Term) -> Term:
    """x - y trunc(x/y), with the sign of x."""
    rest, divisor = abs(x), abs(y)
    rest = select(rest < math.inf, rest, math.nan)
    divisor = select(divisor > 0.0, divisor, math.nan)
    exponent = _exponent(divisor)

    def unfinished(state: Sequence[Term]) -> Term:
        return state[0] >= divisor

    def step(state: Sequence[Term]) -> list[Term]:
        lift = maximum(_exponent(state[0]) - exponent - 51, 0)
        return [_reduced(state[0], scale(divisor, lift))]

    (rest,) = repeat_while(unfinished, step, [rest])
    return copysign(select(divisor.is_nan(), divisor, rest), x)


def _reduced(rest: Term, multiple: Term) -> Term:
    """The remainder of a division whose quotient is below 2**53."""
    left = fma(-trunc(rest / multiple), multiple, rest)
    return select(left < 0.0, left + multiple, left)


def _exponent(x: Term) -> Term:
    """The biased exponent of a positive f64, below zero for subnormals."""
    small = x < 2.0**-1022
    lifted = shift_right(bits(select(small, x * 2.0**54, x)), 52)
    return lifted - select(small, lifted.constant(54), 0)
