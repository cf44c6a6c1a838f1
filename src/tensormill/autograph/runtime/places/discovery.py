"""What a staged block may change through the functions that it calls.

In

    for x in xs:
        note(found, x)          # appends x to the list
        statistics.add(x)       # self.total += x

no name is bound. So the values that a block hands to its calls are looked at before and after it. A
list or an attribute in which a tensor of the block has been left, or a constant in the place of
one, is state of the statement, of a loop from the next round on. Other changes (of flags that stay
Python's, of other objects) happen while tracing, as ever.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar
from types import CodeType
from typing import Any

from ....core import tree
from ....core.process.named_tuples import NamedTuple
from ....core.process.with_blocks import setting
from ... import conversion
from ...weak_identity import WeakIdentityMap
from .. import tensors
from ..sentinels import UNSET
from .containers import Held, containers_inside, is_list, is_plain, own_copy
from .in_place import Contents, contents_of, holds_same, restore
from .reachable import Captured, Receiver, places_within
from .state import Attribute, Cells, Item, LocalVariable, Place, variables


class Found(NamedTuple):
    """A place of which nobody knew that the statement changes it. It is as it was."""

    place: Place
    left: Any  # what the block has left there
    is_rebound: bool  # which is another object


class _Seen(NamedTuple):
    """A place before the block, and what was in its list or dict."""

    place: Place
    value: Any
    contents: Any


# The names of what statements have changed by their calls, by the code of their facts.
_changed: WeakIdentityMap[CodeType, frozenset[str]] = WeakIdentityMap()
# The containers among these, for as long as one loop is staged: another one of the same name may be
# one that only Python changes.
_changed_containers: ContextVar[set[Any] | None] = ContextVar("changed containers", default=None)


def remembering() -> AbstractContextManager[Any]:
    """For as long as one loop is staged, remember which containers calls change."""
    known = _changed_containers.get()
    return setting(_changed_containers, set() if known is None else known)


class LentPlaces:
    """The lists and dicts of the variables `lent`, and the places that can be reached from what
    they and `objects` hold.
    """

    def __init__(self, lent: Cells | None, objects: Cells | None) -> None:
        self._lent = variables(lent)
        self._objects = [*self._lent, *variables(objects)]
        self._code = next((one.__code__ for one in (lent, objects) if one is not None), None)

    def remembered(self, known: Iterable[Place]) -> list[Place]:
        """What the statement has changed by its calls when it was traced before, but what is known.

        Statements around it are traced anew for the same places: without this, the innermost one
        would be traced twice as often for each of them.
        """
        if not (names := self._names()):
            return []
        containers = _changed_containers.get() or ()
        return [
            place
            for place in self.places(known)
            if place.name in names and (_may_start(place.get()) or _identity(place) in containers)
        ]

    def remember(self, places: Sequence[Place]) -> None:
        self._note(self._names().union(one.name for one in places))
        if (containers := _changed_containers.get()) is not None:
            containers.update(map(_identity, places))

    def forget(self, names: Iterable[str]) -> None:
        self._note(self._names().difference(names))

    def _names(self) -> frozenset[str]:
        return (self._code and _changed.get(self._code)) or frozenset()

    def _note(self, names: frozenset[str]) -> None:
        if self._code is not None:
            _changed.set(self._code, names)

    def staged_lists(self, known: Iterable[Place]) -> list[Place]:
        """Where other lists of the graph are than in what is known."""
        known = list(known)
        inside = containers_inside(place.get() for place in known)
        found = {id(place.get()): place for place in self.places(known) if _is_staged(place)}
        return [place for identity, place in found.items() if identity not in inside]

    def places(self, known: Iterable[Place]) -> Iterator[Place]:
        """All places but those that are known, and containers of which some items are."""
        known = list(known)
        identities = {_identity(place) for place in known}
        owners = {id(place.owner) for place in known if place.owner is not None}
        for place in self._all():
            if _identity(place) not in identities and id(place.get()) not in owners:
                identities.add(_identity(place))
                yield place

    def _all(self) -> Iterator[Place]:
        yield from (place for place in self._lent if is_list(place.get()) or is_plain(place.get()))
        yield from places_within(self._objects)


class PlacesBefore:
    """What was in places before a statement, which works on the containers `in_place` itself."""

    def __init__(self, places: Iterable[Place], in_place: Contents) -> None:
        self._seen: list[_Seen] = []
        self._led_to: list[_Seen] = []  # sets and their like, of which nothing is state
        self._held = Held()
        for place in places:
            if _is_field(place, in_place) or (isinstance(place, Item) and place.owner in in_place):
                continue
            value = place.get()
            if isinstance(place, Receiver) and not is_plain(value):
                self._led_to.append(_Seen(place, value, [*value]))
                continue
            is_noted = is_plain(value) and value not in in_place
            seen = _Seen(place, value, contents_of(value) if is_noted else None)
            self._count(seen, 1)
            self._seen.append(seen)

    def restore(self) -> None:
        """Take away what an earlier block, or an earlier attempt at this one, has left."""
        for seen in self._seen:
            if _is_changed(seen):
                _restore(seen)

    def forget(self, names: Collection[str]) -> None:
        """Let the trace do to these places what it does."""
        gone = [seen for seen in self._seen if seen.place.name in names]
        self._drop(gone)

    def changed_by_python(self) -> str | None:
        """A list or dict of the functions that are being traced, where a block has put in, or taken
        away, what is no tensor: that happens once, whatever the tensors say.

        Raises:
            ValueError: nothing but a bound method or a `functools.partial` leads there.
        """
        for seen in self._led_to:
            if not _has_as_many([*seen.value], seen.contents) and _is_of_a_variable(seen.value):
                raise _only_led_to(seen)
        for seen in self._seen:
            if isinstance(seen.place, Receiver) and seen.contents is not None:
                is_other = not holds_same(seen.value, seen.contents)
                if is_other and _is_of_a_variable(seen.value):
                    raise _only_led_to(seen)
            if seen.contents is None or not isinstance(seen.place, LocalVariable):
                continue
            is_kept = seen.place.get() is seen.value
            if is_kept and not holds_same(seen.value, seen.contents) and not _is_changed(seen):
                if _is_local(seen.place):
                    return seen.place.name
        return None

    def find(self) -> list[Found]:
        """The places where a tensor of the graph was left, which can be state. They are as they
        were, and no longer looked at.
        """
        state = [seen for seen in self._seen if _is_changed(seen) and _can_be_state(seen.value)]
        found = [_found(seen) for seen in _outermost(state)]
        for seen in state:
            _restore(seen)
        # Of a container whose items are places of their own, the others are Python's.
        owners = {id(one.place.owner) for one in found if isinstance(one.place, Item)}
        self._drop([*state, *(seen for seen in self._seen if id(seen.value) in owners)])
        return found

    def _drop(self, gone: Sequence[_Seen]) -> None:
        identities = {id(seen) for seen in gone}
        self._seen = [seen for seen in self._seen if id(seen) not in identities]
        for seen in gone:
            self._count(seen, -1)

    def _count(self, seen: _Seen, by: int) -> None:
        """Note that this knows a container, and what was in it; or that it does no more."""
        within = seen.contents.values() if type(seen.contents) is dict else seen.contents or ()
        for known in (seen.value, *within):
            self._held.add(known, by)


def _outermost(state: Sequence[_Seen]) -> list[_Seen]:
    """Those that are not in a container of which another one is the place.

    Raises:
        ValueError: no place can get another container.
    """
    inside = containers_inside([*seen.contents] for seen in state if type(seen.contents) is list)
    inside |= containers_inside(seen.contents for seen in state if type(seen.contents) is dict)
    for seen in state:
        if isinstance(seen.place, Receiver):
            raise _only_led_to(seen)
    items = [seen for seen in state if isinstance(seen.place, Item)]
    within = {id(seen) for seen in items if id(seen.value) in inside}
    return [seen for seen in state if id(seen) not in within]


def _only_led_to(seen: _Seen) -> ValueError:
    kind = type(seen.value).__name__
    return ValueError(
        f"'{seen.place.name}' changes a {kind} in place in staged code, where only a "
        "tuple, a bound method or a functools.partial leads to it: have a variable lead "
        "there, or the attribute of an object"
    )


def _has_as_many(now: list[Any], before: list[Any]) -> bool:
    """Whether the same objects are in both, in whatever order."""
    return Counter(map(id, now)) == Counter(map(id, before))


def _is_of_a_variable(container: Any) -> bool:
    """Whether a variable of a function that is being traced has it, or has what it lies in."""
    frame = sys._getframe()
    while frame is not None:
        if conversion.is_converted(frame.f_code):
            values = [*frame.f_locals.values()]
            if id(container) in {*map(id, values), *containers_inside(values)}:
                return True
        frame = frame.f_back
    return False


def _is_local(place: LocalVariable) -> bool:
    """Whether it is a variable of the function whose statement this is, or of one that calls it."""
    if not isinstance(place, Captured):
        return True
    variable, frame = place.name.rpartition(".")[2], sys._getframe()
    while frame is not None:
        code = frame.f_code
        if conversion.is_converted(code) and variable in code.co_cellvars:
            if place.code in code.co_consts:
                return True
        frame = frame.f_back
    return False


def _is_field(place: Place, in_place: Contents) -> bool:
    """Whether it is a field of a dataclass that the statement changes in place."""
    if not (isinstance(place, Attribute) and place.owner in in_place):
        return False
    return place.attribute in getattr(place.owner, "__dataclass_fields__", ())


def _is_staged(place: Place) -> bool:
    return tensors.is_staged_list(place.get())


def _found(seen: _Seen) -> Found:
    now = seen.place.get()
    return Found(seen.place, own_copy(now), is_rebound=now is not seen.value)


def _identity(place: Place) -> Any:
    if isinstance(place, Attribute):
        return id(place.owner), place.attribute
    if isinstance(place, LocalVariable):
        return id(place.cell)
    return place.name, id(place.owner)


def _can_be_state(value: Any) -> bool:
    if is_plain(value):
        return not any(map(tensors.is_out_of_scope, tree.flatten(value, expand_composites=True)))
    return _may_start(value)


def _may_start(value: Any) -> bool:
    """Whether a statement can start from a value: not from what another trace has left behind."""
    return tensors.may_be_tensor(value) and not tensors.is_out_of_scope(value)


def _is_changed(seen: _Seen) -> bool:
    """Whether tensors of the graph are there that were not there before, or another number."""
    now = seen.place.get()
    if now is not seen.value:
        return _is_other(seen.value, now) or (now is not UNSET and holds_symbolic(now))
    if seen.contents is None or holds_same(now, seen.contents):
        return False
    if _has_other_values(seen.contents, now):
        return True
    return _has_tensors_beside(now, seen.contents) or _has_tensors_beside(seen.contents, now)


def _has_tensors_beside(value: Any, other: Any) -> bool:
    """Whether tensors of the graph are in one container, but not, or less often, in the other."""
    known = Counter(map(id, tree.flatten(other)))
    known.subtract(map(id, found := tree.flatten(value)))
    return any(tensors.is_symbolic(one) and known[id(one)] < 0 for one in found)


def _has_other_values(before: Any, now: Any) -> bool:
    """Whether a list or dict holds other Python values, in the same places."""
    if type(before) is dict:
        if before.keys() != now.keys():
            return False
        before, now = before.values(), now.values()
    if len(before) != len(now):
        return False
    return any(map(_is_other, before, now))


def _is_other(before: Any, now: Any) -> bool:
    """Whether a number has become another one, or a tensor of the graph what could be one, or a
    container in a container has become one that was elsewhere and holds such tensors.
    """
    if tensors.is_weak(before):
        return tensors.is_weak(now) and now != before
    if is_plain(before):
        return now is not before and is_plain(now) and holds_symbolic(now)
    return tensors.is_symbolic(before) and now is not before and tensors.may_be_tensor(now)


def holds_symbolic(value: Any) -> bool:
    """Whether tensors of a graph are in a value."""
    return any(map(tensors.is_symbolic, tree.flatten(value, expand_composites=True)))


def _restore(seen: _Seen) -> None:
    if seen.contents is not None:
        restore(seen.value, seen.contents)
    seen.place.set(seen.value)
