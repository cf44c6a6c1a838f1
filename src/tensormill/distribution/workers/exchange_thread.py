"""One exchange after the other, in a thread of its own: who waits for it can be told to stop.

JAX's collectives wait in native code until all processes are there, however long that takes, and
hear no signal. So the caller waits in Python, for as long as it was told.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, Final, TypeVar

from ...errors import DeadlineExceededError

Found = TypeVar("Found")
SLICE: Final = 1.0  # seconds: a wait without end hears no signal on some platforms


class _Turn:
    def __init__(self, work: Callable[[], Any]) -> None:
        self.work: Final = work
        self.done: Final = threading.Event()
        self.found: Any = None
        self.error: BaseException | None = None

    def take(self) -> None:
        try:
            self.found = self.work()
        except BaseException as error:
            self.error = error
        self.done.set()


class ExchangeThread:
    """A thread that does what it is given, in that order."""

    def __init__(self) -> None:
        self._waiting: Final[SimpleQueue[_Turn]] = SimpleQueue()
        threading.Thread(target=self._take_all, name="tensormill-workers", daemon=True).start()

    def _take_all(self) -> None:
        while True:
            self._waiting.get().take()

    def wait_for(self, work: Callable[[], Found], seconds: float) -> Found:
        """What `work` gives, or raises, in its turn.

        Raises:
            DeadlineExceededError: that took longer than `seconds`.
        """
        turn = _Turn(work)
        self._waiting.put(turn)
        left = seconds
        while not turn.done.wait(min(left, SLICE)):
            left -= SLICE
            if left <= 0:
                raise DeadlineExceededError(f"it took longer than {seconds:g} s")
        if turn.error is not None:
            raise turn.error
        return turn.found
