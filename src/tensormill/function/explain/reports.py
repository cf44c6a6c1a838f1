"""What a function says about itself: its history of traces, and what was compiled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...backends.base import Callback
from ..concrete import ConcreteFunction

if TYPE_CHECKING:
    from ..state import FunctionState


@dataclass(frozen=True, slots=True)
class TraceReport:
    """One trace: its signature, the number of its operations, and its steps in Python."""

    signature: str
    operations: int
    callbacks: tuple[Callback, ...]
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        lines = [f"{self.signature}: {self.operations} operations"]
        lines += [f"  in Python: {callback}" for callback in self.callbacks]
        lines += [f"  {note}" for note in self.notes]
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Report:
    """All traces of a function; `callbacks` are the steps that run in Python."""

    name: str
    traces: tuple[TraceReport, ...]

    @property
    def callbacks(self) -> tuple[Callback, ...]:
        return tuple(callback for trace in self.traces for callback in trace.callbacks)

    def __str__(self) -> str:
        return "\n".join([f"function {self.name}", *map(str, self.traces)])


def report(name: str, traces: Sequence[ConcreteFunction]) -> Report:
    """Compiles what has not run yet."""
    return Report(name, tuple(map(_of_trace, traces)))


def _of_trace(concrete: ConcreteFunction) -> TraceReport:
    executable, count = concrete.callee.executable, len(concrete.callee.graph.operations)
    callbacks, notes = tuple(executable.callbacks), tuple(executable.notes)
    return TraceReport(concrete.short_signature, count, callbacks, notes)


def history(state: FunctionState) -> str:
    """One paragraph for each trace."""
    lines = [f"{state.name}: {state.count} traces, {len(state.cache)} kept"]
    lines += [str(traced) for traced in state.history]
    for concrete in state.cache.all():
        changes = [change for one in concrete.frozen if (change := one.change()) is not None]
        lines += [f"{concrete.short_signature}: {change}" for change in changes]
        if changes:
            lines.append("  -> pass it as an argument, or keep it in a tf.Variable")
    if state.cache.evictions:
        lines.append(f"{state.cache.evictions} traces were dropped, the longest unused first")
    return "\n".join(lines)


def latest(state: FunctionState) -> ConcreteFunction:
    """The last trace.

    Raises:
        AttributeError: there is none yet.
    """
    traces = state.cache.all()
    if not traces:
        raise AttributeError(
            f"'{state.name}' was not traced yet: call it, or get_concrete_function()"
        )
    return traces[-1]
