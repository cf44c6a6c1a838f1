"""What a graph changes."""

from __future__ import annotations

from ...graph.ir import Graph
from ...ops.control.functional import effects_of, variable_of
from ...ops.effects import World, Writes


def written_operands(graph: Graph) -> set[int]:
    """The positions of the inputs (parameters, then captures) that are variables it writes."""
    written: set[int] = set()
    for operation in graph.operations:
        for effect in effects_of(operation.op, operation.attrs):
            if isinstance(effect, Writes):
                written.add(id(variable_of(operation, effect)))
    return {k for k, value in enumerate(graph.inputs) if id(value) in written}


def calls_python(graph: Graph) -> bool:
    """Whether a graph calls functions of the user's, which may do anything."""
    return any(World.PYTHON in effects_of(one.op, one.attrs) for one in graph.operations)
