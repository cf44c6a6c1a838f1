"""Barriers: tuples whose parts come one by one, by keys, and which are taken when whole."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as numpy_module

from ...core import dtypes
from ...core.process.locks import ForkedLock
from ...core.shapes import as_shape
from ...core.specs import ObjectSpec, TensorSpec
from ...errors import CancelledError, InvalidArgumentError, OutOfRangeError
from ..demands import refuse
from ..effects import Reads, World, Writes
from ..op import Attr, In, Op, Out
from .handles import OfSession

Array = numpy_module.ndarray[Any, Any]

FIRST_INDEX: Final = -(2**63)
NO_BARRIER: Final = "{} needs the handle of a barrier, not of {}"
NO_COMPONENT: Final = "{}: component_index {} is not in [0, {})"
UNLIKE_KEYS: Final = "{}: {} keys do not have {} values one by one"
NO_SHAPES: Final = "{}: All of the component shapes must be specified"
NOT_EACH: Final = "{}: {} components have {} shapes"
NEGATIVE: Final = "{}: num_elements must not be negative, got {}"
UNLIKE_TYPES: Final = "{}: the components of the barrier are {}, not {}"


class TupleBarrier:
    """Tuples by keys: some lack parts, and the others wait in the order in which they got whole."""

    def __init__(self, components: Sequence[TensorSpec]) -> None:
        self.spec: Final = ObjectSpec("barrier", tuple(components))
        self._changed: Final = ForkedLock(threading.Condition)
        self._incomplete: dict[bytes, tuple[int, dict[int, Array]]] = {}
        self._ready: list[tuple[int, bytes, dict[int, Array]]] = []
        self._insertions = 0
        self.is_closed = self._is_cancelled = False

    @property
    def width(self) -> int:
        """How many parts a tuple has."""
        return len(self.spec.elements)

    def ready_size(self) -> int:
        """How many may be taken."""
        return len(self._ready)

    def incomplete_size(self) -> int:
        """How many lack parts."""
        return len(self._incomplete)

    def insert(self, keys: Sequence[bytes], values: Array, component: int) -> None:
        """Give tuples one part; keys that are new begin some.

        Raises:
            CancelledError: the barrier is closed, and a key is new or nothing may come any more.
            InvalidArgumentError: a tuple has this part already.
        """
        with self._changed():
            self._require_open(keys)
            index = FIRST_INDEX + self._insertions
            self._insertions += any(key not in self._incomplete for key in keys)
            for key, value in zip(keys, values, strict=True):
                began, parts = self._incomplete.setdefault(key, (index, {}))
                if component in parts:
                    raise InvalidArgumentError(
                        f"Key {key.decode(errors='replace')} already has a value for component "
                        f"{component} in the barrier"
                    )
                parts[component] = value
                if len(parts) == self.width:
                    del self._incomplete[key]
                    self._ready.append((began, key, parts))
            self._ready.sort(key=lambda one: one[0])  # which leaves those of one insertion in order
            self._changed().notify_all()

    def _require_open(self, keys: Sequence[bytes]) -> None:
        if self._is_cancelled:
            raise CancelledError("the barrier is closed, and nothing may come any more")
        new = [key for key in keys if key not in self._incomplete]
        if self.is_closed and new:
            raise CancelledError(
                "the barrier is closed, but attempted to insert a brand new key: "
                f"{new[0].decode(errors='replace')}"
            )

    def take(self, count: int, may_be_fewer: bool) -> list[tuple[int, bytes, dict[int, Array]]]:
        """Take so many whole tuples when there are as many; of a closed barrier, what is left.

        Raises:
            OutOfRangeError: the barrier is closed, and there never will be as many.
        """
        with self._changed():
            self._changed().wait_for(lambda: len(self._ready) >= count or self._is_final())
            found = min(count, len(self._ready)) if may_be_fewer else count
            if len(self._ready) < found or (count and not found):
                raise OutOfRangeError(
                    f"the barrier is closed and has insufficient elements (requested {count}, "
                    f"total size {len(self._ready)})"
                )
            taken, self._ready = self._ready[:found], self._ready[found:]
            return taken

    def _is_final(self) -> bool:
        return self._is_cancelled or (self.is_closed and not self._incomplete)

    def close(self, cancels: bool) -> None:
        """Let no new keys come; `cancels`: nor parts of tuples that lack some.

        Raises:
            CancelledError: it is closed already.
        """
        with self._changed():
            if self._is_cancelled or (self.is_closed and not cancels):
                raise CancelledError("the barrier is already closed")
            self.is_closed, self._is_cancelled = True, cancels
            self._changed().notify_all()

    def abandon(self) -> None:
        """Let those that wait go: the session is over."""
        with self._changed():
            self.is_closed = self._is_cancelled = True
            self._changed().notify_all()


class Barrier(OfSession):
    """The barrier of a name; without one, a new one each time."""

    handle = Out("resource")
    component_types = Attr()
    shapes = Attr(())
    capacity = Attr(-1)
    container = Attr("")
    shared_name = Attr("")
    effects = (World.PYTHON,)

    def demands(self, sizes: Any) -> None:
        types, shapes = len(self.component_types), len(self.shapes)
        if shapes != types:
            refuse(
                InvalidArgumentError, NOT_EACH if shapes else NO_SHAPES, self.name, types, shapes
            )
        if not all(as_shape(one).is_fully_defined() for one in self.shapes):
            refuse(InvalidArgumentError, NO_SHAPES, self.name)

    def components(self) -> list[TensorSpec]:
        pairs = zip(self.shapes, self.component_types, strict=True)
        return [TensorSpec(as_shape(shape), dtype) for shape, dtype in pairs]

    def infer(self) -> ObjectSpec:
        return ObjectSpec("barrier", tuple(self.components()))

    def eager(self, np: Any) -> TupleBarrier:
        return self.made()

    def made(self, value_of: Callable[[str], Any] | None = None) -> TupleBarrier:
        return TupleBarrier(self.components())


class OnBarrier(Op, abstract=True):
    """Reads or changes a barrier."""

    handle = In("resource")
    differentiable = False

    def demands(self, sizes: Any) -> None:
        spec = getattr(self.handle, "spec", None)
        if getattr(spec, "kind", "") != "barrier":
            refuse(
                InvalidArgumentError, NO_BARRIER, self.name, getattr(spec, "short", "a variable")
            )

    def infer(self) -> Any:
        return ()


class BarrierInsertMany(OnBarrier):
    """Gives tuples one of their parts, by their keys."""

    keys = In("str n")
    values = In("T ...")
    component_index = Attr(int)
    effects = (Writes("handle"), World.PYTHON)

    def demands(self, sizes: Any) -> None:
        super().demands(sizes)
        components = self.handle.spec.elements
        if not 0 <= self.component_index < len(components):
            refuse(InvalidArgumentError, NO_COMPONENT, self.name, self.component_index,
                   len(components))  # fmt: skip
        count, shape = sizes.shape(self.keys)[0], sizes.shape(self.values)
        rows = shape[0] if shape else 1
        sizes.require(
            sizes.equal(count, rows), InvalidArgumentError, UNLIKE_KEYS, self.name, count, rows
        )

    def eager(self, np: Any) -> tuple[()]:
        values = self.values.copy()
        spec = self.handle.spec.elements[self.component_index]
        if spec.dtype.storage != values.dtype or not spec.shape.is_compatible_with(
            values.shape[1:]
        ):
            raise InvalidArgumentError(
                f"{self.name}: values must be {spec.dtype.name} with rows of shape {spec.shape}, "
                f"got {values.dtype} of shape {values.shape}"
            )
        self.handle.insert(self.keys.tolist(), values, self.component_index)
        return ()


class BarrierTakeMany(OnBarrier):
    """Takes whole tuples out: when they began, their keys and their parts, each stacked."""

    num_elements = In("i32")
    indices = Out("i64 n")
    keys = Out("str n")
    values = Out("[component_types]")
    component_types = Attr()
    allow_small_batch = Attr(False)
    wait_for_incomplete = Attr(False)
    timeout_ms = Attr(-1)
    effects = (Writes("handle"), World.PYTHON)

    def demands(self, sizes: Any) -> None:
        super().demands(sizes)
        (count,) = sizes.values(self.num_elements)
        sizes.require(count >= 0, InvalidArgumentError, NEGATIVE, self.name, count)
        own = [one.dtype.name for one in self.handle.spec.elements]
        wanted = [dtypes.as_dtype(one).name for one in self.component_types]
        if own != wanted:
            refuse(InvalidArgumentError, UNLIKE_TYPES, self.name, ", ".join(own), ", ".join(wanted))

    def infer(self) -> Any:
        rows = as_shape([None])
        parts = [
            TensorSpec(rows.concatenate(one.shape), one.dtype) for one in self.handle.spec.elements
        ]
        return TensorSpec((None,), dtypes.int64), TensorSpec((None,), dtypes.string), *parts

    def eager(self, np: Any) -> Any:
        taken = self.handle.take(int(self.num_elements), bool(self.allow_small_batch))
        indices = np.array([one[0] for one in taken], np.int64)
        keys = np.array([one[1] for one in taken], object)
        parts = [
            np.array([row[2][k] for row in taken], spec.dtype.storage).reshape(
                len(taken), *spec.shape.as_list()
            )
            for k, spec in enumerate(self.handle.spec.elements)
        ]
        return indices, keys, *parts


class BarrierClose(OnBarrier):
    """Lets no new keys come, and with `cancel_pending_enqueues` nothing more."""

    cancel_pending_enqueues = Attr(False)
    effects = (Writes("handle"), World.PYTHON)

    def eager(self, np: Any) -> tuple[()]:
        self.handle.close(bool(self.cancel_pending_enqueues))
        return ()


class CountsTuples(OnBarrier, abstract=True):
    """Says how many tuples there are."""

    size = Out("i32")
    effects = (Reads("handle"), World.PYTHON)

    def infer(self) -> TensorSpec:
        return TensorSpec((), dtypes.int32)


class BarrierReadySize(CountsTuples):
    """How many tuples are whole."""

    def eager(self, np: Any) -> Any:
        return np.int32(self.handle.ready_size())


class BarrierIncompleteSize(CountsTuples):
    """How many tuples lack parts."""

    def eager(self, np: Any) -> Any:
        return np.int32(self.handle.incomplete_size())
