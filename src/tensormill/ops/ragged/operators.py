"""Python's operators of ragged tensors."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, NoReturn

from ...core.dtypes import string


def operator(module: str, name: str, *, is_reflected: bool = False) -> Callable[..., Any]:
    """A method of Python's operators that does what the function `module.name` does."""

    def method(self: Any, other: Any) -> Any:
        return _applied(module, name, *((other, self) if is_reflected else (self, other)))

    return method


def unary(module: str, name: str) -> Callable[..., Any]:
    """A method of Python's unary operators that does what the function `module.name` does."""

    def method(self: Any) -> Any:
        return _applied(module, name, self)

    return method


def comparison(name: str, otherwise: bool) -> Callable[..., Any]:
    """`==` or `!=`: elementwise; `otherwise` for what can be no tensor, as None."""

    def method(self: Any, other: Any) -> Any:
        is_text = isinstance(other, str) and self.dtype is not string
        if other is None or is_text or isinstance(other, type):
            return otherwise
        return _applied("math.comparison", name, self, other)

    return method


def _applied(module: str, name: str, *operands: Any) -> Any:
    return _function(module, name)(*operands)


@cache
def _function(module: str, name: str) -> Any:
    return getattr(import_module(f"..{module}", __package__), name)


class RaggedOperators:
    """Applies them to what is inside, in rows that agree."""

    __add__ = operator("math.arithmetic", "add")
    __radd__ = operator("math.arithmetic", "add", is_reflected=True)
    __sub__ = operator("math.arithmetic", "subtract")
    __rsub__ = operator("math.arithmetic", "subtract", is_reflected=True)
    __mul__ = operator("math.arithmetic", "multiply")
    __rmul__ = operator("math.arithmetic", "multiply", is_reflected=True)
    __truediv__ = operator("math.division", "truediv")
    __rtruediv__ = operator("math.division", "truediv", is_reflected=True)
    __floordiv__ = operator("math.division", "floordiv")
    __rfloordiv__ = operator("math.division", "floordiv", is_reflected=True)
    __mod__ = operator("math.division", "floormod")
    __rmod__ = operator("math.division", "floormod", is_reflected=True)
    __pow__ = operator("math.power", "power")
    __rpow__ = operator("math.power", "power", is_reflected=True)
    __and__ = operator("math.comparison", "logical_and")
    __rand__ = operator("math.comparison", "logical_and", is_reflected=True)
    __or__ = operator("math.comparison", "logical_or")
    __ror__ = operator("math.comparison", "logical_or", is_reflected=True)
    __xor__ = operator("math.comparison", "logical_xor")
    __rxor__ = operator("math.comparison", "logical_xor", is_reflected=True)
    __lt__ = operator("math.comparison", "less")
    __le__ = operator("math.comparison", "less_equal")
    __gt__ = operator("math.comparison", "greater")
    __ge__ = operator("math.comparison", "greater_equal")
    __eq__ = comparison("equal", otherwise=False)
    __ne__ = comparison("not_equal", otherwise=True)
    __neg__ = unary("math.arithmetic", "negative")
    __abs__ = unary("math.signs", "abs")
    __invert__ = unary("math.comparison", "logical_not")

    def __hash__(self) -> NoReturn:
        raise TypeError("RaggedTensor is unhashable. Instead, use id() of it as the key.")
