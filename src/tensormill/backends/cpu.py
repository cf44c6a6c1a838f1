"""The compiler as a back end: whole functions as machine code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..compiler.program import NativeExecutable
from ..compiler.prologue import PrologueExecutable, executable_of, split
from ..graph.ir import Application, Graph
from ..ops.checks.assertions import AssertOp
from ..ops.constant import Const

if TYPE_CHECKING:
    from ..compiler.spelled import SpelledExecutable

name: Final = "cpu"


def compile(graph: Graph) -> NativeExecutable | SpelledExecutable | PrologueExecutable:
    """A graph that can be called; native code is made for the first operands."""
    prologue = split(graph)
    return executable_of(graph) if prologue is None else PrologueExecutable(graph, prologue)


def refuses(step: Application) -> str | None:
    """Why an operation is a step in Python."""
    if step.op is AssertOp or step.op is Const:
        # Texts of a check are needed where it fails, and what makes others answers for itself.
        return None
    if any(value.spec.dtype.family == "string" for value in (*step.operands, *step.results)):
        return "strings stay in Python"
    if step.op.lower is None and step.op.expand is None:
        return "it has no native rule"
    return None
