"""The end of a function that may be reached without a `return`."""

from __future__ import annotations

from typing import Any

from . import tensors
from .sentinels import NO_VALUE


def returned(did_return: Any, value: Any, branch: str) -> Any:
    """The function's result. `branch` is the one that lacks a `return`, "main" or "else".

    Raises:
        ValueError: only the graph will know whether there is a value.
    """
    if tensors.is_staged(did_return):
        raise ValueError(
            f"the {branch} branch must also have a return statement: whether this function "
            "returns a value depends on a tensor, and then every way through it has to. Add a "
            "`return` of the same type at the end"
        )
    return None if value is NO_VALUE else value
