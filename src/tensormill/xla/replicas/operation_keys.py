"""Whether operations do the same: attributes are compared by value, graphs by what they do."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, cast

import numpy as np

from ...graph.ir import Application, Graph, Value
from ...ops.control.functional import effects_of
from ...ops.effects import World


def are_alike(operations: Sequence[Application]) -> bool:
    """Whether operations give the same for the same operands; those that draw numbers never do."""
    first = operations[0]
    if World.DRAWS in effects_of(first.op, first.attrs):
        return False
    graphs: dict[Graph, Hashable] = {}
    kind = _kind(first, graphs)
    return all(_kind(one, graphs) == kind for one in operations[1:])


def _kind(operation: Application, graphs: dict[Graph, Hashable]) -> Hashable:
    attrs = [(name, _frozen(value, graphs)) for name, value in sorted(operation.attrs.items())]
    return operation.op, operation.counts, tuple(attrs)


def _frozen(value: Any, graphs: dict[Graph, Hashable]) -> Hashable:
    if isinstance(value, Graph):
        if value not in graphs:
            graphs[value] = _kind_of_graph(value, graphs)
        return graphs[value]
    if isinstance(value, np.ndarray):
        array = cast("np.ndarray[Any, Any]", value)
        held = id(array) if array.dtype == object else array.tobytes()
        return array.shape, array.dtype.str, held
    if isinstance(value, (list, tuple)):
        return tuple([_frozen(one, graphs) for one in cast("Sequence[Any]", value)])
    if isinstance(value, Mapping):
        pairs = cast("Mapping[Any, Any]", value).items()
        return tuple([(key, _frozen(one, graphs)) for key, one in pairs])
    if isinstance(value, float):
        return value.hex()  # so that -0.0 is not 0.0
    try:
        hash(value)
    except TypeError:
        return id(value)
    return type(value), value


def _kind_of_graph(graph: Graph, graphs: dict[Graph, Hashable]) -> Hashable:
    places: dict[Value, int] = {}
    for value in graph.inputs:
        places[value] = len(places)
    steps: list[Hashable] = []
    for one in graph.operations:
        operands = tuple([places[value] for value in one.operands])
        steps.append((_kind(one, graphs), operands))
        for value in one.results:
            places[value] = len(places)
    specs = tuple([value.spec.short for value in graph.inputs])
    return specs, tuple(steps), tuple([places[value] for value in graph.returns])
