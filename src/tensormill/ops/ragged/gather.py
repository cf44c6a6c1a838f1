"""Gathering where what is gathered from, or the indices, are ragged."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ..array import fill
from ..array.broadcasting import broadcast_to
from ..array.concatenation import concat, stack
from ..array.fill import range as numbers_from
from ..array.gather import gather as dense_gather
from ..array.gather import gather_nd as dense_gather_nd
from ..array.rearrangement import repeat
from ..array.shapes import expand_dims, reshape
from ..array.shapes import shape as sizes_of
from ..checks.assertions import Assert, require_equal
from ..conversion import as_tensor, static_value
from ..dispatch.meanings import means_for
from ..math import reduce
from ..math.cast import cast
from ..math.scan import cumsum
from .checks import one_splits_dtype
from .ragged_tensor import RaggedTensor


@means_for(dense_gather, RaggedTensor)
def public_gather(
    params: Any, indices: Any, validate_indices: Any, axis: Any, batch_dims: int, name: Any
) -> Any:
    """`tf.gather` where one of both is ragged."""
    return gather(params, indices, axis, batch_dims)


def gather(params: Any, indices: Any, axis: Any = None, batch_dims: int = 0) -> Any:
    """The slices of `params` along `axis` that `indices` name; with `batch_dims` of 1, row by row.

    Raises:
        InvalidArgumentError: an index is not in its row.
        ValueError: there are not as many axes of rows as `batch_dims`, or `axis` is one of them.
    """
    if not isinstance(params, RaggedTensor) and not isinstance(indices, RaggedTensor):
        return dense_gather(params, indices, axis=axis, batch_dims=batch_dims)
    one_splits_dtype([params, indices])
    batch_dims = _axes_of_rows(batch_dims, params, indices)
    place = _place(axis, batch_dims, params)
    if place is None:
        return NotImplemented
    if place < batch_dims:
        raise ValueError(f"axis must be greater than or equal to batch_dims: {axis}, {batch_dims}")
    if batch_dims > 1:
        return _within_same_rows(params, indices, place, batch_dims)
    if batch_dims == 1:
        if place == 1:
            return _in_rows(params, indices)
        return _in_parts_of_rows(params, indices, place)
    if place == 0:
        return _of_rows(params, indices)
    if not isinstance(params, RaggedTensor):
        return _within(params, indices, place)
    if place == 1:
        return _from_each_row(params, indices)
    return params.with_values(gather(params.values, indices, axis=place - 1))


def _axes_of_rows(batch_dims: int, params: Any, indices: Any) -> int:
    """`batch_dims`, counted from the first axis.

    Raises:
        ValueError: there are not so many axes; or it is counted from the last of indices whose rank
            nobody knows.
    """
    rank, most = _rank(indices), _rank(params)
    if rank is None:
        if batch_dims < 0:
            raise ValueError(f"batch_dims={batch_dims} is negative, and the indices' rank unknown")
    elif not -rank <= batch_dims <= rank:
        raise ValueError(f"batch_dims={batch_dims} out of bounds: from {-rank} to {rank} is wanted")
    elif batch_dims < 0:
        batch_dims += rank
    if most is not None and batch_dims >= most:
        raise ValueError(f"batch_dims={batch_dims} must be less than rank(params), which is {most}")
    return batch_dims


def _rank(given: Any) -> int | None:
    return (given if isinstance(given, RaggedTensor) else as_tensor(given)).shape.rank


def _place(axis: Any, batch_dims: int, params: Any) -> int | None:
    """The axis, counted from the first one; None: nobody knows it.

    Raises:
        ValueError: there is no such axis.
    """
    known, rank = batch_dims if axis is None else static_value(axis), _rank(params)
    if rank is None:
        return None if known is None or known < 0 else int(known)
    if known is not None and not -rank <= known < rank:
        raise ValueError(f"axis={known} out of bounds: from {-rank} to {rank - 1} is wanted")
    return None if known is None else int(known) % rank


def _rows_of(given: Any) -> RaggedTensor:
    return given if isinstance(given, RaggedTensor) else RaggedTensor.from_tensor(given)


def _within_same_rows(params: Any, indices: Any, place: int, batch_dims: int) -> Any:
    """For each row of both what is gathered in it."""
    params, indices = _rows_of(params), _rows_of(indices)
    message = "gather: params and indices have rows of other lengths: "
    require_equal(params.row_splits, indices.row_splits, message)
    more: Any = {"axis": place - 1, "batch_dims": batch_dims - 1}
    return indices.with_values(gather(params.values, indices.values, **more))


def _in_parts_of_rows(params: Any, indices: Any, place: int) -> Any:
    """Row k of the indices names what each part of row k has there."""
    params = _rows_of(params)
    of_each = gather(indices, params.value_rowids())
    return params.with_values(gather(params.values, of_each, axis=place - 1, batch_dims=1))


def _of_rows(params: Any, indices: Any) -> Any:
    """Whole rows; or with ragged indices, slices in their rows."""
    if isinstance(indices, RaggedTensor):
        return indices.with_values(gather(params, indices.values))
    chosen = as_tensor(indices)
    if chosen.shape.rank == 0:
        return params[chosen]
    if (chosen.shape.rank or 1) > 1:
        return gather(params, RaggedTensor.from_tensor(chosen, ragged_rank=chosen.shape.rank - 1))
    lengths = dense_gather(params.row_lengths(), chosen)
    starts = dense_gather(params.row_starts(), chosen)
    before = cumsum(lengths, exclusive=True)
    total = reduce.reduce_sum(lengths)
    places = numbers_from(total) + repeat(starts - before, lengths)
    return RaggedTensor.from_row_lengths(gather(params.values, places), lengths, validate=False)


def _within(params: Any, indices: RaggedTensor, axis: int) -> RaggedTensor:
    """Slices of a tensor along a later axis: the rows of indices for each place before it."""
    params = as_tensor(params)
    sizes, kind = sizes_of(params, indices.row_splits.dtype), indices.row_splits.dtype
    taken = dense_gather(params, indices.flat_values, axis=axis)
    inner = sizes_of(indices.flat_values, kind)
    count = reduce.reduce_prod(sizes[:axis])
    flat: Any = reshape(taken, concat([stack([count * inner[0]]), inner[1:], sizes[axis + 1 :]], 0))
    flat = _in_rows_like(flat, indices, count)
    for before in range(axis, 0, -1):
        length = indices.nrows() if before == axis else sizes[before]
        rows = reduce.reduce_prod(sizes[:before])
        flat = RaggedTensor.from_uniform_row_length(flat, length, rows)
    return flat


def _in_rows_like(flat: Any, indices: RaggedTensor, count: Any) -> RaggedTensor:
    """`count` times as many rows as the indices have, nested as theirs."""
    kind = indices.row_splits.dtype
    for lengths in reversed(indices.nested_row_lengths()):
        repeated = reshape(broadcast_to(lengths, stack([count, sizes_of(lengths, kind)[0]])), [-1])
        flat = RaggedTensor.from_row_lengths(flat, repeated, validate=False)
    return flat


def _in_rows(params: Any, indices: Any) -> Any:
    """Row k of the indices names elements of row k."""
    if not isinstance(indices, RaggedTensor):
        places = as_tensor(indices)
        return _at(params, _beside(numbers_from(params.nrows()), places), places)
    row, inner, places = indices.value_rowids(), indices.values, indices.flat_values
    while isinstance(inner, RaggedTensor):
        row, inner = dense_gather(row, inner.value_rowids()), inner.values
    row = _beside(row, places)
    if isinstance(params, RaggedTensor):
        return indices.with_flat_values(_at(params, row, places))
    pairs = stack([broadcast_to(row, sizes_of(places)), cast(places, row.dtype)], -1)
    return indices.with_flat_values(dense_gather_nd(params, pairs))


def _beside(rows: Any, places: Any) -> Any:
    """A number for each row as it broadcasts with places that have more axes."""
    if (rank := places.shape.rank) is not None:
        return reshape(rows, [-1] + [1] * (rank - 1))
    return reshape(rows, concat([[-1], fill.ones_like(sizes_of(places, dtypes.int32)[1:])], 0))


def _from_each_row(params: RaggedTensor, indices: Any) -> Any:
    """The same elements of each row."""
    if not isinstance(indices, RaggedTensor):
        places = expand_dims(as_tensor(indices), 0)
        found = _at(params, _beside(numbers_from(params.nrows()), places), places)
        return found
    places, count = indices.flat_values, params.nrows(indices.row_splits.dtype)
    inner = sizes_of(places, count.dtype)
    row = broadcast_to(numbers_from(count)[:, None], stack([count, inner[0]]))
    many = broadcast_to(places, concat([[count], inner], 0))
    many = reshape(many, concat([[-1], inner[1:]], 0))
    nested = _in_rows_like(_at(params, _beside(reshape(row, [-1]), many), many), indices, count)
    return RaggedTensor.from_uniform_row_length(nested, indices.nrows(), count)


def _at(params: RaggedTensor, row: Any, place: Any) -> Any:
    """The elements at some places of rows; the two broadcast."""
    return gather(params.values, _position(params, row, place))


def _position(params: RaggedTensor, row: Any, place: Any) -> Any:
    """Where in the values that is."""
    place = cast(place, params.row_splits.dtype)
    lengths, starts = params.row_lengths(), params.row_starts()
    is_there = (place >= 0) & (place < dense_gather(lengths, row))
    Assert(reduce.reduce_all(is_there), ["gather: an index is not in its row", place, lengths])
    return dense_gather(starts, row) + place


@means_for(dense_gather_nd, RaggedTensor)
def gather_nd(
    params: Any, indices: Any, batch_dims: int = 0, name: str | None = None,
    bad_indices_policy: str = "",
) -> Any:  # fmt: skip
    """The slices at `indices` [..., k]: the row, the place in it, and so on."""
    if batch_dims:
        return NotImplemented
    if isinstance(indices, RaggedTensor):
        found = gather_nd(params, indices.flat_values)
        return indices.with_flat_values(found)
    if not isinstance(params, RaggedTensor):
        return dense_gather_nd(params, indices)
    places = cast(as_tensor(indices), dtypes.int64)
    depth = places.shape.entries[-1] if places.shape.entries else None
    if depth is None or depth == 0:
        return NotImplemented
    if depth == 1:
        return gather(params, places[..., 0])
    if depth == 2:
        return _at(params, places[..., 0], places[..., 1])
    first = cast(_position(params, places[..., 0], places[..., 1]), dtypes.int64)
    return gather_nd(params.values, concat([first[..., None], places[..., 2:]], -1))
