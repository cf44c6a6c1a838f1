"""Containers that staged code must not change in place.

`results.append(x)` in a staged branch or loop happens once, while the function is traced, whatever
the tensors say later. Python would be silent about it.
"""

from __future__ import annotations

import operator
from collections import Counter, deque
from collections.abc import Callable, Iterable
from typing import Any

from ....core.process.named_tuples import NamedTuple
from .. import tensors
from .state import Place

_CONTAINERS = (list, dict, set, deque, bytearray)


class Watched(NamedTuple):
    """A container that a statement calls a changing method of, or stores an item into."""

    name: str
    find: Callable[[], Any]
    line: int
    is_local: bool  # a variable of the function that was converted, or of one inside of it


class Guard:
    """The containers as they were before a staged block, other than those that it has copies of.

    `places` are what the block may bind anew: `results += [x]` does, and changes the list too.
    `has_copies`: it has copies of what is in them.
    """

    def __init__(
        self, watched: Iterable[Watched], places: Iterable[Place], *, has_copies: bool = True
    ) -> None:
        from ....control.tensor_array import TensorArray  # something is staged
        from .containers import containers_inside

        self._before: list[_Container] = []
        values = [(place.name, place.get()) for place in places]
        copied = containers_inside(value for _, value in values if has_copies)
        for one in watched:
            value = _found(one)
            if isinstance(value, TensorArray):
                raise _dropped(one)
            if id(value) not in copied:
                self._note(one.name, value, one.is_local, _place(one))
        for name, value in values:
            if id(value) not in copied:
                self._note(name, value, True, "")

    def _note(self, name: str, value: Any, is_local: bool, place: str) -> None:
        if isinstance(value, _CONTAINERS):
            self._before.append(_Container(name, value, _contents(value), is_local, place))

    def check(self, statement: str) -> None:
        """Raise a ValueError if a container is not as it was.

        A container from outside of the function may be a log of what was traced, so there only
        tensors of the trace count: they are of no use to anybody after it.
        """
        for container in self._before:
            others = container.others()
            if others is None:
                continue
            if container.is_local or any(map(tensors.is_symbolic, others)):
                raise changed_error(container.name, statement, container.place)


class _Container(NamedTuple):
    name: str
    value: Any
    before: list[Any]
    is_local: bool
    place: str

    def others(self) -> list[Any] | None:
        """What is new in the container, and what is gone; None where nothing has changed."""
        before, after = self.before, _contents(self.value)
        if len(after) == len(before) and all(map(operator.is_, before, after)):
            return None
        known, now = (Counter(map(id, values)) for values in (before, after))
        return [one for one in (*before, *after) if known[id(one)] != now[id(one)]]


def _found(watched: Watched) -> Any:
    try:
        return watched.find()
    except (NameError, AttributeError, LookupError, TypeError):
        return None


def _place(watched: Watched) -> str:
    file = getattr(watched.find, "__code__").co_filename  # noqa: B009
    return f"{file}:{watched.line}: "


def _contents(container: Any) -> list[Any]:
    return [*container.keys(), *container.values()] if isinstance(container, dict) else [*container]


def changed_error(name: str, statement: str, place: str = "") -> ValueError:
    return ValueError(
        f"{place}'{name}' is changed in place inside of a staged "
        f"`{statement}`. That would happen once, while tracing, and not each time the graph runs. "
        "Collect values in a list of this function (it may grow), or in a tf.TensorArray "
        f"(ta = ta.write(ta.size(), value)), or assign a new value to '{name}'"
    )


def _dropped(watched: Watched) -> ValueError:
    name = watched.name
    return ValueError(
        f"{_place(watched)}the result of a method of the TensorArray '{name}' is dropped, and with "
        f"it what was written: write `{name} = {name}.write(…)`"
    )
