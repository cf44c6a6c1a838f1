"""Elements that are computed ahead, and elements that are kept."""

from __future__ import annotations

import threading
import weakref
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from queue import SimpleQueue
from typing import Any, Final

from ...core.process.locks import AwaitedLock, ForkedLock
from ...core.process.threads import start_thread
from ...core.specs import ObjectSpec
from ..failures import ElementFailure, Items, interrupted, over_inputs
from .node import UNKNOWN, Element, Elements, Node, Reader, SameElements, Specs, number
from .tables import RowTable

# What `buffer_size=AUTOTUNE` means.
AUTOTUNED: Final = 2


class PrefetchNode(SameElements):
    """The elements, computed ahead by a thread; rows of a table need none."""

    is_passive = True

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


class _Buffer:
    """What a thread and an iterator share.

    `results` are pairs of an element and an exception, one of which is None; two Nones are the end.
    Who holds `computing` computes the next element: the thread, the consumer where there is none
    ready, or a fork, which waits for it.

    The consumer may be the main thread, where a signal's handler may raise between any two steps:
    there nothing is held that is not given back by `finally`, and the rest are single steps in C.
    """

    def __init__(self, elements: Elements, size: int) -> None:
        self.elements, self.size = elements, size
        self.results: deque[Result] = deque()
        self.computing = AwaitedLock(is_short=False)
        self.is_over = False  # at the end, or after an interrupt: there is nothing more to compute
        # What wakes the thread: None where there is room, the dead reference of its consumer.
        self.wishes: SimpleQueue[Any] = SimpleQueue()
        self.is_waiting = False
        self._added = threading.Lock()  # held until something was
        self._added.acquire()
        self._consumer: Callable[[], Any] = lambda: None

    def serve(self, consumer: Prefetched) -> None:
        """End the thread when this object dies."""
        self._consumer = weakref.ref(consumer, self.wishes.put)

    # ---- the thread

    def run(self) -> None:
        """What the thread does."""
        while not self.is_over and self._wait_for_room():
            with self.computing():
                if not self.is_over and self._consumer() is not None:
                    self.results.append(self.compute())
                    self._tell()
        if self._consumer() is None:
            self.elements = iter(())  # what it holds is let go of by the thread that used it

    def _wait_for_room(self) -> bool:
        """Wait until there is; False where nobody consumes any more."""
        self.is_waiting = True
        while len(self.results) >= self.size and self._consumer() is not None:
            if (wish := self.wishes.get()) is not None:
                self.wishes.put(wish)  # there may be a second thread, after an interrupt
        self.is_waiting = False
        return self._consumer() is not None

    def _tell(self) -> None:
        with suppress(RuntimeError):  # it is open already
            self._added.release()

    def compute(self) -> Result:
        """The next result; the caller holds `computing`."""
        try:
            element = next(self.elements, None)
        except Exception as error:
            return None, error
        except BaseException as error:
            self._stay(interrupted())
            return None, error
        if element is None:
            self._stay(iter(()))
        return element, None

    def _stay(self, rest: Elements) -> None:
        self.is_over = True
        self.elements = rest

    # ---- the consumer

    def take(self) -> Result:
        """The next result: from the buffer; where it is empty, computed here, unless the thread is
        at it already.
        """
        while True:
            self._wish()
            result = self._ready() or self._computed()
            if result is not None:
                self._wish()
                return result
            # Another consumer may compute, and adds nothing: do not wait for ever.
            self._added.acquire(timeout=PAUSE)

    def _ready(self) -> Result | None:
        try:
            return self.results.popleft()
        except IndexError:
            return None

    def _wish(self) -> None:
        if self.is_waiting and 2 * len(self.results) <= self.size:
            self.wishes.put(None)

    def _computed(self) -> Result | None:
        """The next result, unless somebody else is at it."""
        computing = self.computing()
        is_taken: list[bool] = []
        try:
            # In one step, so that it is known here even if an interrupt follows.
            is_taken.extend(map(computing.acquire, (False,)))
            if not is_taken[0]:
                return None
            return self._ready() or self.compute()
        finally:
            if is_taken and is_taken[0]:
                computing.release()


class Prefetched:
    """An iterator whose thread starts with the first element and ends with the iterator."""

    def __init__(self, elements: Elements, size: int) -> None:
        self._buffer = _Buffer(elements, size)
        self._buffer.serve(self)
        self._thread: threading.Thread | None = None
        self._starting = ForkedLock()

    def __iter__(self) -> Elements:
        return self

    def __next__(self) -> Element:
        buffer = self._buffer
        element, error = buffer.take()
        if not buffer.is_over and (self._thread is None or not self._thread.is_alive()):
            self._start(buffer)
        if error is not None:
            raise error
        if element is None:
            raise StopIteration
        return element

    def _start(self, buffer: _Buffer) -> None:
        """Start the thread: the first one, or one in a process that was forked."""
        with self._starting():
            if self._thread is not None and self._thread.is_alive():
                return
            self._thread = threading.Thread(
                target=copy_context().run,
                args=(buffer.run,),
                name="tensormill-prefetch",
                daemon=True,
            )
            with suppress(RuntimeError):  # too many threads: then the consumer computes it all
                start_thread(self._thread)


# ---------------------------------------------------------------- keeping


class MemoryCache:
    """The elements of a whole pass, once there was one."""

    spec = ObjectSpec("cache")
    elements: list[Element] | None = None

    def __init__(self) -> None:
        self._some: dict[int, Element] = {}

    def at(self, index: int, read: Reader, count: int) -> Element:
        """The element of a number, of so many, read only where none has been."""
        if self.elements is not None:
            return self.elements[index]
        if index not in self._some:
            element = self._some.setdefault(index, read(index))
            if len(self._some) == count:
                self.elements = [self._some[k] for k in range(count)]
            return element
        return self._some[index]


class CacheNode(Node):
    """The elements, computed in the first whole pass and kept in memory.

    `shared`: where they are kept, if other datasets read them there as well.
    """

    keeps_elements = True

    def __init__(self, child: Node, *, specs: Specs, shared: MemoryCache | None = None) -> None:
        super().__init__(specs, [child])
        self._is_shared = shared is not None
        self._cache = shared or MemoryCache()

    def iterate(self) -> Elements:
        if self.table() is not None:
            return super().iterate()
        kept = self._cache.elements
        return iter(kept) if kept is not None else self._first_pass()

    @over_inputs
    def _first_pass(self, items: Items) -> Items:
        seen: list[Element] = []
        for item in items:
            if not isinstance(item, ElementFailure):
                seen.append(item)
            yield item
        if self._cache.elements is None:  # of several passes at once, the first that ends is kept
            self._cache.elements = seen

    def table(self) -> RowTable | None:
        return None if self._is_shared else self.inputs[0].table()

    def reader(self) -> Reader | None:
        read, count = self.inputs[0].reader(), self.cardinality()
        if read is None or self.table() is not None:
            return read
        return lambda index: self._cache.at(index, read, count)

    def cardinality(self) -> int:
        count, kept = self.inputs[0].cardinality(), self._cache.elements
        return len(kept) if count == UNKNOWN and kept is not None else count
