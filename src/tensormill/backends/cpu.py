"""The compiler as a back end: whole functions as machine code."""

from __future__ import annotations

from typing import Any, Final

from ..compiler.program import NativeExecutable
from ..compiler.prologue import PrologueExecutable, split
from ..compiler.spelled import SpelledExecutable, executable_of
from ..graph.ir import Graph

name: Final = "cpu"


def compile(graph: Graph) -> NativeExecutable | SpelledExecutable | PrologueExecutable:
    """A graph that can be called; native code is made for the first operands."""
    prologue = split(graph)
    return executable_of(graph) if prologue is None else PrologueExecutable(graph, prologue)


def refuses(op: Any) -> str | None:
    """Nothing is refused: what has no native rule runs in Python, as a callback."""
    return None
