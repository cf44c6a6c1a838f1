"""Records: what lies where in memory that several fields share.

A record is stated once, as fields in the order in which they lie. Texts of functions name its
fields (`parse`), and Python reads and writes them as a structured array.
"""

from __future__ import annotations

import ctypes
from typing import Any, cast

import numpy as np

from ...core.dtypes import BY_SHORT
from ...core.process.named_tuples import NamedTuple


class RecordField(NamedTuple):
    """`elements` of `type` at byte `offset`; None: one element, which has no axis."""

    type: str
    offset: int
    elements: int | None

    @property
    def bytes(self) -> int:
        return size_of(self.type) * (1 if self.elements is None else self.elements)


class Record(NamedTuple):
    """Fields by their names, the bytes of all of them, and the same as NumPy knows it."""

    name: str
    fields: dict[str, RecordField]
    bytes: int
    dtype: np.dtype[Any]

    def at(self, address: int) -> dict[str, Any]:
        """The values of all fields there; addresses are numbers."""
        values = cast("tuple[Any, ...]", self.several_at(address, 1)[0].item())
        return {
            name: value.tolist() if isinstance(value, np.ndarray) else value
            for name, value in zip(self.fields, values, strict=True)
        }

    def several_at(self, address: int, count: int) -> np.ndarray[Any, Any]:
        """A copy of so many records in a row."""
        return np.frombuffer(ctypes.string_at(address, count * self.bytes), self.dtype)


def record(name: str, **fields: str) -> Record:
    """A record of fields in a row: `record("Block", next="ptr", sizes="i64[8]")`.

    Raises:
        ValueError: a field would not lie at a multiple of its size.
    """
    made: dict[str, RecordField] = {}
    offset = 0
    for field, shown in fields.items():
        type_, bracket, elements = shown.removesuffix("]").partition("[")
        size = size_of(type_)
        if not size or offset % size:
            raise ValueError(f"{name}.{field} is {shown} at byte {offset}")
        made[field] = RecordField(type_, offset, int(elements) if bracket else None)
        offset += made[field].bytes
    dtype = np.dtype([(field, _format(one)) for field, one in made.items()])
    return Record(name, made, offset, dtype)


def size_of(type_: str) -> int:
    """The bytes of an element; 0 where there is no such type (calls need no table of functions)."""
    if type_ == "ptr":
        return 8
    return BY_SHORT[type_].size if type_ in BY_SHORT else 0


def stored(type_: str) -> np.dtype[Any]:
    """How elements of a type are kept in NumPy's memory: addresses as numbers."""
    return np.dtype(np.uint64) if type_ == "ptr" else BY_SHORT[type_].storage


def _format(field: RecordField) -> Any:
    kept = stored(field.type)
    return kept if field.elements is None else (kept, (field.elements,))
