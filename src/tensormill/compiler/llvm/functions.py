"""Functions of the loop language in a module's text, next to the program that calls them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from ...errors import InternalError
from ..loops.ir import FRAME, Allocate, Buffer, Check, NativeCall, NativeFunction
from ..loops.walk import every_statement
from .module import ModuleText
from .outline import divide
from .statements import Statements
from .types import REGISTER

_HINTS: Final = {"": "nounwind", "inline": "alwaysinline nounwind", "apart": "noinline nounwind"}


def add_functions(
    module: ModuleText, functions: Iterable[NativeFunction], exported: Collection[str] = ()
) -> None:
    """Write functions that call each other into a module; others see those that are `exported`."""
    for function in functions:
        with module.writing(function.name):
            _add(module, function, "" if function.name in exported else "internal ")


def memory_of(functions: Iterable[NativeFunction]) -> frozenset[Buffer]:
    """What functions have on the stack."""
    return frozenset(
        one.buffer
        for function in functions
        for one in every_statement(function.body)
        if isinstance(one, Allocate)
    )


def failing(functions: Iterable[NativeFunction]) -> frozenset[str]:
    """The names of those in which a check may fail, or in what they call."""
    calls: dict[str, set[str]] = {}
    found: set[str] = set()
    for function in functions:
        statements = every_statement(function.body)
        calls[function.name] = {one.function for one in statements if isinstance(one, NativeCall)}
        if any(isinstance(one, Check) for one in statements):
            found.add(function.name)
    while more := {name for name, called in calls.items() if called & found} - found:
        found |= more
    return frozenset(found)


def _add(module: ModuleText, function: NativeFunction, linkage: str) -> None:
    w = module.writer()
    names = {one: f"%p{number}" for number, one in enumerate(function.parameters)}
    statements = Statements(module, w, names.get(FRAME, "null"), divide)
    statements.values.tagged = False  # its buffers may overlap
    statements.states_rows = True
    statements.values.variables.update(names)
    statements.run(function.body)
    if statements.leaves and FRAME not in names:
        raise InternalError(f"{function.name} has no frame to say which check has failed")
    kept = "void" if function.result is None else REGISTER[function.result]
    nothing = "ret void" if function.result is None else f"ret {kept} zeroinitializer"
    statements.finish("ret void" if function.result is None else "unreachable", nothing)
    taken = ", ".join(f"{REGISTER[one.type]} {name}" for one, name in names.items())
    header = f"define {linkage}{kept} @{function.name}({taken}) {_HINTS[function.hint]}"
    module.add_function(w, header)
