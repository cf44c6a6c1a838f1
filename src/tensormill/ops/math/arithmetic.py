"""Arithmetic of every element: sums, products, powers, extrema; operands broadcast."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...core import dtypes
from ...core.dtypes import DType
from ...core.native_operations import MANY
from ...core.values import TensorLike
from ..array.broadcasting import unbroadcast
from ..bind import api, bind
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from ..families import Binary, Unary, ValueGradient
from ..op import COMPLEX, FLOATS, NUMBERS, REALS, types

if TYPE_CHECKING:
    from ..results import Tensor

EXACT = types("f32 f64 i32 i64")
SIGNED = types("f16 bf16 f32 f64 i8 i16 i32 i64")
FLOATING = FLOATS | COMPLEX


class AddV2(Binary):
    """x + y."""

    hinted = "y"
    exact = EXACT

    def scalar(s: Any, x, y):
        return x + y

    def vjp(self, dz: Any) -> Any:
        x, y = self.x, self.y
        return lambda: unbroadcast(dz, x, y), lambda: unbroadcast(dz, y, x)


class Add(Binary):
    """x + y, or two strings joined: TensorFlow's older addition, which still serves strings."""

    T = NUMBERS - types("u16 u32 u64") | types("str")
    hinted = "y"

    def eager(self, np: Any) -> Any:
        if self.x.dtype != object:
            return super().eager(np)
        joined = np.empty(np.broadcast_shapes(self.x.shape, self.y.shape), object)
        return np.add(self.x, self.y, out=joined)

    def scalar(s: Any, x, y):
        return x + y

    def on_spans(self) -> Any:
        from ..strings.spans.joining import joined_pairs  # which no numbers need
        from ..strings.spans.spans import Spans

        if not (isinstance(self.x, Spans) and isinstance(self.y, Spans)):
            return NotImplemented
        return joined_pairs(self.x, self.y)

    def vjp(self, dz: Any) -> Any:
        x, y = self.x, self.y
        return lambda: unbroadcast(dz, x, y), lambda: unbroadcast(dz, y, x)


