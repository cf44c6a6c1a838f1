"""Rows of a table, several for each example, combined: ids are sparse or ragged."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.dtypes import DType
from ...errors import DTypeMismatchError
from ..array.fill import ones_like
from ..array.select import boolean_mask, where
from ..array.shapes import expand_dims, reshape
from ..array.shapes import shape as shape_tensor
from ..checks.assertions import Assert
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from ..math.cast import cast
from ..math.comparison import greater, greater_equal, logical_and
from ..math.division import divide_no_nan
from ..math.elementwise import sqrt
from ..math.reduce import reduce_min, reduce_prod, reduce_sum
from ..math.segments import unsorted_segment_sum
from ..op import COMPLEX, FLOATS, NUMBERS
from .embeddings import embedding_lookup
from .segments import SparseSegmentMean, SparseSegmentSum
from .sparse_tensor import SparseTensor

COMBINERS = ("mean", "sqrtn", "sum")


@dispatchable
def embedding_lookup_sparse(
    params: Any,
    sp_ids: SparseTensor,
    sp_weights: SparseTensor | None,
    combiner: str | None = None,
    max_norm: Any = None,
    name: str | None = None,
    allow_fast_lookup: bool = False,
) -> Any:
    """For each row of `sp_ids`, up to the last that has ids: the rows of `params` that they name,
    combined.

    Args:
        params: a table, [ids, ...] of floats, or a list of its parts; the result is [rows, ...].
        sp_ids: integers; `sp_weights`: their weights, or None for ones. Both are sparse, or both
            ragged.
        combiner: "sum" of weighted rows; "mean", divided by the weights' sum (the default);
            "sqrtn", divided by the square root of the sum of their squares.
        max_norm: rows that are longer are scaled down to this length first.

    >>> table = tf.constant([[1., 1.], [3., 5.], [9., 9.]])
    >>> ids = tf.ragged.constant([[0, 1], [2]])
    >>> tf.nn.embedding_lookup_sparse(table, ids, None).numpy()
    array([[2., 3.],
           [9., 9.]], dtype=float32)

    Raises:
        ValueError: there is no such combiner.
        TypeError: the ids are neither sparse nor ragged.
        InvalidArgumentError: the table has no such row.
    """
    sp_ids, sp_weights = _checked(sp_ids, sp_weights, combiner)
    weights = None if sp_weights is None else sp_weights.values
    place = sp_ids.indices[:, 0]
    rows = reduce_sum(place[-1:] + 1)  # none without ids
    return combined(params, sp_ids.values, weights, place, rows, combiner or "mean", max_norm)


@dispatchable
def safe_embedding_lookup_sparse(
    embedding_weights: Any,
    sparse_ids: SparseTensor,
    sparse_weights: SparseTensor | None = None,
    combiner: str = "mean",
    default_id: int | None = None,
    max_norm: Any = None,
    name: str | None = None,
    allow_fast_lookup: bool = False,
) -> Any:
    """`embedding_lookup_sparse` without ids below 0 and, but for "sum", weights that are not above.

    Rows without ids are that of `default_id`, or zeros. `sparse_ids` may have more axes: the last
    one is combined.

    >>> table = tf.constant([[1., 1.], [3., 5.], [9., 9.]])
    >>> ids = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [1, 2, -1], [2, 2])
    >>> tf.nn.safe_embedding_lookup_sparse(table, ids).numpy()
    array([[6., 7.],
           [0., 0.]], dtype=float32)

    Raises:
        ValueError: there is no such combiner.
        TypeError: the ids are neither sparse nor ragged.
        InvalidArgumentError: the table has no such row.
    """
    sparse_ids, sparse_weights = _checked(sparse_ids, sparse_weights, combiner)
    sizes = as_tensor(sparse_ids.dense_shape)
    rank = sparse_ids.shape.rank
    leading = sizes[:-1]
    place = _row_numbers(sparse_ids.indices, leading)
    ids = sparse_ids.values
    keep = greater_equal(ids, as_tensor(0, ids.dtype))
    weights = None if sparse_weights is None else sparse_weights.values
    if weights is not None and combiner != "sum":
        keep = logical_and(keep, greater(weights, as_tensor(0, weights.dtype)))
    ids, place = boolean_mask(ids, keep), boolean_mask(place, keep)
    weights = None if weights is None else boolean_mask(weights, keep)
    rows = reduce_prod(leading)
    found = combined(embedding_weights, ids, weights, place, rows, combiner, max_norm)
    if default_id is not None:
        counts = unsorted_segment_sum(ones_like(place, dtypes.int32), place, rows)
        fallback = embedding_lookup(embedding_weights, [default_id], max_norm)
        found = where(_beside(greater(counts, 0), found.shape.rank), found, fallback)
    if rank == 2:
        return found
    from ..array.concatenation import concat

    return reshape(found, concat([leading, shape_tensor(found, dtypes.int64)[1:]], 0))


def _checked(ids: Any, weights: Any, combiner: str | None) -> tuple[Any, Any]:
    """Ids and weights as sparse tensors."""
    if combiner is not None and combiner not in COMBINERS:
        raise ValueError(f"combiner must be one of {list(COMBINERS)}, got {combiner}")
    if hasattr(ids, "to_sparse"):  # ragged, and the weights with it
        if weights is not None and not hasattr(weights, "to_sparse"):
            raise TypeError(f"ragged ids have ragged weights, not {weights!r}")
        ids, weights = (None if one is None else one.to_sparse() for one in (ids, weights))
    if not isinstance(ids, SparseTensor):
        raise TypeError(f"the ids must be a SparseTensor or ragged, got {ids!r}")
    if ids.shape.rank is not None and ids.shape.rank < 2:
        raise ValueError(f"the ids must have at least two axes, got {ids.shape}")
    return ids, weights


def _row_numbers(indices: Any, leading: Any) -> Any:
    """The number of each element's row, counting through all leading axes."""
    from ..math.scan import cumprod

    strides = cumprod(leading, exclusive=True, reverse=True)
    return reduce_sum(indices[:, :-1] * strides, 1)


