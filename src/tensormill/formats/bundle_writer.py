"""Writing TensorFlow's tensor bundles (tensor_bundle.py says what they are)."""

from __future__ import annotations

import os
import struct
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from types import TracebackType
from typing import IO, Any, Final, Self

import numpy as np

from ..core import dtypes
from ..core.dtypes import as_dtype
from ..core.files.atomic import replacing
from ..core.files.folders import make_folders
from ..core.files.gfile import text
from ..core.files.temporary_names import passing_file, sweep, sync_folder
from ..core.files.varints import varint
from ..errors import InvalidArgumentError, UnimplementedError
from ..graph.proto.messages import message
from .checksums import crc32c, mask, masked_crc32c
from .data_files import (
    data_files_in_index,
    data_name,
    delete_unused,
    finish_renaming,
    give_fresh_name,
    index_name,
)
from .slice_keys import Extent, slice_key
from .sorted_table import write_table

Array = np.ndarray[Any, Any]

VERSION: Final = 1
BIG_ENDIAN: Final = int(sys.byteorder == "big")


def write_bundle(prefix: str, tensors: Mapping[str, Any]) -> None:
    """Write arrays (or what NumPy makes arrays of) by name; strings are bytes or str objects.

    They lie in the data file in the order in which they come.

    Raises:
        UnimplementedError: an array of a dtype that has no bytes (resource, variant).
    """
    write_shards(prefix, [[Piece(name, value) for name, value in tensors.items()]])


@dataclass(frozen=True)
class Piece:
    """An array to write: a whole tensor, or the part `extents` of one of `whole` shape."""

    name: str
    array: Any
    whole: tuple[int, ...] = ()
    extents: tuple[Extent, ...] = ()


def write_shards(prefix: str, shards: Sequence[Sequence[Piece]]) -> None:
    """As `write_bundle`, with a data file for each of `shards`; a tensor may be in several.

    Raises:
        InvalidArgumentError: a piece comes twice, or pieces of a tensor differ in what it is.
    """
    with BundleWriter(prefix, len(shards)) as writer:
        for number, pieces in enumerate(shards):
            for piece in pieces:
                writer.add(piece, number)
        writer.finish()


class BundleWriter:
    """Writes a bundle piece by piece; without `finish`, nothing of it stays.

    A data file has a fresh name, which the index then says: it is the old bundle or the new one
    that is there, whatever raises or kills in between, and old data goes when no index speaks of
    it.
    """

    def __init__(self, prefix: str, shards: int = 1) -> None:
        self._prefix = text(prefix)
        self._folder = os.path.dirname(self._prefix) or os.curdir
        make_folders(self._folder)
        sweep(self._folder, finish_renaming)
        self._replaced = data_files_in_index(self._prefix)
        with ExitStack() as files:
            # All are open, so that nobody takes one for abandoned, until the index means them.
            self._files = [files.enter_context(passing_file(self._folder)) for _ in range(shards)]
            self._open = files.pop_all()
        self._offsets = [0] * shards
        self._entries: dict[bytes, bytes] = {}
        self._wholes: dict[bytes, Any] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._open.close()

    def add(self, piece: Piece, shard: int = 0) -> None:
        """Write an array to the data file of a shard, and note where it lies."""
        entry, contents = _encode(piece.name, as_array(piece.array))
        key = piece.name.encode()
        if key in (self._entries if piece.extents else self._wholes):
            raise InvalidArgumentError(f"'{piece.name}' is to be saved whole, and in parts")
        if piece.extents:
            pairs = zip(piece.extents, piece.whole, strict=True)
            stored = [(0, -1) if one == (0, size) else one for one, size in pairs]
            self._note_part(key, entry.dtype, piece, stored)
            key = slice_key(piece.name, stored)
        if key in self._entries:
            raise InvalidArgumentError(f"Adding duplicate key: {piece.name}")
        entry.offset, entry.shard_id = self._offsets[shard], shard
        self._files[shard][1].write(contents)
        self._offsets[shard] += entry.size
        self._entries[key] = entry.SerializeToString()

    def _note_part(self, key: bytes, dtype: int, piece: Piece, stored: Sequence[Extent]) -> None:
        whole = self._wholes.get(key)
        if whole is None:
            whole = self._wholes[key] = message("BundleEntryProto")(dtype=dtype)
            _say_shape(whole, piece.whole)
        if (whole.dtype, [one.size for one in whole.shape.dim]) != (dtype, list(piece.whole)):
            raise InvalidArgumentError(
                f"parts of '{piece.name}' are of several shapes or dtypes: all must be parts of one"
            )
        part = whole.slices.add()
        for start, length in stored:
            found = part.extent.add()
            if length >= 0:  # else it is the whole axis
                found.start, found.length = start, length

    def finish(self) -> None:
        """Put the bundle in its place."""
        for _, data in self._files:
            _bring_to_disk(data)
        names = [name for name, _ in self._files]
        path, count = give_fresh_name(names[0], self._prefix, len(names))
        for number, name in enumerate(names[1:], 1):
            os.replace(name, data_name(self._prefix, number, count))
        wholes = {key: one.SerializeToString() for key, one in self._wholes.items()}
        header = {b"": _header(count).SerializeToString()}
        try:
            sync_folder(self._folder)
            with replacing(index_name(self._prefix)) as index:
                write_table(index, header | self._entries | wholes)
        finally:
            delete_unused(self._prefix, own=path, replaced=self._replaced)


