"""Calling a program that needs Python while it runs: callbacks, strings, lists, unknown ranks.

The frame is filled here instead of by native code; outputs come back in memory that the call keeps
until they are copied. Slower than the native entry (some ten microseconds), and only taken where
a program is not plain.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Collection, Generator, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from threading import get_ident
from typing import Any

import numpy as np

from ...core import context
from ...core.process.references import holders
from ...core.process.with_blocks import block
from ...core.random_state import Streams, drawing_from
from ...core.specs import ListSpec, ResourceSpec
from ...eager.storage import Lent, Storage
from ...errors import InvalidArgumentError
from ...graph.evaluate import run
from ...graph.payload import payload_of, wrap_payload
from ...ops.control.functional import effects_of
from ...ops.effects import World
from ..lowered import (
    FAILED,
    ArrayInput,
    ArrayOperand,
    CallbackStep,
    GivenOutput,
    ListInput,
    ListOperand,
    Lowered,
    ObjectInput,
    ObjectOperand,
    VariableInput,
    VariableOperand,
    stays_in_python,
)
from . import object_layouts
from .frame import FrameLayout
from .lists import copy_from, list_at, native_list

Array = np.ndarray[Any, Any]

# Who holds an array that is being lent: a name, and two objects.
SOLE = 3
# Python objects that are kept without looking whether native code still needs them.
ROOM = 64
MAIN_TYPE = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)
CALLBACK_TYPE = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)
# A prototype of our own: types set on `pythonapi.Py_DecRef` would hold for every library.
_drop = ctypes.PYFUNCTYPE(None, ctypes.py_object)(("Py_DecRef", ctypes.pythonapi))


@dataclass(slots=True, eq=False, repr=False)  # quick to make: 0.1 ms
class RunningCall:
    """One call in flight: what must stay alive until it ends.

    `memory[k]`: where native code looks for input k, a variable.
    """

    inputs: Sequence[Any]
    memory: dict[int, Array] = field(default_factory=dict[int, Array])
    kept: list[Any] = field(default_factory=list[Any])
    objects: dict[int, Any] = field(default_factory=dict[int, Any])  # by their addresses
    room: int = ROOM  # so many objects are kept before those are looked for that are needed
    results: dict[int, Any] = field(default_factory=dict[int, Any])
    error: BaseException | None = None


class GeneralCall:
    """Calls one program; any number of threads may."""

    def __init__(
        self, lowered: Lowered, layout: FrameLayout, main: int, release: int, counters: Array
    ) -> None:
        self._lowered = lowered
        self._layout = layout
        self._main = MAIN_TYPE(main)
        self._release = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(release)
        self._running = threading.local()
        self._streams = {
            number: Streams() for number, step in enumerate(lowered.steps) if _is_random(step)
        }
        self._callback = CALLBACK_TYPE(self._call_back)  # lives as long as this object
        inputs = list(enumerate(lowered.inputs))
        states = [(k, one) for k, one in inputs if isinstance(one, VariableInput)]
        self._states = [(k, one.word) for k, one in states if not one.written]
        self._written = {k: one.word for k, one in states if one.written}
        self._arrays = [(k, one.word) for k, one in inputs if isinstance(one, ArrayInput)]
        self._lists = [(k, one.word) for k, one in inputs if isinstance(one, ListInput)]
        self._objects = [(k, one.word) for k, one in inputs if isinstance(one, ObjectInput)]
        # Where native code must not look into arrays; empty where it may.
        self._unpacked = [] if object_layouts.are_known() else lowered.unpacked_inputs
        self._frame_type = ctypes.c_int64 * layout.words
        self._template = bytes(self._constant_words(counters))

    def _constant_words(self, counters: Array) -> Any:
        """A frame with the words that are the same in every call."""
        frame, lowered = self._frame_type(), self._lowered
        frame[self._layout.context] = ctypes.cast(self._callback, ctypes.c_void_p).value or 0
        count = len(lowered.counters)
        first = lowered.frame_entries - count - len(lowered.objects)
        for number in range(count):
            frame[first + number] = counters.ctypes.data + 8 * number
        for number, held in enumerate(lowered.objects):
            frame[first + count + number] = id(held)
        return frame

    def __call__(
        self, payloads: Sequence[Any]
    ) -> tuple[list[Any], Sequence[int] | None, BaseException | None]:
        """Run on arrays, storages and list values.

        Returns the outputs, or the frame's error words with the exception that Python raised.
        """
        call = RunningCall(payloads)
        stack: list[RunningCall] = self._running.__dict__.setdefault("stack", [])
        frame = self._frame_type.from_buffer_copy(self._template)
        address = ctypes.addressof(frame)
        self._fill(frame, payloads, call)
        stack.append(call)
        try:
            self._lend(frame, payloads, call)
            if self._unpacked:
                self._unpack(frame, payloads, call)
            failed = self._main(address)
            if failed:
                return [], frame[self._layout.error :], call.error or self._raised(frame)
            count = len(self._lowered.outputs)
            outputs = [self._output(k, frame, call) for k in range(count)]
            return outputs, None, None
        finally:
            stack.pop()
            for number in self._written.keys() & call.memory.keys():
                payloads[number].array = call.memory[number]
            self._release(address)

    def _raised(self, frame: Any) -> BaseException | None:
        """What a signal's handler raised while native code ran (native/interrupts.py)."""
        address = frame[self._layout.error + 1]
        if frame[self._layout.error] != FAILED or not address:
            return None
        raised = _object_at(address)
        _drop(raised)  # native code's own reference
        return raised

    # ------------------------------------------------------------ inputs

    def _fill(self, frame: Any, payloads: Sequence[Any], call: RunningCall) -> None:
        """Where the inputs are. Of arrays, native code looks up memory and sizes
        (module_runtime.py).
        """
        for number, word in self._arrays:
            frame[word] = id(payloads[number])
        for number, word in self._states:
            array = call.memory[number] = payloads[number].read()
            frame[word] = id(array)
        for number, word in self._objects:
            frame[word] = id(payloads[number])
        for number, word in self._lists:
            native = native_list(payloads[number])
            call.kept.append(native)
            frame[word] = native.address

    def _lend(self, frame: Any, payloads: Sequence[Any], call: RunningCall) -> None:
        """Take what the program writes out of its variables: other threads wait for it."""
        for number, word in self._written.items():
            lent = Lent(get_ident())
            memory = call.memory[number] = payloads[number].lend(lent)
            if holders(call.memory, number) > SOLE:  # another thread was quicker than that
                memory = lent.memory = call.memory[number] = memory.copy()
            frame[word] = id(memory)

    def _unpack(self, frame: Any, payloads: Sequence[Any], call: RunningCall) -> None:
        """What `main` does otherwise (module_runtime.py): put the address of each array's memory in
        the place of its own, and its sizes behind it.
        """
        for number, word, unknown in self._unpacked:
            array: Any = call.memory.get(number, payloads[number])
            frame[word] = array.ctypes.data
            for position, axis in enumerate(unknown, word + 1):
                frame[position] = array.shape[axis]

    # ------------------------------------------------------------ outputs

    def _output(self, number: int, frame: Any, call: RunningCall) -> Any:
        output = self._lowered.outputs[number]
        if isinstance(output, int):
            return call.inputs[output]
        if isinstance(output, GivenOutput):
            results, _ = call.results[output.step]
            return results[output.result]
        base = self._layout.outputs[number]
        if stays_in_python(output):
            return _object_at(frame[base])
        if isinstance(output, ListSpec):
            return list_at(frame[base], output)
        shape = tuple(frame[base + 1 : base + 1 + len(output.shape.entries)])
        return copy_from(frame[base], shape, output.dtype.storage)

    # ------------------------------------------------------------ callbacks

    def _call_back(self, number: int, words: int, frame: int) -> None:
        """Called by native code, which goes on only where the frame's word `done` is 1 then.

        An interrupt may come before the `try`: ctypes prints it, and the word stays 0.
        """
        call: RunningCall = self._running.stack[-1]
        try:
            self._step(call, number, words, frame)
            ctypes.c_int64.from_address(frame + 8 * self._layout.done).value = 1
        except BaseException as error:  # kept, and raised again when native code has returned
            call.error = error

    def _step(self, call: RunningCall, number: int, words: int, frame: int) -> None:
        step = self._lowered.steps[number]
        operands = _operands(step, words, call)
        touched = _touched(step, operands, call)
        if touched:
            with variables_lent(call, touched):
                self._run_step(call, number, operands, frame)
        else:
            self._run_step(call, number, operands, frame)

    def _run_step(
        self, call: RunningCall, number: int, operands: Sequence[Any], frame: int
    ) -> None:
        operation = self._lowered.steps[number].operation
        streams = self._streams.get(number)
        drawing = nullcontext() if streams is None else drawing_from(streams)
        with context.entered(context.base), drawing:
            tensors = run(operation, tuple([wrap_payload(operand) for operand in operands]))
        results = [payload_of(tensor) for tensor in tensors]
        handed = [
            hand_over(value.spec, result, call)
            for value, result in zip(operation.results, results, strict=True)
        ]
        call.results[number] = results, handed  # until native code has copied them
        if len(call.objects) > call.room:
            self._let_go(call, frame)
        words_out = [word for address, sizes, _ in handed for word in (address, *sizes)]
        area = (ctypes.c_int64 * len(words_out)).from_address(frame + 8 * self._layout.results)
        area[:] = words_out

    def _let_go(self, call: RunningCall, frame: int) -> None:
        """Keep only the objects that native code may look at: those in the frame, which branches
        and loops carry, and what each step gave when it last ran.
        """
        carried = ctypes.c_int64 * self._lowered.carried
        needed = {*carried.from_address(frame + 8 * self._layout.carried)}
        for results, _ in call.results.values():
            needed.update(map(id, results))
        call.objects = {at: one for at, one in call.objects.items() if at in needed}
        call.room = max(ROOM, 2 * len(call.objects))


