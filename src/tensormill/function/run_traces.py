"""What a session's run tells of itself, in a RunMetadata: which operation ran when, for how long.

Such a run goes from operation to operation, as the definition of graphs says, and not through code
that has joined them.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import Any, Final

from ..core import context
from ..core.process.named_tuples import NamedTuple
from ..graph import ir
from ..graph.evaluate import evaluate_tensors, run
from .callee import Callee

DEVICE: Final = "/job:localhost/replica:0/task:0/device:CPU:0"
NO_TRACE: Final = 0


class RanOperation(NamedTuple):
    """An operation, the names of what it took, and when it began and ended (ns since 1970)."""

    name: str
    kind: str
    operands: tuple[str, ...]
    start: int
    end: int


class RunTrace:
    """Notes the operations of a run."""

    def __init__(self) -> None:
        self._ran: list[RanOperation] = []
        self._began: Final = time.time_ns()

    def results(self, callee: Callee, operands: Sequence[Any]) -> tuple[Any, ...]:
        """What a graph gives for these operands."""
        closed = callee.closed
        makers = {value: one.name for one in closed.operations for value in one.results}

        def noted(operation: ir.Application, tensors: tuple[Any, ...]) -> tuple[Any, ...]:
            start = time.time_ns()
            found = run(operation, tensors)
            names = tuple([makers.get(one, one.name) for one in operation.operands])
            kind = operation.op.name
            self._ran.append(RanOperation(operation.name, kind, names, start, time.time_ns()))
            return found

        with context.entered(context.base):
            return tuple(evaluate_tensors(closed, [*operands, *callee.captured], noted))

    def fill(self, metadata: Any, graph: Any = None) -> None:
        """Write it into a RunMetadata that is empty; `graph`: a GraphDef that goes there, too."""
        device = metadata.step_stats.dev_stats.add(device=DEVICE)
        thread = threading.get_ident() & 0xFFFFFFFF
        device.thread_names[thread] = threading.current_thread().name
        for one in self._ran:
            length = one.end - one.start
            label = f"{one.name} = {one.kind}({', '.join(one.operands)})"
            device.node_stats.add(
                node_name=one.name, timeline_label=label,
                all_start_micros=one.start // 1000, all_start_nanos=one.start,
                op_end_rel_micros=length // 1000, op_end_rel_nanos=length,
                all_end_rel_micros=length // 1000, all_end_rel_nanos=length,
                scheduled_micros=self._began // 1000, scheduled_nanos=self._began,
                thread_id=thread,
            )  # fmt: skip
        if graph is not None:
            metadata.partition_graphs.append(graph)


def trace_wanted(options: Any, metadata: Any) -> RunTrace | None:
    """A trace, where the options of a run ask for one and there is where to write it."""
    if metadata is None:
        return None
    metadata.Clear()  # what another run has told
    return RunTrace() if getattr(options, "trace_level", NO_TRACE) != NO_TRACE else None
