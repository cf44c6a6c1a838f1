"""Python's operators on tensors: each is an operation, applied by the interpreter on top.

`eager/quick.py` gives eager tensors faster versions of the commonest; these are their slow twins.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from ..core.values import TensorLike
from ..ops import arithmetic, bitwise, comparison, elementwise, flow, linalg

Method = Callable[[Any, Any], Any]

# Types that have no reflected operators of their own to leave a tensor to.
PLAIN = (int, float, bool, complex, str, bytes, list, tuple, np.ndarray, np.generic, type(None))


def leaves_it_to(other: Any, reflected: str) -> bool:
    """Whether a failed conversion of `other` is no error: its class may handle the operator."""
    if isinstance(other, (TensorLike, *PLAIN)):
        return False
    method = getattr(type(other), reflected, None)
    return method is not None and method is not getattr(object, reflected, None)


def forward(apply: Method, name: str, reflected: str | None = None) -> Method:
    """`tensor <op> other`; a class that has `reflected` may handle what we cannot convert."""
    reflected = reflected or f"__r{name}__"

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


def by_kind(of_bool: Method, of_int: Method) -> Method:
    """`&`, `|`, `^`: logical for bool, bitwise for integers."""

    def apply(x: Any, y: Any) -> Any:
        tensor = x if isinstance(x, TensorLike) else y
        return of_bool(x, y) if tensor.dtype.is_bool else of_int(x, y)

    return apply


both = by_kind(comparison.logical_and, bitwise.bitwise_and)
either = by_kind(comparison.logical_or, bitwise.bitwise_or)
exclusive = by_kind(comparison.logical_xor, bitwise.bitwise_xor)


class Operators:
    """What `+`, `<`, `[...]` and their like mean on a tensor or variable."""

    __slots__ = ()

    __add__ = forward(arithmetic.add, "add")
    __radd__ = backward(arithmetic.add, "add")
    __sub__ = forward(arithmetic.subtract, "sub")
    __rsub__ = backward(arithmetic.subtract, "sub")
    __mul__ = forward(arithmetic.multiply, "mul")
    __rmul__ = backward(arithmetic.multiply, "mul")
    __truediv__ = forward(arithmetic.truediv, "truediv")
    __rtruediv__ = backward(arithmetic.truediv, "truediv")
    __floordiv__ = forward(arithmetic.floordiv, "floordiv")
    __rfloordiv__ = backward(arithmetic.floordiv, "floordiv")
    __mod__ = forward(arithmetic.floormod, "mod")
    __rmod__ = backward(arithmetic.floormod, "mod")
    __matmul__ = forward(linalg.matmul, "matmul")
    __rmatmul__ = backward(linalg.matmul, "matmul")
    __lshift__ = forward(bitwise.left_shift, "lshift")
    __rlshift__ = backward(bitwise.left_shift, "lshift")
    __rshift__ = forward(bitwise.right_shift, "rshift")
    __rrshift__ = backward(bitwise.right_shift, "rshift")
    __and__ = forward(both, "and")
    __rand__ = backward(both, "and")
    __or__ = forward(either, "or")
    __ror__ = backward(either, "or")
    __xor__ = forward(exclusive, "xor")
    __rxor__ = backward(exclusive, "xor")
    __lt__ = forward(comparison.less, "lt", "__gt__")
    __le__ = forward(comparison.less_equal, "le", "__ge__")
    __gt__ = forward(comparison.greater, "gt", "__lt__")
    __ge__ = forward(comparison.greater_equal, "ge", "__le__")
    __eq__ = forward(comparison.tensor_equals, "eq", "__eq__")
    __ne__ = forward(comparison.tensor_not_equals, "ne", "__ne__")

    def __pow__(self, other: Any, modulus: Any = None) -> Any:
        raised = forward(arithmetic.power, "pow")(self, other)
        return raised if modulus is None else raised % modulus

    __rpow__ = backward(arithmetic.power, "pow")

    def __divmod__(self, other: Any) -> tuple[Any, Any]:
        return arithmetic.floordiv(self, other), arithmetic.floormod(self, other)

    def __rdivmod__(self, other: Any) -> tuple[Any, Any]:
        return arithmetic.floordiv(other, self), arithmetic.floormod(other, self)

    def __neg__(self) -> Any:
        return arithmetic.negative(self)

    def __pos__(self) -> Any:
        return flow.identity(self)

    def __invert__(self) -> Any:
        return comparison.logical_not(self) if self.dtype.is_bool else bitwise.invert(self)

    def __abs__(self) -> Any:
        return arithmetic.abs(self)

    def __round__(self, digits: int | None = None) -> Any:
        if digits is None:
            return elementwise.round(self)
        scale = 10**digits
        return elementwise.round(self * scale) / scale

    def __getitem__(self, key: Any) -> Any:
        from .indexing import get_item  # which needs tensors, which need these operators

        return get_item(self, key)

    # Equality is by element, so there is no hash.
    __hash__: ClassVar[Any] = None  # pyright: ignore[reportIncompatibleMethodOverride]
