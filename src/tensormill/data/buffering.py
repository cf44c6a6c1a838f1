"""Elements that are computed ahead, and elements that are kept."""

from __future__ import annotations

import threading
import weakref
from collections import deque
from typing import Any, Final

from ..core.locks import AwaitedLock, ForkedLock
from .nodes import UNKNOWN, Element, Elements, Node, SameElements, Specs, number
from .tables import Table

# What `buffer_size=AUTOTUNE` means.
AUTOTUNED: Final = 2


class PrefetchNode(SameElements):
    """The elements, computed ahead by a thread; rows of a table need none."""

    def __init__(self, child: Node, buffer_size: Any, *, specs: Specs) -> None:
        super().__init__(specs, [child])
        size = number(buffer_size, "buffer_size", -1)
        self._size = AUTOTUNED if size == -1 else size

    def iterate(self) -> Elements:
        elements = self.inputs[0].iterate()
        return Prefetched(elements, self._size) if self._size else elements


# After how many seconds a consumer looks again whether there is something to do.
PAUSE: Final = 0.05

Result = tuple[Element | None, BaseException | None]
END: Final[Result] = (None, None)


class _Buffer:
    """What a thread and an iterator share.

    `results` are pairs of an element and an exception, one of which is None; two Nones are the end.
    Who holds `computing` computes the next element: the thread, the consumer where there is none
    ready, or a fork, which waits for it.
    """

    def __init__(self, elements: Elements, size: int) -> None:
        self.elements, self.size = elements, size
        self.results: deque[Result] = deque()
        self.changed = ForkedLock(threading.Condition)
        self.computing = AwaitedLock(is_short=False)
        self.stopped = False
        self.ended = False

    def compute(self) -> Result:
        """The next result; the caller holds `computing`."""
        try:
            result = next(self.elements, None), None
        except BaseException as error:
            result = None, error
        self.ended = result == END
        return result

    def run(self) -> None:
        """What the thread does."""
        while not self.ended:
            with self.changed():
                while len(self.results) >= self.size and not self.stopped:
                    self.changed().wait()
            if self.stopped:
                break
            with self.computing():
                if not self.ended and not self.stopped:
                    self._add(self.compute())
        self.elements = iter(())  # what it holds is let go of by the thread that used it

    def _add(self, result: Result) -> None:
        with self.changed():
            self.results.append(result)
            self.changed().notify_all()

    def take(self) -> Result:
        """The next result: from the buffer; where it is empty, computed here, unless the thread is
        at it already.
        """
        while True:
            with self.changed():
                if self.results:
                    return self._taken()
            computing = self.computing()
            if computing.acquire(blocking=False):
                try:
                    with self.changed():
                        if self.results:
                            return self._taken()
                    return END if self.ended else self.compute()
                finally:
                    computing.release()
            with self.changed():
                if not self.results:
                    # Another consumer may compute, and adds nothing: do not wait for ever.
                    self.changed().wait(PAUSE)

    def _taken(self) -> Result:
        result = self.results.popleft()
        if 2 * len(self.results) <= self.size:
            self.changed().notify_all()
        return result

    def stop(self) -> None:
        # Called when an iterator dies, which may be while its own thread holds the lock.
        self.stopped = True
        if self.changed().acquire(blocking=False):
            self.changed().notify_all()
            self.changed().release()
        else:
            threading.Thread(target=self._notify, daemon=True).start()

    def _notify(self) -> None:
        with self.changed():
            self.changed().notify_all()


class Prefetched:
    """An iterator whose thread starts with the first element and ends with the iterator."""

    def __init__(self, elements: Elements, size: int) -> None:
        self._buffer = _Buffer(elements, size)
        self._thread: threading.Thread | None = None
        self._finalizer = weakref.finalize(self, self._buffer.stop)
        self._finalizer.atexit = False

    def __iter__(self) -> Elements:
        return self

    def __next__(self) -> Element:
        buffer = self._buffer
        element, error = buffer.take()
        if not buffer.ended and (self._thread is None or not self._thread.is_alive()):
            self._start(buffer)
        if error is not None:
            raise error
        if element is None:
            raise StopIteration
        return element

    def _start(self, buffer: _Buffer) -> None:
        """Start the thread: the first one, or one in a process that was forked."""
        with buffer.changed():
            if self._thread is not None and self._thread.is_alive():
                return
            self._thread = threading.Thread(
                target=buffer.run, name="tensormill-prefetch", daemon=True
            )
            self._thread.start()


# ---------------------------------------------------------------- keeping


class CacheNode(Node):
    """The elements, computed in the first whole pass and kept in memory."""

    def __init__(self, child: Node, *, specs: Specs) -> None:
        super().__init__(specs, [child])
        self._kept: list[Element] | None = None

    def iterate(self) -> Elements:
        if self.table() is not None:
            return super().iterate()
        return iter(self._kept) if self._kept is not None else self._first_pass()

    def _first_pass(self) -> Elements:
        seen: list[Element] = []
        for element in self.inputs[0].iterate():
            seen.append(element)
            yield element
        self._kept = seen

    def table(self) -> Table | None:
        return self.inputs[0].table()

    def cardinality(self) -> int:
        count = self.inputs[0].cardinality()
        return len(self._kept) if count == UNKNOWN and self._kept is not None else count
