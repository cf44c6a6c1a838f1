"""Containers that eager code knows by several names, where the graph has one for each name.

    c = a if tensor else b
    c["v"] *= 10            # changes a or b, too
    rows.append(c)          # in a list of the graph: its elements are copies

What a staged statement leaves is a container of its own. Nobody can tell, as long as none of those
that should be one is changed. So what they hold then is noted, and the trace is refused where they
hold something else at the end of the block around, or of the function.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ....core.process.named_tuples import NamedTuple
from .. import tensors
from .containers import Held, KnownContainer
from .in_place import Contents, ways
from .records import is_record
from .state import Place


class Alias:
    """Containers that should be one, which `name` was to stand for at the line `where`."""

    def __init__(
        self, name: str, where: str, containers: Iterable[Any], *, is_element: bool = False
    ) -> None:
        """`is_element`: the list that the element is in has a copy already."""
        self.name, self.where, self.containers = name, where, [*containers]
        self.is_element = is_element
        self._contents = Contents(self.containers)
        self._held = Held([*self.containers, *self._contents.held()])

    def is_changed(self) -> bool:
        """Whether one of them has changed since: the others have not."""
        return self._contents.is_changed()

    def refusal(self) -> ValueError:
        return ValueError(
            f"{self.where}: '{self.name}' is a container that is known elsewhere, too, and one of "
            "them is changed where staged code has made them two. Python would change both, the "
            f"graph cannot. Assign or append a copy here: {copied(self.containers[0])}"
        )


class Later(NamedTuple):
    """An alias of which it is known where its containers will be when a statement ends."""

    alias: Alias
    containers: Sequence[Any]  # or Kept

    def found(self) -> Alias | None:
        now = [one.now() if isinstance(one, Kept) else one for one in self.containers]
        found = {id(one): one for one in now if one is not None}
        alias = self.alias
        is_element = alias.is_element or any(one is None for one in now)  # of a list of the graph
        if len(found) + is_element < 2:
            return None
        return Alias(alias.name, alias.where, found.values(), is_element=is_element)


class Kept(NamedTuple):
    """The container that will be in a place, at the end of a way."""

    place: Place
    way: str

    def now(self) -> Any:
        return ways(self.place.get()).get(self.way)


def copied(container: Any) -> str:
    """How a copy of a container is written."""
    if is_record(container):
        return "dataclasses.replace(…)"
    return "dict(…)" if isinstance(container, dict) else "list(…)"


class BlockEnd:
    """Which containers a block was given and has left, by the number of the place and the way."""

    def __init__(
        self,
        given: Sequence[Mapping[str, Any]],
        start: Contents,
        left: Sequence[Any],
        known: Sequence[Sequence[KnownContainer]],
        inside: Iterable[Any],
        holders: Mapping[int, int],
    ) -> None:
        self.given, self.start = given, start
        self.left = [ways(one) for one in left]
        self._known, self._holders = known, holders
        everywhere = (*self.left, *map(ways, inside))
        self._named = Counter(id(one) for found in everywhere for one in found.values())
        self._first = {id(one): (k, way) for k, way, one in _each(given)}
        self.owners: set[int] = set()  # of places that have another value

    def is_kept(self, k: int, way: str) -> bool:
        return self.left[k].get(way) is self.given[k][way]

    def changed(self, container: Any) -> bool:
        """Whether the block was given it, and has changed it."""
        return id(container) in self.owners or self.start.has_changed(container)

    def first(self, container: Any) -> tuple[int, str] | None:
        """Where the block was given it."""
        return self._first.get(id(container))

    def place_left(self, container: Any) -> tuple[int, str] | None:
        """Where the block has left it: where it was, or somewhere."""
        first = self.first(container)
        if first is not None and self.is_kept(*first):
            return first
        return next(((k, way) for k, way, one in _each(self.left) if one is container), None)

    def kept(self, k: int) -> Iterator[str]:
        """The ways to Python's containers that the block has changed, and left where they were."""
        for way, one in self.given[k].items():
            is_pythons = not tensors.is_staged_list(one)
            if is_pythons and self.is_kept(k, way) and self.start.has_changed(one):
                yield way

    def lost(self) -> Iterator[tuple[int, str]]:
        """Where containers were that the block has changed, and put others in the place of: not
        lists of the graph, or that have become some.
        """
        for k, way, one in _each(self.given):
            is_grown = any(map(tensors.is_staged_list, (one, self.left[k].get(way))))
            if not self.is_kept(k, way) and not is_grown and self.start.has_changed(one):
                yield k, way

    def is_known_elsewhere(self, k: int, way: str) -> bool:
        """Whether others know a container that the block was given than the places do."""
        identity = id(self.given[k][way])
        return self._holders[identity] > self._named[identity]

    def reached(self, start: set[tuple[int, str]]) -> set[tuple[int, str]]:
        """Where containers may come, some iterations later, that begin at these ways."""
        reached = set(start)
        moves = [(self._first.get(id(one)), (k, way)) for k, way, one in _each(self.left)]
        while more := {to for origin, to in moves if origin in reached} - reached:
            reached |= more
        return reached

    def aliases(self) -> Iterator[tuple[int, str, Any]]:
        """Containers that the block has put somewhere, and that others know, too."""
        for k, found in enumerate(self._known):
            for one in found:
                container = self.left[k].get(one.way)
                if one.holders > 1 and container is not None:
                    if self.given[k].get(one.way) is not container:
                        yield k, one.way, container


def _each(rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[int, str, Any]]:
    return ((k, way, one) for k, known in enumerate(rows) for way, one in known.items())
