"""Datasets whose elements are in files, and datasets that write theirs into files."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from typing import Any, Final

from ...core.files.gfile import text
from ...eager.tensor import wrap_handle
from ...errors import DataLossError, InvalidArgumentError, NotFoundError
from ..failures import ElementFailure, Items, continuing_after_failures, elements_or_failures
from ..functions import CompiledFunction, storages_of
from ..nodes.node import Element, Elements, Node, Specs
from ..structure import flat_specs
from .components import Codec
from .fingerprints import fingerprint
from .folders import Run, RunWriter, read_metadata

ShardOf = Callable[[Element, int], int]


def shard_function(
    function: CompiledFunction | None, captured: Sequence[Any], turns: int
) -> ShardOf:
    """What says to which shard an element belongs, the how-manyeth it may be: those that are not
    told by a function take turns.

    Raises (when it is called):
        InvalidArgumentError: the function gives no scalar int64.
    """
    if function is None:
        return lambda element, number: number % turns
    call = function.bound(captured)

    def shard_of(element: Element, number: int) -> int:
        found = call(element)
        if len(found) != 1 or found[0].dtype.name != "int64" or found[0].shape.rank != 0:
            raise InvalidArgumentError(
                f"`shard_func` gives the number of a shard, an int64 scalar, not {found}"
            )
        return int(found[0])

    return shard_of


class SavedShardNode(Node):
    """The elements of one shard."""

    def __init__(self, run: Run, shard: str, specs: Specs) -> None:
        super().__init__(specs)
        self._run, self._shard = run, shard

    @continuing_after_failures
    def iterate(self) -> Items:
        return elements_or_failures(self._run.elements(self._shard))


class SavedShardsNode(Node):
    """The shards of a saved dataset, each a dataset."""

    def __init__(self, path: Any, *, codec: Codec, spec: Any, compression: str, specs: Specs):
        super().__init__(specs)
        self._path = text(path.numpy())
        self._codec, self._compression = codec, compression
        self._spec = spec
        self.metadata: Final = read_metadata(self._path)
        if self.metadata is None:
            raise NotFoundError(f"{self._path}: there is no saved dataset: it has no metadata")
        if not self.metadata.finalized:
            raise DataLossError(
                f"{self._path}: the dataset was not saved to its end: `wait=True` waits for who is "
                "writing it"
            )

    def iterate(self) -> Elements:
        run = Run(self._path, self.metadata, self._codec, self._compression)
        inner = flat_specs(self._spec)
        return ((wrap_handle(SavedShardNode(run, one, inner)),) for one in run.shards())


class LoadNode(Node):
    """What a reader makes of shards."""

    def __init__(self, read: Node, shards: Node, *, is_whole: bool, specs: Specs) -> None:
        super().__init__(specs, [read, shards])
        assert isinstance(shards, SavedShardsNode)
        self._count = shards.metadata.num_elements
        self._is_whole = is_whole

    @continuing_after_failures
    def iterate(self) -> Items:
        seen = 0
        failed = False
        for item in elements_or_failures(self.inputs[0].iterate()):
            failed = failed or isinstance(item, ElementFailure)
            seen += 1
            yield item
        if self._is_whole and not failed and seen != self._count:
            # TensorFlow ends without a word where a file is missing or empty.
            yield ElementFailure(
                DataLossError(f"{seen} elements were read of a dataset of {self._count}")
            )

    def cardinality(self) -> int:
        return self._count


# ---------------------------------------------------------------- snapshots


class SnapshotShardsNode(Node):
    """The shards of the snapshot of a dataset, wherever that is."""

    def __init__(
        self, source: Node, path: Any, *, codec: Codec, spec: Any, compression: str, specs: Specs
    ) -> None:
        super().__init__(specs, [source])
        self._path = text(path.numpy())
        self._codec, self._compression, self._spec = codec, compression, spec
        self._hash: str | None = None

    @property
    def folder(self) -> str:
        """Where it is."""
        if self._hash is None:
            self._hash = str(fingerprint(self.inputs[0], of_contents=True))
        return os.path.join(self._path, self._hash)

    def is_there(self) -> bool:
        """Whether a whole pass was written."""
        metadata = read_metadata(self.folder)
        return metadata is not None and metadata.finalized

    def writer(self) -> RunWriter:
        """What writes a pass."""
        return RunWriter(self.folder, self._codec, self._compression, os.path.basename(self.folder))

    def iterate(self) -> Elements:
        run = Run(self.folder, read_metadata(self.folder), self._codec, self._compression)
        inner = flat_specs(self._spec)
        return ((wrap_handle(SavedShardNode(run, one, inner)),) for one in run.shards())


class SnapshotNode(Node):
    """The elements of a dataset, written in the first whole pass and read in later ones."""

    def __init__(
        self,
        source: Node,
        read: Node,
        shards: Node,
        *captured: Any,
        function: CompiledFunction | None,
        turns: int,
        specs: Specs,
    ) -> None:
        super().__init__(specs, [source, read, shards])
        assert isinstance(shards, SnapshotShardsNode)
        self._shards = shards
        self._captured = captured
        self._shard_of = partial(shard_function, function, captured, turns)

    @property
    def storages(self) -> frozenset[Any]:
        return super().storages | storages_of(self._captured)

    def iterate(self) -> Elements:
        return self.inputs[1].iterate() if self._shards.is_there() else self._written()

    @continuing_after_failures
    def _written(self) -> Items:
        shard_of = self._shard_of()
        with closing(self._shards.writer()) as writer:
            writer.begin()
            is_whole = True
            for item in elements_or_failures(self.inputs[0].iterate()):
                if isinstance(item, ElementFailure):
                    is_whole = False
                else:
                    writer.write(item, shard_of(item, writer.count))
                yield item
            if is_whole:  # what failed may not be left out of what later passes read
                writer.finish(None)

    def cardinality(self) -> int:
        return self.inputs[0].cardinality()


# ---------------------------------------------------------------- saving


def saved(
    node: Node,
    path: Any,
    *captured: Any,
    codec: Codec,
    compression: str,
    function: CompiledFunction | None,
) -> Element:
    """Write a whole pass into a folder."""
    shard_of = shard_function(function, captured, 1)
    with closing(RunWriter(text(path.numpy()), codec, compression)) as writer:
        for element in node.iterate():
            writer.write(element, shard_of(element, writer.count))
        writer.finish(writer.count)
    return ()