def combined(
    params: Any, ids: Any, weights: Any, place: Any, rows: Any, combiner: str, max_norm: Any
) -> Any:
    """The rows `ids` of a table, times `weights`, combined where they have the same `place`.

    There are `rows` places; those without ids are zeros.
    """
    first = reduce_min(place)
    Assert(greater_equal(first, 0), ["Rows of ids are not below 0; the least one is ", first])
    found = embedding_lookup(params, ids, max_norm)
    if found.dtype in (dtypes.float16, dtypes.bfloat16):
        half, found = found.dtype, cast(found, dtypes.float32)
        return cast(_weighed(found, weights, place, rows, combiner), half)
    return _weighed(found, weights, place, rows, combiner)


def _weighed(found: Any, weights: Any, place: Any, rows: Any, combiner: str) -> Any:
    _demand_combinable(found.dtype, combiner, weights is not None)
    if weights is None:
        weights = ones_like(place, found.dtype)
    weights = cast(weights, found.dtype)
    total = unsorted_segment_sum(found * _beside(weights, found.shape.rank), place, rows)
    if combiner == "sum":
        return total
    shares = weights if combiner == "mean" else weights * weights
    whole = unsorted_segment_sum(shares, place, rows)
    if combiner == "sqrtn":
        whole = sqrt(whole)
    return cast(divide_no_nan(total, _beside(whole, found.shape.rank)), found.dtype)


def _demand_combinable(dtype: DType, combiner: str, weighed: bool) -> None:
    """Without weights rows are combined by an operation on segments, which has fewer dtypes."""
    if not weighed:
        allowed = SparseSegmentSum.T if combiner == "sum" else SparseSegmentMean.T
    else:
        allowed = FLOATS | COMPLEX if combiner == "sqrtn" else NUMBERS
    if dtype not in allowed:
        raise DTypeMismatchError(
            f"embedding_lookup_sparse: rows of {dtype.name} are not combined by {combiner!r}"
        )


def _beside(x: Any, rank: int) -> Any:
    """A vector with axes of size 1 behind, to broadcast against an array of `rank`."""
    for _ in range(rank - 1):
        x = expand_dims(x, -1)
    return x
