"""From a graph to native code: the stages, top to bottom, and nothing else."""

from __future__ import annotations

from functools import partial
from zlib import compress, decompress

from ..config import settings
from ..core.process.named_tuples import NamedTuple
from ..graph.ir import Graph
from ..graph.passes.gathering import gather_loops
from ..graph.passes.order import simplify
from .calling import object_layouts
from .calling.frame import FrameLayout, layout_of
from .garbage_collection import collection_paused
from .inlining import outline
from .list_ranks import rank_lists
from .lowered import Lowered
from .machine.cache import CachedCode, CodeCache, open_cache
from .machine.jit import (
    NativeModule,
    compile_module,
    imports_of,
    link,
    linked,
    metadata_of,
    object_key,
)
from .machine.stored_programs import description, graph_key, restored
from .native.symbols import symbols_for, symbols_of


class Compiled(NamedTuple):
    """Native code of one graph, and what a caller must know."""

    lowered: Lowered
    layout: FrameLayout
    module: NativeModule
    packed_text: bytes  # kept for those who look: a sixth of its length

    @property
    def text(self) -> str:
        """The LLVM IR; empty where the code came from the disk cache."""
        return decompress(self.packed_text).decode() if self.packed_text else ""


def compile_graph(graph: Graph, parameters: int) -> Compiled:
    """Compile `graph`, whose first `parameters` inputs are passed by each call."""
    with collection_paused():
        return _found_or_compiled(graph, parameters)


def _found_or_compiled(graph: Graph, parameters: int) -> Compiled:
    graph = gather_loops(outline(simplify(rank_lists(graph))))
    # What checks memory, or may look into no object, is code for this process only.
    is_usual = object_layouts.are_known() and not settings.check_memory
    cache = open_cache() if is_usual else None
    key = None if cache is None else graph_key(graph, parameters)
    if cache is not None and key is not None and (found := from_cache(cache, key, graph)):
        return found
    return _compiled(graph, parameters, key, cache)


def _compiled(graph: Graph, parameters: int, key: str | None, cache: CodeCache | None) -> Compiled:
    from .translation import translate  # a third of the library: code on disk needs none of it

    made = translate(graph, parameters)
    stored = description(made.lowered, graph)
    module = compile_module(
        made.text,
        name=graph.name,
        symbols=partial(symbols_for, made.text),  # some have yet to be compiled
        cache_key=made.text if stored is None else key,
        cache=cache,
        metadata=stored,
        effort=settings.effort,
    )
    lowered = made.lowered._replace(program=None)  # the machine code says it all
    return Compiled(lowered, made.layout, module, compress(made.text.encode(), 1))


def from_cache(cache: CodeCache, key: str, graph: Graph) -> Compiled | None:
    """The code of a graph with this key, made by an earlier process or call."""

    def use(entry: CachedCode) -> Compiled:
        lowered = restored(metadata_of(entry), graph)
        module = link(graph.name, entry, symbols_of(imports_of(entry)))
        module.address("entry")  # what is called: code that is kept needs no Python on the way
        return Compiled(lowered, layout_of(lowered), module, b"")

    return linked(cache, object_key(key, effort=settings.effort), use)
