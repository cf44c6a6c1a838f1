"""All objects of a kind that are alive, whichever threads make them meanwhile."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import Final, Generic, TypeVar

Kept = TypeVar("Kept")


class LiveObjects(Generic[Kept]):
    """A set that keeps none of its objects alive.

    Threads may add while others look through it: that is done in one step of C. `weakref.WeakSet`
    takes a step of Python for each object, and fails where one comes between.
    """

    __slots__ = ("_references",)

    def __init__(self) -> None:
        self._references: Final[set[weakref.ref[Kept]]] = set()

    def add(self, one: Kept) -> None:
        self._references.add(weakref.ref(one, self._references.discard))

    def __iter__(self) -> Iterator[Kept]:
        """Those that are there now and live when it is their turn."""
        for reference in self._references.copy():
            if (one := reference()) is not None:
                yield one
