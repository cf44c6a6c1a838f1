"""Threads that are begun whole, or not at all.

Python runs the handlers of signals in the main thread, between any two steps of it, and what they
raise (KeyboardInterrupt) may leave `Thread.start` with a lock that the new thread then waits for,
for ever; or become a RuntimeError there. In other threads nothing is raised from outside.
"""

from __future__ import annotations

import _thread
import threading
from typing import Final

from . import locks

# After how many seconds the main thread looks whether a signal's handler has forked meanwhile.
PAUSE: Final = 0.1


def start_thread(thread: threading.Thread) -> None:
    """Start a thread. What a signal's handler raises leaves it begun.

    Raises:
        RuntimeError: there are too many threads, or the interpreter exits.
    """
    if threading.get_ident() != threading.main_thread().ident:
        thread.start()
        return
    failures: list[BaseException] = []
    is_begun = threading.Lock()
    is_begun.acquire()

    def start() -> None:
        try:
            thread.start()
        except BaseException as error:
            failures.append(error)
        finally:
            is_begun.release()

    forks = locks.forks()
    _thread.start_new_thread(start, ())  # in C, with nothing to wait for
    while not is_begun.acquire(timeout=PAUSE):
        if forks != locks.forks():  # a child has neither of the two
            return
    if failures:
        raise failures.pop()
