"""`tensorflow.python.util.deprecation`: decorators that warn, once, of what is not to be used."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from ...core.process.deprecation import (
    Decorated,
    checking,
    deprecated,
    going,
    silence,
    tell,
)

__all__ = ["deprecated", "silence"]


def deprecated_args(
    date: str | None, instructions: str, *deprecated_arg_names_or_tuples: Any, **kwargs: Any
) -> Callable[[Decorated], Decorated]:
    """Warn where one of these arguments is given: a name, or a name and the value that is fine."""
    fine = {one if isinstance(one, str) else one[0]: one if isinstance(one, tuple) else ()
            for one in deprecated_arg_names_or_tuples}  # fmt: skip

    once = kwargs.get("warn_once", True)

    def check(target: Any, given: dict[str, Any]) -> None:
        for name, known in fine.items():
            if name in given and not (len(known) > 1 and given[name] == known[1]):
                how = f"calling {{}} with {name}"
                tell((target, name), going(target, date, instructions, how), once)

    return lambda target: checking(target, check)


def deprecated_arg_values(
    date: str | None, instructions: str, warn_once: bool = True, **deprecated_kwargs: Any
) -> Callable[[Decorated], Decorated]:
    """Warn where one of these arguments is given with the value that goes."""

    def check(target: Any, given: dict[str, Any]) -> None:
        for name, value in deprecated_kwargs.items():
            if name in given and (given[name] is value or given[name] == value):
                how = f"calling {{}} with {name}={value!r}"
                tell((target, name, str(value)), going(target, date, instructions, how), warn_once)

    return lambda target: checking(target, check)


def deprecated_alias(
    deprecated_name: str, name: str, func_or_class: Any, warn_once: bool = True
) -> Any:
    """What has a newer name, under its old one; calls warn."""
    words = f"The name {deprecated_name} is deprecated. Please use {name} instead.\n"
    if inspect.isclass(func_or_class):
        made: Any = type(func_or_class.__name__, (func_or_class,), {})
        first = func_or_class.__init__

        @functools.wraps(first)
        def begin(self: Any, *args: Any, **kwargs: Any) -> None:
            tell((func_or_class, deprecated_name), words, warn_once)
            first(self, *args, **kwargs)

        made.__init__ = begin
        return made

    @functools.wraps(func_or_class)
    def call(*args: Any, **kwargs: Any) -> Any:
        tell((func_or_class, deprecated_name), words, warn_once)
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
