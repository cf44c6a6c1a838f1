"""Differentiating a graph: a forward graph that also returns what a backward graph needs.

Both are made by running the original again: its operations are applied to fresh symbolic tensors
while a recording watches, and the reverse pass over that recording is traced into another graph,
which *captures* from the first one whatever it needs. Those captures are what must be saved.

    graph f(x, w):              forward f(x, w):             backward f(dz; x, w, y):
      y = MatMul(x, w)            y = MatMul(x, w)             dy = dz * (1 - tanh(y) ** 2)
      z = Tanh(y)                 z = Tanh(y)                  dx, dw = dy @ w.T, x.T @ dy
      return z                    return z, y                  return dx, dw
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ...core import context
from ...core.specs import ListSpec, ObjectSpec, ResourceSpec, ValueSpec
from ...graph import ir
from ...graph.builder import FuncGraph, SymbolicTensor
from ...graph.passes.pruning import matters
from ...ops.bind import bind
from ...ops.constant import Const
from ...ops.op import ZERO
from .. import backward
from ..accumulate import as_dense, total
from ..constants import zeros_like
from ..recording import RecordedCall, Recording, Stack

# Applies the operations of a graph again, to tensors of the function that is being traced, where
# recorders see them; gives what the graph returns.
Replay = Callable[[ir.Graph, Sequence[Any]], list[Any]]

# What the backward graph only asks these of is not saved: the answer is.
ABOUT_SHAPES: Final = frozenset(("Shape", "Size", "Rank", "TensorListLength"))


@dataclass(frozen=True)
class Pullback:
    """The backward graph before it is known how what it captured reaches it.

    `captured` pairs each further input with the tensor of the forward graph that it stands for.
    `saves`: the graph used some that could have a gradient, constants among them.
    """

    graph: ir.Graph
    seeds: tuple[ir.Value, ...]
    captured: tuple[tuple[ir.Value, SymbolicTensor], ...]
    saves: bool

    def with_inputs(self, inputs: Sequence[ir.Value]) -> ir.Graph:
        """The graph taking `inputs`: its seeds and captures among them, in the caller's order."""
        graph = self.graph
        return ir.Graph(graph.name, tuple(inputs), (), graph.operations, graph.returns, graph.attrs)


class Augmentation:
    """One graph on its way to its derivative by the inputs numbered in `wanted`."""

    def __init__(self, graph: ir.Graph, wanted: Sequence[int], replay: Replay) -> None:
        self.graph = graph
        self.wanted = tuple(wanted)
        self.stacks: list[Stack] = []
        self.forward = FuncGraph(graph.name)
        self.operands = [self.forward.placeholder(v.spec, v.name) for v in graph.inputs]
        self.recording = Recording(new_stack=self.new_stack)
        for index in self.wanted:
            self.recording.watch(self.operands[index])
        with context.interpreting(self.forward, (self.recording,)):
            self.outputs = replay(graph, self.operands)
        self.recording.active = False
        self.recording.new_stack = None  # with it they would hold each other
        self.backward = FuncGraph(f"{graph.name}_gradient", self.forward)
        self.seeds: list[SymbolicTensor] = []
        self.gradients: list[Any] = []

    def new_stack(self, spec: ListSpec) -> Stack:
        before = self.forward.placeholder(spec, f"stack_{len(self.stacks)}")
        self.stacks.append(Stack(before, before))
        return self.stacks[-1]

    def depends(self, index: int) -> bool:
        """Whether output `index` depends on what is wanted."""
        return id(self.outputs[index]) in self.recording.watched

    def pull_back(self, seeded: Sequence[int]) -> None:
        """Trace the reverse pass from the outputs numbered in `seeded`.

        `gradients` then holds one for each of `wanted`: None, ZERO, dense, or still sparse.
        """
        with context.interpreting(self.backward):
            self.seeds = [
                self.backward.placeholder(self.outputs[i]._known.spec, "d") for i in seeded
            ]
            targets = [self.outputs[index] for index in seeded]
            sources = [self.operands[index] for index in self.wanted]
            self.gradients = backward.reverse_pass(self.recording, targets, self.seeds, sources)

    def dense(self, position: int) -> Any:
        """The gradient by `wanted[position]` as a tensor of the backward graph, zeros for None."""
        with context.interpreting(self.backward):
            gradient = as_dense(self.gradients[position])
            if gradient is None or gradient is ZERO:
                gradient = zeros_like(self.operands[self.wanted[position]])
            return self.backward.convert(gradient, None, None)

    def added_to(self, accumulator: SymbolicTensor, position: int) -> Any:
        """The gradient by `wanted[position]` added to what is in `accumulator`."""
        gradient = self.gradients[position]
        if gradient is None or gradient is ZERO:
            return accumulator
        return total([accumulator, gradient])

    def pullback(self, gradients: Sequence[SymbolicTensor]) -> Pullback:
        """The backward graph that returns `gradients`, with no more captures than it needs."""
        graph = self.backward.finish(gradients)
        captures = self.backward.passed_captures()
        externals = {
            value: capture.external for value, capture in zip(graph.captures, captures, strict=True)
        }
        saves = self._saves or any(is_differentiable(one._known.spec) for one in externals.values())
        operations = _inlined_constants(externals)
        for operation in live_operations(graph):
            if operation.op.name in ABOUT_SHAPES and operation.operands[0] in externals:
                externals[operation.results[0]] = self._asked(operation, externals)
            else:
                operations.append(operation)
        used = {value for one in operations for value in one.operands} | set(graph.returns)
        captured = tuple((value, one) for value, one in externals.items() if value in used)
        body = ir.Graph(
            graph.name, graph.parameters, (), tuple(operations), graph.returns, graph.attrs
        )
        return Pullback(body, graph.parameters, captured, saves)

    @property
    def _saves(self) -> bool:
        entries = self.recording.entries
        return any(type(one) is RecordedCall and one.saves for one in entries)

    def _asked(self, operation: ir.Application, externals: dict[ir.Value, Any]) -> SymbolicTensor:
        """What an operation about shapes answers, worked out in the forward graph."""
        operands = operation.grouped(tuple(externals[one] for one in operation.operands))
        with context.interpreting(self.forward):
            return bind(operation.op, *operands, **operation.attrs)


