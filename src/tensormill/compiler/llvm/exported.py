"""A level-2 function of the library by itself, for Python to call."""

from __future__ import annotations

from ..loops.ir import Program
from ..native import library
from .emit import emit
from .types import REGISTER


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
