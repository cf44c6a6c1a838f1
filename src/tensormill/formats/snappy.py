"""Decompression of Snappy blocks (google/snappy, format_description.txt)."""

from __future__ import annotations

from ..core.varints import read_varint
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
