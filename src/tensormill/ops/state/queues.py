"""Queues of elements, each of several tensors: what handles lead to, and operations on them.

Whoever takes from a queue waits until there is enough, whoever puts something in until there is
room: in eager code, and in functions, whose native code calls back into Python for it.
"""

from __future__ import annotations

import heapq
import threading
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Final

import numpy as numpy_module

from ...core import dtypes
from ...core.process.locks import ForkedLock
from ...core.shapes import TensorShape
from ...core.specs import ObjectSpec, TensorSpec
from ...errors import CancelledError, InvalidArgumentError, OutOfRangeError
from ..demands import refuse
from ..effects import Reads, World, Writes
from ..op import Attr, In, Op, Out
from ..random.philox import WordStream

Array = numpy_module.ndarray[Any, Any]
Element = tuple[Array, ...]


class Queue:
    """Elements in the order in which they came; of a capacity, negative for no limit."""

    kind: ClassVar[str] = "FIFOQueue"

    def __init__(self, components: Sequence[TensorSpec], has_shapes: bool, capacity: int) -> None:
        self.components: Final = tuple(components)
        self.has_shapes: Final = has_shapes
        self.capacity: Final = capacity
        self.spec = ObjectSpec("queue", self.components)
        self._changed: Final = ForkedLock(threading.Condition)
        self.is_closed = False
        self._is_closing = False
        self._is_cancelled = False
        self._puts_in_progress = 0
        self._elements: Any = deque()

    # ---- the order of elements

    def add(self, element: Element) -> None:
        """Put an element in its place."""
        self._elements.append(element)

    def pop(self) -> Element:
        """Take the next one out."""
        return self._elements.popleft()

    @property
    def reserve(self) -> int:
        """How many must stay while more may come."""
        return 0

    def size(self) -> int:
        """How many there are."""
        return len(self._elements)

    # ---- waiting

    def put(self, elements: Iterable[Element]) -> None:
        """Add elements, one after the other, each when there is room.

        Raises:
            CancelledError: the queue is closed, or is closed meanwhile and waits for nobody.
        """
        changed = self._changed()
        with changed:
            if self._is_closing or self._is_cancelled:
                raise CancelledError(f"{self.kind} is closed.")
            self._puts_in_progress += 1
            try:
                for element in elements:
                    changed.wait_for(lambda: self._is_cancelled or self._has_room())
                    if self._is_cancelled:
                        raise CancelledError("Enqueue operation was cancelled")
                    self.add(element)
                    changed.notify_all()
            finally:
                self._puts_in_progress -= 1
                changed.notify_all()

    def _has_room(self) -> bool:
        return self.capacity < 0 or self.size() < self.capacity

    def take(self, count: int, may_be_fewer: bool = False) -> list[Element]:
        """Take so many elements out when there are as many; of a closed queue, what is left.

        Raises:
            OutOfRangeError: the queue is closed and has not as many.
        """
        changed = self._changed()
        with changed:
            taken: list[Element] = []
            while 0 <= self.capacity < count - len(taken) and not self.is_closed:
                self._collect(taken, changed)  # a queue never holds so many at once
            changed.wait_for(lambda: self.is_closed or self._has(count - len(taken)))
            missing = count - len(taken)
            found = min(missing, self.size()) if self.is_closed and may_be_fewer else missing
            if self.size() < found or (count and not found and not taken):
                size = self.size()
                for element in reversed(taken):
                    self.put_back(element)
                raise OutOfRangeError(
                    f"{self.kind} is closed and has insufficient elements (requested {count}, "
                    f"current size {size + len(taken)})"
                )
            taken += [self.pop() for _ in range(found)]
            changed.notify_all()
            return taken

    def _collect(self, taken: list[Element], changed: Any) -> None:
        """Take what there is, at least one element, and make room."""
        changed.wait_for(lambda: self.is_closed or self._has(1))
        while self._has(1):
            taken.append(self.pop())
        changed.notify_all()

    def put_back(self, element: Element) -> None:
        """Undo `pop`."""
        self._elements.appendleft(element)

    def _has(self, count: int) -> bool:
        return self.size() >= count + (self.reserve if count else 0)

    def close(self, cancels: bool) -> None:
        """Let nothing more come but what waits for room, for which this waits; nor that: `cancels`.

        Raises:
            CancelledError: it is closed already.
        """
        changed = self._changed()
        with changed:
            if self._is_closing and not (cancels and not self._is_cancelled):
                raise CancelledError(f"{self.kind} is already closed.")
            self._is_closing, self._is_cancelled = True, self._is_cancelled or cancels
            changed.notify_all()
            changed.wait_for(lambda: self._is_cancelled or not self._puts_in_progress)
            self.is_closed = True
            changed.notify_all()

    def abandon(self) -> None:
        """Let nobody wait any more: whoever has it ends."""
        changed = self._changed()
        with changed:
            self._is_closing = self.is_closed = self._is_cancelled = True
            changed.notify_all()

    # ---- batches

    def stacked(self, elements: list[Element]) -> Element:
        """Elements as one, of a further axis."""
        return tuple([self._column(elements, k) for k in range(len(self.components))])

    def _column(self, elements: list[Element], number: int) -> Array:
        spec = self.components[number]
        if not elements:
            sizes = [size or 0 for size in spec.shape.as_list()]
            return numpy_module.zeros([0, *sizes], spec.dtype.storage)
        return self.joined([element[number] for element in elements], spec)

    def joined(self, parts: list[Array], spec: TensorSpec) -> Array:
        """Tensors of one shape along a further axis."""
        return numpy_module.stack(parts)


