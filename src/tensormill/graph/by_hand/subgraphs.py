"""A part of a graph as a graph of its own: what some results need, given some other tensors."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...core.process.named_tuples import NamedTuple
from ...errors import InvalidArgumentError
from ...ops.control.functional import effects_of, variable_among
from ...ops.effects import OnVariable
from ...ops.state.handles import VarIsInitializedOp
from ...ops.state.variables import AssignVariableOp
from .. import ir
from ..func_graph import FuncGraph, finished_operations
from ..operation import Operation
from ..symbolic import SymbolicTensor
from ..symbolic_parts import known_of, value_of


class Subgraph(NamedTuple):
    """A graph, and what is outside for its captures: tensors, then variables of sessions.

    Its last parameters are the answers to `questions`: whether variables have a value.
    """

    graph: ir.Graph
    captured: tuple[Any, ...]
    handles: tuple[Operation, ...]
    questions: tuple[Operation, ...]


def part_of(
    graph: FuncGraph,
    feeds: Sequence[SymbolicTensor],
    fetches: Sequence[Operation | SymbolicTensor],
    name: str,
    done: Collection[Operation] = (),
) -> Subgraph:
    """The function from `feeds`, any tensors of `graph`, to the tensors among `fetches`.

    Operations among `fetches` run, too; nothing else does that no result needs, and none of `done`.

    Raises:
        InvalidArgumentError: a placeholder that is needed is not among `feeds`.
    """
    fed = _parameters(feeds)
    questions = [
        one for one in _needed(graph, fed, fetches, done) if one.kind is VarIsInitializedOp
    ]
    for one in questions:
        fed[one.results[0]] = ir.Value(f"question_{len(fed)}", known_of(one.outputs[0]).spec)
    needed = dict.fromkeys(_needed(graph, fed, fetches, done))
    captures = {capture.internal.op: capture for capture in graph.passed_captures()}
    taken = [captures[one] for one in needed if one in captures]
    handles = tuple(one for one in needed if one.is_of_session)
    for one in needed:
        if one.kind is None and one not in captures:
            raise _not_fed(one)
    kept = needed.keys() - set(handles)
    operations = [one for one in graph.get_operations() if one in kept]
    returns = [value_of(fetch) for fetch in fetches if isinstance(fetch, SymbolicTensor)]
    outside = [*(capture.internal.op for capture in taken), *handles]
    built = ir.Graph(
        name,
        tuple(fed.values()),
        tuple(one.results[0] for one in outside),
        tuple(_given(one, fed) for one in finished_operations(operations)),
        tuple(fed.get(value, value) for value in returns),
    )
    externals = tuple(capture.external for capture in taken)
    return Subgraph(built, externals, handles, tuple(questions))


def needed_for(
    graph: FuncGraph,
    feeds: Sequence[SymbolicTensor],
    fetches: Sequence[Operation | SymbolicTensor],
) -> list[Operation]:
    """The operations that have to run for `fetches`, given `feeds`; placeholders among them."""
    return _needed(graph, _parameters(feeds), fetches)


def assigned_first(graph: ir.Graph) -> set[ir.Value]:
    """The variables to which a graph assigns a value before anything asks for theirs."""
    found: dict[ir.Value, bool] = {}
    for one in graph.operations:
        for effect in effects_of(one.op, one.attrs):
            if isinstance(effect, OnVariable):
                variable = variable_among(one.op, one.grouped(one.operands), effect)
                found.setdefault(variable, one.op is AssignVariableOp)
    return {variable for variable, is_assigned in found.items() if is_assigned}


def _parameters(feeds: Sequence[SymbolicTensor]) -> dict[ir.Value, ir.Value]:
    """What each fed value is called in the part: nothing else may have that name."""
    return {
        feed.op.results[feed.value_index]: ir.Value(f"feed_{number}", known_of(feed).spec)
        for number, feed in enumerate(feeds)
    }


def _needed(
    graph: FuncGraph,
    fed: Mapping[ir.Value, ir.Value],
    fetches: Sequence[Operation | SymbolicTensor],
    done: Collection[Operation] = (),
) -> list[Operation]:
    """The operations that have to run, and the placeholders that have to have a value."""
    makers = {value: one for one in graph.get_operations() for value in one.results}
    pending = [one for one in fetches if isinstance(one, Operation)]
    values = [value_of(one) for one in fetches if isinstance(one, SymbolicTensor)]
    pending += [makers[value] for value in values if value not in fed]
    found: dict[Operation, None] = {}
    while pending:
        operation = pending.pop()
        if operation in found or operation in done:
            continue
        found[operation] = None
        pending += [makers[value] for value in operation.operands if value not in fed]
        # To wait for a placeholder that is fed is to wait for nothing.
        waits = operation.control_inputs
        pending += [one for one in waits if one.kind is not None or one.results[0] not in fed]
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