def _inlined_constants(externals: dict[ir.Value, Any]) -> list[ir.Application]:
    """Captured constants become constants of the backward graph: nothing is saved for them."""
    inlined: list[ir.Application] = []
    for value, external in list(externals.items()):
        node = external.op
        if node.kind is Const:
            del externals[value]
            inlined.append(
                ir.Application(Const, value.name, (), (), node.attrs, (value,), (), node.source)
            )
    return inlined


def live_operations(graph: ir.Graph) -> list[ir.Application]:
    """The operations that the results need, or that do something; in order."""
    needed = set(graph.returns)
    kept: list[ir.Application] = []
    for operation in reversed(graph.operations):
        if matters(operation) or not needed.isdisjoint(operation.results):
            needed.update(operation.operands)
            kept.append(operation)
    kept.reverse()
    return kept


def is_differentiable(spec: ValueSpec) -> bool:
    """Whether a gradient can flow into a value of this kind."""
    if isinstance(spec, ResourceSpec):
        return spec.state.dtype.is_differentiable
    if isinstance(spec, ListSpec):
        return spec.element.dtype.is_differentiable
    if isinstance(spec, ObjectSpec):
        return False
    return spec.dtype.is_differentiable


def gradient_spec(spec: ValueSpec) -> ValueSpec:
    """What describes the gradient of a value that `spec` describes."""
    return spec.state if isinstance(spec, ResourceSpec) else spec


class Feeds:
    """What a backward graph is fed with: operands and results of the forward computation.

    Every capture of it is an operand, one of the original results, a stack, or something that must
    be saved as a further result.
    """

    def __init__(self, part: Augmentation, pullback: Pullback) -> None:
        self.operands: dict[int, ir.Value] = {}
        self.results: dict[int, ir.Value] = {}
        self.stacks: dict[int, ir.Value] = {}
        self.saved: dict[ir.Value, SymbolicTensor] = {}
        operands, results = numbers_of(part.operands), numbers_of(part.outputs)
        stacks = numbers_of([one.after for one in part.stacks])
        for value, external in pullback.captured:
            if (number := operands.get(id(external))) is not None:
                self.operands[number] = value
            elif (number := results.get(id(external))) is not None:
                self.results[number] = value
            elif (number := stacks.get(id(external))) is not None:
                self.stacks[number] = value
            else:
                self.saved[value] = external


def numbers_of(tensors: Sequence[Any]) -> dict[int, int]:
    """The first number of each tensor, by its id."""
    found: dict[int, int] = {}
    for number, one in enumerate(tensors):
        found.setdefault(id(one), number)
    return found
