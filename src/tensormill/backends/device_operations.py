"""Eager operations on tensors that are on a GPU or TPU: each is a small program of XLA.

    x + y ──► AddV2, (float32[2, 3], float32[3]), GPU:0 ──► program ──► a tensor on GPU:0

A program is kept for operands of these shapes and dtypes. Sizes and axes, which XLA wants to know,
are part of it: an operation that cannot be done without them is made with the values of its small
operands of integers. What XLA does not have is left to the CPU, and so is what would need
too many programs.

Of a small tensor that the CPU has made it keeps a copy. An operation on such ones alone is done
there and what it gives is copied: nobody waits for XLA to compile what initial values are made of.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Final, final

import numpy as np

from ..core import context
from ..core.dtypes import int32
from ..core.process.locks import ForkedLock
from ..core.specs import ResourceSpec, TensorSpec
from ..eager.devices import PhysicalDevice, choices, device_of_array, visible
from ..eager.execute import known_of
from ..eager.kernels.lookup import attributes
from ..eager.placement import may_be_size
from ..eager.storage import Away, Storage
from ..eager.tensor import (
    CPUS,
    DEVICE,
    PROCESS,
    EagerHandle,
    EagerTensor,
    is_here,
    put_on,
    wrap,
    wrap_away,
)
from ..errors import OpError, ResourceExhaustedError
from ..graph.builder import trace_graph
from ..graph.ir import Graph
from ..graph.payload import spec_of_payload
from ..ops.array.gather import GatherV2
from ..ops.bind import bind
from ..ops.control.functional import effects_of
from ..ops.demand_readers import EAGER, RUNNING
from ..ops.dispatch.placements import installed
from ..ops.effects import World
from ..ops.op import Op, inferred
from ..ops.random.draws import Draw
from ..ops.random.uniform_and_normal import Random, RandomShuffle, next_order
from ..xla.device_places import place_on
from ..xla.execution.direct_call import kind_of
from ..xla.execution.executable import BoundXla, XlaExecutable
from ..xla.execution.invocation import put
from ..xla.execution.operand_kinds import kind_with
from ..xla.values import dtype_is_usual
from . import cpu

# Programs of one operation, for all its shapes, dtypes, attributes and sizes together.
MOST_PROGRAMS: Final = 256
# Elements of a tensor that is small.
FEW: Final = 4096


@final
class OperationProgram:
    """An operation for operands of one kind; `executable` tells what of it was not done in XLA.

    A variable, where it is the only one among the operands, is captured: calls are quick then that
    look at tensors alone. What captured it belongs to its handle, and goes with that.
    """

    def __init__(self, executable: XlaExecutable, captured: Sequence[Any], takes: bool) -> None:
        """`takes` tells whether it takes a variable besides what is captured."""
        self.executable: Final = executable
        self._captured: Final = tuple(captured)
        self._takes: Final = takes
        self._bound: Final[dict[str, BoundXla]] = {}

    def bound(self, flat: Sequence[Any], device: str) -> BoundXla:
        """It, for operands with this variable, on a device."""
        if not self._takes:
            return self._kept(self._bound, device, device, self._captured)
        (variable,) = filter(_is_variable, flat)
        kept = variable.__dict__.setdefault("_programs", {})
        return self._kept(kept, (self, device), device, (*self._captured, variable))

    def _kept(self, kept: dict[Any, BoundXla], key: Any, device: str, captured: Any) -> BoundXla:
        found = kept.get(key)
        if found is None:
            found = kept[key] = self.executable.bind(captured).on(device)
        return found

    def given(self, operands: Sequence[Any]) -> Sequence[Any]:
        """What it is called with, of the operands that are no part of it."""
        return [one for one in operands if not _is_variable(one)] if self._takes else operands


@final
class DeviceOperations:
    """The operations that were made so far."""

    def __init__(self) -> None:
        self._made: Final[dict[Any, OperationProgram | None]] = {}
        self._counts: Final[Counter[type[Op]]] = Counter()
        # Of operations that are not done without: which of their operands, None for all of them.
        self._by_value: Final[dict[type[Op], frozenset[int] | None]] = {}
        self._lock: Final = ForkedLock()

    def has(self, array: Any) -> bool:
        """Whether an array of JAX's is on a GPU or TPU."""
        return _is_accelerator(getattr(array, "sharding", None), choices.hidden)

    def applied(
        self, op: type[Op], operands: tuple[Any, ...], attrs: dict[str, Any], device: str | None
    ) -> Any:
        """The outputs; NotImplemented where no operand is on a device, or XLA cannot do it."""
        flat = _flat(operands)
        device = self._device_for(flat) if device is None else device
        if device is None or device.startswith(CPUS):
            return NotImplemented
        if issubclass(op, (Random, RandomShuffle)):
            return self._drawn(op, operands, attrs, device)
        if not _is_for_devices(op, attrs):
            return NotImplemented
        try:
            found = self._program(op, operands, flat, attrs)
        except TypeError:  # an operand that is nothing for programs, an attribute without a hash
            return NotImplemented
        if found is None:
            return NotImplemented
        bound = found.bound(flat, device)
        given: Sequence[Any] = flat
        if op in self._by_value:
            given = [one for k, one in enumerate(flat) if not self._is_value(op, k, one)]
        given = found.given(given)
        try:
            results = bound.entry(*given)
            results = bound(*given) if results is NotImplemented else results
        except ResourceExhaustedError:
            raise
        except OpError:  # the kernel says it better
            return NotImplemented
        if found.executable.callbacks:  # for operands like these the CPU had to do something
            self._made[self._key(op, operands, flat, attrs)] = None
            if not op.effects and self._needs_values(op, operands, flat, attrs):
                return self.applied(op, operands, attrs, device)
        return tuple([self._there(one, flat, device) for one in results])

    def applied_usually(
        self, op: type[Op], operands: tuple[Any, ...], attrs: dict[str, Any], usual: str
    ) -> Any:
        """The same where nobody names a device: what is large is done on the `usual` one."""
        if not issubclass(op, (Random, RandomShuffle)) and not _is_for_devices(op, attrs):
            return NotImplemented
        flat = _flat(operands)
        device = self._device_for(flat)
        if device is None:
            if not any(map(_is_large, flat)) and not _gives_much(op, operands, attrs):
                return NotImplemented
            device = usual
        return self.applied(op, operands, attrs, device)

    def _drawn(
        self, op: type[Op], operands: tuple[Any, ...], attrs: dict[str, Any], device: str
    ) -> Any:
        """Numbers of a stream that goes on here: its key and counter are operands of the program.
        An order of rows is made here, and the rows are taken on the device.
        """
        if issubclass(op, RandomShuffle):
            (value,) = operands
            if not value.shape.rank:
                return NotImplemented
            char = value.dtype.storage.char
            order = next_order(attrs["seed"], attrs["seed2"], value.shape[0], char)
            given, attrs = (value, wrap(order), wrap(np.array(0))), {"batch_dims": 0}
            return self._here_or_there(GatherV2, given, attrs, device)
        application: Any = op(*[one._array for one in operands], **attrs)
        try:
            application.found = application.demands(EAGER)
        except (OpError, ValueError, TypeError):  # the kernel says it better
            return NotImplemented
        keyed, more, attrs = application.from_key()
        given = (operands[0], *map(wrap, more))
        return self._here_or_there(keyed, given, attrs, device)

    def _here_or_there(
        self, op: type[Op], operands: tuple[Any, ...], attrs: dict[str, Any], device: str
    ) -> Any:
        """What an operation gives on a device, wherever it was done: it is not to be done again."""
        found = self.applied(op, operands, attrs, device)
        if found is NotImplemented:
            made = context.base.interpreter.apply(op, operands, attrs, None)
            found = tuple([self.moved(one, device) for one in made])
        return found

    def moved(self, tensor: Any, device: str) -> Any:
        """A copy on a device; strings stay where they are, and what is small is copied to the usual
        one by the first program that wants it.
        """
        away = tensor._away
        source = tensor._array if away is None or away[1] is None else away[1]
        if not dtype_is_usual(tensor.dtype):
            return wrap(source, device)
        if device == installed.usual and type(source) is np.ndarray and source.size <= FEW:
            made = wrap(source, device)
            made.__dict__["_memory"] = device
            return made
        array = put(source, place_on(device))
        return put_on(device, [wrap_away(kind_with(array.shape, tensor.dtype.storage), array)])[0]

    def brought(self, results: Sequence[Any], operands: Sequence[Any], device: str) -> Any:
        """What the CPU has made, on a device: texts stay, and so do the numbers of `constant` that
        may be sizes, until something is done with them.
        """
        return tuple([self._brought(one, operands, device) for one in results])

    def _brought(self, result: Any, operands: Sequence[Any], device: str) -> Any:
        if type(result) is not EagerTensor or any(result is one for one in operands):
            return result
        if result._away is not None or not dtype_is_usual(result.dtype):
            return result
        if not may_be_size(result._array):
            return self.moved(result, device)
        is_made = operands or result.dtype is not int32
        return put_on(device, [result])[0] if is_made else result

    def read(self, storage: Storage) -> Any:
        """The value of a variable, where that is at home: a large one comes there for good."""
        array = storage.array
        home = storage.device or installed.usual or DEVICE
        if type(array) is np.ndarray and not home.startswith(CPUS):
            if array.size <= FEW or not dtype_is_usual(storage.spec.dtype):
                return self._brought(wrap(array), (storage,), home)
            storage.moved(place_on(home), put)
        found = self.snapshot(storage)
        return put_on(home, [wrap(storage.read()) if found is None else found])[0]

    def snapshot(self, storage: Storage) -> Any:
        """The value of a variable that is on a device: a copy, which programs do not change."""
        while type(away := storage.settled()) is Away and away.place is place_on(storage.device):
            array = away.device_array
            if not self.has(array):
                return None
            try:
                copied = put(array, array.device)
            except RuntimeError:
                if away.device_array is array and away.lent_to is None:
                    return None  # it failed, of which reading tells; else a program has taken it
                continue
            return wrap_away(kind_with(copied.shape, storage.spec.dtype.storage), copied)
        return None

    def _device_for(self, flat: Sequence[Any]) -> str | None:
        """The device that has the first operand that is not here; None where all are here."""
        for one in flat:
            array = one._array.array if _is_variable(one) else None
            away = array.device_array if type(array) is Away else (one._away or (None, None))[1]
            if away is not None and self.has(away) and not _is_small(one):
                return PROCESS + device_of_array(away)
        return None

    # ---- programs
    def _is_value(self, op: type[Op], place: int, operand: Any) -> bool:
        """Whether an operand is part of the program."""
        if op not in self._by_value or type(operand) is not EagerTensor:
            return False
        places = self._by_value[op]
        return (places is None or place in places) and _is_size(operand)

    def _key(
        self, op: type[Op], operands: tuple[Any, ...], flat: Sequence[Any], attrs: dict[str, Any]
    ) -> Any:
        counts = tuple([len(one) if type(one) is tuple else None for one in operands])
        if op in self._by_value:
            kinds = [self._kind(op, k, one) for k, one in enumerate(flat)]
        else:
            kinds = [
                kind_of(one) if type(one) is EagerTensor else self._kind(op, k, one)
                for k, one in enumerate(flat)
            ]
        return op, counts, attributes(attrs), tuple(kinds)

    def _kind(self, op: type[Op], place: int, operand: Any) -> Any:
        """What tells the operands of other programs apart.

        Raises:
            TypeError: it is neither a tensor nor a variable.
        """
        if self._is_value(op, place, operand):
            array = operand._array
            return array.shape, array.dtype.num, array.tobytes()
        if type(operand) is EagerTensor:
            return kind_of(operand)
        if _is_variable(operand):
            spec = operand._array.spec
            return "variable", spec.dtype, spec.shape.entries, operand._array.trainable
        raise TypeError(f"{operand!r} is on no device")

    def _program(
        self, op: type[Op], operands: tuple[Any, ...], flat: Sequence[Any], attrs: dict[str, Any]
    ) -> OperationProgram | None:
        key = self._key(op, operands, flat, attrs)
        if key in self._made:
            found = self._made[key]
        else:
            with self._lock():
                if key not in self._made:
                    if self._counts[op] >= MOST_PROGRAMS:
                        return None
                    self._counts[op] += 1
                    self._made[key] = self._compiled(op, operands, flat, attrs)
                found = self._made[key]
        if found is None and self._needs_values(op, operands, flat, attrs):
            return self._program(op, operands, flat, attrs)
        return found

    def _needs_values(
        self, op: type[Op], operands: tuple[Any, ...], flat: Sequence[Any], attrs: dict[str, Any]
    ) -> bool:
        """Whether an operation that could not be done may be with the values of its sizes, which
        are part of its programs from now on: those that tell the sizes of results, and all of them
        where that is not enough.
        """
        sizes = [k for k, one in enumerate(flat) if _is_size(one)]
        if not sizes or self._by_value.get(op, ()) is None:
            return False
        if op in self._by_value:
            if issubclass(op, Draw):  # there would be a program for each seed
                return False
            self._by_value[op] = None
            return True
        telling = [k for k in sizes if self._traced(op, operands, attrs, {*sizes} - {k}) is None]
        self._by_value[op] = frozenset(telling) if telling else None
        return True

    def _compiled(
        self, op: type[Op], operands: tuple[Any, ...], flat: Sequence[Any], attrs: dict[str, Any]
    ) -> OperationProgram | None:
        """A program that applies an operation; None where XLA has no such thing."""
        values = {k for k, one in enumerate(flat) if self._is_value(op, k, one)}
        traced = self._traced(op, operands, attrs, values)
        if traced is None:
            return None
        graph = _with_variable_captured(traced.graph)
        executable = XlaExecutable(graph, cpu.compile)
        if executable.callbacks:
            return None
        return OperationProgram(executable, traced.captured, graph is not traced.graph)

    def _traced(
        self, op: type[Op], operands: tuple[Any, ...], attrs: dict[str, Any], values: set[int]
    ) -> Any:
        """An operation as a graph, some of whose operands are constants; None where it is none, or
        sizes of results depend on others.
        """
        flat = _flat(operands)
        fixed = [one if k in values else None for k, one in enumerate(flat)]
        specs = [_spec_of(one) for k, one in enumerate(flat) if k not in values]
        counts = [len(one) if type(one) is tuple else None for one in operands]

        def applied(*given: Any) -> Any:
            rest = iter(given)
            each = iter([next(rest) if one is None else one for one in fixed])
            grouped = [
                next(each) if count is None else tuple([next(each) for _ in range(count)])
                for count in counts
            ]
            found = bind(op, *grouped, **attrs)
            return found if op.outputs else None

        try:
            with context.entered(context.base):
                traced = trace_graph(applied, specs, op.name)
        except (OpError, ValueError, TypeError):
            return None
        results = [one.spec for one in traced.graph.returns]
        if not all(one.shape.is_fully_defined() for one in results if isinstance(one, TensorSpec)):
            return None  # it depends on the values of operands
        return traced

    def _there(self, result: Any, operands: Sequence[Any], device: str) -> Any:
        """A result on the device, where one that was an operand may not be."""
        away = getattr(result, "_away", None)
        if away is None or _is_fetched(result):
            return result
        if not any(result is one for one in operands):
            return result if device == installed.usual else put_on(device, [result])[0]
        if PROCESS + device_of_array(away[1]) != device:
            return self.moved(result, device)
        if result.device != device:
            put_on(device, [result])
        return result


