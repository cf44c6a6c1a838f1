"""x**y and 1/sqrt(x).

x**y = e**(y log|x|). An error of the logarithm is multiplied by up to 150 (f32) or 745 (f64), so
f32 takes it in f64, and f64 as an unevaluated sum of two numbers.
"""

from __future__ import annotations

import math
from typing import Final

from .emulation import exact_sum
from .exponential import LN2, LOG2_E, exp_of_sum, polynomial_exp
from .language import (
    RAISED,
    Term,
    fma,
    maximum,
    minimum,
    narrow,
    polynomial,
    quick_polynomial,
    rint,
    round_to_integer,
    scale_by_raised,
    select,
    sign_bit,
    sqrt,
    wide,
    with_sign,
)
from .logarithm import taken_apart

# (log1p(f) - f + f²/2)/f³ on [-0.293, 0.4143], error 2**-35.6 of log1p.
_LOG: Final = (
    0.33333333893007583,
    -0.24999997073281113,
    0.19999911171096213,
    -0.16666855221321838,
    0.14290177726158793,
    -0.12498286592176813,
    0.11014741281810111,
    -0.09924497696261236,
    0.09988738484718543,
    -0.09863459290770284,
    0.05386765136688258,
)
# ((2 atanh(s) - 2s)/s³ - 2/3)/s² in s², |s| <= 0.1716, error 2**-73 of log.
_ATANH: Final = (
    0.3999999999999998,
    0.2857142857144384,
    0.22222222217789595,
    0.18181818844030972,
    0.15384558424637967,
    0.13336264693926367,
    0.11675775953470852,
    0.11981798914097143,
)
_TWO_THIRDS: Final = (0.6666666666666666, 3.700743415417188e-17)


def rsqrt(x: Term) -> Term:
    """1 / sqrt(x)."""
    return 1.0 / sqrt(x)


def pow_f32(x: Term, y: Term) -> Term:
    """x**y with the logarithm in f64, the exponential in f32."""
    base, exponent = wide(abs(x)), wide(y)
    e, m = taken_apart(base)
    f = m - 1.0
    square = f * f
    log_m = fma(square, fma(f, quick_polynomial(f, _LOG), -0.5), f)
    log2 = _log_edges(base, fma(log_m, LOG2_E, e))
    power = minimum(maximum(exponent * log2, -160.0), 160.0)
    whole, integer = round_to_integer(power, raised=RAISED["f32"])
    r = narrow((power - whole) * math.log(2))
    return _signed_power(x, y, scale_by_raised(polynomial_exp(r), narrow(integer)))


def pow_f64(x: Term, y: Term) -> Term:
    """x**y with the logarithm as a sum of two f64."""
    base = abs(x)
    high, low = _log(base)
    high = _log_edges(base, high)
    power = y * high
    rest = fma(y, high, -power) + y * low
    # Far beyond the range, and at infinities, the rest is no number.
    rest = select(abs(power) < 1000.0, rest, 0.0)
    return _signed_power(x, y, exp_of_sum(power, rest))


def _log_edges(x: Term, result: Term) -> Term:
    """The logarithm's values at zero, infinity and NaN."""
    return select(x.equals(0.0), x.constant(-math.inf), select(x < math.inf, result, x))


def _signed_power(x: Term, y: Term, magnitude: Term) -> Term:
    """What IEEE 754 says of pow's sign and special cases, given |x|**y."""
    whole = rint(y).equals(y)
    half = y * 0.5
    odd = whole & (rint(half).equals(half) ^ True)
    magnitude = select(abs(x).equals(1.0) | y.equals(0.0), x.constant(1.0), magnitude)
    defined = whole | (x >= 0.0) | x.equals(-math.inf) | x.is_nan()
    result = select(defined, magnitude, math.nan)
    flipped = with_sign(result, sign_bit(x))
    result = select(odd, flipped, result)
    return select(y.equals(0.0) | x.equals(1.0), x.constant(1.0), result)


def _log(x: Term) -> tuple[Term, Term]:
    """The natural logarithm of a positive f64 as high + low, right to about 2**-66.

    log m = 2s + s³ (2/3 + s² q(s²)), s = (m - 1)/(m + 1); the first terms in twice the precision.
    """
    e, m = taken_apart(x)
    f = m - 1.0
    d, d_rest = exact_sum(m, m.constant(1.0))
    inverse = 1.0 / d
    s = f * inverse
    s_rest = fma(-s, d_rest, fma(-s, d, f)) * inverse
    z = s * s
    z_rest = fma(s, s, -z) + 2.0 * s * s_rest
    series = z * polynomial(z, _ATANH)
    c, c_rest = exact_sum(s.constant(_TWO_THIRDS[0]), series)
    c_rest = c_rest + _TWO_THIRDS[1]
    cube = s * z
    cube_rest = fma(s, z, -cube) + fma(s, z_rest, s_rest * z)
    t = cube * c
    t_rest = fma(cube, c, -t) + fma(cube, c_rest, cube_rest * c)
    ln2 = LN2["f64"]
    high, high_rest = exact_sum(s + s, t)
    top, top_rest = exact_sum(e * ln2.high, high)
    rest = fma(e, ln2.low, top_rest + (high_rest + (s_rest + s_rest + t_rest)))
    total = top + rest
    return total, rest - (total - top)
