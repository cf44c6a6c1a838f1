"""Zeros and ones in the shape of something: where gradients start, and what is missing."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..core import context, dtypes
from ..ops.array import fill
from ..ops.lists import list_elements
from ..ops.state import variables
from .recording import state_of

# Up to so many elements a traced constant is cheaper than an operation that makes it.
LARGEST_CONSTANT: Final = 16


def zeros_like(tensor: Any) -> Any:
    """Zeros of a tensor's shape and dtype; for a handle, of its variable's; for a list, a list of
    which nothing was written.

    Where the shape is not known while tracing only `Shape` of the tensor is used: a loop that must
    remember something for its gradient then remembers a few integers, not the tensor.
    """
    return _filled(tensor, 0)


def ones_like(tensor: Any) -> Any:
    """Ones of a tensor's shape and dtype; for a handle, of its variable's."""
    return _filled(tensor, 1)


def _filled(tensor: Any, number: int) -> Any:
    dtype, shape = tensor.dtype, tensor.shape
    if dtype is dtypes.variant:
        return list_elements.unwritten_like(tensor)
    if dtype is dtypes.resource:
        known = state_of(tensor)
        dtype, shape = known.dtype, known.shape
        if not shape.is_fully_defined():
            tensor = variables.read(tensor, dtype)
    if shape.is_fully_defined():
        return constant(shape.entries, dtype, number)
    from ..ops.array.shapes import shape_of

    return fill.fill(shape_of(tensor), np.asarray(number, dtype.storage))


def constant(dims: tuple[int, ...], dtype: Any, number: int) -> Any:
    """A tensor of equal elements (of empty strings for the dtype string)."""
    interpreter: Any = context.top().interpreter
    if dtype is dtypes.string:
        return interpreter.constant(np.full(dims, b"", object))
    size = 1
    for one in dims:
        size *= one
    if size <= LARGEST_CONSTANT or not interpreter.building_graph:
        return interpreter.constant(np.full(dims, number, dtype.storage))
    return fill.fill(list(dims), np.asarray(number, dtype.storage))
