"""Numbers that decide how often a loop runs, and change alike in every turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

import numpy as np

from ..graph.ir import Application, Graph, Value
from ..ops.constant import Const

# The condition holds as long as the difference of its operands, times the sign, is below the limit.
COMPARISONS: Final = {
    "Less": (1, 0),
    "LessEqual": (1, 1),
    "Greater": (-1, 0),
    "GreaterEqual": (-1, 1),
}
_STEPS: Final = {"AddV2": 1, "Add": 1, "Sub": -1}


def makers(graph: Graph) -> dict[Value, Application]:
    """What makes each value."""
    return {value: one for one in graph.operations for value in one.results}


def step_of(body: Graph, number: int, made: Mapping[Value, Application]) -> int | None:
    """What each turn adds to a variable of the loop; None where that is not known."""
    before, after = body.inputs[number], body.returns[number]
    if after is before:
        return 0
    maker = made.get(after)
    if maker is None or maker.op.name not in _STEPS:
        return None
    first, second = maker.operands
    sign = _STEPS[maker.op.name]
    if second is before and sign == 1:
        first, second = second, first
    step = constant(second, made) if first is before else None
    return None if step is None else sign * step


def constant(value: Value, made: Mapping[Value, Application]) -> int | None:
    operation = made.get(value)
    return whole(operation.attrs["value"]) if operation and operation.op is Const else None


def whole(value: Any) -> int | None:
    """A scalar of a kind that counts."""
    if not isinstance(value, np.ndarray):
        return None
    array = cast("np.ndarray[Any, Any]", value)
    return None if array.ndim or array.dtype.kind not in "iu" else int(array)
