"""Datasets that are kept in files or in a cache that others share, as operations."""

# Rules of operations, as in ops/.
# pyright: reportIncompatibleVariableOverride=false

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from ...core import dtypes
from ...core.files import gfile
from ...core.specs import ObjectSpec, TensorSpec, ValueSpec
from ...eager.tensor import wrap, wrap_handle
from ...errors import InvalidArgumentError
from ...graph.payload import wrap_payload
from ...ops.control.functional import GivenGraphs
from ...ops.control.optionals import SPEC, MaybeComponents
from ...ops.effects import World
from ...ops.op import Attr, In, Op, Out
from ..failures import Items, continuing_after_failures, elements_or_failures
from ..nodes.buffering import MemoryCache
from ..nodes.node import ChainedIterators, Element, Elements, Node, Specs
from ..records.options import TFRecordOptions
from ..records.record_files import TFRecordWriter
from ..snapshots.components import Codec
from ..snapshots.folders import RunWriter
from ..snapshots.nodes import (
    LoadNode,
    SavedShardsNode,
    SnapshotNode,
    SnapshotShardsNode,
    shard_function,
)
from .family import elements_of
from .functions import Found, compiled, specs_given
from .transformations import OfOther

# What `SnapshotDataset` may be told to do.
AUTO, PASS, WRITE, READ = "auto", "passthrough", "write", "read"


def shards_of(elements: Sequence[ValueSpec]) -> ObjectSpec:
    """What a reader is given: a dataset of datasets."""
    one = ObjectSpec("dataset", tuple(elements), is_value=True)
    return ObjectSpec("dataset", (one,), is_value=True)


def read_by(graph: Any, captured: Sequence[Any], shards: Node, what: str) -> Node:
    """The dataset that a reader makes of shards."""
    call = compiled(graph, len(captured), what).bound([wrap_payload(one) for one in captured])
    return call((wrap_handle(shards),))[0]._array


# ---------------------------------------------------------------- saving and loading


class Saved(GivenGraphs, abstract=True):
    """A family: all elements written into a folder; a function says to which shard each belongs."""

    input_dataset = In("variant")
    path = In("str")
    shard_func_other_args = In("[Tshard_func_args]")
    shard_func = Attr()
    compression = Attr("")
    use_shard_func = Attr(True)
    _within = Attr(())
    graph_attrs = ("shard_func",)
    effects = (World.PYTHON,)
    differentiable = False

    @classmethod
    def graphs_for(
        cls, attrs: Mapping[str, Any], operands: Sequence[Any], found: Found
    ) -> dict[str, Any]:
        dataset, _, captured = operands
        return {"shard_func": found(attrs["shard_func"], specs_given(dataset, captured))}

    def writer(self) -> _ShardWriter:
        """What writes the elements."""
        captured = self.shard_func_other_args
        function = compiled(self.shard_func, len(captured), "save") if self.use_shard_func else None
        return _ShardWriter(
            gfile.confined(self.path[()], self._within, writes=True),
            Codec(tuple(self.input_dataset.specs)),
            self.compression,
            shard_function(function, [wrap_payload(one) for one in captured], 1),
        )


class _ShardWriter:
    def __init__(self, path: Any, codec: Codec, compression: str, shard_of: Any) -> None:
        self._path, self._codec = os.fsdecode(path), codec
        self._compression, self._shard_of = compression, shard_of

    def written(self, elements: Elements) -> Items:
        """The elements; all are in files when the last was given."""
        writer = RunWriter(self._path, self._codec, self._compression)
        try:
            for element in elements:
                writer.write(element, self._shard_of(element, writer.count))
                yield element
            writer.finish(writer.count)
        finally:
            writer.close()


class SaveDataset(Saved):
    """Writes all elements into a folder."""

    def infer(self) -> tuple[()]:
        return ()

    def eager(self, np: Any) -> tuple[()]:
        for _ in self.writer().written(self.input_dataset.iterate()):
            pass
        return ()


