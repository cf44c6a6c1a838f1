"""What `function/` asks of a back end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from ..graph.ir import Application, Graph
from ..ops.dispatch.divisions import Divisions

# Takes the tensors of one call by position and gives a tuple of tensors; or NotImplemented where
# one of them is not what the graph was compiled for, so that the caller must look closer.
Entry = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Callback:
    """An operation that runs in Python although the rest was compiled, and why."""

    operation: Application
    reason: str

    def __str__(self) -> str:
        step = self.operation
        return f"{step.op.name} '{step.name}' ({step.line}): {self.reason}"


class Bound(Protocol):
    """An executable with its captures filled in; call it with the tensors for its parameters."""

    @property
    def entry(self) -> Entry:
        """The quick way in; the object itself where there is none (yet)."""
        ...

    def __call__(self, *operands: Any) -> tuple[Any, ...]:
        """Run on tensors and handles.

        Raises:
            InvalidArgumentError: an operand is not what the graph's specs allow.
            OpError: an operation failed.
        """
        ...


@runtime_checkable
class Divisible(Protocol):
    """What is bound by a back end that divides its work over the devices of a mesh."""

    def divided(self, divisions: Divisions) -> Bound:
        """The same for operands, and then captures, that are divided so."""
        ...


@runtime_checkable
class Movable(Protocol):
    """What is bound by a back end that has several devices."""

    def on(self, device: str) -> Bound:
        """The same for calls that are meant for a device, of this full name."""
        ...


class Executable(Protocol):
    """A graph that can be run."""

    @property
    def callbacks(self) -> Sequence[Any]:
        """The steps that call back into Python; printed, each says which operation and why."""
        ...

    @property
    def notes(self) -> Sequence[str]:
        """What else users should know of how it was compiled."""
        ...

    def bind(self, captures: Sequence[Any]) -> Bound: ...


class Backend(Protocol):
    """A way to run graphs."""

    name: str

    def compile(self, graph: Graph) -> Executable: ...

    def refuses(self, step: Application) -> str | None:
        """Why an operation is surely not compiled, whatever its operands; None where it may be."""
        ...
