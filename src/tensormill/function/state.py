"""What one function (or one method of one instance) remembers between its calls."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any, Final

from ..core.source import user_line
from ..core.specs import TypeSpec
from .arguments import is_variable
from .cache import Cache
from .concrete import ConcreteFunction
from .containers import leaves_of
from .explain import Traced, closest
from .parameters import Parameters
from .retracing import Detector, detector_of
from .trace_type import LiteralKey, storage_of


class State:
    """Traces and how they came to be.

    `quick` is the last call's native entry, how its outputs are packed, and which arguments are
    tensors; `quick_calls` counts how often that was enough.
    """

    __slots__ = (
        "__weakref__",
        "cache",
        "captured",
        "count",
        "detector",
        "history",
        "lock",
        "makes_variables",
        "named",
        "quick",
        "quick_calls",
    )

    def __init__(self, function: Any) -> None:
        self.cache: Final = Cache()
        self.named: Final[dict[Any, ConcreteFunction]] = {}
        self.lock: Final = threading.RLock()
        self.detector: Final[Detector] = detector_of(function)
        self.history: Final[list[Traced]] = []
        self.captured: Final[set[int]] = set()
        self.count = 0
        self.makes_variables = False
        self.quick: tuple[Any, Any, Any] | None = None
        self.quick_calls = 0

    def note_call(self) -> None:
        """A call was served by an existing trace."""
        for _ in range(min(self.quick_calls, 10)):
            self.detector.called()
        self.quick_calls = 0
        self.detector.called()

    def note_trace(
        self, function: Any, parameters: Parameters, key: Any, values: Sequence[Any], counts: bool
    ) -> None:
        """A call had to be traced; `counts` is False where it was asked for."""
        difference = closest(parameters, key, self.cache.keys(), values)
        self.history.append(Traced(len(self.history) + 1, user_line(), difference))
        for _ in range(min(self.quick_calls, 10)):
            self.detector.called()
        self.quick_calls = 0
        if counts:
            self.detector.traced(function, difference)

    def note_captures(self, concrete: ConcreteFunction) -> None:
        """Remember which variables traces use although they are not arguments."""
        self.captured.update(concrete.graph.used_aliases)
        for tensor in concrete.captured_inputs:
            if not tensor.dtype.is_numpy_compatible and not tensor.symbolic:
                self.captured.add(id(tensor._array))

    def with_aliases(self, key: Any, leaves: Sequence[Any]) -> Any:
        """A key that also says which arguments are variables that traces have captured.

        Compiled code takes different variables to be different memory.
        """
        if not self.captured:
            return key
        shared = tuple(
            (position, identity)
            for position, leaf in enumerate(leaves)
            if is_variable(leaf) and not isinstance(leaf, TypeSpec)
            and (identity := id(storage_of(leaf))) in self.captured
        )
        return (*key, LiteralKey("captured", shared)) if shared else key


def names_of_specs(values: Sequence[Any]) -> tuple[str | None, ...]:
    """The names that specs among the arguments give, leaf by leaf."""
    return tuple(
        getattr(leaf, "name", None) if isinstance(leaf, TypeSpec) else None
        for value in values
        for leaf in leaves_of(value)
    )
