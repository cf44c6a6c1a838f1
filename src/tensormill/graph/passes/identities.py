"""Operations that hand on their operand."""

from __future__ import annotations

from typing import Final

from ..ir import Graph, Operation
from .substitution import Substitution

# A Snapshot or a PreventGradient means something to tracing and to tapes, nothing to code.
NAMES: Final = frozenset(("Identity", "StopGradient", "PreventGradient", "Snapshot"))


def skip_identities(graph: Graph) -> Graph:
    """Use the operand of an Identity instead of its result.

    Before:
        graph f(x: f32[2]) -> f32[2]:
          a: f32[2] = Identity(x)
          b: f32[2] = Exp(a)
          return b
    After:
        graph f(x: f32[2]) -> f32[2]:
          b: f32[2] = Exp(x)
          return b
    """
    chosen = Substitution()
    kept: list[Operation] = []
    for operation in graph.operations:
        operation = chosen.operation(operation)
        if operation.op.name in NAMES and operation.results[0].spec == operation.operands[0].spec:
            chosen.put(operation.results[0], operation.operands[0])
        else:
            kept.append(operation)
    return chosen.graph(graph, kept)
