"""The folders of saved datasets.

    path/dataset_spec.pb               what the elements are (a StructuredValue); `save` only
    path/snapshot.metadata             which run is whole (a SnapshotMetadataRecord)
    path/RUN/00000003.shard/00000000.snapshot   records of the tensors of elements

A snapshot has all that, but the spec, in a folder that is called by the dataset's fingerprint. What
is written gets its place by the last step: metadata that name the run.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator, Sequence
from typing import Any, Final

from ...core.files.atomic import write_file
from ...core.files.folders import make_folders
from ...core.files.gfile import translated
from ...errors import DataLossError, InvalidArgumentError, NotFoundError, UnimplementedError
from ...formats.records import record, records
from ...formats.snappy import BlockCompressor
from ...graph.proto.messages import DecodeError, message
from ...graph.proto.structured import NotEncodableError, decoded, encoded
from ..nodes.node import Element, Elements
from ..records.file_contents import SNAPPY, FileContents
from ..records.options import TFRecordOptions, compressor
from .components import Codec

SPEC: Final = "dataset_spec.pb"
METADATA: Final = "snapshot.metadata"
# TensorFlow's number of this format.
VERSION: Final = 2
COMPRESSIONS: Final = ("GZIP", "ZLIB", SNAPPY)


def compression_of(name: Any, automatic: str) -> str:
    """The compression that users ask for; "" for none.

    Raises:
        InvalidArgumentError: there is none of this name.
    """
    if name in (None, "", "NONE"):
        return ""
    if name == "AUTO":
        return automatic
    if name not in COMPRESSIONS:
        raise InvalidArgumentError(
            f"compression={name!r}: datasets are compressed by one of {COMPRESSIONS}, or None"
        )
    return name


# ---------------------------------------------------------------- what describes a folder


def write_spec(path: str, spec: Any) -> None:
    """Say what the elements are."""
    with translated(path):
        make_folders(path)
        write_file(os.path.join(path, SPEC), encoded(spec).SerializeToString())


def read_spec(path: str) -> Any:
    """What the elements are.

    Raises:
        NotFoundError: there is nothing that says so.
        DataLossError: it is damaged.
        UnimplementedError: they are of a type that is not read here.
    """
    name = os.path.join(path, SPEC)
    with translated(name), open(name, "rb") as file:
        text = file.read()
    if not text:
        raise NotFoundError(f"{name} is empty: nothing says what the elements of the dataset are")
    try:
        return decoded(message("StructuredValue").FromString(text))
    except NotEncodableError as error:
        raise UnimplementedError(f"{name}: {error}") from None
    except (DecodeError, TypeError, ValueError) as error:
        raise DataLossError(f"{name} does not say what the elements are: {error}") from None


def read_metadata(path: str) -> Any:
    """The SnapshotMetadataRecord, or None where there is none.

    Raises:
        DataLossError: it is damaged, or of another version.
    """
    name = os.path.join(path, METADATA)
    try:
        with translated(name), open(name, "rb") as file:
            found = message("SnapshotMetadataRecord").FromString(file.read())
    except NotFoundError:
        return None
    except DecodeError as error:
        raise DataLossError(f"{name} is damaged: {error}") from None
    if os.path.basename(found.run_id) != found.run_id or not found.run_id:
        raise DataLossError(f"{name} names {found.run_id!r}, which is no folder beside it")
    if found.version != VERSION:
        raise DataLossError(
            f"{name} is of version {found.version} of the format; {VERSION} is what TensorFlow 2 "
            "writes, and what can be read here"
        )
    return found


# ---------------------------------------------------------------- reading


class Run:
    """What one writer wrote: shards, each of several files."""

    def __init__(self, path: str, metadata: Any, codec: Codec, compression: str) -> None:
        self._folder = os.path.join(path, metadata.run_id)
        self._codec, self._compression = codec, compression

    def shards(self) -> list[str]:
        """The paths of the shards, by their names."""
        try:
            names = os.listdir(self._folder)
        except FileNotFoundError:
            return []
        return [
            os.path.join(self._folder, name) for name in sorted(names) if name.endswith(".shard")
        ]

    def elements(self, shard: str) -> Elements:
        """The elements of a shard."""
        with translated(shard):
            names = sorted(os.listdir(shard))
        for name in names:
            if name.endswith(".snapshot"):
                yield from self._of_file(os.path.join(shard, name))

    def _of_file(self, name: str) -> Iterator[Element]:
        with FileContents(name, self._compression) as contents:
            yield from self._codec.elements(records(contents), name)


# ---------------------------------------------------------------- writing


class RunWriter:
    """Writes a run; it counts when it is `finished`, and is to be closed whatever happens."""

    def __init__(self, path: str, codec: Codec, compression: str, graph_hash: str = "") -> None:
        self._path, self._codec, self._compression = path, codec, compression
        self._metadata = message("SnapshotMetadataRecord")(
            graph_hash=graph_hash, run_id=str(random.SystemRandom().getrandbits(64)),
            creation_timestamp=time.time_ns() // 1000, version=VERSION, dtype=codec.dtypes,
        )  # fmt: skip
        self._files: dict[int, _ShardFile] = {}
        self._chunk = 0
        self.count = 0

    @property
    def run_id(self) -> str:
        """The name of the run's folder."""
        return self._metadata.run_id

    def resume(self, run_id: str, chunk: int) -> None:
        """Go on with what an earlier writer wrote, from this chunk on."""
        self._metadata.run_id, self._chunk = run_id, chunk

    def write(self, element: Element, shard: int) -> None:
        """Append an element to a shard."""
        file = self._files.get(shard)
        if file is None:
            folder = os.path.join(self._path, self.run_id, f"{shard % (1 << 64):08d}.shard")
            with translated(folder):
                make_folders(folder)
                name = os.path.join(folder, f"{self._chunk:08d}.snapshot")
                file = self._files[shard] = _ShardFile(name, self._compression)
        file.write(self._codec.records(element))
        self.count += 1

    def end_chunk(self) -> None:
        """Complete the files; what follows gets new ones."""
        self.close()
        self._chunk += 1

    def close(self) -> None:
        """Complete the files."""
        files, self._files = self._files, {}
        for file in files.values():
            file.close()

    def begin(self) -> None:
        """Tell that this run is under way, where nothing else is there."""
        self._tell()

    def finish(self, count: int | None) -> None:
        """From now on this is what is in the folder: so many elements, where that is told."""
        self.close()
        self._metadata.finalized = True
        if count is not None:
            self._metadata.num_elements = count
        self._tell()

    def _tell(self) -> None:
        name = os.path.join(self._path, METADATA)
        with translated(name):
            make_folders(self._path)
            write_file(name, self._metadata.SerializeToString())


class _ShardFile:
    """A file of records."""

    def __init__(self, name: str, compression: str) -> None:
        self._name = name
        snappy = compression == SNAPPY
        self._compressor: Any = (
            BlockCompressor() if snappy else compressor(TFRecordOptions(compression))
        )
        self._file = open(name, "wb")

    def write(self, texts: Sequence[bytes]) -> None:
        data = b"".join(map(record, texts))
        with translated(self._name):
            self._file.write(self._compressor.compress(data))

    def close(self) -> None:
        with translated(self._name), self._file:
            self._file.write(self._compressor.flush())
