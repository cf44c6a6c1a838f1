"""Work that one thread does at a time, and that may wait for other such work.

Two functions that call each other may be traced by two threads at once: each waits for what the
other does. So a thread that would wait for itself, through others, does not wait: all that hold its
way wait for it, and what it does meanwhile is what they would have done, had they called it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from threading import get_ident
from typing import Any, Final, TypeVar, final

from . import locks
from .locks import ForkedLock

Result = TypeVar("Result")

# After how many seconds a thread looks again whether those that it waits for wait for it.
PAUSE: Final = 0.05
_looking: Final = ForkedLock()
_waiting: Final[dict[int, Turn]] = {}


@final
class Turn:
    """One thread's work of one kind.

    `held` is locked exactly as long as the work goes on, by a `with` that no signal can get
    between. `ended` wakes those who wait; they may lose it, and then look again after a while.
    """

    __slots__ = ("_forks", "ended", "held", "key", "outer", "thread", "turns")

    def __init__(self, turns: Turns, key: Any) -> None:
        self.turns = turns
        self.key = key
        self.thread = get_ident()
        self.held = threading.Lock()
        self.ended = threading.Lock()
        self.outer: Turn | None = None  # which it is within: this thread's, or one's that waits
        self._forks = locks.forks()

    @property
    def goes_on(self) -> bool:
        """Of the threads, a forked child has only the one that forked."""
        alive = self._forks == locks.forks() or self.thread == get_ident()
        return alive and self.held.locked()


@final
class Turns:
    """Takes work of one kind in turns; a thread may be at it several times."""

    __slots__ = ("_last",)

    def __init__(self) -> None:
        self._last: Turn | None = None

    def take(self, key: Any, work: Callable[[], Result]) -> Result:
        """`work()` when it is this thread's turn. `key` says what it makes: others wait for that
        rather than make it twice.
        """
        turn = Turn(self, key)
        try:
            while True:
                with turn.ended, turn.held:
                    before = self._begin(turn)
                    if before is None:
                        try:
                            return work()
                        finally:
                            self._end(turn)
                if before.ended.acquire(timeout=PAUSE):
                    before.ended.release()
        finally:
            _waiting.pop(turn.thread, None)

    def _begin(self, turn: Turn) -> Turn | None:
        """Begin, or say whose turn has to end first."""
        with _looking():
            if (before := self.before(turn)) is not None:
                _waiting[turn.thread] = turn
                if not _may_begin(turn):
                    return before
            _waiting.pop(turn.thread, None)
            turn.outer = self.current()
            self._last = turn
            return None

    def _end(self, turn: Turn) -> None:
        turn.key = None  # nothing is kept alive
        if self._last is turn:  # not where an interrupt ended it before what is within
            self._last = turn.outer

    def current(self) -> Turn | None:
        """The innermost turn that has not ended."""
        return next(self.going_on(), None)

    def before(self, turn: Turn) -> Turn | None:
        """What has to end before a turn begins: another thread's, or one that makes the same."""
        others = [one for one in self.going_on() if one.thread != turn.thread]
        if others and others[0] is self.current():
            return others[0]
        return next((one for one in others if one.key == turn.key), None)

    def going_on(self) -> Iterator[Turn]:
        """The turns that have not ended, from the innermost one outwards."""
        turn = self._last
        while turn is not None:
            if turn.goes_on:
                yield turn
            turn = turn.outer

    def is_making(self, key: Any) -> bool:
        """Whether some turn makes that already."""
        return any(turn.key == key for turn in self.going_on())


def _may_begin(turn: Turn) -> bool:
    """Whether all that hold its way, or the way of one that does, wait for its own thread.

    If what it wants is being made, another one of them goes first; unless that holds for all.
    """
    circle = _circle(turn)
    if not circle:
        return False
    return not turn.turns.is_making(turn.key) or all(one.turns.is_making(one.key) for one in circle)


def _circle(turn: Turn) -> list[Turn]:
    """The turns that wait for each other, this one among them; none where another has to end or
    to begin before it: one that goes on, or a circle that it only waits for.
    """
    waiting, ways = [turn], {turn.thread: _held_by(turn)}
    for one in waiting:  # which grows
        for thread in ways[one.thread]:
            if (other := _waiting.get(thread)) is None:
                return []
            if thread not in ways:
                ways[thread] = _held_by(other)
                waiting.append(other)
    reached = {turn.thread}
    while more := {one for one in ways if one not in reached and not reached.isdisjoint(ways[one])}:
        reached |= more
    return waiting if len(reached) == len(ways) else []


def _held_by(turn: Turn) -> set[int]:
    """The threads that are at what a turn waits for. Those further out are held up themselves, but
    may be making what is wanted.
    """
    if turn.turns.before(turn) is None:
        return set()
    return {one.thread for one in turn.turns.going_on()} - {turn.thread}
