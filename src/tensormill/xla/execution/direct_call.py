"""The quick way into a graph that is one program: nothing is looked up but the operands' shapes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, final

import jax
import jax.numpy as jnp
import numpy as np

from ...compiler.device_calls import TensorCall, calling_with_tensors
from ...core.process.named_tuples import NamedTuple
from ...core.process.written_functions import FunctionText
from ...core.specs import TensorSpec
from ...eager.storage import Storage
from ...eager.tensor import EagerTensor, wrap
from ...errors import OpError
from ...graph.failure import in_function
from ...graph.ir import Graph, Value
from ..operands import FixedValue, KnownResult, MadeArray
from ..program import XlaProgram
from ..scope import making
from .invocation import Invocation
from .operand_kinds import Kind, kind_with

Shapes = tuple[tuple[int, ...], ...]
Quick = Callable[[XlaProgram, Callable[..., Any]], Callable[..., Any]]


# Larger arrays are given to the CPU anew each time, rather than kept twice in its memory.
MOST_BYTES_KEPT: Final = 1 << 16


@final
class DirectCall(NamedTuple):
    """One program, and where its operands and the graph's results come from.

    `kinds` are those of the call's operands. `arrays` has for each array of the program the number
    of an operand, or an array that was captured; `results`, for each of the graph, a number of what
    the program gives, or a value.
    """

    program: XlaProgram
    called: str
    kinds: Sequence[Kind]
    arrays: Sequence[Any]
    storages: Sequence[Storage]
    results: Sequence[Any]

    def entry(self, quick: Quick, entries: Mapping[Shapes, Any]) -> Callable[..., Any]:
        """The quick way in, written out for these operands and results.

        quick: gives what calls a program, and looks at its state afterwards.
        entries: the quick ways for operands of other shapes.
        """
        call = self._caller(quick)
        written = _EntryWriter(self, entries).written(call)
        if self.program.facts.mesh is not None or not all(type(one) is int for one in self.results):
            return written
        kinds = [kind_with(*self.program.kinds[one]) for one in self.results]
        results = list(zip(self.results, kinds, strict=True))
        return calling_with_tensors(call, TensorCall(self.kinds, self.arrays, results), written)

    def _caller(self, quick: Quick) -> Callable[..., Any]:
        """What gives the list of results for arrays; None where there is nothing."""
        program, called = self.program, self.called
        call = program.call
        if self.storages:
            call = Invocation(program, self.storages).quick(partial(_located, called=called))
        if program.is_plain:
            return call
        return _located(quick(program, call), called)


def _located(call: Callable[..., Any], called: str) -> Callable[..., Any]:
    """The same call, whose errors say in which function."""

    def located(*given: Any) -> Any:
        try:
            return call(*given)
        except OpError as error:
            raise in_function(error, called) from error.__cause__

    return located


class _EntryWriter:
    """Writes the quick way into a program."""

    def __init__(self, call: DirectCall, entries: Mapping[Shapes, Any]) -> None:
        self._call: Final = call
        # What lies on one device is none of a divided program's devices.
        self._is_whole: Final = call.program.facts.mesh is None
        self._text: Final = FunctionText("*operands")
        shapes = tuple([shape for shape, _ in call.kinds])
        self._tensor: Final = self._text.constant(EagerTensor)
        self._elsewhere: Final = self._text.constant(partial(enter_elsewhere, shapes, entries))

    def written(self, give: Callable[..., Any]) -> Callable[..., Any]:
        """The function; `give` calls the program."""
        text, call, count = self._text, self._call, len(self._call.kinds)
        tensors = [text.name() for _ in range(count)]
        with text.block("try:"):
            text.add(f"[{', '.join(tensors)}] = operands")
        with text.block("except ValueError:"):
            text.add("return NotImplemented")
        arrays = [self._operand(*pair) for pair in zip(tensors, call.kinds, strict=True)]
        given = [arrays[one] if type(one) is int else text.constant(one) for one in call.arrays]
        text.add(f"given = {text.constant(give)}({', '.join(given)})")
        if call.storages or not call.program.is_plain:
            text.add("if given is None: return NotImplemented")
        results = [self._result(one) for one in call.results]
        text.add(f"return ({''.join(f'{one}, ' for one in results)})")
        return text.made()

    def _operand(self, tensor: str, kind: Kind) -> str:
        """The array of an operand, which is of a kind or leaves."""
        text, array = self._text, self._text.name()
        text.add(f"if type({tensor}) is not {self._tensor}: return NotImplemented")
        if not self._is_whole:
            self._array_here(array, tensor, kind)
            return array
        away = text.name()
        text.add(f"{away} = {tensor}._away")
        with text.block(f"if {away} is None:"):
            self._array_here(array, tensor, kind)
            if math.prod(kind[0]) * kind[1].itemsize <= _most_bytes_kept(self._call.program.device):
                text.add(f"{tensor}._away = {text.constant((kind, None))}")
        with text.block("else:"):
            known, own = text.constant(kind), text.name()
            text.add(f"{own}, {array} = {away}")
            self._leave_if(f"{own} is not {known} and {own} != {known}")
            keep = text.constant(partial(keep_on_device, self._call.program.device))
            text.add(f"if {array} is None: {array} = {keep}({tensor})")
        return array

    def _array_here(self, array: str, tensor: str, kind: Kind) -> None:
        shape, dtype = map(self._text.constant, kind)
        self._text.add(f"{array} = {tensor}._array")
        self._leave_if(f"{array}.shape != {shape} or {array}.dtype is not {dtype}")

    def _leave_if(self, differs: str) -> None:
        self._text.add(f"if {differs}: return {self._elsewhere}(operands)")

    def _result(self, result: Any) -> str:
        """A tensor of what the program gives, or of a value."""
        text = self._text
        if type(result) is not int:
            return f"{text.constant(wrap)}({text.constant(result.array)})"
        array = f"given[{result}]"
        wrapping = self._call.program.wrapping
        if wrapping is not None:
            return f"{text.constant(wrapping)}({array})"
        made, kind = text.name(), text.constant(kind_with(*self._call.program.kinds[result]))
        text.add(f"{made} = {self._tensor}()")
        text.add(f"{made}._away = {kind}, {array}")
        return made


def enter_elsewhere(own: Shapes, entries: Mapping[Shapes, Any], operands: Sequence[Any]) -> Any:
    """The results of the quick way for other shapes than its `own`."""
    if not all(type(one) is EagerTensor for one in operands):
        return NotImplemented
    shapes = tuple([kind_of(one)[0] for one in operands])
    other = None if shapes == own else entries.get(shapes)
    return NotImplemented if other is None else other(*operands)


def _most_bytes_kept(device: Any) -> float:
    """How large an array may be that is kept on a device for the next call."""
    platform = jax.default_backend() if device is None else device.platform
    return MOST_BYTES_KEPT if platform == "cpu" else math.inf


def keep_on_device(device: Any, tensor: EagerTensor) -> Any:
    """The array of a tensor on a device, where it is kept from now on: it was given before."""
    array = tensor._array
    with making(device):
        moved = jnp.array(array)
    tensor._away = kind_of(tensor), moved
    return moved


def _kept(captured: Any, device: Any) -> Any:
    """An array that was captured, on a device; what is none as it is."""
    if not isinstance(captured, np.ndarray) or captured.nbytes > _most_bytes_kept(device):
        return captured
    with making(device):
        return jnp.array(captured)


def kind_of(tensor: EagerTensor) -> Kind:
    """The shape and dtype of a tensor, which stays where it is."""
    away = tensor._away
    if away is not None:
        return away[0]
    array = tensor._array
    return kind_with(array.shape, array.dtype)


def direct_call(
    graph: Graph,
    program: XlaProgram,
    operands: Sequence[Any],
    captures: Sequence[Any],
    storages: Sequence[Storage],
    known: Callable[[Value], Any],
) -> DirectCall | None:
    """How to call the program of a whole graph again, for operands that are tensors of the same
    shapes; None where more than shapes tells which program it is.

    `known` gives what a constant of the graph is, None for other values.
    """
    if not all(type(one) is EagerTensor for one in operands) or program.has_more_than_arrays:
        return None
    if not all(one.spec.shape.is_fully_defined() for one in storages):
        return None
    places: dict[Value, Any] = {value: k for k, value in enumerate(graph.parameters)}
    places.update(zip(graph.captures, captures, strict=True))
    arrays = [places[program.part.inputs[k]] for k in program.arrays]
    if program.facts.mesh is None:
        arrays = [_kept(one, program.device) for one in arrays]
    made = dict(zip(program.part.outputs, program.results, strict=True))
    results: list[Any] = []
    for value in graph.returns:
        result = made.get(value)
        if isinstance(result, MadeArray):
            results.append(result.number)
        elif isinstance(result, KnownResult):
            results.append(result.value)
        elif result is None and (constant := known(value)) is not None:
            results.append(constant)
        else:
            return None
    if not all(isinstance(one, (int, FixedValue)) for one in results):
        return None
    if not all(isinstance(value.spec, TensorSpec) for value in graph.parameters):
        return None
    kinds = [
        kind_with(kind_of(one)[0], value.spec.dtype.storage)
        for one, value in zip(operands, graph.parameters, strict=True)
    ]
    return DirectCall(program, graph.called, kinds, arrays, storages, results)
