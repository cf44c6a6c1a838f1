"""Record files (TFRecord), as TensorFlow's core/lib/io/record_writer.h describes them.

length   8 bytes, the lowest first
masked CRC-32C of these, 4 bytes
data     `length` bytes
masked CRC-32C of the data, 4 bytes
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Protocol

from ..errors import DataLossError
from .checksums import masked_crc32c


class Source(Protocol):
    """What is read one piece after the other; `read` gives less than asked for at its end."""

    name: str

    @property
    def offset(self) -> int: ...

    def read(self, count: int, /) -> bytes: ...


def record(data: bytes) -> bytes:
    """`data` as a record."""
    length = struct.pack("<Q", len(data))
    checks = (struct.pack("<I", masked_crc32c(part)) for part in (length, data))
    return length + next(checks) + data + next(checks)


def records(source: Source) -> Iterator[bytes]:
    """The data of each record.

    Raises:
        DataLossError: a checksum is wrong, or the last record is cut off.
    """
    while length := _checked(source, 8, "length", may_end=True):
        (size,) = struct.unpack("<Q", length)
        yield _checked(source, size, "data")


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
