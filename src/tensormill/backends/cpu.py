"""The compiler as a back end: whole functions as machine code."""

from __future__ import annotations

from ..compiler.program import BoundExecutable, Executable
from ..graph.ir import Graph


def compile(graph: Graph) -> Executable:
    """A graph that can be called; native code is made for the first operands."""
    return Executable(graph)


__all__ = ["BoundExecutable", "Executable", "compile"]
