"""The cold half of the pipeline: a graph becomes loops, and loops become LLVM IR text."""

from __future__ import annotations

from dataclasses import dataclass

from ..config import settings
from ..errors import InternalError
from ..graph.ir import Graph
from .calling.entry import EntryText
from .calling.frame import FrameLayout, layout_of
from .calling.frame_functions import frame_functions
from .calling.module_runtime import (
    callback_types,
    calls_of,
    general_functions,
    support_in,
    symbols_in,
)
from .calling.object_layouts import has_entry
from .llvm.emit import emit
from .llvm.types import REGISTER
from .lock_release import is_long
from .loops.guards import guard
from .loops.ir import NativeFunction, Program
from .loops.passes.order import optimise
from .loops.verify import verify
from .lowered import Failure, Lowered
from .lowering.graphs import lower_graph
from .native import library
from .native.interrupts import has_endless_loops

PROGRAM = "program"


@dataclass(frozen=True, slots=True)
class Translation:
    """The text of a module, and what calls of it must know."""

    lowered: Lowered
    layout: FrameLayout
    text: str
    functions: frozenset[str]  # the native functions that the program calls


def translate(graph: Graph, parameters: int) -> Translation:
    """Lower `graph`, improve its loops, write them down."""
    lowered = lower_graph(graph)
    assert lowered.program is not None
    program = optimise(lowered.program, settings.verify)
    layout = layout_of(lowered)
    calls = calls_of(program)
    around = text_around(lowered, program, layout, parameters)
    own = [] if has_entry(lowered) else frame_functions(lowered, layout, calls)
    called = [name for one in own for name in library.calls_of(one)]
    functions = [*own, *library.needed([*calls, *support_in(around), *called])]
    if settings.verify:
        verify(program, library.SIGNATURES)
    if settings.check_memory:
        lowered, program, functions = with_guards(lowered, program, functions)
    text = emit(program, PROGRAM, functions=functions, defined=symbols_in(around)) + around
    return Translation(lowered, layout, text, frozenset(calls))


def with_guards(
    lowered: Lowered, program: Program, functions: list[NativeFunction]
) -> tuple[Lowered, Program, list[NativeFunction]]:
    """Code that checks all that it touches; what it finds is a bug of this library."""
    guarded = guard(program, functions, first_error=len(lowered.failures))
    failures = [Failure(InternalError, message, None) for message in guarded.messages]
    lowered = lowered._replace(failures=(*lowered.failures, *failures))
    return lowered, guarded.program, guarded.functions


def text_around(lowered: Lowered, program: Program, layout: FrameLayout, parameters: int) -> str:
    """The LLVM IR of everything around the program that is no level-2 code."""
    calls = calls_of(program)
    polls = has_endless_loops(program)
    if has_entry(lowered):
        entry = EntryText(lowered, parameters, layout, PROGRAM, is_long(program), polls)
        return entry.text()
    return general_functions(lowered, layout, PROGRAM, callback_types(calls), polls)


def exported(function: str, name: str) -> str:
    """The LLVM IR of a module that holds a function of the library, by `name` for others."""
    text = emit(Program("nothing", (), ()), "nothing", functions=library.needed([function]))
    types = [REGISTER[type_] for type_ in library.SIGNATURES[function].parameters]
    taken = ", ".join(f"{type_} %{number}" for number, type_ in enumerate(types))
    lines = [
        f"define void @{name}({taken}) {{",
        f"  call void @{function}({taken})",
        "  ret void",
        "}",
    ]
    return "\n".join([text, *lines])
