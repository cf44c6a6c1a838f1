"""Rules of single numbers that are compiled by themselves, once for all programs.

A rule that draws a gamma distributed number takes LLVM 150 ms: much more than the program around
it, and as long in the next one. What `shared` marks becomes a native function of its own, kept on
disk like all code; programs call it by its name, in which its module stands.

    @shared("f64 f64", "f64", work=20_000)
    def igamma(loops, a, x):             # what `lower` rules may say of numbers, memory left out
        return ...

    loops.shared(igamma, a, x)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ..core.process.named_tuples import NamedTuple

PREFIX: Final = "tm_shared__"
_OPERATIONS: Final = __name__.rpartition(".")[0]  # all rules are below


class SharedRule(NamedTuple):
    """A function of numbers; its types are short names of dtypes.

    work: how long it takes, in hundredths of a nanosecond.
    """

    name: str
    parameters: tuple[str, ...]
    result: str
    work: int
    body: Callable[..., Any]


def shared(parameters: str, result: str, work: int) -> Callable[[Callable[..., Any]], SharedRule]:
    """Mark a function of a module of operations, which stands there under its own name."""

    def mark(body: Callable[..., Any]) -> SharedRule:
        module = body.__module__.removeprefix(f"{_OPERATIONS}.")
        name = PREFIX + "__".join([*module.split("."), body.__name__])
        return SharedRule(name, tuple(parameters.split()), result, work, body)

    return mark


def rule_of(name: str) -> SharedRule:
    """The rule of a native function with this name."""
    from importlib import import_module

    *module, rule = name.removeprefix(PREFIX).split("__")
    return getattr(import_module(".".join([_OPERATIONS, *module])), rule)
