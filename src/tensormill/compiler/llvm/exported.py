"""A level-2 function of the library by itself, for Python to call."""

from __future__ import annotations

from ..loops.ir import Program
from ..native import library
from .emit import emit
from .function_texts import FunctionTexts
from .prototypes import Prototype
from .types import REGISTER
from .writer import Writer


def exported(function: str, name: str) -> str:
    """The LLVM IR of a module that holds a function of the library, by `name` for others."""
    text = emit(Program("nothing", (), ()), "nothing", functions=library.needed([function]))
    types = tuple([REGISTER[type_] for type_ in library.SIGNATURES[function].parameters])
    parameters = [f"p{number}" for number in range(len(types))]
    texts, w = FunctionTexts(), Writer()
    result = library.SIGNATURES[function].result
    kept = "void" if result is None else REGISTER[result]
    given = [f"%{one}" for one in parameters]
    found = w.invoke(Prototype(function, kept, types, internal=True), *given)
    w.do("ret void" if result is None else f"ret {kept} {found}")
    texts.add(w, Prototype(name, kept, types), *parameters)
    return text + texts.text()
