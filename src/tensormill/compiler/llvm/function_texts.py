"""Functions of a module that are written one instruction after another, and what they call."""

from __future__ import annotations

from ...core.process.named_tuples import NamedTuple
from .prototypes import Prototype
from .writer import Writer


class Packed(NamedTuple):
    """How a program calls a function that others share, in the place of one of its own: with the
    first arguments as they are, constants, the number of the others, and a table of these.
    """

    function: Prototype
    apart: int
    constants: tuple[int, ...]


class FunctionTexts:
    """Collects them. `packed`: the names of functions that are calls of others."""

    def __init__(self) -> None:
        self.lines: list[str] = []  # of globals
        self._texts: list[str] = []
        self._defined: list[str] = []
        self._called: dict[Prototype, None] = {}
        self.packed: dict[str, Packed] = {}

    def add(self, w: Writer, function: Prototype, *parameters: str, hints: str = "") -> None:
        """A finished function; its registers `parameters` are what it takes."""
        self._texts.append(w.text(function.header(parameters, hints)))
        self._defined.append(function.name)
        self._called.update(w.called)

    @property
    def names(self) -> frozenset[str]:
        """What is defined or declared here."""
        return frozenset([*self._defined, *[one.name for one in self._foreign()]])

    def text(self) -> str:
        """All of it; internal functions that are missing must be in another text of the module."""
        declared = [one.declaration for one in self._foreign()]
        return "\n".join([*self.lines, *self._texts, *declared, ""])

    def _foreign(self) -> list[Prototype]:
        return [one for one in self._called if not one.internal and one.name not in self._defined]