def _touched(step: CallbackStep, operands: Sequence[Any], call: RunningCall) -> Collection[int]:
    """The variables that a step may touch: its operands, or all that a user's function may know.

    Objects say which ones their functions know (`storages`).
    """
    objects = [one.storages for one in operands if hasattr(one, "storages")]
    if not objects or not step.touched:
        return step.touched
    known: set[Any] = {one for one in operands if isinstance(one, Storage)}
    known.update(*objects)
    return [k for k in step.touched if call.inputs[k] in known]


@block
def variables_lent(call: RunningCall, numbers: Iterable[int]) -> Generator[None]:
    """While Python runs, variables have copies of the memory that native code goes on using.

    So what Python takes from them never changes afterwards, and what it assigns is seen.
    """
    lent = [(call.inputs[number], call.memory[number]) for number in numbers]
    before = [storage.array for storage, _ in lent]
    for storage, memory in lent:
        storage.array = memory.copy()
    try:
        yield
    finally:
        for (storage, memory), array in zip(lent, before, strict=True):
            if type(array) is Lent:
                np.copyto(memory, storage.lend(array))
                array.memory = memory
            else:
                np.copyto(memory, storage.read())
                storage.array = memory


def hand_over(spec: Any, result: Any, call: RunningCall) -> tuple[int, tuple[int, ...], Any]:
    """A result for native code: its address, its sizes, and what must stay alive meanwhile."""
    if isinstance(spec, ResourceSpec):
        return 0, (), result  # native code has it already
    if stays_in_python(spec):
        call.objects[id(result)] = result
        return id(result), (), result
    if isinstance(spec, ListSpec):
        native = native_list(result)
        return native.address, (), native
    if spec.shape.entries != result.shape and not spec.shape.is_compatible_with(result.shape):
        raise InvalidArgumentError(
            f"a Python function gave shape {list(result.shape)} where {spec.shape} was promised"
        )
    return object_layouts.data_of(result), result.shape, result


def _is_random(step: CallbackStep) -> bool:
    """Whether a step draws numbers: from streams of its own, as every operation of a graph does."""
    return World.DRAWS in effects_of(step.operation.op, step.operation.attrs)


def _operands(step: CallbackStep, words: int, call: RunningCall) -> list[Any]:
    """The operands of a callback, out of the words that native code passed."""
    operands: list[Any] = []
    position = 0
    for operand in step.operands:
        if isinstance(operand, VariableOperand):
            operands.append(call.inputs[operand.number])
            continue
        address = ctypes.c_int64.from_address(words + 8 * position).value
        position += 1
        match operand:
            case ObjectOperand():
                operands.append(_object_at(address))
            case ListOperand(spec):
                operands.append(list_at(address, spec))
            case ArrayOperand(dtype, rank):
                sizes = (ctypes.c_int64 * rank).from_address(words + 8 * position)
                position += rank
                operands.append(copy_from(address, tuple(sizes), dtype.storage))
    return operands


# The Python object at an address, which the call keeps alive: of the stable ABI, and a fifth of the
# time of ctypes' cast.
_object_at = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p)(("Py_NewRef", ctypes.pythonapi))
