"""A module's text in pieces, each a module of its own: loops, which LLVM's passes work on, in
several threads at once, and glue, which becomes code as it is: passes and good code would be lost
on it.

What stands alone (above all loops, which are marked `noinline`) is in one piece; others that call
it see a function that is `hidden`: the linker finds it, and nobody else does. What LLVM copies to
where it is called is in each piece that calls it, and so are small constants. How a text is divided
depends on nothing but the text: so does the code.

Long functions of the library are pieces by themselves, the same in each program that calls them:
who keeps their code makes it once.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Final, final

from ...core.process.named_tuples import NamedTuple
from .lone_texts import lone_text

GLUE: Final = '"glue"'
# A piece with fewer lines costs more (what all pieces need, and a thread) than it saves.
PIECE_LINES: Final = 800
MOST_PIECES: Final = 16
# LLVM copies no function that is longer to several places, unless it is told to.
_COPIED_LINES: Final = 100
_COPIED_DATA: Final = 1000  # characters of a constant
# What the library's functions are called, and how many lines one has that is a piece.
_LIBRARY: Final = "tm"
_LIBRARY_LINES: Final = 60

# `re` keeps what it compiled: code from the disk needs none of them.
_FUNCTION: Final = r"(?ms)^define [^\n]*\n.*?^}$"
_NAME: Final = r"@([\w.]+)"
_GLOBAL: Final = r"@([\w.]+) = "
_OWN: Final = r"^define (?:internal|private) "
_BYTES: Final = r"^(@[\w.]+ = )internal (unnamed_addr constant )(\[\d+ x i8\])(?s:.*)(, align \d+)$"


class TextPiece(NamedTuple):
    """A module's text. `is_glue`: no pass is to look at it. `is_library`: other texts have it."""

    text: str
    is_glue: bool = False
    is_library: bool = False


def divided(ir: str) -> list[TextPiece]:
    """The pieces of a text as `Writer` writes it: one function after another, from line to line."""
    if GLUE not in ir and ir.count("\n") < 2 * PIECE_LINES:
        return [TextPiece(ir)]
    text = _Text(ir)
    glue = [name for name in text.functions if text.is_glue(name)]
    alone = text.standing_alone(glue)
    library = [name for name in alone if text.is_of_library(name)]
    groups = _balanced(text, [name for name in alone if name not in library])
    lone = [_Piece(text, [name]) for name in library]
    pieces = [*lone, *(_Piece(text, roots) for roots in groups)]
    if glue:
        pieces.append(_Piece(text, glue, is_glue=True))
    if len(pieces) == 1 or not _share_data(text, pieces):
        return [TextPiece(ir)]
    texts = [TextPiece(one.written_alone(), is_library=True) for one in lone]
    return texts + [TextPiece(one.written(pieces), one.is_glue) for one in pieces[len(lone) :]]


@final
class _Text:
    """The functions and variables of a text by their names, and all its other lines."""

    def __init__(self, ir: str) -> None:
        self.functions = {_name(one): one for one in re.findall(_FUNCTION, ir)}
        rest = [line for line in re.sub(_FUNCTION, "", ir).split("\n") if line]
        self.variables = {_name(line): line for line in rest if re.match(_GLOBAL, line)}
        self.shared = [line for line in rest if not re.match(_GLOBAL, line)]
        self._defined = {**self.functions, **self.variables}
        self.uses = {name: self._used_by(name) for name in self._defined}
        self._counts = _counted(self.uses.values())

    def _used_by(self, name: str) -> frozenset[str]:
        found = frozenset(re.findall(_NAME, self._defined[name]))
        return found & self._defined.keys() - {name}

    def is_glue(self, name: str) -> bool:
        """Whether no pass is to look at a function."""
        return GLUE in _header(self.functions[name])

    def is_copied(self, name: str) -> bool:
        """Whether LLVM may put a function into those that call it."""
        if name not in self.functions or self.is_glue(name):
            return False
        text = self.functions[name]
        header = _header(text)
        if "noinline" in header or not re.match(_OWN, text):
            return False
        # What becomes of the library's functions is the same in each text.
        is_called_once = not name.startswith(_LIBRARY) and self._counts.get(name) == 1
        is_wanted = "alwaysinline" in header or is_called_once
        return is_wanted or text.count("\n") <= _COPIED_LINES

    def is_of_library(self, name: str) -> bool:
        """Whether a function is long, and all that is copied to it the same in other texts."""
        if not name.startswith(_LIBRARY):
            return False
        found = self.with_copies([name])
        lines = sum(self.functions[one].count("\n") for one in found)
        return lines >= _LIBRARY_LINES and all(map(self._is_anywhere, found))

    def _is_anywhere(self, name: str) -> bool:
        """Tables of elementary functions, whose names are in quotes, are lines of each text."""
        looks_at_data = self.uses[name] & self.variables.keys() or '@"' in self.functions[name]
        return name.startswith(_LIBRARY) and not looks_at_data

    def standing_alone(self, glue: Collection[str]) -> list[str]:
        """The functions with a place of their own: loops, what glue calls, what others may see."""
        called = set[str]().union(*(self.uses[name] for name in (*glue, *self.variables)))
        return [
            name
            for name in self.functions
            if not self.is_glue(name) and (name in called or not self.is_copied(name))
        ]

    def with_copies(self, roots: Iterable[str]) -> dict[str, None]:
        """These functions, and all that is copied into them, in the text's order."""
        found, waiting = set(roots), [*roots]
        while waiting:
            for name in self.uses[waiting.pop()] - found:
                if self.is_copied(name):
                    found.add(name)
                    waiting.append(name)
        return {name: None for name in self.functions if name in found}


