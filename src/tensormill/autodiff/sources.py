"""How users' tensors and variables are known to a recording."""

from __future__ import annotations

from typing import Any

from ..core import context
from ..core.values import TensorBase, TensorLike
from ..graph.builder import FuncGraph, current_graph
from ..ops.conversion import as_tensor


def handle_of(value: TensorBase) -> Any:
    """A tensor itself; the handle of a variable."""
    own = underlying(value)
    return own if hasattr(type(own), "symbolic") else own.handle


def underlying(value: TensorBase) -> Any:
    """The tensor or variable that `value` is, or stands for."""
    if isinstance(value, TensorLike):
        return value
    handle = getattr(value, "handle", None)
    variable = None if handle is None else variable_of(handle)
    return as_tensor(value) if variable is None else variable


def in_trace(tensor: Any) -> Any:
    """What stands for `tensor` in the function that is being traced; eagerly the tensor itself."""
    interpreter = context.top().interpreter
    return interpreter.convert(tensor, None, None) if interpreter.building_graph else tensor


def stand_ins(tensor: Any) -> list[Any]:
    """What stands for `tensor` in the functions that are being traced, from the innermost out."""
    graphs: list[FuncGraph] = []
    graph = current_graph()
    while graph is not None:
        graphs.append(graph)
        graph = graph.enclosing
    known = {id(tensor): tensor}  # in the order in which it was handed inwards
    for graph in reversed(graphs):
        inside = [one.internal for one in graph.captures if id(one.external) in known]
        known.update((id(one), one) for one in inside)
    return [*known.values()][:0:-1]


def variable_of(handle: Any) -> Any:
    """The variable that a handle belongs to, or None where it is gone."""
    reference = getattr(handle, "variable", None)
    if reference is not None:
        return reference()
    if not handle.symbolic:
        return None
    external = handle.graph.captured_as(handle)
    return None if external is None else variable_of(external)
