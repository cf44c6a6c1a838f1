"""A graph that can be called anywhere: eagerly, in a trace, and under gradient tapes."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from .. import backends
from ..autodiff.functional import Calling, apply
from ..backends.base import Bound, Executable
from ..core import context
from ..graph import ir
from ..ops.bind import bind
from ..ops.functional import PartitionedCall, StatefulPartitionedCall, has_effects


class Callee:
    """A graph and what it captured. It is compiled when it first runs."""

    def __init__(self, graph: ir.Graph, captured: Sequence[Any] = ()) -> None:
        self.graph = graph
        self.closed = closed(graph)
        self.captured = tuple(captured)
        self._executables: dict[ir.Graph, tuple[Executable, Bound]] = {}
        self._computation = Calling(self.closed, self._run)
        self._lock = threading.RLock()

    @property
    def executable(self) -> Executable:
        """What runs the graph itself (not its derivatives)."""
        return self._compiled(self.graph, self.captured)[0]

    @property
    def bound(self) -> Bound:
        """The executable with the captures filled in."""
        return self._compiled(self.graph, self.captured)[1]

    def call(self, operands: Sequence[Any]) -> tuple[Any, ...]:
        """The results for tensors of the interpreter on top; recorders learn how to go back."""
        here = context.top()
        if here.recorders:
            convert = here.interpreter.convert
            tensors = [convert(one, None, None) for one in (*operands, *self.captured)]
            return tuple(apply(self._computation, tensors))
        if here.interpreter.building_graph:
            return self._run(self.closed, (*operands, *self.captured), None)
        return self.bound(*operands)

    def _run(self, graph: ir.Graph, operands: Sequence[Any], name: str | None) -> tuple[Any, ...]:
        """Run the closed graph, or the forward or backward part of its derivative."""
        if context.building_graph():
            op = StatefulPartitionedCall if has_effects([graph]) else PartitionedCall
            return bind(op, list(operands), f=graph, name=name)
        if graph is self.closed:
            return self.bound(*operands[: len(self.graph.parameters)])
        return self._compiled(graph, ())[1](*operands)

    def _compiled(self, graph: ir.Graph, captured: Sequence[Any]) -> tuple[Executable, Bound]:
        found = self._executables.get(graph)
        if found is None:
            with self._lock:
                found = self._executables.get(graph)
                if found is None:
                    # The one place where a function asks for the back end.
                    executable: Executable = backends.default().compile(graph)
                    found = self._executables[graph] = (executable, executable.bind(captured))
        return found


def closed(graph: ir.Graph) -> ir.Graph:
    """The same graph with what it captured as its last parameters."""
    if not graph.captures:
        return graph
    return ir.Graph(graph.name, graph.inputs, (), graph.operations, graph.returns, graph.attrs)