class SaveDatasetV2(Saved):
    """The elements, written into a folder in each whole pass."""

    handle = Out("variant")
    output_types = Attr()
    output_shapes = Attr()

    def infer(self) -> ObjectSpec:
        return ObjectSpec("dataset", elements_of(self.input_dataset) or (), is_value=True)

    def eager(self, np: Any) -> Node:
        return SavingNode(self.input_dataset, writer=self.writer(), specs=self.input_dataset.specs)


class SavingNode(Node):
    """The elements, which are written meanwhile."""

    def __init__(self, child: Node, *, writer: _ShardWriter, specs: Specs) -> None:
        super().__init__(specs, [child])
        self._writer = writer

    @continuing_after_failures
    def iterate(self) -> Items:
        return elements_or_failures(self._writer.written(self.inputs[0].iterate()))

    def cardinality(self) -> int:
        return self.inputs[0].cardinality()


class OfReader(GivenGraphs, abstract=True):
    """A family: what a function makes of the shards of a folder."""

    output_types = Attr()
    output_shapes = Attr()
    reader_func = Attr()
    compression = Attr("")
    _within = Attr(())
    differentiable = False
    path: Any
    reader_func_other_args: Any

    def elements(self) -> tuple[ValueSpec, ...]:
        """What is in the elements."""
        return tuple(map(TensorSpec, self.output_shapes, self.output_types))

    def infer(self) -> ObjectSpec:
        return ObjectSpec("dataset", self.elements(), is_value=True)

    def stored(self, writes: bool) -> dict[str, Any]:
        """How elements lie in files. The folder may be read, and written."""
        gfile.confined(self.path[()], self._within, writes=writes)
        return _stored(self.elements(), self.compression)


class LoadDataset(OfReader):
    """The elements that are in a folder, as a function makes them of its shards."""

    path = In("str")
    reader_func_other_args = In("[Treader_func_args]")
    handle = Out("variant")
    graph_attrs = ("reader_func",)

    @classmethod
    def graphs_for(
        cls, attrs: Mapping[str, Any], operands: Sequence[Any], found: Found
    ) -> dict[str, Any]:
        _, captured = operands
        elements = tuple(map(TensorSpec, attrs["output_shapes"], attrs["output_types"]))
        given = [shards_of(elements), *(one._known.spec for one in captured)]
        return {"reader_func": found(attrs["reader_func"], given)}

    def eager(self, np: Any) -> Node:
        shards = SavedShardsNode(wrap(self.path), **self.stored(writes=False))
        read = read_by(self.reader_func, self.reader_func_other_args, shards, "load")
        return LoadNode(read, shards, is_whole=False, specs=self.elements())


# ---------------------------------------------------------------- snapshots


class SnapshotDataset(OfOther):
    """The elements, written into a folder in the first whole pass and read in later ones.

    mode: "auto", or what is done whether there is a snapshot or not: "passthrough", "write",
    "read". How files are read and written ahead is not said here.
    """

    path = In("str")
    compression = Attr("")
    reader_path_prefix = Attr("")
    writer_path_prefix = Attr("")
    shard_size_bytes = Attr(10737418240)
    pending_snapshot_expiry_seconds = Attr(86400)
    num_reader_threads = Attr(1)
    reader_buffer_size = Attr(1)
    num_writer_threads = Attr(1)
    writer_buffer_size = Attr(1)
    shuffle_on_read = Attr(False)
    seed = Attr(0)
    seed2 = Attr(0)
    mode = Attr("auto")
    snapshot_name = Attr("")
    _within = Attr(())
    tensors = ("path",)

    def kind(self) -> Any:
        if self.mode not in (AUTO, PASS, WRITE, READ):
            raise InvalidArgumentError(
                f"mode={self.mode!r} must be one of {[AUTO, PASS, WRITE, READ]}"
            )
        gfile.confined(self.path[()], self._within, writes=self.mode in (AUTO, WRITE))
        return partial(_snapshot, mode=self.mode, compression=self.compression)


