"""Fields of messages in protocol buffers' wire format, by the types that descriptors give them.

What fields hold is read as it is written: numbers that an enum does not have, strings that are no
UTF-8 and members of a oneof beside each other are there, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np

from ...core.process.named_tuples import NamedTuple
from .wire import DELIMITED, FIXED32, FIXED64, VARINT, WireError, WireReader, tag

Array = Any
GROUP, GROUP_END = 3, 4  # ways a field is written, beside those of `wire`
GROUP_TYPE: Final = 10
# Types, by protobuf's numbers (descriptor.proto), as NumPy has them.
_FIXED: Final = {1: "<f8", 2: "<f4", 6: "<u8", 7: "<u4", 15: "<i4", 16: "<i8"}
_VARINTS: Final = {3: "i8", 4: "u8", 5: "i4", 8: "?", 13: "u4", 14: "i4", 17: "i4", 18: "i8"}
_ZIGZAG: Final = (17, 18)
_LONGEST: Final = 10  # bytes of a number


class WirePart(NamedTuple):
    """A field of serialized bytes: its number, how it is written, and where."""

    number: int
    kind: int
    start: int
    end: int


class NumberRows(NamedTuple):
    """How many numbers each row has, and the numbers of all of them."""

    counts: Array
    numbers: Array


def kind_of(type_number: int) -> int:
    """How one value of a type is written."""
    if type_number in _VARINTS:
        return VARINT
    if type_number in _FIXED:
        return FIXED64 if np.dtype(_FIXED[type_number]).itemsize == 8 else FIXED32
    return GROUP if type_number == GROUP_TYPE else DELIMITED


def is_number(type_number: int) -> bool:
    return type_number in _VARINTS or type_number in _FIXED


# ---------------------------------------------------------------- reading


def parts_of(data: bytes) -> Iterator[WirePart]:
    """The fields of a message, in turn; a group is one, with its tags.

    Raises:
        WireError: these bytes are no message.
    """
    reader = WireReader(data)
    while not reader.is_done():
        begin = reader.at
        part = _next_part(reader)
        if part.kind == GROUP:
            _skip_group(reader, part.number)
            part = WirePart(part.number, GROUP, begin, reader.at)
        elif part.kind == GROUP_END:
            raise WireError
        yield part


def _next_part(reader: WireReader) -> WirePart:
    """What comes next; of a group, its first or last tag."""
    number, kind = divmod(reader.length(), 8)
    start = reader.at
    if kind == VARINT:
        reader.number()
    elif kind == DELIMITED:
        start, reader.at = reader.span()
    elif kind in (FIXED64, FIXED32):
        reader.at += 8 if kind == FIXED64 else 4
    elif kind not in (GROUP, GROUP_END):
        raise WireError
    if number == 0 or reader.at > reader.end:
        raise WireError
    return WirePart(number, kind, start, reader.at)


def _skip_group(reader: WireReader, number: int) -> None:
    opened = [number]
    while opened:
        part = _next_part(reader)
        if part.kind == GROUP:
            opened.append(part.number)
        elif part.kind == GROUP_END and opened.pop() != part.number:
            raise WireError


def numbers_in(rows: Sequence[Sequence[bytes]], type_number: int) -> NumberRows:
    """The numbers that are written one after another in the parts of each row.

    Raises:
        WireError: a part ends within a number.
    """
    sizes = np.array([sum(map(len, row)) for row in rows], np.int64)
    data = np.frombuffer(b"".join(part for row in rows for part in row), np.uint8)
    if type_number in _VARINTS:
        if any(part[-1] > 127 for row in rows for part in row if part):
            raise WireError
        return _varints_in(data, np.cumsum(sizes), type_number)
    dtype = np.dtype(_FIXED[type_number])
    if any(len(part) % dtype.itemsize for row in rows for part in row):
        raise WireError
    return NumberRows(sizes // dtype.itemsize, data.view(dtype))


def _varints_in(data: Array, row_ends: Array, type_number: int) -> NumberRows:
    is_last = data < 128
    lasts = np.flatnonzero(is_last)
    before = np.concatenate([[0], np.cumsum(is_last)])
    counts = np.diff(before[row_ends], prepend=0)
    begins = np.concatenate([[0], lasts[:-1] + 1]) if len(lasts) else lasts
    lengths = lasts - begins + 1
    if (lengths > _LONGEST).any():
        raise WireError
    places = np.arange(len(data)) - np.repeat(begins, lengths)
    bits = (data & 127).astype(np.uint64) << (7 * places).astype(np.uint64)
    whole = np.bitwise_or.reduceat(bits, begins) if len(lasts) else bits
    return NumberRows(counts, _from_bits(whole, type_number))


def _from_bits(bits: Array, type_number: int) -> Array:
    dtype = np.dtype(_VARINTS[type_number])
    if dtype.kind == "b":
        return bits != 0
    natural = bits.astype(f"u{dtype.itemsize}")
    if type_number in _ZIGZAG:
        natural = (natural >> 1) ^ -(natural & 1)
    return natural.view(dtype)


# ---------------------------------------------------------------- writing


def written_numbers(
    values: Array, counts: Array, number: int, type_number: int, is_packed: bool
) -> list[bytes]:
    """A field of each row, which has the next `counts` of the numbers; those that its type does not
    have wrap around.
    """
    data, ends = _each_written(values, type_number)
    bounds = np.concatenate([[0], ends])
    rows = np.concatenate([[0], np.cumsum(counts)])
    if is_packed:
        bodies = [data[begin:end] for begin, end in pairwise(bounds[rows].tolist())]
        return [written_bytes(body, number) if body else b"" for body in bodies]
    first = varint(tag(number, kind_of(type_number)))
    each = [first + data[begin:end] for begin, end in pairwise(bounds.tolist())]
    return [b"".join(each[begin:end]) for begin, end in pairwise(rows.tolist())]


def written_bytes(value: bytes, number: int, type_number: int = 0) -> bytes:
    """A field of bytes, or a group of what is in it."""
    if type_number == GROUP_TYPE:
        return varint(tag(number, GROUP)) + value + varint(tag(number, GROUP_END))
    return varint(tag(number, DELIMITED)) + varint(len(value)) + value


class WrittenNumbers(NamedTuple):
    """Numbers one after another, and where each ends."""

    data: bytes
    ends: Array


def _each_written(values: Array, type_number: int) -> WrittenNumbers:
    if type_number in _FIXED:
        dtype = np.dtype(_FIXED[type_number])
        with np.errstate(over="ignore"):
            data = values.astype(dtype).tobytes()
        return WrittenNumbers(data, np.arange(1, len(values) + 1) * dtype.itemsize)
    bits = _to_bits(values.astype(_VARINTS[type_number]), type_number)
    lengths = np.ones(len(bits), np.int64)
    for place in range(1, _LONGEST):
        lengths += bits >= np.uint64(1 << 7 * place)
    ends = np.cumsum(lengths)
    places = np.arange(lengths.sum()) - np.repeat(ends - lengths, lengths)
    written = ((np.repeat(bits, lengths) >> (7 * places).astype(np.uint64)) & 127) | 128
    written[ends - 1] &= 127
    return WrittenNumbers(written.astype(np.uint8).tobytes(), ends)


def _to_bits(stored: Array, type_number: int) -> Array:
    if type_number in _ZIGZAG:
        sign = stored >> (8 * stored.itemsize - 1)
        stored = ((stored << 1) ^ sign).view(f"u{stored.itemsize}")
    if stored.dtype.kind == "i":
        stored = stored.astype(np.int64)
    return stored.astype(np.uint64)


def varint(value: int) -> bytes:
    """A number from 0 on, seven bits a byte, the lowest ones first."""
    made = bytearray()
    while value > 127:
        made.append(value & 127 | 128)
        value >>= 7
    made.append(value)
    return bytes(made)
