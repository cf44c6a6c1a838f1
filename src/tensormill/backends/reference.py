"""The back end that defines what graphs mean: it evaluates them, operation by operation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core import context
from ..core.specs import TensorSpec
from ..eager.tensor import EagerTensor
from ..errors import OpError
from ..graph.evaluate import evaluate_tensors
from ..graph.failure import in_function
from ..graph.ir import Application, Graph
from .base import Callback

name = "reference"


class ReferenceExecutable:
    """Runs a graph with eager kernels."""

    notes: Sequence[str] = ()

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    @property
    def callbacks(self) -> Sequence[Callback]:
        """Every operation: nothing is compiled."""
        reason = "the reference back end evaluates"
        return [Callback(step, reason) for step in self.graph.operations]

    def bind(self, captures: Sequence[Any]) -> BoundReference:
        return BoundReference(self.graph, captures)


class BoundReference:
    """Evaluates a graph each time it is called."""

    def __init__(self, graph: Graph, captures: Sequence[Any]) -> None:
        self._graph = graph
        self._captures = tuple(captures)
        self._specs = tuple(value.spec for value in graph.parameters)

    def __call__(self, *operands: Any) -> tuple[Any, ...]:
        try:
            with context.entered(context.base):
                return tuple(evaluate_tensors(self._graph, (*operands, *self._captures)))
        except OpError as error:
            raise in_function(error, self._graph.called) from error.__cause__

    def entry(self, *operands: Any) -> Any:
        if len(operands) != len(self._specs) or not all(map(_fits, operands, self._specs)):
            return NotImplemented
        return self(*operands)


def _fits(operand: Any, spec: Any) -> bool:
    return (
        type(operand) is EagerTensor
        and isinstance(spec, TensorSpec)
        and operand.dtype is spec.dtype
        and operand.shape.is_subtype_of(spec.shape)
    )


def compile(graph: Graph) -> ReferenceExecutable:
    return ReferenceExecutable(graph)


def refuses(step: Application) -> str | None:
    """Nothing is compiled, and nothing has to be: every operation has an eager meaning."""
    return None
