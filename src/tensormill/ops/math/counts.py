"""How often integers occur."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...core import dtypes
from ...core.dtypes import DType
from ...errors import InvalidArgumentError, ShapeMismatchError
from ..array.concatenation import concat
from ..array.fill import ones_like
from ..array.fill import range as numbers
from ..array.select import where
from ..array.shapes import rank, reshape, shape_of
from ..bind import as_kind
from ..checks.assertions import Assert, assert_non_negative
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from .arithmetic import maximum, minimum
from .cast import cast
from .comparison import less_equal, not_equal
from .reduce import reduce_max, reduce_prod
from .segments import unsorted_segment_sum

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
    assert_non_negative(arr, message="Input arr must be non-negative!")
    last = maximum(cast(reduce_max(arr), dtypes.int64), -1)  # reduce_max of none is negative
    if minlength is not None:
        last = maximum(last, cast(minlength, dtypes.int64) - 1)
    if maxlength is not None:
        last = minimum(last, cast(maxlength, dtypes.int64) - 1)
    ones = ones_like(reshape(arr, [-1]), dtype)
    amounts = require_weights(ones if weights is None else reshape(weights, [-1]))
    count = of_each_row if axis == -1 and arr.shape.rank != 0 else of_all
    counts = count(cast(arr, dtypes.int64), amounts, last)
    return cast(not_equal(counts, 0), counts.dtype) if binary_output else counts


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


def of_all(arr: Any, amounts: Any, last: Any) -> Any:
    """The totals of `amounts` for the integers up to `last` in all of `arr`, int64."""
    flat = reshape(arr, [-1])
    places = where(less_equal(flat, last), flat, -ones_like(flat))
    return unsorted_segment_sum(amounts, places, last + 1)


def of_each_row(arr: Any, amounts: Any, last: Any) -> Any:
    """The counts of a number, of a vector, or of each row of a matrix."""
    if (arr.shape.rank or 0) > 2:
        raise ShapeMismatchError(f"rows of a matrix are counted, not those of shape {arr.shape}")
    if arr.shape.rank is None:
        message = "rows of a matrix are counted, not those of shape"
        Assert(less_equal(rank(arr), 2), [message, shape_of(arr)])
    sizes, length = cast(shape_of(arr), dtypes.int64), last + 1
    outer, row = sizes[:-1], sizes[-1:]
    rows = reshape(arr, [reduce_prod(outer), reduce_prod(row)])  # a number is a row of one
    count = cast(shape_of(rows)[0], dtypes.int64)
    first = numbers(count)[:, None] * length
    places = where(less_equal(rows, last), rows + first, -ones_like(rows))  # too large: nowhere
    counts = unsorted_segment_sum(amounts, reshape(places, [-1]), count * length)
    result = reshape(counts, concat([outer, [length]], 0))
    if arr.shape.rank is not None:
        result.set_shape([*arr.shape[:-1], None])
    return result
