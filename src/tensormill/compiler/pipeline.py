"""From a graph to native code: the stages, top to bottom, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass

from ..config import settings
from ..graph.ir import Graph
from ..graph.passes import simplify
from .cache import Cache, open_cache
from .calling.entry import EntryText
from .calling.frame import FrameLayout, layout_of
from .calling.runtime import callback_types, calls_of, general_functions, support, symbols_in
from .llvm.emit import emit
from .llvm.jit import (
    NativeModule,
    compile_module,
    imports_of,
    link,
    metadata_of,
    object_key,
)
from .loops.ir import Program
from .loops.passes import optimise
from .lowering.graphs import Lowered, lower_graph
from .stored import description, graph_key, restored
from .symbols import symbols_for, symbols_of
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
    graph = simplify(graph)
    cache = open_cache()
    key = None if cache is None else graph_key(graph, parameters)
    if cache is not None and key is not None and (found := from_cache(cache, key, graph)):
        return found
    lowered = lower_graph(graph)
    assert lowered.program is not None
    program = optimise(lowered.program, settings.verify)
    layout = layout_of(lowered)
    text = module_text(lowered, program, layout, parameters)
    stored = description(lowered, graph)
    module = compile_module(
        text,
        name=graph.name,
        symbols=symbols_for(calls_of(program), text),
        cache_key=text if stored is None else key,
        cache=cache,
        metadata=stored,
    )
    return Compiled(lowered, layout, module, text)


def from_cache(cache: Cache, key: str, graph: Graph) -> Compiled | None:
    """The code of a graph with this key, made by an earlier process or call."""
    entry = cache.load(object_key(key))
    if entry is None:
        return None
    lowered = restored(metadata_of(entry), graph)
    module = link(graph.name, entry, symbols_of(imports_of(entry)))
    return Compiled(lowered, layout_of(lowered), module, "")


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
