"""The derivative of a choice between graphs.

Each branch returns what its own backward graph needs, and zeros (or nothing) in place of what the
other branches would have saved; the backward choice takes all of it and runs the matching branch.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...core import context
from ...core.specs import ListSpec, TensorSpec
from ...graph import ir
from ...graph.builder import SymbolicTensor
from ..constants import constant
from .calls import or_zeros
from .computations import Choosing
from .forward_and_backward import Augmentation, Feeds, Pullback, Replay


class ChoiceDerivative:
    """See `derivatives.Derivative`. Operand 0 chooses; the graphs take the others."""

    def __init__(self, choice: Choosing, wanted: tuple[int, ...], replay: Replay) -> None:
        parts = [Augmentation(graph, [k - 1 for k in wanted], replay) for graph in choice.graphs]
        self.count = len(parts[0].outputs)
        self.seeded = [k for k in range(self.count) if any(part.depends(k) for part in parts)]
        for part in parts:
            part.pull_back(self.seeded)
        connected = [
            k for k in range(len(wanted)) if any(part.gradients[k] is not None for part in parts)
        ]
        self.connected = [wanted[k] for k in connected]
        pullbacks = [part.pullback([part.dense(k) for k in connected]) for part in parts]
        self.saves = any(one.saves for one in pullbacks)
        feeds = [Feeds(*pair) for pair in zip(parts, pullbacks, strict=True)]
        self.fed_operands = sorted({number for one in feeds for number in one.operands})
        self.fed_results = sorted({number for one in feeds for number in one.results})
        self.stand_ins: Mapping[int, int] = {}
        self.stacks: Sequence[ListSpec] = [
            stack.after._known.spec for part in parts for stack in part.stacks
        ]
        forward = [_forward(k, parts, feeds) for k in range(len(parts))]
        self.forward = Choosing(tuple(forward), choice.by_bool)
        backward = [self._backward_graph(k, parts, feeds, pullbacks[k]) for k in range(len(parts))]
        self.pullback = Choosing(tuple(backward), choice.by_bool)

    def _backward_graph(
        self, index: int, parts: list[Augmentation], feeds: list[Feeds], pullback: Pullback
    ) -> ir.Graph:
        own, part = feeds[index], parts[index]
        inputs = list(pullback.seeds)
        for number in self.fed_operands:
            unused = ir.Value(f"unused_operand_{number}", part.operands[number]._known.spec)
            inputs.append(own.operands.get(number, unused))
        for number in self.fed_results:
            unused = ir.Value(f"unused_result_{number}", part.outputs[number]._known.spec)
            inputs.append(own.results.get(number, unused))
        for k, one in enumerate(feeds):
            for number, (value, external) in enumerate(one.saved.items()):
                unused = ir.Value(f"unused_saved_{k}_{number}", external._known.spec)
                inputs.append(value if one is own else unused)
        for k, one in enumerate(parts):
            for number, stack in enumerate(one.stacks):
                unused = ir.Value(f"unused_stack_{k}_{number}", stack.after._known.spec)
                inputs.append(own.stacks.get(number, unused) if k == index else unused)
        return pullback.with_inputs(inputs)

    def extra_operands(self, operands: Sequence[Any], stacks: Sequence[Any]) -> list[Any]:
        return list(stacks)

    def fed(
        self, arrived: Sequence[Any], operands: Sequence[Any], results: Sequence[Any]
    ) -> list[Any] | None:
        if not self.connected or all(arrived[index] is None for index in self.seeded):
            return None
        seeds = [or_zeros(arrived[index], results[index]) for index in self.seeded]
        fed = [operands[1 + number] for number in self.fed_operands]
        fed += [results[number] for number in self.fed_results]
        return [operands[0], *seeds, *fed, *results[self.count :]]

    def gradients(
        self, found: Sequence[Any] | None, arrived: Sequence[Any], operands: Sequence[Any]
    ) -> list[Any]:
        gradients: list[Any] = [None] * len(operands)
        if found is not None:
            for index, gradient in zip(self.connected, found, strict=True):
                gradients[index] = gradient
        return gradients


def _forward(index: int, parts: list[Augmentation], feeds: list[Feeds]) -> ir.Graph:
    """The forward graph of one branch, with the same inputs and results as the others."""
    part = parts[index]
    graph = part.forward
    with context.interpreting(graph):
        saved = list(_saved_by_all(feeds[index], feeds))
        handed = [
            (stack.before, stack.after)
            if one is part
            else (graph.placeholder(stack.after._known.spec),) * 2
            for one in parts
            for stack in one.stacks
        ]
    finished = graph.finish([*part.outputs, *saved, *(after for _, after in handed)])
    inputs = [*part.operands, *(before for before, _ in handed)]
    return ir.Graph(
        finished.name, tuple(one._ir for one in inputs), (), finished.operations,
        finished.returns, finished.attrs,
    )  # fmt: skip


def _saved_by_all(own: Feeds, feeds: Sequence[Feeds]) -> Iterator[SymbolicTensor]:
    fillers: dict[tuple[Any, Any], SymbolicTensor] = {}  # as few as there are kinds
    for one in feeds:
        for external in one.saved.values():
            yield external if one is own else _filler(external._known.spec, fillers)


def _filler(spec: Any, fillers: dict[tuple[Any, Any], SymbolicTensor]) -> SymbolicTensor:
    """Something of the right kind in place of what a branch that did not run would have saved."""
    if not isinstance(spec, TensorSpec):
        raise TypeError(f"a branch cannot save {spec.short} for its gradient")
    dims = tuple(size or 0 for size in spec.shape.entries or ())
    if (dims, spec.dtype) not in fillers:
        fillers[dims, spec.dtype] = constant(dims, spec.dtype, 0)
    return fillers[dims, spec.dtype]
