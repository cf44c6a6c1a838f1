"""Finding operations and tensors of a graph by name, with TensorFlow's errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .operation import Operation
from .symbolic import SymbolicTensor

if TYPE_CHECKING:
    from .func_graph import FuncGraph


def find_operation(graph: FuncGraph, name: str) -> Operation:
    """The operation called `name`.

    Raises:
        ValueError: `name` is that of a tensor ('add:0').
        KeyError: there is no such operation; the nearest names are given.
    """
    if ":" in name:
        raise ValueError(
            f"The name '{name}' appears to refer to a Tensor, not a Operation; "
            f"the operation is '{name.split(':')[0]}'"
        )
    found = graph.operations_by_name().get(name)
    if found is None:
        raise KeyError(
            f"The name '{name}' refers to an Operation not in the graph "
            f"'{graph.name}'{_nearest(graph, name)}"
        )
    return found


def find_tensor(graph: FuncGraph, name: str) -> SymbolicTensor:
    """The tensor called `name`, which is 'operation:output'.

    Raises:
        ValueError: `name` has another form.
        KeyError: there is no such operation, or it has fewer outputs.
    """
    owner, _, output = name.rpartition(":")
    if not owner or not output.isdecimal():
        raise ValueError(
            f"Tensor names must be of the form '<op_name>:<output_index>', but '{name}' is not"
        )
    operation = graph.operations_by_name().get(owner)
    if operation is None:
        raise KeyError(
            f"The name '{name}' refers to a Tensor which does not exist: the operation '{owner}' "
            f"is not in the graph '{graph.name}'{_nearest(graph, owner)}"
        )
    if int(output) >= len(operation.outputs):
        raise KeyError(
            f"The name '{name}' refers to a Tensor which does not exist: the operation '{owner}' "
            f"exists but only has {len(operation.outputs)} outputs"
        )
    return operation.outputs[int(output)]


def find_element(
    graph: FuncGraph, wanted: Any, allow_tensor: bool, allow_operation: bool
) -> SymbolicTensor | Operation:
    """The tensor or operation that `wanted` is or names, or says that it stands for.

    Raises:
        TypeError: `wanted` is neither, or not of an allowed kind.
        ValueError: it belongs to another graph, or its name has the wrong form.
        KeyError: the graph has nothing of that name.
    """
    if isinstance(wanted, str):
        if (":" in wanted and allow_tensor) or not allow_operation:
            return find_tensor(graph, wanted)
        return find_operation(graph, wanted)
    if (stands_for := getattr(wanted, "_as_graph_element", None)) is not None:
        element = stands_for()
        wanted = wanted if element is None else element
    kinds = ((SymbolicTensor, allow_tensor), (Operation, allow_operation))
    if not any(allowed and isinstance(wanted, kind) for kind, allowed in kinds):
        allowed = " or ".join(kind.__name__ for kind, allowed in kinds if allowed)
        raise TypeError(f"Can not convert a {type(wanted).__name__} into a {allowed}.")
    if wanted.graph is not graph:
        raise ValueError(f"{wanted!r} is not an element of this graph ('{graph.name}')")
    return wanted


def _nearest(graph: FuncGraph, name: str) -> str:
    from difflib import get_close_matches  # no first call needs it

    near = get_close_matches(name, graph.operations_by_name(), 3)
    return f"; nearest: {', '.join(near)}" if near else ""
