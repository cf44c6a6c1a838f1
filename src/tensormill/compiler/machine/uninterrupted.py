"""Work that no signal interrupts: what owns objects of LLVM.

Python runs the handlers of signals in the main thread, between any two steps of it, and what they
raise (KeyboardInterrupt) leaves whatever is under way there. LLVM's objects stand no such thing: a
context that goes before its module, an object freed twice, a lock that is never given back. So the
main thread has another one do it. There nothing is raised from outside: each `with` and `finally`
runs as it is written, whatever happens to the thread that waits. That one gets the result, or
leaves it to be dropped; either way no object of LLVM is seen outside of the work.

The other thread is made for the work and ends with it: nothing is to be woken in a forked child,
and an interpreter that exits waits for it, since it is no daemon (LLVM must not be at work while
its library is taken down).
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from ...core.process import locks
from ...core.process.threads import PAUSE, start_thread

Result = TypeVar("Result")


def run_uninterrupted(work: Callable[[], Result]) -> Result:
    """`work()`, in a thread that no signal reaches."""
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or sys.is_finalizing():  # no thread begins any more
        return work()
    while True:
        outcome = _Outcome(work)
        if outcome.is_there():
            return outcome.get()


class _Outcome:
    """What work in a thread of its own leads to."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self._work = work
        self._result: Any = None
        self._error: BaseException | None = None
        self._forks = locks.forks()
        self._goes_on = threading.Lock()
        self._goes_on.acquire()
        self._thread = threading.Thread(target=self._run, name="tensormill-llvm")
        try:
            start_thread(self._thread)
        except RuntimeError:  # no more threads: there are too many, or the interpreter exits
            self._run()

    def _run(self) -> None:
        try:
            self._result = self._work()
        except BaseException as error:  # told to whoever waits
            self._error = error
        finally:
            self._goes_on.release()

    def is_there(self) -> bool:
        """Wait for it. False in a child that was forked meanwhile: it does not have the thread."""
        while not self._goes_on.acquire(timeout=PAUSE):
            if self._forks != locks.forks():
                return False
        # Not before: an interrupted `join` (CPython 3.11) takes a thread that goes on for ended.
        if self._thread.is_alive():
            self._thread.join(PAUSE)
        return True

    def get(self) -> Any:
        if self._error is None:
            return self._result
        error, self._error = self._error, None  # no cycle of the error and its frames
        raise error
