"""The compiler as a back end: whole functions as machine code."""

from __future__ import annotations

from typing import Any, Final

from ..compiler.program import Executable
from ..graph.ir import Graph

name: Final = "cpu"


def compile(graph: Graph) -> Executable:
    """A graph that can be called; native code is made for the first operands."""
    return Executable(graph)


def refuses(op: Any) -> str | None:
    """Nothing is refused: what has no native rule runs in Python, as a callback."""
    return None
