"""Calls of functions in which replicas work, written out: their operations stand beside others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, final

from ...graph.ir import Application, Graph, Value
from ...graph.nested_graphs import every_operation, inner_graphs
from ...ops.constant import Const
from ...ops.control.functional import Call

Path = tuple[Application, ...]


def is_shared(operation: Application) -> bool:
    """Whether an operation above all replicas has work of theirs in its graphs."""
    if operation.replica is not None:
        return False
    return any(one.replica for graph in inner_graphs(operation) for one in every_operation(graph))


@final
class WrittenOut:
    """Operations, with what functions do that have work of replicas in place of their calls.

    constants: the attributes of those of the functions, by value. paths: the operations that lead
    to one, as they are where calls are calls.
    """

    def __init__(self, operations: Sequence[Application]) -> None:
        self.operations: Final[list[Application]] = []
        self.constants: Final[dict[Value, Mapping[str, Any]]] = {}
        self.paths: Final[dict[Application, Path]] = {}
        self._values: Final[dict[Value, Value]] = {}
        self._add(operations, ())

    def now(self, value: Value) -> Value:
        """What stands for a value."""
        return self._values.get(value, value)

    def _add(self, operations: Sequence[Application], path: Path) -> None:
        for operation in operations:
            here = (*path, operation)
            if path and operation.op is Const:
                (result,) = self._new(operation.results)
                self.constants[result] = operation.attrs
            elif issubclass(operation.op, Call) and is_shared(operation):
                self._write_out(operation, here)
            else:
                own = self._copied(operation) if path else self._with_operands(operation)
                self.operations.append(own)
                self.paths[own] = here

    def _write_out(self, call: Application, path: Path) -> None:
        graph: Graph = call.attrs["f"]
        operands = map(self.now, call.operands)
        self._values.update(zip(graph.inputs, list(operands), strict=True))
        self._add(graph.operations, path)
        self._values.update(zip(call.results, list(map(self.now, graph.returns)), strict=True))

    def _copied(self, operation: Application) -> Application:
        """A copy with results of its own: a function may be called twice."""
        own = self._with_operands(operation)
        return replace(own, results=self._new(operation.results))

    def _with_operands(self, operation: Application) -> Application:
        operands = tuple(map(self.now, operation.operands))
        if operands == operation.operands:
            return operation
        return replace(operation, operands=operands)

    def _new(self, results: Sequence[Value]) -> tuple[Value, ...]:
        new = tuple([Value(one.name, one.spec) for one in results])
        self._values.update(zip(results, new, strict=True))
        return new