class PaddingQueue(Queue):
    """Elements of several sizes, which are padded where they are taken together."""

    kind = "PaddingFIFOQueue"

    def joined(self, parts: list[Array], spec: TensorSpec) -> Array:
        largest = numpy_module.max([part.shape for part in parts], axis=0).astype(int)
        blank: Any = b"" if spec.dtype.family == "string" else 0
        found = numpy_module.full((len(parts), *largest), blank, spec.dtype.storage)
        for row, part in enumerate(parts):
            found[(row, *map(slice, part.shape), ...)] = part
        return found


class OrderedQueue(Queue):
    """Elements by their first component, an integer: the least comes first."""

    kind = "PriorityQueue"

    def __init__(self, components: Sequence[TensorSpec], has_shapes: bool, capacity: int) -> None:
        super().__init__(components, has_shapes, capacity)
        self._elements = []
        self._count = 0

    def add(self, element: Element) -> None:
        self._count += 1  # among equals, who came first
        heapq.heappush(self._elements, (int(element[0]), self._count, element))

    def pop(self) -> Element:
        return heapq.heappop(self._elements)[2]

    def put_back(self, element: Element) -> None:
        self.add(element)


class ShuffledQueue(Queue):
    """Elements in random order, of which some stay to choose from until the queue is closed."""

    kind = "RandomShuffleQueue"

    def __init__(
        self, components: Sequence[TensorSpec], has_shapes: bool, capacity: int, least: int,
        seeds: tuple[int, int],
    ) -> None:  # fmt: skip
        super().__init__(components, has_shapes, capacity)
        self._least = least
        self._stream = WordStream.of_seeds(*seeds)
        self._drawn = 0
        self._elements = []

    @property
    def reserve(self) -> int:
        return self._least

    def put_back(self, element: Element) -> None:
        self.add(element)

    def pop(self) -> Element:
        group = numpy_module.array([self._drawn // 4], numpy_module.uint64)
        word = int(self._stream.groups(group)[0, self._drawn % 4])
        self._drawn += 1
        place = word % len(self._elements)
        chosen, last = self._elements[place], self._elements.pop()
        if place < len(self._elements):
            self._elements[place] = last
        return chosen


# ---------------------------------------------------------------- operations

SOME: Final = "{} requested {} < 0 elements"
NO_SHAPES: Final = "{}: DequeueMany and DequeueUpTo require the components to have specified shapes"
NO_QUEUE: Final = "{} needs the handle of a queue, not of {}"


class OnQueue(Op, abstract=True):
    """Reads or changes a queue."""

    handle = In("resource")
    differentiable = False

    def demands(self, sizes: Any) -> None:
        spec = getattr(self.handle, "spec", None)
        if getattr(spec, "kind", "") != "queue":
            refuse(InvalidArgumentError, NO_QUEUE, self.name, getattr(spec, "short", "a variable"))


class Putting(OnQueue, abstract=True):
    """Puts tensors into a queue."""

    components = In("[Tcomponents]")
    timeout_ms = Attr(-1)
    effects = (Writes("handle"), World.PYTHON)

    def infer(self) -> tuple[()]:
        return ()


class QueueEnqueueV2(Putting):
    """Puts in one element."""

    def eager(self, np: Any) -> tuple[()]:
        self.handle.put([tuple(self.components)])
        return ()


class QueueEnqueueManyV2(Putting):
    """Puts in an element for each row."""

    def eager(self, np: Any) -> tuple[()]:
        counts = {len(one) for one in self.components}
        if len(counts) != 1:
            raise InvalidArgumentError(
                f"All input tensors must have the same size in the 0th dimension: {sorted(counts)}"
            )
        rows = zip(*[list(map(np.asarray, one)) for one in self.components], strict=True)
        self.handle.put(rows)
        return ()


class Taking(OnQueue, abstract=True):
    """Takes elements out of a queue."""

    timeout_ms = Attr(-1)
    component_types = Attr()
    effects = (Writes("handle"), World.PYTHON)


class QueueDequeueV2(Taking):
    """Takes out one element."""

    components = Out("[component_types]")

    def infer(self) -> tuple[TensorSpec, ...]:
        return self.handle.spec.elements

    def eager(self, np: Any) -> Any:
        return self.handle.take(1)[0]


class TakingMany(Taking, abstract=True):
    """Takes out elements that are stacked."""

    n = In("i32")
    components = Out("[component_types]")

    def batched(self, count: Any) -> tuple[TensorSpec, ...]:
        rows = TensorShape([count])
        elements = self.handle.spec.elements
        return tuple([TensorSpec(rows.concatenate(one.shape), one.dtype) for one in elements])

    def count(self) -> int:
        if not self.handle.has_shapes:
            raise InvalidArgumentError(NO_SHAPES.format(self.handle.kind))
        if self.n < 0:
            raise InvalidArgumentError(SOME.format(self.name, int(self.n)))
        return int(self.n)


class QueueDequeueManyV2(TakingMany):
    """Takes out so many elements, stacked."""

    def infer(self) -> tuple[TensorSpec, ...]:
        return self.batched(None if self.n.value is None else int(self.n.value))

    def eager(self, np: Any) -> Any:
        return self.handle.stacked(self.handle.take(self.count()))


class QueueDequeueUpToV2(TakingMany):
    """Takes out so many elements, stacked; of a closed queue, those that are left."""

    def infer(self) -> tuple[TensorSpec, ...]:
        return self.batched(None)

    def eager(self, np: Any) -> Any:
        return self.handle.stacked(self.handle.take(self.count(), may_be_fewer=True))


class QueueCloseV2(OnQueue):
    """Lets nothing more come."""

    cancel_pending_enqueues = Attr(False)
    effects = (Writes("handle"), World.PYTHON)

    def infer(self) -> tuple[()]:
        return ()

    def eager(self, np: Any) -> tuple[()]:
        self.handle.close(self.cancel_pending_enqueues)
        return ()


class QueueSizeV2(OnQueue):
    """How many elements there are."""

    size = Out("i32")
    effects = (Reads("handle"), World.PYTHON)

    def infer(self) -> TensorSpec:
        return TensorSpec((), dtypes.int32)

    def eager(self, np: Any) -> Any:
        return np.int32(self.handle.size())


class QueueIsClosedV2(OnQueue):
    """Whether nothing more can come."""

    is_closed = Out("bool")
    effects = (Reads("handle"), World.PYTHON)

    def infer(self) -> TensorSpec:
        return TensorSpec((), dtypes.bool_)

    def eager(self, np: Any) -> Any:
        return np.bool_(self.handle.is_closed)
