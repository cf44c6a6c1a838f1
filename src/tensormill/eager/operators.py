"""Python's operators on tensors: each is an operation, applied by the interpreter on top.

`fast_operators.py` gives eager tensors faster versions of the commonest; these are their slow
twins.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ..core.dtypes import DType
from ..core.numpy_behavior import changes
from ..core.process.tracebacks import hide_frames
from ..core.values import TensorLike
from ..errors import OpError
from ..ops.bind import bind
from ..ops.control import flow
from ..ops.linalg import matmul
from ..ops.math import arithmetic, bitwise, comparison, division, elementwise, signs
from ..ops.math.power import Pow
from ..ops.op import Op
from .indexing import get_item

if TYPE_CHECKING:
    from .tensor import Tensor

Method = Callable[[Any, Any], Any]
Operator = Callable[[Any, Any], "Tensor"]  # to type checkers: a composite may answer in its place

# Types that have no reflected operators of their own to leave a tensor to.
PLAIN = (int, float, bool, complex, str, bytes, list, tuple, np.ndarray, np.generic, type(None))


def leaves_it_to(other: Any, reflected: str) -> bool:
    """Whether a failed conversion of `other` is no error: its class may handle the operator."""
    if isinstance(other, (TensorLike, *PLAIN)):
        return False
    method = getattr(type(other), reflected, None)
    return method is not None and method is not getattr(object, reflected, None)


def read_first(operand: Any) -> Any:
    """The operand; in a graph a variable is read ahead of the operation. Clients lend operators to
    objects of their own.
    """
    return operand.read_first() if isinstance(operand, Operators) else operand


def forward(apply: Method, name: str, reflected: str | None = None) -> Operator:
    """`tensor <op> other`; a class that has `reflected` may handle what we cannot convert."""
    reflected = reflected or f"__r{name}__"

    def method(self: Any, other: Any) -> Any:
        try:
            if changes.operate is not None:
                return changes.operate(apply, self, other)
            return apply(read_first(self), other)
        except (TypeError, ValueError) as error:
            if leaves_it_to(other, reflected):
                return NotImplemented
            hide_frames(error)
            raise
        except OpError as error:
            hide_frames(error)
            raise

    method.__name__ = f"__{name}__"
    return method


def backward(apply: Method, name: str) -> Operator:
    """`other <op> tensor`."""

    def method(self: Any, other: Any) -> Any:
        try:
            if changes.operate is not None:
                return changes.operate(apply, other, self)
            return apply(other, read_first(self))
        except (TypeError, ValueError, OpError) as error:
            hide_frames(error)
            raise

    method.__name__ = f"__r{name}__"
    return method


def operation(op: type[Op], name: str | None = None) -> Method:
    """The operation itself, called `name` in a graph."""

    def apply(x: Any, y: Any) -> Any:
        return bind(op, x, y, name=name)

    return apply


def named(function: Callable[..., Any], name: str) -> Method:
    """A function of two operands, its operation called `name` in a graph."""

    def apply(x: Any, y: Any) -> Any:
        return function(x, y, name=name)

    return apply


def by_kind(of_bool: Method, of_numbers: Method) -> Method:
    """`&`, `|`, `^`, `*`: logical for bool, bitwise for integers, a product of numbers."""

    def apply(x: Any, y: Any) -> Any:
        return of_bool(x, y) if _shared_dtype(x, y).is_bool else of_numbers(x, y)

    return apply


def divide_as_python_2(x: Any, y: Any) -> Any:
    """`tensor.__div__`: the quotient of floats, the one of integers rounded down."""
    return (floor_divide if _shared_dtype(x, y).is_integer else divide)(x, y)


def _shared_dtype(x: Any, y: Any) -> DType:
    tensor = x if isinstance(x, TensorLike) else y
    dtype: Any = getattr(tensor, "dtype", None)
    # Where neither is a tensor, it is that of a client's own object.
    return dtype if isinstance(dtype, DType) else x.dtype


add = named(arithmetic.add, "add")
subtract = operation(arithmetic.Sub, "sub")
multiply = by_kind(operation(comparison.LogicalAnd, "mul"), operation(arithmetic.Mul, "mul"))
divide = named(division.truediv, "truediv")
floor_divide = operation(division.FloorDiv, "floordiv")
modulo = operation(division.FloorMod, "mod")
power = operation(Pow, "pow")
multiply_matrices = named(matmul.matmul, "matmul")
shift_left = operation(bitwise.LeftShift)
shift_right = operation(bitwise.RightShift)
both = by_kind(operation(comparison.LogicalAnd, "and"), operation(bitwise.BitwiseAnd, "and"))
either = by_kind(operation(comparison.LogicalOr, "or"), operation(bitwise.BitwiseOr, "or"))
exclusive = by_kind(named(comparison.logical_xor, "xor"), operation(bitwise.BitwiseXor, "xor"))
less = operation(comparison.Less)
less_equal = operation(comparison.LessEqual)
greater = operation(comparison.Greater)
greater_equal = operation(comparison.GreaterEqual)


class Operators:
    """What `+`, `<`, `[...]` and their like mean on a tensor or variable."""

    __slots__ = ()
    dtype: DType

    def read_first(self) -> Any:
        """The tensor that operators take: in a graph, a variable is read by an operation ahead."""
        return self

    __add__ = forward(add, "add")
    __radd__ = backward(add, "add")
    __sub__ = forward(subtract, "sub")
    __rsub__ = backward(subtract, "sub")
    __mul__ = forward(multiply, "mul")
    __rmul__ = backward(multiply, "mul")
    __truediv__ = forward(divide, "truediv")
    __rtruediv__ = backward(divide, "truediv")
    __div__ = forward(divide_as_python_2, "div")
    __rdiv__ = backward(divide_as_python_2, "div")
    __floordiv__ = forward(floor_divide, "floordiv")
    __rfloordiv__ = backward(floor_divide, "floordiv")
    __mod__ = forward(modulo, "mod")
    __rmod__ = backward(modulo, "mod")
    __matmul__ = forward(multiply_matrices, "matmul")
    __rmatmul__ = backward(multiply_matrices, "matmul")
    __lshift__ = forward(shift_left, "lshift")
    __rlshift__ = backward(shift_left, "lshift")
    __rshift__ = forward(shift_right, "rshift")
    __rrshift__ = backward(shift_right, "rshift")
    __and__ = forward(both, "and")
    __rand__ = backward(both, "and")
    __or__ = forward(either, "or")
    __ror__ = backward(either, "or")
    __xor__ = forward(exclusive, "xor")
    __rxor__ = backward(exclusive, "xor")
    __lt__ = forward(less, "lt", "__gt__")
    __le__ = forward(less_equal, "le", "__ge__")
    __gt__ = forward(greater, "gt", "__lt__")
    __ge__ = forward(greater_equal, "ge", "__le__")
    # By element: what `object` declares is a bool.
    __eq__: ClassVar[Operator] = forward(comparison.tensor_equals, "eq", "__eq__")  # pyright: ignore
    __ne__: ClassVar[Operator] = forward(comparison.tensor_not_equals, "ne", "__ne__")  # pyright: ignore

    __pow__ = forward(power, "pow")
    __rpow__ = backward(power, "pow")

    def __divmod__(self, other: Any) -> tuple[Any, Any]:
        return floor_divide(self, other), modulo(self, other)

    def __rdivmod__(self, other: Any) -> tuple[Any, Any]:
        return floor_divide(other, self), modulo(other, self)

    def __neg__(self) -> Tensor:
        return bind(arithmetic.Neg, read_first(self))

    def __pos__(self) -> Tensor:
        return flow.identity(self)

    def __invert__(self) -> Tensor:
        return (comparison.logical_not if self.dtype.is_bool else bitwise.invert)(read_first(self))

    def __abs__(self) -> Tensor:
        return signs.abs(read_first(self))

    def __round__(self, digits: int | None = None) -> Tensor:
        if digits is None:
            return elementwise.round(self)
        scale = 10**digits
        return elementwise.round(self * scale) / scale

    def __getitem__(self, key: Any) -> Tensor:
        return get_item(self, key)

    # Equality is by element, so there is no hash.
    __hash__: ClassVar[Any] = None  # pyright: ignore[reportIncompatibleMethodOverride]
