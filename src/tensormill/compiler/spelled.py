"""A function of strings as Python calls it: its code gets spans of bytes, and gives them.

Strings of Python are turned into spans before the call and spans into strings behind it, so native
code never sees an object of Python's for them. What only steps in Python look at goes through as it
is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ..core.process.locks import ForkedLock
from ..eager.tensor import wrap
from ..graph.ir import Graph
from ..graph.payload import check_operands
from ..ops.state.lookup import HashTable
from ..ops.state.table_index import index_of
from .eager_texts import spans_in, strings_of
from .program import BoundExecutable, NativeExecutable
from .spelled_strings import Spelled, spell


class SpelledExecutable:
    """A graph whose strings are spans in its native code."""

    notes: Sequence[str] = ()

    def __init__(self, graph: Graph) -> None:
        self.graph: Final = graph
        self._made: tuple[Spelled, NativeExecutable] | None = None
        self._lock: Final = ForkedLock()

    def made(self) -> tuple[Spelled, NativeExecutable]:
        """What it is spelled as, and the executable of that; of no use to those never called."""
        if self._made is None:
            with self._lock():
                if self._made is None:
                    spelled = spell(self.graph)
                    self._made = spelled, NativeExecutable(spelled.graph)
        return self._made

    @property
    def callbacks(self) -> tuple[Any, ...]:
        """The steps that run in Python (of what was compiled so far)."""
        return () if self._made is None else self._made[1].callbacks

    @property
    def texts(self) -> tuple[str, ...]:
        """The LLVM IR of what was compiled so far."""
        return () if self._made is None else self._made[1].texts

    def bind(self, captures: Sequence[Any]) -> BoundSpelled:
        return BoundSpelled(self, captures)


class BoundSpelled:
    """Such an executable with its captures. It is its own quick way in."""

    __slots__ = ("__weakref__", "_bound", "_captures", "_gives", "_takes", "executable")

    def __init__(self, executable: SpelledExecutable, captures: Sequence[Any]) -> None:
        self.executable: Final = executable
        self._captures = captures
        self._bound: BoundExecutable | None = None

    @property
    def entry(self) -> Any:
        return self

    def _bind(self) -> BoundExecutable:
        spelled, executable = self.executable.made()
        count = len(self.executable.graph.parameters)
        own = [one for one in spelled.takes if one.number >= count]
        passed = pieces_of(own, [None] * count + [*self._captures])
        self._takes = [one for one in spelled.takes if one.number < count]
        self._gives = spelled.gives
        bound = executable.bind(passed)
        if all(is_settled(self._captures[one.number - count]._array) for one in own):
            self._bound = bound  # last: other threads look whether it is there
        return bound

    def __call__(self, *operands: Any) -> tuple[Any, ...]:
        bound = self._bound or self._bind()
        check_operands(self.executable.graph, operands)
        passed = pieces_of(self._takes, operands)
        found = bound.entry(*passed)
        if found is NotImplemented:
            found = bound(*passed)
        return tuple([self._result(one, operands, found) for one in self._gives])

    def _result(self, given: int | range, operands: Sequence[Any], found: Sequence[Any]) -> Any:
        if isinstance(given, int):
            count = len(operands)
            return operands[given] if given < count else self._captures[given - count]
        if len(given) == 1:
            return found[given.start]
        return wrap(strings_of(*[found[k]._array for k in given]))


def is_settled(held: Any) -> bool:
    """Whether what was captured stays as it is: a table may be filled yet."""
    return not isinstance(held, HashTable) or held.is_filled


def pieces_of(pieces: Sequence[Any], operands: Sequence[Any]) -> list[Any]:
    """The operands, or what is wanted of the spans of those that are strings."""
    known: dict[int, Sequence[Any]] = {}
    passed: list[Any] = []
    for number, part in pieces:
        if part is None:
            passed.append(operands[number])
            continue
        if number not in known:
            held = operands[number]._array
            arrays = index_of(held) if isinstance(held, HashTable) else spans_in(held)
            known[number] = [*map(wrap, arrays)]
        passed.append(known[number][part])
    return passed
