"""`tensorflow.python.util.deprecation`: decorators that warn, once, of what is not to be used."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from ..logging import warning

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

_silent: ContextVar[bool] = ContextVar("deprecation_is_silent", default=False)
_told: set[tuple[Any, ...]] = set()


def deprecated(
    date: str | None, instructions: str, warn_once: bool = True
) -> Callable[[Decorated], Decorated]:
    """Warn where the decorated function, or class, is called. `date`: when it goes, or None."""

    def decorate(target: Decorated) -> Decorated:
        def check(_: Any) -> None:
            tell(target, (), f"is deprecated and will be removed {when(date)}. {instructions}",
                 warn_once)  # fmt: skip

        return checking(target, check)

    return decorate


def deprecated_args(
    date: str | None, instructions: str, *deprecated_arg_names_or_tuples: Any, **kwargs: Any
) -> Callable[[Decorated], Decorated]:
    """Warn where one of these arguments is given: a name, or a name and the value that is fine."""
    fine = {one if isinstance(one, str) else one[0]: one if isinstance(one, tuple) else ()
            for one in deprecated_arg_names_or_tuples}  # fmt: skip

    def decorate(target: Decorated) -> Decorated:
        def check(given: dict[str, Any]) -> None:
            for name, known in fine.items():
                if name in given and not (len(known) > 1 and given[name] == known[1]):
                    tell(target, (name,), f"got the argument {name}, which is deprecated and will "
                         f"be removed {when(date)}. {instructions}",
                         kwargs.get("warn_once", True))  # fmt: skip

        return checking(target, check)

    return decorate


def deprecated_arg_values(
    date: str | None, instructions: str, warn_once: bool = True, **deprecated_kwargs: Any
) -> Callable[[Decorated], Decorated]:
    """Warn where one of these arguments is given with the value that goes."""

    def decorate(target: Decorated) -> Decorated:
        def check(given: dict[str, Any]) -> None:
            for name, value in deprecated_kwargs.items():
                if (name in given and given[name] is value) or given.get(name, check) == value:
                    tell(target, (name, str(value)), f"got {name}={value!r}, which is deprecated "
                         f"and goes {when(date)}. {instructions}", warn_once)  # fmt: skip

        return checking(target, check)

    return decorate


def deprecated_alias(
    deprecated_name: str, name: str, func_or_class: Any, warn_once: bool = True
) -> Any:
    """What has a newer name, under its old one; calls warn."""
    words = f"The name {deprecated_name} is deprecated. Please use {name} instead."
    if inspect.isclass(func_or_class):
        made: Any = type(func_or_class.__name__, (func_or_class,), {})
        first = func_or_class.__init__

        @functools.wraps(first)
        def begin(self: Any, *args: Any, **kwargs: Any) -> None:
            tell(func_or_class, (deprecated_name,), words, warn_once)
            first(self, *args, **kwargs)

        made.__init__ = begin
        return made

    @functools.wraps(func_or_class)
    def call(*args: Any, **kwargs: Any) -> Any:
        tell(func_or_class, (deprecated_name,), words, warn_once)
        return func_or_class(*args, **kwargs)

    return call


def deprecated_endpoints(*args: str) -> Callable[[Decorated], Decorated]:
    """Says under which names something is to be found no more; calls do not warn."""
    return lambda target: target


def deprecated_argument_lookup(new_name: str, new_value: Any, old_name: str, old_value: Any) -> Any:
    """The value of an argument that has an old name as well.

    Raises:
        ValueError: both are given.
    """
    if old_value is None:
        return new_value
    if new_value is not None:
        raise ValueError(f"Cannot specify both '{old_name}' and '{new_name}'.")
    return old_value


@contextmanager
def silence() -> Generator[None]:
    """Do not warn within."""
    token = _silent.set(True)
    try:
        yield
    finally:
        _silent.reset(token)


def checking(target: Decorated, check: Callable[[dict[str, Any]], None]) -> Decorated:
    """The function, which shows `check` what it is given, by name; of a class its constructor."""
    made: Any = target
    if inspect.isclass(made):
        setattr(made, "__init__", checking(getattr(made, "__init__"), check))  # noqa: B009, B010
        return target
    names = list(inspect.signature(target).parameters)

    @functools.wraps(target)
    def checked(*args: Any, **kwargs: Any) -> Any:
        if not _silent.get():
            check({**dict(zip(names, args, strict=False)), **kwargs})
        return target(*args, **kwargs)

    return checked  # type: ignore[return-value]


def when(date: str | None) -> str:
    return "in a future version" if date is None else f"after {date}"


def tell(target: Any, what: tuple[Any, ...], words: str, once: bool) -> None:
    key = (target, *what)
    if _silent.get() or (once and key in _told):
        return
    _told.add(key)
    warning("%s (from %s) %s", getattr(target, "__name__", target), target.__module__, words)
