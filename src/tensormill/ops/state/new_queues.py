"""Making queues: operations that give handles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from ...core import dtypes
from ...core.process.locks import ForkedLock
from ...core.shapes import UNKNOWN, as_shape
from ...core.specs import ObjectSpec, TensorSpec
from ...errors import InvalidArgumentError
from ..demands import refuse
from ..effects import World
from ..op import Attr, Out
from .handles import OfSession
from .queues import OrderedQueue, PaddingQueue, Queue, ShuffledQueue

_SHARED: Final[dict[tuple[str, str], Queue]] = {}
_SHARING: Final = ForkedLock()


NOT_EACH = "{}: {} components have {} shapes"
TOO_MANY_STAY = "min_after_dequeue {} must be at least 0 and less than capacity {}"


class NewQueue(OfSession, abstract=True):
    """The queue of a name, which all share that say it; without a name, a new one each time.

    In graphs that are built by hand each session has its own.
    """

    component_types: Any
    shapes: Any
    capacity: Any
    container: Any
    shared_name: Any
    effects = (World.PYTHON,)

    def demands(self, sizes: Any) -> None:
        types, shapes = len(self.component_types), len(self.shapes)
        if shapes not in (0, types):
            refuse(InvalidArgumentError, NOT_EACH, self.name, types, shapes)

    def components(self) -> list[TensorSpec]:
        """What an element consists of."""
        types = list(self.component_types)
        shapes: Sequence[Any] = [*self.shapes] or [UNKNOWN] * len(types)
        return [TensorSpec(as_shape(s), d) for s, d in zip(shapes, types, strict=True)]

    def infer(self) -> ObjectSpec:
        return ObjectSpec("queue", tuple(self.components()))

    def eager(self, np: Any) -> Queue:
        if not self.shared_name:
            return self.made()
        with _SHARING():
            key = self.container, self.shared_name
            if key not in _SHARED:
                _SHARED[key] = self.made()
            return _SHARED[key]

    def made(self, value_of: Callable[[str], Any] | None = None) -> Queue:
        return Queue(self.components(), bool(self.shapes), self.capacity)


class FIFOQueueV2(NewQueue):
    """Elements in the order in which they came."""

    handle = Out("resource")
    component_types = Attr()
    shapes = Attr(())
    capacity = Attr(-1)
    container = Attr("")
    shared_name = Attr("")


class PaddingFIFOQueueV2(NewQueue):
    """The same, of several sizes, which are padded where they are taken together."""

    handle = Out("resource")
    component_types = Attr()
    shapes = Attr(())
    capacity = Attr(-1)
    container = Attr("")
    shared_name = Attr("")

    def made(self, value_of: Callable[[str], Any] | None = None) -> Queue:
        return PaddingQueue(self.components(), bool(self.shapes), self.capacity)


class PriorityQueueV2(NewQueue):
    """Elements by their first component, an int64 that the others follow: the least comes first."""

    handle = Out("resource")
    shapes = Attr()
    component_types = Attr(())
    capacity = Attr(-1)
    container = Attr("")
    shared_name = Attr("")

    def components(self) -> list[TensorSpec]:
        return [TensorSpec((), dtypes.int64), *super().components()]

    def made(self, value_of: Callable[[str], Any] | None = None) -> Queue:
        return OrderedQueue(self.components(), True, self.capacity)


class RandomShuffleQueueV2(NewQueue):
    """Elements in random order, of which `min_after_dequeue` stay to choose from."""

    handle = Out("resource")
    component_types = Attr()
    shapes = Attr(())
    capacity = Attr(-1)
    min_after_dequeue = Attr(0)
    seed = Attr(0)
    seed2 = Attr(0)
    container = Attr("")
    shared_name = Attr("")

    def made(self, value_of: Callable[[str], Any] | None = None) -> Queue:
        seeds, least = (self.seed, self.seed2), self.min_after_dequeue
        if least < 0 or 0 <= self.capacity <= least:
            raise InvalidArgumentError(TOO_MANY_STAY.format(least, self.capacity))
        return ShuffledQueue(self.components(), bool(self.shapes), self.capacity, least, seeds)
