"""Tensors that Python may ask for the number which they are to it (python_numbers.py)."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from contextvars import ContextVar
from functools import wraps
from typing import Any, ClassVar, Final, cast

import numpy as np

from ...core.process.with_blocks import setting
from ...errors import OpError
from ..symbolic import SymbolicTensor
from .numbers_in_calls import in_python as in_python
from .python_numbers import number_of, shown, wanted

_LIBRARY: Final = __name__.partition(".")[0] + "."


_are_twofold: ContextVar[bool] = ContextVar("twofold", default=False)


def twofold() -> AbstractContextManager[Any]:
    """Let the tensors of graphs that are made within be such that may have Python's numbers."""
    return setting(_are_twofold, True)


def are_twofold() -> bool:
    """Whether they are so here."""
    return _are_twofold.get()


class TwofoldTensor(SymbolicTensor):
    """A symbolic tensor that may have Python's number beside it."""

    __slots__ = ()
    is_twofold: ClassVar[bool] = True

    @property
    def __class__(self) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """What `isinstance` asks for where the type is none of its classes: it is a number, too."""
        number = None if _asks_library() else shown(self)
        return SymbolicTensor if number is None else cast(Any, type(number))

    # What Python says where there is no such method.
    def __index__(self) -> int:
        raise TypeError(f"'{SymbolicTensor.__name__}' object cannot be interpreted as an integer")

    def __float__(self) -> float:
        raise TypeError(f"must be real number, not {SymbolicTensor.__name__}")

    def __complex__(self) -> complex:
        kind = SymbolicTensor.__name__
        raise TypeError(f"complex() first argument must be a string or a number, not '{kind}'")

    def __getattr__(self, name: str) -> Any:
        number = None if _asks_library() else number_of(self)
        if number is None or not hasattr(number.python, name):
            return super().__getattr__(name)
        return getattr(number.want(), name)


def _asks_library() -> bool:
    """Whether the library asks for what is beside tensors; converted code is the user's, and so is
    what modules call that say so.
    """
    names = sys._getframe(2).f_globals  # pyright: ignore[reportPrivateUsage]
    is_ours = str(names.get("__name__")).startswith(_LIBRARY)
    return is_ours and not names.get("CALLS_FOR_USERS", False)


class _Probe:
    """What knows whether the library asks for its class."""

    @property
    def __class__(self) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        return bool if _asks_library() else float


def _check_who_asks() -> None:
    """Raises ImportError where frames do not tell who asks for a class."""
    users: dict[str, Any] = {"__name__": "users", "probe": _Probe()}
    probe: Any = _Probe()
    asked = eval("isinstance(probe, float)", users), isinstance(probe, bool)
    if asked != (True, True):
        raise ImportError("frames of this Python do not tell who asks for the class of an object")


_check_who_asks()


def _falling_back(name: str, answer: Callable[..., Any]) -> None:
    """Have an operator that refuses its operands as tensors take Python's number."""
    plain = getattr(TwofoldTensor, name)

    @wraps(plain)
    def operated(self: TwofoldTensor, *others: Any) -> Any:
        try:
            return plain(self, *others)
        except (TypeError, ValueError, OpError):
            if (number := wanted(self)) is None:
                raise
        return answer(number, *others)

    setattr(TwofoldTensor, name, operated)


def _reversed(answer: Callable[..., Any]) -> Callable[..., Any]:
    def answered(number: Any, other: Any) -> Any:
        return answer(other, number)

    return answered


def _reduced(value: Any, protocol: Any) -> Any:
    return value.__reduce_ex__(protocol)


def _asking(name: str, answer: Callable[..., Any]) -> None:
    """Have a method answer with Python's number."""
    plain = getattr(TwofoldTensor, name)

    @wraps(plain)
    def asking(self: TwofoldTensor, *args: Any, **options: Any) -> Any:
        if (number := number_of(self)) is None:
            return plain(self, *args, **options)
        return answer(number.want(), *args, **options)

    setattr(TwofoldTensor, name, asking)


for _name, _answer in {
    "__array__": np.asarray, "__bool__": bool, "__complex__": complex, "__float__": float,
    "__format__": format, "__hash__": hash, "__index__": operator.index, "__int__": int,
    "__reduce_ex__": _reduced, "__repr__": repr, "__str__": str,
}.items():  # fmt: skip
    _asking(_name, _answer)
# Some of these have no types.
_OPERATORS: Final[Any] = operator
_BINARY: Final[dict[str, Callable[..., Any]]] = {
    "add": operator.add, "floordiv": _OPERATORS.floordiv, "mod": operator.mod,
    "mul": operator.mul, "pow": pow, "sub": operator.sub, "truediv": _OPERATORS.truediv,
}  # fmt: skip
for _name, _answer in _BINARY.items():
    _falling_back(f"__{_name}__", _answer)
    _falling_back(f"__r{_name}__", _reversed(_answer))
for _name in ("eq", "ge", "gt", "le", "lt", "ne"):
    _falling_back(f"__{_name}__", getattr(operator, _name))
# What a loop has left in a graph around is one, too.
setattr(SymbolicTensor, "is_pythons", property(lambda tensor: shown(tensor) is not None))  # noqa: B010
# Who prints its class, or looks for it by name, finds the one that it has elsewhere.
TwofoldTensor.__name__, TwofoldTensor.__qualname__ = (
    SymbolicTensor.__name__,
    SymbolicTensor.__qualname__,
)
