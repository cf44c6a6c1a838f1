"""Calls, branches and loops over graphs, applied so that recorders can differentiate them.

A *computation* is something that runs graphs. While a recorder watches its operands, not the
computation itself is applied but the forward part of its derivative, whose further results are
what the backward part needs. The backward part is made of computations too: so it can be
recorded and differentiated again, to any order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol
from weakref import WeakKeyDictionary

from ..core import context
from ..core.specs import ListSpec
from ..graph import ir
from ..ops.bind import bind
from ..ops.control.functional import (
    Branching,
    Call,
    Case,
    Conditional,
    If,
    Loop,
    PartitionedCall,
    StatefulPartitionedCall,
    StatelessCase,
    StatelessIf,
    StatelessWhile,
    While,
    has_effects,
)
from ..ops.lists.list_elements import EmptyTensorList, shape_operand
from ..ops.op import Op
from .constants import zeros_like
from .recording import RecordedCall, Recording, Stack, is_trainable_handle
from .tangents import Tangents

if TYPE_CHECKING:
    from .forward_graphs import Pushed

Run = Callable[[ir.Graph, Sequence[Any], str | None], Sequence[Any]]


class Derivative(Protocol):
    """How a computation is differentiated by some of its operands.

    `forward` takes the operands and `extra_operands`; it gives the `count` results and then what
    has to be saved.
    """

    @property
    def forward(self) -> Computation: ...
    @property
    def count(self) -> int: ...
    @property
    def stacks(self) -> Sequence[ListSpec]: ...

    def extra_operands(self, operands: Sequence[Any], stacks: Sequence[Any]) -> list[Any]: ...

    def backward(
        self, arrived: Sequence[Any], operands: Sequence[Any], results: Sequence[Any]
    ) -> list[Any]:
        """The gradient by each operand (None: there is none), in operations of the top.

        `arrived` holds the gradients of the `count` results, None where none came; `operands` and
        `results` are those of `forward`.
        """
        ...


class Computation(Protocol):
    """Graphs, and in which way they run."""

    @property
    def graphs(self) -> tuple[ir.Graph, ...]: ...

    def run(self, operands: Sequence[Any], name: str | None) -> tuple[Any, ...]:
        """The results, by one operation of the interpreter on top."""
        ...

    def derivative(self, wanted: tuple[int, ...]) -> Derivative: ...

    def pushed(self, wanted: tuple[int, ...]) -> Pushed:
        """The computation with tangents for the operands numbered in `wanted`."""
        ...


class Derived:
    """What was derived from one graph that is called, by the operands that are wanted."""

    def __init__(self) -> None:
        self.derivatives: dict[tuple[int, ...], Derivative] = {}
        self.pushed: dict[tuple[int, ...], Pushed] = {}


# Graphs never change, and nothing derived refers to the graph. A graph that is called in many
# places is derived once, or what is called twice on each of n levels would be derived 2^n times.
_derived: Final[WeakKeyDictionary[ir.Graph, Derived]] = WeakKeyDictionary()


class Calling:
    """The call of one graph. `runner` runs it, where that is not by an operation."""

    def __init__(self, graph: ir.Graph, runner: Run | None = None) -> None:
        self.graph = graph
        self.runner = runner
        self._derived = _derived.setdefault(graph, Derived()) if runner is None else Derived()

    @property
    def graphs(self) -> tuple[ir.Graph, ...]:
        return (self.graph,)

    def run(self, operands: Sequence[Any], name: str | None) -> tuple[Any, ...]:
        if self.runner is not None:
            return tuple(self.runner(self.graph, operands, name))
        op = StatefulPartitionedCall if has_effects(self.graphs) else PartitionedCall
        return bind(op, list(operands), f=self.graph, name=name)

    def derivative(self, wanted: tuple[int, ...]) -> Derivative:
        from .calls import CallDerivative

        known = self._derived.derivatives
        if wanted not in known:
            known[wanted] = CallDerivative(self, wanted)
        return known[wanted]

    def pushed(self, wanted: tuple[int, ...]) -> Pushed:
        from .forward_graphs import pushed_call

        known = self._derived.pushed
        if wanted not in known:
            known[wanted] = pushed_call(self, wanted)
        return known[wanted]


class Choosing:
    """One of several graphs; operand 0 says which: a bool (then, else) or an index."""

    def __init__(self, graphs: Sequence[ir.Graph], by_bool: bool) -> None:
        self.graphs = tuple(graphs)
        self.by_bool = by_bool

    def run(self, operands: Sequence[Any], name: str | None) -> tuple[Any, ...]:
        acts = has_effects(self.graphs)
        chosen, rest = operands[0], list(operands[1:])
        if self.by_bool:
            then, otherwise = self.graphs
            op: type[Op] = If if acts else StatelessIf
            return bind(
                op, chosen, rest, then_branch=then, else_branch=otherwise, name=name or "cond"
            )
        op = Case if acts else StatelessCase
        return bind(op, chosen, rest, branches=self.graphs, name=name or "switch_case")

    def derivative(self, wanted: tuple[int, ...]) -> Derivative:
        from .branches import ChoiceDerivative

        return ChoiceDerivative(self, wanted)

    def pushed(self, wanted: tuple[int, ...]) -> Pushed:
        from .forward_graphs import pushed_choice

        return pushed_choice(self, wanted)


class Looping:
    """`body` again and again while `condition` holds; both take all the operands."""

    def __init__(self, condition: ir.Graph, body: ir.Graph, parallel_iterations: int = 10) -> None:
        self.condition = condition
        self.body = body
        self.parallel_iterations = parallel_iterations

    @property
    def graphs(self) -> tuple[ir.Graph, ...]:
        return self.condition, self.body

    def run(self, operands: Sequence[Any], name: str | None) -> tuple[Any, ...]:
        op = While if has_effects(self.graphs) else StatelessWhile
        return bind(
            op, list(operands), cond=self.condition, body=self.body,
            parallel_iterations=self.parallel_iterations, name=name or "while",
        )  # fmt: skip

    def derivative(self, wanted: tuple[int, ...]) -> Derivative:
        from .loops import LoopDerivative

        return LoopDerivative(self, wanted)

    def pushed(self, wanted: tuple[int, ...]) -> Pushed:
        from .forward_graphs import pushed_loop

        return pushed_loop(self, wanted)


def computation_of(op: type[Op], attrs: Mapping[str, Any]) -> Computation | None:
    """The computation that an operation is, where it runs graphs; it takes the flat operands."""
    if issubclass(op, Call):
        return Calling(attrs["f"])
    if issubclass(op, Conditional):
        return Choosing((attrs["then_branch"], attrs["else_branch"]), by_bool=True)
    if issubclass(op, Branching):
        return Choosing(attrs["branches"], by_bool=False)
    if issubclass(op, Loop):
        return Looping(attrs["cond"], attrs["body"], attrs["parallel_iterations"])
    return None


def apply(
    computation: Computation, operands: Sequence[Any], name: str | None = None
) -> tuple[Any, ...]:
    """The results of a computation, through which the recorders that watch its operands can go
    back.

    The operands are tensors of the interpreter on top.
    """
    recorders: Any = context.top().recorders
    for one in recorders:
        one.note(operands)
    return applied_for(recorders, computation, operands, name)


def applied_for(
    recorders: Sequence[Any], computation: Computation, operands: Sequence[Any], name: str | None
) -> tuple[Any, ...]:
    """The results of a computation, with what those among `recorders` need that watch its
    operands; the one inside of all others comes last.

    Tapes inside have it return what their reverse passes need; what works out tangents then has
    it return the tangents of all that; to recorders outside the outcome is one computation.
    """
    watching = [one for one in recorders if one.depends(operands)]
    if not watching:
        return unrecorded(computation, operands, name)
    places = [k for k, one in enumerate(recorders) if one in watching and type(one) is Tangents]
    if not places:
        return _recorded(watching, computation, operands, name, unrecorded)
    place = places[-1]

    def run(part: Computation, taken: Sequence[Any], name: str | None) -> tuple[Any, ...]:
        return _pushed_along(recorders[place], recorders[:place], part, taken, name)

    inside = [one for one in recorders[place + 1 :] if one in watching]
    if not inside:
        return run(computation, operands, name)
    return _recorded(inside, computation, operands, name, run)


def _recorded(
    watching: Sequence[Any],
    computation: Computation,
    operands: Sequence[Any],
    name: str | None,
    run: Callable[..., tuple[Any, ...]],
) -> tuple[Any, ...]:
    wanted = tuple(index for index, one in enumerate(operands) if _is_wanted(one, watching))
    recorded = Recorded(computation, operands, wanted, watching, name, run)
    reach = recorded.levels[-1].derivative.count
    call = RecordedCall(recorded.operands, recorded.outputs, recorded.backward, reach)
    context.record(watching, call)
    return recorded.results


def _pushed_along(
    tangents: Tangents,
    outside: Sequence[Any],
    computation: Computation,
    operands: Sequence[Any],
    name: str | None,
) -> tuple[Any, ...]:
    """The results of a computation, whose tangents are then known, too."""
    known = [tangents.of(one) for one in operands]
    pushed = computation.pushed(tuple(k for k, one in enumerate(known) if one is not None))
    given = [
        zeros_like(operands[number]) if known[number] is None else known[number]
        for number in pushed.starts
    ]
    results = applied_for(outside, pushed.computation, [*operands, *given], name)
    count = len(results) - len(pushed.moved)
    for number, tangent in zip(pushed.moved, results[count:], strict=True):
        tangents.give(results[number], tangent)
    return results[:count]


def unrecorded(
    computation: Computation, operands: Sequence[Any], name: str | None
) -> tuple[Any, ...]:
    here = context.top()
    if not here.recorders:
        return computation.run(operands, name)
    with context.entered(here.replace(recorders=())):
        return computation.run(operands, name)


def _is_wanted(operand: Any, watching: Sequence[Recording]) -> bool:
    if not operand.dtype.is_differentiable:
        return False
    return any(
        id(operand) in one.watched or (one.watch_variables and is_trainable_handle(operand))
        for one in watching
    )


class Recorded:
    """One application whose derivative is prepared as many times as recorders watch.

    Each level differentiates the forward part of the level before: a recorder outside must be
    able to differentiate what the reverse pass of one inside uses.
    """

    def __init__(
        self,
        computation: Computation,
        operands: Sequence[Any],
        wanted: tuple[int, ...],
        watching: Sequence[Recording],
        name: str | None,
        run: Callable[..., tuple[Any, ...]],
    ) -> None:
        self.operands = tuple(operands)
        self.wanted = wanted
        self.taken = list(operands)  # by the forward part of the last level
        self.levels: list[Level] = []
        stacks: list[Stack] = []
        for _ in range(sum(one.orders for one in watching)):
            derivative = computation.derivative(wanted)
            own = [_new_stack(spec, watching) for spec in derivative.stacks]
            stacks += own
            self.taken += derivative.extra_operands(self.taken, [one.before for one in own])
            self.levels.append(Level(derivative, len(self.taken), own))
            computation = derivative.forward
        self.forward = computation
        self.outputs = run(computation, self.taken, name)
        self._hand_back_stacks()

    def _hand_back_stacks(self) -> None:
        """The last results of each level are its stacks, with what was pushed on them."""
        ends = [level.derivative.count for level in self.levels[1:]] + [len(self.outputs)]
        for level, end in zip(self.levels, ends, strict=True):
            level.end = end
            for offset, stack in enumerate(level.stacks):
                stack.after = self.outputs[end - len(level.stacks) + offset]

    @property
    def results(self) -> tuple[Any, ...]:
        return self.outputs[: self.levels[0].derivative.count]

    def backward(self, arrived: Sequence[Any]) -> list[Any]:
        """Gradients of the operands, by the first level that knows all outputs they came from."""
        last = max((i for i, one in enumerate(arrived) if one is not None), default=-1)
        for level in self.levels:
            count = level.derivative.count
            if last < count:
                operands, results = self.taken[: level.taken], self.outputs[: level.end]
                found = level.derivative.backward(arrived[:count], operands, results)
                return found[: len(self.operands)]
        return self._beyond(arrived)

    def _beyond(self, arrived: Sequence[Any]) -> list[Any]:
        """A derivative of higher order than was foreseen: compute the forward part once more."""
        if has_effects(self.forward.graphs):
            raise RuntimeError(
                "a derivative of this order needs to run a branch, loop or function again that "
                "reads or changes state; enter one more GradientTape around it for each order"
            )
        derivative = self.forward.derivative(self.wanted)
        stacks = [_new_stack(spec, ()).before for spec in derivative.stacks]
        operands = [*self.taken, *derivative.extra_operands(self.taken, stacks)]
        results = apply(derivative.forward, operands)
        return derivative.backward(arrived, operands, results)[: len(self.operands)]


@dataclass
class Level:
    """One derivative of an application, and how much of all operands and outputs is its."""

    derivative: Derivative
    taken: int
    stacks: Sequence[Stack]
    end: int = 0


def _new_stack(spec: ListSpec, watching: Sequence[Recording]) -> Stack:
    """An empty list, or one that the graph is handed in which all this happens."""
    for one in watching:
        if one.new_stack is not None:
            return one.new_stack(spec)
    element = spec.element
    empty = bind(EmptyTensorList, shape_operand(element.shape), -1, element_dtype=element.dtype)
    return Stack(empty, empty)
