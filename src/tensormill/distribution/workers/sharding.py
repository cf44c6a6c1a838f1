"""Which part of a dataset a worker gets: files, or rows of batches.

By files each worker reads every so many-th file, in batches of its share. By data every worker
reads everything, and takes its rows of each batch.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any, Final

from ...core import tree
from ...core.specs import TensorSpec
from ...data import structure
from ...data.dataset import DatasetV2, new_dataset
from ...data.graphs.division import NO_FILES, by_hints, of_own_files
from ...data.nodes.node import INFINITE, Element, Elements, Node, Specs
from ...data.options import AutoShardPolicy
from ...errors import NotFoundError, UnimplementedError
from ...ops.array.fill import zeros
from ..division import cut
from ..input import DividedDataset, require_dataset
from ..values import PerReplica
from .group import Group


def own_dataset(dataset: Any, group: Group) -> DividedDataset:
    """A dataset of this worker's own batches.

    Raises:
        TypeError: it is no dataset.
    """
    require_dataset(dataset)
    return DividedDataset(_for_replica(together(dataset, group)))


def divided_dataset(dataset: Any, group: Group) -> DividedDataset:
    """A dataset of global batches, of which this worker gets its part.

    Raises:
        TypeError: it is no dataset.
        IndexError: its elements are no batches.
        NotFoundError: files shall be divided, and there are none.
    """
    require_dataset(dataset)
    policy = dataset.options().experimental_distribute.auto_shard_policy
    if policy is AutoShardPolicy.OFF:
        return DividedDataset(_for_replica(_in_shares(dataset, group)))
    if policy is AutoShardPolicy.HINT:
        hinted = _as_known(dataset, lambda node: by_hints(node, group.size, group.rank))
        return DividedDataset(_for_replica(_in_shares(hinted or dataset, group)))
    files = None
    if policy is not AutoShardPolicy.DATA:
        files = _as_known(dataset, lambda node: of_own_files(node, group.size, group.rank))
        if files is None and policy is AutoShardPolicy.FILE:
            raise NotFoundError(NO_FILES)
    if files is not None:
        return DividedDataset(_for_replica(together(_in_shares(files, group), group)))
    own = cut(dataset, group.size).map(lambda *element: _parts(element, group.rank))
    return DividedDataset(_for_replica(own))


def _as_known(dataset: DatasetV2, part: Callable[[Node], Node | None]) -> DatasetV2 | None:
    """The dataset of a part of its node; None where there is no such part, or no node as yet."""
    node = None if dataset.handle.symbolic else part(dataset.node)
    if node is None:
        return None
    return DatasetV2(node, dataset.element_spec, "_ShardDataset", inputs=[dataset])


def _in_shares(dataset: DatasetV2, group: Group) -> DatasetV2:
    """The rows in batches of this worker's share of a global batch."""
    size = 0 if dataset.handle.symbolic else dataset.node.batch_size()
    if size < group.size:  # of no known size
        return _one_by_one(dataset, group.size)
    share = size // group.size + (group.rank < size % group.size)
    return dataset.rebatch(share)


def _one_by_one(dataset: DatasetV2, workers: int) -> DatasetV2:
    """The parts of all batches, one after the other."""

    def parts_of(*element: Any) -> DatasetV2:
        parts = [DatasetV2.from_tensors(_parts(element, rank)) for rank in range(workers)]
        return reduce(DatasetV2.concatenate, parts)

    return cut(dataset, workers).flat_map(parts_of)


def _parts(element: tuple[Any, ...], rank: int) -> Any:
    """What a worker gets of an element that is cut."""
    one = element[0] if len(element) == 1 else element
    return tree.map_structure(lambda leaf: leaf.values[rank], one)


def _for_replica(dataset: DatasetV2) -> DatasetV2:
    def wrapped(*element: Any) -> Any:
        one = element[0] if len(element) == 1 else element
        return tree.map_structure(lambda leaf: PerReplica([leaf]), one)

    return dataset.map(wrapped)


def together(dataset: DatasetV2, group: Group) -> DatasetV2:
    """A dataset that ends when those of all workers end; until then who has nothing more gets
    batches of no rows.
    """
    if int(dataset.cardinality()) == INFINITE:
        return dataset
    spec = dataset.element_spec
    return new_dataset("_TogetherDataset", TogetherNode, spec, [dataset], (), group=group, one=spec)


class TogetherNode(Node):
    """The elements of another node, until no worker has any more."""

    def __init__(self, child: Node, *, group: Group, one: Any, specs: Specs) -> None:
        super().__init__(specs, [child])
        self._group: Final = group
        self._one: Final = one

    def iterate(self) -> Elements:
        return iter(_StepsTogether(self.inputs[0].iterate(), self._group, self._one).next, None)


class _StepsTogether:
    def __init__(self, elements: Elements, group: Group, spec: Any) -> None:
        self._elements: Final = elements
        self._group: Final = group
        self._spec: Final = spec

    def next(self) -> Element | None:
        """The next element; None where no worker has one."""
        found = next(self._elements, None)
        if not self._group.count_of(found is not None):
            return None
        return found or structure.components_of(_empty(self._spec), self._spec)


def _empty(spec: Any) -> Any:
    """An element without rows, where elements are tensors.

    Raises:
        UnimplementedError: they are ragged or sparse.
    """
    return tree.map_structure(_no_rows, spec)


def _no_rows(spec: Any) -> Any:
    if not isinstance(spec, TensorSpec):
        raise UnimplementedError(
            f"a worker has no more elements while others have, and {spec} has no empty value here: "
            "use AutoShardPolicy.DATA, or datasets of as many elements on each worker"
        )
    return zeros([0, *(size or 0 for size in spec.shape[1:])], spec.dtype)
