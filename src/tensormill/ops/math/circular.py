"""Circular and hyperbolic functions, and what undoes them."""

from __future__ import annotations

from typing import Any

from ..array.broadcasting import unbroadcast
from ..bind import api, bind
from ..families import Elementwise, Unary, ValueGradient
from ..op import FLOATS, In, Out
from .arithmetic import FLOATING, conjugated, square
from .elementwise import sqrt


class Sin(Unary):
    """The sine of an angle in radians."""

    T = FLOATING

    def scalar(s, x):
        return s.sin(x)

    def vjp(self, dy: Any) -> Any:
        return dy * cos(conjugated(self.x))


sin = api(Sin)


class Cos(Unary):
    """The cosine of an angle in radians."""

    T = FLOATING

    def scalar(s, x):
        return s.cos(x)

    def vjp(self, dy: Any) -> Any:
        return -dy * sin(conjugated(self.x))


cos = api(Cos)


class Tan(Unary):
    """The tangent of an angle in radians."""

    T = FLOATING

    def scalar(s, x):
        return s.tan(x)

    def vjp(self, dy: Any) -> Any:
        return dy * (1 + square(conjugated(self.y)))


tan = api(Tan)


class Asin(Unary):
    """The angle whose sine is x."""

    T = FLOATING

    def scalar(s, x):
        return s.asin(x)

    def vjp(self, dy: Any) -> Any:
        return dy / sqrt(1 - square(conjugated(self.x)))


asin = api(Asin)


class Acos(Unary):
    """The angle whose cosine is x."""

    T = FLOATING

    def scalar(s, x):
        return s.acos(x)

    def vjp(self, dy: Any) -> Any:
        return -dy / sqrt(1 - square(conjugated(self.x)))


acos = api(Acos)


class Atan(Unary):
    """The angle whose tangent is x."""

    T = FLOATING

    def scalar(s, x):
        return s.atan(x)

    def vjp(self, dy: Any) -> Any:
        return dy / (1 + square(conjugated(self.x)))


atan = api(Atan)


class Sinh(Unary):
    """The hyperbolic sine."""

    T = FLOATING

    def scalar(s, x):
        return s.sinh(x)

    def vjp(self, dy: Any) -> Any:
        return dy * cosh(conjugated(self.x))


sinh = api(Sinh)


class Cosh(Unary):
    """The hyperbolic cosine."""

    T = FLOATING

    def scalar(s, x):
        return s.cosh(x)

    def vjp(self, dy: Any) -> Any:
        return dy * sinh(conjugated(self.x))


cosh = api(Cosh)


class Tanh(Unary):
    """The hyperbolic tangent."""

    T = FLOATING

    def scalar(s, x):
        return s.tanh(x)

    def vjp(self, dy: Any) -> Any:
        return bind(TanhGrad, conjugated(self.y), dy)


tanh = api(Tanh)


class TanhGrad(ValueGradient):
    """dy (1 - y y): the gradient of y = tanh(x)."""

    def scalar(s, y, dy):
        return dy * (1 - y * y)

    def vjp(self, dz: Any) -> Any:
        y, dy = conjugated(self.y), conjugated(self.dy)
        return lambda: -2 * dz * dy * y, lambda: bind(TanhGrad, y, dz)


class Asinh(Unary):
    """The number whose hyperbolic sine is x."""

    T = FLOATING

    def scalar(s, x):
        return s.asinh(x)

    def vjp(self, dy: Any) -> Any:
        return dy / cosh(conjugated(self.y))


asinh = api(Asinh)


class Acosh(Unary):
    """The number whose hyperbolic cosine is x."""

    T = FLOATING

    def scalar(s, x):
        return s.acosh(x)

    def vjp(self, dy: Any) -> Any:
        return dy / sinh(conjugated(self.y))


acosh = api(Acosh)


class Atanh(Unary):
    """The number whose hyperbolic tangent is x."""

    T = FLOATING

    def scalar(s, x):
        return s.atanh(x)

    def vjp(self, dy: Any) -> Any:
        return dy / (1 - square(conjugated(self.x)))


atanh = api(Atanh)


class Atan2(Elementwise):
    """The angle of the point with abscissa x and ordinate y, in (-pi, pi]."""

    y = In("T ...")
    x = In("T ...")
    z = Out("T ...")
    T = FLOATS

    def scalar(s, y, x):
        return s.atan2(y, x)

    def vjp(self, dz: Any) -> Any:
        part = dz / (square(self.x) + square(self.y))
        return (
            lambda: unbroadcast(self.x * part, self.y, self.x),
            lambda: unbroadcast(-self.y * part, self.x, self.y),
        )


atan2 = api(Atan2, "atan2")
