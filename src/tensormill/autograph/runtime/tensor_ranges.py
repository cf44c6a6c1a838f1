"""Ranges whose numbers the graph knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.dtypes import DType
from . import tensors


def make_range(*arguments: Any) -> Any:
    from ...ops.array import fill

    return fill.range(*arguments)


def range_arguments(tensor: Any) -> tuple[Any, Any, Any, DType] | None:
    """Start, limit and delta of what `tf.range` made in the present graph, else None."""
    operation = getattr(tensor, "op", None) if tensors.is_symbolic(tensor) else None
    if operation is None or operation.type != "Range":
        return None
    start, limit, delta = operation.inputs
    return start, limit, delta, tensor.dtype


def known_number(tensor: Any) -> Any:
    """The Python number that a scalar tensor is known to be, or None."""
    value = tensor._known.value if tensors.is_symbolic(tensor) else None
    return None if value is None else value.item()


def range_length(start: Any, limit: Any, delta: Any) -> Any:
    """How many numbers are in a range; a range that leads away from its limit has none."""
    numbers = [known_number(one) for one in (start, limit, delta)]
    if None not in numbers:
        return max(0, int(np.ceil((numbers[1] - numbers[0]) / numbers[2])))
    distance = limit if numbers[0] == 0 else limit - start
    if numbers[2] == 1 and limit.dtype.is_integer:
        return distance
    from ...ops.math.elementwise import ceil

    if limit.dtype.is_integer:
        return -(-distance // delta)
    return tensors.cast(ceil(distance / delta), "int32")


def range_item(start: Any, delta: Any, index: Any, dtype: DType) -> Any:
    """`start + index * delta`."""
    if isinstance(index, int):  # what takes a range apart counts in Python
        index = tensors.as_tensor(index, dtype)
    item = index if index.dtype is dtype else tensors.cast(index, dtype.name)
    if known_number(delta) != 1:
        item = item * delta
    return item if known_number(start) == 0 else item + start
