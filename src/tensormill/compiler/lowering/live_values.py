"""What is still needed while graphs are lowered: the values of those that are not finished."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from .values import List


class Environment:
    """Values by what they are called, until they were used for the last time."""

    def __init__(self, held: Counter[int]) -> None:
        self._values: dict[Any, Any] = {}
        self._held = held

    def put(self, name: Any, value: Any) -> None:
        self._values[name] = value
        self._held[_identity(value)] += 1

    def drop(self, name: Any) -> None:
        if name in self._values:
            self._held[_identity(self._values.pop(name))] -= 1

    def __getitem__(self, name: Any) -> Any:
        return self._values[name]

    def names(self) -> Iterable[Any]:
        return list(self._values)


class LiveValues:
    """The environments of the graphs that are being lowered, the innermost one last."""

    def __init__(self) -> None:
        self._environments: list[Environment] = []
        # How often each value is held, and each pointer to a list: asked at every write.
        self._held: Counter[int] = Counter()

    def enter(self, values: Mapping[Any, Any]) -> Environment:
        environment = Environment(self._held)
        for name, value in values.items():
            environment.put(name, value)
        self._environments.append(environment)
        return environment

    def leave(self) -> None:
        environment = self._environments.pop()
        for name in environment.names():
            environment.drop(name)

    def needs(self, value: Any) -> bool:
        """Whether some environment holds the value, or for a list another one of its memory."""
        return self._held[_identity(value)] > 0


def _identity(value: Any) -> int:
    return id(value.pointer) if isinstance(value, List) else id(value)
