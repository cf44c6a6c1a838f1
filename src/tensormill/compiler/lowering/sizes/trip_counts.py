"""How often a loop runs at most: how much room the lists need that grow in it.

while i < n and ...: i += 1; l.append(x)          # n - i turns at most
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ....core import dtypes
from ....graph.ir import Application, Graph, Value
from ....ops.lists.list_elements import TensorListPushBack
from ...loop_counters import COMPARISONS, constant, makers, step_of
from ..arrays import Array
from ..scalars import SCALARS, Scalar, literal

Side = tuple[Scalar, int]  # a number before the loop, and what each turn adds to it


def most_trips(condition: Graph, body: Graph, operands: Sequence[Any]) -> Scalar | None:
    """So many turns at most, if no counter goes round: good enough to make room."""
    made, changes = makers(condition), makers(body)

    def side(value: Value) -> Side | None:
        if value not in condition.inputs:
            number = constant(value, made)
            return None if number is None else (literal(number, dtypes.int64), 0)
        number = condition.inputs.index(value)
        operand, step = operands[number], step_of(body, number, changes)
        if step is None or not isinstance(operand, Array) or not operand.dtype.is_integer:
            return None
        return SCALARS.cast(operand[()], dtypes.int64), step

    pending, found = [condition.returns[0]], None
    while pending:
        operation = made.get(pending.pop())
        if operation is not None and operation.op.name == "LogicalAnd":
            pending += operation.operands
        elif (turns := _trips(operation, side)) is not None:
            found = turns if found is None else SCALARS.minimum(found, turns)
    return found


def _trips(comparison: Application | None, side: Callable[[Value], Side | None]) -> Scalar | None:
    """How often a comparison holds."""
    if comparison is None or comparison.op.name not in COMPARISONS:
        return None
    left, right = map(side, comparison.operands)
    if left is None or right is None:
        return None
    sign, limit = COMPARISONS[comparison.op.name]
    step = sign * (left[1] - right[1])
    distance = (right[0] - left[0]) * sign + limit
    return (distance + (step - 1)) // step if step > 0 else None


def pushed(body: Graph, number: int) -> int:
    """How often each turn appends to the list that a loop carries as `number`."""
    made, value, count = makers(body), body.returns[number], 0
    while (maker := made.get(value)) is not None and maker.op is TensorListPushBack:
        value, count = maker.operands[0], count + 1
    return count if value is body.inputs[number] else 0