def _snapshot(source: Node, path: Any, *, mode: str, compression: str, specs: Specs) -> Node:
    if mode == PASS:
        return source
    stored = _stored(tuple(specs), compression)
    shards = SnapshotShardsNode(source, path, **stored)
    read = ShardsInTurnNode(shards, specs=specs)
    if mode == READ:
        return LoadNode(read, shards, is_whole=False, specs=specs)
    return SnapshotNode(source, read, shards, function=None, turns=1, specs=specs)


def _stored(elements: tuple[ValueSpec, ...], compression: str) -> dict[str, Any]:
    """How elements lie in files."""
    return {"codec": Codec(elements), "spec": elements, "compression": compression,
            "specs": shards_of(elements).elements}  # fmt: skip


class ShardsInTurnNode(Node):
    """The elements of datasets, of one after the other."""

    def __init__(self, shards: Node, *, specs: Specs) -> None:
        super().__init__(specs, [shards])

    def iterate(self) -> Elements:
        return ChainedIterators(_of_shard, self.inputs[0].iterate())


def _of_shard(element: Element) -> Elements:
    return element[0]._array.iterate()


class SnapshotDatasetV2(OfReader):
    """The elements, written into a folder in the first whole pass and read in later ones.

    Functions say to which shard an element belongs, and what is read of them.
    """

    input_dataset = In("variant")
    path = In("str")
    reader_func_other_args = In("[Treader_func_args]")
    shard_func_other_args = In("[Tshard_func_args]")
    handle = Out("variant")
    shard_func = Attr()
    reader_prefix = Attr("")
    writer_prefix = Attr("")
    hash_valid = Attr(False)
    hash = Attr(0)
    metadata = Attr("")
    graph_attrs = ("reader_func", "shard_func")

    @classmethod
    def graphs_for(
        cls, attrs: Mapping[str, Any], operands: Sequence[Any], found: Found
    ) -> dict[str, Any]:
        dataset, _, of_reader, of_shards = operands
        elements = elements_of(dataset._known)
        shards = None if elements is None else shards_of(elements)
        given = None if shards is None else [shards, *(one._known.spec for one in of_reader)]
        return {
            "reader_func": found(attrs["reader_func"], given),
            "shard_func": found(attrs["shard_func"], specs_given(dataset, of_shards)),
        }

    def eager(self, np: Any) -> Node:
        stored = self.stored(writes=True)
        shards = SnapshotShardsNode(self.input_dataset, wrap(self.path), **stored)
        read = read_by(self.reader_func, self.reader_func_other_args, shards, "snapshot")
        captured = [wrap_payload(one) for one in self.shard_func_other_args]
        function = compiled(self.shard_func, len(captured), "snapshot")
        return SnapshotNode(
            self.input_dataset, read, shards, *captured, function=function, turns=1,
            specs=self.elements(),
        )  # fmt: skip


# ---------------------------------------------------------------- records and memory


class DatasetToTFRecord(Op):
    """Writes the elements, which are strings, into a TFRecord file."""

    input_dataset = In("variant")
    filename = In("str")
    compression_type = In("str")
    _within = Attr(())
    effects = (World.PYTHON,)
    differentiable = False

    def infer(self) -> tuple[()]:
        return ()

    def eager(self, np: Any) -> tuple[()]:
        specs = self.input_dataset.specs
        if len(specs) != 1 or specs[0].dtype is not dtypes.string or specs[0].shape.rank:
            raise InvalidArgumentError(
                f"a TFRecord file has strings, and the dataset has elements of {[*specs]}"
            )
        path = gfile.confined(self.filename[()], self._within, writes=True)
        kind = self.compression_type[()].decode()
        with TFRecordWriter(path, TFRecordOptions(compression_type=kind)) as writer:
            for (one,) in self.input_dataset.iterate():
                writer.write(one._array[()])
        return ()


class AnonymousMemoryCache(Op):
    """A cache that datasets may share: what the first whole pass over one of them gave."""

    handle = Out("resource")
    deleter = Out("variant")
    effects = (World.PYTHON,)
    differentiable = False

    def infer(self) -> tuple[ValueSpec, ...]:
        return MemoryCache.spec, SPEC

    def eager(self, np: Any) -> tuple[Any, ...]:
        return MemoryCache(), MaybeComponents()
