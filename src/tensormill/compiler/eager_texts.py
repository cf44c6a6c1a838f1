"""Python's strings as spans of bytes and back, by native code (native/texts.py).

The slow twins are in ops/strings/spans/spans.py: few strings are theirs, and all where it is not
known how objects lie in memory.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any, Final

import numpy as np

from ..ops.strings.spans import spans
from .calling import object_layouts
from .machine.cache import open_cache
from .machine.jit import NativeModule, compile_module, load_module, object_key
from .native import texts

Array = np.ndarray[Any, Any]
# From so many strings on a call of native code is worth its while (measured).
MANY: Final = 16
_ADDRESS, _NUMBER = ctypes.c_void_p, ctypes.c_int64
# All of them keep Python's lock: they look into objects, or make some.
_FUNCTIONS: Final = {
    "tm_texts_measure": ctypes.PYFUNCTYPE(
        _NUMBER, _ADDRESS, _NUMBER, _NUMBER, _NUMBER, _ADDRESS, _ADDRESS
    ),
    "tm_texts_take": ctypes.PYFUNCTYPE(
        None, _ADDRESS, _NUMBER, _NUMBER, _ADDRESS, _ADDRESS, _ADDRESS
    ),
    "tm_texts_new": ctypes.PYFUNCTYPE(_NUMBER, _ADDRESS, _ADDRESS, _NUMBER, _ADDRESS, _ADDRESS),
}


def spans_in(strings: Array) -> tuple[Array, Array, Array]:
    """The spans of an array of strings: starts, stops, bytes."""
    if strings.size < MANY or not _is_known() or not strings.flags.c_contiguous:
        return spans.spans_in(strings)
    starts, stops = (np.empty(strings.shape, np.int64) for _ in range(2))
    objects, count, header = strings.ctypes.data, strings.size, object_layouts.bytes_header()
    places = starts.ctypes.data, stops.ctypes.data
    size_at = object_layouts.bytes_size_slot()
    total = _function("tm_texts_measure")(objects, count, id(bytes), size_at, *places)
    if total < 0:
        return spans.spans_in(strings)  # which says what is wrong
    row = np.empty(total, np.uint8)
    _function("tm_texts_take")(objects, count, header, *places, row.ctypes.data)
    return starts, stops, row


def strings_of(starts: Array, stops: Array, row: Array) -> Array:
    """The strings of spans, which are in order in memory."""
    if starts.size < MANY or not _is_known():
        return spans.strings_of(starts, stops, row)
    made = np.empty(starts.shape, object)
    places = starts.ctypes.data, stops.ctypes.data
    if _function("tm_texts_new")(*places, made.size, row.ctypes.data, made.ctypes.data):
        raise MemoryError
    return made


@cache
def _is_known() -> bool:
    return object_layouts.are_known() and None not in (
        object_layouts.bytes_header(),
        object_layouts.bytes_size_slot(),
    )


@cache
def _function(name: str) -> Callable[..., int]:
    """A function of native/texts.py."""
    return _FUNCTIONS[name](_module(name).address(name))


@cache
def _module(name: str) -> NativeModule:
    """The machine code, kept until the process ends."""
    disk, source = open_cache(), f"{name}\n{texts.FUNCTIONS}"
    if found := load_module(object_key(source), name=name, cache=disk):
        return found
    from .llvm.exported import exported  # of no use to code that comes from the disk cache

    return compile_module(exported(name), name=name, cache_key=source, cache=disk)