def _with_variable_captured(graph: Graph) -> Graph:
    """The same graph, which captures the variable that it takes, if it takes just one."""
    taken = [one for one in graph.parameters if isinstance(one.spec, ResourceSpec)]
    if len(taken) != 1:
        return graph
    rest = tuple([one for one in graph.parameters if one is not taken[0]])
    return replace(graph, parameters=rest, captures=(*graph.captures, taken[0]))


def _flat(operands: tuple[Any, ...]) -> list[Any]:
    flat: list[Any] = []
    for one in operands:
        flat.extend(one if type(one) is tuple else (one,))
    return flat


@cache
def _is_accelerator(sharding: Any, hidden: frozenset[PhysicalDevice]) -> bool:
    """Whether what lies so is on one device, a GPU or TPU that is not `hidden`."""
    devices = () if sharding is None else sharding.device_set
    found = [one for kind in ("GPU", "TPU") for one in visible(kind)]
    return len(devices) == 1 and any(one in devices for one in found)


def _is_for_devices(op: type[Op], attrs: dict[str, Any]) -> bool:
    """Whether an operation does nothing but give results, change variables and check: what checks
    find the CPU says, which does it again.
    """
    return _does_little(effects_of(op, attrs))


@cache
def _does_little(effects: tuple[Any, ...]) -> bool:
    return not any(isinstance(one, World) for one in effects if one is not World.CHECKS)


