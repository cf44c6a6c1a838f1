"""The derivative of a call: a forward graph that returns more, and a backward graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...core import context
from ...core.specs import ListSpec
from ...graph import ir
from ...ops.array.indexed_slices import IndexedSlices
from ...ops.op import ZERO
from ..accumulate import as_dense
from ..constants import zeros_like
from .computations import Calling
from .forward_and_backward import Augmentation, Feeds, Replay


class CallDerivative:
    """See `derivatives.Derivative`."""

    def __init__(self, called: ir.Graph, wanted: tuple[int, ...], replay: Replay) -> None:
        part = Augmentation(called, wanted, replay)
        self.count = len(part.outputs)
        self.seeded = [index for index in range(self.count) if part.depends(index)]
        part.pull_back(self.seeded)
        self.wanted = wanted
        graph = part.backward
        with context.interpreting(graph):
            self.zeros = [n for n, one in zip(wanted, part.gradients, strict=True) if one is ZERO]
            self.parts = [_parts_of(gradient) for gradient in part.gradients]
            flat = [graph.convert(one, None, None) for parts in self.parts for one in parts]
        pullback = part.pullback(flat)
        self.saves = pullback.saves
        feeds = Feeds(part, pullback)
        self.fed_operands = tuple(feeds.operands)
        self.fed_results = tuple(feeds.results)
        self.fed_stacks = tuple(feeds.stacks)
        self.stand_ins: Mapping[int, int] = {}
        self.stacks: Sequence[ListSpec] = [_list_spec(stack.after) for stack in part.stacks]
        inputs = [*feeds.operands.values(), *feeds.results.values(), *feeds.saved]
        inputs += feeds.stacks.values()
        self.pullback = Calling(pullback.with_inputs([*pullback.seeds, *inputs]))
        returned = [*part.outputs, *feeds.saved.values(), *(one.after for one in part.stacks)]
        forward = replace(part.forward.finish(returned), attrs=called.attrs)
        self.forward = Calling(forward)

    def extra_operands(self, operands: Sequence[Any], stacks: Sequence[Any]) -> list[Any]:
        return list(stacks)

    def fed(
        self, arrived: Sequence[Any], operands: Sequence[Any], results: Sequence[Any]
    ) -> list[Any] | None:
        if not any(self.parts) or not self._arrives(arrived):
            return None
        seeds = [or_zeros(arrived[index], results[index]) for index in self.seeded]
        fed = [operands[index] for index in self.fed_operands]
        fed += [results[index] for index in self.fed_results]
        first_stack = len(results) - len(self.stacks)
        saved = results[self.count : first_stack]
        stacks = [results[first_stack + index] for index in self.fed_stacks]
        return [*seeds, *fed, *saved, *stacks]

    def gradients(
        self, found: Sequence[Any] | None, arrived: Sequence[Any], operands: Sequence[Any]
    ) -> list[Any]:
        gradients: list[Any] = [None] * len(operands)
        if self._arrives(arrived):
            for index in self.zeros:
                gradients[index] = ZERO
        if found is not None:
            flat = iter(found)
            for index, parts in zip(self.wanted, self.parts, strict=True):
                if parts:
                    gradients[index] = _from_parts([next(flat) for _ in parts])
        return gradients

    def _arrives(self, arrived: Sequence[Any]) -> bool:
        return any(arrived[index] is not None for index in self.seeded)


def _parts_of(gradient: Any) -> list[Any]:
    """A gradient as tensors: none, itself, or values and indices (and shape) of slices."""
    if isinstance(gradient, IndexedSlices):
        parts = [gradient.values, gradient.indices, gradient.dense_shape]
        return [part for part in parts if part is not None]
    return [] if gradient is None or gradient is ZERO else [as_dense(gradient)]


def _from_parts(parts: Sequence[Any]) -> Any:
    return parts[0] if len(parts) == 1 else IndexedSlices(*parts)


def or_zeros(gradient: Any, like: Any) -> Any:
    return zeros_like(like) if gradient is None else gradient


def _list_spec(tensor: Any) -> ListSpec:
    return tensor._known.spec
