"""Serialized examples read in Python: the slow twin of native code, and what it should do.

    Example { Features features = 1 }
    Features { map<string, Feature> feature = 1 }
    Feature { BytesList bytes_list = 1; FloatList float_list = 2; Int64List int64_list = 3 }

Each of the three lists has values as field 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ...core.native_examples import (
    BYTES,
    DAMAGED,
    FLOATS,
    INTEGERS,
    MISSING,
    NO_LIST,
    OTHER_KIND,
    Array,
    WantedFeatures,
)
from .wire import DELIMITED, FIXED32, VARINT, WireError, WireReader, tag

_FIRST: Final = tag(1, DELIMITED)
_SECOND: Final = tag(2, DELIMITED)
_KINDS: Final = {tag(kind, DELIMITED): kind for kind in (BYTES, FLOATS, INTEGERS)}


class FoundInPython:
    """What is in some examples (`core/native_examples.py`)."""

    def __init__(self, texts: Sequence[bytes], wanted: WantedFeatures) -> None:
        shape = len(texts), len(wanted.keys)
        self.whole = np.zeros(shape[0], bool)
        self.counts = np.full(shape, MISSING, np.int64)
        self._values: dict[tuple[int, int], list[Any]] = {}
        for number, text in enumerate(texts):
            features = features_of(text, wanted)
            self.whole[number] = features is not None
            for place, feature in (features or {}).items():
                values = values_of(feature, wanted.kinds[place])
                if isinstance(values, int):
                    self.counts[number, place] = values
                else:
                    self.counts[number, place] = len(values)
                    self._values[number, place] = values

    def take(self, starts: Array, outs: Sequence[Array | None]) -> None:
        for (number, place), values in self._values.items():
            out, start = outs[place], starts[number, place]
            if out is not None:
                out.reshape(-1)[start : start + len(values)] = values


def features_of(text: bytes, wanted: WantedFeatures) -> dict[int, bytes] | None:
    """The serialized features of an example that are wanted; None where it cannot be read."""
    found: dict[int, bytes] = {}
    reader = WireReader(text)
    try:
        while not reader.is_done():
            if reader.begins(_FIRST):
                _take_features(reader.part(), wanted, found)
            else:
                reader.skip()
    except WireError:
        return None
    return found


def _take_features(reader: WireReader, wanted: WantedFeatures, found: dict[int, bytes]) -> None:
    while not reader.is_done():
        reader.require(_FIRST)
        key, feature = entry(reader.part())
        if key in wanted.keys:
            place = wanted.keys.index(key)
            if feature or wanted.keeps_empty[place]:
                found[place] = feature


def entry(reader: WireReader) -> tuple[bytes, bytes]:
    """A key and a value, in any order, and nothing else."""
    parts = {_FIRST: b"", _SECOND: b""}
    for _ in parts:
        said = reader.length()
        if said not in parts:
            raise WireError
        begin, end = reader.span()
        parts[said] = reader.data[begin:end]
    if not reader.is_done():
        raise WireError
    return parts[_FIRST], parts[_SECOND]


def values_of(feature: bytes, kind: int) -> list[Any] | int:
    """The values of a serialized feature; or what is wrong with it."""
    if not feature:
        return MISSING
    found = _KINDS.get(feature[0])
    if found is None:
        return NO_LIST
    if found != kind:
        return OTHER_KIND - found
    try:
        return _READERS[kind](WireReader(feature, 1).part())
    except WireError:
        return DAMAGED


def _texts(reader: WireReader) -> list[bytes]:
    found: list[bytes] = []
    while not reader.is_done():
        reader.require(_FIRST)
        begin, end = reader.span()
        found.append(reader.data[begin:end])
    return found


def _floats(reader: WireReader) -> list[float]:
    if reader.begins(_FIRST):
        size = reader.length() // 4 * 4
        if size > reader.end - reader.at:
            raise WireError
        return _numbers(reader.data[reader.at : reader.at + size])
    found: list[float] = []
    while not reader.is_done():
        reader.require(tag(1, FIXED32))
        if reader.end - reader.at < 4:
            raise WireError
        found += _numbers(reader.data[reader.at : reader.at + 4])
        reader.at += 4
    return found


def _numbers(data: bytes) -> list[Any]:
    return list(np.frombuffer(data, "<f4"))  # as they are: Python's floats would change NaNs


def _integers(reader: WireReader) -> list[int]:
    found: list[int] = []
    is_packed = reader.begins(_FIRST)
    if is_packed:
        reader = reader.part()
    while not reader.is_done():
        if not is_packed:
            reader.require(tag(1, VARINT))
        found.append(_signed(reader.number()))
    return found


def _signed(number: int) -> int:
    return number - 2**64 if number >= 2**63 else number


_READERS: Final = {BYTES: _texts, FLOATS: _floats, INTEGERS: _integers}
