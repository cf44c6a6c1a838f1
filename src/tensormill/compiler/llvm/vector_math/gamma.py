"""lgamma and digamma, in f64.

From 8 on Stirling's series (Abramowitz and Stegun 6.1.41, 6.3.18); below, the argument is moved by
whole steps to where a polynomial or the series holds, and the product or the sum of what the steps
leave behind is taken in one logarithm or one division. Below zero the reflection formulas
(6.1.17, 6.3.7) lead back. Near its zeros digamma is right absolutely, not relatively.
"""

from __future__ import annotations

import math
from typing import Final

from ....core.process.named_tuples import NamedTuple
from ....ops.math.lgamma_roots import FIRST, ROWS, WINDOW
from .language import (
    Kind,
    Term,
    floor,
    fma,
    maximum,
    minimum,
    narrow,
    polynomial,
    quick_polynomial,
    rint,
    round_to_integer,
    select,
)
from .logarithm import log, log1p

# lgamma(2 + t)/t for -3/4 <= t <= 1/2, relative error 2**-55.8.
LGAMMA: Final = (
    0.42278433509846713,
    0.3224670334241132,
    -0.06735230105319888,
    0.020580808427790573,
    -0.007385551028510543,
    0.0028905103304557095,
    -0.0011927539194023775,
    0.0005096695271818655,
    -0.00022315459595039367,
    9.945758992584046e-05,
    -4.49280639292431e-05,
    2.0505301147967546e-05,
    -9.428026186624895e-06,
    4.392776945826618e-06,
    -2.0772248565701927e-06,
    8.702438318982464e-07,
    -4.0175486478324784e-07,
    4.139522272045266e-07,
    -4.9507130507737975e-08,
    -1.401594821194088e-07,
    -1.6830334698980475e-07,
)
# x (lgamma(x) - Stirling's formula) in 1/x², x >= 8, error 2**-61 of lgamma.
_STIRLING: Final = (
    0.0833333333333331,
    -0.0027777777773628,
    0.0007936505776807255,
    -0.0005951898359815155,
    0.0008364674263199273,
    -0.001633622260208978,
)
# x² (log(x) - 1/(2x) - digamma(x)) in 1/x², x >= 8, error 2**-59 of digamma.
_DIGAMMA: Final = (
    0.08333333333332583,
    -0.008333333323897364,
    0.00396825000564533,
    -0.004165897813914026,
    0.007499523957751881,
    -0.01727051862030645,
)
# (sin(πr)/r - π)/r² in r² for |r| <= 1/2, error 2**-60.
_SIN_PI: Final = (
    -5.167712780049969,
    2.550164039877269,
    -0.5992645293177657,
    0.0821458865528116,
    -0.007370430321822829,
    0.000466298905378881,
    -2.1901172987826774e-05,
    7.67388881796904e-07,
)
_ROOT: Final = 0.4189385332046727  # log(2π)/2 - 1/2


def lgamma(x: Term, precision: Kind) -> Term:
    """The logarithm of |Γ(x)|; infinity at zero and the negative whole numbers."""
    magnitude = abs(x)
    value = _lgamma_of_positive(magnitude)
    sine = abs(_sin_pi(magnitude - rint(magnitude)))
    top, bottom, rest = x.constant(math.pi), magnitude * sine, -value
    roots = _near_roots(x) if precision == "f64" else None
    if roots is not None:
        top = select(roots.near, x.constant(1.0), top)
        bottom = select(roots.near, abs(sine * roots.inverse_sine), bottom)
        rest = select(roots.near, roots.smooth, rest)
    reflected = log(top / bottom) + rest
    if roots is not None:
        # Where the quotient of the sines is close to 1, by how much has more digits.
        by_turn = roots.near & (abs(roots.turn) < 0.5)
        reflected = select(by_turn, roots.smooth - log1p(roots.turn), reflected)
    # Just below zero the logarithm of -x is all that counts, as just above.
    result = select(x < -(2.0**-60), reflected, value)
    return select(magnitude.equals(math.inf), magnitude, result)


class _Roots(NamedTuple):
    """Near its roots below -2 lgamma is the logarithm of a quotient of two sines and Taylor's
    series of what is smooth, so that it is right relatively.

    near: whether x is so near. turn: the quotient less 1. inverse_sine: 1 over the root's sine.
    """

    near: Term
    turn: Term
    inverse_sine: Term
    smooth: Term


def _near_roots(x: Term) -> _Roots:
    _, half = round_to_integer(floor(minimum(maximum(x, -18.0), -2.0) * -2.0))
    index = minimum(narrow(half) & 63, FIRST + len(ROWS) - 1) - FIRST
    columns = [index.lookup("f64", column) for column in zip(*ROWS, strict=True)]
    root, rest, inverse_sine, *terms = columns
    distance = (x - root) - rest
    middle = fma(distance, -0.5, x - rint(root))  # the pole of -2.5, too, is the root's
    turn = _sin_pi(0.5 - abs(middle)) * (2.0 * inverse_sine) * _sin_pi(0.5 * distance)
    smooth = terms[-1]
    for term in terms[-2::-1]:
        smooth = fma(smooth, distance, term)
    near = (x < -2.0) & (x > -18.0) & (abs(distance) < WINDOW)
    return _Roots(near, turn, inverse_sine, distance * smooth)


def _lgamma_of_positive(x: Term) -> Term:
    large = x >= 8.0
    near = minimum(x, 8.0)
    product, u = x.constant(1.0), near
    for _ in range(6):
        above = u > 2.5
        u = select(above, u - 1.0, u)
        product = select(above, product * u, product)
    low, least = near < 1.25, near < 0.25
    t = select(least, near, select(low, near - 1.0, u - 2.0))
    product = select(least, near * (near + 1.0), select(low, near, product))
    logarithm = log(select(large, x, product))
    small = fma(t, quick_polynomial(t, LGAMMA), select(low, -logarithm, logarithm))
    inverse = 1.0 / x
    series = fma(inverse, polynomial(inverse * inverse, _STIRLING), x.constant(_ROOT))
    return select(large, fma(x - 0.5, logarithm - 1.0, series), small)


def digamma(x: Term) -> Term:
    """The derivative of lgamma; NaN at zero and the negative whole numbers."""
    y = select(x < 0.0, 1.0 - x, x)
    small = y < 8.0
    top, bottom, u = x.constant(0.0), x.constant(1.0), minimum(y, 8.0)
    for _ in range(8):
        top = fma(top, u, bottom)
        bottom = bottom * u
        u = u + 1.0
    shifted = select(small, u, y)
    inverse = 1.0 / shifted
    square = inverse * inverse
    series = fma(inverse, -0.5, -square * polynomial(square, _DIGAMMA))
    value = log(shifted) + (series - select(small, top / bottom, 0.0))
    r = x - rint(x)
    cosine = _sin_pi(0.5 - abs(r))
    reflected = value - math.pi * cosine / _sin_pi(r)
    result = select(x < 0.0, reflected, value)
    return select((x <= 0.0) & r.equals(0.0), x.constant(math.nan), result)


def _sin_pi(r: Term) -> Term:
    """sin(πr) for |r| <= 1/2."""
    square = r * r
    return r * fma(square, polynomial(square, _SIN_PI), r.constant(math.pi))
