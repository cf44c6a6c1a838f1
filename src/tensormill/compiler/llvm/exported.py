"""Level-2 functions by themselves, for Python or other modules to call."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ..loops.ir import NativeFunction, Program
from ..native import library
from .emit import emit
from .function_texts import FunctionTexts
from .prototypes import Prototype
from .writer import Writer


def exported(function: str) -> str:
    """The LLVM IR of a module that holds a function of the library, for others to call."""
    return exported_as(library.needed([function], copied=True), [function])


def exported_as(
    functions: Sequence[NativeFunction], names: Collection[str], foreign: Sequence[str] = ()
) -> str:
    """The same for those of some functions that have these `names`; they call the others, and loops
    of NumPy's by names that `thunks` explains.
    """
    around, nothing = thunks(foreign), Program("nothing", (), ())
    text = emit(nothing, "nothing", functions=functions, defined=around.names, exported=names)
    return text + around.text()


def thunks(names: Sequence[str]) -> FunctionTexts:
    """Functions that call `<name>.function` with what they are given, three addresses, and with the
    address of `<name>.data`, which passes for a function: one of the linker's symbols.
    """
    texts = FunctionTexts()
    for name in names:
        w = Writer()
        given = ("%arrays", "%sizes", "%steps", f"@{name}.data")
        w.invoke(Prototype(f"{name}.function", "void", ("ptr",) * 4), *given)
        w.do("ret void")
        texts.add(
            w, Prototype(name, "void", ("ptr",) * 3, internal=True), "arrays", "sizes", "steps"
        )
        texts.lines.append(f"declare void @{name}.data()")
    return texts
