"""The quick way into a graph that is one program: nothing is looked up but the operands' shapes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, final

from ..core.specs import TensorSpec
from ..eager.storage import Storage
from ..eager.tensor import EagerTensor
from ..graph.ir import Graph, Value
from .invocation import Invocation
from .operands import FixedValue, KnownResult, MadeArray
from .program import XlaProgram

Shapes = tuple[tuple[int, ...], ...]


@final
class QuickCall:
    """One program, and where its operands and the graph's results come from.

    `arrays` has for each array of the program the number of an operand, or an array that was
    captured; `results`, for each of the graph, a number of what the program gives, or a value.
    """

    __slots__ = ("arrays", "dtypes", "invocation", "results", "storages")

    def __init__(
        self,
        program: XlaProgram,
        dtypes: Sequence[Any],
        arrays: Sequence[Any],
        storages: Sequence[Storage],
        results: Sequence[Any],
    ) -> None:
        self.invocation: Final = Invocation(program, storages)
        self.dtypes: Final = tuple(dtypes)
        self.arrays: Final = tuple(arrays)
        self.storages: Final = tuple(storages)
        self.results: Final = tuple(results)

    def takes(self, arrays: Sequence[Any]) -> bool:
        """Whether the dtypes are those of the program, and all variables have values."""
        for array, dtype in zip(arrays, self.dtypes, strict=True):
            if array.dtype is not dtype:
                return False
        return all([one.array is not None for one in self.storages])

    def operands(self, arrays: Sequence[Any]) -> list[Any]:
        """What the program takes."""
        return [arrays[one] if type(one) is int else one for one in self.arrays]


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
    dtypes = [value.spec.dtype.numpy for value in graph.parameters]
    return QuickCall(program, dtypes, arrays, storages, results)
