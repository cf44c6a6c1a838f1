"""Arithmetic of every element: sums, products, quotients, powers; operands broadcast."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.native_operations import MANY
from ...core.process.tracebacks import shallow
from ...core.shapes import broadcast_shapes
from ...core.specs import TensorSpec
from ...core.tree import Composite
from ...core.values import TensorLike
from ...errors import DTypeMismatchError, InvalidArgumentError
from ..array.broadcasting import unbroadcast
from ..bind import api, bind
from ..conversion import as_tensor, as_tensors
from ..families import Binary, Unary, ValueGradient
from ..op import COMPLEX, FLOATS, NUMBERS, REALS, In, Op, Out, types

SIGNED = types("f16 bf16 f32 f64 i8 i16 i32 i64")
FLOATING = FLOATS | COMPLEX


class AddV2(Binary):
    """x + y."""

    def scalar(s, x, y):
        return x + y

    def vjp(self, dz: Any) -> Any:
        x, y = self.x, self.y
        return lambda: unbroadcast(dz, x, y), lambda: unbroadcast(dz, y, x)


class Add(Op):
    """Two strings joined, for every element; operands broadcast.

    TensorFlow's older addition, which still serves strings.
    """

    x = In("T ...")
    y = In("T ...")
    z = Out("T ...")
    T = types("str")
    differentiable = False

    def infer(self) -> TensorSpec:
        return TensorSpec(broadcast_shapes(self.x.shape, self.y.shape), self.x.dtype)

    def eager(self, np: Any) -> Any:
        joined = np.empty(np.broadcast_shapes(self.x.shape, self.y.shape), object)
        return np.add(self.x, self.y, out=joined)


def add(x: Any, y: Any, name: str | None = None) -> Any:
    """x + y for numbers; for strings, x followed by y. Operands broadcast."""
    if not isinstance(x, TensorLike) and not isinstance(y, TensorLike):
        x = x if isinstance(x, Composite) else as_tensor(x)
        if isinstance(x, Composite) or isinstance(y, Composite):
            return bind(AddV2, x, y, name=name or "Add")
    dtype = x.dtype if isinstance(x, TensorLike) else y.dtype
    return bind(Add if dtype is dtypes.string else AddV2, x, y, name=name or "Add")


class Sub(Binary):
    """x - y."""

    def scalar(s, x, y):
        return x - y

    def vjp(self, dz: Any) -> Any:
        x, y = self.x, self.y
        return lambda: unbroadcast(dz, x, y), lambda: unbroadcast(-dz, y, x)


subtract = api(Sub, "subtract")


class Mul(Binary):
    """x * y."""

    def scalar(s, x, y):
        return x * y

    def vjp(self, dz: Any) -> Any:
        x, y = self.x, self.y
        return (
            lambda: unbroadcast(dz * conjugated(y), x, y),
            lambda: unbroadcast(dz * conjugated(x), y, x),
        )


multiply = api(Mul, "multiply")


def scalar_mul(scalar: Any, x: Any, name: str | None = None) -> Any:
    """`x` (a tensor or IndexedSlices) times a scalar.

    Raises:
        ValueError: `scalar` is not a scalar.
    """
    scalar = as_tensor(scalar, x.dtype)
    if scalar.shape.rank not in (0, None):
        raise ValueError(f"The input scalar must be a 0-D value, got shape {scalar.shape}")
    if hasattr(x, "with_values"):  # sparse and ragged tensors
        return x.with_values(scalar_mul(scalar, x.values, name))
    if not isinstance(x, TensorLike) and hasattr(x, "dense_shape"):
        return type(x)(multiply(scalar, x.values, name=name), x.indices, x.dense_shape)
    return multiply(scalar, x, name=name)


class RealDiv(Binary):
    """x / y; for integers, rounded towards zero."""

    def eager(self, np: Any) -> Any:
        if self.x.dtype.kind in "iu":
            return TruncateDiv(self.x, self.y).eager(np)
        with np.errstate(all="ignore"):
            return self.x / self.y

    def scalar(s, x, y):
        return x / y

    def lower(self, loops: Any) -> Any:
        if self.x.dtype.is_integer:
            return TruncateDiv(self.x, self.y).lower(loops)
        return super().lower(loops)

    def vjp(self, dz: Any) -> Any:
        x, y, divisor = self.x, self.y, conjugated(self.y)
        return (
            lambda: unbroadcast(dz / divisor, x, y),
            lambda: unbroadcast(-(dz * conjugated(self.z)) / divisor, y, x),
        )


realdiv = api(RealDiv, "realdiv")

# What the quotient of two integers is.
QUOTIENT = {
    dtypes.uint8: dtypes.float32, dtypes.int8: dtypes.float32,
    dtypes.uint16: dtypes.float32, dtypes.int16: dtypes.float32,
    dtypes.uint32: dtypes.float64, dtypes.int32: dtypes.float64,
    dtypes.uint64: dtypes.float64, dtypes.int64: dtypes.float64,
}  # fmt: skip


def truediv(x: Any, y: Any, name: str | None = None) -> Any:
    """x / y; integers are divided as float64 (8 and 16 bits: as float32).

    Raises:
        TypeError: the operands are bool or string, or have different dtypes.
    """
    from .cast import cast

    x, y = as_tensors(x, y)
    if x.dtype is not y.dtype:
        raise DTypeMismatchError(
            f"`x` and `y` must have the same dtype, got {x.dtype!r} != {y.dtype!r}; "
            f"use tf.cast to convert one of them"
        )
    if x.dtype not in NUMBERS:
        names = ", ".join(sorted(repr(one) for one in NUMBERS))
        raise TypeError(f"Invalid dtype {x.dtype!r} in __truediv__. Expected one of {{{names}}}.")
    if (wide := QUOTIENT.get(x.dtype)) is not None:
        x, y = cast(x, wide), cast(y, wide)
    return bind(RealDiv, x, y, name=name or "truediv")


def divide(x: Any, y: Any, name: str | None = None) -> Any:
    """x / y, as Python 3 divides: integers give floats."""
    return truediv(x, y, name)


def check_divisor(application: Binary, loops: Any) -> None:
    """Emit a check that no element of an integer divisor is 0 (where anything is divided)."""
    x, y = application.x, application.y
    if not y.dtype.is_integer:
        return
    shape = loops.broadcast_shape(x.shape, y.shape)
    if y.rank == 0:
        some = (y[()] != 0) | (loops.count(shape) == 0)
        loops.check(some, InvalidArgumentError, "Integer division by zero")
        return
    fitted = loops.broadcast(y, shape)
    loops.check_all(
        shape, lambda *i: fitted[i] != 0, InvalidArgumentError, "Integer division by zero",
        lambda *i: (),
    )  # fmt: skip


def refuse_zero_divisor(x: Any, y: Any) -> None:
    """The same check, on arrays."""
    if y.dtype.kind in "iu" and x.size and not y.all():
        raise InvalidArgumentError("Integer division by zero")


class FloorDiv(Binary):
    """x / y rounded down."""

    T = REALS

    def eager(self, np: Any) -> Any:
        refuse_zero_divisor(self.x, self.y)
        return super().eager(np)

    def scalar(s, x, y):
        return s.floor_divide(x, y)

    def lower(self, loops: Any) -> Any:
        check_divisor(self, loops)
        return super().lower(loops)

    def vjp(self, dz: Any) -> Any:
        return None, None


floordiv = api(FloorDiv, "floordiv")


class FloorMod(Binary):
    """What remains of x / y rounded down; it has the sign of y."""

    T = REALS

    def eager(self, np: Any) -> Any:
        refuse_zero_divisor(self.x, self.y)
        return super().eager(np)

    def scalar(s, x, y):
        return s.floor_modulo(x, y)

    def lower(self, loops: Any) -> Any:
        check_divisor(self, loops)
        return super().lower(loops)

    def vjp(self, dz: Any) -> Any:
        x, y = self.x, self.y
        return lambda: unbroadcast(dz, x, y), lambda: unbroadcast(-dz * floordiv(x, y), y, x)


floormod = api(FloorMod, "floormod")
mod = floormod


class TruncateDiv(Binary):
    """x / y rounded towards zero."""

    T = REALS

    def eager(self, np: Any) -> Any:
        refuse_zero_divisor(self.x, self.y)
        return super().eager(np)

    def scalar(s, x, y):
        return s.truncate_divide(x, y)

    def lower(self, loops: Any) -> Any:
        check_divisor(self, loops)
        return super().lower(loops)

    def vjp(self, dz: Any) -> Any:
        return None, None


truncatediv = api(TruncateDiv, "truncatediv")


class TruncateMod(Binary):
    """What remains of x / y rounded towards zero; it has the sign of x."""

    T = types("f16 bf16 f32 f64 i32 i64")

    def eager(self, np: Any) -> Any:
        refuse_zero_divisor(self.x, self.y)
        return super().eager(np)

    def scalar(s, x, y):
        return s.truncate_modulo(x, y)

    def lower(self, loops: Any) -> Any:
        check_divisor(self, loops)
        return super().lower(loops)

    def vjp(self, dz: Any) -> Any:
        x, y = self.x, self.y
        return lambda: unbroadcast(dz, x, y), lambda: unbroadcast(-dz * truncatediv(x, y), y, x)


truncatemod = api(TruncateMod, "truncatemod")


class DivNoNan(Binary):
    """x / y, and 0 where y is 0."""

    native_from = MANY

    T = FLOATING

    def scalar(s, x, y):
        zero = s.constant(0, x)
        return s.where(y == zero, zero, x / s.where(y == zero, s.constant(1, x), y))

    def vjp(self, dz: Any) -> Any:
        x, y, divisor = self.x, self.y, conjugated(self.y)

        def dy() -> Any:
            return dz * bind(DivNoNan, bind(DivNoNan, -conjugated(x), divisor), divisor)

        return (
            lambda: unbroadcast(bind(DivNoNan, dz, divisor), x, y),
            lambda: unbroadcast(dy(), y, x),
        )


def divide_no_nan(x: Any, y: Any, name: str | None = None) -> Any:
    """x / y, and 0 where y is 0. Integers are divided as float64 (8 and 16 bits: float32)."""
    from .cast import cast

    x, y = as_tensors(x, y)
    if (wide := QUOTIENT.get(x.dtype)) is not None:
        x, y = cast(x, wide), cast(y, wide)
    return bind(DivNoNan, x, y, name=name)


class MulNoNan(Binary):
    """x * y, and 0 where y is 0, even if x is infinite or NaN."""

    T = FLOATING

    def scalar(s, x, y):
        zero = s.constant(0, x)
        return s.where(y == zero, zero, x * y)

    def vjp(self, dz: Any) -> Any:
        x, y = self.x, self.y
        return (
            lambda: unbroadcast(bind(MulNoNan, dz, conjugated(y)), x, y),
            lambda: unbroadcast(bind(MulNoNan, conjugated(x), dz), y, x),
        )


multiply_no_nan = api(MulNoNan, "multiply_no_nan")


class Pow(Binary):
    """x to the power y.

    Raises:
        InvalidArgumentError: an integer to a negative power.
    """

    T = SIGNED | COMPLEX

    def eager(self, np: Any) -> Any:
        if self.y.dtype.kind == "i" and self.x.size and (self.y < 0).any():
            raise InvalidArgumentError(_NEGATIVE_POWER)
        return super().eager(np)

    def scalar(s, x, y):
        return s.pow(x, y)

    def lower(self, loops: Any) -> Any:
        if self.y.dtype.is_integer:
            y = self.y
            loops.check_all(
                y.shape, lambda *i: y[i] >= 0, InvalidArgumentError, _NEGATIVE_POWER, lambda *i: ()
            )
        return super().lower(loops)

    def vjp(self, dz: Any) -> Any:
        from ..array.fill import ones_like, zeros_like
        from ..array.select import where
        from .comparison import greater, not_equal
        from .elementwise import log

        x, y, z = conjugated(self.x), conjugated(self.y), conjugated(self.z)

        def dx() -> Any:
            return unbroadcast(dz * y * power(x, y - 1), self.x, self.y)

        def dy() -> Any:
            is_safe = not_equal(self.x, 0) if self.x.dtype.is_complex else greater(self.x, 0)
            logarithm = where(is_safe, log(where(is_safe, x, ones_like(x))), zeros_like(x))
            return unbroadcast(dz * z * logarithm, self.y, self.x)

        return dx, dy


_NEGATIVE_POWER = "Integers to negative integer powers are not allowed"
power = api(Pow, "pow")
pow = power


class Maximum(Binary):
    """The larger of x and y; NaN where either is NaN. The gradient of a tie goes to x."""

    T = REALS

    def scalar(s, x, y):
        return s.maximum(x, y)

    def vjp(self, dz: Any) -> Any:
        from .comparison import greater_equal

        return chosen_gradients(self, dz, greater_equal(self.x, self.y))


maximum = api(Maximum)


class Minimum(Binary):
    """The smaller of x and y; NaN where either is NaN. The gradient of a tie goes to x."""

    T = REALS

    def scalar(s, x, y):
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
    """(x - y) (x - y), with the conjugate of one of them where they are complex."""

    native_from = MANY

    T = types("f16 bf16 f32 f64 i32 i64 c64 c128")

    def scalar(s, x, y):
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
    """-x."""

    T = SIGNED | COMPLEX

    def scalar(s, x):
        return -x

    def vjp(self, dy: Any) -> Any:
        return -dy


negative = api(Neg, "negative")


class Abs(Unary):
    """The absolute value of a real number."""

    T = SIGNED

    def scalar(s, x):
        return s.abs(x)

    def vjp(self, dy: Any) -> Any:
        return dy * sign(self.x)


def abs(x: Any, name: str | None = None) -> Any:
    """The absolute value; of complex numbers, a real tensor of absolute values."""
    x = as_tensor(x)
    if x.dtype.is_complex:
        from .complex import ComplexAbs

        return bind(ComplexAbs, x, Tout=x.dtype.real_dtype, name=name)
    return bind(Abs, x, name=name)


class Sign(Unary):
    """-1, 0 or 1; x / |x| for complex numbers; NaN stays NaN."""

    T = SIGNED | COMPLEX

    def scalar(s, x):
        return s.sign(x)

    def vjp(self, dy: Any) -> Any:
        from ..array.fill import zeros_like

        return _gradient_of_phase(self, dy) if dy.dtype.is_complex else zeros_like(dy)


def _gradient_of_phase(sign: Any, dy: Any) -> Any:
    """x / |x| turns along the circle by the part of dx across x, divided by |x|."""
    from ..array.fill import zeros_like
    from .complex import complex, conj, imag

    turn = divide_no_nan(imag(conj(sign.y) * dy), abs(sign.x))
    return complex(zeros_like(turn), turn) * sign.y


sign = api(Sign)


class Square(Unary):
    """x * x."""

    def scalar(s, x):
        return s.square(x)

    def vjp(self, dy: Any) -> Any:
        return dy * (2 * conjugated(self.x))


square = api(Square)


class Reciprocal(Unary):
    """1 / x."""

    T = FLOATING

    def scalar(s, x):
        return s.reciprocal(x)

    def vjp(self, dy: Any) -> Any:
        return bind(ReciprocalGrad, self.y, dy)


reciprocal = api(Reciprocal)


class ReciprocalGrad(ValueGradient):
    """-dy y y: the gradient of y = 1 / x."""

    def scalar(s, y, dy):
        value = s.conj(y)
        return -dy * value * value

    def vjp(self, dz: Any) -> Any:
        y = conjugated(self.y)
        return conjugated(dz) * -2 * self.dy * y, bind(ReciprocalGrad, y, dz)


@shallow
def reciprocal_no_nan(x: Any, name: str | None = None) -> Any:
    """1 / x, and 0 where x is 0."""
    from ..array.fill import ones_like

    x = as_tensor(x)
    return bind(DivNoNan, ones_like(x), x, name=name)


def conjugated(x: Any) -> Any:
    """The complex conjugate; a real tensor itself."""
    if not x.dtype.is_complex:
        return x
    from .complex import conj

    return conj(x)
