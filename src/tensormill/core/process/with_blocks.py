"""`with` blocks that are left as a whole, also where a signal's handler raises.

CPython calls handlers between steps of Python: at the first one of a function, after a call, where
a loop turns. So an `__exit__` in Python may be left (KeyboardInterrupt) before it did anything, an
`__enter__` after it did all. What is written in C runs whole. These blocks are left by
`IOBase.__exit__`, the method of C's that calls what the object says: `close`, which each sets to a
function of C's before it changes anything, so that it may be called at any step from there on. An
`__enter__` in Python is safe: it guards itself, and `with` calls nothing between it and the block.

`close` does what it does once, gives None or something empty, since `with` takes anything else as
"swallow the exception", and does nothing where the block was not entered.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import deque
from collections.abc import Callable, Generator, Iterable
from contextlib import AbstractContextManager
from contextvars import ContextVar, Token
from functools import partial, wraps
from io import IOBase
from itertools import chain
from operator import methodcaller
from typing import Any, Final, Generic, ParamSpec, TypeVar

Value = TypeVar("Value")
Given = TypeVar("Given", covariant=True)
Parameters = ParamSpec("Parameters")
Method = TypeVar("Method", bound=Callable[..., None])

_close: Final = methodcaller("close")
_go_through: Final[Callable[[Iterable[Any], int], object]] = deque


def exit_without_entry() -> None:
    """How a block is left that was not entered."""


class Block(IOBase):
    """Something to leave."""

    # For the finalizer, which would call `close`.
    closed = True  # pyright: ignore[reportIncompatibleMethodOverride, reportAssignmentType]
    close: Callable[[], Any] = staticmethod(exit_without_entry)  # pyright: ignore[reportIncompatibleMethodOverride]

    def undo_by(self, *steps: Iterable[Any]) -> None:
        """Let the next `close` go through iterators, and the one after it do what it would now.

        They are C's, and lazy: what `map` of a function of C's gives, and what is made from those.
        """
        back = map(setattr, (self,), ("close",), (self.close,))
        self.close = partial(_go_through, chain(back, *steps), 0)

    def __reduce__(self) -> tuple[type[Block], tuple[()]]:
        """A copy has entered nothing."""
        return type(self), ()


def set_until(block: Block, variable: ContextVar[Value], value: Value) -> None:
    """Give a context variable a value until the block is left."""
    tokens: list[Token[Value]] = []
    block.undo_by(map(variable.reset, tokens))
    tokens.extend(map(variable.set, (value,)))  # in C: both or none


def enter_until(block: Block, inner: Any) -> Any:
    """Enter another block until this one is left."""
    block.undo_by(map(_close, (inner,)))
    return inner.__enter__()


class setting(Block):
    """`with setting(variable, value) as gives:` a context variable has another value; once."""

    def __init__(self, variable: ContextVar[Value], value: Value, gives: Any = None) -> None:
        self._variable: ContextVar[Any] = variable
        self._value: Any = value
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


class renewed(setting):
    """A setting that decorates functions, too: each of their calls is in a block of its own."""

    def __init__(self, make: Callable[[], Any], variable: ContextVar[Value], value: Value) -> None:
        super().__init__(variable, value)
        self._make = make

    def __call__(self, function: Callable[Parameters, Value]) -> Callable[Parameters, Value]:
        @wraps(function)
        def call(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Value:
            with self._make():
                return function(*args, **kwargs)

        return call


class _generated(Block):
    def __init__(self, generator: Generator[Any]) -> None:
        self._generator = generator

    def __enter__(self) -> Any:
        try:
            self.close = partial(next, self._generator, None)
            return next(self._generator)
        except StopIteration:
            raise RuntimeError("a block is entered once, and again by another call") from None
        except BaseException:
            self._generator.close()
            raise


def block(
    function: Callable[Parameters, Generator[Value]],
) -> Callable[Parameters, AbstractContextManager[Value]]:
    """`contextmanager` of a generator that ends alike whatever happened in the block.

    It is not told what was raised there. A signal that comes as it goes on is raised at its
    `yield`: what stands in a `finally` happens, up to the end of its first call.
    """

    @wraps(function)
    def blocks(*args: Parameters.args, **kwargs: Parameters.kwargs) -> _generated:
        return _generated(function(*args, **kwargs))

    return blocks


class _AtOnce:
    def __init__(self, function: Callable[..., None]) -> None:
        self._function: Final = function

    def __get__(self, instance: Any, owner: type) -> Callable[..., None]:
        return self._function if instance is None else instance._entered.__exit__


def _at_once(function: Method) -> Method:
    """A method `__exit__` that is C's: that of the object's `_entered`.

    `with` looks it up before it calls `__enter__`, so that this here may be interrupted. Who takes
    it from the class (ExitStack) gets the function.
    """
    descriptor: Any = _AtOnce(function)
    return descriptor


class Enterable(Generic[Given]):
    """What may be entered again, also within itself."""

    __slots__ = ("_entered",)

    def __init__(self) -> None:
        self._entered: Final = Block()

    @abstractmethod
    def _enter(self) -> Given:
        """Change what is changed until `_entered` is left."""

    def __enter__(self) -> Given:
        entered = self._entered
        outer = entered.close
        try:
            return self._enter()
        except BaseException:
            if entered.close is not outer:
                entered.close()
            raise

    @_at_once
    def __exit__(self, kind: Any, error: Any, traceback: Any, /) -> None:
        self._entered.close()
