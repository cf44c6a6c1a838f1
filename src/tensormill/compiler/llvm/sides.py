"""Sides of a program become functions that may run at the same time.

    define internal i32 @program.side.1(ptr noalias %frame, ptr %context) noinline nounwind

A side is a part of its block (block_functions.py) with a frame of its own (native/sides.py), by
which it asks for memory, fails and looks for signals. One code serves any number of threads.
"""

from __future__ import annotations

from typing import final

from ..loops.ir import Literal, Together
from ..loops.sides import shares_threads, spared_work, why_not_together
from ..native.crews import WORTH
from ..native.records import CACHE_LINE, CREW
from ..native.sides import bytes_of_side
from .block_functions import BlockFunctions, PartTable
from .module import ModuleText
from .prototypes import BEGIN_SIDES, BESIDE, END_SIDES, THREADS
from .statements import Statements
from .types import Register
from .words import Word, stored
from .writer import Writer


@final
class Sides:
    """Decides which sides become functions, and writes the calls of them."""

    def __init__(self, module: ModuleText, functions: BlockFunctions) -> None:
        self.module = module
        self._functions = functions

    def beside(self, statements: Statements, together: Together) -> bool:
        """Emit sides as functions, and what runs them; False where that takes longer."""
        work = spared_work(together)
        if isinstance(work, Literal) and work.value < WORTH:
            return False
        if why_not_together(together.sides, self.module.plan.escape):
            return False
        table = PartTable(statements)
        names = [self._functions.side(statements, side, table) for side in together.sides]
        table.finish()
        spared = statements.values.register(work)
        if shares_threads(together):
            spared = _where_few_threads(statements.w, spared, len(names))
        self._run(statements, names, table, spared)
        return True

    def _run(
        self, statements: Statements, names: list[str], table: PartTable, work: Register
    ) -> None:
        w, frame, words = statements.w, statements.values.frame, self.module.error_word
        count, size = str(len(names)), bytes_of_side(words)
        crew = w.stack(f"[{CREW.bytes + len(names) * size} x i8]", CACHE_LINE)
        functions: list[Word] = [("ptr", f"@{name}") for name in names]
        w.invoke(BEGIN_SIDES, frame, crew, count, str(words), str(size))
        w.put(stored(w, functions), crew, CREW, "functions")
        w.put(table.address, crew, CREW, "table")
        w.put(f"@{statements.poll.name}" if statements.polls else "null", crew, CREW, "poll")
        w.invoke(BESIDE, crew, count, work)
        statements.leave_unless(w.invoke(END_SIDES, frame, crew, count, str(words)))


def _where_few_threads(w: Writer, work: Register, sides: int) -> Register:
    """Nothing where there are more threads than sides: they share what each side does."""
    few = w.line(f"icmp sle i64 {w.invoke(THREADS)}, {sides}")
    return w.line(f"select i1 {few}, i64 {work}, i64 0")
