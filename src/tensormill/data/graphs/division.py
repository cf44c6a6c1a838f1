"""The part of a dataset that one of several workers gets."""

# Rules of operations, as in ops/.
# pyright: reportIncompatibleVariableOverride=false

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import numpy as np

from ...eager.tensor import from_array
from ...errors import InvalidArgumentError, NotFoundError, UnimplementedError
from ...graph.nested_graphs import every_operation
from ...ops.array.shapes import reshape
from ...ops.op import Attr, In
from ..files import FileCacheNode, FileNode
from ..nodes.batching import (
    BatchNode,
    PaddedBatchNode,
    RebatchNode,
    SharesNode,
    UnbatchNode,
    WindowNode,
)
from ..nodes.buffering import CacheNode, PrefetchNode
from ..nodes.mapping import FilterNode, FlatMapNode, InterleaveNode, MapNode
from ..nodes.node import Node, made_by
from ..nodes.selection import (
    ConcatenateNode,
    CountedNode,
    RepeatNode,
    SameNode,
    SkipNode,
    TakeNode,
    ZipNode,
)
from ..nodes.sharding import TOO_FEW, ShardNode
from ..nodes.shuffling import ShuffleNode
from ..options import AutoShardPolicy
from .files import OfFiles
from .transformations import OfOther

NO_FILES: Final = (
    "AutoShardPolicy.FILE: the dataset reads no files by itself, so that workers cannot divide "
    "them: choose AutoShardPolicy.DATA, or leave AUTO"
)

# What is made of datasets of files is one of such a part of the files.
_THROUGH: Final = (
    BatchNode, CacheNode, ConcatenateNode, FileCacheNode, FilterNode, MapNode,
    PaddedBatchNode, PrefetchNode, RebatchNode, RepeatNode, SameNode, ShardNode, SharesNode,
    ShuffleNode, SkipNode, TakeNode, UnbatchNode, WindowNode, ZipNode,
)  # fmt: skip


class _NotDivided(Exception):
    """Something that is made of no files, or nobody knows how."""


def of_own_files(node: Node, workers: int, rank: int, *, required: bool = False) -> Node | None:
    """The dataset of the files number `rank`, `rank + workers`, ...; None where there are others.

    Where names of files are shuffled they are divided before that: then all workers know one order.

    Raises:
        InvalidArgumentError: there are fewer files than workers, where as many are `required`.
    """
    try:
        return _Division(workers, rank, required).of(node)
    except _NotDivided:
        return None


class _Division:
    def __init__(self, workers: int, rank: int, required: bool) -> None:
        self._workers, self._rank, self._required = workers, rank, required

    def of(self, node: Node, *, by_records: bool = False) -> Node:
        """The node of this worker's files; or of its records of all, `by_records`."""
        if isinstance(node, FileNode):
            if not node.divides:
                raise _NotDivided
            return self._own(node) if by_records else self._of_own_files(node)
        if isinstance(node, (FlatMapNode, InterleaveNode)):
            if not any(map(_reads_files, node.functions)):
                return self._again(node, by_records=True)
            if by_records:
                return self._own(node)
            first, *others = node.inputs
            return _again(node, [self._of_names(first), *others])
        if isinstance(node, CountedNode):  # it knows how many elements there are in all
            return self.of(node.inputs[0], by_records=by_records)
        if not isinstance(node, _THROUGH):
            raise _NotDivided
        return self._again(node, by_records=by_records)

    def _again(self, node: Node, *, by_records: bool) -> Node:
        return _again(node, [self.of(one, by_records=by_records) for one in node.inputs])

    def _of_own_files(self, node: FileNode) -> Node:
        make, (names, *others) = _recipe(node)
        if self._required and self._rank < len(node.files) < self._workers:
            raise InvalidArgumentError(TOO_FEW.format(len(node.files), self._workers))
        own = reshape(names, [-1])[self._rank :: self._workers]
        return made_by(make, (), (own, *others))

    def _of_names(self, names: Node) -> Node:
        if isinstance(names, ShuffleNode):
            return _again(names, [self._of_names(names.inputs[0])])
        return self._own(names)

    def _own(self, node: Node) -> Node:
        return sharded(node, self._workers, self._rank, required=self._required)


def sharded(node: Node, workers: int, rank: int, *, required: bool = False) -> Node:
    """Every so many-th element."""
    numbers = [from_array(np.array(one)) for one in (workers, rank)]
    return made_by(partial(ShardNode, specs=node.specs, required=required), [node], numbers)


