"""What converted code says of a statement's variables, and the places that are meant by it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from ....core.process.named_tuples import NamedTuple
from ..places import containers
from ..places.discovery import LentPlaces
from ..places.state import Cells, Place, existing_places, variables
from ..places.watched_containers import Watched
from ..sentinels import UNSET


class StatementFacts(NamedTuple):
    """The arguments that `convert/facts.py` writes. Variables are in a function's closure."""

    state: Cells | None = None  # they come out of the statement
    kept: Cells | None = None  # only inner functions may read them: if they have a value
    scratch: Cells | None = None  # they are put back, as those are that have none
    places: tuple[Callable[[], Place | None], ...] = ()  # attributes, items, globals: come out
    returned: Cells | None = None  # the flag of a function that has returned
    watched: tuple[Watched, ...] = ()  # containers that must not change
    handled: bool = False  # a `try` around catches what is raised inside
    elsewhere: Cells | None = None  # those variables that belong to a function around
    lent: Cells | None = None  # what calls are given
    objects: Cells | None = None  # the same of functions around: attributes may change
    in_place: Cells | None = None  # what no block binds; what they hold may change


class StatementPlace:
    """One place that a statement may change: as it is before, and what the blocks do there."""

    def __init__(
        self, place: Place, *, is_bound: bool = False, is_discovered: bool = False
    ) -> None:
        self.place = place
        self.is_bound = is_bound  # a block begins with a copy, not with the container in front
        self.is_kept = False  # it begins with that container, although it binds the variable
        self.is_discovered = is_discovered  # only calls change it
        self.before: Any = UNSET
        # The ways to containers in that which others know, too.
        self.shared: set[str] = set()
        # Where blocks have put other containers than those that they were given.
        self.moved: set[str] = set()
        # Which of the shared ones a block has changed and kept.
        self.changed: set[str] = set()


def places_of(
    facts: StatementFacts, lent: LentPlaces, repeats: bool
) -> tuple[list[StatementPlace], list[Place]]:
    """The places that come out of a statement, and those that are put back.

    `repeats`: a block starts from what it has left, so that a variable which it binds begins with
    a copy, not with the container in front of the statement.
    """
    optional = variables(facts.kept)
    state = variables(facts.state) + [one for one in optional if one.get() is not UNSET]
    inside = [one for one in optional if one.get() is UNSET] + variables(facts.scratch)
    in_place = {one.name for one in variables(facts.in_place)}
    bound = {one.name for one in state if repeats} - in_place
    places = _with_others(state, existing_places(facts.places), bound)
    lists = lent.staged_lists(places)
    discovered = lent.remembered([*places, *lists, *inside])
    found = [StatementPlace(one, is_bound=repeats and one.name not in in_place) for one in places]
    found += [StatementPlace(one) for one in lists]
    found += [StatementPlace(one, is_discovered=True) for one in discovered]
    return found, inside


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
