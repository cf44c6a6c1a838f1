"""Diagonals of arrays, and arrays of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..control.cond import cond
from ..core import dtypes
from ..ops.array.concatenation import concat, stack
from ..ops.array.fill import range as range_of
from ..ops.array.gather import gather_densely
from ..ops.array.scatter import scatter_nd
from ..ops.array.shapes import rank as rank_of
from ..ops.array.shapes import reshape, shape_of
from ..ops.checks.assertions import Assert
from ..ops.linalg.band_parts import tensor_diag
from ..ops.math.arithmetic import maximum, minimum
from ..ops.math.cast import cast
from ..ops.math.comparison import equal, logical_or
from .axes import moveaxis, ravel
from .promotion import as_array, keeps_weak
from .reductions import sum as sum_of
from .sizes import from_the_front


@keeps_weak
def diag(v: Any, k: int = 0) -> Any:
    """The diagonal `k` of a matrix; or, of a vector, the matrix that has it there, and 0 elsewhere.

    Diagonals above the main one have positive numbers, those below negative ones.

    >>> tf.experimental.numpy.diag([1, 2]).numpy()
    array([[1, 0],
           [0, 2]])
    >>> tf.experimental.numpy.diag([[1, 2], [3, 4]], -1).numpy()
    array([3])

    Raises:
        ValueError: `v` is neither a vector nor a matrix.
    """
    v = as_array(v)
    match v.shape.rank:
        case None:
            return _of_either_rank(v, k)
        case 1:
            return _matrix_of(v, k)
        case 2:
            return diagonal(v, k)
        case _:
            raise ValueError(f"diag needs a vector or a matrix, got shape {v.shape}")


def _of_either_rank(v: Any, k: int) -> Any:
    """The same where only a run knows the rank: both ways are there for any."""
    found, sizes = rank_of(v), shape_of(v)
    Assert(
        logical_or(equal(found, 1), equal(found, 2)), ["diag needs a vector or a matrix:", sizes]
    )
    two = concat([sizes, np.ones(2, np.int32)], 0)
    return cond(
        equal(found, 1),
        lambda: _matrix_of(reshape(v, [-1]), k),
        lambda: diagonal(reshape(v, stack([two[0], two[1]])), k),
    )


def _matrix_of(v: Any, k: int) -> Any:
    if k == 0 and v.dtype in (dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64):
        return tensor_diag(v)
    count = shape_of(v)[0]
    side = count + abs(k)
    places = range_of(count) * (side + 1) + (k if k >= 0 else -k * side)
    wide = cast(v, dtypes.int32) if v.dtype.is_bool else v
    flat = scatter_nd(reshape(places, [-1, 1]), wide, reshape(side * side, [1]))
    return cast(reshape(flat, stack([side, side])), v.dtype)


def diagflat(v: Any, k: int = 0) -> Any:
    """The matrix that has the elements of `v`, as a vector, on its diagonal `k`.

    v: of any shape and dtype, which the result has.

    >>> tf.experimental.numpy.diagflat([[1, 2]], 1).numpy()
    array([[0, 1, 0],
           [0, 0, 2],
           [0, 0, 0]])

    Raises:
        ValueError: it is nothing that an array can hold.
    """
    return diag(ravel(v), k)


def diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """The diagonals of the matrices that two axes span, as the last axis.

    a: an array with at least two axes, of any dtype, which the result has.

    offset: which one: above the main diagonal, or below it where it is negative.

    >>> tf.experimental.numpy.diagonal([[1, 2], [3, 4]]).numpy()
    array([1, 4])

    Raises:
        ValueError: they are not two different axes of `a`.
    """
    a = as_array(a)
    rank, named = a.shape.rank, (axis1, axis2)
    first, second = named if rank is None else (from_the_front(one, rank) for one in named)
    if first == second:
        raise ValueError(f"diagonal: two different axes span a matrix, got {axis1} and {axis2}")
    a = moveaxis(a, (first, second), (-2, -1))
    sizes = shape_of(a)
    rows, columns = sizes[-2], sizes[-1]
    below, above = max(-offset, 0), max(offset, 0)
    count = maximum(minimum(rows - below, columns - above), 0)
    places = range_of(count) * (columns + 1) + (below * columns + above)
    flat = reshape(a, _joined(sizes[:-2], rows * columns))
    return gather_densely(flat, places, axis=-1)


def _joined(sizes: Any, last: Any) -> Any:
    return concat([sizes, reshape(last, [1])], 0)


def trace(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None) -> Any:
    """The sums of the diagonals that `diagonal` finds, as `sum` adds them up.

    a: two axes at least, of any dtype of numbers; the result is without these axes.

    >>> int(tf.experimental.numpy.trace([[1, 2], [3, 4]]))
    5

    Raises:
        ValueError: they are not two different axes of `a`.
    """
    return sum_of(diagonal(a, offset, axis1, axis2), -1, dtype)


def diag_indices(n: int, ndim: int = 2) -> tuple[Any, ...]:
    """Where the main diagonal of an array of `ndim` axes of n elements is: int32 places, for each.

    >>> [one.numpy() for one in tf.experimental.numpy.diag_indices(2)]
    [array([0, 1], dtype=int32), array([0, 1], dtype=int32)]

    Raises:
        ValueError: n is negative.
    """
    if isinstance(n, (int, np.integer)) and n < 0:
        raise ValueError(f"diag_indices: n={n} is negative")
    return (range_of(n),) * ndim
