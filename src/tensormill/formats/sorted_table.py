"""Sorted tables of byte strings, in LevelDB's format (google/leveldb, doc/table_format.md).

A table is a list of blocks and a footer. A block holds keys in order, each without the beginning
that it shares with the key before it, and where keys are whole (`restarts`). The last block is the
index: a key between each data block and the next one → where that block lies.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from typing import IO, Final

from ..core.files.varints import read_varint, varint
from ..errors import DataLossError
from .checksums import crc32c, mask
from .snappy import decompress

_MAGIC: Final = 0xDB4775248B80FB57
_FOOTER: Final = 48
_TRAILER: Final = 5  # type of compression, checksum
_PLAIN, _SNAPPY = 0, 1
_BLOCK_SIZE: Final = 1 << 18
_RESTART_INTERVAL: Final = 16
# How many times as long as a table its keys together may be: they are stored without what they
# share, which a damaged table could make take any memory.
_LARGEST: Final = 100


def write_table(file: IO[bytes], entries: Mapping[bytes, bytes]) -> None:
    """Write `entries`, in the order of their keys."""
    index = _Block(restart_interval=1)
    block = _Block()
    position = 0
    ordered = sorted(entries)
    for number, key in enumerate(ordered, 1):
        block.add(key, entries[key])
        is_last = number == len(ordered)
        if is_last or block.size >= _BLOCK_SIZE:
            handle, position = _write_block(file, position, block)
            index.add(_successor(key) if is_last else _separator(key, ordered[number]), handle)
            block = _Block()
    meta, position = _write_block(file, position, _Block())
    top, position = _write_block(file, position, index)
    file.write((meta + top).ljust(_FOOTER - 8, b"\0") + struct.pack("<Q", _MAGIC))


class _Block:
    """Keys and values as they are added, in order."""

    def __init__(self, restart_interval: int = _RESTART_INTERVAL) -> None:
        self.restart_interval = restart_interval
        self.data = bytearray()
        self.restarts = [0]
        self.count = 0
        self.last_key = b""

    @property
    def size(self) -> int:
        return len(self.data) + 4 * len(self.restarts) + 4

    def add(self, key: bytes, value: bytes) -> None:
        shared = 0
        if self.count == self.restart_interval:
            self.restarts.append(len(self.data))
            self.count = 0
        elif self.count:
            shared = _common(self.last_key, key)
        self.data += varint(shared) + varint(len(key) - shared) + varint(len(value))
        self.data += key[shared:] + value
        self.last_key = key
        self.count += 1

    def contents(self) -> bytes:
        return bytes(self.data) + struct.pack(
            f"<{len(self.restarts) + 1}I", *self.restarts, len(self.restarts)
        )


def _common(one: bytes, other: bytes) -> int:
    """How many bytes both begin with."""
    for position, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return position
    return min(len(one), len(other))


def _separator(key: bytes, following: bytes) -> bytes:
    """A short key from `key` on, before `following`."""
    common = _common(key, following)
    if common < len(key) and key[common] + 1 < following[common]:
        return key[:common] + bytes([key[common] + 1])
    return key


def _successor(key: bytes) -> bytes:
    """A short key from `key` on."""
    for position, byte in enumerate(key):
        if byte != 0xFF:
            return key[:position] + bytes([byte + 1])
    return key


def _write_block(file: IO[bytes], position: int, block: _Block) -> tuple[bytes, int]:
    """Where the block lies, and where the next one will."""
    contents = block.contents()
    plain = bytes([_PLAIN])
    checksum = mask(crc32c(plain, crc32c(contents)))
    file.write(contents + plain + struct.pack("<I", checksum))
    return varint(position) + varint(len(contents)), position + len(contents) + _TRAILER


def read_table(data: bytes) -> dict[bytes, bytes]:
    """The entries of a table, in order.

    Raises:
        DataLossError: `data` are no whole, unchanged table.
    """
    if len(data) < _FOOTER:
        raise DataLossError(f"file is too short to be an sstable: {len(data)} bytes")
    footer = data[-_FOOTER:]
    if struct.unpack("<Q", footer[-8:])[0] != _MAGIC:
        raise DataLossError("not an sstable (bad magic number): cut off, or another kind of file")
    meta, position = _read_handle(footer, 0)
    index, _ = _read_handle(footer, position)
    _contents(data, meta)  # nobody needs it, but it should be whole
    entries: dict[bytes, bytes] = {}
    end = size = 0
    last = None
    for _, handle in _read_block(data, index):
        offset, length = _read_handle(handle, 0)[0]
        if offset < end:
            raise DataLossError(f"the block at {offset} of an sstable begins in the one before")
        end = offset + length + _TRAILER
        for key, value in _read_block(data, (offset, length)):
            if last is not None and key <= last:
                raise DataLossError("the keys of an sstable are out of order")
            size += len(key)
            if size > _LARGEST * len(data):
                raise DataLossError(f"the keys of an sstable of {len(data)} bytes share too much")
            entries[key], last = value, key
    return entries


def _read_handle(data: bytes, position: int) -> tuple[tuple[int, int], int]:
    """(offset, size) of a block, and the position after that."""
    offset, position = read_varint(data, position)
    size, position = read_varint(data, position)
    return (offset, size), position


def _read_block(data: bytes, handle: tuple[int, int]) -> Iterator[tuple[bytes, bytes]]:
    """Keys and values of a block."""
    contents = _contents(data, handle)
    if len(contents) < 4:
        raise DataLossError(f"a block of an sstable has {len(contents)} bytes only")
    restarts = struct.unpack("<I", contents[-4:])[0]
    end = len(contents) - 4 * (restarts + 1)
    if end < 0:
        raise DataLossError(f"a block of {len(contents)} bytes says it has {restarts} restarts")
    position, key = 0, b""
    while position < end:
        shared, position = read_varint(contents, position)
        own, position = read_varint(contents, position)
        size, position = read_varint(contents, position)
        if shared > len(key) or position + own + size > end:
            raise DataLossError(f"an entry of an sstable at byte {position} leaves its block")
        key = key[:shared] + contents[position : position + own]
        position += own + size
        yield key, contents[position - size : position]


def _contents(data: bytes, handle: tuple[int, int]) -> bytes:
    offset, size = handle
    block = data[offset : offset + size + _TRAILER]
    if len(block) < size + _TRAILER:
        raise DataLossError(f"truncated block read: {size} bytes at {offset} of {len(data)}")
    stored = struct.unpack("<I", block[-4:])[0]
    if mask(crc32c(block[:-4])) != stored:
        raise DataLossError(f"block checksum mismatch: {size} bytes at {offset} were changed")
    if block[size] == _SNAPPY:
        return decompress(block[:size])
    if block[size] != _PLAIN:
        raise DataLossError(f"the block at {offset} is compressed in an unknown way")
    return block[:size]
