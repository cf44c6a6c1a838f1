"""The quick way into a graph that is one program: nothing is looked up but the operands' shapes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, final

import jax
import jax.numpy as jnp
import numpy as np

from ..core.specs import TensorSpec
from ..eager.storage import Storage
from ..eager.tensor import AWAY, EagerTensor, wrap, wrap_away
from ..errors import OpError
from ..graph.failure import in_function
from ..graph.ir import Graph, Value
from .invocation import Invocation
from .operands import FixedValue, KnownResult, MadeArray
from .program import XlaProgram
from .scope import making

Shapes = tuple[tuple[int, ...], ...]
Kind = tuple[tuple[int, ...], Any]  # a shape and a dtype of NumPy's
Run = Callable[[Invocation, Sequence[Any]], Any]


# Larger arrays are given to the CPU anew each time, rather than kept twice in its memory.
MOST_BYTES_KEPT: Final = 1 << 16


@final
class QuickCall(NamedTuple):
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

    def entry(self, run: Run, entries: Mapping[Shapes, Any]) -> Callable[..., Any]:
        """The quick way in. What it has to look at is in its own names: a call takes no longer than
        the program itself but for these lines.

        run: calls a program whose state is looked at afterwards.
        entries: the quick ways for operands of other shapes.
        """
        kinds, count, called = tuple(self.kinds), len(self.kinds), self.called
        give, arranged, storages = self._give(run), self._arranged(), tuple(self.storages)
        packed = _packed(self.program, self.results)
        is_whole, most_bytes = self.program.facts.mesh is None, _most_bytes_kept()

        def enter(*operands: Any) -> Any:
            if len(operands) != count:
                return NotImplemented
            arrays: list[Any] = []
            for one, kind in zip(operands, kinds):  # noqa: B905 - of one length
                if one.__class__ is not EagerTensor:
                    return NotImplemented
                if is_whole and (away := one.__dict__.get(AWAY)) is not None:
                    if away[0] is not kind and away[0] != kind:
                        return enter_elsewhere(enter, entries, operands)
                    arrays.append(resident(one) if away[1] is None else away[1])
                    continue
                array = one._array
                if array.shape != kind[0] or array.dtype is not kind[1]:
                    return enter_elsewhere(enter, entries, operands)
                if is_whole and array.nbytes <= most_bytes:
                    one.__dict__[AWAY] = kind, None
                arrays.append(array)
            for one in storages:
                if one.array is None:
                    return NotImplemented
            try:
                given = give(*(arrays if arranged is None else arranged(arrays)))
            except OpError as error:
                raise in_function(error, called) from error.__cause__
            return NotImplemented if given is None else packed(given)

        return enter

    def _give(self, run: Run) -> Callable[..., Any]:
        """What calls the program with its arrays."""
        program, invocation = self.program, Invocation(self.program, self.storages)
        if not program.is_plain:
            return lambda *arrays: run(invocation, arrays)
        return invocation if self.storages else program.call

    def _arranged(self) -> Callable[[Sequence[Any]], Sequence[Any]] | None:
        """What gives the program's arrays, of the operands'; None where they are the same."""
        wanted = tuple(self.arrays)
        if len(wanted) == len(self.kinds) and all(one is k for k, one in enumerate(wanted)):
            return None
        return lambda arrays: [arrays[one] if type(one) is int else one for one in wanted]


def enter_elsewhere(here: Any, entries: Mapping[Shapes, Any], operands: Sequence[Any]) -> Any:
    """The results of the quick way for other shapes than those of `here`."""
    if not all(type(one) is EagerTensor for one in operands):
        return NotImplemented
    other = entries.get(tuple([kind_of(one)[0] for one in operands]))
    return NotImplemented if other is None or other is here else other(*operands)


def _packed(
    program: XlaProgram, results: Sequence[Any]
) -> Callable[[Sequence[Any]], tuple[Any, ...]]:
    """What makes tensors of what a program gives."""
    if program.facts.mesh is not None:  # which no other program has to know
        return lambda given: tuple(
            [wrap(np.asarray(given[k]) if k.__class__ is int else k.array) for k in results]
        )
    kinds = program.kinds
    if len(results) == 1 and isinstance(number := results[0], int):
        kind = kinds[number]
        return lambda given: (wrap_away(kind, given[number]),)
    return lambda given: tuple(
        [wrap_away(kinds[k], given[k]) if k.__class__ is int else wrap(k.array) for k in results]
    )


def _most_bytes_kept() -> float:
    """How large an array may be that is kept on the device for the next call."""
    return MOST_BYTES_KEPT if jax.default_backend() == "cpu" else math.inf


def resident(tensor: EagerTensor) -> Any:
    """The array of a tensor on the device, where it is kept from now on: it was given before."""
    array = tensor._array
    with making():
        moved = jnp.array(array)
    tensor.__dict__[AWAY] = kind_of(tensor), moved
    return moved


def _kept(captured: Any) -> Any:
    """An array that was captured, on the device; what is none as it is."""
    if not isinstance(captured, np.ndarray) or captured.nbytes > _most_bytes_kept():
        return captured
    with making():
        return jnp.array(captured)


def kind_of(tensor: EagerTensor) -> Kind:
    """The shape and dtype of a tensor, which stays where it is."""
    away = tensor.__dict__.get(AWAY)
    if away is not None:
        return away[0]
    array = tensor._array
    return array.shape, array.dtype


def quick_call(
    graph: Graph,
    program: XlaProgram,
    operands: Sequence[Any],
    captures: Sequence[Any],
    storages: Sequence[Storage],
    known: Callable[[Value], Any],
) -> QuickCall | None:
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
        arrays = [_kept(one) for one in arrays]
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
        (kind_of(one)[0], value.spec.dtype.numpy)
        for one, value in zip(operands, graph.parameters, strict=True)
    ]
    return QuickCall(program, graph.called, kinds, arrays, storages, results)
