"""erf and erfc.

Near zero erf(x) = x (1 + P(x²)). Farther out f32 takes 1 - 2**G(|x|), where G is a polynomial
close to log2(erfc): an error of G hardly counts there. f64 takes e**(-x²) times a polynomial in
(x - k)/(x + k) over 1 + 2x, which does for all x >= 0 (Shepherd and Laframboise 1981). erfc of f32
does with one division: 1/(x + k) stands for both.
"""

from __future__ import annotations

from typing import Final

from .exponential import exp_of_sum, power_of_two
from .language import (
    Term,
    copysign,
    fma,
    minimum,
    polynomial,
    round_to_integer,
    select,
)

# erf(x)/x - 1 in x² for |x| <= 0.85, relative to erf: error 2**-27.1.
SMALL_F32: Final = (
    0.12837916612625122,
    -0.37612590193748474,
    0.11282864958047867,
    -0.026807287707924843,
    0.0050577037036418915,
    -0.0006348518654704094,
)
# log2(erfc(x)) on [0.85, 4], error 2**-28.8 of erf.
_LOG2_ERFC: Final = (
    -0.000149230269016698,
    -1.6274547576904297,
    -0.918290913105011,
    -0.15080979466438293,
    0.032493505626916885,
    -0.004499511793255806,
    0.0002939914702437818,
)
# 2**r for |r| <= 1/2, error 2**-23.3.
_EXP2: Final = (
    1.0,
    0.6931472420692444,
    0.24022239446640015,
    0.05550282821059227,
    0.009671663865447044,
    0.0013413133565336466,
)
# erf(x)/x - 1 in x² for |x| <= 1, error 2**-56.3.
_SMALL_F64: Final = (
    0.1283791670955126,
    -0.376126389031841,
    0.11283791670971098,
    -0.02686617064803114,
    0.005223977652692503,
    -0.0008548328535791256,
    0.00012055386192923637,
    -1.4926881449170468e-05,
    1.648105859074859e-06,
    -1.6557126562331736e-07,
    1.6013210808717283e-08,
    -1.6464696029713317e-09,
    1.434353207509391e-10,
)
_K: Final = 3.75
# (3/4 + 3/2 x) e**(x²) erfc(x), which is between 3/4 and 1, in (x - 3.75)/(x + 3.75) for
# 0 <= x <= 27.5, relative error 2**-53.9.
_ERFC: Final = (
    0.9281344731283707,
    -0.10518044893915969,
    0.0026890616140839573,
    0.061707553867547234,
    -0.08160294760551727,
    0.06922824087244546,
    -0.044020048958624214,
    0.02127170802820881,
    -0.007309934500276995,
    0.00131671972841464,
    0.0002202842803812928,
    -0.00021761751045381233,
    3.874009138223058e-05,
    1.679529000317624e-05,
    -8.589370483316321e-06,
    -7.466434013078094e-07,
    1.3192405500501995e-06,
    -1.9395265706327005e-08,
    -1.9281435112760922e-07,
    -1.5216389572816885e-09,
    2.267076338464533e-08,
    3.999578820706751e-09,
)
# e**(x²) erfc(x) (1 + 7/16 x) in 1 - 2/(1 + 7/16 x) for 0 <= x <= 10.1, relative error 2**-26.6.
_ERFC_F32: Final = (
    0.45593467354774475,
    -0.3325706422328949,
    0.16795307397842407,
    -0.04857150837779045,
    7.505618850700557e-05,
    0.005139033310115337,
    -0.0006209652055986226,
    -0.000659517478197813,
    7.166291470639408e-05,
    7.614567584823817e-05,
)


def erf_f32(x: Term) -> Term:
    """The error function; 1 from 4 on."""
    magnitude = minimum(abs(x), 4.0)
    square = x * x
    near = fma(x, polynomial(square, SMALL_F32), x)
    exponent = polynomial(magnitude, _LOG2_ERFC)
    whole, integer = round_to_integer(exponent)
    power = polynomial(exponent - whole, _EXP2)
    far = fma(-power, power_of_two(integer), power.constant(1.0))
    return select(magnitude < 0.85, near, copysign(far, x))


def erf_f64(x: Term) -> Term:
    """The error function: 1 - erfc(|x|), or a polynomial near zero."""
    magnitude = minimum(abs(x), 6.0)
    square = magnitude * magnitude
    near = fma(x, polynomial(square, _SMALL_F64), x)
    return select(magnitude < 1.0, near, copysign(1.0 - _erfc_of_positive(magnitude), x))


def erfc_f32(x: Term) -> Term:
    """1 - erf(x), relatively accurate until it is subnormal and then zero."""
    magnitude = minimum(abs(x), 10.1)
    square = magnitude * magnitude
    power = exp_of_sum(-square, -fma(magnitude, magnitude, -square))
    t = 1.0 / fma(magnitude, 0.4375, x.constant(1.0))
    far = power * (t * polynomial(fma(t, -2.0, x.constant(1.0)), _ERFC_F32))
    near = 1.0 - fma(x, polynomial(x * x, SMALL_F32), x)
    return select(abs(x) < 0.5, near, select(x < 0.0, 2.0 - far, far))


def erfc_f64(x: Term) -> Term:
    """1 - erf(x), relatively accurate until it is subnormal and then zero."""
    magnitude = minimum(abs(x), 28.0)
    positive = _erfc_of_positive(magnitude)
    near = 1.0 - fma(x, polynomial(x * x, _SMALL_F64), x)
    return select(magnitude < 0.5, near, select(x < 0.0, 2.0 - positive, positive))


def _erfc_of_positive(x: Term) -> Term:
    square = x * x
    power = exp_of_sum(-square, -fma(x, x, -square))
    t = (x - _K) / (x + _K)
    return power * (polynomial(t, _ERFC) / fma(x, 1.5, 0.75))
