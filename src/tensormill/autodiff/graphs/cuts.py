"""Where the path from a computation's operands to its results has no derivative."""

from __future__ import annotations

from collections.abc import Collection

from ...graph import ir
from .computations import Calling, Choosing, Computation, Looping, computation_of
from .forward_and_backward import is_differentiable
from .invariants import active_variables


def cut_in(computation: Computation, wanted: Collection[int]) -> str | None:
    """The type of an operation without a derivative through which results depend on the operands
    numbered in `wanted`; None where there is none.
    """
    match computation:
        case Calling(graph):
            return _cut_of(graph, wanted)
        case Choosing(graphs):
            inner = [number - 1 for number in wanted]
            return next(filter(None, (_cut_of(graph, inner) for graph in graphs)), None)
        case Looping(_, body):
            return _cut_of(body, active_variables(body, list(wanted)))


def _cut_of(graph: ir.Graph, wanted: Collection[int]) -> str | None:
    """`cut_in` of one graph: each value that is reached goes with the cut before it, if any."""
    reached: dict[ir.Value, str | None] = {graph.inputs[number]: None for number in wanted}
    for operation in graph.operations:
        places = [k for k, operand in enumerate(operation.operands) if operand in reached]
        if not places:
            continue
        cut = next(filter(None, (reached[operation.operands[k]] for k in places)), None)
        computation = computation_of(operation.op, operation.attrs)
        if computation is not None:
            cut = cut or cut_in(computation, places)
        elif not operation.op.differentiable:
            cut = cut or operation.op.name
        results = [one for one in operation.results if is_differentiable(one.spec)]
        reached.update((result, cut) for result in results)
    return next(filter(None, (reached.get(result) for result in graph.returns)), None)
