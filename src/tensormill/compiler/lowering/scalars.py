"""The scalar language, read as expressions of the loop language."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

from ...core import dtypes, narrow_numbers
from ...core.dtypes import DType
from ...ops.lowering import NotStatic
from ..llvm.vector_math.library import SUPPORTED
from ..loops.functions import COMPUTED_IN
from ..loops.ir import Apply, Expression, Literal

_COMPLEX_PARTS = {dtypes.complex64: dtypes.float32, dtypes.complex128: dtypes.float64}


class Scalar:
    """One number inside of a compiled function; Python's operators build expressions.

    Integer arithmetic on literals is folded at once: shapes are mostly literals.
    """

    __slots__ = ("dtype", "expression")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, expression: Expression, dtype: DType) -> None:
        self.expression = expression
        self.dtype = dtype

    def __add__(self, other: Any) -> Scalar:
        return _binary("add", self, other)

    def __radd__(self, other: Any) -> Scalar:
        return _binary("add", other, self)

    def __sub__(self, other: Any) -> Scalar:
        return _binary("sub", self, other)

    def __rsub__(self, other: Any) -> Scalar:
        return _binary("sub", other, self)

    def __mul__(self, other: Any) -> Scalar:
        return _binary("mul", self, other)

    def __rmul__(self, other: Any) -> Scalar:
        return _binary("mul", other, self)

    def __truediv__(self, other: Any) -> Scalar:
        return _binary("div", self, other)

    def __rtruediv__(self, other: Any) -> Scalar:
        return _binary("div", other, self)

    def __floordiv__(self, other: Any) -> Scalar:
        return _binary("floor_divide", self, other)

    def __rfloordiv__(self, other: Any) -> Scalar:
        return _binary("floor_divide", other, self)

    def __mod__(self, other: Any) -> Scalar:
        return _binary("floor_modulo", self, other)

    def __rmod__(self, other: Any) -> Scalar:
        return _binary("floor_modulo", other, self)

    def __pow__(self, other: Any) -> Scalar:
        return _binary("pow", self, other)

    def __and__(self, other: Any) -> Scalar:
        return _binary("and", self, other)

    def __rand__(self, other: Any) -> Scalar:
        return _binary("and", other, self)

    def __or__(self, other: Any) -> Scalar:
        return _binary("or", self, other)

    def __ror__(self, other: Any) -> Scalar:
        return _binary("or", other, self)

    def __xor__(self, other: Any) -> Scalar:
        return _binary("xor", self, other)

    def __rxor__(self, other: Any) -> Scalar:
        return _binary("xor", other, self)

    def __lshift__(self, other: Any) -> Scalar:
        return _binary("left_shift", self, other)

    def __rshift__(self, other: Any) -> Scalar:
        return _binary("right_shift", self, other)

    def __neg__(self) -> Scalar:
        return _unary("neg", self)

    def __invert__(self) -> Scalar:
        return _unary("not", self)

    def __abs__(self) -> Scalar:
        return _unary("abs", self)

    def __lt__(self, other: Any) -> Scalar:
        return _compare("lt", self, other)

    def __le__(self, other: Any) -> Scalar:
        return _compare("le", self, other)

    def __gt__(self, other: Any) -> Scalar:
        return _compare("gt", self, other)

    def __ge__(self, other: Any) -> Scalar:
        return _compare("ge", self, other)

    def __eq__(self, other: object) -> Scalar:  # type: ignore[override]
        return _compare("eq", self, other)

    def __ne__(self, other: object) -> Scalar:  # type: ignore[override]
        return _compare("ne", self, other)

    def __bool__(self) -> bool:
        if isinstance(self.expression, Literal):
            return bool(self.expression.value)
        raise TypeError("a run-time scalar has no truth value while a function is compiled")

    def __repr__(self) -> str:
        return f"Scalar({self.expression}: {self.dtype.short})"


# pyright infers no types for the functions of `operator` that lambdas stand for.
_FOLD: dict[str, Callable[[Any, Any], Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "maximum": max,
    "minimum": min,
}
_FOLD_NONZERO: dict[str, Callable[[Any, Any], Any]] = {
    "floor_divide": lambda a, b: a // b,
    "floor_modulo": operator.mod,
}


def literal(value: Any, dtype: DType) -> Scalar:
    """A literal of type `dtype`; floats are rounded to it, integers must fit."""
    if dtype.is_narrow:
        return Scalar(Literal(narrow_numbers.byte_of(value, dtype), dtype.kept_as), dtype)
    converted = dtype.storage.type(value)
    return Scalar(Literal(converted.item(), dtype.kept_as), dtype)


def as_number(size: Any) -> Scalar:
    """A size, known or not, as a number of the loops."""
    return literal(size, dtypes.int64) if isinstance(size, int) else size


def size_literal(value: int) -> Scalar:
    return Scalar(Literal(value, "i64"), dtypes.int64)


def as_scalar(value: Any, like: DType) -> Scalar:
    """`value` itself, or a Python number as a literal of the dtype beside it."""
    return value if isinstance(value, Scalar) else literal(value, like)


def as_size(value: Any) -> int | Scalar:
    """A run-time size as an int where it is known after all."""
    if isinstance(value, Scalar) and isinstance(value.expression, Literal):
        return int(value.expression.value)
    return value


def size_expression(value: Any) -> Expression:
    """A size or index as an i64 expression."""
    if not isinstance(value, Scalar):
        return Literal(int(value), "i64")
    if value.dtype is dtypes.int64:
        return value.expression
    return cast_scalar(value, dtypes.int64).expression


def size_scalar(value: Any) -> Scalar:
    """A size or index as an int64 scalar."""
    return Scalar(size_expression(value), dtypes.int64)


def _pair(left: Any, right: Any) -> tuple[Scalar, Scalar]:
    """Both as scalars; two Python numbers are sizes or indices."""
    given = left if isinstance(left, Scalar) else right
    dtype = given.dtype if isinstance(given, Scalar) else dtypes.int64
    return as_scalar(left, dtype), as_scalar(right, dtype)


def _binary(function: str, left: Any, right: Any) -> Scalar:
    a, b = _pair(left, right)
    _refuse_narrow(function, a.dtype)
    if a.dtype is not b.dtype:
        raise TypeError(f"{function} of {a.dtype.name} and {b.dtype.name} while compiling")
    if a.dtype is dtypes.int64 and (folded := _fold(function, a, b)) is not None:
        return folded
    if function in ("mul", "div") and isinstance(b.expression, Literal) and b.expression.value == 1:
        return a
    if function == "mul" and isinstance(a.expression, Literal) and a.expression.value == 1:
        return b
    if function in _OF_QUOTIENT and a.dtype.short in COMPUTED_IN:
        return _OF_QUOTIENT[function](_binary("div", a, b))
    return Scalar(Apply(function, (a.expression, b.expression), a.dtype.kept_as), a.dtype)


# Narrow floats are computed with in wider ones: their quotient is rounded before it is cut.
_OF_QUOTIENT: Final[dict[str, Callable[[Scalar], Scalar]]] = {
    "floor_divide": lambda quotient: SCALARS.floor(quotient),
    "truncate_divide": lambda quotient: SCALARS.where(
        quotient < 0, SCALARS.ceil(quotient), SCALARS.floor(quotient)
    ),
}


def _compare(function: str, left: Any, right: Any) -> Scalar:
    a, b = map(_value, _pair(left, right))
    if isinstance(a.expression, Literal) and isinstance(b.expression, Literal):
        value = _FOLD[function](a.expression.value, b.expression.value)
        return Scalar(Literal(bool(value), "bool"), dtypes.bool_)
    return Scalar(Apply(function, (a.expression, b.expression), "bool"), dtypes.bool_)


def _fold(function: str, a: Scalar, b: Scalar) -> Scalar | None:
    """Index arithmetic on literals, and the identities x+0, x-0, x//1."""
    left, right = a.expression, b.expression
    if isinstance(left, Literal) and isinstance(right, Literal):
        if (rule := _FOLD.get(function)) is not None:
            return _wrapped(rule(left.value, right.value))
        if (rule := _FOLD_NONZERO.get(function)) is not None and right.value != 0:
            return _wrapped(rule(left.value, right.value))
        return None
    if isinstance(right, Literal):
        if right.value == 0 and function in ("add", "sub"):
            return a
        if right.value == 1 and function == "floor_divide":
            return a
    if isinstance(left, Literal) and left.value == 0 and function == "add":
        return b
    return None


