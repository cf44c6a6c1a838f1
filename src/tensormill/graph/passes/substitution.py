"""Rebuilding a graph in which some values are replaced by others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ..ir import Application, Graph, Value


class Substitution:
    """Values that stand for others from now on."""

    def __init__(self) -> None:
        self._chosen: dict[Value, Value] = {}

    def put(self, old: Value, new: Value) -> None:
        self._chosen[old] = new

    def __getitem__(self, value: Value) -> Value:
        return self._chosen.get(value, value)

    def all(self, values: Iterable[Value]) -> tuple[Value, ...]:
        return tuple([self._chosen.get(value, value) for value in values])

    def operation(self, operation: Application) -> Application:
        """The operation on replaced operands; itself where none was replaced."""
        operands = self.all(operation.operands)
        if operands == operation.operands:
            return operation
        return replace(operation, operands=operands)

    def graph(self, graph: Graph, operations: Iterable[Application]) -> Graph:
        return replace(graph, operations=tuple(operations), returns=self.all(graph.returns))