def _counted(uses: Iterable[frozenset[str]]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for used in uses:
        for name in used:
            counts[name] = counts.get(name, 0) + 1
    return counts


def _balanced(text: _Text, roots: Sequence[str]) -> list[list[str]]:
    """Functions in groups of about as many lines: the longest first, each to the shortest group."""
    lengths = {
        root: sum(text.functions[name].count("\n") for name in text.with_copies([root]))
        for root in roots
    }
    count = min(max(sum(lengths.values()) // PIECE_LINES, 1), MOST_PIECES)
    groups: list[list[str]] = [[] for _ in range(count)]
    totals = [0] * count
    for root in sorted(roots, key=lambda root: -lengths[root]):
        shortest = totals.index(min(totals))
        groups[shortest].append(root)
        totals[shortest] += lengths[root]
    return [group for group in groups if group]


@final
class _Piece:
    """Some functions of a text, and the variables that they look at."""

    def __init__(self, text: _Text, roots: Sequence[str], is_glue: bool = False) -> None:
        self._text = text
        self.roots = frozenset(roots)
        self.is_glue = is_glue
        self.functions = dict.fromkeys(roots) if is_glue else text.with_copies(roots)
        self.variables = self._looked_at()
        self.elsewhere = set[str]()  # of the variables, those that another piece has

    def _looked_at(self) -> set[str]:
        found, waiting = set[str](), [*self.functions]
        while waiting:
            for name in self._text.uses[waiting.pop()] & self._text.variables.keys() - found:
                found.add(name)
                waiting.append(name)
        return found

    @property
    def wanted(self) -> set[str]:
        """All that it names and others have."""
        own = (*self.functions, *(self.variables - self.elsewhere))
        used = set[str]().union(*(self._text.uses[name] for name in own))
        return used - self.functions.keys() - (self.variables - self.elsewhere)

    def written(self, pieces: Sequence[_Piece]) -> str:
        """Its text; other pieces see what they name."""
        offered = set[str]().union(*(one.wanted for one in pieces if one is not self))
        text, wanted = self._text, self.wanted
        declared = [_declaration(text.functions[name]) for name in text.functions if name in wanted]
        variables = [self._variable(name, offered) for name in text.variables]
        functions = [
            _seen(text.functions[name])
            if name in self.roots and name in offered
            else text.functions[name]
            for name in self.functions
        ]
        return "\n".join([*declared, *filter(None, variables), *text.shared, *functions, ""])

    def written_alone(self) -> str:
        """The same of a function that looks at no variables; all others see it."""
        text, wanted = self._text, self.wanted
        functions = [
            _seen(text.functions[name]) if name in self.roots else text.functions[name]
            for name in sorted(self.functions)
        ]
        declared = [_declaration(text.functions[name]) for name in wanted]
        return lone_text(declared, functions, text.shared)

    def _variable(self, name: str, offered: Collection[str]) -> str:
        line = self._text.variables[name]
        if name not in self.variables:
            return ""
        if name in self.elsewhere:
            return re.sub(_BYTES, r"\1external hidden \2\3\4", line)
        return line.replace(" = internal ", " = hidden ", 1) if name in offered else line


def _share_data(text: _Text, pieces: Sequence[_Piece]) -> bool:
    """Say who has what several look at. False where it is nothing that can be shared."""
    for name, line in text.variables.items():
        users = [piece for piece in pieces if name in piece.variables]
        if not users:
            pieces[0].variables.add(name)
        elif len(users) > 1:
            if not re.match(_BYTES, line):
                return False
            if len(line) > _COPIED_DATA:
                for piece in users[1:]:
                    piece.elsewhere.add(name)
    return True


def _header(function: str) -> str:
    return function[: function.index("\n")]


def _name(text: str) -> str:
    found = re.search(_NAME, text)
    assert found is not None
    return found[1]


def _seen(function: str) -> str:
    """A function that another piece calls; what others may call anyway stays so."""
    return re.sub(_OWN, "define hidden ", function)


def _declaration(function: str) -> str:
    header = _seen(_header(function)).removesuffix("{").replace(GLUE, "")
    return header.replace("define ", "declare ", 1).replace("alwaysinline ", "")
