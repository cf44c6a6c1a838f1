"""The graphs inside a graph: callees, branches, conditions and bodies.

Several operations may hold the same one: a function that calls another twice holds it twice, and
what is n calls deep would be met 2^n times. Whoever looks inside meets each graph once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

from .ir import Application, Graph


def inner_graphs(operation: Application) -> Iterator[Graph]:
    """The graphs among the attributes of an operation."""
    for value in operation.attrs.values():
        listed = cast("Sequence[Any]", value) if isinstance(value, (list, tuple)) else (value,)
        for one in listed:
            if isinstance(one, Graph):
                yield one


def every_operation(graph: Graph) -> Iterator[Application]:
    """The operations of a graph and of the graphs inside it, each once, in a fixed order."""
    met = {graph}
    waiting = [iter(graph.operations)]
    while waiting:
        operation = next(waiting[-1], None)
        if operation is None:
            waiting.pop()
            continue
        yield operation
        if not operation.attrs:
            continue
        for inner in reversed([*inner_graphs(operation)]):
            if inner not in met:
                met.add(inner)
                waiting.append(iter(inner.operations))