@dispatchable(elements=2, quick=AddV2)
def add(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x + y for numbers; for strings, x followed by y. Operands broadcast.

    x, y: one dtype, which the result has; a Python number takes that of the other. Integers wrap
    around.

    >>> tf.add([[1, 2], [3, 4]], [10, 20]).numpy()
    array([[11, 22],
           [13, 24]], dtype=int32)
    >>> tf.add(["a", "b"], "c").numpy()
    array([b'ac', b'bc'], dtype=object)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken.
    """
    if isinstance(x, TensorLike):
        dtype = x.dtype
    elif isinstance(y, TensorLike):
        dtype = y.dtype
    else:
        x = as_tensor(x)
        dtype = x.dtype
    return bind(Add if dtype is dtypes.string else AddV2, x, y, name=name or "Add")


class Sub(Binary):
    """x - y; numbers of one dtype, shapes broadcast.

    >>> tf.subtract([5, 7], 2).numpy()
    array([3, 5], dtype=int32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken.
    """

    exact = EXACT

    def scalar(s: Any, x, y):
        return x - y

    def vjp(self, dz: Any) -> Any:
        x, y = self.x, self.y
        return lambda: unbroadcast(dz, x, y), lambda: unbroadcast(-dz, y, x)


subtract = api(Sub, "subtract")


class Mul(Binary):
    """x * y, element by element; numbers of one dtype, shapes broadcast.

    >>> tf.multiply([[1, 2], [3, 4]], [10, 100]).numpy()
    array([[ 10, 200],
           [ 30, 400]], dtype=int32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken.
    """

    exact = EXACT

    def scalar(s: Any, x, y):
        return x * y

    def vjp(self, dz: Any) -> Any:
        x, y = self.x, self.y
        return (
            lambda: unbroadcast(dz * conjugated(y), x, y),
            lambda: unbroadcast(dz * conjugated(x), y, x),
        )


multiply = api(Mul, "multiply")


@dispatchable(elements=2)
def scalar_mul(scalar: Any, x: Any, name: str | None = None) -> Any:
    """`x` (a tensor or IndexedSlices) times a scalar.

    scalar: a number of the dtype of `x`. The result has the shape and dtype of `x`; sparse and
    ragged tensors stay what they are.

    >>> tf.scalar_mul(3, tf.constant([1, 2])).numpy()
    array([3, 6], dtype=int32)

    Raises:
        ValueError: `scalar` is not a scalar.
        DTypeMismatchError: `scalar` is of another dtype.
    """
    if not isinstance(getattr(x, "dtype", None), DType):  # an array or a list
        x = as_tensor(x)
    scalar = as_tensor(scalar, x.dtype)
    if scalar.shape.rank not in (0, None):
        raise ValueError(f"The input scalar must be a 0-D value, got shape {scalar.shape}")
    if hasattr(x, "with_values"):  # sparse and ragged tensors
        return x.with_values(scalar_mul(scalar, x.values, name))
    if not isinstance(x, TensorLike) and hasattr(x, "dense_shape"):
        return type(x)(multiply(scalar, x.values, name=name), x.indices, x.dense_shape)
    return multiply(scalar, x, name=name)


class MulNoNan(Binary):
    """x * y, and 0 where y is 0, even if x is infinite or NaN. Floats or complex numbers of one
    dtype, shapes broadcast.

    >>> tf.math.multiply_no_nan([np.inf, np.nan, 2.0], [0.0, 0.0, 3.0]).numpy()
    array([0., 0., 6.], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken.
    """

    native_from = MANY
    T = FLOATING

    def scalar(s: Any, x, y):
        zero = s.constant(0, x)
        return s.where(y == zero, zero, x * y)

    def vjp(self, dz: Any) -> Any:
        x, y = self.x, self.y
        return (
            lambda: unbroadcast(bind(MulNoNan, dz, conjugated(y)), x, y),
            lambda: unbroadcast(bind(MulNoNan, conjugated(x), dz), y, x),
        )


multiply_no_nan = api(MulNoNan, "multiply_no_nan")


class Maximum(Binary):
    """The larger of x and y; NaN where either is NaN. The gradient of a tie goes to x. Real numbers
    of one dtype, shapes broadcast.

    >>> tf.maximum([-2.0, 3.0], 0.0).numpy()
    array([0., 3.], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken.
    """

    T = REALS

    def scalar(s: Any, x, y):
        return s.maximum(x, y)

    def vjp(self, dz: Any) -> Any:
        from .comparison import greater_equal

        return chosen_gradients(self, dz, greater_equal(self.x, self.y))


maximum = api(Maximum)


class Minimum(Binary):
    """The smaller of x and y; NaN where either is NaN. The gradient of a tie goes to x. Real
    numbers of one dtype, shapes broadcast.

    >>> tf.minimum([-2.0, 3.0], 0.0).numpy()
    array([-2.,  0.], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken.
    """

    T = REALS

    def scalar(s: Any, x, y):
        return s.minimum(x, y)

    def vjp(self, dz: Any) -> Any:
        from .comparison import less_equal

        return chosen_gradients(self, dz, less_equal(self.x, self.y))


minimum = api(Minimum)


def chosen_gradients(application: Binary, dz: Any, is_x: Any) -> tuple[Any, Any]:
    """`dz` for x where `is_x`, for y elsewhere."""
    from ..array.fill import zeros_like
    from ..array.select import where

    x, y, none = application.x, application.y, zeros_like(dz)
    return (
        lambda: unbroadcast(where(is_x, dz, none), x, y),
        lambda: unbroadcast(where(is_x, none, dz), y, x),
    )


class SquaredDifference(Binary):
    """(x - y) (x - y), with the conjugate of one of them where they are complex. Floats, complex
    numbers, int32 or int64 of one dtype, shapes broadcast.

    >>> tf.math.squared_difference([1, 5, 9], 4).numpy()
    array([ 9,  1, 25], dtype=int32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken.
    """

    native_from = MANY

    T = types("f16 bf16 f32 f64 i32 i64 c64 c128")

    def scalar(s: Any, x, y):
        return (x - y) * s.conj(x - y)

    def vjp(self, dz: Any) -> Any:
        x, y = self.x, self.y
        dx = 2 * _real_part(dz) * (x - y)
        return lambda: unbroadcast(dx, x, y), lambda: unbroadcast(-dx, y, x)


def _real_part(x: Any) -> Any:
    """Complex numbers without their imaginary parts: all that reaches what is real by itself."""
    if not x.dtype.is_complex:
        return x
    from ..array.fill import zeros_like
    from .complex import complex, real

    part = real(x)
    return complex(part, zeros_like(part))


squared_difference = api(SquaredDifference)


class Neg(Unary):
    """-x, of floats, complex numbers or signed integers of any shape.

    >>> tf.negative([1, -2]).numpy()
    array([-1,  2], dtype=int32)

    Raises:
        DTypeMismatchError: x is of another dtype.
    """

    T = SIGNED | COMPLEX

    def scalar(s: Any, x):
        return -x

    def vjp(self, dy: Any) -> Any:
        return -dy


negative = api(Neg, "negative")


class Square(Unary):
    """x * x, of numbers of any shape. Integers wrap around.

    >>> tf.square([3, -4]).numpy()
    array([ 9, 16], dtype=int32)

    Raises:
        DTypeMismatchError: x is bool or string.
    """

    def scalar(s: Any, x):
        return s.square(x)

    def vjp(self, dy: Any) -> Any:
        return dy * (2 * conjugated(self.x))


square = api(Square)


class Reciprocal(Unary):
    """1 / x, of floats or complex numbers of any shape; infinite where x is 0.

    >>> tf.math.reciprocal([2.0, -4.0, 0.0]).numpy()
    array([ 0.5 , -0.25,   inf], dtype=float32)

    Raises:
        DTypeMismatchError: x is of another dtype.
    """

    T = FLOATING

    def scalar(s: Any, x):
        return s.reciprocal(x)

    def vjp(self, dy: Any) -> Any:
        return bind(ReciprocalGrad, self.y, dy)


reciprocal = api(Reciprocal)


class ReciprocalGrad(ValueGradient):
    """-dy y y: the gradient of y = 1 / x."""

    def scalar(s: Any, y, dy):
        value = s.conj(y)
        return -dy * value * value

    def vjp(self, dz: Any) -> Any:
        y = conjugated(self.y)
        return conjugated(dz) * -2 * self.dy * y, bind(ReciprocalGrad, y, dz)


def conjugated(x: Any) -> Any:
    """The complex conjugate; a real tensor itself."""
    if not x.dtype.is_complex:
        return x
    from .complex import conj

    return conj(x)
