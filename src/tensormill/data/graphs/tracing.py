"""Datasets that exist already, made again in the graph that is being traced."""

from __future__ import annotations

from typing import Any

from ...ops.bind import bind
from ..nodes.node import Node
from ..operations import MakeDataset, Recipe
from .writing import UnwritableDatasetError


def traced(node: Node) -> Any:
    """The handle of a dataset like `node`, which begins anew: nothing of what it cached or drew.

    Raises:
        UnwritableDatasetError: it is not known how it was made.
    """
    return _Tracing().handle(node)


class _Tracing:
    def __init__(self) -> None:
        self._handles: dict[Node, Any] = {}

    def handle(self, node: Node) -> Any:
        if node not in self._handles:
            self._handles[node] = self._made(node)
        return self._handles[node]

    def _made(self, node: Node) -> Any:
        if node.recipe is None:
            raise UnwritableDatasetError(type(node).__name__)
        make, tensors = node.recipe
        inputs = [self.handle(one) for one in node.inputs]
        recipe = Recipe.of(type(node).__name__, make, len(inputs), node.specs)
        return bind(MakeDataset, [*inputs, *map(self._operand, tensors)], recipe=recipe)

    def _operand(self, tensor: Any) -> Any:
        payload = tensor._array
        return self.handle(payload) if isinstance(payload, Node) else tensor
