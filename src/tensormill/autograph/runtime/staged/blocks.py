"""The variables of one staged statement: as they are before it, and put back between its blocks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from ..places import containers
from ..places import in_place as own
from ..places.aliases import Alias, BlockEnd, Kept, Later, copied
from ..places.discovery import Found, LentPlaces, PlacesBefore, holds_symbolic
from ..places.state import Place, variables
from ..places.watched_containers import Guard, changed_error
from ..sentinels import NO_VALUE, UNSET
from . import tracing
from .facts import StatementFacts, StatementPlace, places_of
from .tracing import after_tracing


class StatementVariables:
    """What a statement may change, by what is said of it; `repeats`: it is a loop."""

    def __init__(self, facts: StatementFacts, *, repeats: bool = False) -> None:
        self._facts, self._repeats = facts, repeats
        self._lent = LentPlaces(facts.lent, facts.objects)
        self._returned = variables(facts.returned)
        # Variables that a block binds to the container that they have, which others know, too.
        self.kept_containers: set[str] = set()
        # What was wrong with the last block, if it was the last one.
        self.refusal: ValueError | None = None
        self._aliases: list[Later] = []
        self._stale: Alias | None = None
        self._holders: dict[int, int] = {}
        self.places: list[StatementPlace] = []
        places, inside = places_of(facts, self._lent, repeats)
        self._add(places)
        self._inside = [(place, place.get()) for place in inside]
        self._look_at_others()

    def _add(self, places: Sequence[StatementPlace]) -> None:
        """Take these for places, and note who knows the containers in them: a list that others
        know, too, must stay the list that it is.
        """
        values = [one.place.get() for one in places]
        known = containers.known_containers(values)
        for one, value, within in zip(places, values, known, strict=True):
            one.before, one.shared = value, {each.way for each in within if each.holders > 1}
            self._holders |= {each.identity: each.holders for each in within}
        self.places += places
        self._look_at_containers()

    def _look_at_containers(self) -> None:
        """Note what is in the containers that blocks work on."""
        self._contents = own.Contents(one.before for one in self.places if not one.is_bound)

    def _look_at_others(self) -> None:
        known = [one.place for one in self.places] + [place for place, _ in self._inside]
        self._snapshot = PlacesBefore(self._lent.places(known), self._contents)

    def run(self, block: Callable[[], None], statement: str, values: Iterable[Any]) -> list[Any]:
        """Run a block with these values in the places, and return what it leaves there.

        It may show that there are more places: those are the last ones.
        """
        try:
            found, end, left = self._left(block, statement, self.show(values))
            self._note_identities(end, left)
            self.refusal = self._lost(end, statement) or self._note_aliases(end)
            if self.refusal is not None and not self._repeats:
                raise self.refusal
            left = [containers.own_copy(value) for value in left]
        finally:
            self._contents.restore()
        left += self._adopt(found)
        if any(flag.get() is True for flag in self._returned):
            # Nothing that the user wrote runs any more, so nothing reads what is unset.
            return [NO_VALUE if value is UNSET else value for value in left]
        return left

    def _note_identities(self, end: BlockEnd, left: Sequence[Any]) -> None:
        """Note which containers a block has kept, and which others it has put in their places."""
        self.kept_containers = set()
        for one, given, value in zip(self.places, end.given, left, strict=True):
            moved = own.moved(given, value)
            if one.is_bound and not containers.is_leaf(one.before):
                kept = own.unmoved(own.ways(one.before), value)
                moved -= kept
                is_changed = any(map(end.changed, given.values()))
                unmoved = one.shared - moved - one.moved
                if kept or (unmoved and (is_changed or self._is_in_place(one, unmoved))):
                    self.kept_containers.add(one.place.name)
            one.moved |= moved

    def _is_in_place(self, place: StatementPlace, shared: Collection[str]) -> bool:
        """Whether other variables, which no block binds, or items have such a container, too."""
        known = own.ways(place.before)
        owners = {id(one.place.owner) for one in self.places if one.place.owner is not None}
        return any((one := known.get(way)) in self._contents or id(one) in owners for way in shared)

    def _lost(self, end: BlockEnd, statement: str) -> ValueError | None:
        """What is wrong where others know what a block has changed and then replaced."""
        bound = ((k, one.shared) for k, one in enumerate(self.places) if one.is_bound)
        reached = end.reached({(k, way) for k, shared in bound for way in shared})
        for k, one in enumerate(self.places):
            known = own.ways(one.before) if one.is_bound else {}
            for way in one.shared & {*known}:
                # By another name, while this one has a copy, which goes on.
                if end.changed(known[way]) and end.place_left(end.given[k].get(way)) is not None:
                    return _lost(one.place.name + way, statement, known[way])
            one.changed |= {way for way in end.kept(k) if end.is_known_elsewhere(k, way)}
            for way in one.changed & one.moved:  # in another block
                return _lost(one.place.name + way, statement, one.before)
        for k, way in end.lost():
            one = self.places[k]
            if (k, way) in reached if one.is_bound else end.is_known_elsewhere(k, way):
                return _lost(one.place.name + way, statement, end.given[k][way])
        return None

    def _note_aliases(self, end: BlockEnd) -> ValueError | None:
        """Note which containers that the block has left should be others, too; what is wrong where
        one of them is changed.
        """
        if self._repeats:
            self._aliases.clear()
        within = tracing.take_aliases()
        if self._stale is not None:
            return self._stale.refusal()
        named: list[tuple[Alias, Kept]] = []
        for k, way, one in end.aliases():
            place = self.places[k].place
            alias = Alias(place.name + way, tracing.user_line(), [one])
            named.append((alias, Kept(place, way)))
        for alias in (*within, *(one for one, _ in named)):
            if alias.is_changed() or (self._repeats and any(map(end.changed, alias.containers))):
                return alias.refusal()
        for alias in within:
            later = [self._later(end, one) or self._left_in(end, one) for one in alias.containers]
            self._aliases.append(Later(alias, later))
        for alias, kept in named:
            (one,) = alias.containers
            self._aliases.append(Later(alias, [kept, self._later(end, one) or one]))
        return None

    def _later(self, end: BlockEnd, container: Any) -> Any:
        """What a container that the block was given will be when the statement ends."""
        if (first := end.first(container)) is None:
            return None
        k, way = first
        one = self.places[k]
        if end.is_kept(k, way):
            return Kept(one.place, way)
        return own.ways(one.before).get(way) if one.is_bound else container

    def _left_in(self, end: BlockEnd, container: Any) -> Any:
        """What one will be that the block has made, or that is none of its variables'."""
        left = end.place_left(container)
        return container if left is None else Kept(self.places[left[0]].place, left[1])

    def _left(
        self, block: Callable[[], None], statement: str, given: Sequence[Mapping[str, Any]]
    ) -> tuple[list[Found], BlockEnd, list[Any]]:
        places = [one.place for one in self.places]
        start = own.Contents(place.get() for place in places)
        leaves = [own.leaf_or_none(place.get()) for place in places]
        known = (container for one in given for container in one.values())
        unnoticed = containers.Unnoticed(known, self._holders)
        try:
            found = self._run(block, statement)
            holders = unnoticed.holders()
            left = [place.get() for place in places]
            known = containers.known_containers(left)
        finally:
            unnoticed.end()
        inside = [place.get() for place, _ in self._inside]
        end = BlockEnd(given, start, left, known, inside, holders)
        pairs = zip(places, leaves, strict=True)
        end.owners = {id(place.owner) for place, one in pairs if place.get() is not one}
        return found, end, left

    def _run(self, block: Callable[[], None], statement: str) -> list[Found]:
        guard = Guard(self._facts.watched, [one.place for one in self.places])
        self._snapshot.restore()
        block()
        # What calls have changed is as it was after this.
        self._stale = next((one for one in tracing.aliases() if one.is_changed()), None)
        if (name := self._snapshot.changed_by_python()) is not None:
            raise changed_error(name, statement)
        found = self._snapshot.find()
        guard.check(statement)
        return found

    def _adopt(self, found: Sequence[Found]) -> list[Any]:
        """Take more places for state; what the block has left there."""
        if found:
            self._add([
                StatementPlace(one.place, is_bound=one.is_rebound, is_discovered=True)
                for one in found
            ])  # fmt: skip
            self._lent.remember([one.place for one in found])
        return [one.left for one in found]

    def discovered(self) -> list[StatementPlace]:
        """The places that only calls change."""
        return [one for one in self.places if one.is_discovered]

    def is_discovered(self, name: str) -> bool:
        return any(one.place.name == name for one in self.places if one.is_discovered)

    def leave_alone(self, names: Collection[str]) -> list[Place]:
        """Let the trace do to these discovered places what it does, for good; those that are."""
        self._snapshot.forget(names)
        gone = [one for one in self.discovered() if one.place.name in names]
        if gone:
            self.places = [one for one in self.places if one not in gone]
            self._look_at_containers()
        if names:
            self._lent.forget(names)
        return [one.place for one in gone]

    def show(self, values: Iterable[Any]) -> list[dict[str, Any]]:
        """Let the places have these values for a while; the containers in them that there are now.

        They are held: others must not come to lie there.
        """
        self._put_back()
        rows = [*zip(self.places, values, strict=True)]
        # What no block binds comes last: it tells what is in the lists that others have, too.
        rows.sort(key=lambda row: not row[0].is_kept)
        for one, value in rows:
            if one.is_bound:
                one.place.set(containers.own_copy(value))
                continue
            # A branch starts from the containers in front of it, whatever the other one has done.
            moved = one.moved if self._repeats else ()
            one.place.set(own.filled(one.before, value, moved))
        return [own.ways(one.place.get()) for one in self.places]

    def put(self, values: Iterable[Any]) -> None:
        """Leave the statement: what comes out has these values.

        A list or dict that the statement changed in place is still the same object.
        """
        self._put_back()
        outer = {place.name for place in variables(self._facts.elsewhere)}
        rows = [*zip(self.places, values, strict=True)]
        for one, value in rows:
            is_elsewhere = one.place.owner is not None or one.place.name in outer
            if value is not one.before and is_elsewhere:
                after_tracing(_TakeBack(one.place, one.before))
        for one, value in rows:
            one.place.set(own.left_for_good(one.before, value, one.moved))
        for one in self._aliases:
            if (alias := one.found()) is not None:
                tracing.note_alias(alias)

    def restore(self) -> None:
        self._put_back()
        for one in self.places:
            one.place.set(one.before)
        self._snapshot.restore()

    def moved_in_place(self) -> dict[str, set[str]]:
        """The containers that took the places of others where no block binds the variable."""
        return {one.place.name: one.moved for one in self.places if one.moved and not one.is_bound}

    def let_move(self, moved: Mapping[str, Collection[str]]) -> None:
        for one in self.places:
            one.moved.update(moved.get(one.place.name, ()))

    def keep_containers(self, names: Collection[str]) -> None:
        """Let blocks work on the containers of these variables, although they bind them."""
        found = [one for one in self.places if one.place.name in names]
        if any(one.is_bound for one in found):
            for one in found:
                one.is_bound, one.is_kept = False, True
            self._look_at_containers()
            self._look_at_others()

    def _put_back(self) -> None:
        for place, value in self._inside:
            place.set(value)
        self._contents.restore()


def _lost(name: str, statement: str, container: Any) -> ValueError:
    return ValueError(
        f"'{name}' is changed in place inside of a staged `{statement}`, which puts another "
        "container there, too, but it is known elsewhere (as an argument, or by another name), and "
        f"would stay as it is there. Make it {copied(container)} in front of the `{statement}`"
    )


class _TakeBack:
    """Leaves no tensor of a trace in the user's objects: nobody could use it."""

    def __init__(self, place: Place, before: Any) -> None:
        self._place, self._before = place, before
        self._contents = own.Contents([before])
        self._held = containers.Held([before, place.owner, *self._contents.held()])

    def __call__(self) -> None:
        if holds_symbolic(self._place.get()):
            self._place.set(self._before)
            self._contents.restore()
