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


def exported_as(functions: Sequence[NativeFunction], name: str) -> str:
    """The same for the first one of some functions, of which it calls the others."""
    text = emit(Program("nothing", (), ()), "nothing", functions=functions)
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
