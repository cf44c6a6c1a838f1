"""Lists of tensors between Python and native code (native/lists)."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ...core.specs import ListSpec
from ...errors import UnimplementedError
from ...ops.lists.list_value import ListValue
from ..native.records import ENTRY, LIST, MAXIMUM_RANK

Array = np.ndarray[Any, Any]
LEAST_CAPACITY: Final = 4


@dataclass(frozen=True, slots=True, eq=False)
class NativeList:
    """A list value in native form, which the program copies before any change.

    `held`: the memory that its record points to.
    """

    record: Array
    held: tuple[Array, ...]

    @property
    def address(self) -> int:
        return self.record.ctypes.data


def native_list(value: ListValue) -> NativeList:
    """Raises UnimplementedError where an element has too many axes."""
    record = np.zeros((), LIST.dtype)
    record["length"] = len(value)
    record["itemsize"] = value.dtype.size
    shapes: set[tuple[int, ...]] = {item.shape for item in value.items if item is not None}
    known = value.shape.as_tuple() if value.shape.is_fully_defined() else None
    _check_ranks([*shapes, known or ()])
    if len(shapes) > 1:
        return _write_ragged(value, record)
    shape = shapes.pop() if shapes else known
    if shape is None:
        return NativeList(record, ())
    return _write_uniform(value, record, tuple(size or 0 for size in shape))


def _check_ranks(shapes: list[Any]) -> None:
    most = max(len(shape) for shape in shapes)
    if most > MAXIMUM_RANK:
        raise UnimplementedError(
            f"compiled code holds lists of tensors of up to {MAXIMUM_RANK} axes, not {most}"
        )


def _write_uniform(value: ListValue, record: Array, shape: tuple[int, ...]) -> NativeList:
    """Elements in a row, then a byte for each: whether it was written."""
    capacity = max(len(value), LEAST_CAPACITY)
    size = int(np.prod(shape, dtype=int)) * value.dtype.size
    memory = np.zeros(capacity * (size + 1), np.uint8)
    rows = memory[: capacity * size].view(value.dtype.storage).reshape(capacity, *shape)
    for place, item in enumerate(value.items):
        if item is not None:
            rows[place] = item
            memory[capacity * size + place] = 1
    _put_data(record, 1 + len(shape), capacity, memory, size)
    record["sizes"][: len(shape)] = shape
    return NativeList(record, (memory,))


def _write_ragged(value: ListValue, record: Array) -> NativeList:
    """An entry for each element, then a byte for each."""
    capacity = max(len(value), LEAST_CAPACITY)
    memory = np.zeros(capacity * (ENTRY.bytes + 1), np.uint8)
    entries = memory[: capacity * ENTRY.bytes].view(ENTRY.dtype)
    held = [memory]
    for place, item in enumerate(value.items):
        if item is None:
            continue
        own = np.array(item)  # of its own, in row-major order
        held.append(own)
        entry = entries[place]
        entry["data"], entry["rank"], entry["bytes"] = own.ctypes.data, own.ndim, own.nbytes
        entry["sizes"][: own.ndim] = own.shape
        memory[capacity * ENTRY.bytes + place] = 1
    _put_data(record, 1, capacity, memory, ENTRY.bytes)
    record["ragged"] = 1
    return NativeList(record, tuple(held))


def _put_data(record: Array, shaped: int, capacity: int, memory: Array, size: int) -> None:
    record["shaped"], record["capacity"] = shaped, capacity
    record["data"], record["bytes"] = memory.ctypes.data, size


def list_at(address: int, spec: ListSpec) -> ListValue:
    """The value of the native list there."""
    found = LIST.at(address)
    dtype, items = spec.element.dtype, [None] * found["length"]
    if found["ragged"]:
        items = _items_of_entries(found, dtype.storage)
    elif found["shaped"]:
        items = _items_in_row(found, dtype.storage)
    return ListValue(dtype, spec.element.shape, items)


def _items_in_row(found: dict[str, Any], dtype: np.dtype[Any]) -> list[Array | None]:
    size, shape = found["bytes"], tuple(found["sizes"][: found["shaped"] - 1])
    flags = ctypes.string_at(found["data"] + found["capacity"] * size, found["length"])
    return [
        copy_from(found["data"] + place * size, shape, dtype) if written else None
        for place, written in enumerate(flags)
    ]


def _items_of_entries(found: dict[str, Any], dtype: np.dtype[Any]) -> list[Array | None]:
    entries = ENTRY.several_at(found["data"], found["length"])
    columns = (entries[name].tolist() for name in ("data", "rank", "sizes"))
    return [
        copy_from(memory, tuple(sizes[:rank]), dtype) if memory else None
        for memory, rank, sizes in zip(*columns, strict=True)
    ]


def copy_from(address: int, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """An array of its own with the elements at `address`."""
    result = np.empty(shape, dtype)
    if result.nbytes:
        ctypes.memmove(result.ctypes.data, address, result.nbytes)
    return result
