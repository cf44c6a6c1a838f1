"""What a computation uses of its operands: not what only the gradients of users' functions need.

The gradient of a function with one of its own is traced with it, as a graph, and what that graph
captures is an operand of the operation around it, and of all graphs around that. A variable among
it is none that the function used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final
from weakref import WeakKeyDictionary

from ...graph import ir
from ...ops.control.functional import Functional
from ...ops.op import flat_operands
from .computations import Computation, computation_of

_used: Final[WeakKeyDictionary[ir.Graph, frozenset[int]]] = WeakKeyDictionary()


def used_operands(computation: Computation, operands: Sequence[Any]) -> list[Any]:
    """Those operands that the graphs of a computation use, and those that choose among them."""
    graphs = computation.graphs
    if not all(isinstance(graph, ir.Graph) for graph in graphs):
        return list(operands)
    before = len(operands) - len(graphs[0].inputs)
    used = frozenset[int]().union(*map(_used_inputs, graphs))
    return [one for place, one in enumerate(operands, -before) if place < 0 or place in used]


def operands_used_by(application: Any) -> Sequence[Any]:
    """Those operands of a recorded operation that its results need."""
    only_saved = getattr(application, "op", None) and application.op.only_saved
    if not only_saved:
        return application.operand_list()
    fields = zip(application.op.inputs, application.given, strict=True)
    return flat_operands(
        application.op, tuple([() if one.name in only_saved else x for one, x in fields])
    )


def _used_inputs(graph: ir.Graph) -> frozenset[int]:
    found = _used.get(graph)
    if found is None:
        values = {one for operation in graph.operations for one in _used_values(operation)}
        given = [*graph.inputs, *(None for _ in graph.returns)]
        # What a loop only hands on to its next turn is not used by that.
        values.update(one for one, own in zip(graph.returns, given, strict=False) if one is not own)
        places = frozenset(place for place, one in enumerate(graph.inputs) if one in values)
        found = _used[graph] = places
    return found


def _used_values(operation: ir.Application) -> Iterator[ir.Value]:
    op = operation.op
    if op.only_saved:
        for field, given in zip(op.inputs, operation.grouped(operation.operands), strict=True):
            if field.name not in op.only_saved:
                yield from given if isinstance(given, tuple) else (given,)
        return
    computation = computation_of(op, operation.attrs) if issubclass(op, Functional) else None
    if computation is None:
        yield from operation.operands
    else:
        yield from used_operands(computation, operation.operands)
