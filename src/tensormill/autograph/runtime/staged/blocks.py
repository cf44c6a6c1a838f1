"""The variables of one staged statement: as they are before it, and put back between its blocks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import CodeType, FunctionType
from typing import Any

from tensormill.autograph.weak_identity import WeakIdentityMap
from tensormill.core import tree

from .. import tensors
from ..places import containers
from ..places import in_place as own
from ..places.aliases import Alias, BlockEnd, Kept, Later, copied
from ..places.discovery import Found, LentPlaces, PlacesBefore
from ..places.state import Place, existing_places, variables
from ..places.watched_containers import Guard, Watched, changed_error
from ..sentinels import NO_VALUE, UNSET
from . import tracing
from .tracing import after_tracing

Finder = Callable[[], Place | None]

# The names of what statements have changed by their calls, by the code of their facts.
_discovered: WeakIdentityMap[CodeType, frozenset[str]] = WeakIdentityMap()


class StatementVariables:
    """What a statement may change.

    `places` come out of it. Variables that only an inner function may still read (`kept`) come
    out if they have a value before; otherwise they are put back, like `scratch`. `returned` is the
    flag of a function that has returned. `handled`: a `try` around catches what is raised inside.
    `elsewhere`: those variables that belong to a function around. `in_place`: those that no block
    binds; what they hold may change. `lent`: what calls are given, `objects`: the same of functions
    around, whose attributes may change. `repeats`: a block starts from what it has left, so that a
    variable which it binds begins with a copy, not with the container in front of the statement.
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
        in_place: FunctionType | None = None,
        repeats: bool = False,
    ) -> None:
        self.handled = handled
        self._lent = LentPlaces(variables(lent), variables(objects))
        self._code = next((one.__code__ for one in (lent, objects) if one is not None), None)
        optional = variables(kept)
        self.places = variables(state)
        self.places += [place for place in optional if place.get() is not UNSET]
        kept_names = {place.name for place in variables(in_place)}
        bound = {one.name for one in self.places if repeats} - kept_names
        self.places = _with_others(self.places, existing_places(places), bound)
        lists = self._lent.staged_lists(self.places)
        self.places += lists
        self._inside = [place for place in optional if place.get() is UNSET] + variables(scratch)
        expected = self._expected()
        self._first_discovered = len(self.places)
        self.places += expected
        self.before = [place.get() for place in self.places]
        # Which containers the blocks have put in the place of those that they were given.
        self.moved: list[set[str]] = [set() for _ in self.places]
        # Which of those that others know, too, a block has changed and kept.
        self._changed: list[set[str]] = [set() for _ in self.places]
        unbound = kept_names | {place.name for place in (*lists, *expected)}
        self._is_bound = [repeats and place.name not in unbound for place in self.places]
        self.shared: list[set[str]] = []
        self._holders: dict[int, int] = {}
        # Variables that a block binds to the container that they have, which others know, too.
        self.kept_containers: set[str] = set()
        self._kept: set[str] = set()
        self._repeats = repeats
        # What was wrong with the last block, if it was the last one.
        self.refusal: ValueError | None = None
        self._aliases: list[Later] = []
        self._stale: Alias | None = None
        self._look_at_containers()
        self._look_at_others()
        _mark_elsewhere(self.places, variables(elsewhere))
        self._inside_before = [place.get() for place in self._inside]
        self._returned = variables(returned)
        self._watched = watched

    def _look_at_containers(self) -> None:
        """Note what is in the containers that blocks work on, and who knows them: a list that
        others know, too, must stay the list that it is.
        """
        for known in containers.known_containers(self.before)[len(self.shared) :]:
            self.shared.append({one.way for one in known if one.holders > 1})
            self._holders |= {one.identity: one.holders for one in known}
        pairs = zip(self.before, self._is_bound, strict=True)
        self._contents = own.Contents(value for value, is_bound in pairs if not is_bound)

    def _look_at_others(self) -> None:
        known = [*self.places, *self._inside]
        self._snapshot = PlacesBefore(self._lent.places(known), self._contents)

    def run(self, block: Callable[[], None], statement: str, values: Iterable[Any]) -> list[Any]:
        """Run a block with these values in the places, and return what it leaves there.

        It may show that there are more places: those are the last ones.
        """
        try:
            found, end, left = self._left(block, statement, self._give(values))
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
        for k, place in enumerate(self.places):
            moved = own.moved(end.given[k], left[k])
            if self._is_bound[k] and not containers.is_leaf(self.before[k]):
                kept = own.unmoved(own.ways(self.before[k]), left[k])
                moved -= kept
                is_changed = any(map(end.changed, end.given[k].values()))
                unmoved = self.shared[k] - moved - self.moved[k]
                if kept or (unmoved and (is_changed or self._is_in_place(k, unmoved))):
                    self.kept_containers.add(place.name)
            self.moved[k] |= moved

    def _is_in_place(self, k: int, shared: Collection[str]) -> bool:
        """Whether other variables, which no block binds, or items have such a container, too."""
        known = own.ways(self.before[k])
        owners = {id(place.owner) for place in self.places if place.owner is not None}
        return any((one := known.get(way)) in self._contents or id(one) in owners for way in shared)

    def _lost(self, end: BlockEnd, statement: str) -> ValueError | None:
        """What is wrong where others know what a block has changed and then replaced."""
        ways = ((k, way) for k, shared in enumerate(self.shared) for way in shared)
        reached = end.reached({one for one in ways if self._is_bound[one[0]]})
        for k, before in enumerate(self.before):
            known = own.ways(before) if self._is_bound[k] else {}
            for way in self.shared[k] & {*known}:
                # By another name, while this one has a copy, which goes on.
                if end.changed(known[way]) and end.place_left(end.given[k].get(way)) is not None:
                    return _lost(self.places[k].name + way, statement, known[way])
            self._changed[k] |= {way for way in end.kept(k) if end.is_known_elsewhere(k, way)}
            for way in self._changed[k] & self.moved[k]:  # in another block
                return _lost(self.places[k].name + way, statement, before)
        for k, way in end.lost():
            if (k, way) in reached if self._is_bound[k] else end.is_known_elsewhere(k, way):
                return _lost(self.places[k].name + way, statement, end.given[k][way])
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
            alias = Alias(self.places[k].name + way, tracing.user_line(), [one])
            named.append((alias, Kept(self.places[k], way)))
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
        if end.is_kept(k, way):
            return Kept(self.places[k], way)
        return own.ways(self.before[k]).get(way) if self._is_bound[k] else container

    def _left_in(self, end: BlockEnd, container: Any) -> Any:
        """What one will be that the block has made, or that is none of its variables'."""
        left = end.place_left(container)
        return container if left is None else Kept(self.places[left[0]], left[1])

    def _left(
        self, block: Callable[[], None], statement: str, given: Sequence[Mapping[str, Any]]
    ) -> tuple[list[Found], BlockEnd, list[Any]]:
        start = own.Contents(place.get() for place in self.places)
        leaves = [own.leaf_or_none(place.get()) for place in self.places]
        known = (container for one in given for container in one.values())
        unnoticed = containers.Unnoticed(known, self._holders)
        try:
            found = self._run(block, statement)
            holders = unnoticed.holders()
            left = [place.get() for place in self.places]
            known = containers.known_containers(left)
        finally:
            unnoticed.end()
        inside = [place.get() for place in self._inside]
        end = BlockEnd(given, start, left, known, inside, holders)
        pairs = zip(self.places, leaves, strict=True)
        end.owners = {id(place.owner) for place, one in pairs if place.get() is not one}
        return found, end, left

    def _run(self, block: Callable[[], None], statement: str) -> list[Found]:
        guard = Guard(self._watched, self.places)
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
        for place, _, is_rebound in found:
            place.is_elsewhere = place.owner is not None
            self.places.append(place)
            self.before.append(place.get())
            self.moved.append(set())
            self._changed.append(set())
            self._is_bound.append(is_rebound)
        if found:
            self._look_at_containers()
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
            rows = (self.places, self.before, self.moved, self.shared, self._is_bound)
            for values in (*rows, self._changed):
                del values[k]
        if gone:
            self._look_at_containers()
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

    def _give(self, values: Iterable[Any]) -> list[dict[str, Any]]:
        """Let the places have these values for a while; the containers in them that there are now.

        They are held: others must not come to lie there.
        """
        self._put_back()
        self._contents.restore()
        # A branch starts from the containers in front of it, whatever the other one has done.
        moved = self.moved if self._repeats else [set[str]() for _ in self.moved]
        rows = [*zip(self.places, values, self.before, moved, self._is_bound, strict=True)]
        # What no block binds comes last: it tells what is in the lists that others have, too.
        rows.sort(key=lambda row: row[0].name not in self._kept)
        for place, value, before, moved, is_bound in rows:
            place.set(containers.own_copy(value) if is_bound else own.filled(before, value, moved))
        return [own.ways(place.get()) for place in self.places]

    def put(self, values: Iterable[Any]) -> None:
        """Leave the statement: what comes out has these values.

        A list or dict that the statement changed in place is still the same object.
        """
        self._put_back()
        self._contents.restore()
        rows = [*zip(self.places, values, self.before, self.moved, strict=True)]
        for place, value, before, _ in rows:
            if value is not before and place.is_elsewhere:
                after_tracing(_TakeBack(place, before))
        for place, value, before, moved in rows:
            place.set(own.left_for_good(before, value, moved))
        for one in self._aliases:
            if (alias := one.found()) is not None:
                tracing.note_alias(alias)

    def show(self, values: Iterable[Any]) -> None:
        """Let the places have these values for a while."""
        self._give(values)

    def restore(self) -> None:
        self._put_back()
        self._contents.restore()
        for place, value in zip(self.places, self.before, strict=True):
            place.set(value)
        self._snapshot.restore()

    def moved_in_place(self) -> dict[str, set[str]]:
        """The containers that took the places of others where no block binds the variable."""
        rows = zip(self.places, self.moved, self._is_bound, strict=True)
        return {place.name: moved for place, moved, is_bound in rows if moved and not is_bound}

    def let_move(self, moved: Mapping[str, Collection[str]]) -> None:
        for place, known in zip(self.places, self.moved, strict=True):
            known.update(moved.get(place.name, ()))

    def keep_containers(self, names: Collection[str]) -> None:
        """Let blocks work on the containers of these variables, although they bind them."""
        found = [k for k, place in enumerate(self.places) if place.name in names]
        if any(self._is_bound[k] for k in found):
            for k in found:
                self._is_bound[k] = False
            self._kept |= {*names}
            self._look_at_containers()
            self._look_at_others()

    def _put_back(self) -> None:
        for place, value in zip(self._inside, self._inside_before, strict=True):
            place.set(value)


