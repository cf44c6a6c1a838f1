"""Serialized examples read by native code (native/examples.py), for operations that parse them."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from itertools import accumulate
from typing import Final

import numpy as np

from ..core.native_examples import BYTES, Array, ExampleReader, WantedFeatures
from ..core.process.named_tuples import NamedTuple
from .calling.object_layouts import bytes_header, data_of
from .machine.cache import open_cache
from .machine.jit import NativeModule, compile_module, load_module, object_key
from .machine.pages import refusal
from .native import examples
from .native.names import THREAD_FUNCTIONS
from .native.records import EXAMPLES
from .native.symbols import symbols_of

_ADDRESS: Final = ctypes.c_void_p
# The functions that Python calls: what they take. All of them give up Python's lock meanwhile, but
# for the one that makes objects.
_FUNCTIONS: Final = {
    "tm_examples_find": ctypes.CFUNCTYPE(None, _ADDRESS),
    "tm_examples_numbers": ctypes.CFUNCTYPE(None, *[_ADDRESS] * 3, ctypes.c_int64),
    "tm_examples_texts": ctypes.PYFUNCTYPE(ctypes.c_int64, *[_ADDRESS] * 3, ctypes.c_int64),
    "tm_examples_contents": ctypes.CFUNCTYPE(None, *[_ADDRESS] * 3, ctypes.c_int64),
}
# Bytes that are read, or numbers that are written, in some 50 microseconds: with fewer, a thread is
# quicker than waking another. With a fifth of them a block is long enough.
_ALONE, _BLOCK = 64 << 10, 12 << 10
_PRIME, _BASIS, _WORD = 1099511628211, 14695981039346656037, 2**64 - 1  # of FNV-1a


def reader() -> ExampleReader | None:
    """What reads here; None where the system lets no native code be made, or where it is not known
    how strings lie in memory.
    """
    return None if bytes_header() is None or refusal() is not None else FoundNatively


class FoundNatively:
    """What is in some examples."""

    def __init__(self, texts: Sequence[bytes], wanted: WantedFeatures) -> None:
        count, shape = len(texts), (len(texts), len(wanted.keys))
        self._texts, self._kinds, self._header = texts, wanted.kinds, bytes_header() or 0
        self._places = np.fromiter(map(id, texts), np.int64, count) + self._header
        self._sizes = np.fromiter(map(len, texts), np.int64, count)
        self.whole = np.empty(count, bool)
        self._found = np.empty((3, *shape), np.int64)
        self.counts = self._found[0]
        self._table = _table(wanted)
        self._job = self._described(shape)
        _function("tm_examples_find")(data_of(self._job))

    def take(self, starts: Array, outs: Sequence[Array | None]) -> None:
        places = np.array([0 if out is None else data_of(out) for out in outs], np.int64)
        job = data_of(self._job), data_of(starts), data_of(places)
        kinds = zip(self._kinds, outs, strict=True)
        pairs = [(kind == BYTES, out.nbytes) for kind, out in kinds if out is not None]
        if size := sum(size for is_text, size in pairs if not is_text):
            _function("tm_examples_numbers")(*job, _grain(len(self.counts), size))
        if any(is_text for is_text, _ in pairs) and _function("tm_examples_texts")(
            *job, self._header
        ):
            _function("tm_examples_contents")(*job, self._header)

    def _described(self, shape: tuple[int, int]) -> Array:
        """The record Examples; its numbers and addresses are words."""
        table, found = self._table, data_of(self._found)
        words = {
            "count": shape[0], "features": shape[1], "mask": table.mask,
            "texts": data_of(self._places), "sizes": data_of(self._sizes),
            "whole": data_of(self.whole), "counts": found,
            "grain": _grain(shape[0], int(self._sizes.sum())),
            "places": found + self.counts.nbytes, "lengths": found + 2 * self.counts.nbytes,
            **table.addresses,
        }  # fmt: skip
        return np.array([words[name] for name in EXAMPLES.fields], np.int64)


def _grain(count: int, size: int) -> int:
    """How many of so many examples, of so many bytes together, a thread takes at once."""
    return max(count * _BLOCK // size if size > _ALONE else count, 1)


class KeyTable(NamedTuple):
    """What is looked for, as the record Examples has it."""

    mask: int
    addresses: dict[str, int]
    arrays: dict[str, Array]  # which are kept with it


@lru_cache(1024)
def _table(wanted: WantedFeatures) -> KeyTable:
    slots = np.full(1 << (4 * len(wanted.keys)).bit_length(), -1, np.int64)
    mask = len(slots) - 1
    for feature, key in enumerate(wanted.keys):
        slot = _hash(key) & mask
        while slots[slot] >= 0:
            slot = (slot + 1) & mask
        slots[slot] = feature
    arrays = {
        "keys": np.frombuffer(b"".join(wanted.keys) + b"\0", np.uint8),
        "ends": np.array([0, *accumulate(map(len, wanted.keys))], np.int64),
        "slots": slots,
        "kinds": np.array(wanted.kinds, np.int64),
        "keeps": np.array(wanted.keeps_empty, np.uint8),
    }
    return KeyTable(mask, {name: data_of(one) for name, one in arrays.items()}, arrays)


def _hash(key: bytes) -> int:
    """As `tm_example_feature` reckons it."""
    found = _BASIS
    for byte in key:
        found = (found ^ byte) * _PRIME & _WORD
    return found


@cache
def _function(name: str) -> Callable[..., int]:
    """A function of native/examples.py."""
    return _FUNCTIONS[name](_module(name).address(name))


@cache
def _module(name: str) -> NativeModule:
    """The machine code, kept until the process ends."""
    disk, source = open_cache(), f"{name}\n{examples.FUNCTIONS}"
    symbols = symbols_of(THREAD_FUNCTIONS)
    if found := load_module(object_key(source), name=name, symbols=symbols, cache=disk):
        return found
    from .llvm.exported import exported  # of no use to code that comes from the disk cache

    text = exported(name)
    return compile_module(text, name=name, symbols=symbols, cache_key=source, cache=disk)
