"""Python's operators on tensors: each is an operation, applied by the interpreter on top.

`eager/quick.py` gives eager tensors faster versions of the commonest; these are their slow twins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import numpy as np

from ..core.values import TensorLike
from ..ops import arithmetic
from ..ops.bind import bind
from ..ops.op import REGISTRY

Method = Callable[[Any, Any], Any]

# Types that have no reflected operators of their own to leave a tensor to.
PLAIN = (int, float, bool, complex, str, bytes, list, tuple, np.ndarray, np.generic, type(None))


def leaves_it_to(other: Any, reflected: str) -> bool:
    """Whether a failed conversion of `other` is no error: its class may handle the operator."""
    if isinstance(other, (TensorLike, *PLAIN)):
        return False
    return hasattr(type(other), reflected)


def forward(apply: Method, name: str) -> Method:
    """`tensor <op> other`."""
    reflected = f"__r{name}__"

    def method(self: Any, other: Any) -> Any:
        try:
            return apply(self, other)
        except (TypeError, ValueError):
            if leaves_it_to(other, reflected):
                return NotImplemented
            raise

    method.__name__ = f"__{name}__"
    return method


def backward(apply: Method, name: str) -> Method:
    """`other <op> tensor`."""

    def method(self: Any, other: Any) -> Any:
        return apply(other, self)

    method.__name__ = f"__r{name}__"
    return method


def operation(name: str) -> Method:
    """The binary operation of that name."""

    def apply(x: Any, y: Any) -> Any:
        return bind(REGISTRY[name], x, y)

    return apply


def multiply_matrices(x: Any, y: Any) -> Any:
    from ..ops.linalg import matmul

    return matmul(x, y)


def by_kind(of_bool: str, of_int: str) -> Method:
    """`&`, `|`, `^`: logical for bool, bitwise for integers."""

    def apply(x: Any, y: Any) -> Any:
        tensor = x if isinstance(x, TensorLike) else y
        return bind(REGISTRY[of_bool if tensor.dtype.is_bool else of_int], x, y)

    return apply


def equal(x: Any, y: Any) -> Any:
    from ..ops.comparison import tensor_equals

    return tensor_equals(x, y)


def not_equal(x: Any, y: Any) -> Any:
    from ..ops.comparison import tensor_not_equals

    return tensor_not_equals(x, y)


add = arithmetic.add
subtract = arithmetic.subtract
multiply = arithmetic.multiply
divide = arithmetic.truediv
floor_divide = arithmetic.floordiv
modulo = arithmetic.floormod
power = arithmetic.power
shift_left = operation("LeftShift")
shift_right = operation("RightShift")
both = by_kind("LogicalAnd", "BitwiseAnd")
either = by_kind("LogicalOr", "BitwiseOr")


def exclusive(x: Any, y: Any) -> Any:
    tensor = x if isinstance(x, TensorLike) else y
    if not tensor.dtype.is_bool:
        return bind(REGISTRY["BitwiseXor"], x, y)
    return bind(REGISTRY["NotEqual"], x, y)


def invert(x: Any) -> Any:
    return bind(REGISTRY["LogicalNot" if x.dtype.is_bool else "Invert"], x)


class Operators:
    """What `+`, `<`, `[...]` and their like mean on a tensor or variable."""

    __slots__ = ()

    __add__ = forward(add, "add")
    __radd__ = backward(add, "add")
    __sub__ = forward(subtract, "sub")
    __rsub__ = backward(subtract, "sub")
    __mul__ = forward(multiply, "mul")
    __rmul__ = backward(multiply, "mul")
    __truediv__ = forward(divide, "truediv")
    __rtruediv__ = backward(divide, "truediv")
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
    __lt__ = forward(operation("Less"), "gt")
    __le__ = forward(operation("LessEqual"), "ge")
    __gt__ = forward(operation("Greater"), "lt")
    __ge__ = forward(operation("GreaterEqual"), "le")
    __eq__: ClassVar[Any] = lambda self, other: False if other is None else equal(self, other)
    __ne__: ClassVar[Any] = lambda self, other: True if other is None else not_equal(self, other)

    def __pow__(self, other: Any, modulus: Any = None) -> Any:
        raised = forward(power, "pow")(self, other)
        return raised if modulus is None else raised % modulus

    __rpow__ = backward(power, "pow")

    def __divmod__(self, other: Any) -> tuple[Any, Any]:
        return floor_divide(self, other), modulo(self, other)

    def __rdivmod__(self, other: Any) -> tuple[Any, Any]:
        return floor_divide(other, self), modulo(other, self)

    def __neg__(self) -> Any:
        return arithmetic.negative(self)

    def __pos__(self) -> Any:
        return bind(REGISTRY["Identity"], self)

    def __invert__(self) -> Any:
        return invert(self)

    def __abs__(self) -> Any:
        return arithmetic.abs(self)

    def __round__(self, digits: int | None = None) -> Any:
        from ..ops.elementwise import round as to_nearest

        if digits is None:
            return to_nearest(self)
        scale = 10**digits
        return to_nearest(self * scale) / scale

    def __getitem__(self, key: Any) -> Any:
        from .indexing import get_item

        return get_item(self, key)

    def __iter__(self) -> Iterator[Any]:
        from .indexing import rows

        return rows(self)

    def __contains__(self, item: Any) -> bool:
        return any(bool(row == item) for row in self)


# Classes that define __eq__ must say what hash() means; these say that there is none.
Operators.__hash__ = None  # type: ignore[assignment]
