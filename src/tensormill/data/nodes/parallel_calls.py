"""Calls for several elements at the same time."""

from __future__ import annotations

import itertools
import weakref
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from ...compiler.native.threads import work_beside
from ...core.process.locks import forks
from ...core.process.threads import start_thread
from .node import Element, Elements


class CallsAhead:
    """The results of calls of which some are under way; its threads end with it.

    A call that no thread has begun when its result is wanted is made by the thread that wants it:
    for short ones, handing over takes longer than they do.

    A forked child has none of these threads, and makes the calls that are under way once more.

    calls: how many threads there are. ahead: how many results, those under way included, there may
    be that nobody has taken yet; `calls` by default.
    """

    def __init__(
        self,
        call: Callable[[Element], Element],
        elements: Elements,
        calls: int,
        ordered: bool,
        ahead: int | None = None,
    ) -> None:
        self._call, self._elements = call, elements
        self._calls, self._ordered = calls, ordered
        self._ahead = ahead or calls
        self._waiting: deque[Task] = deque()
        self._workers: Workers | None = None
        self._forks = forks()

    def __iter__(self) -> Elements:
        return self

    def __next__(self) -> Element:
        if self._forks != forks():
            self._begin_again()
        self._fill()
        if not self._waiting:
            raise StopIteration
        position = 0 if self._ordered else self._first_done()
        task = self._waiting[position]
        del self._waiting[position]
        if task.open:
            before = work_beside(self._calls)
            try:
                task.make(self._call)
            finally:
                work_beside(before)
        result = task.future.result()
        self._fill()
        return result

    def _first_done(self) -> int:
        """Which call is made, or can be made now."""
        futures = [task.future for task in self._waiting]
        if not any(future.done() for future in futures):
            for number, task in enumerate(self._waiting):
                if task.open:
                    return number
        done, _ = wait(futures, return_when=FIRST_COMPLETED)
        return next(number for number, future in enumerate(futures) if future in done)

    def _begin_again(self) -> None:
        """In a child: what the threads of the parent had to do."""
        self._forks = forks()
        self._workers = None
        elements = [task.element for task in self._waiting]
        self._waiting.clear()
        self._submit(elements)

    def _fill(self) -> None:
        missing = self._ahead - len(self._waiting)
        self._submit(itertools.islice(self._elements, missing))

    def _submit(self, elements: Iterable[Element]) -> None:
        if self._workers is None:
            self._workers = Workers(self._call, self._calls)
            weakref.finalize(self, self._workers.end)
        for element in elements:
            self._waiting.append(self._workers.submit(element))


class Task:
    """A call of which somebody wants the result; whoever empties `open` makes it."""

    __slots__ = "element", "future", "open"

    def __init__(self, element: Element) -> None:
        self.element = element
        self.future: Future[Any] = Future()
        self.open = [True]

    def make(self, call: Callable[[Element], Element]) -> None:
        """Make the call, unless another thread has begun to."""
        try:
            self.open.pop()
        except IndexError:
            return
        try:
            self.future.set_result(call(self.element))
        except BaseException as error:
            self.future.set_exception(error)


class Workers:
    """Threads that make calls, `most` at once; they begin when there is something to do.

    Not concurrent.futures' own: in the main thread these are begun with `Thread.start`, which
    signals' handlers interrupt (core/process/threads.py).
    """

    def __init__(self, call: Callable[[Element], Element], most: int) -> None:
        self._call, self._most = call, most
        self._tasks: SimpleQueue[Task | None] = SimpleQueue()
        self._begun = 0

    def submit(self, element: Element) -> Task:
        """A call that a thread makes, or whoever wants the result."""
        task = Task(element)
        if self._begun < self._most:
            with suppress(RuntimeError):  # too many threads
                self._begin_one()
        if self._begun:
            self._tasks.put(task)
        return task

    def _begin_one(self) -> None:
        operands = self._call, self._tasks, self._most
        start_thread(Thread(target=_serve, args=operands, name="tensormill-map", daemon=True))
        self._begun += 1

    def end(self) -> None:
        """Let the threads end after what they are doing; nobody waits for the rest."""
        try:
            while True:
                self._tasks.get_nowait()
        except Empty:
            self._tasks.put(None)


def _serve(
    call: Callable[[Element], Element], tasks: SimpleQueue[Task | None], callers: int
) -> None:
    work_beside(callers)
    while (task := tasks.get()) is not None:
        task.make(call)
        del task  # whoever waits for the next one holds nothing
    tasks.put(None)  # for the other threads
