"""The variables of one staged statement: as they are before it, and put back between its blocks."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterable, Sequence
from types import CodeType, FunctionType
from typing import Any

from tensormill.autograph.weak_identity import WeakIdentityMap
from tensormill.core import tree

from .. import tensors
from ..places import containers
from ..places.discovery import Found, LentPlaces, PlacesBefore
from ..places.state import Place, existing_places, variables
from ..places.watched_containers import Guard, Watched
from ..sentinels import NO_VALUE, UNSET
from .tracing import after_tracing

Finder = Callable[[], Place | None]

# The names of what statements have changed by their calls, by the code of their facts.
_discovered: WeakIdentityMap[CodeType, frozenset[str]] = WeakIdentityMap()


class StatementVariables:
    """What a statement may change.

    `places` come out of it. Variables that only an inner function may still read (`kept`) come
    out if they have a value before; otherwise they are put back, like `scratch`. `returned` is the
    flag of a function that has returned. `handled`: a `try` around catches what is raised inside.
    `elsewhere`: those variables that belong to a function around. `lent`: what calls are given,
    `objects`: the same of functions around, whose attributes may change.
    """

    def __init__(
        self,
        state: FunctionType | None = None,
        kept: FunctionType | None = None,
        scratch: FunctionType | None = None,
        places: tuple[Finder, ...] = (),
        returned: FunctionType | None = None,
        watched: tuple[Watched, ...] = (),
        handled: bool = False,
        elsewhere: FunctionType | None = None,
        lent: FunctionType | None = None,
        objects: FunctionType | None = None,
    ) -> None:
        self.handled = handled
        self._lent = LentPlaces(variables(lent), variables(objects))
        self._code = next((one.__code__ for one in (lent, objects) if one is not None), None)
        optional = variables(kept)
        self.places = variables(state)
        self.places += [place for place in optional if place.get() is not UNSET]
        self.places = _with_others(self.places, existing_places(places))
        self.places += self._lent.staged_lists(self.places)
        self._inside = [place for place in optional if place.get() is UNSET] + variables(scratch)
        expected = self._expected()
        self._first_discovered = len(self.places)
        self.places += expected
        self._snapshot = PlacesBefore(self._lent.places([*self.places, *self._inside]))
        self.before = [place.get() for place in self.places]
        _mark_elsewhere(self.places, variables(elsewhere))
        # A list that others know must stay the list that it is.
        self.shared = containers.shared_lists(self.before)
        self.rebound = [False] * len(self.places)
        self._inside_before = [place.get() for place in self._inside]
        self._returned = variables(returned)
        self._watched = watched

    def run(self, block: Callable[[], None], statement: str, values: Iterable[Any]) -> list[Any]:
        """Run a block with these values in the places, and return what it leaves there.

        Of lists and dicts the block gets copies. It may show that there are more places: those are
        the last ones.
        """
        copies = self._put_copies(values)
        try:
            found = self._run(block, statement)
            left = [place.get() for place in self.places]
        finally:
            for copy in copies:
                containers.count_holder(copy, -1)
        self.rebound = [
            was or value is not copy
            for was, value, copy in zip(self.rebound, left, copies, strict=True)
        ]
        left += self._adopt(found)
        if any(flag.get() is True for flag in self._returned):
            # Nothing that the user wrote runs any more, so nothing reads what is unset.
            return [NO_VALUE if value is UNSET else value for value in left]
        return left

    def _run(self, block: Callable[[], None], statement: str) -> list[Found]:
        guard = Guard(self._watched, self.places)
        self._snapshot.restore()
        block()
        found = self._snapshot.find()
        guard.check(statement)
        return found

    def _adopt(self, found: Sequence[Found]) -> list[Any]:
        """Take more places for state; what the block has left there."""
        for place, _, is_rebound in found:
            place.is_elsewhere = place.owner is not None
            self.places.append(place)
            self.before.append(place.get())
            self.rebound.append(is_rebound)
        self.shared += containers.shared_lists(self.before)[len(self.shared) :]
        if self._code is not None and found:
            names = _discovered.get(self._code) or frozenset()
            _discovered.set(self._code, names | {one.place.name for one in found})
        return [one.left for one in found]

    def discovered(self) -> range:
        """Where, among the places, those are that only calls change."""
        return range(self._first_discovered, len(self.places))

    def is_discovered(self, name: str) -> bool:
        return any(self.places[k].name == name for k in self.discovered())

    def leave_alone(self, names: Collection[str]) -> list[Place]:
        """Let the trace do to these discovered places what it does, for good; those that are."""
        self._snapshot.forget(names)
        gone = [k for k in self.discovered() if self.places[k].name in names]
        places = [self.places[k] for k in gone]
        for k in reversed(gone):
            for values in (self.places, self.before, self.rebound, self.shared):
                del values[k]
        if names and self._code is not None:
            known = _discovered.get(self._code) or frozenset()
            _discovered.set(self._code, known - set(names))
        return places

    def _expected(self) -> list[Place]:
        """What the statement has changed by its calls when it was traced before.

        Statements around it are traced anew for the same places: without this, the innermost one
        would be traced twice as often for each of them.
        """
        names = self._code and _discovered.get(self._code)
        if not names:
            return []
        places = self._lent.places([*self.places, *self._inside])
        return [place for place in places if place.name in names]

    def _put_copies(self, values: Iterable[Any]) -> list[Any]:
        """What is in the places now. It is held: another object must not come to lie there."""
        self._put_back()
        copies: list[Any] = []
        for place, value in zip(self.places, values, strict=True):
            place.set(containers.own_copy(value))
            copies.append(place.get())
            containers.count_holder(copies[-1], 1)
        return copies

    def put(self, values: Iterable[Any]) -> None:
        """Leave the statement: what comes out has these values.

        A list or dict that the statement changed in place is still the same object.
        """
        self._put_back()
        rows = zip(self.places, values, self.before, self.rebound, strict=True)
        for place, value, before, rebound in rows:
            is_same = not rebound and value is not before and containers.put_back(before, value)
            place.set(before if is_same else value)
            if value is not before and place.is_elsewhere:
                for known in (before, place.owner):
                    containers.count_holder(known, 1)
                after_tracing(functools.partial(_take_back, place, before))

    def show(self, values: Iterable[Any]) -> None:
        """Let the places have these values for a while."""
        self._put_back()
        for place, value in zip(self.places, values, strict=True):
            place.set(value)

    def restore(self) -> None:
        self.show(self.before)

    def _put_back(self) -> None:
        for place, value in zip(self._inside, self._inside_before, strict=True):
            place.set(value)


def _with_others(places: list[Place], others: list[Place]) -> list[Place]:
    """These places, and those of the others that are not within one of them.

    A list of which a tensor chooses items is one of them: its other items are with it.
    """
    whole = [place for place in others if place.owner is None]
    places = [*places, *_others(whole, places, set())]
    held = containers.containers_inside(place.get() for place in places)
    return [*places, *_others(others, places, held)]


def _others(places: Iterable[Place], known: Iterable[Place], held: set[int]) -> list[Place]:
    """Those that are neither known nor within something `held`."""
    names = {place.name for place in known}
    return list({
        place.name: place
        for place in places
        if id(place.owner) not in held and place.name not in names
    }.values())  # fmt: skip


def _mark_elsewhere(places: Iterable[Place], outer: Iterable[Place]) -> None:
    """Note which places live longer than the trace."""
    names = {place.name for place in outer}
    for place in places:
        place.is_elsewhere = place.owner is not None or place.name in names


def _take_back(place: Place, before: Any) -> None:
    """Leave no tensor of a trace in the user's objects: nobody could use it."""
    for known in (before, place.owner):
        containers.count_holder(known, -1)
    value = place.get()
    if any(map(tensors.is_symbolic, tree.flatten(value, expand_composites=True))):
        place.set(before)