def _wrapped(value: int) -> Scalar:
    return size_literal((value + (1 << 63)) % (1 << 64) - (1 << 63))


def _refuse_narrow(function: str, dtype: DType) -> None:
    if dtype.is_narrow:
        raise NotStatic(f"{function} of {dtype.name}, which is only kept and cast")


def _unary(function: str, x: Any) -> Scalar:
    _refuse_narrow(function, x.dtype)
    if function == "not" and isinstance(x.expression, Literal) and x.dtype is dtypes.bool_:
        return Scalar(Literal(not x.expression.value, "bool"), dtypes.bool_)
    return Scalar(Apply(function, (x.expression,), x.dtype.kept_as), x.dtype)


def _value(x: Scalar) -> Scalar:
    """What a byte stands for that keeps a narrow number."""
    if not x.dtype.is_narrow:
        return x
    return narrow_numbers.widened(SCALARS, Scalar(x.expression, dtypes.uint8), x.dtype)


def cast_scalar(x: Scalar, dtype: DType) -> Scalar:
    if x.dtype is dtype:
        return x
    if x.dtype.is_narrow:
        return cast_scalar(_value(x), dtype)
    if dtype.is_narrow:
        real = SCALARS.real(x)
        return Scalar(narrow_numbers.narrowed(SCALARS, real, dtype).expression, dtype)
    if isinstance(x.expression, Literal) and x.dtype.is_integer and dtype.is_integer:
        wrapped = int(x.expression.value) & ((1 << 8 * dtype.size) - 1)
        if not dtype.is_unsigned and wrapped >> (8 * dtype.size - 1):
            wrapped -= 1 << 8 * dtype.size
        return Scalar(Literal(wrapped, dtype.kept_as), dtype)
    return Scalar(Apply("cast", (x.expression,), dtype.kept_as), dtype)


