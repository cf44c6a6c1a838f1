"""Between tensors of the eager interpreter and what they hold: arrays, storages, lists, objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, cast

import numpy as np

from ..core.dtypes import of_storage
from ..core.specs import ResourceSpec, TensorSpec, ValueSpec
from ..eager.tensor import EagerHandle, EagerTensor, wrap, wrap_handle
from ..errors import DTypeMismatchError, InvalidArgumentError, ShapeMismatchError
from .ir import Graph, Value

# An integer, bool or string tensor of at most so many elements is captured as a constant, so
# that shapes computed from it are known. Floats are not: a tape outside may watch them.
LARGEST_CAPTURED_CONSTANT: Final = 128


def payload_of(tensor: Any) -> Any:
    """The array, storage, list value or object inside an eager tensor."""
    return tensor._array


def wrap_payload(payload: Any) -> Any:
    """The eager tensor that holds `payload`."""
    if isinstance(payload, np.ndarray):
        return wrap(payload)  # pyright: ignore[reportUnknownArgumentType]
    return wrap_handle(payload)


def spec_of_payload(payload: Any) -> ValueSpec:
    """What a graph should know of an array, a variable's storage, a list value or an object."""
    if isinstance(payload, np.ndarray):
        array = cast(np.ndarray[Any, Any], payload)
        return TensorSpec(array.shape, of_storage(array.dtype))
    spec = payload.spec
    if isinstance(spec, TensorSpec):
        return ResourceSpec(TensorSpec(spec.shape, spec.dtype), payload.trainable)
    return spec


def check_operands(graph: Graph, operands: Sequence[Any]) -> None:
    """Raise what TensorFlow raises where operands do not fit the parameters."""
    if len(operands) != len(graph.parameters):
        raise InvalidArgumentError(
            f"{graph.name} takes {len(graph.parameters)} tensors, but {len(operands)} were given"
        )
    for number, (operand, value) in enumerate(zip(operands, graph.parameters, strict=True)):
        _check_operand(graph, number, operand, value)


def _check_operand(graph: Graph, number: int, operand: Any, value: Value) -> None:
    spec = value.spec
    if isinstance(operand, EagerTensor) and isinstance(spec, TensorSpec):
        if operand.dtype is not spec.dtype:
            raise DTypeMismatchError(
                f"cannot compute {graph.name} as input #{number}(zero-based) '{value.name}' was "
                f"expected to be a {spec.dtype.name} tensor but is a {operand.dtype.name} tensor"
            )
        if not spec.shape.is_compatible_with(operand.shape):
            raise ShapeMismatchError(
                f"cannot compute {graph.name} as input #{number}(zero-based) '{value.name}' was "
                f"traced with shape {spec.shape}, but a tensor of shape {operand.shape} was given"
            )
        return
    if isinstance(operand, EagerHandle) and not isinstance(spec, TensorSpec):
        return
    raise InvalidArgumentError(
        f"cannot compute {graph.name} as input #{number}(zero-based) '{value.name}' was expected "
        f"to be a {spec.short}, but is a {type(operand).__name__}"
    )


def may_become_constant(spec: ValueSpec) -> bool:
    """Whether a value of this kind is captured as a constant, if it is small and known."""
    return spec.dtype.family in ("int", "uint", "bool", "string")


def becomes_constant(payload: Any) -> bool:
    """Whether what holds this is captured as a constant."""
    return (
        isinstance(payload, np.ndarray)
        and payload.size <= LARGEST_CAPTURED_CONSTANT
        and may_become_constant(spec_of_payload(payload))
    )
