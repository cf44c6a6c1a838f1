"""Functions of one element: roots, exponentials, logarithms, rounding, the error function."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...core.native_operations import MANY, SLOW
from ..array.broadcasting import unbroadcast
from ..bind import api, bind
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from ..families import Binary, Unary, ValueGradient
from ..op import FLOATS, as_eager
from .arithmetic import FLOATING, SIGNED, conjugated, negative, square

if TYPE_CHECKING:
    from ..results import Tensor


class Sqrt(Unary):
    """The square root; NaN of negative floats. Its gradient at 0 is infinite. Floats or complex
    numbers of any shape.

    >>> tf.sqrt([4.0, 0.25, -1.0]).numpy()
    array([2. , 0.5, nan], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype.
    """

    T = FLOATING

    def scalar(s: Any, x):
        return s.sqrt(x)

    def vjp(self, dy: Any) -> Any:
        return bind(SqrtGrad, self.y, dy)


sqrt = api(Sqrt)


class SqrtGrad(ValueGradient):
    """dy / 2y: the gradient of y = sqrt(x); 0 where dy is 0, even where y is too."""

    native_from = MANY

    def scalar(s: Any, y, dy):
        zero = s.constant(0, y)
        return s.where(dy == zero, zero, s.constant(0.5, y) * dy / s.conj(y))

    def vjp(self, dz: Any) -> Any:
        part = dz / self.y
        return lambda: -conjugated(part) * self.z, lambda: 0.5 * part


class Rsqrt(Unary):
    """1 / sqrt(x); infinite at 0, NaN of negative floats. Floats or complex numbers of any shape.

    >>> tf.math.rsqrt([4.0, 0.25, 0.0]).numpy()
    array([0.5, 2. , inf], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype.
    """

    native_from = MANY

    T = FLOATING

    def scalar(s: Any, x):
        return s.rsqrt(x)

    def vjp(self, dy: Any) -> Any:
        return bind(RsqrtGrad, self.y, dy)


rsqrt = api(Rsqrt)


class RsqrtGrad(ValueGradient):
    """-dy y y y / 2: the gradient of y = 1 / sqrt(x); 0 where dy is 0."""

    native_from = MANY

    def scalar(s: Any, y, dy):
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
    """e to the power x. Floats or complex numbers of any shape.

    >>> tf.exp([0.0, 1.0, -np.inf]).numpy().round(3)
    array([1.   , 2.718, 0.   ], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype.
    """

    T = FLOATING

    def scalar(s: Any, x):
        return s.exp(x)

    def vjp(self, dy: Any) -> Any:
        return dy * conjugated(self.y)


exp = api(Exp)


class Expm1(Unary):
    """e to the power x, minus 1, exact for small x. Floats or complex numbers of any shape.

    >>> tf.math.expm1([0.0, 1.0, -np.inf]).numpy().round(3)
    array([ 0.   ,  1.718, -1.   ], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype.
    """

    T = FLOATING

    def scalar(s: Any, x):
        return s.expm1(x)

    def vjp(self, dy: Any) -> Any:
        return dy * exp(conjugated(self.x))


expm1 = api(Expm1, "expm1")


class Log(Unary):
    """The natural logarithm; -inf of 0, NaN of negative floats. Floats or complex numbers of any
    shape.

    >>> tf.math.log([1.0, 2.0, 0.0]).numpy().round(3)
    array([0.   , 0.693,  -inf], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype.
    """

    T = FLOATING

    def scalar(s: Any, x):
        return s.log(x)

    def vjp(self, dy: Any) -> Any:
        return dy / conjugated(self.x)


log = api(Log)


class Log1p(Unary):
    """The natural logarithm of 1 + x, exact for small x; -inf at -1, NaN below. Floats or complex
    numbers of any shape.

    >>> tf.math.log1p([0.0, 1.0, -1.0]).numpy().round(3)
    array([0.   , 0.693,  -inf], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype.
    """

    T = FLOATING

    def scalar(s: Any, x):
        return s.log1p(x)

    def vjp(self, dy: Any) -> Any:
        return dy / (1 + conjugated(self.x))


log1p = api(Log1p, "log1p")


class Sigmoid(Unary):
    """1 / (1 + exp(-x)), computed without overflow. Floats or complex numbers of any shape.

    >>> tf.sigmoid([-1000.0, 0.0, 1.0]).numpy().round(3)
    array([0.   , 0.5  , 0.731], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype.
    """

    native_from = SLOW

    T = FLOATING

    def scalar(s: Any, x):
        return s.sigmoid(x)

    def vjp(self, dy: Any) -> Any:
        return bind(SigmoidGrad, conjugated(self.y), dy)


sigmoid = api(Sigmoid)


class SigmoidGrad(ValueGradient):
    """dy y (1 - y): the gradient of y = sigmoid(x)."""

    def scalar(s: Any, y, dy):
        return dy * y * (1 - y)

    def vjp(self, dz: Any) -> Any:
        y, dy = conjugated(self.y), conjugated(self.dy)
        return lambda: dz * dy * (1 - 2 * y), lambda: bind(SigmoidGrad, y, dz)


@dispatchable(elements=1)
def log_sigmoid(x: Any, name: str | None = None) -> Any:
    """log(sigmoid(x)), computed without underflow.

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.log_sigmoid([-100.0, 0.0]).numpy().round(3)
    array([-100.   ,   -0.693], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype.
    """
    from ..nn.activations import softplus

    return negative(softplus(negative(x)), name=name)


_TWO_BY_SQRT_PI = 1.1283791670955126


class Erf(Unary):
    """The error function: 2 / sqrt(pi) times the integral of exp(-t^2) from 0 to x. Floats of any
    shape.

    >>> tf.math.erf([0.0, 0.5, 10.0]).numpy().round(3)
    array([0.  , 0.52, 1.  ], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype.
    """

    native_from = SLOW

    T = FLOATS

    def scalar(s: Any, x):
        return s.erf(x)

    def vjp(self, dy: Any) -> Any:
        return dy * _TWO_BY_SQRT_PI * exp(-square(self.x))


erf = api(Erf)


class Erfc(Unary):
    """1 - erf(x), exact for large x. Floats of any shape.

    >>> tf.math.erfc([0.0, 0.5, -10.0]).numpy().round(3)
    array([1.  , 0.48, 2.  ], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype.
    """

    native_from = SLOW

    T = FLOATS

    def scalar(s: Any, x):
        return s.erfc(x)

    def vjp(self, dy: Any) -> Any:
        return dy * -_TWO_BY_SQRT_PI * exp(-square(self.x))


erfc = api(Erfc)


class Floor(Unary):
    """The largest integer not above x, as a float. It has no gradient. Floats of any shape.

    >>> tf.floor([-1.5, 1.5, 2.0]).numpy()
    array([-2.,  1.,  2.], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype.
    """

    T = FLOATS

    def scalar(s: Any, x):
        return s.floor(x)

    def vjp(self, dy: Any) -> Any:
        return None


floor = api(Floor)


class Ceil(Unary):
    """The smallest integer not below x, as a float. It has no gradient. Floats of any shape.

    >>> tf.math.ceil([-1.5, 1.5, 2.0]).numpy()
    array([-1.,  2.,  2.], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype.
    """

    T = FLOATS

    def scalar(s: Any, x):
        return s.ceil(x)

    def vjp(self, dy: Any) -> Any:
        return None


ceil = api(Ceil)


class Rint(Unary):
    """The nearest integer, as a float; of two equally near, the even one. It has no gradient.
    Floats of any shape.

    >>> tf.math.rint([0.5, 1.5, -1.7]).numpy()
    array([ 0.,  2., -2.], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype.
    """

    T = FLOATS

    def scalar(s: Any, x):
        return s.round(x)

    def vjp(self, dy: Any) -> Any:
        return None


rint = api(Rint)


class Round(Unary):
    """The nearest integer; of two equally near, the even one."""

    T = SIGNED
    xla = as_eager

    def eager(self, np: Any) -> Any:
        return self.x if self.x.dtype.kind == "i" else np.rint(self.x)

    def lower(self, loops: Any) -> Any:
        x = self.x
        if x.dtype.is_integer:
            return x
        return loops.map(x.shape, x.dtype, lambda *index: loops.scalars.round(x[index]))

    def vjp(self, dy: Any) -> Any:
        return None


@dispatchable(elements=1)
def round(x: Any, name: str | None = None) -> Tensor:
    """The nearest integers; of two equally near, the even one. Integers stay as they are.

    x: floats or integers of any shape; the result has its shape and dtype. It has no gradient.

    >>> tf.round([0.5, 1.5, 2.5, -1.7]).numpy()
    array([ 0.,  2.,  2., -2.], dtype=float32)

    Raises:
        DTypeMismatchError: bools, strings or complex numbers.
    """
    x = as_tensor(x)
    return x if x.dtype.is_integer else bind(Round, x, name=name)


class Xlogy(Binary):
    """x log(y), and 0 where x is 0. Floats or complex numbers of one dtype, shapes broadcast.

    >>> tf.math.xlogy([0.0, 2.0], [0.0, 2.0]).numpy().round(3)
    array([0.   , 1.386], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken.
    """

    native_from = MANY

    T = FLOATING

    def scalar(s: Any, x, y):
        return s.where(x == s.constant(0, x), x, x * s.log(y))

    def vjp(self, dz: Any) -> Any:
        from ..array.fill import zero_or_one

        x, y = conjugated(self.x), conjugated(self.y)
        return (
            lambda: unbroadcast(dz * xlogy(zero_or_one(x), y), self.x, self.y),
            lambda: unbroadcast(dz * xdivy(x, y), self.y, self.x),
        )


xlogy = api(Xlogy)


class Xlog1py(Binary):
    """x log(1 + y), and 0 where x is 0. Floats or complex numbers of one dtype, shapes broadcast.

    >>> tf.math.xlog1py([0.0, 2.0], [-1.0, 1.0]).numpy().round(3)
    array([0.   , 1.386], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken.
    """

    native_from = MANY

    T = FLOATING

    def scalar(s: Any, x, y):
        return s.where(x == s.constant(0, x), x, x * s.log1p(y))

    def vjp(self, dz: Any) -> Any:
        from ..array.fill import zero_or_one

        x, y = conjugated(self.x), conjugated(self.y)
        return (
            lambda: unbroadcast(dz * xlog1py(zero_or_one(x), y), self.x, self.y),
            lambda: unbroadcast(dz * xdivy(x, 1 + y), self.y, self.x),
        )


xlog1py = api(Xlog1py, "xlog1py")


class Xdivy(Binary):
    """x / y, and 0 where x is 0. Floats or complex numbers of one dtype, shapes broadcast.

    >>> tf.math.xdivy([0.0, 1.0, 1.0], [0.0, 0.0, 4.0]).numpy()
    array([0.  ,  inf, 0.25], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken.
    """

    native_from = MANY

    T = FLOATING

    def scalar(s: Any, x, y):
        return s.where(x == s.constant(0, x), x, x / y)

    def xla(self, xla: Any) -> Any:
        x = self.x
        return xla.scalars.where(x == 0, x, xla.divide(x, self.y))

    def vjp(self, dz: Any) -> Any:
        from ..array.fill import zero_or_one

        x, y = conjugated(self.x), conjugated(self.y)
        return (
            lambda: unbroadcast(dz * xdivy(zero_or_one(x), y), self.x, self.y),
            lambda: unbroadcast(dz * xdivy(-x, square(y)), self.y, self.x),
        )


xdivy = api(Xdivy)
