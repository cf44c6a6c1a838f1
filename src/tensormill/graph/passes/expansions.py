"""What operations stand for, as graphs of others."""

from __future__ import annotations

from typing import Any

from ..builder import trace_graph
from ..ir import Application, Graph


class Expansions:
    """The graphs that operations stand for, each traced once, however often it is asked for."""

    def __init__(self) -> None:
        self._graphs: dict[Application, Graph] = {}

    def of(self, operation: Application) -> Graph:
        if (graph := self._graphs.get(operation)) is None:
            graph = self._graphs[operation] = expand(operation)
        return graph


def expand(operation: Application) -> Graph:
    """What `operation` expands to, traced on symbolic operands of the same specs."""

    def body(*operands: Any) -> Any:
        application = operation.op(*operation.grouped(operands), **operation.attrs)
        return application.expand()

    specs = [value.spec for value in operation.operands]
    return trace_graph(body, specs, operation.name).graph
