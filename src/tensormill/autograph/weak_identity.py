"""A table about objects that forgets them when they die."""

from __future__ import annotations

import weakref
from functools import partial
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class WeakIdentityMap(Generic[Key, Value]):
    """Values by the identity of their keys. A value must not refer to its key.

    Not a `WeakKeyDictionary`: equal code objects of two files are two keys here.
    """

    def __init__(self) -> None:
        self._entries: dict[int, tuple[weakref.ref[Key], Value]] = {}

    def get(self, key: Key) -> Value | None:
        entry = self._entries.get(id(key))
        return entry[1] if entry is not None else None

    def set(self, key: Key, value: Value) -> None:
        identity, entries = id(key), self._entries
        reference = weakref.ref(key, partial(entries.pop, identity))
        entries[identity] = (reference, value)

    def __contains__(self, key: Key) -> bool:
        return id(key) in self._entries

    def __len__(self) -> int:
        return len(self._entries)
