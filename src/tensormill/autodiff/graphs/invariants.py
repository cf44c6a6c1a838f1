"""What stays the same in all iterations of a loop, and what its gradient passes through."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...graph import ir
from ...ops.control.functional import effects_of, variable_of
from ...ops.effects import Writes
from ...ops.state.variables import ReadVariableOp
from .computations import Looping
from .forward_and_backward import is_differentiable


def invariant_numbers(body: ir.Graph) -> set[int]:
    """The numbers of the variables that `body` returns as it takes them."""
    pairs = enumerate(zip(body.parameters, body.returns, strict=True))
    return {number for number, (taken, returned) in pairs if taken is returned}


def active_variables(body: ir.Graph, wanted: Sequence[int]) -> list[int]:
    """The numbers of the variables that depend on those `wanted`, after however many iterations."""
    takers: dict[ir.Value, list[ir.Application]] = {}
    for operation in body.operations:
        if operation.op.differentiable:
            for operand in operation.operands:
                takers.setdefault(operand, []).append(operation)
    returned: dict[ir.Value, list[int]] = {}
    for number, value in enumerate(body.returns):
        returned.setdefault(value, []).append(number)
    active, pending = set[int](), list(wanted)
    reached, done = set[ir.Value](), set[ir.Application]()
    while pending:
        active.add(pending[-1])
        values = [body.parameters[pending.pop()]]
        while values:
            value = values.pop()
            if value in reached:
                continue
            reached.add(value)
            pending += returned.get(value, ())
            for operation in takers.get(value, ()):
                if operation not in done:
                    done.add(operation)
                    values += [one for one in operation.results if is_differentiable(one.spec)]
    return sorted(active)


def with_reads_outside(loop: Looping) -> tuple[Looping, list[tuple[int, Any]]]:
    """The loop with what it reads of variables that it never changes as further variables.

    Also: for each of those the number of the handle and the dtype. Otherwise every iteration would
    have to remember the variable's value for its gradient.
    """
    body = loop.body
    invariant = invariant_numbers(body)
    changed = _written(body) | _written(loop.condition)
    numbers = {body.parameters[number]: number for number in invariant}
    moved: list[ir.Application] = []
    for operation in body.operations:
        number = numbers.get(operation.operands[0]) if operation.op is ReadVariableOp else None
        if number is not None and number not in changed:
            moved.append(operation)
    if not moved:
        return loop, []
    values = tuple(operation.results[0] for operation in moved)
    outside = set(moved)
    rest = tuple(one for one in body.operations if one not in outside)
    new_body = ir.Graph(
        body.name, (*body.parameters, *values), (), rest, (*body.returns, *values), body.attrs
    )
    condition = loop.condition
    unused = tuple(ir.Value(f"unused_{value.name}", value.spec) for value in values)
    new_condition = ir.Graph(
        condition.name, (*condition.parameters, *unused), (), condition.operations,
        condition.returns, condition.attrs,
    )  # fmt: skip
    reads = [(numbers[one.operands[0]], one.attrs["dtype"]) for one in moved]
    return Looping(new_condition, new_body, loop.parallel_iterations), reads


def _written(graph: ir.Graph) -> set[int]:
    """The numbers of the parameters that an operation of `graph` changes."""
    numbers = {value: number for number, value in enumerate(graph.parameters)}
    written: set[int] = set()
    for operation in graph.operations:
        for effect in effects_of(operation.op, operation.attrs):
            if isinstance(effect, Writes):
                value = variable_of(operation, effect)
                if value in numbers:
                    written.add(numbers[value])
    return written