def _with_others(places: list[Place], others: list[Place], bound: Collection[str]) -> list[Place]:
    """These places, and those of the others that are not within one of them.

    A list of which a tensor chooses items is one of them: its other items are with it. What has
    another name than one that is `bound` is none of its items: these are copies.
    """
    whole = [place for place in others if place.owner is None]
    places = [*places, *_others(whole, places, set())]
    in_place = [place for place in places if place.name not in bound]
    held = containers.containers_inside(place.get() for place in in_place)
    others = _others(others, places, held)
    return [*places, *_outermost(others, [*places, *others])]


def _outermost(places: Iterable[Place], known: Sequence[Place]) -> list[Place]:
    """Those that are not within the value of a known one: `d['a'][0]` is in what `d['a']` has."""
    within = [containers.containers_inside([place.get()]) for place in known]
    values = list(zip(known, within, strict=True))
    return [
        place
        for place in places
        if not any(
            id(place.owner) in held and place.name.startswith((f"{one.name}[", f"{one.name}."))
            for one, held in values
        )
    ]


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
        self._held = containers.Held()
        for known in (before, place.owner, *self._contents.held()):
            self._held.add(known, 1)

    def __call__(self) -> None:
        value = self._place.get()
        if any(map(tensors.is_symbolic, tree.flatten(value, expand_composites=True))):
            self._place.set(self._before)
            self._contents.restore()
