"""Lists of tensors between Python and native code (native/lists.py, native/ragged_lists.py)."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ...core.specs import ListSpec
from ...errors import UnimplementedError
from ...ops.lists.list_value import ListValue
from ..native.lists import MAXIMUM_RANK
from ..native.ragged_lists import BYTES_AT, ENTRY_BYTES, RANK_AT

Array = np.ndarray[Any, Any]
LIST_WORDS: Final = 16  # length, capacity, itemsize, shaped, data, bytes, 8 sizes, ragged
LEAST_CAPACITY: Final = 4
RAGGED: Final = 14
ENTRY_WORDS: Final = ENTRY_BYTES // 8


@dataclass(frozen=True, slots=True, eq=False)
class NativeList:
    """A list value in native form, which the program copies before any change.

    `held`: the memory that its words point to.
    """

    words: Array
    held: tuple[Array, ...]

    @property
    def address(self) -> int:
        return self.words.ctypes.data


def native_list(value: ListValue) -> NativeList:
    """Raises UnimplementedError where an element has too many axes."""
    words = np.zeros(LIST_WORDS, np.int64)
    words[0] = len(value)
    words[2] = value.dtype.size
    shapes: set[tuple[int, ...]] = {item.shape for item in value.items if item is not None}
    known = value.shape.as_tuple() if value.shape.is_fully_defined() else None
    _check_ranks([*shapes, known or ()])
    if len(shapes) > 1:
        return _ragged(value, words)
    shape = shapes.pop() if shapes else known
    if shape is None:
        return NativeList(words, ())
    return _uniform(value, words, tuple(size or 0 for size in shape))


def _check_ranks(shapes: list[Any]) -> None:
    most = max(len(shape) for shape in shapes)
    if most > MAXIMUM_RANK:
        raise UnimplementedError(
            f"compiled code holds lists of tensors of up to {MAXIMUM_RANK} axes, not {most}"
        )


def _uniform(value: ListValue, words: Array, shape: tuple[int, ...]) -> NativeList:
    """Elements in a row, then a byte for each: whether it was written."""
    capacity = max(len(value), LEAST_CAPACITY)
    size = int(np.prod(shape, dtype=int)) * value.dtype.size
    memory = np.zeros(capacity * (size + 1), np.uint8)
    rows = memory[: capacity * size].view(value.dtype.numpy).reshape(capacity, *shape)
    for place, item in enumerate(value.items):
        if item is not None:
            rows[place] = item
            memory[capacity * size + place] = 1
    words[1] = capacity
    words[3:6] = 1 + len(shape), memory.ctypes.data, size
    words[6 : 6 + len(shape)] = shape
    return NativeList(words, (memory,))


def _ragged(value: ListValue, words: Array) -> NativeList:
    """An entry for each element, then a byte for each."""
    capacity = max(len(value), LEAST_CAPACITY)
    memory = np.zeros(capacity * (ENTRY_BYTES + 1), np.uint8)
    entries = memory[: capacity * ENTRY_BYTES].view(np.int64).reshape(capacity, ENTRY_WORDS)
    held = [memory]
    for place, item in enumerate(value.items):
        if item is None:
            continue
        own = np.array(item)  # of its own, in row-major order
        held.append(own)
        entries[place, 0] = own.ctypes.data
        entries[place, 1 : 1 + own.ndim] = own.shape
        entries[place, RANK_AT // 8], entries[place, BYTES_AT // 8] = own.ndim, own.nbytes
        memory[capacity * ENTRY_BYTES + place] = 1
    words[1] = capacity
    words[3:6] = 1, memory.ctypes.data, ENTRY_BYTES
    words[RAGGED] = 1
    return NativeList(words, tuple(held))


def list_at(address: int, spec: ListSpec) -> ListValue:
    """The value of the native list there."""
    words = (ctypes.c_int64 * LIST_WORDS).from_address(address)
    count, shaped = words[0], words[3]
    dtype, shape = spec.element.dtype, spec.element.shape
    if not shaped:
        return ListValue(dtype, shape, (None,) * count)
    return ListValue(dtype, shape, [_item_at(words, k, dtype.numpy) for k in range(count)])


def _item_at(words: Any, place: int, dtype: np.dtype[Any]) -> Array | None:
    capacity, data, size = words[1], words[4], words[5]
    address = data + place * size
    if words[RAGGED]:
        entry = (ctypes.c_int64 * ENTRY_WORDS).from_address(address)
        rank = entry[RANK_AT // 8]
        return copy_from(entry[0], tuple(entry[1 : 1 + rank]), dtype) if entry[0] else None
    if not ctypes.c_uint8.from_address(data + capacity * size + place).value:
        return None
    return copy_from(address, tuple(words[6 : 6 + words[3] - 1]), dtype)


def copy_from(address: int, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """An array of its own with the elements at `address`."""
    result = np.empty(shape, dtype)
    if result.nbytes:
        ctypes.memmove(result.ctypes.data, address, result.nbytes)
    return result
