"""Functions that do one thing, of which the device says which runs.

A function with the attribute `api_implements` says what it is for; `api_preferred_device` says
where it is the one to take. Where a graph calls a function and another for the same purpose prefers
the CPU, has been added to a graph and takes and gives the same dtypes, TensorFlow's runtime runs
that one instead (observed: in branches, loops, callees and loaded functions too; never for a call
from eager code, and not in functions of datasets). Libraries write two versions of a sampler so.

    purpose = Purpose.named("gamma")      held by every graph for it, as an attribute
    purpose.for_cpu                       graphs that prefer the CPU, first added first
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, cast
from weakref import WeakValueDictionary

from ...ops.control.functional import (
    Call,
    PartitionedCall,
    StatefulPartitionedCall,
    has_effects,
)
from ..ir import Application, Graph, Value
from ..nested_graphs import every_operation
from ..verify import agree

PURPOSE: Final = "api_implements"
DEVICE: Final = "api_preferred_device"
HERE: Final = "CPU"


class Purpose:
    """What several functions are for, and the graphs for it that prefer the CPU."""

    def __init__(self) -> None:
        self.for_cpu: list[Graph] = []

    @staticmethod
    def named(name: str) -> Purpose:
        """The same one for a name as long as anybody holds it."""
        return _purposes.setdefault(name, Purpose())


_purposes: Final[WeakValueDictionary[str, Purpose]] = WeakValueDictionary()


def purpose_of(attributes: Mapping[str, Any] | None) -> dict[str, Any]:
    """What graphs of a function with these attributes have among theirs."""
    if not attributes or not isinstance(name := attributes.get(PURPOSE), str):
        return {}
    return {PURPOSE: Purpose.named(name), DEVICE: attributes.get(DEVICE)}


def add(graph: Graph) -> None:
    """A graph has this function now, whether it calls it or not."""
    purpose = graph.attrs.get(PURPOSE)
    if purpose is not None and graph.attrs[DEVICE] == HERE and graph not in purpose.for_cpu:
        purpose.for_cpu.append(graph)


def implemented(graph: Graph) -> Graph:
    """The graph with the functions that are for the CPU in place of those that it calls.

    Before:
        graph f(x: f32[]) -> f32[]:
          a: f32[] = PartitionedCall([x], f=sampled_anywhere)
          return a
    After:
        graph f(x: f32[]) -> f32[]:
          a: f32[] = PartitionedCall([x], f=sampled_on_cpu)
          return a
    """
    if not _purposes or not any(map(_preferred, every_operation(graph))):
        return graph
    return _Implemented().graph(graph)


def settled(graph: Graph) -> Graph:
    """The graph as one that no other replaces: what goes back through it was made for it."""
    if PURPOSE not in graph.attrs:
        return graph
    kept = {key: value for key, value in graph.attrs.items() if key not in (PURPOSE, DEVICE)}
    return replace(graph, attrs=kept)


def _preferred(operation: Application) -> Graph | None:
    """The graph that runs instead of the one that a call holds, where there is one."""
    if not issubclass(operation.op, Call):
        return None
    called = operation.attrs["f"]
    purpose = called.attrs.get(PURPOSE) if isinstance(called, Graph) else None
    if purpose is None or called in purpose.for_cpu:
        return None
    return next((one for one in purpose.for_cpu if _fits(one, called)), None)


def _fits(other: Graph, called: Graph) -> bool:
    return _alike(other.inputs, called.inputs) and _alike(other.returns, called.returns)


def _alike(these: tuple[Value, ...], those: tuple[Value, ...]) -> bool:
    return len(these) == len(those) and all(
        agree(one.spec, other.spec) for one, other in zip(these, those, strict=True)
    )


class _Implemented:
    """Graphs with better ones in place of those that they call; what is shared stays so."""

    def __init__(self) -> None:
        self._done: dict[Graph, Graph] = {}

    def graph(self, graph: Graph) -> Graph:
        if graph not in self._done:
            # Two functions that call each other's purposes end where they meet again.
            self._done[graph] = graph
            made: dict[Application, Application] = {}
            for operation in graph.operations:
                made[operation] = self._operation(operation, made)
            if any(old is not new for old, new in made.items()):
                self._done[graph] = replace(graph, operations=tuple(made.values()))
        return self._done[graph]

    def _operation(
        self, operation: Application, made: dict[Application, Application]
    ) -> Application:
        preferred = _preferred(operation)
        chosen = {} if preferred is None else {"f": preferred}
        attrs = {key: self._value(one) for key, one in {**operation.attrs, **chosen}.items()}
        after = tuple([made[one] for one in operation.after])
        if after == operation.after and all(
            attrs[key] is one for key, one in operation.attrs.items()
        ):
            return operation
        op = operation.op
        if preferred is not None:
            op = StatefulPartitionedCall if has_effects([attrs["f"]]) else PartitionedCall
        return replace(operation, op=op, attrs=attrs, after=after)

    def _value(self, value: Any) -> Any:
        if isinstance(value, Graph):
            return self.graph(value)
        if not isinstance(value, (list, tuple)):
            return value
        listed = cast("Sequence[Any]", value)
        if not any(isinstance(one, Graph) for one in listed):
            return listed
        chosen: list[Any] = [self._value(one) for one in listed]
        return tuple(chosen) if isinstance(listed, tuple) else chosen
