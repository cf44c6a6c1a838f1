"""The passes from graph to graph, in the order in which they run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, cast

from ..ir import Application, Graph
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
    return _simplified(graph, {})


def _simplified(graph: Graph, known: dict[Graph, Graph]) -> Graph:
    """The graph, simplified once however many operations hold it: who holds one holds one."""
    if graph not in known:
        simple = graph
        for one in SIMPLIFY:
            simple = one(simple)
        operations = tuple([_simplified_inside(one, known) for one in simple.operations])
        known[graph] = replace(simple, operations=operations)
    return known[graph]


def _simplified_inside(operation: Application, known: dict[Graph, Graph]) -> Application:
    attrs = {name: _simplified_attr(value, known) for name, value in operation.attrs.items()}
    if all(attrs[name] is value for name, value in operation.attrs.items()):
        return operation
    return replace(operation, attrs=attrs)


def _simplified_attr(value: Any, known: dict[Graph, Graph]) -> Any:
    if isinstance(value, Graph):
        return _simplified(value, known)
    listed = cast("Sequence[Any]", value) if isinstance(value, (list, tuple)) else ()
    if listed and isinstance(listed[0], Graph):
        return tuple([_simplified(one, known) for one in listed])
    return cast(Any, value)
