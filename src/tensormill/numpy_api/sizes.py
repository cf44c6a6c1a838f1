"""Shapes and axes as users of NumPy write them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core import dtypes
from ..core.shapes import TensorShape
from ..core.values import TensorLike
from ..ops.array.shapes import as_shape_tensor, reshape
from ..ops.conversion import as_tensor
from ..ops.math.cast import cast


def as_shape_vector(shape: Any) -> Any:
    """A shape, or the size of a vector, as a vector of integers.

    Raises:
        TypeError: a size is no integer.
    """
    if isinstance(shape, TensorShape):
        return as_shape_tensor(shape)
    if isinstance(shape, TensorLike):
        return reshape(shape, [-1]) if shape.shape.rank == 0 else as_tensor(shape)
    if isinstance(shape, (list, tuple)) and any(isinstance(one, TensorLike) for one in shape):
        return as_tensor([cast(one, dtypes.int32) for one in shape])
    sizes = np.atleast_1d(np.asarray(shape))
    if sizes.size and sizes.dtype.kind not in "iu":
        raise TypeError(f"Cannot convert {shape!r} to a shape: sizes are integers")
    return as_tensor(sizes.astype(np.int32 if (sizes < 2**31).all() else np.int64))


def from_the_front(axis: Any, rank: int) -> int:
    """An axis counted from the front.

    Raises:
        AxisError: (a ValueError and IndexError) there is none.
    """
    if not -rank <= axis < rank:
        raise np.exceptions.AxisError(int(axis), rank)
    return int(axis) % rank


def all_from_the_front(axes: Any, rank: int) -> list[int]:
    """One axis or several, counted from the front."""
    several = axes if isinstance(axes, (list, tuple, np.ndarray)) else [axes]
    return [from_the_front(axis, rank) for axis in several]
