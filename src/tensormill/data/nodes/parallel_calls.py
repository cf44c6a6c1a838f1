"""Calls for several elements at the same time."""

from __future__ import annotations

import itertools
import weakref
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any

from ...core.process.locks import forks
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
        self._pool: ThreadPoolExecutor | None = None
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
        self._pool = None
        elements = [element for _, element in self._waiting]
        self._waiting.clear()
        self._submit(elements)

    def _fill(self) -> None:
        missing = self._calls - len(self._waiting)
        self._submit(itertools.islice(self._elements, missing))

    def _submit(self, elements: Iterable[Element]) -> None:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self._calls, "tensormill-map")
            weakref.finalize(self, self._pool.shutdown, wait=False, cancel_futures=True)
        for element in elements:
            self._waiting.append((self._pool.submit(self._call, element), element))
