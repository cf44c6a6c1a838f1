"""Integers of variable length, seven bits in a byte, the lowest first."""

from __future__ import annotations

from ...errors import DataLossError


def varint(number: int) -> bytes:
    """`number` ≥ 0 encoded."""
    made = bytearray()
    while number > 0x7F:
        made.append(number & 0x7F | 0x80)
        number >>= 7
    made.append(number)
    return bytes(made)


def read_varint(data: bytes, position: int) -> tuple[int, int]:
    """The number at `position`, and the position after it.

    Raises:
        DataLossError: the data end within it, or it has more than 64 bits.
    """
    number = 0
    for shift in range(0, 70, 7):
        if position >= len(data):
            raise DataLossError(f"a number at byte {position} is cut off by the end of the data")
        byte = data[position]
        position += 1
        number |= (byte & 0x7F) << shift
        if byte < 0x80:
            return number, position
    raise DataLossError(f"the number before byte {position} has more than 64 bits")
