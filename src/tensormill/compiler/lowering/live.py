"""What is still needed while graphs are lowered: the values of those that are not finished."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..loops.ir import Expression
from .lists import List


class Environment:
    """Values by what they are called, until they were used for the last time."""

    def __init__(self, lists: Counter[int]) -> None:
        self._values: dict[Any, Any] = {}
        self._lists = lists

    def put(self, name: Any, value: Any) -> None:
        self._values[name] = value
        if isinstance(value, List):
            self._lists[id(value.pointer)] += 1

    def drop(self, name: Any) -> None:
        value = self._values.pop(name, None)
        if isinstance(value, List):
            self._lists[id(value.pointer)] -= 1

    def __getitem__(self, name: Any) -> Any:
        return self._values[name]

    def names(self) -> Iterable[Any]:
        return list(self._values)

    def values(self) -> Iterable[Any]:
        return self._values.values()


class Live:
    """The environments of the graphs that are being lowered, the innermost one last."""

    def __init__(self) -> None:
        self._environments: list[Environment] = []
        # How many values lie behind a pointer: asked whenever a list is written.
        self._lists: Counter[int] = Counter()

    def enter(self, values: Mapping[Any, Any]) -> Environment:
        environment = Environment(self._lists)
        for name, value in values.items():
            environment.put(name, value)
        self._environments.append(environment)
        return environment

    def leave(self) -> None:
        environment = self._environments.pop()
        for name in environment.names():
            environment.drop(name)

    def needs_list(self, pointer: Expression) -> bool:
        return self._lists[id(pointer)] > 0

    def values(self) -> Iterator[Any]:
        for environment in self._environments:
            yield from environment.values()
