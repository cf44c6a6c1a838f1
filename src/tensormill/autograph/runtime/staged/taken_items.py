"""What the rounds of a loop take from Python's iterators, which nobody can turn back.

for x in xs:                       # a loop of the graph: its body is traced again
    x *= next(weights)             # the same item in each of its traces
"""

from __future__ import annotations

from collections.abc import Iterator
from types import GeneratorType
from typing import Any

from ..places.reachable_objects import ReachableObjects


class _Drawn:
    """What an iterator has given, and how much of that a trace has taken."""

    __slots__ = ("items", "iterator", "taken")

    def __init__(self, iterator: Iterator[Any]) -> None:
        self.iterator, self.items, self.taken = iterator, list[Any](), 0


class TakenItems:
    """The items that all rounds of a loop get from the iterators that were there before."""

    def __init__(self, before: ReachableObjects, outer: TakenItems | None) -> None:
        """`outer`: the items of a loop around."""
        self._before, self._outer = before, outer
        self._drawn = {id(one): _Drawn(one) for one in before.iterators}

    def begin(self) -> None:
        """A round begins with the first items."""
        for one in self._drawn.values():
            one.taken = 0

    def next(self, iterator: Iterator[Any]) -> Any:
        """The next item of an iterator that was there before.

        Raises:
            Exception: whatever the iterator raises, a StopIteration for example.
        """
        one = self._drawn[id(iterator)]
        if one.taken == len(one.items):
            one.items.append(self._new(iterator))
        one.taken += 1
        return one.items[one.taken - 1]

    def _new(self, iterator: Iterator[Any]) -> Any:
        if self._outer is not None:
            return next(self._outer.replayed(iterator))
        if not isinstance(iterator, GeneratorType):
            return next(iterator)
        changes = self._before.watch()
        try:
            return next(iterator)
        finally:  # its function will not do that again
            self._before.keep(changes())

    def check(self) -> None:
        """Raises ValueError where an iterator has gone on further than the last trace has."""
        for one in self._drawn.values():
            if one.taken < len(one.items):
                raise ValueError(
                    f"a loop that the graph runs takes {len(one.items)} items of {one.iterator!r} "
                    f"in one trace of its body, and {one.taken} in a later one. What is taken from "
                    "an iterator is gone: take the items in front of the loop"
                )

    def replayed(self, iterator: Iterator[Any]) -> Iterator[Any]:
        """The iterator, or what gives the same items in each trace."""
        return _Replayed(iterator, self) if id(iterator) in self._drawn else iterator


class _Replayed:
    """An iterator, for one trace."""

    def __init__(self, iterator: Iterator[Any], taken: TakenItems) -> None:
        self._iterator, self._taken = iterator, taken

    def __iter__(self) -> _Replayed:
        return self

    def __next__(self) -> Any:
        return self._taken.next(self._iterator)
