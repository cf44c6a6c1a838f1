"""A part of a graph as a graph of its own: what some results need, given some other tensors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from ..errors import InvalidArgumentError
from . import ir
from .func_graph import FuncGraph, finished_operations
from .operation import Operation
from .symbolic import SymbolicTensor


class Subgraph(NamedTuple):
    """A graph, and the tensors outside for its captures."""

    graph: ir.Graph
    captured: tuple[Any, ...]


def part_of(
    graph: FuncGraph,
    feeds: Sequence[SymbolicTensor],
    fetches: Sequence[Operation | SymbolicTensor],
    name: str,
) -> Subgraph:
    """The function from `feeds`, any tensors of `graph`, to the tensors among `fetches`.

    Operations among `fetches` run, too; nothing else does that no result needs.

    Raises:
        InvalidArgumentError: a placeholder that is needed is not among `feeds`.
    """
    fed = _parameters(feeds)
    needed = _needed(graph, fed, fetches)
    captures = {capture.internal.op: capture for capture in graph.passed_captures()}
    taken = [captures[one] for one in needed if one in captures]
    for one in needed:
        if one.kind is None and one not in captures:
            raise _not_fed(one)
    kept = set(needed)
    operations = [one for one in graph.get_operations() if one in kept]
    returns = [fetch.value for fetch in fetches if isinstance(fetch, SymbolicTensor)]
    built = ir.Graph(
        name,
        tuple(fed.values()),
        tuple(capture.internal.op.results[0] for capture in taken),
        tuple(_given(one, fed) for one in finished_operations(operations)),
        tuple(fed.get(value, value) for value in returns),
    )
    return Subgraph(built, tuple(capture.external for capture in taken))


def _parameters(feeds: Sequence[SymbolicTensor]) -> dict[ir.Value, ir.Value]:
    """What each fed value is called in the part: nothing else may have that name."""
    return {
        feed.op.results[feed.value_index]: ir.Value(f"feed_{number}", feed.spec)
        for number, feed in enumerate(feeds)
    }


def _needed(
    graph: FuncGraph,
    fed: Mapping[ir.Value, ir.Value],
    fetches: Sequence[Operation | SymbolicTensor],
) -> list[Operation]:
    """The operations that have to run, and the placeholders that have to have a value."""
    makers = {value: one for one in graph.get_operations() for value in one.results}
    pending = [one for one in fetches if isinstance(one, Operation)]
    values = [one.value for one in fetches if isinstance(one, SymbolicTensor)]
    pending += [makers[value] for value in values if value not in fed]
    found: dict[Operation, None] = {}
    while pending:
        operation = pending.pop()
        if operation in found:
            continue
        found[operation] = None
        pending += [makers[value] for value in operation.operands if value not in fed]
        pending += operation.control_inputs
    return list(found)


def _given(operation: ir.Application, fed: Mapping[ir.Value, ir.Value]) -> ir.Application:
    if fed.keys().isdisjoint(operation.operands):
        return operation
    return replace(operation, operands=tuple(fed.get(one, one) for one in operation.operands))


def _not_fed(placeholder: Operation) -> InvalidArgumentError:
    tensor = placeholder.outputs[0]
    return InvalidArgumentError(
        f"You must feed a value for placeholder tensor '{placeholder.name}' with dtype "
        f"{tensor.dtype.name} and shape {tensor.shape}: it is needed for what is fetched"
    )
