"""Operations that hand on their operand."""

from __future__ import annotations

from typing import Final

from ..ir import Application, Graph
from .substitution import Substitution

# Their results are their first operands. A Snapshot, a PreventGradient or a CustomGradient means
# something to tracing and to tapes, nothing to code.
NAMES: Final = frozenset(
    ("CustomGradient", "Identity", "IdentityN", "PreventGradient", "Snapshot", "StopGradient")
)


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
    kept: list[Application] = []
    for operation in graph.operations:
        operation = chosen.operation(operation)
        if _is_identity(operation):
            for result, operand in zip(operation.results, operation.operands, strict=False):
                chosen.put(result, operand)
        else:
            kept.append(operation)
    return chosen.graph(graph, kept)


def _is_identity(operation: Application) -> bool:
    pairs = zip(operation.results, operation.operands, strict=False)
    return operation.op.name in NAMES and all(one.spec == other.spec for one, other in pairs)