def _recipe(node: Node) -> Any:
    if node.recipe is None:
        raise _NotDivided
    return node.recipe


def _again(node: Node, inputs: Sequence[Node]) -> Node:
    make, tensors = _recipe(node)
    return made_by(make, inputs, tensors)


def _reads_files(function: Any) -> bool:
    """Whether a function makes a dataset of the records of files."""
    return any(map(_is_reader, every_operation(function.graph)))


def _is_reader(step: Any) -> bool:
    make = getattr(step.attrs.get("recipe"), "make", None)
    return getattr(make, "func", None) is FileNode or issubclass(step.op, OfFiles)


def by_hints(node: Node, workers: int, rank: int) -> Node:
    """The dataset with both numbers for those that `shard(SHARD_HINT, ...)` left open.

    Raises:
        UnimplementedError: something that was made of these cannot be made again.
    """
    try:
        return _told(node, workers, rank)
    except _NotDivided:
        raise UnimplementedError(
            "AutoShardPolicy.HINT: what was made of a dataset that `shard(SHARD_HINT, ...)` "
            "divides cannot be made again: call `shard` with both numbers"
        ) from None


def _told(node: Node, workers: int, rank: int) -> Node:
    inputs = [_told(one, workers, rank) for one in node.inputs]
    if isinstance(node, ShardNode) and node.is_hint:
        return sharded(inputs[0], workers, rank)
    changed = any(new is not old for new, old in zip(inputs, node.inputs, strict=True))
    return _again(node, inputs) if changed else node


def _by_elements(node: Node, workers: int, rank: int, replicas: int) -> Node:
    return sharded(_in_shares(node, replicas), workers, rank)


def _in_shares(node: Node, replicas: int) -> Node:
    """The dataset, where it is one of batches of other sizes, with batches in equal parts."""
    if isinstance(node, RebatchNode):
        if replicas < 1:
            raise InvalidArgumentError(
                "AutoShardDataset divides batches that RebatchDatasetV2 made among replicas: "
                f"num_replicas must be at least 1, got {replicas}"
            )
        count = from_array(np.array(replicas))
        return made_by(partial(SharesNode, specs=node.specs), node.inputs, [count])
    if isinstance(node, PrefetchNode) or (isinstance(node, SameNode) and node.options is not None):
        inner = _in_shares(node.inputs[0], replicas)
        return node if inner is node.inputs[0] else _again(node, [inner])
    return node


class AutoShardDataset(OfOther):
    """The part for one of several workers: of files, of elements, or as hints say.

    Raises:
        NotFoundError: files shall be divided, and there are none, or other sources.
        InvalidArgumentError: no such worker or policy; fewer files than workers; batches of other
            sizes that shall be divided among no replicas.
    """

    num_workers = In("i64")
    index = In("i64")
    auto_shard_policy = Attr(0)
    num_replicas = Attr(0)
    tensors = ("num_workers", "index")

    def kind(self) -> Any:
        return partial(_part, policy=self.auto_shard_policy, replicas=self.num_replicas)


def _part(child: Node, workers: Any, index: Any, *, policy: int, replicas: int, specs: Any) -> Node:
    count, rank = int(workers), int(index)
    _require(count, rank, policy, replicas)
    if policy == AutoShardPolicy.OFF or (policy == AutoShardPolicy.FILE and count == 1):
        return SameNode(child, specs=specs)
    if policy == AutoShardPolicy.HINT:
        return by_hints(child, count, rank)
    own = None
    if policy != AutoShardPolicy.DATA:
        own = of_own_files(child, count, rank, required=True)
        if own is None and policy == AutoShardPolicy.FILE:
            raise NotFoundError(NO_FILES)
    return _by_elements(child, count, rank, replicas) if own is None else own


def _require(workers: int, rank: int, policy: int, replicas: int) -> None:
    if workers < 1:
        raise InvalidArgumentError(f"num_workers must be greater than zero, got {workers}")
    if not 0 <= rank < workers:
        raise InvalidArgumentError(f"index must be between 0 and {workers - 1}, got {rank}")
    if policy not in [*AutoShardPolicy]:
        known = ", ".join(f"{one.value} ({one.name})" for one in AutoShardPolicy)
        raise InvalidArgumentError(f"auto_shard_policy must be one of {known}, got {policy}")
    if replicas < 0:
        raise InvalidArgumentError(f"num_replicas should be >= 0, got {replicas}")
