"""Functions that are traced while a loop around is: their traces last, whatever comes of the loop.

A trace of the loop that is not its last one is taken back with all that it has done to Python's
objects, but not what a function has done there that will not be traced again.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from contextvars import ContextVar
from typing import Any, Final

from ...core.process.with_blocks import setting

# Forgets a trace.
Forget = Callable[[], None]
# Begins to watch, and returns what is to be told when the trace has been made and is kept.
Watch = Callable[[], Callable[[Forget], None]]

_watches: Final[ContextVar[tuple[Watch, ...]]] = ContextVar("loops that are traced", default=())


def watched_by(watch: Watch) -> AbstractContextManager[Any]:
    """Have the functions watched that are traced within."""
    return setting(_watches, (*_watches.get(), watch))


def is_any_loop_traced() -> bool:
    """Whether a loop around, which may be traced again, watches what functions do."""
    return bool(_watches.get())


def trace_begins() -> Callable[[Forget], None]:
    """What is to be told when the trace of a function, which begins now, has been made."""
    told = [watch() for watch in _watches.get()]

    def is_kept(forget: Forget) -> None:
        for one in told:
            one(forget)

    return is_kept
