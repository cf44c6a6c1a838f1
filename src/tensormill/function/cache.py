"""Traces by the keys of the calls that they serve."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Final

from .trace_type import has_unknown_dims, is_more_general, kept, relaxed

if TYPE_CHECKING:
    from .concrete import ConcreteFunction

# Traces beyond this number push out the one that was longest unused.
LARGEST: Final = 2048


class Cache:
    """Finds the trace for a call: an exact one, else the most specific of the more general ones."""

    def __init__(self) -> None:
        self._exact: OrderedDict[Any, ConcreteFunction] = OrderedDict()
        self._general: dict[Any, ConcreteFunction] = {}
        self._found: dict[Any, ConcreteFunction] = {}  # calls served by a more general trace
        self.evictions = 0

    def find(self, key: Any) -> ConcreteFunction | None:
        hit = self._exact.get(key)
        if hit is not None:
            return hit
        hit = self._found.get(key)
        if hit is None and self._general:
            hit = self._most_specific(key)
            if hit is not None:
                self._found[kept(key)] = hit
        return hit

    def find_exact(self, key: Any) -> ConcreteFunction | None:
        return self._exact.get(key)

    def _most_specific(self, key: Any) -> ConcreteFunction | None:
        best: Any = None
        for candidate in self._general:
            if is_more_general(candidate, key) and (
                best is None or is_more_general(best, candidate)
            ):
                best = candidate
        return None if best is None else self._general[best]

    def add(self, key: Any, concrete: ConcreteFunction) -> None:
        self._exact[key] = concrete
        if has_unknown_dims(key):
            self._general[key] = concrete
            self._found.clear()  # a more specific trace may now serve some of these calls
        while len(self._exact) > LARGEST:
            self._evict()

    def _evict(self) -> None:
        key, concrete = self._exact.popitem(last=False)
        self._general.pop(key, None)
        self._found = {k: found for k, found in self._found.items() if found is not concrete}
        self.evictions += 1

    def generalized(self, key: Any) -> Any:
        """The least general key that covers `key` and an earlier trace; else `key` itself."""
        for earlier in reversed(self._exact):
            found = relaxed(key, earlier)
            if found is not None:
                return found
        return key

    def keys(self) -> list[Any]:
        return list(self._exact)

    def all(self) -> list[ConcreteFunction]:
        """Every trace once, in the order of tracing."""
        return list(dict.fromkeys(self._exact.values()))

    def __len__(self) -> int:
        return len(self._exact)
