"""A module's text in two: what LLVM's passes work on, and glue, which becomes code as it is.

Each text is a module. Functions that the other one calls are `hidden`: the linker finds them, and
nobody else does. Glue is marked so in its header; passes and good code would be lost on it.
"""

from __future__ import annotations

import re
from typing import Final

from ...core.process.named_tuples import NamedTuple

GLUE: Final = '"glue"'

# `re` keeps what it compiled: code from the disk needs none of them.
_FUNCTION: Final = r"(?ms)^define [^\n]*\n.*?^}$"
_NAME: Final = r"@([\w.]+)"
_GLOBAL: Final = r"@([\w.]+) = "
_OWN: Final = r"^define (?:internal|private) "


class TextPiece(NamedTuple):
    """A module's text. `is_glue`: no pass is to look at it."""

    text: str
    is_glue: bool


def divided(ir: str) -> list[TextPiece]:
    """The pieces of a text as `Writer` writes it: one function after another, from line to line."""
    if GLUE not in ir:
        return [TextPiece(ir, is_glue=False)]
    functions = re.findall(_FUNCTION, ir)
    glue = [one for one in functions if GLUE in _header(one)]
    others = [one for one in functions if GLUE not in _header(one)]
    rest = [line for line in re.sub(_FUNCTION, "", ir).split("\n") if line]
    wanted = _used(glue)
    variables = [line for line in rest if re.match(_GLOBAL, line)]
    moved = [line for line in variables if _name(line) in wanted]
    kept = [line for line in rest if line not in set(moved)]
    offered = _used([*others, *kept])
    if any(_name(line) in offered or len(_used([line])) > 1 for line in moved):
        return [TextPiece(ir, is_glue=False)]  # data that both look at
    shared = [line for line in rest if not re.match(_GLOBAL, line)]
    return [
        _piece(kept, others, glue, offered, wanted, is_glue=False),
        _piece([*moved, *shared], glue, others, wanted, offered, is_glue=True),
    ]


def _piece(
    lines: list[str],
    functions: list[str],
    elsewhere: list[str],
    wanted: set[str],
    offered: set[str],
    is_glue: bool,
) -> TextPiece:
    """`wanted`: the names that it uses; `offered`: those that the other piece uses."""
    declared = [_declaration(one) for one in elsewhere if _name(one) in wanted]
    defined = [_seen(one) if _name(one) in offered else one for one in functions]
    return TextPiece("\n".join([*declared, *lines, *defined, ""]), is_glue)


def _header(function: str) -> str:
    return function[: function.index("\n")]


def _name(text: str) -> str:
    found = re.search(_NAME, text)
    assert found is not None
    return found[1]


def _used(texts: list[str]) -> set[str]:
    return {name for one in texts for name in re.findall(_NAME, one)}


def _seen(function: str) -> str:
    """A function that the other piece calls; what others may call anyway stays so."""
    return re.sub(_OWN, "define hidden ", function)


def _declaration(function: str) -> str:
    header = _seen(_header(function)).removesuffix("{").replace(GLUE, "")
    return header.replace("define ", "declare ", 1).replace("alwaysinline ", "")
