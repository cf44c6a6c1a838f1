"""How many steps the sequences of a batch have."""

from __future__ import annotations

from typing import Any

from ..core import dtypes
from ..ops.array.fill import zeros
from ..ops.array.scatter import tensor_scatter_nd_max
from ..ops.array.shapes import expand_dims


def lengths_of(values: Any, numbers: int = 1) -> Any:
    """For each example the number of steps, int64 [batch]; a step has so many numbers."""
    rows, columns = values.indices[:, 0], values.indices[:, 1]
    ends = tensor_scatter_nd_max(
        zeros([values.dense_shape[0]], dtypes.int64), expand_dims(rows, 1), columns + 1
    )
    return (ends + (numbers - 1)) // numbers
