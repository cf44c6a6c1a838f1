"""Calls for several elements at the same time."""

from __future__ import annotations

import itertools
import weakref
from collections import deque
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any

from .nodes import Element, Elements


class Ahead:
    """The results of calls of which some are under way; its threads end with it."""

    def __init__(
        self, call: Callable[[Element], Element], elements: Elements, calls: int, ordered: bool
    ) -> None:
        self._call, self._elements = call, elements
        self._calls, self._ordered = calls, ordered
        self._waiting: deque[Future[Any]] = deque()
        self._pool: ThreadPoolExecutor | None = None

    def __iter__(self) -> Elements:
        return self

    def __next__(self) -> Element:
        self._fill()
        if not self._waiting:
            raise StopIteration
        future = self._waiting[0] if self._ordered else self._first_done()
        self._waiting.remove(future)
        result = future.result()
        self._fill()
        return result

    def _first_done(self) -> Future[Any]:
        done, _ = wait(self._waiting, return_when=FIRST_COMPLETED)
        return next(future for future in self._waiting if future in done)

    def _fill(self) -> None:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self._calls, "tensormill-map")
            weakref.finalize(self, self._pool.shutdown, wait=False, cancel_futures=True)
        missing = self._calls - len(self._waiting)
        for element in itertools.islice(self._elements, missing):
            self._waiting.append(self._pool.submit(self._call, element))
