"""Values on their way into a graph that is being traced, and what to say where they do not fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..core.dtypes import DType
from ..core.source import SourceLine
from ..eager.convert import check_dtype, convert_value
from ..eager.tensor import Tensor
from ..errors import InvalidArgumentError, OpError, ShapeMismatchError
from ..ops.op import Op
from .numbers.loop_numbers import adopted
from .symbolic import SymbolicTensor
from .symbolic_parts import known_of

if TYPE_CHECKING:
    from .func_graph import FuncGraph


def tensor_in_graph(
    graph: FuncGraph, value: Any, dtype: DType | None, preferred: DType | None
) -> SymbolicTensor:
    """Any value as a tensor of `graph`.

    Raises:
        ValueError: a tensor of another dtype, or a value that no tensor can hold.
        DTypeMismatchError (a TypeError): a Python value that does not fit `dtype`.
        InaccessibleTensorError: a tensor of a function whose tracing has ended.
    """
    if isinstance(value, Tensor):
        return of_dtype(graph.capture(value), dtype)
    graph.converts, before = True, graph.converts
    try:
        return convert_value(value, dtype, preferred, graph.constant)
    finally:
        graph.converts = before


def of_dtype(tensor: Any, dtype: DType | None) -> Any:
    """The tensor itself; a number that a loop carries takes another dtype.

    Raises:
        ConversionDTypeError (a ValueError and TypeError): it has another dtype.
    """
    if dtype is None or tensor.dtype is dtype:
        return tensor
    other = adopted(tensor, dtype)
    return check_dtype(tensor, dtype) if other is None else other


def trace_error(
    error: OpError,
    op: type[Op],
    inputs: tuple[SymbolicTensor, ...],
    source: tuple[SourceLine, ...],
) -> OpError:
    """`error` of inference, with the operands' specs and the user's line."""
    shapes = ", ".join(f"{tensor.op.name}: {known_of(tensor).spec.short}" for tensor in inputs)
    message = f"{error.message} for '{{{{node {op.name}}}}}' with input shapes: {shapes}"
    # Inference that fails is a ValueError in TensorFlow, whatever the kernel raises eagerly.
    kind = ShapeMismatchError if type(error) is InvalidArgumentError else type(error)
    if not source:
        return kind(message)
    at = source[-1]
    place = f"\n  {at}, in {at.function}\n      {at.text}"
    made = kind(message + place)
    made.place = place
    return made
