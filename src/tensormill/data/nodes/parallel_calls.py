"""Calls for several elements at the same time."""

from __future__ import annotations

import itertools
import weakref
from collections import deque
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from time import perf_counter
from typing import Any, Final

from ...compiler.native.threads import work_beside
from ...core.process.locks import forks
from ...core.process.threads import start_thread
from .node import Element, Elements

# What may wait to be taken, beyond a result for each thread.
BYTES_AHEAD: Final = 64 << 20
# Threads that hand each other a call, and Python's lock, take a tenth of a millisecond for it.
SHORT_SECONDS: Final = 0.15e-3
LONGER_BESIDE: Final = 4
FIRST_TRIAL, NEXT_TRIAL, LAST_CALLS = 4, 64, 5


def _bytes_of(element: Element) -> int:
    """What an element keeps in memory, as far as that is arrays."""
    return sum(getattr(component._array, "nbytes", 0) for component in element)


class Pace:
    """Whether calls are so short that the thread that wants their results makes them alone.

    Calls of threads are longer than they would be alone: now and then one is tried.
    """

    def __init__(self, short: float = SHORT_SECONDS) -> None:
        """short: seconds that a call may take which is not worth handing over."""
        self.alone = False
        self._short = short
        self._until_trial = FIRST_TRIAL
        self._average = 0.0  # of the last calls that were made alone

    def met_beside(self, seconds: float) -> None:
        """A call has taken so long that was made beside others."""
        if seconds < LONGER_BESIDE * self._short:
            self._until_trial -= 1
            if not self.alone and self._until_trial <= 0:
                self.alone, self._average = True, 0.0

    def met_alone(self, seconds: float) -> None:
        """A call has taken so long by itself: one that was interrupted does not count for much."""
        heard = min(seconds, LONGER_BESIDE * self._short)
        self._average += (heard - self._average) / LAST_CALLS
        if self._average > self._short:
            self.alone, self._until_trial = False, NEXT_TRIAL


class CallsAhead:
    """The results of calls of which some are under way; its threads end with it.

    A call that no thread has begun when its result is wanted is made by the thread that wants it:
    for short ones, handing over takes longer than they do.

    A forked child has none of these threads, and makes the calls that are under way once more.

    calls: how many threads there are, and how many results, those under way included, there may be
    at first that nobody has taken yet. more: how many more these may become where results are as
    small as the first one was (BYTES_AHEAD): threads wait else while whoever takes them makes a
    batch of what was taken. With more than none, nobody minds either if all calls are made when
    their results are wanted, which short ones are. pace: whether they are, as passes before found.
    """

    def __init__(
        self,
        call: Callable[[Element], Element],
        elements: Elements,
        calls: int,
        ordered: bool,
        more: int = 0,
        pace: Pace | None = None,
    ) -> None:
        self._call, self._elements = call, elements
        self._calls, self._ordered = calls, ordered
        self._ahead, self._more = calls, more
        self._pace = pace or Pace()
        self._waiting: deque[Task] = deque()
        self._workers: Workers | None = None
        self._forks = forks()

    def __iter__(self) -> Elements:
        return self

    def __next__(self) -> Element:
        if self._forks != forks():
            self._begin_again()
        alone = self._pace.alone  # once: another pass may find something else meanwhile
        if not alone:
            self._fill()
        if not self._waiting:
            if alone:
                return self._made_alone()
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
        if self._more:
            more = min(self._more, BYTES_AHEAD // max(_bytes_of(result), 1))
            self._ahead = self._calls + more
            self._pace.met_beside(task.seconds)
        if not self._pace.alone:
            self._fill()
        return result

    def _made_alone(self) -> Element:
        element = next(self._elements)
        begin = perf_counter()
        result = self._call(element)
        self._pace.met_alone(perf_counter() - begin)
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
        waiting, self._waiting = self._waiting, deque()
        for task in waiting:
            if task.is_element:
                self._submit(task.element)
            else:
                self._waiting.append(task)

    def _fill(self) -> None:
        try:
            for element in itertools.islice(self._elements, self._ahead - len(self._waiting)):
                self._submit(element)
        except Exception as error:  # an element that is missing: results before it come first
            self._waiting.append(Task.failed(error))

    def _submit(self, element: Element) -> None:
        if self._workers is None:
            self._workers = Workers(self._call, self._calls)
            weakref.finalize(self, self._workers.end)
        self._waiting.append(self._workers.submit(element))


class Task:
    """A call of which somebody wants the result; whoever empties `open` makes it."""

    __slots__ = "element", "future", "is_element", "open", "seconds"

    def __init__(self, element: Element, is_element: bool = True) -> None:
        self.element, self.is_element = element, is_element
        self.future: Future[Any] = Future()
        self.open = [True]
        self.seconds = 0.0  # that the call took

    @classmethod
    def failed(cls, error: Exception) -> Task:
        """What stands for an element that was not there."""
        task = cls((), False)
        task.open.clear()
        task.future.set_exception(error)
        return task

    def make(self, call: Callable[[Element], Element]) -> None:
        """Make the call, unless another thread has begun to."""
        try:
            self.open.pop()
        except IndexError:
            return
        begin = perf_counter()
        try:
            result = call(self.element)
        except BaseException as error:
            self.future.set_exception(error)
        else:
            self.seconds = perf_counter() - begin
            self.future.set_result(result)


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
