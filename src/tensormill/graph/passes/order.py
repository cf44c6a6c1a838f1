"""The passes from graph to graph, in the order in which they run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, cast

from ..ir import Graph, Operation
from .folding import fold_constants
from .identities import skip_identities
from .pruning import prune
from .sharing import share_equal_operations

Pass = Callable[[Graph], Graph]

SIMPLIFY: Final[tuple[Pass, ...]] = (
    skip_identities,
    fold_constants,
    share_equal_operations,  # after folding, which makes constants equal
    prune,
)


def simplify(graph: Graph) -> Graph:
    """All passes of `SIMPLIFY`, in order, on the graph and on the branches and bodies in it."""
    for one in SIMPLIFY:
        graph = one(graph)
    return replace(graph, operations=tuple([_simplify_inside(op) for op in graph.operations]))


def _simplify_inside(operation: Operation) -> Operation:
    changed = {name: _simplified(value) for name, value in operation.attrs.items()}
    if all(changed[name] is value for name, value in operation.attrs.items()):
        return operation
    attrs: Mapping[str, Any] = changed
    return replace(operation, attrs=attrs)


def _simplified(value: Any) -> Any:
    if isinstance(value, Graph):
        return simplify(value)
    listed = cast("Sequence[Any]", value) if isinstance(value, (list, tuple)) else ()
    if listed and isinstance(listed[0], Graph):
        return tuple(simplify(one) for one in listed)
    return cast(Any, value)
