"""Quotients and remainders, rounded in each of the usual ways, and 0 instead of NaN."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...core import context, dtypes
from ...core.native_operations import MANY
from ...errors import DTypeMismatchError, InvalidArgumentError
from ..array.broadcasting import unbroadcast
from ..bind import api, bind
from ..conversion import as_tensor, as_tensors
from ..dispatch.meanings import dispatchable
from ..families import Binary, Rephrased
from ..op import COMPLEX, FLOATS, NUMBERS, REALS, In, Out, types
from .arithmetic import FLOATING, conjugated

if TYPE_CHECKING:
    from ..results import Tensor


def demand_divisor(sizes: Any, application: Binary) -> None:
    """No integer is divided by 0."""
    x, y = application.x, application.y
    if sizes.is_integer(y):
        message = "Integer division by zero"
        sizes.each(y, lambda one: one != 0, InvalidArgumentError, message, among=(x,))


class Quotient(Binary, abstract=True):
    """x / y, not rounded, and what follows from it."""

    by_rule = FLOATS | COMPLEX
    exact = types("f32 f64")

    def scalar(s: Any, x, y):
        return x / y

    def xla(self, xla: Any) -> Any:
        return xla.divide(self.x, self.y)

    def vjp(self, dz: Any) -> Any:
        x, y, divisor = self.x, self.y, conjugated(self.y)
        return (
            lambda: unbroadcast(dz / divisor, x, y),
            lambda: unbroadcast(-(dz * conjugated(self.z)) / divisor, y, x),
        )


class RealDiv(Quotient):
    """x / y of floats or complex numbers of one dtype, which the result has; shapes broadcast.

    >>> tf.realdiv([7.0, -7.0], 2).numpy()
    array([ 3.5, -3.5], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken (integers: tf.truediv).
    """

    T = FLOATS | COMPLEX


realdiv = api(RealDiv, "realdiv")


class Div(Quotient):
    """The same as it was in TensorFlow 1: quotients of integers are rounded towards zero."""

    def demands(self, sizes: Any) -> None:
        demand_divisor(sizes, self)

    def eager(self, np: Any) -> Any:
        if self.x.dtype.kind in "iu":
            return TruncateDiv(self.x, self.y).eager(np)
        return super().eager(np)

    def xla(self, xla: Any) -> Any:
        if self.x.dtype.kind in "iu":
            return TruncateDiv(self.x, self.y).xla(xla)
        return super().xla(xla)

    def lower(self, loops: Any) -> Any:
        if self.x.dtype.is_integer:
            return TruncateDiv(self.x, self.y).lower(loops)
        return super().lower(loops)


# What the quotient of two integers is.
QUOTIENT = {
    dtypes.uint8: dtypes.float32, dtypes.int8: dtypes.float32,
    dtypes.uint16: dtypes.float32, dtypes.int16: dtypes.float32,
    dtypes.uint32: dtypes.float64, dtypes.int32: dtypes.float64,
    dtypes.uint64: dtypes.float64, dtypes.int64: dtypes.float64,
}  # fmt: skip


@dispatchable(elements=2)
def truediv(x: Any, y: Any, name: str | None = None) -> Any:
    """x / y; integers are divided as float64 (8 and 16 bits: as float32).

    x, y: numbers of one dtype; shapes broadcast. By 0, infinite or NaN.

    >>> tf.truediv([7, -7], 2).numpy()
    array([ 3.5, -3.5])

    Raises:
        TypeError: the operands are bool or string, or have different dtypes.
        ShapeMismatchError: the shapes do not broadcast.
    """
    from .cast import cast

    x, y = of_one_dtype(x, y)
    if x.dtype not in NUMBERS:
        names = ", ".join(sorted(repr(one) for one in NUMBERS))
        raise TypeError(f"Invalid dtype {x.dtype!r} in __truediv__. Expected one of {{{names}}}.")
    if (wide := QUOTIENT.get(x.dtype)) is not None:
        x, y = cast(x, wide), cast(y, wide)
    return bind(RealDiv, x, y, name=name or "truediv")


def of_one_dtype(x: Any, y: Any) -> list[Any]:
    """Operands, checked before they are cast to one dtype, which would hide that theirs differ.

    Raises:
        DTypeMismatchError: they do.
    """
    x, y = as_tensors(x, y)
    if x.dtype is not y.dtype:
        agreeing = context.top().interpreter.in_one_dtype((x, y), None)
        if agreeing is not None:
            return agreeing
        raise DTypeMismatchError(
            f"`x` and `y` must have the same dtype, got {x.dtype!r} != {y.dtype!r}; "
            f"use tf.cast to convert one of them"
        )
    return [x, y]


@dispatchable(elements=2)
def divide(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x / y, as Python 3 divides: integers give floats (`tf.truediv` says which).

    x, y: numbers of one dtype; shapes broadcast. By 0, infinite or NaN.

    >>> tf.divide([1.0, 2.0, 0.0], [2.0, 0.0, 4.0]).numpy()
    array([0.5, inf, 0. ], dtype=float32)

    Raises:
        TypeError: the operands are bool or string, or have different dtypes.
        ShapeMismatchError: the shapes do not broadcast.
    """
    return truediv(x, y, name)


class IntegerDivision(Binary, abstract=True):
    """What is no number where an integer is divided by 0."""

    T = REALS

    def demands(self, sizes: Any) -> None:
        demand_divisor(sizes, self)


class FloorDiv(IntegerDivision):
    """x / y rounded down. Real numbers of one dtype, which the result has; shapes broadcast.

    >>> tf.math.floordiv([7, -7], 2).numpy()
    array([ 3, -4], dtype=int32)

    Raises:
        InvalidArgumentError: an integer divided by 0.
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken.
    """

    def scalar(s: Any, x, y):
        return s.floor_divide(x, y)

    def vjp(self, dz: Any) -> Any:
        return None, None


floordiv = api(FloorDiv, "floordiv")


class FloorMod(IntegerDivision):
    """What remains of x / y rounded down; it has the sign of y. Real numbers of one dtype, shapes
    broadcast.

    >>> tf.math.floormod([7, -7, 7], [3, 3, -3]).numpy()
    array([ 1,  2, -2], dtype=int32)

    Raises:
        InvalidArgumentError: an integer divided by 0.
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken.
    """

    native_from = MANY

    def scalar(s: Any, x, y):
        return s.floor_modulo(x, y)

    def vjp(self, dz: Any) -> Any:
        x, y = self.x, self.y
        return lambda: unbroadcast(dz, x, y), lambda: unbroadcast(-dz * floordiv(x, y), y, x)


floormod = api(FloorMod, "floormod")
mod = floormod


class TruncateDiv(IntegerDivision):
    """x / y rounded towards zero. Real numbers of one dtype, which the result has; shapes
    broadcast.

    >>> tf.truncatediv([7, -7], 2).numpy()
    array([ 3, -3], dtype=int32)

    Raises:
        InvalidArgumentError: an integer divided by 0.
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken.
    """

    def scalar(s: Any, x, y):
        return s.truncate_divide(x, y)

    def vjp(self, dz: Any) -> Any:
        return None, None


truncatediv = api(TruncateDiv, "truncatediv")


class TruncateMod(IntegerDivision):
    """What remains of x / y rounded towards zero; it has the sign of x. Floats, int32 or int64 of
    one dtype, shapes broadcast.

    >>> tf.truncatemod([7, -7, 7], [3, 3, -3]).numpy()
    array([ 1, -1,  1], dtype=int32)

    Raises:
        InvalidArgumentError: an integer divided by 0.
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken.
    """

    T = types("f16 bf16 f32 f64 i32 i64")

    def scalar(s: Any, x, y):
        return s.truncate_modulo(x, y)

    def vjp(self, dz: Any) -> Any:
        x, y = self.x, self.y
        return lambda: unbroadcast(dz, x, y), lambda: unbroadcast(-dz * truncatediv(x, y), y, x)


truncatemod = api(TruncateMod, "truncatemod")


class DivNoNan(Binary):
    """x / y, and 0 where y is 0."""

    native_from = MANY

    T = FLOATING

    def scalar(s: Any, x, y):
        zero = s.constant(0, x)
        return s.where(y == zero, zero, x / s.where(y == zero, s.constant(1, x), y))

    def xla(self, xla: Any) -> Any:
        x, y, s = self.x, self.y, xla.scalars
        return s.where(y == 0, s.constant(0, x), xla.divide(x, y))

    def vjp(self, dz: Any) -> Any:
        x, y, divisor = self.x, self.y, conjugated(self.y)

        def dy() -> Any:
            return dz * bind(DivNoNan, bind(DivNoNan, -conjugated(x), divisor), divisor)

        return (
            lambda: unbroadcast(bind(DivNoNan, dz, divisor), x, y),
            lambda: unbroadcast(dy(), y, x),
        )


@dispatchable(elements=2)
def divide_no_nan(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x / y, and 0 where y is 0. Integers are divided as float64 (8 and 16 bits: float32).

    x, y: numbers of one dtype; shapes broadcast.

    >>> tf.math.divide_no_nan([1.0, 2.0, 0.0], [0.0, 4.0, 0.0]).numpy()
    array([0. , 0.5, 0. ], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken.
    """
    from .cast import cast

    x, y = of_one_dtype(x, y)
    if (wide := QUOTIENT.get(x.dtype)) is not None:
        x, y = cast(x, wide), cast(y, wide)
    return bind(DivNoNan, x, y, name=name)


@dispatchable(elements=1)
def reciprocal_no_nan(x: Any, name: str | None = None) -> Any:
    """1 / x, and 0 where x is 0.

    x: floats or complex numbers of any shape; the result has its shape and dtype.

    >>> tf.math.reciprocal_no_nan([2.0, 0.0]).numpy()
    array([0.5, 0. ], dtype=float32)

    Raises:
        DTypeMismatchError: an integer tensor.
    """
    from ..array.fill import ones_like

    x = as_tensor(x)
    return bind(DivNoNan, ones_like(x), x, name=name)


class Mod(Rephrased):
    """The rest of a division that rounds towards zero."""

    x = In("T ...")
    y = In("T ...")
    z = Out("T ...")
    T = types("i32 i64 f16 bf16 f32 f64")

    def expand(self) -> Any:
        return bind(TruncateMod, self.x, self.y)