def _is_variable(operand: Any) -> bool:
    return type(operand) is EagerHandle and type(operand._array) is Storage


def _is_fetched(operand: Any) -> bool:
    """Whether NumPy has an operand, wherever else it is."""
    return type(operand) is EagerTensor and is_here(operand)


def _is_small(operand: Any) -> bool:
    """Whether the CPU has a small tensor, wherever else it is."""
    return _is_fetched(operand) and operand._array.size <= FEW


def _is_large(operand: Any) -> bool:
    if _is_variable(operand):
        array = operand._array.array
        return type(array) is np.ndarray and array.size > FEW
    return type(operand) is EagerTensor and operand._array.size > FEW


def _gives_much(op: type[Op], operands: tuple[Any, ...], attrs: dict[str, Any]) -> bool:
    """Whether results are large whose operands are not."""
    try:
        specs = inferred(op(*map(known_of, operands), **attrs), RUNNING)
    except (OpError, ValueError, TypeError):  # the kernel says what is wrong
        return False
    sizes = [one.shape.num_elements() for one in specs if isinstance(one, TensorSpec)]
    return any(size is not None and size > FEW for size in sizes)


def _is_size(operand: Any) -> bool:
    return _is_fetched(operand) and may_be_size(operand._array)


def _spec_of(operand: Any) -> Any:
    if type(operand) is EagerTensor:
        return TensorSpec(operand.shape, operand.dtype)
    return spec_of_payload(operand._array)


@cache
def device_operations() -> DeviceOperations:
    """Those of the process."""
    return DeviceOperations()
