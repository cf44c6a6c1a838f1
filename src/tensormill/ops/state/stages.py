"""Places where tensors wait by name until somebody takes them: in the order in which they came, or
under keys. Who takes waits until there is something, who puts until there is room.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, ClassVar, Final

import numpy as numpy_module

from ...core import dtypes as known
from ...core.process.locks import ForkedLock
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, ResourceExhaustedError
from ..effects import World
from ..op import Attr, In, Op, Out

Array = numpy_module.ndarray[Any, Any]
# By kind, container and name; they last as long as the process, as in TensorFlow's eager mode.
_places: Final[dict[tuple[str, str, str], Stages]] = {}


class Stages:
    """Entries under keys: an entry has a tensor for each of some indices."""

    def __init__(self) -> None:
        self.changed: Final = ForkedLock(threading.Condition)
        self.whole: dict[Any, dict[int, Array]] = {}
        self.parts: dict[Any, dict[int, Array]] = {}
        self._count = 0

    def size(self) -> int:
        """How many entries may be taken."""
        return len(self.whole)

    def next_key(self) -> int:
        """A key for what has none of its own."""
        self._count += 1
        return self._count

    def put(self, key: Any, given: dict[int, Array], width: int, capacity: int, limit: int) -> None:
        """Add tensors to an entry, which may be taken when it has `width` of them.

        Raises:
            InvalidArgumentError: it has one of them already.
            ResourceExhaustedError: they have more bytes than there may ever be.
        """
        size = sum(one.nbytes for one in given.values())
        if 0 < limit < size:
            raise ResourceExhaustedError(
                f"Attempted to insert tensors with combined size of '{size}' bytes into Staging "
                f"Area with a memory limit of '{limit}'."
            )
        with self.changed():
            entry = self.parts.get(key, {})
            if twice := sorted(set(entry) & set(given)):
                raise InvalidArgumentError(f"the tensor at index {twice[0]} of {key} is there")
            self.changed().wait_for(lambda: self._has_room(size, capacity, limit))
            entry = entry | given
            self.parts.pop(key, None)
            (self.whole if len(entry) == width else self.parts)[key] = entry
            self.changed().notify_all()

    def _has_room(self, size: int, capacity: int, limit: int) -> bool:
        kept = [one for part in (self.whole, self.parts) for one in part.values()]
        bytes_kept = sum(one.nbytes for entry in kept for one in entry.values())
        return (capacity <= 0 or self.size() < capacity) and (
            limit <= 0 or bytes_kept + size <= limit
        )

    def take(
        self, choose: Callable[[dict[Any, Any]], Any], indices: Any, keep: bool
    ) -> tuple[Any, list[Array]]:
        """The key of an entry and the tensors at `indices` (None: all); who does not `keep` them
        takes them out. `choose` gives the key, or None where one has to wait.

        Raises:
            InvalidArgumentError: the entry has no tensor at an index.
        """
        with self.changed():
            self.changed().wait_for(lambda: choose(self.whole) is not None)
            key = choose(self.whole)
            entry = self.whole[key]
            places = sorted(entry) if indices is None else indices
            if absent := [one for one in places if one not in entry]:
                raise InvalidArgumentError(f"there is no tensor at index {absent[0]} of {key}")
            found = [entry[one] for one in places]
            if not keep:
                for one in places:
                    del entry[one]
                if not entry:
                    del self.whole[key]
                self.changed().notify_all()
            return key, found

    def clear(self) -> None:
        """Drop all."""
        with self.changed():
            self.whole, self.parts = {}, {}
            self.changed().notify_all()


class OnStages(Op, abstract=True):
    """An operation on a place that has a name."""

    capacity = Attr(0)
    memory_limit = Attr(0)
    container = Attr("")
    shared_name = Attr("")
    effects = (World.PYTHON,)
    differentiable = False
    kind: ClassVar[str] = ""

    def place(self) -> Stages:
        """The place; it is there from its first use on."""
        key = (self.kind, str(self.container), str(self.shared_name))
        return _places.setdefault(key, Stages())


class _PuttingEntries(OnStages, abstract=True):
    def infer(self) -> tuple[()]:
        return ()


class _TakingEntries(OnStages, abstract=True):
    dtypes = Attr()

    def taken(self) -> tuple[TensorSpec, ...]:
        return tuple([TensorSpec(None, one) for one in self.dtypes])

    def of_wanted(self, found: list[Array]) -> tuple[Array, ...]:
        wanted = [one.storage for one in self.dtypes]
        if [one.dtype for one in found] != wanted:
            told = [str(one.dtype) for one in found]
            raise InvalidArgumentError(f"{self.name}: the tensors are {told}, not {wanted}")
        return tuple([one.copy() for one in found])


class _CountingEntries(OnStages, abstract=True):
    dtypes = Attr()
    size = Out("i32")

    def infer(self) -> TensorSpec:
        return TensorSpec((), known.int32)


# ---------------------------------------------------------------- in order


class Stage(_PuttingEntries):
    """Puts tensors behind those that wait."""

    values = In("[dtypes] ...")

    def eager(self, np: Any) -> tuple[()]:
        place = self.place()
        given = {k: np.array(one) for k, one in enumerate(self.values)}
        place.put(place.next_key(), given, len(given), self.capacity, self.memory_limit)
        return ()


class Unstage(_TakingEntries):
    """Takes those out that have waited longest."""

    values = Out("[dtypes] ...")

    def infer(self) -> tuple[TensorSpec, ...]:
        return self.taken()

    def eager(self, np: Any) -> tuple[Any, ...]:
        return self.of_wanted(self.place().take(lambda all: next(iter(all), None), None, False)[1])


class StagePeek(_TakingEntries):
    """Those that came as so many-th of all that wait, which stay."""

    index = In("i32")
    values = Out("[dtypes] ...")

    def infer(self) -> tuple[TensorSpec, ...]:
        return self.taken()

    def eager(self, np: Any) -> tuple[Any, ...]:
        place = int(self.index)

        def choose(entries: dict[Any, Any]) -> Any:
            return list(entries)[place] if len(entries) > place else None

        return self.of_wanted(self.place().take(choose, None, True)[1])


class StageSize(_CountingEntries):
    """How many wait."""

    def eager(self, np: Any) -> Any:
        return np.int32(self.place().size())


class StageClear(_PuttingEntries):
    """Drops all that wait."""

    dtypes = Attr()

    def eager(self, np: Any) -> tuple[()]:
        self.place().clear()
        return ()


# ---------------------------------------------------------------- under keys


class _PuttingByKey(_PuttingEntries, abstract=True):
    """Adds tensors at some indices to the entry of a key, which has one for each of `dtypes`."""

    key = In("i64")
    indices = In("i32 n")
    values = In("[fake_dtypes] ...")
    dtypes = Attr()

    def demands(self, sizes: Any) -> None:
        (count,), values = sizes.shape(self.indices), len(self.values)
        fits = sizes.equal(count, values)
        sizes.require(fits, InvalidArgumentError, "{} indices for {} values", count, values)

    def eager(self, np: Any) -> tuple[()]:
        places = self.indices.tolist()
        for place, one in zip(places, self.values, strict=True):
            if not 0 <= place < len(self.dtypes):
                raise InvalidArgumentError(f"{self.name}: there is no tensor at index {place}")
            if one.dtype != self.dtypes[place].storage:
                raise InvalidArgumentError(
                    f"{self.name}: the tensor at index {place} is {one.dtype}, "
                    f"not {self.dtypes[place].name}"
                )
        given = {place: np.array(one) for place, one in zip(places, self.values, strict=True)}
        self.place().put(int(self.key), given, len(self.dtypes), self.capacity, self.memory_limit)
        return ()


class _TakingByKey(_TakingEntries, abstract=True):
    key = In("i64")
    indices = In("i32 n")
    values = Out("[dtypes] ...")
    keeps: ClassVar[bool] = False

    def infer(self) -> tuple[TensorSpec, ...]:
        return self.taken()

    def eager(self, np: Any) -> tuple[Any, ...]:
        wanted = int(self.key)

        def choose(entries: dict[Any, Any]) -> Any:
            return wanted if wanted in entries else None

        return self.of_wanted(self.place().take(choose, self.indices.tolist(), self.keeps)[1])


class _TakingAnyKey(_TakingEntries, abstract=True):
    indices = In("i32 n")
    key = Out("i64")
    values = Out("[dtypes] ...")

    def infer(self) -> tuple[TensorSpec, ...]:
        return TensorSpec((), known.int64), *self.taken()

    def eager(self, np: Any) -> tuple[Any, ...]:
        # Of the kind without an order TensorFlow takes any.
        key, found = self.place().take(
            lambda entries: min(entries, default=None), self.indices.tolist(), False
        )
        return np.int64(key), *self.of_wanted(found)


class _CountingParts(_CountingEntries, abstract=True):
    def eager(self, np: Any) -> Any:
        return np.int32(len(self.place().parts))


class MapStage(_PuttingByKey):
    """In no order."""

    kind = "map"


class MapUnstage(_TakingByKey):
    """Tensors of an entry, which loses them."""

    kind = "map"


class MapPeek(_TakingByKey):
    """Tensors of an entry, which keeps them."""

    kind = "map"
    keeps = True


class MapUnstageNoKey(_TakingAnyKey):
    """Tensors of some entry, and its key."""

    kind = "map"


class MapSize(StageSize):
    """How many entries are whole."""

    kind = "map"


class MapIncompleteSize(_CountingParts):
    """How many entries lack tensors."""

    kind = "map"


class MapClear(StageClear):
    """Drops all entries."""

    kind = "map"


class OrderedMapStage(_PuttingByKey):
    """By keys."""

    kind = "ordered"


class OrderedMapUnstage(_TakingByKey):
    """Tensors of an entry, which loses them."""

    kind = "ordered"


class OrderedMapPeek(_TakingByKey):
    """Tensors of an entry, which keeps them."""

    kind = "ordered"
    keeps = True


class OrderedMapUnstageNoKey(_TakingAnyKey):
    """Tensors of the entry with the smallest key, and the key."""

    kind = "ordered"


class OrderedMapSize(StageSize):
    """How many entries are whole."""

    kind = "ordered"


class OrderedMapIncompleteSize(_CountingParts):
    """How many entries lack tensors."""

    kind = "ordered"


class OrderedMapClear(StageClear):
    """Drops all entries."""

    kind = "ordered"
