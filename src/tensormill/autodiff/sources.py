"""How users' tensors and variables are known to a recording."""

from __future__ import annotations

from typing import Any

from ..core import context
from ..core.values import TensorLike


def handle_of(value: TensorLike) -> Any:
    """A tensor itself; the handle of a variable."""
    if hasattr(type(value), "symbolic"):
        return value
    return value.handle  # type: ignore[attr-defined]


def inside(tensor: Any) -> Any:
    """What stands for `tensor` in the function that is being traced; eagerly the tensor itself."""
    interpreter = context.top().interpreter
    return interpreter.convert(tensor, None, None) if interpreter.building_graph else tensor


def variable_of(handle: Any) -> Any:
    """The variable that a handle belongs to, or None where it is gone."""
    reference = getattr(handle, "variable", None)
    if reference is not None:
        return reference()
    if not handle.symbolic:
        return None
    captures = handle.graph.captures
    external = next((one.external for one in captures if one.internal is handle), None)
    return None if external is None else variable_of(external)
