"""Iterators of other kinds, and what reads whole datasets, as operations."""

# Rules of operations, as in ops/.
# pyright: reportIncompatibleVariableOverride=false

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final
from weakref import WeakKeyDictionary, WeakValueDictionary

from ...core import dtypes
from ...core.process.locks import ForkedLock
from ...core.specs import ObjectSpec, TensorSpec, ValueSpec
from ...errors import FailedPreconditionError, InvalidArgumentError, OutOfRangeError
from ...graph.payload import payload_of
from ...ops.control.functional import GivenGraphs
from ...ops.control.optionals import SPEC, MaybeComponents
from ...ops.effects import World, Writes
from ...ops.op import Attr, In, Op, Out
from ...ops.state.handles import OfSession
from ...ops.state.lookup import OnTable
from ..by_hand.iterators import SessionIterator
from ..iterator_handles import Running
from ..nodes.node import Element
from ..snapshots.fingerprints import fingerprint
from .family import Deletion, elements_of, said
from .functions import Found
from .sources import Unused

# ---------------------------------------------------------------- iterators over several devices


class IteratorOfDevices:
    """A pass over a dataset whose elements go to so many takers in turn, each at its own pace."""

    def __init__(self, takers: int, specs: tuple[ValueSpec, ...]) -> None:
        self.spec: Final = ObjectSpec("divided iterator", specs)
        self.text: Final = f"divided_iterator_{next(_numbers)}"
        self._takers = takers
        self._passes = 0
        self._running: Running | None = None
        self._waiting: dict[int, list[Element]] = {}
        self._turn = 0
        self._lock: Final = ForkedLock()  # each device has a thread that takes its elements
        _known[self.text] = self

    def begin(self, dataset: Any) -> int:
        """Go over a dataset from its first element on; the number of the pass."""
        with self._lock():
            self._running, self._turn = Running(dataset), 0
            self._waiting = {taker: [] for taker in range(self._takers)}
            self._passes += 1
            return self._passes

    def next_of(self, taker: int, passed: int) -> Element:
        """The next element for a taker.

        Raises:
            FailedPreconditionError: no pass has begun.
            InvalidArgumentError: this is another pass, or there is no such taker.
            OutOfRangeError: there is none.
        """
        with self._lock():
            return self._next_of(taker, passed)

    def _next_of(self, taker: int, passed: int) -> Element:
        if self._running is None:
            raise FailedPreconditionError("the iterator over several devices has not begun")
        if passed != self._passes:
            raise InvalidArgumentError(
                f"Invalid incarnation id. Provided: {passed}; Expected: {self._passes}"
            )
        if taker not in self._waiting:
            raise InvalidArgumentError(f"shard {taker} is none of {self._takers}")
        while not self._waiting[taker]:
            element = self._running.next()
            if element is None:
                raise OutOfRangeError("End of sequence")
            self._waiting[self._turn].append(element)
            self._turn = (self._turn + 1) % self._takers
        return self._waiting[taker].pop(0)


_numbers = itertools.count()
_known: Final[WeakValueDictionary[str, IteratorOfDevices]] = WeakValueDictionary()
_shared: Final[dict[tuple[str, str], IteratorOfDevices]] = {}  # by container and name
_shared_lock: Final = ForkedLock()


class AnonymousMultiDeviceIteratorV3(Op):
    """An iterator over several devices, which MultiDeviceIteratorInit lets begin."""

    handle = Out("resource")
    devices = Attr()
    output_types = Attr()
    output_shapes = Attr()
    effects = (World.PYTHON,)
    differentiable = False

    def infer(self) -> Any:
        return ObjectSpec("divided iterator", said(self, None))

    def eager(self, np: Any) -> Any:
        return IteratorOfDevices(len(self.devices), said(self, None))


class MultiDeviceIterator(AnonymousMultiDeviceIteratorV3, OfSession):
    """The same; in graphs that are built by hand each session has its own.

    Elsewhere all of a `shared_name` are one, for as long as the process runs.
    """

    shared_name = Attr()
    container = Attr()

    def eager(self, np: Any) -> Any:
        if not self.shared_name:
            return self.made()
        key = (self.container, self.shared_name)
        with _shared_lock():
            found = _shared.get(key) or _shared.setdefault(key, self.made())
        if found.spec != (wanted := ObjectSpec("divided iterator", said(self, None))):
            raise InvalidArgumentError(
                f"the iterator '{self.shared_name}' is {found.spec}, not {wanted}: give this one "
                "another shared_name"
            )
        return found

    def made(self, value_of: Callable[[str], Any] | None = None) -> IteratorOfDevices:
        return IteratorOfDevices(len(self.devices), said(self, None))


