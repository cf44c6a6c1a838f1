"""The derivative of a loop.

The forward loop pushes on stacks (lists that it carries along) what each iteration must remember;
the backward loop runs as many iterations and reads the stacks from their ends. Variables of the
loop that its body passes on unchanged are not remembered: the backward loop takes them as they
are, and adds up their gradients.

    x, w = while c: x = tanh(x * w)           dx, dw = dy, 0
    forward:  push(x)                         while k > 0:  k -= 1
                                                x = stack[k];  dz = dx * (1 - tanh(x * w) ** 2)
                                                dx, dw = dz * w, dw + dz * x
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...core import context, dtypes
from ...core.specs import ListSpec, TensorSpec, ValueSpec
from ...graph import ir
from ...graph.builder import FuncGraph, SymbolicTensor
from ...ops.lists.list_elements import get_item, length_of, push_back, shape_operand
from ...ops.math.arithmetic import add, subtract
from ...ops.math.comparison import greater
from ...ops.state.variables import read
from ..accumulate import as_dense
from ..constants import zeros_like
from .computations import Looping
from .forward_and_backward import (
    Augmentation,
    Replay,
    gradient_spec,
    is_differentiable,
    numbers_of,
)
from .invariants import active_variables, invariant_numbers, with_reads_outside
from .used_operands import used_operands

COUNTER = TensorSpec((), dtypes.int32)


class LoopDerivative:
    """See `derivatives.Derivative`.

    The forward loop's variables are, in this order: those of the loop, what it reads of variables
    that do not change, a counter, its stacks, and the stacks of computations in its body.
    """

    def __init__(self, loop: Looping, wanted: tuple[int, ...], replay: Replay) -> None:
        self.count = len(loop.body.parameters)
        used = set(used_operands(loop, range(self.count)))
        loop, self.reads = with_reads_outside(loop)
        self.variables = len(loop.body.parameters)
        handles = enumerate((number for number, _ in self.reads), self.count)
        self.stand_ins = {place: number for place, number in handles if number in wanted}
        # What a loop uses has zeros where no gradient flows to it, as in TensorFlow; from calls and
        # branches there comes None. A stand-in has what flows to its variable.
        known = set(self.stand_ins.values())
        owed = [*sorted(used.intersection(wanted) - known), *self.stand_ins]
        specs = [value.spec for value in loop.body.parameters]
        self.never_none = [number for number in owed if is_differentiable(specs[number])]
        active = active_variables(loop.body, [*wanted, *self.stand_ins])
        invariant = invariant_numbers(loop.body)
        part = Augmentation(loop.body, active, replay)
        self.changing = [number for number in active if number not in invariant]
        part.pull_back(self.changing)
        self.kept = [
            number
            for position, number in enumerate(active)
            if number in invariant and part.gradients[position] is not None
        ]
        self.unchanging = [number for number in active if number in invariant]
        self._trace_step(part)
        self._sort_captures(part, invariant)
        self.forward = self._forward_loop(part, loop)
        self.pullback = self._backward_loop(part, replay)

    # ---- tracing
    def _trace_step(self, part: Augmentation) -> None:
        """One iteration backwards: gradients of the variables, and the sums of those kept."""
        graph = part.backward
        places = {number: place for place, number in enumerate(part.wanted)}
        with context.interpreting(graph):
            sums = [graph.placeholder(_gradient_spec(part, k), "sum") for k in self.kept]
            gradients = [part.dense(places[number]) for number in self.changing]
            for accumulator, number in zip(sums, self.kept, strict=True):
                gradients.append(part.added_to(accumulator, places[number]))
        self.step = part.pullback([graph.convert(one, None, None) for one in gradients])
        self.saves = self.step.saves

    def _sort_captures(self, part: Augmentation, invariant: set[int]) -> None:
        """Where each capture of a backward step is found: passed along, or on a stack."""
        self.passed: dict[int, ir.Value] = {}
        self.nested: dict[int, ir.Value] = {}
        self.pushed: dict[ir.Value, SymbolicTensor] = {}
        operands = numbers_of(part.operands)
        stacks = numbers_of([one.after for one in part.stacks])
        for value, external in self.step.captured:
            number = operands.get(id(external))
            if number in invariant:
                self.passed[number] = value
            elif (stack := stacks.get(id(external))) is not None:
                self.nested[stack] = value
            else:
                self.pushed[value] = external
        own = [_stack_spec(external._known.spec) for external in self.pushed.values()]
        self.own = len(own)
        self.stacks: Sequence[ListSpec] = own + [one.after._known.spec for one in part.stacks]

    def _forward_loop(self, part: Augmentation, loop: Looping) -> Looping:
        graph = part.forward
        with context.interpreting(graph):
            counter = graph.placeholder(COUNTER, "iterations")
            own = [graph.placeholder(spec, "remembered") for spec in self.stacks[: self.own]]
            later: Any = add(counter, np.int32(1))
            pushed = [push_back(*pair) for pair in zip(own, self.pushed.values(), strict=True)]
        handed = [one.after for one in part.stacks]
        finished = graph.finish([*part.outputs, later, *pushed, *handed])
        before = [one.before for one in part.stacks]
        inputs = [one._ir for one in (*part.operands, counter, *own, *before)]
        body = ir.Graph(
            finished.name, tuple(inputs), (), finished.operations, finished.returns, finished.attrs
        )
        extra = [ir.Value(f"unused_{one.name}", one.spec) for one in inputs[self.variables :]]
        condition = loop.condition
        widened = ir.Graph(
            condition.name, (*condition.inputs, *extra), (), condition.operations,
            condition.returns, condition.attrs,
        )  # fmt: skip
        return Looping(widened, body, loop.parallel_iterations)

    def _backward_loop(self, part: Augmentation, replay: Replay) -> Looping:
        """Its variables: counter, gradients and sums, where to stop, stacks, what is passed."""
        carried = [_gradient_spec(part, number) for number in (*self.changing, *self.kept)]
        passed = [part.operands[number]._known.spec for number in self.passed]
        nested = [self.stacks[self.own + number] for number in self.nested]
        fixed: list[ValueSpec] = [COUNTER, *self.stacks[: self.own], *nested, *passed]
        specs = [COUNTER, *carried, *fixed]
        name = self.step.graph.name
        condition, body = FuncGraph(f"{name}_condition"), FuncGraph(name)
        with context.interpreting(condition):
            inputs = [condition.placeholder(spec, "x") for spec in specs]
            more = greater(inputs[0], inputs[1 + len(carried)])
        with context.interpreting(body):
            taken = [body.placeholder(spec, "x") for spec in specs]
            returned = self._step_back(taken, len(carried), replay)
        return Looping(condition.finish([more]), body.finish(returned))

    def _step_back(self, taken: list[SymbolicTensor], carried: int, replay: Replay) -> list[Any]:
        counter = subtract(taken[0], np.int32(1))
        seeds, fixed = taken[1 : 1 + carried], taken[1 + carried :]
        stacks = fixed[1 : 1 + self.own]
        remembered = [
            get_item(stack, counter, external.dtype, shape_operand(external._known.spec.shape))
            for stack, external in zip(stacks, self.pushed.values(), strict=True)
        ]
        captured = [*self.pushed, *self.nested.values(), *self.passed.values()]
        graph = self.step.with_inputs([*self.step.seeds, *captured])
        found = replay(graph, [*seeds, *remembered, *fixed[1 + self.own :]])
        return [counter, *found, *fixed]

    # ---- use
    def extra_operands(self, operands: Sequence[Any], stacks: Sequence[Any]) -> list[Any]:
        reads = [read(operands[number], dtype) for number, dtype in self.reads]
        start = length_of(stacks[0]) if self.own else np.int32(0)
        counter = context.top().interpreter.convert(start, None, None)
        return [*reads, counter, *stacks]

    def fed(
        self, arrived: Sequence[Any], operands: Sequence[Any], results: Sequence[Any]
    ) -> list[Any] | None:
        given = self._given(arrived)
        if all(given[number] is None for number in self.changing):
            return None
        start = [_start(given[k], results[k]) for k in self.changing]
        start += [_start(given[k], operands[k]) for k in self.kept]
        first = self.variables
        stacks = results[first + 1 :]
        nested = [stacks[self.own + number] for number in self.nested]
        passed = [operands[number] for number in self.passed]
        fixed = [operands[first], *stacks[: self.own], *nested, *passed]
        return [results[first], *start, *fixed]

    def gradients(
        self, found: Sequence[Any] | None, arrived: Sequence[Any], operands: Sequence[Any]
    ) -> list[Any]:
        handed_on = {*self.changing, *self.unchanging}
        gradients: list[Any] = [None] * len(operands)
        for number, gradient in enumerate(self._given(arrived)):
            gradients[number] = gradient if number in handed_on else None
        if found is not None:
            carries = [*self.changing, *self.kept]
            for number, gradient in zip(carries, found[1 : 1 + len(carries)], strict=True):
                gradients[number] = gradient
        if any(one is not None for one in arrived):
            for number in self.never_none:
                if gradients[number] is None:
                    gradients[number] = zeros_like(operands[number])
        return gradients

    def _given(self, arrived: Sequence[Any]) -> list[Any]:
        """What arrived at each variable of the forward loop, but for its counter and stacks."""
        return [*arrived, *(None,) * (self.variables - self.count)]


def _gradient_spec(part: Augmentation, number: int) -> ValueSpec:
    return gradient_spec(part.operands[number]._known.spec)


def _stack_spec(spec: ValueSpec) -> ListSpec:
    if not isinstance(spec, TensorSpec):
        raise TypeError(f"a loop cannot remember {spec.short} for its gradient")
    return ListSpec(spec)


def _start(arrived: Any, like: Any) -> Any:
    return zeros_like(like) if arrived is None else as_dense(arrived)
