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

# What notes how things are, and returns what lets stay what has been done since.
Watch = Callable[[], Callable[[], None]]

_watches: Final[ContextVar[tuple[Watch, ...]]] = ContextVar("loops that are traced", default=())


def watched_by(watch: Watch) -> AbstractContextManager[Any]:
    """Have the functions watched that are traced within."""
    return setting(_watches, (*_watches.get(), watch))


def keep_what_comes() -> Callable[[], None]:
    """What, when it is called, lets stay what was done meanwhile to Python's objects."""
    keeping = [watch() for watch in _watches.get()]

    def keep() -> None:
        for one in keeping:
            one()

    return keep
