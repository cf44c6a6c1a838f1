"""What programs say of operations that the profiler counts: `RegisterStatistics` of `ops`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Self

from .float_operations import COUNTS, FLOPS, REGISTERED, float_operations


class OpStats:
    """A number that is known of an operation, or None; numbers of one kind are added up."""

    def __init__(self, statistic_type: str, value: float | None = None) -> None:
        self.statistic_type: Final = statistic_type
        self.value = value

    def __iadd__(self, other: OpStats) -> Self:
        if other.statistic_type != self.statistic_type:
            raise ValueError(
                f"Can't add an OpStat of type {self.statistic_type} to one of "
                f"{other.statistic_type}."
            )
        if other.value is not None:
            self.value = other.value + (self.value or 0)
        return self

    def __repr__(self) -> str:
        return f"OpStats({self.statistic_type!r}, {self.value!r})"


class RegisterStatistics:
    """Decorates a function of a graph and a NodeDef that gives an OpStats of such operations.

    Raises:
        TypeError: a name is no text, or has a comma.
        KeyError: something gives that number already.
    """

    def __init__(self, op_type: str, statistic_type: str) -> None:
        for name, value in (("op_type", op_type), ("statistic_type", statistic_type)):
            if not isinstance(value, str):
                raise TypeError(f"{name} must be a string.")
            if "," in value:
                raise TypeError(f"{name} must not contain a comma.")
        self._key: Final = op_type, statistic_type

    def __call__(self, statistic_func: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        kind, statistic = self._key
        if self._key in REGISTERED or (statistic == FLOPS and kind in COUNTS):
            raise KeyError(f"Registering two statistical functions with name '{kind},{statistic}'!")
        REGISTERED[self._key] = statistic_func
        return statistic_func


def get_stats_for_node_def(graph: Any, node: Any, statistic_type: str) -> OpStats:
    """The number of an operation of a graph; None where nobody knows."""
    registered = REGISTERED.get((node.op, statistic_type))
    if registered is not None:
        return registered(graph, node)
    if statistic_type != FLOPS or node.op not in COUNTS:
        return OpStats(statistic_type)
    return OpStats(FLOPS, float_operations(graph.get_operation_by_name(node.name)))
