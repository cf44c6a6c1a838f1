"""Traces by the keys of the calls that they serve, as many as memory is allowed for.

TensorFlow keeps every trace for ever. Here the one that was longest unused goes when a function has
too many, or when all traces of the process together are too large; a call that needs it again is
traced again. What a trace takes is estimated: its operations, and the constants in it.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Final
from weakref import finalize

import numpy as np

from ...config import settings
from ...core.process.live_objects import LiveObjects
from ...core.process.locks import ForkedLock
from ...graph.ir import Graph
from ...graph.nested_graphs import every_operation
from .memory_release import note_all_dropped, note_dropped
from .trace_type import has_unknown_dims, is_more_general, lasting_key, relaxed

if TYPE_CHECKING:
    from ..concrete import ConcreteFunction

# Traces beyond this number push out the one that was longest unused.
LARGEST: Final = 512
# So many are kept however large they are.
FEWEST: Final = 16
# Measured: an empty trace with its machine code, and what each operation adds to it.
_TRACE_BYTES: Final = 16_000
_OPERATION_BYTES: Final = 3_000
_caches: Final[LiveObjects[TraceCache]] = LiveObjects()


class TraceCache:
    """Finds the trace for a call: an exact one, else the most specific of the more general ones.

    Any thread may ask at any time. `evictions` counts the traces that were dropped.
    """

    def __init__(self) -> None:
        self._exact: dict[Any, ConcreteFunction] = {}  # in the order of tracing
        self._used: OrderedDict[Any, None] = OrderedDict()  # the last used at the end
        self._general: dict[Any, ConcreteFunction] = {}
        self._found: dict[Any, ConcreteFunction] = {}  # calls served by a more general trace
        self._sizes: dict[Any, int] = {}
        self._lock: Final = ForkedLock()
        self.size_bytes = 0
        self.evictions = 0
        _caches.add(self)
        # No __del__: at exit it would find its module empty.
        finalize(self, note_all_dropped, self._sizes).atexit = False

    def find(self, key: Any) -> ConcreteFunction | None:
        with self._lock():
            hit = self._exact.get(key)
            if hit is not None:
                self._used.move_to_end(key)
                return hit
            hit = self._found.get(key)
            if hit is None and self._general:
                hit = self._most_specific(key)
            return hit

    def _most_specific(self, key: Any) -> ConcreteFunction | None:
        best: Any = None
        for candidate in self._general:
            if is_more_general(candidate, key) and (
                best is None or is_more_general(best, candidate)
            ):
                best = candidate
        if best is None:
            return None
        self._used.move_to_end(best)
        if len(self._found) >= LARGEST:
            self._found.clear()
        hit = self._found[lasting_key(key)] = self._general[best]
        return hit

    def add(self, key: Any, concrete: ConcreteFunction) -> None:
        with self._lock():
            self._forget_size(key)
            self._exact[key] = concrete
            self._used[key] = None
            self._sizes[key] = estimated_bytes(concrete.callee.graph)
            self.size_bytes += self._sizes[key]
            if has_unknown_dims(key):
                self._general[key] = concrete
                self._found.clear()  # a more specific trace may now serve some of these calls
            while len(self._exact) > LARGEST:
                self.evict()
        _shrink()

    def evict(self) -> None:
        """Drop the trace that was longest unused."""
        with self._lock():
            self.drop(next(iter(self._used)))
            self.evictions += 1

    def drop(self, key: Any) -> None:
        """Drop a trace; one that has been dropped already is none."""
        with self._lock():
            self._used.pop(key, None)
            concrete = self._exact.pop(key, None)
            self._general.pop(key, None)
            self._found = {k: found for k, found in self._found.items() if found is not concrete}
            self._forget_size(key)

    def _forget_size(self, key: Any) -> None:
        size = self._sizes.pop(key, 0)
        self.size_bytes -= size
        note_dropped(size)

    def generalized(self, key: Any) -> Any:
        """The least general key that covers `key` and an earlier trace; else `key` itself."""
        for earlier in reversed(self.keys()):
            found = relaxed(key, earlier)
            if found is not None:
                return found
        return key

    def keys(self) -> list[Any]:
        with self._lock():
            return list(self._exact)

    def all(self) -> list[ConcreteFunction]:
        """Every trace once, in the order of tracing."""
        with self._lock():
            return list(dict.fromkeys(self._exact.values()))

    def __len__(self) -> int:
        return len(self._exact)


def _shrink() -> None:
    """Drop traces of the largest functions until all together are small enough."""
    caches = list(_caches)
    excess = sum(cache.size_bytes for cache in caches) - settings.trace_limit_bytes
    while excess > 0:
        largest = max(caches, key=lambda cache: cache.size_bytes * (len(cache) > FEWEST))
        if len(largest) <= FEWEST:
            return
        before = largest.size_bytes
        largest.evict()
        excess -= before - largest.size_bytes


def estimated_bytes(graph: Graph) -> int:
    """About what a trace of this graph takes, with its machine code."""
    operations, constants = 0, 0
    for operation in every_operation(graph):
        operations += 1
        for value in operation.attrs.values():
            if isinstance(value, np.ndarray):
                constants += value.nbytes
    return _TRACE_BYTES + _OPERATION_BYTES * operations + constants
