"""Calls, branches and loops that push tangents along: their results, and the tangents of these.

    graph f(x, w):              pushed f(x, w, dx):
      y = MatMul(x, w)            y = MatMul(x, w)
      z = Tanh(y)                 dy = MatMul(dx, w)
      return z                    z = Tanh(y)
                                  return z, dy * (1 - z ** 2)

A loop carries its tangents: nothing is remembered, however long it runs. What comes out is a
computation again, which recorders outside differentiate like any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...core import context
from ...graph import ir
from ...graph.builder import FuncGraph
from ..constants import zeros_like
from ..tangents import Tangents
from .computations import Calling, Choosing, Computation, Looping
from .forward_and_backward import Replay, gradient_spec
from .invariants import active_variables


class PushedGraph:
    """One graph, run again with tangents for the inputs numbered in `wanted`."""

    def __init__(self, graph: ir.Graph, wanted: Sequence[int], replay: Replay) -> None:
        self.made = FuncGraph(graph.name)
        operands = [self.made.placeholder(value.spec, value.name) for value in graph.inputs]
        self.tangents = Tangents()
        for number in wanted:
            spec = gradient_spec(operands[number]._known.spec)
            direction = self.made.placeholder(spec, f"d_{graph.inputs[number].name}")
            self.tangents.give(operands[number], direction)
        self.tangents.active = True
        with context.interpreting(self.made, (self.tangents,)):
            self.outputs = replay(graph, operands)
        self.tangents.active = False

    @property
    def moved(self) -> set[int]:
        """The numbers of the results that have tangents."""
        pairs = enumerate(self.outputs)
        return {number for number, output in pairs if self.tangents.of(output) is not None}

    def finish(self, moved: Sequence[int]) -> ir.Graph:
        """The graph that returns the results, and the tangents of those numbered in `moved`."""
        with context.interpreting(self.made):
            found = [self._tangent(self.outputs[number]) for number in moved]
        return self.made.finish([*self.outputs, *found])

    def _tangent(self, output: Any) -> Any:
        tangent = self.tangents.of(output)
        return self.made.convert(zeros_like(output) if tangent is None else tangent, None, None)


@dataclass(frozen=True, slots=True)
class Pushed:
    """A computation with tangents: further operands and further results.

    `starts` numbers the operands that need a tangent, `moved` the results that have one.
    """

    computation: Computation
    starts: Sequence[int]
    moved: Sequence[int]


def pushed_call(graph: ir.Graph, wanted: tuple[int, ...], replay: Replay) -> Pushed:
    part = PushedGraph(graph, wanted, replay)
    moved = sorted(part.moved)
    return Pushed(Calling(part.finish(moved)), wanted, moved)


def pushed_choice(choice: Choosing, wanted: tuple[int, ...], replay: Replay) -> Pushed:
    numbers = [number - 1 for number in wanted]
    parts = [PushedGraph(graph, numbers, replay) for graph in choice.graphs]
    moved = sorted(set().union(*(part.moved for part in parts)))
    graphs = tuple(part.finish(moved) for part in parts)
    return Pushed(Choosing(graphs, choice.by_bool), wanted, moved)


def pushed_loop(loop: Looping, wanted: tuple[int, ...], replay: Replay) -> Pushed:
    active = active_variables(loop.body, wanted)
    body = PushedGraph(loop.body, active, replay).finish(active)
    condition = loop.condition
    further = body.inputs[len(condition.inputs) :]
    unused = [ir.Value(f"unused_{value.name}", value.spec) for value in further]
    longer = ir.Graph(
        condition.name, (*condition.inputs, *unused), (), condition.operations,
        condition.returns, condition.attrs,
    )  # fmt: skip
    return Pushed(Looping(longer, body, loop.parallel_iterations), active, active)
