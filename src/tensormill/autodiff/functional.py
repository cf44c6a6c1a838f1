"""Calls, branches and loops over graphs, applied so that recorders can differentiate them.

While a recorder watches the operands of a computation, not that itself is applied but the forward
part of its derivative, whose further results are what the backward part needs. The backward part is
a computation too, and applied like any other: so it can be recorded and differentiated again, to
any order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

from ..core import context
from ..core.specs import ListSpec
from ..graph import ir
from ..ops.bind import bind
from ..ops.constant import Const
from ..ops.control.functional import has_effects
from ..ops.lists.list_elements import EmptyTensorList, shape_operand
from ..ops.op import RecordedOperation
from .accumulate import total
from .backward import tie
from .constants import zeros_like
from .graphs.computations import Computation, computation_of, run_like
from .graphs.used_operands import used_operands
from .recording import RecordedCall, Recording, Stack, is_trainable_handle
from .tangents import Tangents
from .users.overridden import is_overridden, overridden

if TYPE_CHECKING:
    from .graphs.derivatives import Derivative


def apply(
    computation: Computation, operands: Sequence[Any], name: str | None = None
) -> tuple[Any, ...]:
    """The results of a computation, through which the recorders that watch its operands can go
    back.

    The operands are tensors of the interpreter on top.
    """
    recorders: Any = context.top().recorders
    if recorders:
        used = used_operands(computation, operands)
        for one in recorders:
            one.note(used)
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
    for one in watching:
        one.enters(computation, wanted)
    recorded = Recorded(computation, operands, wanted, watching, name, run)
    last = recorded.levels[-1].derivative
    call = RecordedCall(
        recorded.operands, recorded.outputs, recorded.backward, last.count, False, last.saves
    )
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
    from .graphs.derivatives import pushed_of

    known = [tangents.of(one) for one in operands]
    wanted = tuple(k for k, one in enumerate(known) if one is not None)
    pushed = pushed_of(computation, wanted, replay)
    given = [
        zeros_like(operands[number]) if known[number] is None else known[number]
        for number in pushed.starts
    ]
    moving = run_like(computation, pushed.computation)
    results = applied_for(outside, moving, [*operands, *given], name)
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
        from .graphs.derivatives import derivative_of

        self.computation = computation
        self.operands = tuple(operands)
        self.wanted = wanted
        self.taken = list(operands)  # by the forward part of the last level
        self.levels: list[Level] = []
        for _ in range(sum(one.orders for one in watching)):
            derivative = derivative_of(computation, self._wanted_now, replay)
            own = [_new_stack(spec, watching) for spec in derivative.stacks]
            self.taken += derivative.extra_operands(self.taken, [one.before for one in own])
            self.levels.append(Level(derivative, len(self.taken), own))
            computation = run_like(computation, derivative.forward)
        self.forward = computation
        self.outputs = run(computation, self.taken, name)
        self._hand_back_stacks()

    @property
    def _wanted_now(self) -> tuple[int, ...]:
        """Of what the forward part so far takes: what is wanted, and what stands for it there."""
        return (*self.wanted, *chain.from_iterable(one.derivative.stand_ins for one in self.levels))

    def _of_operands(self, derivative: Derivative, gradients: list[Any]) -> list[Any]:
        """The gradients of the operands alone, which have those of what stands for them."""
        for one in (derivative, *(level.derivative for level in reversed(self.levels))):
            for place, number in one.stand_ins.items():
                if place < len(gradients) and (found := gradients[place]) is not None:
                    before, gradients[place] = gradients[number], None
                    gradients[number] = found if before is None else total([before, found])
        return gradients[: len(self.operands)]

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
                return self._pulled_back(level.derivative, arrived[:count], operands, results)
        return self._beyond(arrived)

    def _beyond(self, arrived: Sequence[Any]) -> list[Any]:
        """A derivative of higher order than was foreseen: compute the forward part once more."""
        from .graphs.derivatives import derivative_of

        if has_effects(self.forward.graphs):
            raise RuntimeError(
                "a derivative of this order needs to run a branch, loop or function again that "
                "reads or changes state; enter one more GradientTape around it for each order"
            )
        derivative = derivative_of(self.forward, self._wanted_now, replay)
        stacks = [_new_stack(spec, ()).before for spec in derivative.stacks]
        operands = [*self.taken, *derivative.extra_operands(self.taken, stacks)]
        results = apply(run_like(self.forward, derivative.forward), operands)
        return self._pulled_back(derivative, arrived, operands, results)

    def _pulled_back(
        self,
        derivative: Derivative,
        arrived: Sequence[Any],
        operands: Sequence[Any],
        results: Sequence[Any],
    ) -> list[Any]:
        """Gradients of the operands, in operations of the top."""
        fed = derivative.fed(arrived, operands, results)
        pullback = run_like(self.computation, derivative.pullback)
        found = None if fed is None else apply(pullback, fed)
        gradients = self._of_operands(derivative, derivative.gradients(found, arrived, operands))
        if found is not None and derivative.saves:
            outputs = [one for one in gradients if hasattr(one, "dtype")]
            tie([self.operands[number] for number in self.wanted], outputs)
        return gradients


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


def replay(graph: ir.Graph, operands: Sequence[Any], with_overrides: bool = True) -> list[Any]:
    """What `graph` returns for tensors that the function that is being traced has or captures.

    Its operations are applied again, and recorders see them: as somebody has overridden their
    gradients, or as tapes do that were there when they were traced.
    """
    interpreter: Any = context.top().interpreter
    own = [interpreter.convert(operand, None, None) for operand in operands]
    values: dict[ir.Value, Any] = dict(zip(graph.inputs, own, strict=True))
    for operation in graph.operations:
        arguments = tuple([values[operand] for operand in operation.operands])
        computation = computation_of(operation.op, operation.attrs)
        with interpreter.replaying(operation.source):
            if operation.op is Const:
                results: Any = (interpreter.constant(operation.attrs["value"], operation.name),)
            elif is_overridden(operation) and with_overrides:
                results = _overridden_again(operation, computation, arguments)
            elif computation is None:
                results = apply_again(operation, arguments)
            else:
                results = apply(computation, arguments, operation.name)
        if operation.gradient_type and results:
            results[0].op.gradient_type = operation.gradient_type
        values.update(zip(operation.results, results, strict=True))
    return [values[value] for value in graph.returns]


def _overridden_again(
    operation: ir.Application, computation: Computation | None, arguments: tuple[Any, ...]
) -> tuple[Any, ...]:
    """One operation on other operands, whose gradient somebody else says."""
    here = context.top()
    with context.entered(here.replace(recorders=())):
        if computation is not None:
            results = computation.run(arguments, operation.name)
        else:
            results = apply_again(operation, arguments)
    if results:
        context.record(here.recorders, overridden(results[0].op, operation.gradient_type))
    return results


def apply_again(operation: ir.Application, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """One operation that runs no graphs, on other operands."""
    here = context.top()
    grouped, attrs = operation.grouped(arguments), dict(operation.attrs)
    results = here.interpreter.apply(operation.op, grouped, attrs, operation.name)
    if here.recorders:
        context.record(here.recorders, RecordedOperation(operation.op, grouped, attrs, results))
    return results
