"""What the functions that modules define for themselves, `@tm.<function>.<type>`, take and give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ..loops.functions import KIND, REAL_PART
from .types import REGISTER


def signature(function: str, type_: str) -> tuple[str, str]:
    """LLVM's type of every argument, and of the result."""
    if KIND[type_] == "c":
        part = REGISTER[REAL_PART[type_]]
        return part, part if function == "abs" else f"{{ {part}, {part} }}"
    if (conversion := _CONVERSIONS.get(function)) is not None:
        return conversion(type_)
    return REGISTER[type_], REGISTER[type_]


def _to(type_: str) -> Callable[[str], tuple[str, str]]:
    return lambda source: (REGISTER[source], type_)


_CONVERSIONS: Final[dict[str, Callable[[str], tuple[str, str]]]] = {
    "round": lambda _: ("float", "float"),
    "narrow": lambda _: ("double", "float"),
    "to_i32": _to("i32"),
    "to_i64": _to("i64"),
    "to_u64": _to("i64"),
}
