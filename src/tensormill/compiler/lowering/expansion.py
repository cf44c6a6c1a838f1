"""Operations that are defined by other operations, as a graph of those."""

from __future__ import annotations

from typing import Any

from ...graph.builder import trace_graph
from ...graph.ir import Application, Graph


def expand(operation: Application) -> Graph:
    """What `operation` expands to, traced on symbolic operands of the same specs."""

    def body(*operands: Any) -> Any:
        application = operation.op(*operation.grouped(operands), **operation.attrs)
        return application.expand()

    specs = [value.spec for value in operation.operands]
    return trace_graph(body, specs, operation.name).graph
