"""What code asks about a value, of a number that Python counts, too: it is Python's.

if isinstance(self.calls, tf.Tensor): ...       # a loop of the graph carries it, but that is
if type(self.calls) is int: ...                 # no business of this code
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from ...core import context
from . import tensors

# What functions ask about their arguments that are called here, users' code asks.
CALLS_FOR_USERS: Final = True


def _as_asked(value: Any) -> Any:
    """What a question about a value is about."""
    if not (tensors.is_symbolic(value) and getattr(value, "is_pythons", False)):
        return value
    from ...graph.numbers.python_numbers import shown

    return shown(value)


def isinstance_(value: Any, classes: Any) -> bool:
    return isinstance(_as_asked(value), classes)


def type_(value: Any, *rest: Any, **options: Any) -> Any:
    return type(value, *rest, **options) if rest else type(_as_asked(value))


def hasattr_(value: Any, name: str) -> bool:
    return hasattr(_as_asked(value), name)


def getattr_(value: Any, name: str, *default: Any) -> Any:
    """What a tensor has that numbers do not have is there only for those who do without default."""
    if default and not hasattr(_as_asked(value), name):
        return default[0]
    return getattr(value, name, *default)


_QUESTIONS: Final[dict[Any, Callable[..., Any]]] = {
    getattr: getattr_, hasattr: hasattr_, isinstance: isinstance_, type: type_,
}  # fmt: skip


def _may_be() -> bool:
    """Whether tensors here may be numbers that Python counts."""
    return getattr(context.top().interpreter, "is_twofold", False)


def asked_of_numbers(function: Any) -> Any:
    """A function of C code: one that asks what a value is, or takes what it is."""
    instead = _QUESTIONS.get(function)
    if instead is not None and context.building_graph():
        return instead
    return in_python_if_refused(function)


def in_python_if_refused(function: Any) -> Any:
    """A function of Python's or of C code, which may refuse what is no int itself: then it is
    called with Python's numbers.
    """
    if not _may_be():
        return function

    @wraps(function, updated=())
    def called(*args: Any, **options: Any) -> Any:
        try:
            return function(*args, **options)
        except (AttributeError, TypeError, ValueError):
            if any(hasattr(one, "write") for one in (*args, *options.values())):
                raise  # half of it may be in a file
            known = context.top().interpreter.in_python((args, options))
            if known is None:
                raise
        return function(*known[0], **known[1])

    return called
