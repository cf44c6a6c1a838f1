"""Where a graph is cut: what runs as programs of XLA, what by itself on the CPU, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, final

from ...eager.placement import device_named
from ...graph.ir import Application, Graph, Value
from ...graph.nested_graphs import every_operation, inner_graphs
from ...ops.constant import Const
from ...ops.control.functional import Functional, effects_of
from ...ops.effects import World
from ..absences import absence_among, absence_of
from ..builder import FOLDED, rule_of
from ..device_places import place_on
from ..operands import FixedValue
from ..replicas.alignment import replicas_of
from ..values import dtype_is_usual, held_constant

# So many programs of one part, for operands of different kinds, are made at most.
MOST_KINDS: Final = 64


@dataclass(eq=False)
class Cut:
    """An operation that runs outside of the programs, and why."""

    operation: Application
    reason: str
    inside: tuple[Application, ...] = ()  # of its graphs: the operation that was refused
    bytes: int = 0  # that crossed when it last ran

    @property
    def is_own(self) -> bool:
        """Whether the operation itself was refused, not one in its graphs."""
        return not self.inside

    def __str__(self) -> str:
        step = (self.inside or (self.operation,))[0]
        crossed = f"; {self.bytes} bytes cross" if self.bytes else ""
        return f"{step.op.name} '{step.name}' ({step.line}): {self.reason}{crossed}"


@final
class CutPlan:
    """The operations of a graph in their order, and those that no program does."""

    def __init__(self, graph: Graph, is_whole: bool = False) -> None:
        """`is_whole`: all of it runs where it is called, whatever operations name."""
        self.graph: Final = graph
        consts = [one for one in graph.operations if one.op is Const]
        self.constants: Final = {one.results[0]: one for one in consts}
        # By value: what programs are made with, and what other programs get.
        self.fixed: Final = {
            value: held_constant(one.attrs) for value, one in self.constants.items()
        }
        self.known: Final = {value: _handed(one.attrs) for value, one in self.constants.items()}
        self.operations: Final = tuple([one for one in graph.operations if one.op is not Const])
        self.cuts: Final[dict[Application, Cut]] = {}
        for one in self.operations:
            reason = why_not(one, self.constants)
            if reason is not None:
                self.cuts[one] = Cut(one, reason)
        # Those of replicas have devices of their own (replicas/).
        self.has_places: Final = not replicas_of(self.operations)
        self._places: Final[dict[Application, Any]] = {}
        if self.has_places and not is_whole:
            self._find_places()
        self._last_use = self._uses()

    def _find_places(self) -> None:
        """Note the devices that operations name, and cut those whose graphs name several."""
        for one in self.operations:
            named = {place_on(name): step for name, step in devices_named(one).items()}
            if len(named) == 1:
                (self._places[one],) = named
            elif named and one not in self.cuts:
                self._places[one] = place_on(name_of(one))
                *_, last = named.values()
                reason = f"the operations of '{one.name}' are for several devices"
                self.cuts[one] = Cut(one, reason, (last,))

    def device_of(self, operation: Application, usual: Any) -> Any:
        """Where an operation runs: where it says, or else where all do that say nothing."""
        return self._places.get(operation, usual)

    def _uses(self) -> dict[Value, int]:
        last: dict[Value, int] = {}
        for number, operation in enumerate(self.operations):
            last.update(dict.fromkeys(operation.operands, number))
        last.update(dict.fromkeys(self.graph.returns, len(self.operations)))
        return last

    def end_of(self, start: int, usual: Any) -> int:
        """Behind the last operation that is done together with that at `start`.

        usual: the device of operations that say nothing.
        """
        first, end = self.operations[start], start + 1
        if first in self.cuts and stands_alone(first):
            return end
        while end < len(self.operations):
            one = self.operations[end]
            if (one in self.cuts) is not (first in self.cuts):
                break
            if one in self.cuts and stands_alone(one):
                break
            if self.device_of(one, usual) is not self.device_of(first, usual):
                break
            end += 1
        return end

    def outside(self, start: int, end: int) -> tuple[Value, ...]:
        """What the operations from `start` to `end` take from before, without constants."""
        own = {value for one in self.operations[start:end] for value in one.results}
        used = [value for one in self.operations[start:end] for value in one.operands]
        return tuple(
            [
                value
                for value in dict.fromkeys(used)
                if value not in own and value not in self.constants
            ]
        )

    def wanted(self, start: int, end: int) -> tuple[Value, ...]:
        """What they make that is used behind them."""
        made = [value for one in self.operations[start:end] for value in one.results]
        return tuple([value for value in made if self._last_use.get(value, -1) >= end])

    def is_over(self, value: Value, end: int) -> bool:
        """Whether nobody uses a value from `end` on."""
        return self._last_use.get(value, -1) < end


def name_of(operation: Application) -> str | None:
    """The full name of the device that an operation is meant for, if it is there."""
    return device_named(operation.device)


def devices_named(operation: Application) -> dict[str | None, Application]:
    """The devices that an operation names, and those in its graphs, and who does."""
    steps = [operation]
    if issubclass(operation.op, Functional):
        steps += [one for graph in inner_graphs(operation) for one in every_operation(graph)]
    named = {name_of(one): one for one in steps if one.op is not Const and one.device}
    return {name: one for name, one in named.items() if name is not None}


def stands_alone(operation: Application) -> bool:
    """Whether a cut operation is done by itself: one of graphs, or one whose stream of random
    numbers has to go on when there are more cuts beside it.
    """
    is_functional = issubclass(operation.op, Functional)
    return is_functional or World.DRAWS in effects_of(operation.op, operation.attrs)


def _handed(attrs: Any) -> Any:
    value = attrs["value"]
    return FixedValue(value) if dtype_is_usual(attrs["dtype"]) and value.size <= FOLDED else value


def why_not(operation: Application, constants: Any = ()) -> str | None:
    """Why no program can have an operation, whatever its operands; None where it may."""
    op = operation.op
    if issubclass(op, Functional) and rule_of(op) is not None:
        return None
    if rule_of(op) is None and op.expand is None:
        return absence_of(op)
    operands = [one for one in operation.operands if not (op.guard and one in constants)]
    return absence_among(operands) or absence_among(operation.results)
