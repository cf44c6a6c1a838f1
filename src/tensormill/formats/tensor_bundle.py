"""TensorFlow's tensor bundles: named arrays in files (tensorflow/core/util/tensor_bundle).

`<prefix>.index` is a sorted table of BundleEntryProto by name, a BundleHeaderProto under the empty
name, and the parts of partitioned tensors under their `slice_key`. The arrays lie one after another
in `<prefix>.data-00000-of-00001` (or more shards), as memory has them; see `strings_as_bytes`.
"""

from __future__ import annotations

import os
import struct
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from math import prod
from typing import IO, Any, Final

import numpy as np
from google.protobuf.message import DecodeError

from ..core import dtypes
from ..core.dtypes import BY_ENUM, DType, as_dtype
from ..core.files.atomic import replacing
from ..core.files.folders import make_folders
from ..core.files.gfile import text, translated
from ..core.files.temporary_names import passing_file, sweep, sync_folder
from ..core.shapes import TensorShape
from ..core.specs import TensorSpec
from ..core.varints import read_varint, varint
from ..errors import DataLossError, NotFoundError, UnimplementedError
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
from .sorted_table import read_table, write_table

Array = np.ndarray[Any, Any]

_VERSION: Final = 1
_MOST_AXES: Final = 64  # NumPy's limit
_BIG_ENDIAN: Final = int(sys.byteorder == "big")


# ---- writing


def write_bundle(prefix: str, tensors: Mapping[str, Any]) -> None:
    """Write arrays (or what NumPy makes arrays of) by name; strings are bytes or str objects.

    They lie in the data file in the order in which they come. That file has a fresh name, which the
    index then says: it is the old bundle or the new one that is there, whatever raises or kills in
    between, and old data goes when no index speaks of it.

    Raises:
        UnimplementedError: an array of a dtype that has no bytes (resource, variant).
    """
    prefix = text(prefix)
    folder = os.path.dirname(prefix) or os.curdir
    make_folders(folder)
    sweep(folder, finish_renaming)
    replaced = data_files_in_index(prefix)
    with passing_file(folder) as (name, data):
        entries = _write_data(data, tensors)
        data.flush()
        os.fsync(data.fileno())
        path, shards = give_fresh_name(name, prefix)
        try:
            sync_folder(folder)
            with replacing(index_name(prefix)) as index:
                write_table(index, {b"": _header(shards).SerializeToString()} | entries)
        finally:
            delete_unused(prefix, own=path, replaced=replaced)


@dataclass(frozen=True)
class Piece:
    """An array to write: a whole tensor, or the part `extents` of one of `whole` shape."""

    name: str
    array: Any
    whole: tuple[int, ...] = ()
    extents: tuple[Extent, ...] = ()


def write_shards(prefix: str, shards: Sequence[Sequence[Piece]]) -> None:
    """As `write_bundle`, with a data file for each of `shards`; a tensor may be in several."""
    prefix = text(prefix)
    folder = os.path.dirname(prefix) or os.curdir
    make_folders(folder)
    sweep(folder, finish_renaming)
    replaced = data_files_in_index(prefix)
    with ExitStack() as files:
        # All are open, so that nobody takes one for abandoned, until the index means them.
        made = [files.enter_context(passing_file(folder)) for _ in shards]
        wholes: dict[bytes, Any] = {}
        entries: dict[bytes, bytes] = {}
        for number, (pieces, (_, data)) in enumerate(zip(shards, made, strict=True)):
            entries |= _write_pieces(data, pieces, number, wholes)
            data.flush()
            os.fsync(data.fileno())
        names = [name for name, _ in made]
        path, count = give_fresh_name(names[0], prefix, len(names))
        for number, name in enumerate(names[1:], 1):
            os.replace(name, data_name(prefix, number, count))
        entries |= {key: one.SerializeToString() for key, one in wholes.items()}
        try:
            sync_folder(folder)
            with replacing(index_name(prefix)) as index:
                write_table(index, {b"": _header(count).SerializeToString()} | entries)
        finally:
            delete_unused(prefix, own=path, replaced=replaced)


