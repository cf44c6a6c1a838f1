"""A graph that can be called anywhere: eagerly, in a trace, and under gradient tapes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from .. import backends
from ..autodiff.functional import apply
from ..autodiff.graphs.computations import Calling
from ..backends.base import Bound, Divisible, Executable, Movable
from ..core import context
from ..core.process.lazy_property import lazy_property
from ..core.process.locks import ForkedLock
from ..graph import ir
from ..graph.devices import require_devices
from ..graph.passes.implementations import add, implemented
from ..ops.bind import bind
from ..ops.control.functional import PartitionedCall, StatefulPartitionedCall, has_effects
from ..ops.dispatch.divisions import Divisions
from ..ops.dispatch.placements import installed


class Callee:
    """A graph and what it captured. It is compiled when it first runs."""

    def __init__(self, graph: ir.Graph, captured: Sequence[Any] = ()) -> None:
        self.graph: Final = graph
        self.closed: Final = captures_as_parameters(graph)
        self.captured: Final = tuple(captured)
        self._runner: Final = Runner(graph, self.closed, self.captured)

    @property
    def executable(self) -> Executable:
        """What runs the graph itself (not its derivatives)."""
        return self._runner.main[0]

    @property
    def bound(self) -> Bound:
        """The executable with the captures filled in."""
        return self._runner.main[1]

    @property
    def chosen(self) -> ir.Graph:
        """The closed graph, calling what is preferred on this device."""
        return self._runner.chosen

    @lazy_property
    def computation(self) -> Calling:
        """The call as recorders see it: of the functions that run."""
        return Calling(self._runner.chosen, self._runner)

    def call(self, operands: Sequence[Any]) -> tuple[Any, ...]:
        """The results for tensors of the interpreter on top; recorders learn how to go back."""
        here = context.top()
        if here.recorders:
            convert = here.interpreter.convert
            tensors = [convert(one, None, None) for one in (*operands, *self.captured)]
            return tuple(apply(self.computation, tensors))
        if here.interpreter.building_graph:
            return self._runner(self.closed, (*operands, *self.captured), None)
        if installed.placements is not None:
            return self._runner(self.closed, (*operands, *self.captured), None)
        return run(self.bound, operands, here.interpreter.on_device)


class Runner:
    """Runs a graph, and the forward and backward parts of its derivatives.

    Refers to nothing that refers to it, so that a dropped function is freed at once.
    """

    def __init__(self, graph: ir.Graph, closed_graph: ir.Graph, captured: Sequence[Any]) -> None:
        self._graph = graph
        self._closed = closed_graph
        self._captured = captured
        self._executables: dict[ir.Graph, tuple[Executable, Bound]] = {}
        self._lock = ForkedLock()

    @property
    def main(self) -> tuple[Executable, Bound]:
        return self._compiled(self._graph, self._captured)

    @lazy_property
    def chosen(self) -> ir.Graph:
        """The closed graph, calling what is preferred on this device."""
        return implemented(self._closed)

    def __call__(
        self, graph: ir.Graph, operands: Sequence[Any], name: str | None
    ) -> tuple[Any, ...]:
        """The results of the closed graph, or of a part of its derivative, for all its operands."""
        here = context.top().interpreter
        if here.building_graph:
            add(graph)
            op = StatefulPartitionedCall if has_effects([graph]) else PartitionedCall
            return bind(op, list(operands), f=graph, name=name)
        placements = installed.placements
        if placements is not None and placements.concern_call(graph, operands):
            run_there = partial(self._run, graph, here.on_device)
            return placements.called(graph, operands, run_there)
        return self._run(graph, here.on_device, operands)

    def _run(
        self,
        graph: ir.Graph,
        device: str | None,
        operands: Sequence[Any],
        divisions: Divisions | None = None,
    ) -> tuple[Any, ...]:
        if graph is self._closed or graph is self.chosen:
            bound, operands = self.main[1], operands[: len(self._graph.parameters)]
        else:
            bound = self._compiled(graph, ())[1]
        if divisions is not None and isinstance(bound, Divisible):
            bound = bound.divided(divisions)
        return run(bound, operands, device)

    def _compiled(self, graph: ir.Graph, captured: Sequence[Any]) -> tuple[Executable, Bound]:
        found = self._executables.get(graph)
        if found is None:
            with self._lock():
                found = self._executables.get(graph)
                if found is None:
                    # The one place where a function asks for the back end.
                    executable: Executable = backends.default().compile(
                        require_devices(implemented(graph))
                    )
                    found = self._executables[graph] = (executable, executable.bind(captured))
        return found


def run(bound: Bound, operands: Sequence[Any], device: str | None) -> tuple[Any, ...]:
    """By the quick way in where it takes these operands, else by the way that takes any.

    device: the full name of the one that the call is meant for; None where nobody said one.
    """
    if device is not None and isinstance(bound, Movable):
        bound = bound.on(device)
    results = bound.entry(*operands)
    return bound(*operands) if results is NotImplemented else results


def captures_as_parameters(graph: ir.Graph) -> ir.Graph:
    """The same graph with what it captured as its last parameters."""
    if not graph.captures:
        return graph
    return ir.Graph(graph.name, graph.inputs, (), graph.operations, graph.returns, graph.attrs)
