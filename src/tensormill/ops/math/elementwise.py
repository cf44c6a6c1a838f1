"""Functions of one element: roots, exponentials, logarithms, rounding, the error function."""

from __future__ import annotations

from typing import Any

from ...core.native_operations import MANY
from ..array.broadcasting import unbroadcast
from ..bind import api, bind
from ..conversion import as_tensor
from ..families import Binary, Unary, ValueGradient
from ..op import FLOATS
from .arithmetic import FLOATING, SIGNED, conjugated, negative, square


class Sqrt(Unary):
    """The square root. Its gradient at 0 is infinite."""

    T = FLOATING

    def scalar(s, x):
        return s.sqrt(x)

    def vjp(self, dy: Any) -> Any:
        return bind(SqrtGrad, self.y, dy)


sqrt = api(Sqrt)


class SqrtGrad(ValueGradient):
    """dy / 2y: the gradient of y = sqrt(x); 0 where dy is 0, even where y is too."""

    native_from = MANY

    def scalar(s, y, dy):
        zero = s.constant(0, y)
        return s.where(dy == zero, zero, s.constant(0.5, y) * dy / s.conj(y))

    def vjp(self, dz: Any) -> Any:
        part = dz / self.y
        return lambda: -conjugated(part) * self.z, lambda: 0.5 * part


class Rsqrt(Unary):
    """1 / sqrt(x)."""

    T = FLOATING

    def scalar(s, x):
        return s.rsqrt(x)

    def vjp(self, dy: Any) -> Any:
        return bind(RsqrtGrad, self.y, dy)


rsqrt = api(Rsqrt)


class RsqrtGrad(ValueGradient):
    """-dy y y y / 2: the gradient of y = 1 / sqrt(x); 0 where dy is 0."""

    native_from = MANY

    def scalar(s, y, dy):
        zero, value = s.constant(0, y), s.conj(y)
        cube = s.constant(-0.5, y) * dy * value * value * value
        return s.where(dy == zero, zero, cube)

    def vjp(self, dz: Any) -> Any:
        y = conjugated(self.y)
        return (
            lambda: -1.5 * conjugated(dz) * self.dy * square(y),
            lambda: bind(RsqrtGrad, y, dz),
        )


class Exp(Unary):
    """e to the power x."""

    T = FLOATING

    def scalar(s, x):
        return s.exp(x)

    def vjp(self, dy: Any) -> Any:
        return dy * conjugated(self.y)


exp = api(Exp)


class Expm1(Unary):
    """e to the power x, minus 1, exact for small x."""

    T = FLOATING

    def scalar(s, x):
        return s.expm1(x)

    def vjp(self, dy: Any) -> Any:
        return dy * exp(conjugated(self.x))


expm1 = api(Expm1, "expm1")


class Log(Unary):
    """The natural logarithm."""

    T = FLOATING

    def scalar(s, x):
        return s.log(x)

    def vjp(self, dy: Any) -> Any:
        return dy / conjugated(self.x)


log = api(Log)


class Log1p(Unary):
    """The natural logarithm of 1 + x, exact for small x."""

    T = FLOATING

    def scalar(s, x):
        return s.log1p(x)

    def vjp(self, dy: Any) -> Any:
        return dy / (1 + conjugated(self.x))


log1p = api(Log1p, "log1p")


class Sigmoid(Unary):
    """1 / (1 + exp(-x)), computed without overflow."""

    native_from = MANY

    T = FLOATING

    def scalar(s, x):
        return s.sigmoid(x)

    def vjp(self, dy: Any) -> Any:
        return bind(SigmoidGrad, conjugated(self.y), dy)


sigmoid = api(Sigmoid)


class SigmoidGrad(ValueGradient):
    """dy y (1 - y): the gradient of y = sigmoid(x)."""

    def scalar(s, y, dy):
        return dy * y * (1 - y)

    def vjp(self, dz: Any) -> Any:
        y, dy = conjugated(self.y), conjugated(self.dy)
        return lambda: dz * dy * (1 - 2 * y), lambda: bind(SigmoidGrad, y, dz)


def log_sigmoid(x: Any, name: str | None = None) -> Any:
    """log(sigmoid(x)), computed without underflow."""
    from ..nn.activations import softplus

    return negative(softplus(negative(x)), name=name)


_TWO_BY_SQRT_PI = 1.1283791670955126


