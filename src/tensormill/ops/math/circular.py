"""Circular and hyperbolic functions, and what undoes them."""

from __future__ import annotations

from typing import Any

from ...core.native_operations import MANY
from ..array.broadcasting import unbroadcast
from ..bind import api, bind
from ..families import Elementwise, Unary, ValueGradient
from ..op import FLOATS, In, Out
from .arithmetic import FLOATING, conjugated, square
from .elementwise import sqrt


class Circular(Unary, abstract=True):
    """A function of floats and complex numbers."""

    T = FLOATING


class Sin(Circular):
    """The sine of an angle in radians. Floats or complex numbers of any shape.

    >>> tf.sin([0.0, 0.5, np.pi / 2]).numpy().round(3)
    array([0.   , 0.479, 1.   ], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype.
    """

    def scalar(s: Any, x):
        return s.sin(x)

    def vjp(self, dy: Any) -> Any:
        return dy * cos(conjugated(self.x))


sin = api(Sin)


class Cos(Circular):
    """The cosine of an angle in radians. Floats or complex numbers of any shape.

    >>> tf.cos([0.0, 0.5, np.pi]).numpy().round(3)
    array([ 1.   ,  0.878, -1.   ], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype.
    """

    def scalar(s: Any, x):
        return s.cos(x)

    def vjp(self, dy: Any) -> Any:
        return -dy * sin(conjugated(self.x))


cos = api(Cos)


class Tan(Circular):
    """The tangent of an angle in radians. Floats or complex numbers of any shape.

    >>> tf.tan([0.0, 0.5, -0.5]).numpy().round(3)
    array([ 0.   ,  0.546, -0.546], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype.
    """

    def scalar(s: Any, x):
        return s.tan(x)

    def vjp(self, dy: Any) -> Any:
        return dy * (1 + square(conjugated(self.y)))


tan = api(Tan)


class Asin(Circular):
    """The angle whose sine is x, in [-pi/2, pi/2]; NaN of floats outside of [-1, 1]. Floats or
    complex numbers of any shape.

    >>> tf.asin([0.0, 1.0, 2.0]).numpy().round(3)
    array([0.   , 1.571,   nan], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype.
    """

    def scalar(s: Any, x):
        return s.asin(x)

    def vjp(self, dy: Any) -> Any:
        return dy / sqrt(1 - square(conjugated(self.x)))


asin = api(Asin)


class Acos(Circular):
    """The angle whose cosine is x, in [0, pi]; NaN of floats outside of [-1, 1]. Floats or complex
    numbers of any shape.

    >>> tf.acos([1.0, 0.0, 2.0]).numpy().round(3)
    array([0.   , 1.571,   nan], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype.
    """

    native_from = MANY

    def scalar(s: Any, x):
        return s.acos(x)

    def vjp(self, dy: Any) -> Any:
        return -dy / sqrt(1 - square(conjugated(self.x)))


acos = api(Acos)


class Atan(Circular):
    """The angle whose tangent is x, in [-pi/2, pi/2]. Floats or complex numbers of any shape.

    >>> tf.atan([0.0, 1.0, -np.inf]).numpy().round(3)
    array([ 0.   ,  0.785, -1.571], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype.
    """

    def scalar(s: Any, x):
        return s.atan(x)

    def vjp(self, dy: Any) -> Any:
        return dy / (1 + square(conjugated(self.x)))


atan = api(Atan)


class Sinh(Circular):
    """The hyperbolic sine, (e^x - e^-x) / 2. Floats or complex numbers of any shape.

    >>> tf.sinh([0.0, 1.0, -1.0]).numpy().round(3)
    array([ 0.   ,  1.175, -1.175], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype.
    """

    def scalar(s: Any, x):
        return s.sinh(x)

    def vjp(self, dy: Any) -> Any:
        return dy * cosh(conjugated(self.x))


sinh = api(Sinh)


class Cosh(Circular):
    """The hyperbolic cosine, (e^x + e^-x) / 2. Floats or complex numbers of any shape.

    >>> tf.cosh([0.0, 1.0, -1.0]).numpy().round(3)
    array([1.   , 1.543, 1.543], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype.
    """

    def scalar(s: Any, x):
        return s.cosh(x)

    def vjp(self, dy: Any) -> Any:
        return dy * sinh(conjugated(self.x))


cosh = api(Cosh)


class Tanh(Circular):
    """The hyperbolic tangent, sinh(x) / cosh(x). Floats or complex numbers of any shape.

    >>> tf.tanh([0.0, 1.0, -np.inf]).numpy().round(3)
    array([ 0.   ,  0.762, -1.   ], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype.
    """

    def scalar(s: Any, x):
        return s.tanh(x)

    def vjp(self, dy: Any) -> Any:
        return bind(TanhGrad, conjugated(self.y), dy)


tanh = api(Tanh)


class TanhGrad(ValueGradient):
    """dy (1 - y y): the gradient of y = tanh(x)."""

    def scalar(s: Any, y, dy):
        return dy * (1 - y * y)

    def vjp(self, dz: Any) -> Any:
        y, dy = conjugated(self.y), conjugated(self.dy)
        return lambda: -2 * dz * dy * y, lambda: bind(TanhGrad, y, dz)


class Asinh(Circular):
    """The number whose hyperbolic sine is x. Floats or complex numbers of any shape.

    >>> tf.asinh([0.0, 1.0, -1.0]).numpy().round(3)
    array([ 0.   ,  0.881, -0.881], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype.
    """

    def scalar(s: Any, x):
        return s.asinh(x)

    def vjp(self, dy: Any) -> Any:
        return dy / cosh(conjugated(self.y))


asinh = api(Asinh)


class Acosh(Circular):
    """The number, not below 0, whose hyperbolic cosine is x; NaN of floats below 1. Floats or
    complex numbers of any shape.

    >>> tf.acosh([1.0, 2.0, 0.0]).numpy().round(3)
    array([0.   , 1.317,   nan], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype.
    """

    def scalar(s: Any, x):
        return s.acosh(x)

    def vjp(self, dy: Any) -> Any:
        return dy / sinh(conjugated(self.y))


acosh = api(Acosh)


class Atanh(Circular):
    """The number whose hyperbolic tangent is x; infinite at -1 and 1, NaN of floats outside. Floats
    or complex numbers of any shape.

    >>> tf.atanh([0.0, 0.5, 1.0]).numpy().round(3)
    array([0.   , 0.549,   inf], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype.
    """

    def scalar(s: Any, x):
        return s.atanh(x)

    def vjp(self, dy: Any) -> Any:
        return dy / (1 - square(conjugated(self.x)))


atanh = api(Atanh)


class Atan2(Elementwise):
    """The angle of the point with abscissa x and ordinate y, in (-pi, pi]. Floats of one dtype,
    shapes broadcast.

    >>> tf.atan2([1.0, 0.0, -1.0], [0.0, -1.0, -1.0]).numpy().round(3)
    array([ 1.571,  3.142, -2.356], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken.
    """

    y = In("T ...")
    x = In("T ...")
    z = Out("T ...")
    T = FLOATS

    def scalar(s: Any, y, x):
        return s.atan2(y, x)

    def vjp(self, dz: Any) -> Any:
        part = dz / (square(self.x) + square(self.y))
        return (
            lambda: unbroadcast(self.x * part, self.y, self.x),
            lambda: unbroadcast(-self.y * part, self.x, self.y),
        )


atan2 = api(Atan2, "atan2")