def _write_pieces(
    data: IO[bytes], pieces: Sequence[Piece], shard: int, wholes: dict[bytes, Any]
) -> dict[bytes, bytes]:
    """Write the arrays of a shard, and return their entries; note the tensors that are in parts."""
    entries: dict[bytes, bytes] = {}
    offset = 0
    for piece in pieces:
        entry, contents = _encode(piece.name, _as_array(piece.array))
        entry.offset, entry.shard_id = offset, shard
        offset += entry.size
        data.write(contents)
        key = piece.name.encode()
        if piece.extents:
            pairs = zip(piece.extents, piece.whole, strict=True)
            stored = [(0, -1) if one == (0, size) else one for one, size in pairs]
            whole = wholes.setdefault(key, message("BundleEntryProto")())
            _note_part(whole, entry.dtype, piece.whole, stored)
            key = slice_key(piece.name, stored)
        entries[key] = entry.SerializeToString()
    return entries


def _note_part(whole: Any, dtype: int, shape: Sequence[int], extents: Sequence[Extent]) -> None:
    if not whole.dtype:
        whole.dtype = dtype
        for size in shape:
            whole.shape.dim.add(size=size)
    part = whole.slices.add()
    for start, length in extents:
        found = part.extent.add()
        if length >= 0:  # else it is the whole axis
            found.start, found.length = start, length


def _write_data(data: IO[bytes], tensors: Mapping[str, Any]) -> dict[bytes, bytes]:
    """Write the arrays, and return the index's entries."""
    entries: dict[bytes, bytes] = {}
    offset = 0
    for key, value in tensors.items():
        entry, contents = _encode(key, _as_array(value))
        entry.offset = offset
        offset += entry.size
        data.write(contents)
        entries[key.encode()] = entry.SerializeToString()
    return entries


def _as_array(value: Any) -> Array:
    array = np.asarray(value)
    # NumPy's own strings have lost the zeros at their ends.
    return np.array(value, np.object_) if array.dtype.kind in "SU" else array


def _header(shards: int) -> Any:
    header = message("BundleHeaderProto")(num_shards=shards, endianness=_BIG_ENDIAN)
    header.version.producer = _VERSION
    return header


def _encode(key: str, array: Array) -> tuple[Any, bytes | memoryview]:
    """The entry of an array, but for its offset, and its bytes."""
    dtype = as_dtype(array.dtype)
    entry = message("BundleEntryProto")(dtype=dtype.enum)
    entry.shape.SetInParent()
    for size in array.shape:
        entry.shape.dim.add(size=size)
    if dtype is dtypes.string:
        contents, checksum = strings_as_bytes(key, array)
    elif dtype.size == 0:
        raise UnimplementedError(f"'{key}': tensors of dtype {dtype.name} cannot be saved")
    else:
        stored = np.ascontiguousarray(array, dtype.numpy).reshape(-1).view(np.uint8)
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
    plain = crc32c(_fixed(lengths))
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


def _fixed(lengths: list[int]) -> bytes:
    return b"".join(length.to_bytes(4 if length < 1 << 32 else 8, "little") for length in lengths)


# ---- reading


@dataclass(frozen=True)
class BundleEntry:
    """Where a tensor lies, and what it is. `parts` are the extents of a partitioned one."""

    dtype: int
    shape: tuple[int, ...]
    shard: int
    offset: int
    size: int
    checksum: int
    parts: tuple[tuple[Extent, ...], ...]