class Erf(Unary):
    """The error function."""

    native_from = MANY

    T = FLOATS

    def scalar(s, x):
        return s.erf(x)

    def vjp(self, dy: Any) -> Any:
        return dy * _TWO_BY_SQRT_PI * exp(-square(self.x))


erf = api(Erf)


class Erfc(Unary):
    """1 - erf(x), exact for large x."""

    native_from = MANY

    T = FLOATS

    def scalar(s, x):
        return s.erfc(x)

    def vjp(self, dy: Any) -> Any:
        return dy * -_TWO_BY_SQRT_PI * exp(-square(self.x))


erfc = api(Erfc)


class Lgamma(Unary):
    """The logarithm of the absolute value of the gamma function."""

    T = FLOATS

    def scalar(s, x):
        return s.lgamma(x)

    def vjp(self, dy: Any) -> Any:
        return dy * digamma(self.x)


lgamma = api(Lgamma)


class Digamma(Unary):
    """The derivative of lgamma."""

    T = FLOATS

    def scalar(s, x):
        return s.digamma(x)

    def vjp(self, dy: Any) -> Any:
        from ..conversion import as_tensor
        from .incomplete_gamma import polygamma

        return dy * polygamma(as_tensor(1, dy.dtype), self.x)


digamma = api(Digamma)


class Floor(Unary):
    """The largest integer not above x."""

    T = FLOATS

    def scalar(s, x):
        return s.floor(x)

    def vjp(self, dy: Any) -> Any:
        return None


floor = api(Floor)


class Ceil(Unary):
    """The smallest integer not below x."""

    T = FLOATS

    def scalar(s, x):
        return s.ceil(x)

    def vjp(self, dy: Any) -> Any:
        return None


ceil = api(Ceil)


class Rint(Unary):
    """The nearest integer; of two equally near, the even one."""

    T = FLOATS

    def scalar(s, x):
        return s.round(x)

    def vjp(self, dy: Any) -> Any:
        return None


rint = api(Rint)


class Round(Unary):
    """The nearest integer; of two equally near, the even one."""

    T = SIGNED

    def eager(self, np: Any) -> Any:
        return self.x if self.x.dtype.kind == "i" else np.rint(self.x)

    def lower(self, loops: Any) -> Any:
        x = self.x
        if x.dtype.is_integer:
            return x
        return loops.map(x.shape, x.dtype, lambda *index: loops.scalars.round(x[index]))

    def vjp(self, dy: Any) -> Any:
        return None


def round(x: Any, name: str | None = None) -> Any:
    """The nearest integers; of two equally near, the even one. Integers stay as they are."""
    x = as_tensor(x)
    return x if x.dtype.is_integer else bind(Round, x, name=name)


class Xlogy(Binary):
    """x log(y), and 0 where x is 0."""

    T = FLOATING

    def scalar(s, x, y):
        zero = s.constant(0, x)
        return s.where(x == zero, zero, x * s.log(y))

    def vjp(self, dz: Any) -> Any:
        from ..array.fill import zero_or_one

        x, y = conjugated(self.x), conjugated(self.y)
        return (
            lambda: unbroadcast(dz * xlogy(zero_or_one(x), y), self.x, self.y),
            lambda: unbroadcast(dz * xdivy(x, y), self.y, self.x),
        )


xlogy = api(Xlogy)


class Xlog1py(Binary):
    """x log(1 + y), and 0 where x is 0."""

    T = FLOATING

    def scalar(s, x, y):
        zero = s.constant(0, x)
        return s.where(x == zero, zero, x * s.log1p(y))

    def vjp(self, dz: Any) -> Any:
        from ..array.fill import zero_or_one

        x, y = conjugated(self.x), conjugated(self.y)
        return (
            lambda: unbroadcast(dz * xlog1py(zero_or_one(x), y), self.x, self.y),
            lambda: unbroadcast(dz * xdivy(x, 1 + y), self.y, self.x),
        )


xlog1py = api(Xlog1py, "xlog1py")


class Xdivy(Binary):
    """x / y, and 0 where x is 0."""

    T = FLOATING

    def scalar(s, x, y):
        zero = s.constant(0, x)
        return s.where(x == zero, zero, x / y)

    def vjp(self, dz: Any) -> Any:
        from ..array.fill import zero_or_one

        x, y = conjugated(self.x), conjugated(self.y)
        return (
            lambda: unbroadcast(dz * xdivy(zero_or_one(x), y), self.x, self.y),
            lambda: unbroadcast(dz * xdivy(-x, square(y)), self.y, self.x),
        )


xdivy = api(Xdivy)
