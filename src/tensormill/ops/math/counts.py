"""How often integers occur."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...core import dtypes
from ...core.dtypes import DType
from ...errors import InvalidArgumentError
from ..array.fill import ones_like, zeros
from ..array.shapes import reshape, shape_of
from ..bind import as_kind
from ..checks.assertions import assert_non_negative
from ..conversion import as_tensor
from ..dispatch.in_one_piece import in_one_piece, may_be_one_piece
from ..dispatch.meanings import dispatchable
from .arithmetic import maximum, minimum
from .bincounts import DenseBincount, of_all, of_each_row
from .cast import cast
from .comparison import not_equal
from .reduce import reduce_max

if TYPE_CHECKING:
    from ..results import Tensor

SUMMABLE = (dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64)


@dispatchable
def bincount(
    arr: Any,
    weights: Any = None,
    minlength: Any = None,
    maxlength: Any = None,
    dtype: Any = dtypes.int32,
    name: str | None = None,
    axis: int | None = None,
    binary_output: bool = False,
) -> Tensor:
    """How often (or with which total of `weights`) each integer 0, 1, ... occurs.

    `arr` is a tensor, ragged or sparse. axis: None or 0 counts all elements, -1 each row on its
    own. binary_output: 1 for "at all". The result is as long as the largest element needs, within
    `minlength` and `maxlength`, and has the dtype of `weights`, or `dtype`; None is that of what is
    counted. Of floats and booleans the integer parts count.

    >>> tf.math.bincount([1, 1, 3]).numpy()
    array([0, 2, 0, 1], dtype=int32)
    >>> tf.math.bincount([[1, 1], [0, 2]], axis=-1).numpy()
    array([[0, 2, 0],
           [1, 0, 1]], dtype=int32)

    Raises:
        InvalidArgumentError: an integer is negative; weights or counts of another dtype than int32,
            int64, float32 and float64.
        ValueError: another axis, or weights for a binary output.
        ShapeMismatchError: rows are asked for of more than a matrix.
    """
    require_counting(axis, weights, binary_output)
    arr = as_tensor(arr)
    if arr.dtype not in (dtypes.int32, dtypes.int64):
        arr = cast(arr, dtypes.int64 if arr.dtype.is_integer else dtypes.int32)
    last = maximum(cast(reduce_max(arr), dtypes.int64), -1)  # reduce_max of none is negative
    if minlength is not None:
        last = maximum(last, cast(minlength, dtypes.int64) - 1)
    if maxlength is not None:
        last = minimum(last, cast(maxlength, dtypes.int64) - 1)
    rows = axis == -1 and arr.shape.rank != 0
    if (found := _in_one_piece(arr, last, weights, dtype, rows, binary_output)) is not None:
        return found[0]
    assert_non_negative(arr, message="Input arr must be non-negative!")
    ones = ones_like(reshape(arr, [-1]), dtype)
    amounts = require_weights(ones if weights is None else reshape(weights, [-1]))
    count = of_each_row if rows else of_all
    counts = count(cast(arr, dtypes.int64), amounts, last)
    return cast(not_equal(counts, 0), counts.dtype) if binary_output else counts


def _in_one_piece(
    arr: Any, last: Any, weights: Any, dtype: Any, rows: bool, binary_output: bool
) -> Any:
    """The same by the operation that files have, where native code runs it; else None."""
    if not may_be_one_piece(DenseBincount, arr):
        return None
    values = arr if rows else reshape(arr, [-1])
    if weights is None:
        amounts = zeros([0], arr.dtype if dtype is None else dtype)
    else:
        amounts = reshape(require_weights(weights), shape_of(values))
    size = cast(last + 1, arr.dtype)
    return in_one_piece(DenseBincount, values, size, amounts, binary_output=binary_output)


def require_weights(weights: Any) -> Any:
    """The weights as a tensor, of a dtype whose sums do not soon wrap around.

    Raises:
        InvalidArgumentError: they are of another dtype.
    """
    weights = as_tensor(weights)
    require_summable(weights.dtype)
    return weights


def require_summable(dtype: DType) -> None:
    if dtype not in SUMMABLE:
        names = ", ".join(one.name for one in SUMMABLE)
        raise InvalidArgumentError(f"bincount adds up one of {names}, got {dtype.name}: cast it")


def require_counting(axis: int | None, weights: Any, binary_output: bool) -> None:
    """Refuse what cannot be asked for."""
    as_kind(bool, binary_output, "binary_output")
    if axis not in (0, -1, None):
        raise ValueError(
            f"Unsupported value for argument axis={axis}. Only 0 and -1 are supported."
        )
    if weights is not None and binary_output:
        raise ValueError("Arguments `binary_output` and `weights` are mutually exclusive.")
