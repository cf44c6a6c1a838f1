"""Which functions are called rather than written out where they are called.

A call becomes the loops of what it calls, so that they can be joined with those around. A function
that calls another twice, which calls a third twice, and so on, would become 2^n copies of the last
one. Where copies would make most of a program, what is large and called in several places is
compiled by itself, once, and its callers call it through Python.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, cast

from ..graph.ir import Application, Graph, Value
from ..graph.nested_graphs import every_operation, inner_graphs
from ..graph.payload import payload_of, wrap_payload
from ..ops.control.functional import Call, effects_of
from ..ops.effects import World

# Programs of so many operations, copies counted, are written out whatever they call.
LARGEST: Final = 4_000
# So are those that have so many times the operations of all their functions.
GROWTH: Final = 4
# A function of so many operations is copied everywhere: more than a call through Python costs.
SMALL: Final = 1_000


class Outlined:
    """A graph that is compiled by itself; in an attribute of a call it stands for the graph."""

    def __init__(self, graph: Graph) -> None:
        from .program import NativeExecutable

        self.name: Final = graph.name
        self.parameters: Final[tuple[Value, ...]] = graph.parameters
        self.operations: Final[tuple[Application, ...]] = graph.operations
        self.returns: Final[tuple[Value, ...]] = graph.returns
        self._bound: Final = NativeExecutable(graph).bind(())

    def run(self, operands: Sequence[Any]) -> list[Any]:
        """What the graph returns for arrays, storages and lists."""
        results = self._bound(*[wrap_payload(operand) for operand in operands])
        return [payload_of(result) for result in results]


def outline(graph: Graph) -> Graph:
    """The graph, where large functions that would be copied too often stand for themselves."""
    operations = [*every_operation(graph)]
    sizes: dict[Graph, int] = {}
    if _size(graph, sizes) <= max(LARGEST, GROWTH * len(operations)):
        return graph
    places = Counter(one.attrs["f"] for one in operations if issubclass(one.op, Call))
    large = {one for one, count in places.items() if count > 1 and sizes[one] > SMALL}
    return _Outlining(large).outlined(graph)


def _size(graph: Graph, known: dict[Graph, int]) -> int:
    """How many operations a graph is with all that it calls written out."""
    if graph not in known:
        inner = [_size(one, known) for step in graph.operations for one in inner_graphs(step)]
        known[graph] = len(graph.operations) + sum(inner)
    return known[graph]


class _Outlining:
    """Graphs in which those of `large` are outlined, each made once."""

    def __init__(self, large: set[Graph]) -> None:
        self._large = large
        self._graphs: dict[Graph, Graph] = {}
        self._callees: dict[Graph, Outlined] = {}

    def outlined(self, graph: Graph) -> Graph:
        if graph not in self._graphs:
            operations = tuple([self._operation(one) for one in graph.operations])
            self._graphs[graph] = replace(graph, operations=operations)
        return self._graphs[graph]

    def _operation(self, operation: Application) -> Application:
        if issubclass(operation.op, Call) and self._is_called(operation):
            return replace(operation, attrs={**operation.attrs, "f": self._callee(operation)})
        attrs = {name: self._attr(value) for name, value in operation.attrs.items()}
        return replace(operation, attrs=attrs) if [*inner_graphs(operation)] else operation

    def _is_called(self, operation: Application) -> bool:
        """Each copy draws random numbers from its own streams; Python may know any variable."""
        effects = effects_of(operation.op, operation.attrs)
        in_place = World.DRAWS in effects or World.PYTHON in effects
        return operation.attrs["f"] in self._large and not in_place

    def _callee(self, operation: Application) -> Outlined:
        graph = operation.attrs["f"]
        if graph not in self._callees:
            self._callees[graph] = Outlined(self.outlined(graph))
        return self._callees[graph]

    def _attr(self, value: Any) -> Any:
        if isinstance(value, Graph):
            return self.outlined(value)
        listed = cast("Sequence[Any]", value) if isinstance(value, (tuple, list)) else ()
        if listed and isinstance(listed[0], Graph):
            return tuple([self.outlined(one) for one in listed])
        return cast(Any, value)
