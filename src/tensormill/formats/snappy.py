"""Snappy blocks (google/snappy, format_description.txt), and files of them.

TensorFlow writes a file as one block after the other, each behind its length in four bytes, the
highest first.
"""

from __future__ import annotations

from typing import Final

from ..core.files.varints import read_varint, varint
from ..errors import DataLossError


def decompress(data: bytes) -> bytes:
    """What was compressed.

    Raises:
        DataLossError: `data` are no whole Snappy block.
    """
    length, position = read_varint(data, 0)
    made = bytearray()
    while position < len(data):
        tag, position = data[position], position + 1
        if tag & 3 == 0:
            position = _literal(data, position, tag >> 2, made)
        else:
            position = _copy(data, position, tag, made)
    if len(made) != length:
        raise DataLossError(f"a Snappy block has {len(made)} bytes and says {length}")
    return bytes(made)


def _literal(data: bytes, position: int, code: int, made: bytearray) -> int:
    """Bytes as they are; lengths over 60 follow the tag in 1 to 4 bytes."""
    extra = max(0, code - 59)
    if extra:
        code = int.from_bytes(_take(data, position, extra), "little")
    made += _take(data, position + extra, code + 1)
    return position + extra + code + 1


def _copy(data: bytes, position: int, tag: int, made: bytearray) -> int:
    """Bytes that came before, `offset` back; they may overlap what they make."""
    if tag & 3 == 1:
        length, size, high = (tag >> 2 & 7) + 4, 1, tag >> 5 << 8
    else:
        length, size, high = (tag >> 2) + 1, 2 if tag & 3 == 2 else 4, 0
    offset = high | int.from_bytes(_take(data, position, size), "little")
    if not 0 < offset <= len(made):
        raise DataLossError(f"a Snappy block refers {offset} bytes back, of {len(made)} there are")
    pattern = bytes(made[-offset:])
    made += (pattern * (length // offset + 1))[:length]
    return position + size


def _take(data: bytes, position: int, size: int) -> bytes:
    taken = data[position : position + size]
    if len(taken) < size:
        raise DataLossError(f"a Snappy block ends at byte {len(data)}, {size} more were announced")
    return taken


# ---------------------------------------------------------------- writing

# Copies reach back as far as two bytes can say, and make at most so many bytes.
_REACH: Final = (1 << 16) - 1
_LONGEST_COPY: Final = 64
_SHORTEST_MATCH: Final = 4
# After so many looks that found nothing, every second byte is looked at, then every third, …
_PATIENCE: Final = 32
# How many bytes a block of a file stands for: TensorFlow reads at most twice as many.
BLOCK: Final = 1 << 17


def compress(data: bytes) -> bytes:
    """A Snappy block."""
    made = bytearray(varint(len(data)))
    seen: dict[bytes, int] = {}
    position = start = 0
    looks = _PATIENCE
    while position <= len(data) - _SHORTEST_MATCH:
        key = data[position : position + _SHORTEST_MATCH]
        before = seen.get(key, -_REACH - 1)
        seen[key] = position
        if position - before > _REACH:
            position += looks // _PATIENCE
            looks += 1
            continue
        length = _common_length(data, before, position)
        _add_literal(made, data[start:position])
        _add_copy(made, position - before, length)
        position += length
        start, looks = position, _PATIENCE
    _add_literal(made, data[start:])
    return bytes(made)


def _common_length(data: bytes, one: int, other: int) -> int:
    """How many bytes are the same from the two places on."""
    begin, step, size = other, 1 << 12, len(data)
    while step:
        same = other + step <= size and data[one : one + step] == data[other : other + step]
        if same:
            one, other = one + step, other + step
        else:
            step >>= 2
    return other - begin


def _add_literal(made: bytearray, literal: bytes) -> None:
    if not literal:
        return
    code = len(literal) - 1
    if code < 60:
        made.append(code << 2)
    else:
        size = (code.bit_length() + 7) // 8
        made.append(59 + size << 2)
        made += code.to_bytes(size, "little")
    made += literal


def _add_copy(made: bytearray, offset: int, length: int) -> None:
    back = offset.to_bytes(2, "little")
    made += (bytes([_LONGEST_COPY - 1 << 2 | 2]) + back) * (length // _LONGEST_COPY)
    rest = length % _LONGEST_COPY
    if rest:
        made += bytes([rest - 1 << 2 | 2]) + back


class BlockCompressor:
    """Makes the bytes of a file of blocks, as `zlib.compressobj` does."""

    def __init__(self) -> None:
        self._held = bytearray()

    def compress(self, data: bytes) -> bytes:
        """What can be written after `data`."""
        self._held += data
        made = bytearray()
        while len(self._held) >= BLOCK:
            made += _framed(bytes(self._held[:BLOCK]))
            del self._held[:BLOCK]
        return bytes(made)

    def flush(self) -> bytes:
        """The rest."""
        rest, self._held = bytes(self._held), bytearray()
        return _framed(rest) if rest else b""


def _framed(data: bytes) -> bytes:
    block = compress(data)
    return len(block).to_bytes(4, "big") + block
