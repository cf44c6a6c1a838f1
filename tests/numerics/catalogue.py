"""What is measured: functions, their true values, and the intervals of their operands."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import mpmath

from . import truth
from .operands import Even, Interval, Near, Sizes, Whole


class Measured(NamedTuple):
    """A function; `op`: the operation that it is, where that has another name than its own.

    Each of `places` has an interval for each operand. `dear`: true values take long.
    """

    op: str | None
    truth: Callable[..., Any]
    places: tuple[tuple[Interval, ...], ...]
    dear: bool = False


def _of(op: str | None, true: Any, *places: Any, dear: bool = False) -> Measured:
    each = (place if isinstance(place, tuple) else (place,) for place in places)
    return Measured(op, true, tuple(each), dear)


PI = math.pi
UNIT = Even(-1, 1)
SMALL = Sizes("tiny", 1)
LARGE = Sizes(1, "max")
POSITIVE = Sizes("tiny", "max", 1)
EXPONENTS = Even("log tiny", "log max")
QUARTERS = tuple(k * PI / 2 for k in range(-9, 10))
POLES = tuple(float(-k) for k in range(21))
# Roots to 17 digits, of Abramowitz and Stegun's tables or by mpmath.findroot.
LGAMMA_ROOTS = (1.0, 2.0, -2.457024738220801, -2.747682646727413, -3.143580888349980,
                -3.955294284858598, -4.039361839740537, -4.991544640560048)  # fmt: skip
DIGAMMA_ROOTS = (1.4616321449683623, -0.504083008264456, -1.5734984731623904, -2.610720868444145,
                 -3.635293366436901)  # fmt: skip
WAVE_ROOTS = {
    "j0": (2.404825557695773, 5.520078110286311, 8.653727912911013, 30.634606468431975),
    "j1": (3.8317059702075125, 7.015586669815619, 10.173468135062722, 32.189679910974405),
    "y0": (0.8935769662791675, 3.957678419314858, 7.086051060301773, 28.7),
    "y1": (2.197141326031017, 5.429681040794135, 8.596005868331169, 30.6),
}
WAVES = (Even(0.01, 20), Sizes(1e-6, 1, 1), Sizes(1, 1e5, 1), Sizes(1e5, 1e12, 1))

LEAK = mpmath.mpf(13421773) / 2**26  # 0.2, of float32 as attributes are
PAIRS = ((Even(-10, 10), Even(-10, 10)), (Sizes(1e-15, 1e15), Sizes(1e-15, 1e15)))

FUNCTIONS: Final[dict[str, Measured]] = {
    # -- arithmetic
    "add": _of("AddV2", lambda x, y: x + y, *PAIRS),
    "subtract": _of("Sub", lambda x, y: x - y, *PAIRS),
    "multiply": _of("Mul", lambda x, y: x * y, *PAIRS),
    "divide": _of("RealDiv", lambda x, y: x / y, *PAIRS),
    "square": _of("Square", lambda x: x * x, Even(-10, 10)),
    "math.reciprocal": _of("Reciprocal", lambda x: 1 / x, Even(0.1, 10), Sizes("tiny", "max")),
    "sqrt": _of("Sqrt", mpmath.sqrt, POSITIVE, Even(0.1, 10)),
    "math.xdivy": _of("Xdivy", lambda x, y: x / y, *PAIRS),
    "math.divide_no_nan": _of("DivNoNan", lambda x, y: x / y, *PAIRS),
    "math.multiply_no_nan": _of("MulNoNan", lambda x, y: x * y, *PAIRS),
    "nn.leaky_relu": _of("LeakyRelu", lambda x: x if x > 0 else x * LEAK, Even(-10, 10)),
    # -- exponentials and logarithms
    "exp": _of("Exp", mpmath.exp, UNIT, EXPONENTS),
    "math.expm1": _of("Expm1", mpmath.expm1, SMALL, UNIT, EXPONENTS),
    "math.log": _of("Log", mpmath.log, POSITIVE, Even(0.1, 10), Near((1.0,))),
    "math.log1p": _of("Log1p", mpmath.log1p, SMALL, Even(-0.999, 10), POSITIVE),
    "experimental.numpy.exp2": _of(None, lambda x: mpmath.power(2, x), UNIT, Even(-100, 100)),
    "experimental.numpy.log2": _of(
        None, lambda x: mpmath.log(x, 2), POSITIVE, Even(0.1, 10), Near((1.0,))
    ),
    "experimental.numpy.log10": _of(None, mpmath.log10, POSITIVE, Even(0.1, 10), Near((1.0,))),
    "experimental.numpy.logaddexp": _of(
        None, truth.log_add_exp, (Even(-10, 10), Even(-10, 10)), (Sizes(1e-3, 80), Sizes(1e-3, 80))
    ),
    "experimental.numpy.logaddexp2": _of(
        None, truth.log_add_exp2, (Even(-10, 10), Even(-10, 10)), (Sizes(1e-3, 80), Sizes(1e-3, 80))
    ),
    "pow": _of(
        "Pow",
        truth.power,
        (Even(0, 10), Even(-10, 10)),
        (POSITIVE, UNIT),
        (Near((1.0,)), Sizes(1, "1/eps")),
        (Even(-10, 10), Whole(-9, 9)),
    ),
    "math.xlogy": _of("Xlogy", truth.xlogy, (UNIT, Even(0.01, 10)), (UNIT, Near((1.0,)))),
    "math.xlog1py": _of("Xlog1py", truth.xlog1py, (UNIT, Even(-0.9, 10)), (UNIT, SMALL)),
    # -- roots
    "math.rsqrt": _of("Rsqrt", lambda x: 1 / mpmath.sqrt(x), POSITIVE, Even(0.1, 10)),
    "experimental.numpy.cbrt": _of(
        None, lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)), Even(-10, 10), Sizes("tiny", "max")
    ),
    "experimental.numpy.hypot": _of(
        None,
        mpmath.hypot,
        (Even(-10, 10), Even(-10, 10)),
        (Sizes("tiny", 1e30), Sizes("tiny", 1e30)),
    ),
    # -- circular and hyperbolic functions
    "sin": _of("Sin", mpmath.sin, SMALL, Even(-PI, PI), Near(QUARTERS), Sizes(1, 1e5), LARGE),
    "cos": _of("Cos", mpmath.cos, Even(-PI, PI), Near(QUARTERS), Sizes(1, 1e5), LARGE),
    "tan": _of("Tan", mpmath.tan, SMALL, Even(-PI, PI), Near(QUARTERS), Sizes(1, 1e5), LARGE),
    "asin": _of("Asin", mpmath.asin, SMALL, UNIT, Near((-1.0,), 1), Near((1.0,), -1)),
    "acos": _of("Acos", mpmath.acos, SMALL, UNIT, Near((-1.0,), 1), Near((1.0,), -1)),
    "atan": _of("Atan", mpmath.atan, SMALL, Even(-10, 10), LARGE),
    "atan2": _of(
        "Atan2",
        mpmath.atan2,
        (Even(-10, 10), Even(-10, 10)),
        (Sizes(1e-30, 1e30), Sizes(1e-30, 1e30)),
    ),
    "sinh": _of("Sinh", mpmath.sinh, SMALL, Even(-10, 10), EXPONENTS),
    "cosh": _of("Cosh", mpmath.cosh, SMALL, Even(-10, 10), EXPONENTS),
    "tanh": _of("Tanh", mpmath.tanh, SMALL, Even(-10, 10), Even(-100, 100)),
    "asinh": _of("Asinh", mpmath.asinh, SMALL, Even(-10, 10), LARGE),
    "acosh": _of("Acosh", mpmath.acosh, Near((1.0,), 1), Even(1, 10), Sizes(1, "max", 1)),
    "atanh": _of("Atanh", mpmath.atanh, SMALL, UNIT, Near((-1.0,), 1), Near((1.0,), -1)),
    "experimental.numpy.sinc": _of(None, truth.sinc, SMALL, Even(-5, 5)),
    # -- activations
    "sigmoid": _of("Sigmoid", truth.sigmoid, UNIT, EXPONENTS),
    "math.log_sigmoid": _of(None, truth.log_sigmoid, UNIT, Even(-20, 20), EXPONENTS),
    "math.softplus": _of("Softplus", truth.softplus, UNIT, Even(-20, 20), EXPONENTS),
    "nn.softsign": _of("Softsign", truth.softsign, UNIT, LARGE),
    "nn.elu": _of("Elu", truth.elu, SMALL, Even(-10, 10)),
    "nn.selu": _of("Selu", truth.selu, SMALL, Even(-10, 10)),
    "nn.silu": _of(None, truth.silu, UNIT, Even(-20, 20)),
    "nn.gelu": _of(None, truth.gelu, UNIT, Even(-5, 5), Even(-13, -5)),
    "nn.gelu, approximate": _of(None, truth.gelu_approximate, UNIT, Even(-5, 5), Even(-10, -5)),
    # -- error functions
    "math.erf": _of("Erf", mpmath.erf, SMALL, Even(-6, 6)),
    "math.erfc": _of("Erfc", mpmath.erfc, SMALL, Even(-6, 6), Even(0.5, 9), Even(9, 26)),
    "math.erfinv": _of(
        "Erfinv", truth.erfinv, SMALL, UNIT, Near((-1.0,), 1), Near((1.0,), -1), dear=True
    ),
    "math.erfcinv": _of(
        None,
        truth.erfcinv,
        Even(0, 2),
        Sizes(1e-30, 1, 1),
        Near((1.0,)),
        Near((2.0,), -1),
        dear=True,
    ),
    "math.ndtri": _of(
        "Ndtri",
        truth.ndtri,
        Even(0, 1),
        Sizes(1e-30, 1, 1),
        Near((0.5,)),
        Near((1.0,), -1),
        dear=True,
    ),
    "math.special.dawsn": _of("Dawsn", truth.dawson, SMALL, Even(-10, 10), Sizes(1, 1e3)),
    # -- the gamma function and what is made of it
    "math.lgamma": _of(
        "Lgamma",
        truth.lgamma,
        Even(0, 10),
        Sizes("tiny", 1, 1),
        Sizes(1, 1e30, 1),
        Even(-20, 0),
        Near(LGAMMA_ROOTS),
        Near(POLES),
    ),
    "math.digamma": _of(
        "Digamma",
        mpmath.digamma,
        Even(0, 10),
        Sizes(1e-30, 1, 1),
        Sizes(1, 1e30, 1),
        Even(-20, 0),
        Near(DIGAMMA_ROOTS),
        Near(POLES),
    ),
    "math.polygamma": _of(
        None,
        truth.polygamma,
        (Whole(1, 10), Even(0.1, 20)),
        (Whole(1, 4), Sizes(1e-3, 1e4, 1)),
        dear=True,
    ),
    "math.zeta": _of(
        "Zeta",
        truth.zeta,
        (Even(1.1, 10), Even(0.1, 20)),
        (Near((1.0,), 1), Even(0.1, 20)),
        (Even(1.1, 30), Sizes(1e-1, 1e4, 1)),
        dear=True,
    ),
    "math.lbeta": _of(
        None, truth.lbeta, (Even(0.1, 10), Even(0.1, 10)), (Sizes(1e-3, 1e3, 1),) * 2
    ),
    "math.igamma": _of(
        "Igamma",
        truth.igamma,
        (Even(0.1, 10), Even(0.1, 20)),
        (Sizes(1e-2, 100, 1),) * 2,
        dear=True,
    ),
    "math.igammac": _of(
        "Igammac",
        truth.igammac,
        (Even(0.1, 10), Even(0.1, 20)),
        (Sizes(1e-2, 100, 1),) * 2,
        dear=True,
    ),
    "math.betainc": _of(
        "Betainc",
        truth.betainc,
        (Even(0.1, 10), Even(0.1, 10), Even(0, 1)),
        (Sizes(1e-2, 100, 1), Sizes(1e-2, 100, 1), Even(0, 1)),
        dear=True,
    ),
    # -- Bessel functions
    "math.bessel_i0": _of("BesselI0", lambda x: mpmath.besseli(0, x), Even(-10, 10), Even(10, 80)),
    "math.bessel_i1": _of(
        "BesselI1", lambda x: mpmath.besseli(1, x), SMALL, Even(-10, 10), Even(10, 80)
    ),
    "math.bessel_i0e": _of("BesselI0e", truth.scaled_i(0), Even(-10, 10), Sizes(10, 1e6)),
    "math.bessel_i1e": _of("BesselI1e", truth.scaled_i(1), SMALL, Even(-10, 10), Sizes(10, 1e6)),
    "math.special.bessel_k0": _of(
        "BesselK0", truth.bessel_k(0), Sizes(1e-30, 1, 1), Even(0.1, 10), Even(10, 80)
    ),
    "math.special.bessel_k1": _of(
        "BesselK1", truth.bessel_k(1), Sizes(1e-30, 1, 1), Even(0.1, 10), Even(10, 80)
    ),
    "math.special.bessel_k0e": _of(
        "BesselK0e", truth.scaled_k(0), Sizes(1e-30, 1, 1), Even(0.1, 10), Sizes(10, 1e6, 1)
    ),
    "math.special.bessel_k1e": _of(
        "BesselK1e", truth.scaled_k(1), Sizes(1e-30, 1, 1), Even(0.1, 10), Sizes(10, 1e6, 1)
    ),
    "math.special.bessel_j0": _of(
        "BesselJ0", lambda x: mpmath.besselj(0, x), *WAVES, Near(WAVE_ROOTS["j0"]), dear=True
    ),
    "math.special.bessel_j1": _of(
        "BesselJ1", lambda x: mpmath.besselj(1, x), *WAVES, Near(WAVE_ROOTS["j1"]), dear=True
    ),
    "math.special.bessel_y0": _of(
        "BesselY0", lambda x: mpmath.bessely(0, x), *WAVES, Near(WAVE_ROOTS["y0"]), dear=True
    ),
    "math.special.bessel_y1": _of(
        "BesselY1", lambda x: mpmath.bessely(1, x), *WAVES, Near(WAVE_ROOTS["y1"]), dear=True
    ),
    # -- integrals
    "math.special.expint": _of(
        "Expint",
        mpmath.ei,
        Sizes(1e-30, 1, 1),
        Even(0.1, 10),
        Even(10, 80),
        Near((0.37250741078136663,)),
        dear=True,
    ),
    "math.special.fresnel_sin": _of(
        "FresnelSin", mpmath.fresnels, Sizes(1e-6, 1), Even(-5, 5), Sizes(5, 1e4), dear=True
    ),
    "math.special.fresnel_cos": _of(
        "FresnelCos", mpmath.fresnelc, Sizes(1e-6, 1), Even(-5, 5), Sizes(5, 1e4), dear=True
    ),
    "math.special.spence": _of(
        "Spence", truth.spence, Even(0, 10), Near((1.0,)), Sizes("tiny", "max", 1), dear=True
    ),
    # -- differences and remainders
    "math.squared_difference": _of(
        "SquaredDifference", lambda x, y: (x - y) ** 2, (Even(-10, 10), Even(-10, 10))
    ),
    "math.floormod": _of(
        "FloorMod",
        truth.floor_mod,
        (Even(-100, 100), Even(0.1, 10)),
        (Sizes(1, 1e6), Even(-10, -0.1)),
    ),
    "truncatemod": _of(
        "TruncateMod",
        truth.truncate_mod,
        (Even(-100, 100), Even(0.1, 10)),
        (Sizes(1, 1e6), Even(-10, -0.1)),
    ),
}

# What is exact: a result that is an operand, its negative, a whole number or a neighbour.
EXACT: Final = frozenset(
    "Abs Ceil Floor Maximum Minimum Neg NextAfter Relu Relu6 Rint Round Sign".split()
)
# Other names of operations that are measured, and quotients that are rounded before they are cut.
ALIKE: Final = {
    "Add": "AddV2",
    "Div": "RealDiv",
    "FloorDiv": "RealDiv, then Floor",
    "TruncateDiv": "RealDiv, then rounded towards zero",
}
