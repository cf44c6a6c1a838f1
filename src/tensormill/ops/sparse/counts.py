"""`tf.sparse.bincount`: how often each integer occurs, of those that do; also as a tensor."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.dtypes import as_dtype
from ...core.values import TensorLike
from ...errors import InvalidArgumentError
from ..array.concatenation import concat, stack
from ..array.fill import ones_like
from ..array.fill import range as numbers
from ..array.gather import gather
from ..array.grids import meshgrid
from ..array.select import boolean_mask
from ..array.shapes import reshape, shape_of
from ..checks.assertions import assert_non_negative
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable, means_for
from ..math.arithmetic import maximum
from ..math.cast import cast
from ..math.comparison import less
from ..math.counts import bincount as bincount_of_tensor
from ..math.counts import require_counting, require_summable, require_weights
from ..math.reduce import reduce_max
from ..math.segments import unsorted_segment_max, unsorted_segment_sum
from ..ragged.ragged_tensor import RaggedTensor
from .conversion import to_dense
from .linear_indices import grouped, wide
from .sparse_tensor import SparseTensor

UNKNOWN_RANK = "bincount needs to know whether it counts a vector or rows of a matrix"


@dispatchable
def bincount(
    values: Any,
    weights: Any = None,
    axis: int | None = 0,
    minlength: Any = None,
    maxlength: Any = None,
    binary_output: bool = False,
    name: str | None = None,
) -> SparseTensor:
    """The counts (or sums of `weights`) of integers that are not negative.

    `values` is a vector, or with axis -1 a matrix whose rows are counted apart; dense, sparse or
    ragged. The result is as long as the largest integer demands, at least `minlength`; exactly
    `maxlength` where that is given: larger integers are then ignored. binary_output: 1 for each
    integer that occurs.

    >>> counts = tf.sparse.bincount([3, 1, 3, 3])
    >>> counts.indices.numpy().tolist(), counts.values.numpy()
    ([[1], [3]], array([1, 3], dtype=int32))

    Raises:
        ValueError: `axis` is neither 0, -1 nor None; weights are built otherwise than values, or
            given with `binary_output`.
        InvalidArgumentError: the values are no integers, or negative.
    """
    require_counting(axis, weights, binary_output)
    rows, flat, count = _rows_and_values(values, axis == -1)
    assert_non_negative(flat, "bincount counts integers that are not negative")
    given = None if weights is None else _weights_of(values, weights)
    by_row = axis == -1 and rows is not None
    columns = _columns(flat, minlength, maxlength)
    if maxlength is not None:
        near = less(wide(flat), columns)
        flat = boolean_mask(flat, near)
        rows = None if rows is None else boolean_mask(rows, near)
        given = None if given is None else boolean_mask(given, near)
    places = wide(flat) + (rows * columns if by_row else 0)
    groups = grouped(places)
    amounts = ones_like(flat) if given is None else given
    combine = unsorted_segment_max if binary_output else unsorted_segment_sum
    ones = ones_like(amounts) if binary_output else amounts
    total = combine(gather(ones, groups.order), groups.members, groups.count)
    sizes = concat([reshape(wide(count), [1]), reshape(columns, [1])], 0) if by_row else columns
    return _counted(groups.places, total, reshape(sizes, [-1]), columns, by_row)


@means_for(bincount_of_tensor, RaggedTensor, SparseTensor)
def dense_bincount(
    arr: Any, weights: Any, minlength: Any, maxlength: Any, dtype: Any, name: Any, axis: Any,
    binary_output: bool,
) -> Any:  # fmt: skip
    """`tf.math.bincount` of what is sparse or ragged."""
    require_counting(axis, weights, binary_output)
    if arr.dtype.is_bool:
        arr = cast(arr, dtypes.int32)
    kind = arr.dtype if dtype is None else as_dtype(dtype)
    require_summable(kind)
    counts = to_dense(bincount(arr, weights, axis, minlength, binary_output=binary_output))
    counts = counts if maxlength is None else counts[..., :maxlength]
    return counts if weights is not None else cast(counts, kind)


def _counted(places: Any, total: Any, sizes: Any, columns: Any, by_row: bool) -> SparseTensor:
    if not by_row:
        return SparseTensor.of_parts(reshape(places, [-1, 1]), total, sizes)
    return SparseTensor.of_parts(stack([places // columns, places % columns], 1), total, sizes)


def _columns(flat: Any, minlength: Any, maxlength: Any) -> Any:
    """How long the result is (int64)."""
    if maxlength is not None:
        return wide(as_tensor(maxlength))
    needed = reduce_max(concat([wide(flat), [0]], 0)) + 1
    return needed if minlength is None else maximum(needed, wide(as_tensor(minlength)))


def _rows_and_values(values: Any, by_row: bool) -> tuple[Any, Any, Any]:
    """For every value its row (None of a vector), the values, and the number of rows."""
    if isinstance(values, SparseTensor):
        if values.shape.rank is None and by_row:
            raise ValueError(UNKNOWN_RANK)
        rows = values.indices[:, 0] if by_row and values.shape.rank != 1 else None
        return rows, values.values, values.dense_shape[0]
    if hasattr(values, "value_rowids"):
        return wide(values.value_rowids()), values.flat_values, values.nrows()
    dense = as_tensor(values)
    if not dense.dtype.is_integer:
        raise InvalidArgumentError(f"bincount counts integers, got {dense.dtype.name}")
    if dense.shape.rank is None and by_row:
        raise ValueError(UNKNOWN_RANK)
    if not by_row or dense.shape.rank == 1:
        return None, reshape(dense, [-1]), 1
    sizes = shape_of(dense)
    rows = meshgrid(numbers(wide(sizes[0])), numbers(wide(sizes[1])), indexing="ij")[0]
    return reshape(rows, [-1]), reshape(dense, [-1]), sizes[0]


def _weights_of(values: Any, weights: Any) -> Any:
    if isinstance(weights, SparseTensor):
        return require_weights(weights.values)
    if hasattr(weights, "flat_values"):
        return require_weights(weights.flat_values)
    if not isinstance(values, TensorLike) and hasattr(values, "with_values"):
        raise ValueError("Argument `weights` must be built as `values` are: sparse or ragged.")
    return reshape(require_weights(weights), [-1])
