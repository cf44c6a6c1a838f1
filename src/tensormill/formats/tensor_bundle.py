"""TensorFlow's tensor bundles: named arrays in files (tensorflow/core/util/tensor_bundle).

`<prefix>.index` is a sorted table of BundleEntryProto by name, a BundleHeaderProto under the empty
name, and the parts of partitioned tensors under their `slice_key`. The arrays lie one after another
in `<prefix>.data-00000-of-00001` (or more shards), as memory has them; see `strings_as_bytes`.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import Any, Final

import numpy as np
from google.protobuf.message import DecodeError

from ..core import dtypes
from ..core.dtypes import BY_ENUM, DType
from ..core.files.gfile import text, translated
from ..core.files.varints import read_varint
from ..core.shapes import TensorShape
from ..core.specs import TensorSpec
from ..errors import DataLossError, NotFoundError, UnimplementedError
from ..graph.proto.messages import message
from .bundle_writer import BIG_ENDIAN, VERSION, fixed_lengths
from .checksums import crc32c, mask, masked_crc32c
from .data_files import (
    data_name,
    index_name,
)
from .slice_keys import Extent, slice_key
from .sorted_table import read_table

Array = np.ndarray[Any, Any]

_MOST_AXES: Final = 64  # NumPy's limit


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
        self._swapped = header.endianness != BIG_ENDIAN
        if header.version.min_consumer > VERSION:
            raise UnimplementedError(
                f"{path} needs a reader of version {header.version.min_consumer} or newer; this "
                f"one is {VERSION}"
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

    def read_part(self, key: str, spans: tuple[slice, ...]) -> Array:
        """A part of a tensor: a slice of each axis; raises what `read` does.

        One that is stored by itself is all that is read.
        """
        entry = self._entry(key)
        wanted = tuple(range(size)[one] for one, size in zip(spans, entry.shape, strict=True))
        for extents in entry.parts:
            if self._place(key, extents, entry) == wanted:
                part = self._stored_entry(slice_key(key, extents))
                if part.dtype != entry.dtype or part.shape != tuple(map(len, wanted)):
                    raise self._loss(key, f"a part of shape {part.shape} lies at {list(wanted)}")
                return self._read(key, part, self._dtype(key, entry))
        return self.read(key)[spans].copy()

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
        made = np.zeros(entry.shape, dtype.storage)
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
            return np.empty(entry.shape, dtype.storage)
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
        plain = crc32c(fixed_lengths(lengths))
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
