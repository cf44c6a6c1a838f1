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

from ...core.process.locks import forks
from ...core.process.threads import start_thread
from .node import Element, Elements


class CallsAhead:
    """The results of calls of which some are under way; its threads end with it.

    A forked child has none of these threads, and makes the calls that are under way once more.
    """

    def __init__(
        self, call: Callable[[Element], Element], elements: Elements, calls: int, ordered: bool
    ) -> None:
        self._call, self._elements = call, elements
        self._calls, self._ordered = calls, ordered
        self._waiting: deque[tuple[Future[Any], Element]] = deque()
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
        future, _ = self._waiting[position]
        del self._waiting[position]
        result = future.result()
        self._fill()
        return result

    def _first_done(self) -> int:
        futures = [future for future, _ in self._waiting]
        done, _ = wait(futures, return_when=FIRST_COMPLETED)
        return next(number for number, future in enumerate(futures) if future in done)

    def _begin_again(self) -> None:
        """In a child: what the threads of the parent had to do."""
        self._forks = forks()
        self._workers = None
        elements = [element for _, element in self._waiting]
        self._waiting.clear()
        self._submit(elements)

    def _fill(self) -> None:
        missing = self._calls - len(self._waiting)
        self._submit(itertools.islice(self._elements, missing))

    def _submit(self, elements: Iterable[Element]) -> None:
        if self._workers is None:
            self._workers = Workers(self._call, self._calls)
            weakref.finalize(self, self._workers.end)
        for element in elements:
            self._waiting.append((self._workers.submit(element), element))


Task = tuple[Future[Any], Element]


class Workers:
    """Threads that make calls, `most` at once; they begin when there is something to do.

    Not concurrent.futures' own: in the main thread these are begun with `Thread.start`, which
    signals' handlers interrupt (core/process/threads.py).
    """

    def __init__(self, call: Callable[[Element], Element], most: int) -> None:
        self._call, self._most = call, most
        self._tasks: SimpleQueue[Task | None] = SimpleQueue()
        self._begun = 0

    def submit(self, element: Element) -> Future[Any]:
        """The result of a call, which a thread makes; the consumer, where none can begin."""
        future: Future[Any] = Future()
        if self._begun < self._most:
            with suppress(RuntimeError):  # too many threads
                self._begin_one()
        if self._begun:
            self._tasks.put((future, element))
        else:
            _fulfil(future, self._call, element)
        return future

    def _begin_one(self) -> None:
        operands = self._call, self._tasks
        start_thread(Thread(target=_serve, args=operands, name="tensormill-map", daemon=True))
        self._begun += 1

    def end(self) -> None:
        """Let the threads end after what they are doing; nobody waits for the rest."""
        try:
            while True:
                self._tasks.get_nowait()
        except Empty:
            self._tasks.put(None)


def _serve(call: Callable[[Element], Element], tasks: SimpleQueue[Task | None]) -> None:
    while (task := tasks.get()) is not None:
        _fulfil(task[0], call, task[1])
        del task  # whoever waits for the next one holds nothing
    tasks.put(None)  # for the other threads


def _fulfil(future: Future[Any], call: Callable[[Element], Element], element: Element) -> None:
    try:
        future.set_result(call(element))
    except BaseException as error:
        future.set_exception(error)