def _same_type(function: str) -> Callable[..., Scalar]:
    def apply(self: Any, x: Any) -> Scalar:
        return _unary(function, x)

    return apply


def _if_native(function: str) -> Callable[..., Scalar]:
    """A function that not every dtype has native code for."""

    def apply(self: Any, x: Any) -> Scalar:
        if (function, x.dtype.kept_as) not in SUPPORTED:
            raise NotStatic(f"{function} has no native code for {x.dtype.name}")
        return _unary(function, x)

    return apply


def _two(function: str) -> Callable[..., Scalar]:
    def apply(self: Any, x: Any, y: Any) -> Scalar:
        return _binary(function, x, y)

    return apply


def _predicate(function: str) -> Callable[..., Scalar]:
    def apply(self: Any, x: Any) -> Scalar:
        return Scalar(Apply(function, (_value(x).expression,), "bool"), dtypes.bool_)

    return apply


def _part(function: str) -> Callable[..., Scalar]:
    def apply(self: Any, x: Any) -> Scalar:
        dtype = _COMPLEX_PARTS.get(x.dtype)
        if dtype is None:
            return x if function == "real" else _unary(function, x)
        return Scalar(Apply(function, (x.expression,), dtype.kept_as), dtype)

    return apply


class ExpressionScalars:
    """`s` of scalar rules while a function is compiled (ops/scalar.py lists the language)."""

    sign, sqrt, rsqrt = _same_type("sign"), _same_type("sqrt"), _same_type("rsqrt")
    reciprocal = _same_type("reciprocal")
    exp, expm1, log, log1p = (_same_type(f) for f in ("exp", "expm1", "log", "log1p"))
    sigmoid, tanh, erf, erfc = (_same_type(f) for f in ("sigmoid", "tanh", "erf", "erfc"))
    lgamma, digamma = _if_native("lgamma"), _if_native("digamma")
    bessel_i0, bessel_i1 = _same_type("bessel_i0"), _same_type("bessel_i1")
    bessel_i0e, bessel_i1e = _same_type("bessel_i0e"), _same_type("bessel_i1e")
    bessel_j0, bessel_j1 = _same_type("bessel_j0"), _same_type("bessel_j1")
    bessel_k0, bessel_k1 = _same_type("bessel_k0"), _same_type("bessel_k1")
    bessel_k0e, bessel_k1e = _same_type("bessel_k0e"), _same_type("bessel_k1e")
    bessel_y0, bessel_y1 = _same_type("bessel_y0"), _same_type("bessel_y1")
    dawsn, expint, spence = _same_type("dawsn"), _same_type("expint"), _same_type("spence")
    fresnel_sin, fresnel_cos = _same_type("fresnel_sin"), _same_type("fresnel_cos")
    sin, cos, tan = _same_type("sin"), _same_type("cos"), _same_type("tan")
    asin, acos, atan = _same_type("asin"), _same_type("acos"), _same_type("atan")
    sinh, cosh = _same_type("sinh"), _same_type("cosh")
    asinh, acosh, atanh = _same_type("asinh"), _same_type("acosh"), _same_type("atanh")
    zeta = _two("zeta")
    floor, ceil, round = _same_type("floor"), _same_type("ceil"), _same_type("round")
    pow, atan2 = _two("pow"), _two("atan2")
    maximum, minimum = _two("maximum"), _two("minimum")
    floor_divide, floor_modulo = _two("floor_divide"), _two("floor_modulo")
    truncate_divide = _two("truncate_divide")
    truncate_modulo = _two("truncate_modulo")
    logical_and, logical_or = _two("and"), _two("or")
    left_shift, right_shift = _two("left_shift"), _two("right_shift")
    logical_not = _same_type("not")
    is_nan, is_inf, is_finite = _predicate("is_nan"), _predicate("is_inf"), _predicate("is_finite")
    real, imag, angle = _part("real"), _part("imag"), _part("angle")

    def abs(self, x: Any) -> Scalar:
        part = _COMPLEX_PARTS.get(x.dtype)
        if part is not None:
            return Scalar(Apply("abs", (x.expression,), part.kept_as), part)
        return _unary("abs", x)

    def square(self, x: Any) -> Scalar:
        return x * x

    def conj(self, x: Any) -> Scalar:
        return _unary("conj", x) if x.dtype in _COMPLEX_PARTS else x

    def complex(self, real: Any, imag: Any) -> Scalar:
        a, b = _pair(real, imag)
        wide = dtypes.complex64 if a.dtype is dtypes.float32 else dtypes.complex128
        return Scalar(Apply("complex", (a.expression, b.expression), wide.kept_as), wide)

    def where(self, condition: Any, x: Any, y: Any) -> Scalar:
        a, b = _pair(x, y)
        if isinstance(condition, bool):  # two sizes that are known were compared
            return a if condition else b
        if isinstance(condition.expression, Literal):
            return a if condition.expression.value else b
        return Scalar(
            Apply("where", (condition.expression, a.expression, b.expression), a.dtype.kept_as),
            a.dtype,
        )

    def cast(self, x: Any, dtype: DType) -> Scalar:
        return cast_scalar(as_scalar(x, dtypes.int64), dtype)  # an index that is known is an int

    def bitcast(self, x: Any, dtype: DType) -> Scalar:
        return Scalar(Apply("bitcast", (x.expression,), dtype.kept_as), dtype)

    def constant(self, value: Any, like: Any) -> Scalar:
        return literal(value, like.dtype)


SCALARS = ExpressionScalars()
