"""A level-2 function by itself, for Python or other modules to call."""

from __future__ import annotations

from collections.abc import Sequence

from ..loops.externals import signature_of
from ..loops.ir import NativeFunction, Program
from ..native import library
from .emit import emit
from .function_texts import FunctionTexts
from .prototypes import Prototype
from .types import REGISTER
from .writer import Writer


def exported(function: str, name: str) -> str:
    """The LLVM IR of a module that holds a function of the library, by `name` for others."""
    return exported_as(library.needed([function]), name)


def exported_as(functions: Sequence[NativeFunction], name: str, foreign: Sequence[str] = ()) -> str:
    """The same for the first one of some functions, of which it calls the others; and loops of
    NumPy's by names that `thunks` explains.
    """
    around = thunks(foreign)
    text = (
        emit(Program("nothing", (), ()), "nothing", functions=functions, defined=around.names)
        + around.text()
    )
    inner, result = functions[0].name, signature_of(functions[0]).result
    types = tuple([REGISTER[type_] for type_ in signature_of(functions[0]).parameters])
    parameters = [f"p{number}" for number in range(len(types))]
    texts, w = FunctionTexts(), Writer()
    kept = "void" if result is None else REGISTER[result]
    given = [f"%{one}" for one in parameters]
    found = w.invoke(Prototype(inner, kept, types, internal=True), *given)
    w.do("ret void" if result is None else f"ret {kept} {found}")
    texts.add(w, Prototype(name, kept, types), *parameters)
    return text + texts.text()


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
