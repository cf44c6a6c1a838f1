"""The end of a function that may be reached without a `return`."""

from __future__ import annotations

from typing import Any, Final

from . import tensors
from .sentinels import NO_VALUE

NO_ITERATION: Final = (
    "the loop must iterate at least once, or the function that it ends has nothing to return; "
    "add a `return` behind it"
)


def returned(did_return: Any, value: Any, branch: str) -> Any:
    """The function's result. `branch` is the one that lacks a `return`, "main" or "else"; "loop"
    says that a loop ends the function and returns in its first iteration.

    Raises:
        ValueError: only the graph will know whether there is a value.
        InvalidArgumentError: (when the graph runs) the loop had no iteration.
    """
    if branch == "loop" and tensors.is_staged(did_return):
        tensors.check(did_return, NO_ITERATION)
        return value
    if tensors.is_staged(did_return):
        raise ValueError(
            f"the {branch} branch must also have a return statement: whether this function "
            "returns a value depends on a tensor, and then every way through it has to. Add a "
            "`return` of the same type at the end"
        )
    return None if value is NO_VALUE else value