class AnonymousMultiDeviceIterator(AnonymousMultiDeviceIteratorV3):
    """The same, and what TensorFlow deletes it by."""

    deleter = Out("variant")

    def infer(self) -> Any:
        return ObjectSpec("divided iterator", said(self, None)), SPEC

    def eager(self, np: Any) -> Any:
        return IteratorOfDevices(len(self.devices), said(self, None)), MaybeComponents()


class DeleteMultiDeviceIterator(Deletion):
    """Nothing, for an iterator over several devices."""

    multi_device_iterator = In("resource")
    iterators = In("N * resource")
    deleter = In("variant")


class MultiDeviceIteratorInit(Op):
    """Lets an iterator begin; the number of its pass."""

    dataset = In("variant")
    multi_device_iterator = In("resource")
    max_buffer_size = In("i64")
    incarnation_id = Out("i64")
    effects = (Writes("multi_device_iterator"), World.PYTHON)
    differentiable = False

    def infer(self) -> TensorSpec:
        return TensorSpec((), dtypes.int64)

    def eager(self, np: Any) -> Any:
        return np.asarray(self.multi_device_iterator.begin(self.dataset), np.int64)


class MultiDeviceIteratorGetNextFromShard(Op):
    """The next element for a device.

    Raises:
        OutOfRangeError: there is none.
    """

    multi_device_iterator = In("resource")
    shard_num = In("i32")
    incarnation_id = In("i64")
    components = Out("[output_types]")
    output_types = Attr()
    output_shapes = Attr()
    effects = (Writes("multi_device_iterator"), World.PYTHON)
    differentiable = False

    def infer(self) -> tuple[ValueSpec, ...]:
        return said(self, elements_of(self.multi_device_iterator))

    def eager(self, np: Any) -> tuple[Any, ...]:
        iterator: IteratorOfDevices = self.multi_device_iterator
        element = iterator.next_of(int(self.shard_num), int(self.incarnation_id))
        return tuple(map(payload_of, element))


class MultiDeviceIteratorToStringHandle(Op):
    """A string that stands for an iterator, as long as something refers to it."""

    multi_device_iterator = In("resource")
    string_handle = Out("str")
    effects = (World.PYTHON,)
    differentiable = False

    def infer(self) -> TensorSpec:
        return TensorSpec((), dtypes.string)

    def eager(self, np: Any) -> Any:
        return np.array(self.multi_device_iterator.text.encode(), object)


class MultiDeviceIteratorFromStringHandle(Op):
    """The iterator for which a string stands."""

    string_handle = In("str")
    multi_device_iterator = Out("resource")
    output_types = Attr(())
    output_shapes = Attr(())
    effects = (World.PYTHON,)
    differentiable = False

    def infer(self) -> ObjectSpec:
        return ObjectSpec("divided iterator", said(self, None))

    def eager(self, np: Any) -> Any:
        text = self.string_handle[()].decode(errors="replace")
        found = _known.get(text)
        if found is None:
            raise InvalidArgumentError(f"there is no iterator over several devices {text!r}")
        return found


# ---------------------------------------------------------------- other iterators


class OneShotIterator(GivenGraphs, OfSession):
    """An iterator over the dataset that a function makes, which goes on from call to call.

    In graphs that are built by hand each session goes over it once.
    """

    handle = Out("resource")
    dataset_factory = Attr()
    output_types = Attr()
    output_shapes = Attr()
    container = Attr("")
    shared_name = Attr("")
    _node = Attr("")
    graph_attrs = ("dataset_factory",)
    effects = (World.PYTHON,)
    differentiable = False

    @classmethod
    def graphs_for(
        cls, attrs: Mapping[str, Any], operands: Sequence[Any], found: Found
    ) -> dict[str, Any]:
        return {"dataset_factory": found(attrs["dataset_factory"], [])}

    def infer(self) -> ObjectSpec:
        return ObjectSpec("iterator", said(self, None))

    @staticmethod
    def attrs_of_name(name: str) -> dict[str, str]:
        return {"_node": f"{name}@{next(_serial)}"}

    def demands(self, sizes: Any) -> None:
        sizes.require_late(not self.shared_name, InvalidArgumentError, NOT_SHARED, self.name)

    def eager(self, np: Any) -> SessionIterator:
        with _BEGINNING():
            of_graph = _BEGUN.setdefault(self.dataset_factory, {})
            if self._node not in of_graph:
                of_graph[self._node] = self.made()
            return of_graph[self._node]

    def made(self, value_of: Callable[[str], Any] | None = None) -> SessionIterator:
        (dataset,) = self.dataset_factory.run([])
        found = SessionIterator(said(self, None))
        found.begin(dataset)
        return found


