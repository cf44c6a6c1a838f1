"""True values by mpmath, of functions that it has not under one name."""

from __future__ import annotations

from typing import Any

import mpmath
from mpmath import mpf
from scipy import special

SQRT_HALF = mpmath.sqrt(mpf(1) / 2)


def sigmoid(x: Any) -> Any:
    return 1 / (1 + mpmath.exp(-x))


def log_sigmoid(x: Any) -> Any:
    return -softplus(-x)


def softplus(x: Any) -> Any:
    return x + mpmath.log1p(mpmath.exp(-x)) if x > 0 else mpmath.log1p(mpmath.exp(x))


def elu(x: Any) -> Any:
    return x if x > 0 else mpmath.expm1(x)


SELU_SCALE = mpf("1.0507009873554804934193349852946")
SELU_ALPHA = mpf("1.6732632423543772848170429916717")


def selu(x: Any) -> Any:
    return SELU_SCALE * (x if x > 0 else SELU_ALPHA * mpmath.expm1(x))


def normal_below(x: Any) -> Any:
    """How likely a normal number is below x."""
    return mpmath.erfc(-x / mpmath.sqrt(2)) / 2


def gelu(x: Any) -> Any:
    return x * normal_below(x)


def gelu_approximate(x: Any) -> Any:
    inner = mpmath.sqrt(2 / mpmath.pi) * (x + mpf("0.044715") * x**3)
    return x * sigmoid(2 * inner)


def silu(x: Any) -> Any:
    return x * sigmoid(x)


def softsign(x: Any) -> Any:
    return x / (1 + abs(x))


def ndtri(p: Any) -> Any:
    """By Newton's method on the logarithm, from SciPy's value."""
    if p == mpf(1) / 2:
        return mpf(0)
    wanted = mpmath.log(p)
    x = mpf(float(special.ndtri_exp(float(wanted))))
    for _ in range(4):
        found = normal_below(x)
        x -= (mpmath.log(found) - wanted) * found / mpmath.npdf(x)
    return x


def erfinv(y: Any) -> Any:
    x, scale = mpf(float(special.erfinv(float(y)))), 2 / mpmath.sqrt(mpmath.pi)
    for _ in range(4):
        x -= (mpmath.erf(x) - y) / (scale * mpmath.exp(-x * x))
    return x


def erfcinv(y: Any) -> Any:
    return -ndtri(y / 2) / mpmath.sqrt(2)


def lgamma(x: Any) -> Any:
    return mpmath.log(abs(mpmath.gamma(x))) if abs(x) < 1e6 else mpmath.loggamma(x).real


def lbeta(x: Any, y: Any) -> Any:
    return mpmath.loggamma(x) + mpmath.loggamma(y) - mpmath.loggamma(x + y)


def dawson(x: Any) -> Any:
    return mpmath.sqrt(mpmath.pi) / 2 * mpmath.exp(-x * x) * mpmath.erfi(x)


def spence(x: Any) -> Any:
    if x > 2:  # mpmath's series of large numbers is slow
        return -spence(1 / x) - mpmath.log(x) ** 2 / 2
    return mpmath.polylog(2, 1 - x).real


def scaled_i(order: int) -> Any:
    return lambda x: mpmath.besseli(order, x) * mpmath.exp(-abs(x))


def scaled_k(order: int) -> Any:
    """The integral of exp(-x (cosh t - 1)) cosh(order t) by the trapezoidal rule.

    It converges exponentially; for large numbers mpmath.besselk takes a hundred times as long.
    """

    def value(x: Any) -> Any:
        if x < 0.05:
            return mpmath.besselk(order, x) * mpmath.exp(x)
        last = mpmath.acosh(1 + 120 / x)
        count = int(mpmath.ceil(last / min(mpf("0.08"), mpf("0.4") / mpmath.sqrt(x))).real)
        step = last / count
        growth, weight, total = mpmath.exp(step), mpf(1), mpf(1) / 2
        for _ in range(count):
            weight *= growth
            cosh = (weight + 1 / weight) / 2
            total += mpmath.exp(-x * (cosh - 1)) * (cosh if order else 1)
        return total * step

    return value


def bessel_k(order: int) -> Any:
    scaled = scaled_k(order)
    return lambda x: scaled(x) * mpmath.exp(-x)


def zeta(x: Any, q: Any) -> Any:
    """With as many more digits as the value is small by: mpmath's error is an absolute one."""
    with mpmath.extradps(20 + int(x * max(mpmath.log10(q), 0))):
        return mpmath.zeta(x, q)


def polygamma(n: Any, x: Any) -> Any:
    return mpmath.polygamma(int(n), x)


def igamma(a: Any, x: Any) -> Any:
    return mpmath.gammainc(a, 0, x, regularized=True)


def igammac(a: Any, x: Any) -> Any:
    return mpmath.gammainc(a, x, mpmath.inf, regularized=True)


def betainc(a: Any, b: Any, x: Any) -> Any:
    return mpmath.betainc(a, b, 0, x, regularized=True)


def power(x: Any, y: Any) -> Any:
    return mpmath.power(x, y).real


def xlogy(x: Any, y: Any) -> Any:
    return x * mpmath.log(y)


def xlog1py(x: Any, y: Any) -> Any:
    return x * mpmath.log1p(y)


def floor_mod(x: Any, y: Any) -> Any:
    return x - y * mpmath.floor(x / y)


def truncate_mod(x: Any, y: Any) -> Any:
    return x - y * int(x / y)


def log_add_exp(x: Any, y: Any) -> Any:
    return max(x, y) + mpmath.log1p(mpmath.exp(-abs(x - y)))


def log_add_exp2(x: Any, y: Any) -> Any:
    return max(x, y) + mpmath.log1p(mpf(2) ** -abs(x - y)) / mpmath.log(2)


def sinc(x: Any) -> Any:
    return mpmath.sinc(mpmath.pi * x)
