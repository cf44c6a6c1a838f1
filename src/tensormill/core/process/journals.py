"""What has to be undone, whatever ends the work that did it.

A signal's handler may raise (KeyboardInterrupt) within what undoes, too. So each step is taken
off when it has been done, not before: whoever comes next does it again, and goes on. Steps are
such that this makes no difference. `Undoing` within another one undoes all after one interrupt.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import final

from .with_blocks import Block, exit_without_entry


@final
class Journal:
    """Steps that undo, done last first."""

    __slots__ = ("steps",)

    def __init__(self) -> None:
        self.steps: list[Callable[[], None]] = []

    def undo(self, count: int = 0) -> None:
        """Do all steps but the first `count`."""
        while len(self.steps) > count:
            self.steps[-1]()
            del self.steps[-1]


@final
class Undoing(Block):
    """`with Undoing(journal, step) as undoing:` at the end, do what was added in the block, and
    `step` last; unless `undoing.keep()` has said that the work is done.
    """

    def __init__(self, journal: Journal, *steps: Callable[[], None]) -> None:
        self._journal, self._own = journal, steps
        self._count = len(journal.steps)

    def __enter__(self) -> Undoing:
        self.close = partial(self._journal.undo, self._count)
        self._journal.steps.extend(self._own)
        return self

    def keep(self) -> None:
        """Leave what was added in the block to whoever undoes what is around it."""
        del self._journal.steps[self._count : self._count + len(self._own)]
        self.close = exit_without_entry
