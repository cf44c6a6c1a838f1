"""Characters of texts in encodings whose characters have one size: of single bytes, and UTF-16."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final

from ....core import dtypes
from ....core.process.named_tuples import NamedTuple
from ...array.concatenation import concat
from ...array.fill import range as range_tensor
from ...array.gather import gather
from ...array.rearrangement import repeat
from ...array.select import where
from ...array.shapes import reshape, size
from ...conversion import as_tensor
from ...math.cast import cast
from ...math.comparison import logical_and
from ...math.reduce import reduce_all
from ...math.scan import cumsum
from .spans import LONG, Spans, packed

# Encodings in which a byte that is a character by itself is one wherever it stands.
_SINGLE: Final = re.compile(r"ascii|iso8859-\d+|cp\d+|koi8-[rtu]|mac-\w+")
_PAIRS: Final = ("utf-16-be", "utf-16-le")
_NONE: Final = -1
_HALVES: Final = range(0xD800, 0xE000)  # of pairs, which UTF-16 has for one character


class FoundCharacters(NamedTuple):
    """The rows of the characters of texts; `is_sure`: whether they are right, None: always."""

    splits: Any
    numbers: Any
    starts: Any
    is_sure: Any = None


@lru_cache(32)
def single_bytes(codec: str) -> tuple[int, ...] | None:
    """The character of each byte, or _NONE; None where bytes do not tell that alone."""
    if not _SINGLE.fullmatch(codec):
        return None
    found: list[int] = []
    for byte in range(256):
        try:
            text = bytes([byte]).decode(codec)
        except UnicodeDecodeError:
            text = ""
        found.append(ord(text) if len(text) == 1 else _NONE)
    return tuple(found)


def characters_of_one_size(codec: str, texts: Spans, with_starts: bool) -> FoundCharacters | None:
    """The characters of texts, a list; None where the encoding is another one."""
    table = single_bytes(codec)
    if table is None and codec not in _PAIRS:
        return None
    whole, unit = packed(texts), 1 if table else 2
    lengths = whole.stops - whole.starts
    if table:
        numbers = gather(as_tensor(table, dtypes.int32), cast(whole.bytes, dtypes.int32))
        is_sure = reduce_all(numbers >= 0)
    else:
        numbers = _of_pairs(whole.bytes, high=codec == "utf-16-be")
        outside = (numbers < _HALVES.start) | (numbers >= _HALVES.stop)
        is_sure = logical_and(reduce_all(outside), reduce_all(lengths % 2 == 0))
    counts = lengths // unit
    splits = concat([as_tensor([0], LONG), cumsum(counts)], 0)
    numbers = numbers if table else numbers[: splits[-1]]  # fewer where bytes are odd: the kernel's
    starts = None
    if with_starts:
        begun = repeat(splits[:-1], counts)
        starts = (range_tensor(size(begun, LONG)) - begun) * unit
    return FoundCharacters(splits, numbers, starts, is_sure)


def _of_pairs(row: Any, high: bool) -> Any:
    """Numbers of two bytes each, of which the first or the last is the `high` one."""
    count = size(row, LONG) // 2
    pairs = cast(reshape(row[: count * 2], [-1, 2]), dtypes.int32)
    first, last = pairs[:, 0], pairs[:, 1]
    return first * 256 + last if high else last * 256 + first


def without_controls(found: FoundCharacters, replacement: int) -> FoundCharacters:
    """With another character for those below 0x20; not for what is none."""
    is_control = logical_and(found.numbers >= 0, found.numbers < 0x20)
    numbers = where(is_control, as_tensor(replacement, dtypes.int32), found.numbers)
    return found._replace(numbers=numbers)
