"""Operations that nobody needs."""

from __future__ import annotations

from ...ops.control.functional import effects_of
from ...ops.effects import matters_unread
from ..ir import Application, Graph, Value


def prune(graph: Graph) -> Graph:
    """Drop operations that nobody reads and that have no effect.

    Before:
        graph f(x: f32[2]) -> f32[2]:
          a: f32[2] = Exp(x)
          return x
    After:
        graph f(x: f32[2]) -> f32[2]:
          return x
    """
    needed: set[Value] = set(graph.returns)
    kept: list[Application] = []
    for operation in reversed(graph.operations):
        if matters(operation) or any(value in needed for value in operation.results):
            kept.append(operation)
            needed.update(operation.operands)
    return Graph(
        graph.name, graph.parameters, graph.captures, tuple(reversed(kept)), graph.returns,
        graph.attrs,
    )  # fmt: skip


def matters(operation: Application) -> bool:
    """Whether it does something besides giving results (reading a variable does not)."""
    return any(map(matters_unread, effects_of(operation.op, operation.attrs)))
