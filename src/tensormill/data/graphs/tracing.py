"""Datasets that exist already, made again in the graph that is being traced."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import context
from ...ops.bind import bind
from ..nodes.node import Node
from ..operations import MakeDataset, Recipe
from .writing import UnwritableDatasetError


def traced(node: Node, whole: bool = False) -> Any:
    """The handle of a dataset like `node`, which begins anew: nothing of what it cached or drew.

    whole: tensors become constants, however large, and are not captured.

    Raises:
        UnwritableDatasetError: it is not known how it was made.
    """
    return _Tracing(whole).handle(node)


class _Tracing:
    def __init__(self, whole: bool) -> None:
        self._whole = whole
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
        if isinstance(payload, Node):
            return self.handle(payload)
        if self._whole and isinstance(payload, np.ndarray):
            graph: Any = context.top().interpreter
            return graph.constant(payload, "operand")
        return tensor
