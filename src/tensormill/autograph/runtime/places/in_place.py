"""The user's own lists and dicts, where a statement changes what is in them.

    best = scores
    for i in tf.range(3):
        scores.reverse()
        total += best[0]

Others may know a container by another name. So where a block binds no other one to a variable, it
works on the one that is there: it is filled with what the block starts from, and gets its contents
back behind the block. A container is known by its way from the variable, `['x'][0]`.
"""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from ....core import tree
from .. import tensors
from .containers import containers_in, is_leaf, is_plain, items_of, own_copy, step_to
from .records import (
    assign_fields,
    fields_of,
    instance_of_fields,
    is_frozen,
    is_record,
    overwrite_fields,
)


def ways(value: Any) -> dict[str, Any]:
    """The containers in a value that can be changed in place, by the ways to them."""
    return dict(containers_in(value))


def leaf_or_none(value: Any) -> Any:
    """A value, unless it is a container or holds any."""
    return value if is_leaf(value) else None


def moved(given: Mapping[str, Any], left: Any) -> set[str]:
    """The ways where a block has put other containers than it was given."""
    now = ways(left) if given else {}
    return {way for way, container in given.items() if now.get(way) is not container}


def unmoved(before: Mapping[str, Any], left: Any) -> set[str]:
    """The ways where a block has left the containers that were there before its statement."""
    return {*before} - moved(before, left)


def filled(before: Any, value: Any, moved: Collection[str], way: str = "") -> Any:
    """For one block: a copy of a value, in containers of `before` where they are not `moved`."""
    if not _are_alike(before, value):
        return own_copy(value)
    if tensors.is_staged_list(value):
        return own_copy(value) if way in moved else before.become(value)
    old = dict(items_of(before))
    items = [
        one if is_leaf(one) else filled(old.get(k), one, moved, way + step_to(value, k))
        for k, one in items_of(value)
    ]
    if is_record(before):
        if way in moved or is_frozen(before):
            return instance_of_fields(value, items)
        overwrite_fields(before, items)
        return before
    return _with_items(before, value, items, way in moved)


def left_for_good(before: Any, value: Any, moved: Collection[str], way: str = "") -> Any:
    """A value that a statement leaves, in the containers that the user's code knows."""
    if value is before or not _are_alike(before, value):
        return value
    if tensors.is_staged_list(value):
        return value if way in moved else before.become(value)
    old = dict(items_of(before))
    items = [
        one if is_leaf(one) else left_for_good(old.get(k), one, moved, way + step_to(value, k))
        for k, one in items_of(value)
    ]
    if is_record(before):
        is_filled = way not in moved and assign_fields(before, items)
        return before if is_filled else instance_of_fields(value, items)
    return _with_items(before, value, items, way in moved)


def _are_alike(before: Any, value: Any) -> bool:
    return type(before) is type(value) and not is_leaf(value)


def _with_items(before: Any, value: Any, items: list[Any], is_moved: bool) -> Any:
    """`before`, where it may be, or something like `value`, with these items."""
    if is_plain(before):
        container = type(value)() if is_moved else before
        _refill(container, value, items)
        return container
    known = [one for _, one in items_of(before)]
    if len(known) == len(items) and all(map(operator.is_, known, items)):
        return before
    node = tree.node_of(value)
    return value if node is None else node.rebuild(value, items)


def _refill(container: Any, like: Any, items: list[Any]) -> None:
    if type(container) is list:
        container[:] = items
    elif list(container) == list(like):  # somebody may go through it
        container.update(zip(like, items, strict=True))
    else:
        pairs = list(zip(like, items, strict=True))
        container.clear()
        container.update(pairs)


class Contents:
    """What was in the containers of some values."""

    def __init__(self, values: Iterable[Any]) -> None:
        found = {id(one): one for value in values for _, one in containers_in(value)}
        rows = [one for one in found.values() if not (is_record(one) and is_frozen(one))]
        self._rows = [(one, contents_of(one)) for one in rows]
        self._known = {id(one): contents for one, contents in self._rows}

    def __contains__(self, value: Any) -> bool:
        return id(value) in self._known

    def has_changed(self, container: Any) -> bool:
        """Whether one of them holds something else by now."""
        if container not in self:
            return False
        now, before = contents_of(container), self._known[id(container)]
        is_reordered = type(now) is dict and list(now) != list(before)
        return is_reordered or not holds_same(now, before)

    def held(self) -> Iterator[Any]:
        """All that this holds, as often as it does."""
        for container, contents in self._rows:
            yield container
            if isinstance(contents, list | dict):
                yield from contents.values() if type(contents) is dict else contents

    def is_changed(self) -> bool:
        """Whether they hold something else by now."""
        return any(self.has_changed(one) for one, _ in self._rows)

    def restore(self) -> None:
        for container, contents in self._rows:
            restore(container, contents)


def contents_of(container: Any) -> Any:
    """What is in a container now: what `restore` puts there again."""
    if is_plain(container):
        return container.copy()
    return fields_of(container) if is_record(container) else container.saved()


def restore(container: Any, contents: Any) -> None:
    if type(container) is list:
        container[:] = contents
    elif type(container) is dict:
        _refill(container, contents, [*contents.values()])
    elif is_record(container):
        overwrite_fields(container, contents)
    else:
        container.restore(contents)


def holds_same(now: Any, before: Any) -> bool:
    """Whether the same objects are in both; in a dict by the same keys, in whatever order."""
    if type(now) is dict:
        pair = now.values(), map(before.get, now)
        return now.keys() == before.keys() and all(map(operator.is_, *pair))
    return len(now) == len(before) and all(map(operator.is_, now, before))
