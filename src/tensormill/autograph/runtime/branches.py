"""`if` and the conditional expression."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

from . import tensors


def no_else() -> None:
    """The `else` that was not written."""


def if_stmt(
    test: Any, main: Callable[[], None], orelse: Callable[[], None] = no_else, **facts: Any
) -> None:
    """`if test: main() else: orelse()`, staged where the test is a tensor in a trace."""
    test = tensors.as_condition(test)
    if tensors.is_staged(test):
        from .staged import branches
        from .staged.facts import StatementFacts

        branches.if_stmt(test, main, orelse, StatementFacts(**facts))
        return
    block = main if test else orelse
    del test  # a list that grows in the block must have no other name
    block()


def if_exp(
    test: Any,
    main: Callable[[], Any],
    orelse: Callable[[], Any],
    text: str,
    bound: FunctionType | None = None,
) -> Any:
    """`main() if test else orelse()`; `text` is the condition as written, `bound` the variables
    that `:=` in one of them binds.
    """
    test = tensors.as_condition(test)
    if tensors.is_staged(test):
        from .staged import branches

        return branches.if_exp(test, main, orelse, text, bound)
    return main() if test else orelse()


def either(condition: Any, main: Any, orelse: Any) -> Any:
    """`main if condition else orelse`, of values that exist already."""
    return chosen(condition, lambda: main, lambda: orelse)


def chosen(condition: Any, main: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
    """`main() if condition else orelse()`."""
    return if_exp(condition, main, orelse, "the value")
