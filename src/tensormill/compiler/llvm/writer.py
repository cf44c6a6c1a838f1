"""Writing the text of LLVM functions, and what a module of them needs besides."""

from __future__ import annotations

from typing import Final

from .signatures import signature
from .types import Register, Value


class Writer:
    """The lines of one function, from its entry block on.

    `needs` collects the symbols of definitions that the lines call (see `definitions.py`).
    """

    __slots__ = ("_count", "entry", "label", "lines", "needs")

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.entry: list[str] = []  # what must stand at the beginning: memory on the stack
        self.label = "entry"
        self.needs: dict[tuple[str, str], None] = {}
        self._count = 0

    def name(self) -> Register:
        """A fresh register."""
        self._count += 1
        return f"%v{self._count}"

    def line(self, instruction: str) -> Register:
        """Add an instruction; its result."""
        self._count += 1
        name = f"%v{self._count}"
        self.lines.append(f"  {name} = {instruction}")
        return name

    def do(self, instruction: str) -> None:
        """Add an instruction without result."""
        self.lines.append(f"  {instruction}")

    def fresh_label(self, stem: str) -> str:
        """A label that no block has."""
        self._count += 1
        return f"{stem}{self._count}"

    def begin(self, label: str) -> None:
        """Begin a block; the block before must have been ended."""
        self.lines.append(f"{label}:")
        self.label = label

    def stack(self, type_: str, alignment: int) -> Register:
        """Memory that lives as long as the function runs."""
        self._count += 1
        name = f"%m{self._count}"
        self.entry.append(f"  {name} = alloca {type_}, align {alignment}")
        return name

    def call(self, function: str, type_: str, *arguments: Value) -> Value:
        """Call `@tm.<function>.<type>`, which `definitions.py` knows."""
        self.needs[function, type_] = None
        taken, given = signature(function, type_)
        flat = [each for one in arguments for each in ((one,) if isinstance(one, str) else one)]
        shown = ", ".join(f"{taken} {each}" for each in flat)
        result = self.line(f"call {given} @tm.{function}.{type_}({shown})")
        if not given.startswith("{"):
            return result
        first = self.line(f"extractvalue {given} {result}, 0")
        return first, self.line(f"extractvalue {given} {result}, 1")

    def text(self, header: str) -> str:
        """The function's definition; `header` ends before the opening brace."""
        return "\n".join([f"{header} {{", "entry:", *self.entry, *self.lines, "}"])


_PURE: Final = "nounwind willreturn nofree norecurse nosync memory(none)"
INLINED: Final = f"alwaysinline {_PURE}"
CALLED: Final = _PURE


class Metadata:
    """Numbered metadata of a module, from !0 on."""

    __slots__ = ("_known", "lines")

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._known: dict[str, str] = {}

    def add(self, body: str, distinct: bool = False) -> str:
        """A node; equal bodies share one unless they are distinct. `{self}` names the node."""
        if not distinct and (known := self._known.get(body)) is not None:
            return known
        name = f"!{len(self.lines)}"
        word = "distinct " if distinct else ""
        self.lines.append(f"{name} = {word}!{{{body.replace('{self}', name)}}}")
        if not distinct:
            self._known[body] = name
        return name