NOT_SHARED: Final = "{} does not currently support the 'shared_name' attr"
# Of what functions make: the iterators of each place in a graph.
_BEGUN: Final[WeakKeyDictionary[Any, dict[str, SessionIterator]]] = WeakKeyDictionary()
_BEGINNING: Final = ForkedLock()
_serial: Final = itertools.count()


class IteratorPosition:
    """How far an iterator is."""

    spec = ObjectSpec("iterator position", is_value=True)

    def __init__(self, numbers: Any) -> None:
        self.numbers = numbers


class SerializeIterator(Op):
    """How far an iterator is. It is for DeserializeIterator, in the same process."""

    resource_handle = In("resource")
    serialized = Out("variant")
    external_state_policy = Attr(0)
    effects = (World.PYTHON,)
    differentiable = False

    def infer(self) -> ObjectSpec:
        return IteratorPosition.spec

    def eager(self, np: Any) -> IteratorPosition:
        return IteratorPosition(_running(self.resource_handle).position)


class DeserializeIterator(Op):
    """Lets an iterator go on where another one over an equal dataset was."""

    resource_handle = In("resource")
    serialized = In("variant")
    effects = (Writes("resource_handle"), World.PYTHON)
    differentiable = False

    def infer(self) -> tuple[()]:
        return ()

    def eager(self, np: Any) -> tuple[()]:
        _running(self.resource_handle).position = self.serialized.numbers
        return ()


def _running(iterator: Any) -> Running:
    return iterator.running if isinstance(iterator, SessionIterator) else iterator


class IteratorGetDevice(Op):
    """The name of the device where elements are made: of the first CPU."""

    resource = In("resource")
    device = Out("str")
    effects = (World.PYTHON,)
    differentiable = False

    def infer(self) -> TensorSpec:
        return TensorSpec((), dtypes.string)

    def eager(self, np: Any) -> Any:
        return np.array(b"/job:localhost/replica:0/task:0/device:CPU:0", object)


class DummyIterationCounter(Unused):
    """Stands where others count the passes over a dataset."""


# ---------------------------------------------------------------- whole datasets


class DatasetFingerprint(Op):
    """A number that says which elements a dataset has."""

    input_dataset = In("variant")
    fingerprint = Out("u64")
    effects = (World.PYTHON,)
    differentiable = False

    def infer(self) -> TensorSpec:
        return TensorSpec((), dtypes.uint64)

    def eager(self, np: Any) -> Any:
        return np.asarray(fingerprint(self.input_dataset), np.uint64)


class InitializeTableFromDataset(OnTable):
    """Lets the elements of a dataset, pairs of a key and a value, be all entries of a table."""

    dataset = In("variant")
    effects = (Writes("table_handle"), World.PYTHON)

    def demands(self, sizes: Any) -> None:
        elements = elements_of(self.dataset)
        pair = [one.dtype for one in elements] if elements else []
        self.demand_table(*(pair if len(pair) == 2 else (None, None)))

    def infer(self) -> tuple[()]:
        return ()

    def eager(self, np: Any) -> tuple[()]:
        rows = [[one._array for one in element] for element in self.dataset.iterate()]
        if not rows:
            raise OutOfRangeError("the dataset that a table is made of has no elements")
        if any(array.ndim for array in rows[0]):
            raise InvalidArgumentError(
                "a table is made of pairs of scalars, and the first element has the shapes "
                f"{[array.shape for array in rows[0]]}"
            )
        keys, values = (np.stack([row[at] for row in rows]) for at in range(2))
        self.table.replace(keys, values)
        return ()
