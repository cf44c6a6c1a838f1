"""The end of a function that may be reached without a `return`."""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

from . import logic, tensors
from .sentinels import NO_VALUE

NO_ITERATION: Final = (
    "the loop must iterate at least once, or the function that it ends has nothing to return; "
    "add a `return` behind it"
)


# Where a function may end without a `return`.
WithoutReturn: TypeAlias = Literal["main", "else", "loop", "behind"]


def returned(did_return: Any, value: Any, branch: WithoutReturn) -> Any:
    """The function's result. `branch` is the one that lacks a `return`, "main" or "else"; "loop"
    says that a loop ends the function and returns in its first iteration, "behind" that it may.

    Raises:
        ValueError: only the graph will know whether there is a value.
        InvalidArgumentError: (when the graph runs) the loop had no iteration.
    """
    if value is None or value is NO_VALUE:  # as at the end of a function without a `return`
        return None
    if branch == "loop" and tensors.is_staged(did_return):
        logic.check_at_run_time(did_return, NO_ITERATION)
        return value
    if tensors.is_staged(did_return):
        raise ValueError(_without_return(value, branch))
    return value


def _without_return(value: Any, branch: WithoutReturn) -> str:
    from .wording import described, stand_in_for

    example = stand_in_for(value)
    missing = (
        "when the loop ends without a `return`, the function returns None"
        if branch == "behind"
        else f"the {branch} branch must also have a return statement: without one it returns None"
    )
    return (
        f"{missing}, but {described(value)} otherwise. A tensor decides which, so add a `return` "
        f"of the same kind at the end{f', like `return {example}`' if example else ''}"
    )
