"""What operations on tensors mean that know how they are laid out over devices: at first, nothing.

`dtensor` puts its meaning here when it is imported; eager execution and calls of functions look.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import Any, Protocol

from .divisions import Divisions


class Placements(Protocol):
    """The meaning of operations on tensors with layouts."""

    def concern(self, operands: Sequence[Any]) -> bool:
        """Whether an operand, or one in a list of them, has a layout."""
        ...

    def concern_call(self, graph: Any, operands: Sequence[Any]) -> bool:
        """Whether an operand of a call has a layout, or the graph gives one to tensors."""
        ...

    def applied(
        self, eager: Any, op: Any, operands: tuple[Any, ...], attrs: dict[str, Any],
        name: str | None,
    ) -> tuple[Any, ...]:  # fmt: skip
        """The outputs of an operation that runs at once."""
        ...

    def called(
        self, graph: Any, operands: Sequence[Any], run: Callable[[Sequence[Any], Divisions], Any]
    ) -> tuple[Any, ...]:
        """The outputs of a graph, which `run` gives for tensors without layouts, and for how these
        were divided.
        """
        ...


class Installed:
    """The meaning that is in force, for the whole process."""

    def __init__(self) -> None:
        self.placements: Placements | None = None


installed = Installed()
# Within operations made of others, and gradients, what has no layout is nobody's mistake.
inside: ContextVar[bool] = ContextVar("inside_operation", default=False)
