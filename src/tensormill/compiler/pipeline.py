"""From a graph to native code: the stages, top to bottom, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass

from ..config import settings
from ..graph.ir import Graph
from ..graph.passes import simplify
from .cache import open_cache
from .calling.entry import EntryText
from .calling.frame import FrameLayout, layout_of
from .calling.runtime import callback_types, calls_of, general_functions, support, symbols_in
from .llvm.emit import emit
from .llvm.jit import NativeModule, compile_module
from .loops.ir import Program
from .loops.passes import optimise
from .lowering.graphs import Lowered, lower_graph
from .symbols import symbols_for
from .weight import is_long

PROGRAM = "program"


@dataclass(frozen=True, slots=True)
class Compiled:
    """Native code of one graph, and what a caller must know."""

    lowered: Lowered
    layout: FrameLayout
    module: NativeModule
    text: str


def compile_graph(graph: Graph, parameters: int) -> Compiled:
    """Compile `graph`, whose first `parameters` inputs are passed by each call."""
    lowered = lower_graph(simplify(graph))
    program = optimise(lowered.program, settings.verify)
    layout = layout_of(lowered)
    text = module_text(lowered, program, layout, parameters)
    calls = calls_of(program)
    module = compile_module(
        text, name=graph.name, symbols=symbols_for(calls, text), cache_key=text, cache=open_cache()
    )
    return Compiled(lowered, layout, module, text)


def module_text(lowered: Lowered, program: Program, layout: FrameLayout, parameters: int) -> str:
    """The LLVM IR of the program and of everything around it."""
    calls = calls_of(program)
    parts = [support(calls)]
    if lowered.is_plain:
        entry = EntryText(lowered, parameters, layout, PROGRAM, is_long(program))
        parts.append(entry.text())
    else:
        parts.append(general_functions(lowered, layout, PROGRAM, callback_types(calls)))
    around = "\n".join(parts)
    return emit(program, PROGRAM, defined=symbols_in(around)) + around
