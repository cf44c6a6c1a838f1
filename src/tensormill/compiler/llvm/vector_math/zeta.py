"""Hurwitz's zeta function, in f64.

The first terms of the sum one by one, the others by Euler's and Maclaurin's formula (Abramowitz and
Stegun 23.2.9, with q + N in place of N), which is right where q + N is large beside the terms'
number; where s is larger than both, the terms that are left count for nothing.
"""

from __future__ import annotations

import math
from typing import Final

from .exponential import exp
from .language import Kind, Term, fma, maximum, minimum, select
from .logarithm import log
from .power import pow_f64

# B(2k) / (2k)!
_BERNOULLI: Final = (
    1 / 12, -1 / 720, 1 / 30240, -1 / 1209600, 1 / 47900160, -691 / 1307674368000,
    1 / 74724249600, -3617 / 10670622842880000, 43867 / 5109094217170944000,
    -174611 / 802857662698291200000,
)  # fmt: skip
_STEPS: Final = {"f32": 5, "f64": 9}
_TERMS: Final = {"f32": 5, "f64": 10}


def zeta(s: Term, q: Term, precision: Kind) -> Term:
    """The sum of (q + k)**-s for q >= 0: infinite where s is 1, NaN where it is less."""
    power = _quick_power if precision == "f32" else pow_f64
    s = minimum(s, 1e12)
    last = q + float(_STEPS[precision])
    total = power(last, 1.0 - s) * _rest(s, 1.0 / last, _TERMS[precision])
    for k in range(_STEPS[precision] - 1, -1, -1):
        total = total + power(q + float(k), -s)
    total = select(q.equals(math.inf), q.constant(0.0), total)
    return select(s > 1.0, total, select(s.equals(1.0), s.constant(math.inf), math.nan))


def _rest(s: Term, inverse: Term, terms: int) -> Term:
    """What the terms from 1 / inverse on add up to, by the first of them times its base."""
    s = minimum(s, 1e4)
    square = inverse * inverse
    series = s.constant(_BERNOULLI[terms - 1])
    for k in range(terms - 1, 0, -1):
        factor = (s + float(2 * k - 1)) * (s + float(2 * k)) * square
        series = fma(factor, series, _BERNOULLI[k - 1])
    return 1.0 / (s - 1.0) + inverse * fma(s * inverse, series, 0.5)


def _quick_power(base: Term, exponent: Term) -> Term:
    """`base**exponent` for f32: an error of the logarithm times the exponent is left."""
    return exp(maximum(minimum(exponent * log(base), 1000.0), -1000.0))
