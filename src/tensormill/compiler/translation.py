"""The cold half of the pipeline: a graph becomes loops, and loops become LLVM IR text."""

from __future__ import annotations

from collections.abc import Iterable

from ..config import settings
from ..core.process.named_tuples import NamedTuple
from ..errors import InternalError
from ..graph.ir import Graph
from .calling.entry import Entry
from .calling.frame import FrameLayout, layout_of
from .calling.module_runtime import add_general_functions, calls_of, is_callback
from .calling.object_layouts import has_entry
from .llvm.emit import emit
from .llvm.function_texts import FunctionTexts
from .llvm.prototypes import program as prototype_of
from .lock_release import is_long
from .loops.ir import NativeFunction, Program
from .loops.passes.order import optimise
from .lowered import Failure, Lowered
from .lowering.graphs import lower_graph
from .native import library
from .native.interrupts import has_endless_loops
from .native.memory.call_memory import KEEPING

PROGRAM = "program"


class Translation(NamedTuple):
    """The text of a module, and what calls of it must know."""

    lowered: Lowered
    layout: FrameLayout
    text: str


def translate(graph: Graph, parameters: int) -> Translation:
    """Lower `graph`, improve its loops, write them down."""
    lowered = lower_graph(graph)
    assert lowered.program is not None
    program = optimise(lowered.program, settings.verify)
    layout = layout_of(lowered)
    calls = calls_of(program)
    own = [] if has_entry(lowered) else frame_functions_of(lowered, layout, calls)
    called = [name for one in own for name in library.calls_of(one)]
    # What checks memory looks into all that the program calls.
    functions = [*own, *library.needed([*calls, *called], copied=settings.check_memory)]
    keeps = any(KEEPING in names for names in (calls, called, *map(library.calls_of, functions)))
    around = around_program(lowered, program, layout, parameters, keeps)
    if settings.verify:
        verify_calls(program)
    if settings.check_memory:
        lowered, program, functions = with_guards(lowered, program, functions)
    text = emit(program, PROGRAM, functions=functions, defined=around.names, packed=around.packed)
    return Translation(lowered, layout, text + around.text())


def frame_functions_of(
    lowered: Lowered, layout: FrameLayout, calls: Iterable[str]
) -> list[NativeFunction]:
    """Those that a program without an entry calls; plain ones are spared what reads them."""
    from .calling.frame_functions import frame_functions

    return frame_functions(lowered, layout, calls)


def verify_calls(program: Program) -> None:
    """Verify a whole program, its calls included."""
    from .loops.verify import verify  # where it is asked for

    verify(program, library.SIGNATURES)


def with_guards(
    lowered: Lowered, program: Program, functions: list[NativeFunction]
) -> tuple[Lowered, Program, list[NativeFunction]]:
    """Code that checks all that it touches; what it finds is a bug of this library."""
    from .loops.guards import guard  # where it is asked for

    guarded = guard(program, functions, first_error=len(lowered.failures))
    failures = [Failure(InternalError, message, None) for message in guarded.messages]
    lowered = lowered._replace(failures=(*lowered.failures, *failures))
    return lowered, guarded.program, guarded.functions


def around_program(
    lowered: Lowered, program: Program, layout: FrameLayout, parameters: int, keeps: bool
) -> FunctionTexts:
    """Everything around the program that is no level-2 code.

    `keeps`: whether a call may keep memory until it ends.
    """
    texts, main, polls = FunctionTexts(), prototype_of(PROGRAM), has_endless_loops(program)
    if has_entry(lowered):
        releases_lock = is_long(program)
        Entry(texts, lowered, parameters, layout, main, releases_lock, polls, keeps).write()
    else:
        callbacks = filter(is_callback, calls_of(program))
        add_general_functions(texts, lowered, layout, main, callbacks, polls)
    return texts
