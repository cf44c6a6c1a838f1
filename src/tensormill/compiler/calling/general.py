"""Calling a program that needs Python while it runs: callbacks, strings, lists, unknown ranks.

The frame is filled here instead of by native code; outputs come back in memory that the call keeps
until they are copied. Slower than the native entry (some ten microseconds), and only taken where
a program is not plain.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...core import context
from ...core.random_state import Streams, drawing_from
from ...core.specs import ListSpec, TensorSpec
from ...errors import InvalidArgumentError
from ...graph.evaluate import run
from ...graph.payload import payload_of, wrap_payload
from ...ops.functional import effects_of
from ...ops.list_value import ListValue
from ..lowering.callbacks import RESULT_WORDS, Step
from ..lowering.graphs import InputLayout, Lowered
from .frame import FrameLayout

Array = np.ndarray[Any, Any]
LIST_WORDS = 16  # llvm/lists.py: length, capacity, itemsize, shaped, data, bytes, 8 sizes

MAIN_TYPE = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)
CALLBACK_TYPE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)


@dataclass(slots=True)
class RunningCall:
    """One call in flight: what must stay alive until it ends."""

    inputs: Sequence[Any]
    kept: list[Any] = field(default_factory=list[Any])
    results: dict[int, Any] = field(default_factory=dict[int, Any])
    error: BaseException | None = None


class GeneralCall:
    """Calls one program; any number of threads may."""

    def __init__(self, lowered: Lowered, layout: FrameLayout, main: int, release: int) -> None:
        self._lowered = lowered
        self._layout = layout
        self._main = MAIN_TYPE(main)
        self._release = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(release)
        self._running = threading.local()
        self._streams = {
            number: Streams() for number, step in enumerate(lowered.steps) if _is_random(step)
        }
        self._callback = CALLBACK_TYPE(self._call_back)  # lives as long as this object

    def __call__(
        self, payloads: Sequence[Any], counters: Array
    ) -> tuple[list[Any], Array | None, BaseException | None]:
        """Run on arrays, storages and list values.

        Returns the outputs, or the frame's error words with the exception that Python raised.
        """
        call = RunningCall(payloads)
        stack: list[RunningCall] = self._running.__dict__.setdefault("stack", [])
        frame = np.zeros(self._layout.count, np.int64)
        self._fill(frame, payloads, counters, call)
        stack.append(call)
        try:
            failed = self._main(frame.ctypes.data)
            if failed:
                return [], frame[self._layout.error :], call.error
            outputs = [self._output(k, frame, payloads) for k in range(len(self._lowered.outputs))]
            return outputs, None, None
        finally:
            stack.pop()
            self._release(frame.ctypes.data)

    # ------------------------------------------------------------ inputs

    def _fill(
        self, frame: Array, payloads: Sequence[Any], counters: Array, call: RunningCall
    ) -> None:
        frame[0] = frame.ctypes.data
        frame[self._layout.context] = ctypes.cast(self._callback, ctypes.c_void_p).value or 0
        for payload, layout in zip(payloads, self._lowered.inputs, strict=True):
            self._fill_one(frame, payload, layout, call)
        objects = self._lowered.objects
        count = len(self._lowered.counters)
        first = self._lowered.frame_entries - count - len(objects)
        for number in range(count):
            frame[first + number] = counters.ctypes.data + 8 * number
        for number, held in enumerate(objects):
            frame[first + count + number] = id(held)

    def _fill_one(self, frame: Array, payload: Any, layout: InputLayout, call: RunningCall) -> None:
        if layout.kind == "object":
            if not isinstance(layout.spec, TensorSpec):
                return  # a variable that only callbacks touch has no word
            frame[layout.word] = id(payload)
        elif layout.kind == "list":
            frame[layout.word] = self._native_list(payload, call)
        else:
            array = payload if layout.kind == "array" else payload.array
            call.kept.append(array)
            frame[layout.word] = array.ctypes.data
            unknown = [k for k, size in enumerate(layout.sizes) if size is None]
            for position, axis in enumerate(unknown):
                frame[layout.word + 1 + position] = array.shape[axis]

    def _native_list(self, value: ListValue, call: RunningCall) -> int:
        """A list value in the form of llvm/lists.py; the program copies it before any change."""
        words = np.zeros(LIST_WORDS, np.int64)
        words[0] = len(value)
        words[2] = value.dtype.size
        call.kept.append(words)
        shape = _element_sizes(value)
        if shape is None:
            return words.ctypes.data
        data: Array = np.zeros((max(len(value), 4), *shape), value.dtype.numpy)
        for place, item in enumerate(value.items):
            if item is not None:
                data[place] = item
        call.kept.append(data)
        words[1] = len(data)
        words[3:6] = 1 + len(shape), data.ctypes.data, data.nbytes // len(data)
        words[6 : 6 + len(shape)] = shape
        return words.ctypes.data

    # ------------------------------------------------------------ outputs

    def _output(self, number: int, frame: Array, payloads: Sequence[Any]) -> Any:
        output = self._lowered.outputs[number]
        if isinstance(output, int):
            return payloads[output]
        base = self._layout.output(number)
        if isinstance(output, ListSpec):
            return _list_at(int(frame[base]), output)
        if output.dtype.kind == "string" or output.shape.dims is None:
            return _object_at(int(frame[base]))
        shape = tuple(int(size) for size in frame[base + 1 : base + 1 + len(output.shape.dims)])
        return copy_from(int(frame[base]), shape, output.dtype.numpy)

    # ------------------------------------------------------------ callbacks

    def _call_back(self, number: int, words: int, frame: int) -> int:
        call: RunningCall = self._running.stack[-1]
        try:
            self._run_step(call, number, words, frame)
        except BaseException as error:  # kept, and raised again when native code has returned
            call.error = error
            return 1
        return 0

    def _run_step(self, call: RunningCall, number: int, words: int, frame: int) -> None:
        step = self._lowered.steps[number]
        operands = _operands(step, words, call)
        operation = step.operation
        streams = self._streams.get(number)
        own = nullcontext() if streams is None else drawing_from(streams)
        with context.entered(context.base), own:
            tensors = run(operation, tuple(wrap_payload(operand) for operand in operands))
        results = [payload_of(tensor) for tensor in tensors]
        call.results[number] = results
        area = (ctypes.c_int64 * (RESULT_WORDS * len(results))).from_address(
            frame + 8 * self._layout.results
        )
        for position, (value, result) in enumerate(zip(operation.results, results, strict=True)):
            address, shape = self._hand_over(value.spec, result, call)
            area[position * RESULT_WORDS] = address
            area[position * RESULT_WORDS + 1] = len(shape)
            for axis, size in enumerate(shape):
                area[position * RESULT_WORDS + 2 + axis] = size

    def _hand_over(self, spec: Any, result: Any, call: RunningCall) -> tuple[int, tuple[int, ...]]:
        if isinstance(spec, ListSpec):
            return self._native_list(result, call), ()
        if spec.dtype.kind == "string" or spec.shape.dims is None:
            call.kept.append(result)
            return id(result), ()
        if not spec.shape.is_compatible_with(result.shape):
            raise InvalidArgumentError(
                f"a Python function gave shape {list(result.shape)} where {spec.shape} was promised"
            )
        return result.ctypes.data, result.shape


def _is_random(step: Step) -> bool:
    """Whether a step draws numbers: from streams of its own, as every operation of a graph does."""
    return "random" in effects_of(step.operation.op, step.operation.attrs)


def _element_sizes(value: ListValue) -> tuple[int, ...] | None:
    """The one shape of a list's elements; None where nothing tells it.

    Raises:
        InvalidArgumentError: they differ.
    """
    shapes: set[tuple[int, ...]] = {item.shape for item in value.items if item is not None}
    if len(shapes) > 1:
        raise InvalidArgumentError(
            f"compiled code holds lists of tensors of one shape, but here are {sorted(shapes)}"
        )
    if shapes:
        return shapes.pop()
    known = value.shape.as_tuple() if value.shape.is_fully_defined() else None
    return None if known is None else tuple(size or 0 for size in known)


def _operands(step: Step, words: int, call: RunningCall) -> list[Any]:
    """The operands of a callback, out of the words that native code passed."""
    operands: list[Any] = []
    position = 0
    for kind, *facts in step.operands:
        if kind == "state":
            operands.append(call.inputs[facts[0]])
            continue
        address = ctypes.c_int64.from_address(words + 8 * position).value
        position += 1
        if kind == "object":
            operands.append(_object_at(address))
        elif kind == "list":
            operands.append(_list_at(address, facts[0]))
        else:
            dtype, rank = facts
            sizes = (ctypes.c_int64 * rank).from_address(words + 8 * position)
            position += rank
            operands.append(copy_from(address, tuple(sizes), dtype.numpy))
    return operands


def _object_at(address: int) -> Any:
    """The Python object there, which the call keeps alive."""
    return ctypes.cast(address, ctypes.py_object).value


def copy_from(address: int, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """An array of its own with the elements at `address`."""
    result = np.empty(shape, dtype)
    if result.nbytes:
        ctypes.memmove(result.ctypes.data, address, result.nbytes)
    return result


def _list_at(address: int, spec: ListSpec) -> ListValue:
    words = (ctypes.c_int64 * LIST_WORDS).from_address(address)
    count, shaped, data = words[0], words[3], words[4]
    dtype, shape = spec.element.dtype, spec.element.shape
    if not shaped:
        return ListValue(dtype, shape, (None,) * count)
    sizes = tuple(words[6 : 6 + shaped - 1])
    rows = copy_from(data, (count, *sizes), dtype.numpy)
    # `ascontiguousarray` makes vectors of scalars.
    return ListValue(dtype, shape, [np.ascontiguousarray(row).reshape(sizes) for row in rows])