class BundleReader:
    """The tensors of a bundle. The index is read and checked at once, each tensor when asked for.

    Raises:
        NotFoundError: there are no such files.
        DataLossError: the index is cut off or changed.
    """

    def __init__(self, prefix: str) -> None:
        self.prefix = text(prefix)
        path = index_name(self.prefix)
        if not os.path.isfile(path):
            if os.path.isfile(self.prefix):
                raise DataLossError(f"{self.prefix} is no checkpoint: it is a file, and no prefix")
            raise NotFoundError(
                "Unsuccessful TensorSliceReader constructor: Failed to find any matching files "
                f"for {self.prefix}"
            )
        with translated(path), open(path, "rb") as file:
            data = file.read()
        try:
            self._table = read_table(data)
            header = self._parse("BundleHeaderProto", b"")
            # Those of parts begin with 0; the header's is empty.
            self._keys = [_name(key) for key in self._table if key and key[0]]
        except DataLossError as error:
            raise DataLossError(f"{path}: {error}") from None
        self._shards: int = header.num_shards
        self._swapped = header.endianness != _BIG_ENDIAN
        if header.version.min_consumer > _VERSION:
            raise UnimplementedError(
                f"{path} needs a reader of version {header.version.min_consumer} or newer; this "
                f"one is {_VERSION}"
            )

    def _parse(self, name: str, key: bytes) -> Any:
        try:
            return message(name).FromString(self._table[key])
        except KeyError:
            raise DataLossError(f"the index has no entry {key!r}") from None
        except DecodeError as error:
            raise DataLossError(f"the entry {key!r} is no {name}: {error}") from None

    def keys(self) -> list[str]:
        """The tensors' names, sorted."""
        return list(self._keys)

    def __contains__(self, key: str) -> bool:
        return bool(key) and key.encode() in self._table

    def spec(self, key: str) -> TensorSpec:
        """Shape and dtype of a tensor.

        Raises:
            NotFoundError: the bundle has none of that name.
            UnimplementedError: it is of a dtype that is unknown here.
        """
        entry = self._entry(key)
        return TensorSpec(TensorShape(entry.shape), self._dtype(key, entry))

    def read(self, key: str) -> Array:
        """A tensor's value, of its own memory; strings are `bytes` objects.

        Raises:
            NotFoundError: the bundle has none of that name, or its data file is missing.
            DataLossError: what is stored was changed or cut off.
            UnimplementedError: it is of a dtype that is unknown here.
        """
        entry = self._entry(key)
        dtype = self._dtype(key, entry)
        if not entry.parts:
            return self._read(key, entry, dtype)
        return self._joined(key, entry, dtype)

    def _entry(self, key: str) -> BundleEntry:
        if key not in self:
            raise NotFoundError(f"Key {key} not found in checkpoint {self.prefix}")
        return self._stored_entry(key.encode())

    def _stored_entry(self, key: bytes) -> BundleEntry:
        try:
            found = self._parse("BundleEntryProto", key)
        except DataLossError as error:
            raise DataLossError(f"{index_name(self.prefix)}: {error}") from None
        shape = tuple(dim.size for dim in found.shape.dim)
        if min(shape, default=0) < 0 or found.shape.unknown_rank or len(shape) > _MOST_AXES:
            raise DataLossError(f"{index_name(self.prefix)}: {key!r} has no static shape")
        parts = tuple(
            tuple((part.start, _length(part)) for part in piece.extent) for piece in found.slices
        )
        return BundleEntry(
            found.dtype, shape, found.shard_id, found.offset, found.size, found.crc32c, parts
        )

    def _dtype(self, key: str, entry: BundleEntry) -> DType:
        dtype = BY_ENUM.get(entry.dtype)
        if dtype is None or dtype in (dtypes.resource, dtypes.variant):
            raise UnimplementedError(
                f"'{key}' in checkpoint {self.prefix} has dtype number {entry.dtype}, which cannot "
                f"be read"
            )
        return dtype

    def _joined(self, key: str, entry: BundleEntry, dtype: DType) -> Array:
        """A tensor of its parts."""
        parts = [
            (self._place(key, extents, entry), self._stored_entry(slice_key(key, extents)))
            for extents in entry.parts
        ]
        for place, part in parts:
            if part.dtype != entry.dtype or part.shape != tuple(map(len, place)):
                raise self._loss(key, f"a part of shape {part.shape} does not fit {entry.shape}")
            self._data_file(key, part)
        covered = sum(prod(part.shape) for _, part in parts)
        if covered != prod(entry.shape):
            raise self._loss(key, f"its parts have {covered} of {prod(entry.shape)} elements")
        # The parts are as large as the tensor together, and are there.
        made = np.zeros(entry.shape, dtype.numpy)
        filled = np.zeros(entry.shape, np.bool_)
        for place, part in parts:
            index = tuple(slice(axis.start, axis.stop) for axis in place)
            if filled[index].any():
                raise self._loss(key, f"two parts lie at {list(place)}")
            made[index], filled[index] = self._read(key, part, dtype), True
        return made

    def _place(
        self, key: str, extents: tuple[Extent, ...], entry: BundleEntry
    ) -> tuple[range, ...]:
        """Where a part lies along each axis."""
        if len(extents) != len(entry.shape):
            raise self._loss(key, f"a part with {len(extents)} axes of {len(entry.shape)}")
        place: list[range] = []
        for (start, length), size in zip(extents, entry.shape, strict=True):
            end = size if length < 0 else start + length
            if not 0 <= start <= end <= size:
                raise self._loss(key, f"a part from {start} to {end} of an axis of {size}")
            place.append(range(start, end))
        return tuple(place)

    def _read(self, key: str, entry: BundleEntry, dtype: DType) -> Array:
        if dtype is dtypes.string:
            return self._strings(key, entry)
        if entry.size != prod(entry.shape) * dtype.size:
            raise self._loss(key, f"{entry.size} bytes for {dtype.name}{list(entry.shape)}")
        path = self._data_file(key, entry)
        array = self._allocated(key, entry, dtype)
        contents = array.reshape(-1).view(np.uint8).data
        self._fill(key, entry, path, contents)
        self._check(key, masked_crc32c(contents), entry.checksum)
        return array.byteswap() if self._swapped else array

    def _allocated(self, key: str, entry: BundleEntry, dtype: DType) -> Array:
        """An array of the entry's shape: the file has as many bytes."""
        try:
            return np.empty(entry.shape, dtype.numpy)
        except (ValueError, MemoryError) as error:  # of no bytes, with sizes that no array has
            raise self._loss(
                key, f"there is no array of the shape {entry.shape}: {error}"
            ) from None

    def _data_file(self, key: str, entry: BundleEntry) -> str:
        """The file in which the entry lies, all of it."""
        path = data_name(self.prefix, entry.shard, self._shards)
        if not 0 <= entry.shard < self._shards or not os.path.isfile(path):
            raise NotFoundError(f"'{key}' should be in {path}, which is no file")
        end = os.path.getsize(path)
        if entry.offset < 0 or not 0 <= entry.size <= end - entry.offset:
            raise self._loss(
                key, f"{entry.size} bytes at {entry.offset} of {path}, which ends at {end}"
            )
        return path

    def _fill(
        self, key: str, entry: BundleEntry, path: str, contents: memoryview | bytearray
    ) -> None:
        with translated(path), open(path, "rb") as file:
            file.seek(entry.offset)
            if file.readinto(contents) != entry.size:
                raise self._loss(key, f"{path} ended while it was read")

    def _strings(self, key: str, entry: BundleEntry) -> Array:
        path = self._data_file(key, entry)
        contents = bytearray(entry.size)
        self._fill(key, entry, path, contents)
        data = bytes(contents)
        count = prod(entry.shape)
        lengths, position = self._lengths(key, data, count)
        plain = crc32c(_fixed(lengths))
        checked = data[position : position + 4]
        if len(checked) < 4 or len(data) - position - 4 != sum(lengths):
            raise self._loss(key, f"{len(data)} bytes, which its strings' lengths do not make")
        self._check(key, mask(plain), struct.unpack("<I", checked)[0])
        joined = data[position + 4 :]
        self._check(key, masked_crc32c(joined, crc32c(checked, plain)), entry.checksum)
        made = self._allocated(key, entry, dtypes.string)
        made.reshape(-1)[:] = list(_cut(joined, lengths))
        return made

    def _lengths(self, key: str, data: bytes, count: int) -> tuple[list[int], int]:
        lengths: list[int] = []
        position = 0
        if not 0 <= count <= len(data):
            raise self._loss(key, f"{len(data)} bytes for {count} strings")
        for _ in range(count):
            try:
                length, position = read_varint(data, position)
            except DataLossError as error:
                raise self._loss(key, str(error)) from None
            lengths.append(length)
        return lengths, position

    def _check(self, key: str, computed: int, stored: int) -> None:
        if computed != stored:
            raise self._loss(
                key, f"Checksum does not match: stored {stored:#010x}, computed {computed:#010x}"
            )

    def _loss(self, key: str, what: str) -> DataLossError:
        return DataLossError(f"'{key}' in checkpoint {self.prefix} is damaged: {what}")


def _name(key: bytes) -> str:
    try:
        return key.decode()
    except UnicodeDecodeError:
        raise DataLossError(f"the key {key!r} is no text") from None


def _length(extent: Any) -> int:
    """-1 stands for the whole axis."""
    return extent.length if extent.WhichOneof("has_length") else -1


def _cut(text: bytes, lengths: list[int]) -> Iterator[bytes]:
    start = 0
    for length in lengths:
        yield text[start : start + length]
        start += length
