"""How many streams of random numbers, and growing lists, a program may have: they have places in
its state, which loops carry, and are counted before it is made.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..core.process.named_tuples import NamedTuple
from ..core.specs import ListSpec
from ..graph.ir import Application
from ..graph.passes.expansions import Expansions
from ..ops.control.functional import Functional, effects_of
from ..ops.effects import World
from .builder import rule_of


class Capacity(NamedTuple):
    """The most places that a program needs: for counters, and for lengths of lists."""

    counters: int
    lists: int


def capacity_of(operations: Iterable[Application], expansions: Expansions) -> Capacity:
    """What operations need, those of their graphs and of what they expand to included."""
    counters = lists = 0
    for operation in operations:
        inner = _inside(operation, expansions)
        found = capacity_of(inner, expansions)
        draws = World.DRAWS in effects_of(operation.op, operation.attrs)
        counters += found.counters + (draws and not inner)
        lists += found.lists + _lists_of(operation)
    return Capacity(counters, lists)


def _lists_of(operation: Application) -> int:
    """The lists that it makes, or makes longer."""
    return sum(isinstance(value.spec, ListSpec) for value in operation.results)


def _inside(operation: Application, expansions: Expansions) -> tuple[Application, ...]:
    """The operations that run in its place, or in it."""
    op, attrs = operation.op, operation.attrs
    if issubclass(op, Functional):
        return tuple([one for graph in op.graphs_of(attrs) for one in graph.operations])
    if rule_of(op) is not None or op.expand is None:
        return ()
    values = (*operation.operands, *operation.results)
    has_lists = any(isinstance(value.spec, ListSpec) for value in values)
    if has_lists or World.DRAWS in effects_of(op, attrs):
        return tuple(expansions.of(operation).operations)
    return ()
