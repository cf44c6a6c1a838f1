"""Code of several replicas, run in turn: each until it meets the others.

    replica 0   replica 1   above all
    a ─────────►a ─────────►merge
    b ◄─────────────────────┘
    └──────────►b ─────────►merge

Only one of them runs at any time, so that they may build one graph together. Replica 0 runs where
all of them were started, and what is done at meetings runs on top of it; the others have threads of
their own from the first meeting on. Where nobody meets anybody there are no threads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import Context, copy_context
from threading import Event, Semaphore, Thread
from typing import Any, Final, Self

from ..core.process.threads import start_thread

UNEVEN: Final = (
    "Some replicas made a different number of replica_context().merge_call() calls: all of them "
    "have to meet whenever one does (every collective operation is such a meeting)"
)


class ReplicasStopped(BaseException):
    """Leaves the code of a replica, because that of another one, or of a meeting, failed."""


class Seat:
    """The place of one replica: its code, what it asks of the meeting it waits in, its result."""

    def __init__(self, lockstep: Lockstep, number: int, code: Callable[[Self], Any]) -> None:
        self.lockstep: Final = lockstep
        self.number: Final = number
        self.request: Any = None
        self.answer: Any = None
        self.result: Any = None
        self.has_ended = False
        self._code: Final = code
        self._context: Final = copy_context()
        self._turn: Final = Semaphore(0)
        self._has_played: Final = Event()
        self._thread: Thread | None = None

    def meet(self, request: Any) -> Any:
        """What the meeting answers this replica.

        Raises:
            ReplicasStopped: there is none, because something failed.
        """
        lockstep = self.lockstep
        lockstep.require_running()
        self.request = request
        if self._thread is None:
            lockstep.hold_meeting(self)
        else:
            lockstep.turn_back.release()
            self._turn.acquire()
        lockstep.require_running()
        answer, self.request, self.answer = self.answer, None, None
        return answer

    def play(self) -> None:
        """Run the code, to its end."""
        try:
            self.lockstep.require_running()
            self.result = self._context.run(self._code, self)
        except ReplicasStopped:
            pass
        except BaseException as error:
            self.lockstep.fail(error)
        finally:
            self.has_ended = True

    def advance(self) -> None:
        """Let the code run until it waits in a meeting, or ends."""
        if self._thread is None:
            self._thread = Thread(target=self._play_beside, name=f"replica {self.number}")
            self._thread.daemon = True
            try:
                start_thread(self._thread)  # begins it even where a signal's handler raises
            except RuntimeError:  # there are too many threads
                self._thread = None
                raise
        else:
            self._turn.release()
        self.lockstep.turn_back.acquire()

    def end(self) -> None:
        """Let the code run, which is to end before it meets anybody again."""
        self.advance() if self._thread is not None else self.play()

    def _play_beside(self) -> None:
        try:
            self.play()
        finally:
            self._has_played.set()
            self.lockstep.turn_back.release()

    def leave(self) -> None:
        """Wait for the end of the thread, where the code has ended or the lockstep has failed."""
        if self._thread is not None:
            self._turn.release()
            self._has_played.wait()
            self._thread.join()


class Lockstep:
    """Runs a function for each replica, and `merge` above all of them whenever they meet.

    merge: takes what each replica asked for, and returns an answer for each.
    """

    def __init__(
        self,
        codes: Sequence[Callable[[Seat], Any]],
        merge: Callable[[Sequence[Any]], Sequence[Any]],
    ) -> None:
        self._merge: Final = merge
        self._above: Final[Context] = copy_context()
        self._failure: BaseException | None = None
        self._seats: Final = [Seat(self, number, code) for number, code in enumerate(codes)]
        self.turn_back: Final = Semaphore(0)

    def run(self) -> list[Any]:
        """The results of the replicas.

        Raises:
            RuntimeError: some met more often than others.
            BaseException: what a replica or a meeting raised.
        """
        first, *others = self._seats
        try:
            first.play()
            self._end(others)
        except BaseException as error:  # of a signal's handler
            self.fail(error)
        finally:
            for seat in others:
                seat.leave()
        if self._failure is not None:
            raise self._failure
        return [seat.result for seat in self._seats]

    def _end(self, others: Sequence[Seat]) -> None:
        """Let the others end, who may not meet any more."""
        for seat in others:
            if self._failure is None:
                seat.end()
                self._check(seat.has_ended)

    def hold_meeting(self, first: Seat) -> None:
        """Let the others come to the meeting in which the first replica waits, and hold it.

        Raises:
            ReplicasStopped: that failed.
        """
        self._check(first.number == 0)  # else it runs where replica 0 has ended
        for seat in self._seats[1:]:
            if self._failure is None:
                seat.advance()
        self._check(not any(seat.has_ended for seat in self._seats))
        self.require_running()
        try:
            answers = self._above.run(self._merge, [seat.request for seat in self._seats])
        except BaseException as error:
            self.fail(error)
            raise ReplicasStopped from None
        for seat, answer in zip(self._seats, answers, strict=True):
            seat.answer = answer

    def fail(self, error: BaseException) -> None:
        """Let nobody go on; the first of several errors counts."""
        if self._failure is None:
            self._failure = error

    def _check(self, is_even: bool) -> None:
        if not is_even:
            self.fail(RuntimeError(UNEVEN))

    def require_running(self) -> None:
        """Leave the code of a replica where something has failed.

        Raises:
            ReplicasStopped: something has.
        """
        if self._failure is not None:
            raise ReplicasStopped
