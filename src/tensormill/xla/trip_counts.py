"""How often a loop runs, where two numbers decide that which change alike in every turn.

    while i < n: i += 1            # n - i turns, for an i and an n that are known before

XLA finds that out by itself, but not of loops that end where a check has failed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from ..compiler.loop_counters import COMPARISONS, constant, makers, step_of, whole
from ..core.process.named_tuples import NamedTuple
from ..graph.ir import Graph, Value

Known = Callable[[Any], "np.ndarray[Any, Any] | None"]


class CounterProgress(NamedTuple):
    """A number before a loop, and what each turn adds to it."""

    begin: int
    step: int

    def after(self, turns: int) -> int:
        return self.begin + turns * self.step


class TripCount(NamedTuple):
    """How often a loop runs, and what is known of it then: by the numbers of loop variables."""

    count: int
    results: Mapping[int, int]


def trip_count(
    condition: Graph, body: Graph, values: Sequence[Any], known: Known
) -> TripCount | None:
    """The turns of a loop that begins with `values`; None where that is not known."""
    made = makers(condition).get(condition.returns[0])
    if made is None or made.op.name not in COMPARISONS or len(made.operands) != 2:
        return None
    changes = CounterChanges(body, values, known)
    sides = [changes.of_operand(one, condition) for one in made.operands]
    if sides[0] is None or sides[1] is None:
        return None
    count = _count(made.op.name, sides[0], sides[1])
    if count is None:
        return None
    each = {k: changes.of_variable(k) for k in range(len(values))}
    results = {k: one.after(count) for k, one in each.items() if one and one.step}
    for k, number in results.items():
        bounds = np.iinfo(known(values[k]).dtype)  # type: ignore[union-attr]
        if not bounds.min <= number <= bounds.max:
            return None  # it goes round
    return TripCount(count, results)


def _count(name: str, left: CounterProgress, right: CounterProgress) -> int | None:
    sign, limit = COMPARISONS[name]
    distance = sign * (left.begin - right.begin)
    step = sign * (left.step - right.step)
    if distance >= limit:
        return 0
    return -((distance - limit) // step) if step > 0 else None


class CounterChanges:
    """What a body makes of whole numbers that are known before the loop."""

    def __init__(self, body: Graph, values: Sequence[Any], known: Known) -> None:
        self._body: Final = body
        self._values: Final = values
        self._known: Final = known
        self._made: Final = makers(body)

    def of_operand(self, operand: Value, condition: Graph) -> CounterProgress | None:
        """The same of an operand of the condition: a constant, or one of the loop variables."""
        if operand in condition.inputs:
            return self.of_variable(condition.inputs.index(operand))
        number = constant(operand, makers(condition))
        return None if number is None else CounterProgress(number, 0)

    def of_variable(self, number: int) -> CounterProgress | None:
        """What the loop does to one of its variables."""
        begin = whole(self._known(self._values[number]))
        step = step_of(self._body, number, self._made)
        return None if begin is None or step is None else CounterProgress(begin, step)
