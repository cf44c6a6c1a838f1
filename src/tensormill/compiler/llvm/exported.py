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
    w.invoke(Prototype(function, "void", types, internal=True), *[f"%{one}" for one in parameters])
    w.do("ret void")
    texts.add(w, Prototype(name, "void", types), *parameters)
    return text + texts.text()
