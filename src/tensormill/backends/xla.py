"""XLA as a back end, through JAX: functions as programs for a device."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from ..eager.devices import has_accelerators
from ..graph.ir import Application, Graph
from ..ops.constant import Const
from ..ops.dispatch.placements import with_devices
from ..xla.execution.executable import XlaExecutable
from ..xla.execution.plan import why_not
from . import cpu

name: Final = "xla"


def compile(graph: Graph) -> XlaExecutable:
    """A graph that can be called; programs are made for the first operands of each kind."""
    if has_accelerators():
        with_devices()  # what eager operations mean on what it gives
    return XlaExecutable(graph, cpu.compile)


def compiler_ir(graph: Graph, captures: Sequence[Any]) -> Callable[..., str | bytes]:
    """What gives XLA's texts of a graph, by the names of stages."""
    from ..xla.compiler_ir import compiler_ir as texts_of

    return texts_of(graph, captures)


def refuses(step: Application) -> str | None:
    """Why an operation is done on the CPU."""
    return None if step.op is Const else why_not(step)
