"""`with` blocks in which a context variable has another value, whatever happens in them.

A signal's handler may raise (KeyboardInterrupt) at the first step of a function in Python, so also
of an `__exit__`, which then restores nothing. What is written in C runs whole: these blocks are
left by `IOBase.__exit__`, the method of C's that calls what the object says (`close`), here a
token's reset.
"""

from __future__ import annotations

from contextvars import ContextVar, Token
from functools import partial
from io import IOBase
from typing import Any, TypeVar

Value = TypeVar("Value")


class setting(IOBase):
    """`with setting(variable, value) as gives:`; entered once.

    `__exit__` calls `close`, which is a function in C from the moment that the value is set.
    """

    # For the finalizer, which would call `close`.
    closed = True  # pyright: ignore[reportIncompatibleMethodOverride, reportAssignmentType]

    def __init__(self, variable: ContextVar[Value], value: Value, gives: Any = None) -> None:
        self._variable = variable
        self._value = value
        self._gives = gives

    def __enter__(self) -> Any:
        tokens: list[Token[Any]] = []
        try:
            tokens.extend(map(self._variable.set, (self._value,)))  # in C: both or none
            self.close = partial(self._variable.reset, tokens[0])
            return self._gives
        except BaseException:  # a signal's
            for token in tokens:
                self._variable.reset(token)
            raise
