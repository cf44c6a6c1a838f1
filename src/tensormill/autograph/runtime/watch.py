"""Containers that staged code must not change in place.

`results.append(x)` in a staged branch or loop happens once, while the function is traced, whatever
the tensors say later. Python would be silent about it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from . import tensors

_CONTAINERS = (list, dict, set, deque, bytearray)


@dataclass(frozen=True, slots=True)
class Watched:
    """A container that a statement calls a changing method of, or stores an item into."""

    name: str
    find: Callable[[], Any]
    line: int
    is_local: bool  # made by this function: nobody else sees what happens to it


def watch(name: str, find: Callable[[], Any], line: int, is_local: bool) -> Watched:
    return Watched(name, find, line, is_local)


class Guard:
    """The containers as they were before a staged block."""

    def __init__(self, watched: Iterable[Watched]) -> None:
        self._before: list[tuple[Watched, Any, list[Any]]] = []
        for one in watched:
            container = _found(one)
            if isinstance(container, _CONTAINERS):
                self._before.append((one, container, _contents(container)))

    def check(self, statement: str, file: str) -> None:
        """Raise a ValueError if a container is not as it was.

        A container from outside of the function may be a log of what was traced, so there only
        tensors of the trace count: they are of no use to anybody after it.
        """
        for watched, container, before in self._before:
            after = _contents(container)
            if _same(before, after):
                continue
            added = [value for value in after if not any(value is old for old in before)]
            if watched.is_local or any(map(tensors.is_symbolic, added)):
                raise _error(watched, statement, file)


def _found(watched: Watched) -> Any:
    try:
        return watched.find()
    except (NameError, AttributeError, LookupError, TypeError):
        return None


def _contents(container: Any) -> list[Any]:
    return [*container.keys(), *container.values()] if isinstance(container, dict) else [*container]


def _same(before: list[Any], after: list[Any]) -> bool:
    return len(before) == len(after) and all(
        old is new for old, new in zip(before, after, strict=True)
    )


def _error(watched: Watched, statement: str, file: str) -> ValueError:
    return ValueError(
        f"{file}:{watched.line}: '{watched.name}' is changed in place inside of a staged "
        f"{statement}. That would happen once, while tracing, and not each time the graph runs. "
        "Collect values in a tf.TensorArray (ta = ta.write(ta.size(), value)), or assign a new "
        f"value to '{watched.name}'"
    )
