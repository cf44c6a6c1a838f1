"""Protocol buffers' wire format, read as TensorFlow's parsers of examples read it.

A field is a tag (its number and how it is written) and a value:
https://protobuf.dev/programming-guides/encoding/
"""

from __future__ import annotations

from typing import Final

VARINT, FIXED64, DELIMITED, FIXED32 = 0, 1, 2, 5
_LONGEST: Final = 10  # bytes of a number
_LENGTH_BITS: Final = 2**32 - 1


class WireError(Exception):
    """These bytes are not what they should be."""


class WireReader:
    """Reads bytes from `at` to `end`. What says that it is longer than that ends there.

    Raises:
        WireError: something is not there.
    """

    __slots__ = ("at", "data", "end")

    def __init__(self, data: bytes, at: int = 0, end: int | None = None) -> None:
        self.data, self.at = data, at
        self.end = len(data) if end is None else end

    def is_done(self) -> bool:
        return self.at >= self.end

    def number(self) -> int:
        """The next number, of 64 bits at most; higher ones are dropped."""
        if self.at < self.end and self.data[self.at] < 128:
            self.at += 1
            return self.data[self.at - 1]
        value = 0
        for place, byte in enumerate(self.data[self.at : min(self.end, self.at + _LONGEST)]):
            value |= (byte & 127) << (7 * place)
            if byte < 128:
                self.at += place + 1
                return value & (2**64 - 1)
        raise WireError

    def length(self) -> int:
        """The next number as lengths and tags are read: 32 bits of it."""
        return self.number() & _LENGTH_BITS

    def begins(self, tag: int) -> bool:
        """Whether the next byte is this one, which is skipped then."""
        found = self.at < self.end and self.data[self.at] == tag
        self.at += found
        return found

    def require(self, tag: int) -> None:
        """Skip this byte."""
        if not self.begins(tag):
            raise WireError

    def part(self) -> WireReader:
        """A reader of what comes next, as long as its length says; this one goes on behind it."""
        size = self.length()
        begin, self.at = self.at, min(self.end, self.at + size)
        return WireReader(self.data, begin, self.at)

    def span(self) -> tuple[int, int]:
        """Where the bytes that come next begin and end; all that their length says are there."""
        size = self.length()
        if size > self.end - self.at:
            raise WireError
        self.at += size
        return self.at - size, self.at

    def skip(self) -> None:
        """Skip a field that nobody knows."""
        kind = self.length() & 7
        if kind == VARINT:
            self.number()
        elif kind == DELIMITED:
            size = self.length()
            if size < 2**31:
                self.at = min(self.end, self.at + size)
        elif kind in (FIXED64, FIXED32):
            size = 8 if kind == FIXED64 else 4
            if size > self.end - self.at:
                raise WireError
            self.at += size
        else:
            raise WireError


def tag(number: int, kind: int) -> int:
    """The byte that a field begins with."""
    return number << 3 | kind
