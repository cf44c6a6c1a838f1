"""How the elements of datasets are divided between replicas.

An element of a dataset of global batches is cut into a part for each replica. Where a function
makes datasets of replicas' own batches, replicas get them in turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

from ..core import tree
from ..core.specs import TensorSpec
from ..data import structure
from ..data.dataset import DatasetV2, new_dataset
from ..data.experimental import compute_batch_size
from ..data.nodes.node import INFINITE, Element, Elements, Node, Specs
from ..data.options import AutoShardPolicy
from ..ops.array.concatenation import concat
from ..ops.array.shapes import shape
from ..ops.conversion import as_tensor
from ..ops.math.arithmetic import minimum
from ..ops.sparse.layout import slice as sparse_part
from ..ops.sparse.sparse_tensor import SparseTensor
from .values import PerReplica, PerReplicaSpec

NO_BATCHES: Final = (
    "experimental_distribute_dataset wants a dataset of batches, the rows of which it divides "
    "between replicas, and elements are scalars here: call `batch(global_batch_size)`"
)


def divided(dataset: DatasetV2, replicas: int) -> DatasetV2:
    """A dataset whose elements have a part of a global batch for each replica.

    By the policies OFF, FILE and HINT, rows of all elements are dealt in batches of the sizes that
    the parts of a whole global batch have; else each element is cut by itself.

    Raises:
        IndexError: the elements are scalars, which have no rows.
    """
    policy = dataset.options().experimental_distribute.auto_shard_policy
    if policy in (AutoShardPolicy.AUTO, AutoShardPolicy.DATA):
        return cut(dataset, replicas)
    share, rest = divmod(int(compute_batch_size(dataset)), replicas)
    if share < 1:  # unknown (-1), or less than a row for each
        return cut(dataset, replicas)
    sizes = [share + (number < rest) for number in range(replicas)]
    return dealt([dataset.rebatch(sizes)], replicas)


def cut(dataset: DatasetV2, replicas: int) -> DatasetV2:
    """A dataset whose elements have a part of a batch for each replica.

    The first ones get as many rows as equal parts would have, rounded up.

    Raises:
        IndexError: the elements are scalars, which have no rows.
    """
    for spec in tree.flatten(dataset.element_spec):
        if getattr(spec, "shape", None) is not None and spec.shape.rank == 0:
            raise IndexError(NO_BATCHES)

    is_tuple = type(dataset.element_spec) is tuple

    def parts_of(*element: Any) -> Any:
        one = element if is_tuple else element[0]
        return tree.map_structure(lambda leaf: _parts(leaf, replicas), one)

    return dataset.map(parts_of)


def _parts(leaf: Any, replicas: int) -> PerReplica:
    known = getattr(leaf.shape, "rank", None) and leaf.shape[0]
    size = known if known is not None else _rows(leaf)
    share = -(-size // replicas)
    bounds = [_least(number * share, size) for number in range(replicas + 1)]
    return PerReplica([_between(leaf, *pair) for pair in pairwise(bounds)])


def _least(one: Any, other: Any) -> Any:
    return min(one, other) if isinstance(other, int) else minimum(one, other)


def _rows(leaf: Any) -> Any:
    if isinstance(leaf, SparseTensor):
        return leaf.dense_shape[0]
    return leaf.nrows() if hasattr(leaf, "nrows") else shape(leaf)[0]


def _between(leaf: Any, begin: Any, end: Any) -> Any:
    if not isinstance(leaf, SparseTensor):
        return leaf[begin:end]
    sizes = leaf.dense_shape
    first = concat([as_tensor(begin, sizes.dtype)[None], sizes[1:] * 0], 0)
    return sparse_part(
        leaf, first, concat([as_tensor(end - begin, sizes.dtype)[None], sizes[1:]], 0)
    )


def dealt(datasets: Sequence[DatasetV2], replicas: int) -> DatasetV2:
    """A dataset of groups of elements, one for each replica: of one dataset, or one of each.

    Where elements run out, some replicas get none of the rows: batches of no rows. Where all sizes
    are constant there are no such batches: what fills no group is left out.
    """
    spec = datasets[0].element_spec
    whole = tree.map_structure(lambda one: PerReplicaSpec(*[one] * replicas), spec)
    return new_dataset("_DealtDataset", DealtNode, whole, datasets, (), parts=spec, count=replicas)


class DealtNode(Node):
    """Groups of elements of one other node, or of one element of each of several."""

    def __init__(self, *inputs: Node, parts: Any, count: int, specs: Specs) -> None:
        super().__init__(specs, inputs)
        self._parts: Final = parts
        self._count: Final = count

    def iterate(self) -> Elements:
        iterators = [one.iterate() for one in self.inputs]
        return _DealtGroups(iterators, self._parts, self._count)

    def cardinality(self) -> int:
        count = max(one.cardinality() for one in self.inputs)
        if count < 0 or any(one.cardinality() < 0 for one in self.inputs):
            return count if count == INFINITE else min(one.cardinality() for one in self.inputs)
        if self.inputs[1:]:
            return count
        return count // self._count if _are_constant(self._parts) else -(-count // self._count)


class _DealtGroups(Iterator[Element]):
    """What a failure interrupts goes on with the next element."""

    def __init__(self, iterators: Sequence[Elements], parts: Any, count: int) -> None:
        self._iterators: Final = iterators
        self._parts: Final = parts
        self._count: Final = count
        self._held: list[Element | None] = []

    def __next__(self) -> Element:
        held = self._held
        while len(held) < self._count:
            held.append(next(self._iterators[len(held) % len(self._iterators)], None))
        self._held = []
        present = next((one for one in held if one is not None), None)
        if present is None or (None in held and _are_constant(self._parts)):
            raise StopIteration
        elements = [self._structured(present if one is None else one, one is None) for one in held]
        whole = tree.map_structure(lambda *leaves: PerReplica(leaves), *elements)
        return structure.components_of(whole, structure.spec_of(whole))

    def _structured(self, element: Element, is_empty: bool) -> Any:
        found = structure.packer(self._parts)(element)
        return tree.map_structure(lambda leaf: _between(leaf, 0, 0), found) if is_empty else found


def _are_constant(spec: Any) -> bool:
    return all(map(_is_constant, tree.flatten(spec)))


def _is_constant(leaf: Any) -> bool:
    return isinstance(leaf, TensorSpec) and leaf.shape.is_fully_defined()
