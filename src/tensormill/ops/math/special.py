"""Rare functions of one number: SciPy's where they are few, `vector_math` in compiled functions.

Abramowitz and Stegun 1964 has all derivatives.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

from ...core import dtypes
from ...core.native_operations import SLOW
from ...core.shapes import broadcast_shapes
from ...core.specs import TensorSpec
from ..array.broadcasting import unbroadcast
from ..array.fill import ones_like, zeros_like
from ..array.select import where
from ..bind import api, bind
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from ..families import Unary
from ..op import FLOATS, In, Op, Out, types, usually
from ..scalar import by_scipy
from .arithmetic import reciprocal, square
from .circular import cos, sin
from .comparison import equal
from .elementwise import exp, log
from .signs import sign


class Special(Op, abstract=True):
    """A function of each element; `function` is its name in scipy.special."""

    x = In("T *s")
    y = Out("T *s")
    T = FLOATS
    by_element = True
    function: ClassVar[str] = ""

    def infer(self) -> TensorSpec:
        return TensorSpec(self.x.shape, self.x.dtype)

    def eager(self, np: Any) -> Any:
        return by_scipy(self.function, self.x)

    def lower(self, loops: Any) -> Any:
        return loops.special(self.function, self.x)[0]


class Erfinv(Special):
    """The number whose error function is x: infinite at -1 and 1, NaN outside.

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.erfinv([0.0, 0.5, 1.0]).numpy().round(3)
    array([0.   , 0.477,   inf], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype.
    """

    native_from = SLOW
    function = "erfinv"

    def xla(self, xla: Any) -> Any:
        return xla.jax.scipy.special.erfinv(self.x)

    def vjp(self, dy: Any) -> Any:
        return dy * as_tensor(math.sqrt(math.pi) / 2, dy.dtype) * exp(square(self.y))


erfinv = api(Erfinv)


class Ndtri(Special):
    """The number below which a standard normal number lies with probability x; NaN outside of [0,
    1].

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.ndtri([0.5, 0.975, 1.0]).numpy().round(3)
    array([0.  , 1.96,  inf], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype.
    """

    native_from = SLOW
    function = "ndtri"

    def xla(self, xla: Any) -> Any:
        return xla.jax.scipy.special.ndtri(self.x)

    def vjp(self, dy: Any) -> Any:
        half = as_tensor(0.5, dy.dtype)
        return dy * as_tensor(math.sqrt(2 * math.pi), dy.dtype) * exp(square(self.y) * half)


ndtri = api(Ndtri)


@dispatchable(elements=1)
def erfcinv(x: Any, name: str | None = None) -> Any:
    """The number whose complementary error function is x; NaN outside of [0, 2].

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.erfcinv([0.0, 0.5, 1.5]).numpy().round(3)
    array([   inf,  0.477, -0.477], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype.
    """
    x = as_tensor(x)
    half = as_tensor(0.5, x.dtype)
    return bind(Ndtri, half * x) * -as_tensor(math.sqrt(0.5), x.dtype)


def quotient(y: Any, x: Any, at_zero: float) -> Any:
    """y / x, and another number where x is 0."""
    vanishes = equal(x, 0)
    safe = where(vanishes, ones_like(x), x)
    return where(vanishes, zeros_like(x) + as_tensor(at_zero, x.dtype), y / safe)


class RareFunction(Unary, abstract=True):
    """A function for which NumPy has nothing: of many numbers, compiled code is quicker."""

    native_from = SLOW
    T = FLOATS


class BesselI0(RareFunction):
    """The modified Bessel function of the first kind, of order 0.

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.bessel_i0([0.0, 1.0, 2.0]).numpy().round(3)
    array([1.   , 1.266, 2.28 ], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype.
    """

    def scalar(s: Any, x):
        return s.bessel_i0(x)

    def vjp(self, dy: Any) -> Any:
        return dy * bessel_i1(self.x)


class BesselI1(RareFunction):
    """The modified Bessel function of the first kind, of order 1.

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.bessel_i1([0.0, 1.0, 2.0]).numpy().round(3)
    array([0.   , 0.565, 1.591], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype.
    """

    def scalar(s: Any, x):
        return s.bessel_i1(x)

    def vjp(self, dy: Any) -> Any:
        return dy * (bessel_i0(self.x) - quotient(self.y, self.x, 0.5))


class BesselI0e(RareFunction):
    """exp(-|x|) times the modified Bessel function of the first kind, of order 0.

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.bessel_i0e([0.0, 1.0, 2.0]).numpy().round(3)
    array([1.   , 0.466, 0.309], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype.
    """

    def scalar(s: Any, x):
        return s.bessel_i0e(x)

    def vjp(self, dy: Any) -> Any:
        return dy * (bessel_i1e(self.x) - sign(self.x) * self.y)


class BesselI1e(RareFunction):
    """exp(-|x|) times the modified Bessel function of the first kind, of order 1.

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.bessel_i1e([0.0, 1.0, 2.0]).numpy().round(3)
    array([0.   , 0.208, 0.215], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype.
    """

    def scalar(s: Any, x):
        return s.bessel_i1e(x)

    def vjp(self, dy: Any) -> Any:
        falling = sign(self.x) * self.y
        return dy * (bessel_i0e(self.x) - falling - quotient(self.y, self.x, 0.5))


class BesselJ0(RareFunction):
    """The Bessel function of the first kind, of order 0.

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.special.bessel_j0([0.0, 1.0, 2.0]).numpy().round(3)
    array([1.   , 0.765, 0.224], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype.
    """

    def scalar(s: Any, x):
        return s.bessel_j0(x)

    def vjp(self, dy: Any) -> Any:
        return -dy * bessel_j1(self.x)


class BesselJ1(RareFunction):
    """The Bessel function of the first kind, of order 1.

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.special.bessel_j1([0.0, 1.0, 2.0]).numpy().round(3)
    array([0.   , 0.44 , 0.577], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype.
    """

    def scalar(s: Any, x):
        return s.bessel_j1(x)

    def vjp(self, dy: Any) -> Any:
        return dy * (bessel_j0(self.x) - quotient(self.y, self.x, 0.5))


class BesselY0(RareFunction):
    """The Bessel function of the second kind, of order 0: -inf at 0, NaN below.

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.special.bessel_y0([0.0, 1.0, 2.0]).numpy().round(3)
    array([ -inf, 0.088, 0.51 ], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype.
    """

    def scalar(s: Any, x):
        return s.bessel_y0(x)

    def vjp(self, dy: Any) -> Any:
        return -dy * bessel_y1(self.x)


class BesselY1(RareFunction):
    """The Bessel function of the second kind, of order 1: -inf at 0, NaN below.

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.special.bessel_y1([0.0, 1.0, 2.0]).numpy().round(3)
    array([  -inf, -0.781, -0.107], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype.
    """

    def scalar(s: Any, x):
        return s.bessel_y1(x)

    def vjp(self, dy: Any) -> Any:
        return dy * (bessel_y0(self.x) - self.y / self.x)


class BesselK0(RareFunction):
    """The modified Bessel function of the second kind, of order 0: inf at 0, NaN below.

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.special.bessel_k0([0.0, 1.0, 2.0]).numpy().round(3)
    array([  inf, 0.421, 0.114], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype.
    """

    def scalar(s: Any, x):
        return s.bessel_k0(x)

    def vjp(self, dy: Any) -> Any:
        return -dy * bessel_k1(self.x)


class BesselK1(RareFunction):
    """The modified Bessel function of the second kind, of order 1: inf at 0, NaN below.

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.special.bessel_k1([0.0, 1.0, 2.0]).numpy().round(3)
    array([  inf, 0.602, 0.14 ], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype.
    """

    def scalar(s: Any, x):
        return s.bessel_k1(x)

    def vjp(self, dy: Any) -> Any:
        return -dy * (bessel_k0(self.x) + self.y / self.x)


class BesselK0e(RareFunction):
    """exp(x) times the modified Bessel function of the second kind, of order 0.

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.special.bessel_k0e([0.0, 1.0, 2.0]).numpy().round(3)
    array([  inf, 1.144, 0.842], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype.
    """

    def scalar(s: Any, x):
        return s.bessel_k0e(x)

    def vjp(self, dy: Any) -> Any:
        return dy * (self.y - bessel_k1e(self.x))


class BesselK1e(RareFunction):
    """exp(x) times the modified Bessel function of the second kind, of order 1.

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.special.bessel_k1e([0.0, 1.0, 2.0]).numpy().round(3)
    array([  inf, 1.636, 1.033], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype.
    """

    def scalar(s: Any, x):
        return s.bessel_k1e(x)

    def vjp(self, dy: Any) -> Any:
        return dy * (self.y * (1.0 - reciprocal(self.x)) - bessel_k0e(self.x))


bessel_i0, bessel_i1 = api(BesselI0, "bessel_i0"), api(BesselI1, "bessel_i1")
bessel_i0e, bessel_i1e = api(BesselI0e, "bessel_i0e"), api(BesselI1e, "bessel_i1e")
bessel_j0, bessel_j1 = api(BesselJ0, "bessel_j0"), api(BesselJ1, "bessel_j1")
bessel_k0, bessel_k1 = api(BesselK0, "bessel_k0"), api(BesselK1, "bessel_k1")
bessel_k0e, bessel_k1e = api(BesselK0e, "bessel_k0e"), api(BesselK1e, "bessel_k1e")
bessel_y0, bessel_y1 = api(BesselY0, "bessel_y0"), api(BesselY1, "bessel_y1")


class Dawsn(RareFunction):
    """Dawson's integral: that of exp(t^2 - x^2) over t, from 0 to x.

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.special.dawsn([0.0, 1.0, 2.0]).numpy().round(3)
    array([0.   , 0.538, 0.301], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype.
    """

    def scalar(s: Any, x):
        return s.dawsn(x)

    def vjp(self, dy: Any) -> Any:
        return dy * (1.0 - 2.0 * self.x * self.y)


class Expint(RareFunction):
    """The exponential integral Ei: that of exp(t) / t from -inf to x; -inf at 0, NaN below.

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.special.expint([-1.0, 0.0, 1.0]).numpy().round(3)
    array([  nan,  -inf, 1.895], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype.
    """

    def scalar(s: Any, x):
        return s.where(x < 0, s.constant(math.nan, x), s.expint(x))

    def vjp(self, dy: Any) -> Any:
        return dy * exp(self.x) / self.x


class FresnelSin(RareFunction):
    """The integral of sin(pi t^2 / 2) from 0 to x.

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.special.fresnel_sin([0.0, 1.0, 2.0]).numpy().round(3)
    array([0.   , 0.438, 0.343], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype.
    """

    def scalar(s: Any, x):
        return s.fresnel_sin(x)

    def vjp(self, dy: Any) -> Any:
        return dy * sin(as_tensor(math.pi / 2, dy.dtype) * square(self.x))


class FresnelCos(RareFunction):
    """The integral of cos(pi t^2 / 2) from 0 to x.

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.special.fresnel_cos([0.0, 1.0, 2.0]).numpy().round(3)
    array([0.   , 0.78 , 0.488], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype.
    """

    def scalar(s: Any, x):
        return s.fresnel_cos(x)

    def vjp(self, dy: Any) -> Any:
        return dy * cos(as_tensor(math.pi / 2, dy.dtype) * square(self.x))


class Spence(RareFunction):
    """The dilogarithm of 1 - x: the integral of log(t) / (1 - t) from 1 to x; NaN below 0.

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.special.spence([0.0, 1.0, 2.0]).numpy().round(3)
    array([ 1.645,  0.   , -0.822], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype.
    """

    def scalar(s: Any, x):
        return s.spence(x)

    def vjp(self, dy: Any) -> Any:
        return dy * quotient(log(self.x), 1.0 - self.x, -1.0)


dawsn, expint, spence = api(Dawsn), api(Expint), api(Spence)
fresnel_sin, fresnel_cos = api(FresnelSin), api(FresnelCos)


class NextAfter(Op):
    """The next number after x1 on the way to x2; both float32 or float64, shapes broadcast.

    >>> float(tf.math.nextafter(1.0, 2.0)) == 1 + 2**-23
    True

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken.
    """

    native_from = SLOW

    x1 = In("T ...")
    x2 = In("T ...")
    output = Out("T ...")
    T = types("f64 f32")
    usual = usually(T="f32")
    by_element = True

    def infer(self) -> TensorSpec:
        return TensorSpec(broadcast_shapes(self.x1.shape, self.x2.shape), self.x1.dtype)

    def eager(self, np: Any) -> Any:
        with np.errstate(all="ignore"):
            return np.nextafter(self.x1, self.x2)

    def xla(self, xla: Any) -> Any:
        return xla.np.nextafter(self.x1, self.x2)

    def lower(self, loops: Any) -> Any:
        shape = loops.broadcast_shape(self.x1.shape, self.x2.shape)
        start, goal = loops.broadcast(self.x1, shape), loops.broadcast(self.x2, shape)

        def element(*index: Any) -> Any:
            return following(loops.scalars, start[index], goal[index])

        return loops.map(shape, self.x1.dtype, element)

    def vjp(self, dy: Any) -> Any:
        return lambda: unbroadcast(dy, self.x1, self.x2), lambda: zeros_like(self.x2)


def following(s: Any, x: Any, goal: Any) -> Any:
    """By one step of the integer that has the bits of x: numbers of one sign are in its order."""
    bits = dtypes.int64 if x.dtype is dtypes.float64 else dtypes.int32
    zero = s.constant(0, x)
    one = s.constant(1, s.bitcast(x, bits))
    outward = (goal > x) == (x > zero)
    stepped = s.bitcast(s.bitcast(x, bits) + s.where(outward, one, -one), x.dtype)
    least = s.bitcast(one, x.dtype)
    stepped = s.where(x == zero, s.where(goal > zero, least, -least), stepped)
    stepped = s.where(x == goal, goal, stepped)
    return s.where(s.is_nan(x) | s.is_nan(goal), x + goal, stepped)


nextafter = api(NextAfter, "nextafter")
