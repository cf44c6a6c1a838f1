"""Protocol buffers' bytes, written by hand: whole messages and wrong ones. It knows NumPy only, so
that TensorFlow's answers can be recorded beside it.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Final


def varint(number: int) -> bytes:
    number &= 2**64 - 1
    made = bytearray()
    while number > 127:
        made.append(number & 127 | 128)
        number >>= 7
    return bytes([*made, number])


def tag(field: int, kind: int) -> bytes:
    return varint(field << 3 | kind)


def part(field: int, data: bytes) -> bytes:
    """A field whose length is written before it."""
    return tag(field, 2) + varint(len(data)) + data


def floats(*values: float) -> bytes:
    return struct.pack(f"<{len(values)}f", *values)


# The three lists, with their values in a packed run or each with a tag.


def packed_integers(*values: int) -> bytes:
    return part(1, b"".join(map(varint, values)))


def tagged_integers(*values: int) -> bytes:
    return b"".join(tag(1, 0) + varint(value) for value in values)


def packed_floats(*values: float) -> bytes:
    return part(1, floats(*values))


def tagged_floats(*values: float) -> bytes:
    return b"".join(tag(1, 5) + floats(value) for value in values)


def texts(*values: bytes) -> bytes:
    return b"".join(part(1, value) for value in values)


BYTES, FLOATS, INTEGERS = 1, 2, 3


def feature(key: bytes, data: bytes) -> bytes:
    """An entry of the map of features."""
    return part(1, part(1, key) + part(2, data))


def features(*entries: bytes) -> bytes:
    return part(1, b"".join(entries))


def example(**lists: list[int] | list[float] | list[bytes]) -> bytes:
    """A serialized Example of features with these values."""
    return features(*(feature(key.encode(), values_of(found)) for key, found in lists.items()))


def sequence_example(context: bytes, **lists: list[list[int] | list[float] | list[bytes]]) -> bytes:
    """A serialized SequenceExample of lists of features with these values; the context is that of
    an Example.
    """
    entries = [
        part(1, part(1, key.encode()) + part(2, b"".join(part(1, values_of(one)) for one in steps)))
        for key, steps in lists.items()
    ]
    return context + part(2, b"".join(entries))


_WRITERS: Final[dict[type, tuple[int, Callable[..., bytes]]]] = {
    int: (INTEGERS, packed_integers), float: (FLOATS, packed_floats), bytes: (BYTES, texts),
}  # fmt: skip


def values_of(values: list[int] | list[float] | list[bytes]) -> bytes:
    """A serialized Feature; of no values, an empty one."""
    if not values:
        return b""
    kind, write = _WRITERS[type(values[0])]
    return part(kind, write(*values))