def _bring_to_disk(file: IO[bytes]) -> None:
    file.flush()
    os.fsync(file.fileno())


def as_array(value: Any) -> Array:
    """A value as it is written; strings are objects."""
    array = np.asarray(value)
    # NumPy's own strings have lost the zeros at their ends.
    return np.array(value, np.object_) if array.dtype.kind in "SU" else array


def _header(shards: int) -> Any:
    header = message("BundleHeaderProto")(num_shards=shards, endianness=BIG_ENDIAN)
    header.version.producer = VERSION
    return header


def _encode(key: str, array: Array) -> tuple[Any, bytes | memoryview]:
    """The entry of an array, but for its offset, and its bytes."""
    dtype = as_dtype(array.dtype)
    entry = message("BundleEntryProto")(dtype=dtype.as_datatype_enum)
    _say_shape(entry, array.shape)
    if dtype is dtypes.string:
        contents, checksum = strings_as_bytes(key, array)
    elif dtype.size == 0:
        raise UnimplementedError(f"'{key}': tensors of dtype {dtype.name} cannot be saved")
    else:
        stored = np.ascontiguousarray(array, dtype.storage).reshape(-1).view(np.uint8)
        contents = stored.data
        checksum = masked_crc32c(contents)
    entry.size, entry.crc32c = len(contents), checksum
    return entry, contents


def strings_as_bytes(key: str, array: Array) -> tuple[bytes, int]:
    """The stored form of strings, and its checksum.

    It is the lengths as varints, a checksum of the lengths, and the strings. Both checksums are of
    the lengths as 4 bytes each (8 where that is not enough), not of the varints.

    Raises:
        TypeError: an element is neither bytes nor str.
    """
    strings = [_as_bytes(key, element) for element in array.reshape(-1).tolist()]
    lengths = [len(string) for string in strings]
    plain = crc32c(fixed_lengths(lengths))
    checked = struct.pack("<I", mask(plain))
    joined = b"".join(strings)
    contents = b"".join(map(varint, lengths)) + checked + joined
    return contents, masked_crc32c(joined, crc32c(checked, plain))


def _as_bytes(key: str, element: Any) -> bytes:
    if isinstance(element, str):
        return element.encode()
    if isinstance(element, bytes):
        return element
    raise TypeError(f"'{key}' has an element that is no string: {element!r}")


def fixed_lengths(lengths: list[int]) -> bytes:
    """The lengths of strings as their checksums have them."""
    return b"".join(length.to_bytes(4 if length < 1 << 32 else 8, "little") for length in lengths)


def _say_shape(entry: Any, shape: Sequence[int]) -> None:
    entry.shape.SetInParent()
    for size in shape:
        entry.shape.dim.add(size=size)
