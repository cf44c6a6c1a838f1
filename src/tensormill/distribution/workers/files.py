"""Datasets of every so many-th file that a dataset reads."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import numpy as np

from ...data.dataset import DatasetV2
from ...data.files import FileNode
from ...data.nodes.mapping import FunctionNode
from ...data.nodes.node import Node, made_by
from ...data.nodes.selection import ShardNode
from ...data.nodes.shuffling import ShuffleNode
from ...eager.tensor import from_array
from ...graph.nested_graphs import every_operation
from ...ops.array.shapes import reshape


class _NotMadeAgain(Exception):
    """Nobody knows how a node was made."""


def of_own_files(dataset: DatasetV2, workers: int, rank: int) -> DatasetV2 | None:
    """The dataset of the files number `rank`, `rank + workers`, ...; None where it reads none.

    Where names of files are shuffled they are divided before that: then all workers know one order.
    """
    if dataset.handle.symbolic:
        return None
    division = _Division(workers, rank)
    try:
        node = division.of(dataset.node)
    except _NotMadeAgain:
        return None
    if not division.found:
        return None
    return DatasetV2(node, dataset.element_spec, "_ShardDataset", inputs=[dataset])


class _Division:
    def __init__(self, workers: int, rank: int) -> None:
        self._workers: Final = workers
        self._rank: Final = rank
        self.found = False

    def of(self, node: Node) -> Node:
        """The node of this worker's files."""
        if isinstance(node, FileNode):
            self.found = True
            make, (names, *others) = _recipe(node)
            own = reshape(names, [-1])[self._rank :: self._workers]
            return made_by(make, (), (own, *others))
        if isinstance(node, FunctionNode) and any(map(_reads_files, node.functions)):
            self.found = True
            first, *others = node.inputs
            return _again(node, [self._of_names(first), *others])
        inputs = [self.of(one) for one in node.inputs]
        changed = any(new is not old for new, old in zip(inputs, node.inputs, strict=True))
        return _again(node, inputs) if changed else node

    def _of_names(self, names: Node) -> Node:
        if isinstance(names, ShuffleNode):
            return _again(names, [self._of_names(names.inputs[0])])
        numbers = [from_array(np.array(one)) for one in (self._workers, self._rank)]
        return made_by(partial(ShardNode, specs=names.specs), [names], numbers)


def _recipe(node: Node) -> Any:
    if node.recipe is None:
        raise _NotMadeAgain
    return node.recipe


def _again(node: Node, inputs: Sequence[Node]) -> Node:
    make, tensors = _recipe(node)
    return made_by(make, inputs, tensors)


def _reads_files(function: Any) -> bool:
    """Whether a function makes a dataset of the records of files."""
    for step in every_operation(function.graph):
        make = getattr(step.attrs.get("recipe"), "make", None)
        if getattr(make, "func", None) is FileNode:
            return True
    return False
