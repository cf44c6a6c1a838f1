"""Record files (TFRecord), as TensorFlow's core/lib/io/record_writer.h describes them.

length   8 bytes, the lowest first
masked CRC-32C of these, 4 bytes
data     `length` bytes
masked CRC-32C of the data, 4 bytes
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final, Protocol

from ..errors import DataLossError
from .checksums import masked_crc32c

_LENGTH: Final = struct.Struct("<QI")  # with its checksum
_HEADER: Final = _LENGTH.size
_FOOTER: Final = 4
FRAME: Final = _HEADER + _FOOTER  # bytes that a record takes beyond its data


class Source(Protocol):
    """What is read one piece after the other; `read` gives less than asked for at its end."""

    name: str

    @property
    def offset(self) -> int: ...

    def read(self, count: int, /) -> bytes: ...


class SourceAhead(Source, Protocol):
    """A source of which some of what comes next can be seen, without waiting for more than one
    byte of it.
    """

    def ahead(self) -> bytes: ...


def record(data: bytes) -> bytes:
    """`data` as a record."""
    length = struct.pack("<Q", len(data))
    checks = (struct.pack("<I", masked_crc32c(part)) for part in (length, data))
    return length + next(checks) + data + next(checks)


def records(source: SourceAhead) -> Iterator[bytes]:
    """The data of each record: those that are seen already together, which is quicker.

    Raises:
        DataLossError: a checksum is wrong, or the last record is cut off.
    """
    while True:
        found, used = sound_records(source.ahead())
        source.read(used)
        yield from found
        data = next_record(source)
        if data is None:
            return
        yield data


def sound_records(data: bytes) -> tuple[list[bytes], int]:
    """The records at the beginning of `data` that are there to their ends and right, and how many
    bytes these take. What is wrong with the next is `next_record`'s to say.
    """
    found: list[bytes] = []
    at, last = 0, len(data) - FRAME
    while at <= last:
        begin = at + _HEADER
        size, length_check = _LENGTH.unpack_from(data, at)
        end = begin + size
        if end > last + _HEADER or masked_crc32c(data[at : begin - 4]) != length_check:
            break
        content = data[begin:end]
        if masked_crc32c(content) != int.from_bytes(data[end : end + _FOOTER], "little"):
            break
        found.append(content)
        at = end + _FOOTER
    return found, at


def next_record(source: Source) -> bytes | None:
    """The data of the next record; None at the end of the file.

    Raises:
        DataLossError: a checksum is wrong, or the record is cut off.
    """
    length = _checked(source, 8, "length", may_end=True)
    return _checked(source, int.from_bytes(length, "little"), "data") if length else None


def _checked(source: Source, size: int, what: str, may_end: bool = False) -> bytes:
    """The next `size` bytes, which their checksum follows; none where the file ends, and may."""
    place = source.offset
    data = source.read(size + 4)
    if not data and may_end:
        return data
    if len(data) != size + 4:
        raise DataLossError(
            f"{source.name}: truncated record at {place}: its {what} has {len(data)} of "
            f"{size + 4} bytes"
        )
    content, (wanted,) = data[:size], struct.unpack("<I", data[size:])
    if masked_crc32c(content) != wanted:
        raise DataLossError(
            f"{source.name}: corrupted record at {place}: the checksum of its {what} is wrong"
            + (" (is this a TFRecord file?)" if place == 0 else "")
        )
    return content
