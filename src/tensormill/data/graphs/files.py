"""What is in files, and what is kept there, as operations."""

# Rules of operations, as in ops/.
# pyright: reportIncompatibleVariableOverride=false

from __future__ import annotations

import os
from functools import partial
from typing import Any

from ...core.files import gfile
from ...core.specs import ValueSpec
from ...ops.op import Attr, In
from ..files import LINE, FileCacheNode, FileNode, fixed, lines, tf_records
from ..nodes.buffering import CacheNode, MemoryCache
from .family import DatasetOperation, OfElements


class OfFiles(DatasetOperation, abstract=True):
    """The records of files."""

    filenames = In("str ...")
    _within = Attr(())
    tensors = ("filenames",)
    compression_type: Any

    def records(self) -> Any:
        """What reads the records of one file."""
        raise NotImplementedError(self.name)

    def elements(self) -> tuple[ValueSpec, ...]:
        return (LINE,)

    def kind(self) -> Any:
        for name in self.filenames.reshape(-1).tolist():
            gfile.confined(name, self._within, writes=False)
        return partial(
            FileNode, records=self.records(), compression=self.compression(), divides=False
        )

    def compression(self) -> str:
        """How the files are compressed."""
        return self.compression_type[()].decode()


class TextLines(OfFiles, tf_name="TextLineDataset"):
    """The lines of text files."""

    compression_type = In("str")
    buffer_size = In("i64")
    metadata = Attr("")

    def records(self) -> Any:
        return lines


class TFRecords(OfFiles, tf_name="TFRecordDataset"):
    """The records of TFRecord files."""

    compression_type = In("str")
    buffer_size = In("i64")
    metadata = Attr("")

    def records(self) -> Any:
        return tf_records


class TFRecordDatasetV2(OfFiles):
    """The same."""

    compression_type = In("str")
    buffer_size = In("i64")
    byte_offsets = In("i64 ...")
    metadata = Attr("")

    def records(self) -> Any:
        return tf_records


class FixedLengthRecordDatasetV2(OfFiles):
    """Pieces of one size."""

    header_bytes = In("i64")
    record_bytes = In("i64")
    footer_bytes = In("i64")
    buffer_size = In("i64")
    compression_type = In("str")
    metadata = Attr("")

    def records(self) -> Any:
        return fixed(int(self.header_bytes), int(self.record_bytes), int(self.footer_bytes))


class Cached(OfElements, abstract=True):
    """The elements, computed once and kept."""

    input_dataset = In("variant")
    filename = In("str")
    _within = Attr(())

    def kind(self) -> Any:
        name = self.filename[()]
        if not name:
            return partial(CacheNode, shared=self.shared())
        path = gfile.confined(name, self._within, writes=True)
        return partial(FileCacheNode, path=os.fsdecode(path))

    def shared(self) -> MemoryCache | None:
        """Where elements are kept in memory, if others read them there."""
        return None


class CacheDataset(Cached):
    """An older form of it."""

    metadata = Attr("")


class CacheDatasetV2(Cached):
    """In memory, or in a file."""

    cache = In("resource")
    metadata = Attr("")

    def shared(self) -> MemoryCache | None:
        return self.cache if isinstance(self.cache, MemoryCache) else None
