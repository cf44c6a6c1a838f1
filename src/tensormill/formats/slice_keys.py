"""The keys under which parts of tensors are stored in a bundle.

A key is in "ordered code", where encodings sort as what they encode does: 0, the tensor's name,
its number of axes, then (start, length) of every axis. A length of -1 stands for the whole axis.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

Extent = tuple[int, int]


def slice_key(name: str, extents: Sequence[Extent]) -> bytes:
    """The key of the part `extents` of the tensor called `name`."""
    return b"".join(_pieces(name, extents))


def _pieces(name: str, extents: Sequence[Extent]) -> Iterable[bytes]:
    yield unsigned(0)
    yield string(name.encode())
    yield unsigned(len(extents))
    for start, length in extents:
        yield signed(start)
        yield signed(length)


def unsigned(number: int) -> bytes:
    """The number of bytes, then these, the highest first."""
    size = (number.bit_length() + 7) // 8
    return bytes([size]) + number.to_bytes(size, "big")


def string(text: bytes) -> bytes:
    """The bytes 0 and 255 are escaped, so that an end mark can follow."""
    return re.sub(b"[\0\xff]", lambda byte: byte[0] + bytes([255 - byte[0][0]]), text) + b"\0\1"


def signed(number: int) -> bytes:
    """Two's complement, the highest byte first; as many leading bits inverted as it has bytes."""
    magnitude = number if number >= 0 else ~number
    size = magnitude.bit_length() // 7 + 1
    inverted = ((1 << size) - 1) << 7 * size
    return ((number & (1 << 8 * size) - 1) ^ inverted).to_bytes(size, "big")
