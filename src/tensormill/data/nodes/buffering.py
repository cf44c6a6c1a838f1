"""Elements that are computed ahead, and elements that are kept."""

from __future__ import annotations

import threading
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from contextvars import copy_context
from queue import SimpleQueue
from time import perf_counter
from typing import Any, Final

from ...core.process.locks import AwaitedLock, ForkedLock
from ...core.process.threads import start_thread
from ...core.specs import ObjectSpec, TensorSpec
from ...eager.devices import has_accelerators
from ..failures import ElementFailure, Items, interrupted, over_inputs
from .batching import stack_arrays
from .node import UNKNOWN, Element, Elements, Node, Reader, SameElements, Specs, number
from .parallel_calls import Pace
from .tables import ArraySlices, RowTable

# What `buffer_size=AUTOTUNE` means.
AUTOTUNED: Final = 2


# A thread that hands over an element, and Python's lock with it, takes about as long.
SHORT_SECONDS: Final = 30e-6


class PrefetchNode(SameElements):
    """The elements, computed ahead by a thread; rows of a table need none.

    Where nobody notices when elements are computed, short ones are when they are asked for.
    """

    is_passive = True

    def __init__(self, child: Node, buffer_size: Any, *, specs: Specs) -> None:
        super().__init__(specs, [child])
        size = number(buffer_size, "buffer_size", -1)
        self._size = AUTOTUNED if size == -1 else size
        self._pace = Pace(SHORT_SECONDS)

    def iterate(self) -> Elements:
        elements = self.inputs[0].iterate()
        if not self._size:
            return elements
        return Prefetched(elements, self._size, self._pace if self.is_ready() else None)


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

    def __init__(self, elements: Elements, size: int, pace: Pace | None) -> None:
        self.elements, self.size, self.pace = elements, size, pace
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
        while not self._has_room() and self._consumer() is not None:
            if (wish := self.wishes.get()) is not None:
                self.wishes.put(wish)  # there may be a second thread, after an interrupt
        self.is_waiting = False
        return self._consumer() is not None

    def _has_room(self) -> bool:
        return len(self.results) < self.size and not self.is_alone()

    def is_alone(self) -> bool:
        """Whether the consumer computes its elements by itself."""
        return self.pace is not None and self.pace.alone

    def _tell(self) -> None:
        with suppress(RuntimeError):  # it is open already
            self._added.release()

    def compute(self) -> Result:
        """The next result; the caller holds `computing`."""
        is_alone, begin = self.is_alone(), perf_counter()
        result = self._computed_now()
        if self.pace is not None:
            met = self.pace.met_alone if is_alone else self.pace.met_beside
            met(perf_counter() - begin)
        return result

    def _computed_now(self) -> Result:
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
        if self.is_waiting and 2 * len(self.results) <= self.size and not self.is_alone():
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

    def __init__(self, elements: Elements, size: int, pace: Pace | None = None) -> None:
        """pace: whether elements are computed when they are asked for, which nobody notices."""
        self._buffer = _Buffer(elements, size, pace)
        self._buffer.serve(self)
        self._thread: threading.Thread | None = None
        self._starting = ForkedLock()

    def __iter__(self) -> Elements:
        return self

    def __next__(self) -> Element:
        buffer = self._buffer
        element, error = buffer.take()
        has_thread = self._thread is not None and self._thread.is_alive()
        if not (has_thread or buffer.is_over or buffer.is_alone()):
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

# Up to so many bytes, elements that are kept are rows of arrays.
BYTES_OF_ROWS: Final = 4096


class MemoryCache:
    """The elements of a whole pass, once there was one."""

    spec = ObjectSpec("cache")

    def __init__(self) -> None:
        self._some: dict[int, Element] = {}
        self._all: dict[str, tuple[list[Element], RowTable | None]] = {}

    @property
    def elements(self) -> list[Element] | None:
        """All of them, once they are known."""
        return self._all["kept"][0] if self._all else None

    @property
    def table(self) -> RowTable | None:
        """The same, where they are small and alike."""
        return self._all["kept"][1] if self._all else None

    def keep(self, elements: list[Element], specs: Specs) -> None:
        """Keep all that there are; of several passes at once, the first that ends is kept."""
        if self._all:
            return
        table = table_of(elements, specs)
        rows = elements if table is None else list(map(table.row, range(table.count)))
        self._all.setdefault("kept", (rows, table))  # in one step

    def at(self, index: int, read: Reader, count: int, specs: Specs) -> Element:
        """The element of a number, of so many, read only where none has been."""
        if self.elements is not None:
            return self.elements[index]
        if index not in self._some:
            element = self._some.setdefault(index, read(index))
            if len(self._some) == count:
                self.keep([self._some[k] for k in range(count)], specs)
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
        kept = self._cache.elements
        if kept is not None:
            return iter(kept)
        return self._first_pass() if self.table() is None else super().iterate()

    @over_inputs
    def _first_pass(self, items: Items) -> Items:
        seen: list[Element] = []
        for item in items:
            if not isinstance(item, ElementFailure):
                seen.append(item)
            yield item
        self._cache.keep(seen, self.specs)

    def table(self) -> RowTable | None:
        known = None if self._is_shared else self.inputs[0].table()
        return known or self._cache.table

    def reader(self) -> Reader | None:
        read, count = self.inputs[0].reader(), self.cardinality()
        if read is None or not (self._is_shared or self.inputs[0].table() is None):
            return read
        return lambda index: self._cache.at(index, read, count, self.specs)

    def cardinality(self) -> int:
        count, kept = self.inputs[0].cardinality(), self._cache.elements
        return len(kept) if count == UNKNOWN and kept is not None else count


def table_of(elements: Sequence[Element], specs: Specs) -> RowTable | None:
    """Elements as rows; None where they are large, or nobody knows their shapes beforehand."""
    if not elements or not all(isinstance(one, TensorSpec) for one in specs) or has_accelerators():
        return None
    if not all(spec.shape.is_fully_defined() for spec in specs):
        return None
    columns = [[one._array for one in column] for column in zip(*elements, strict=True)]
    if not columns or sum(column[0].nbytes for column in columns) > BYTES_OF_ROWS:
        return None
    return ArraySlices([stack_arrays(column) for column in columns])
