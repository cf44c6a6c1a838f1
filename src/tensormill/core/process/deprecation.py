"""Warnings of what will be gone, in the log, once for each thing; where the user calls it.

As TensorFlow words and counts them: "From file:line: name (from module) is deprecated and will be
removed in a future version", then what to do instead.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final, TypeVar

from ..source import user_line

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

_silent: ContextVar[bool] = ContextVar("deprecation_is_silent", default=False)
_told: Final[set[tuple[Any, ...]]] = set()
# Where programs say that they want none: `deprecation._PRINT_DEPRECATION_WARNINGS = False`.
_SWITCH: Final = ("tensorflow.python.util.deprecation", "_PRINT_DEPRECATION_WARNINGS")


@contextmanager
def silence() -> Generator[None]:
    """Do not warn within."""
    token = _silent.set(True)
    try:
        yield
    finally:
        _silent.reset(token)


def is_silent() -> bool:
    module, switch = _SWITCH
    return _silent.get() or not vars(sys.modules.get(module, sys)).get(switch, True)


def tell(key: tuple[Any, ...], words: str, once: bool = True) -> None:
    """Warn of what `key` stands for, unless somebody was warned of it before."""
    if is_silent() or (once and key in _told):
        return
    from .logs import logger  # Python's logging takes 4 ms, and few programs are warned

    _told.add(key)
    line = user_line()
    place = "unknown" if line is None else f"{line.file}:{line.line}"
    logger.warning("From %s: %s", place, words)


def going(
    target: Any, date: str | None, instructions: str, how: str = "{}", name: str | None = None
) -> str:
    """What is said of a function; `how` is what it was called with, around its name."""
    name = how.format(f"{name or target.__qualname__} (from {target.__module__})")
    return (
        f"{name} is deprecated and will be removed {when(date)}.\n"
        f"Instructions for updating:\n{instructions}"
    )


def when(date: str | None) -> str:
    return "in a future version" if date is None else f"after {date}"


def checking(target: Decorated, check: Callable[[Any, dict[str, Any]], None]) -> Decorated:
    """The function, which shows `check` itself and what it is given, by name; of a class its
    constructor.
    """
    made: Any = target
    if inspect.isclass(made):
        setattr(made, "__init__", checking(getattr(made, "__init__"), check))  # noqa: B009, B010
        return target
    names = list(inspect.signature(target).parameters)

    @functools.wraps(target)
    def checked(*args: Any, **kwargs: Any) -> Any:
        if not is_silent():
            check(target, {**dict(zip(names, args, strict=False)), **kwargs})
        return target(*args, **kwargs)

    return checked  # type: ignore[return-value]


def deprecated(
    date: str | None, instructions: str, warn_once: bool = True
) -> Callable[[Decorated], Decorated]:
    """Warn where the decorated function, or class, is called. `date`: when it goes, or None."""

    def check(target: Any, _: dict[str, Any]) -> None:
        tell((target,), going(target, date, instructions), warn_once)

    return lambda target: checking(target, check)


@functools.cache
def replaced(function: Any, name: str, instead: str) -> Any:
    """The function `name`, which tells of what stands in its place."""
    words = going(function, None, f"Use {instead} instead.", name=name)

    def check(target: Any, _: dict[str, Any]) -> None:
        tell((target, name), words)

    return checking(function, check)
