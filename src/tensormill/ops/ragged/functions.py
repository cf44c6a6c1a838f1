"""What public functions do with ragged tensors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...core import dtypes
from ...core.dtypes import DType
from ...errors import ShapeMismatchError
from ..array import concatenation, fill
from ..array.fill import range as numbers_from
from ..array.gather import gather as dense_gather
from ..array.rearrangement import reverse as dense_reverse
from ..array.rearrangement import tile as dense_tile
from ..array.select import boolean_mask as dense_mask
from ..array.select import where as dense_where
from ..array.shapes import expand_dims as dense_expand_dims
from ..array.shapes import reshape
from ..array.shapes import shape as sizes_of
from ..array.shapes import size as dense_size
from ..array.shapes import squeeze as dense_squeeze
from ..array.sorting import argsort
from ..checks.assertions import assert_less, assert_non_negative, require_equal
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable, means_for
from ..math import reduce, segments
from ..math.cast import cast
from ..math.elementwise import exp
from ..math.sums import add_n as dense_add_n
from ..nn.softmax import softmax as dense_softmax
from ..sparse.sparse_tensor import SparseTensor
from .checks import one_splits_dtype
from .constructors import outer_size
from .elementwise import broadcast, require_same_rows
from .gather import gather
from .ragged_tensor import RaggedTensor
from .reduce import axes_of, axis_of, rank_of, reduce_max, reduce_sum, require_same_splits


def as_ragged(value: Any, splits: DType = dtypes.int64) -> Any:
    """`value`, with rows: a tensor of rank 2 or more becomes ragged."""
    if isinstance(value, RaggedTensor):
        return value
    tensor = as_tensor(value)
    if (tensor.shape.rank or 0) < 2:
        return tensor
    return RaggedTensor.from_tensor(tensor, row_splits_dtype=splits)


def all_ragged(values: Iterable[Any]) -> list[Any]:
    """`as_ragged` of each, with row splits of the dtype that the ragged ones have.

    Raises:
        ValueError: they have two.
    """
    listed = list(values)
    splits = one_splits_dtype(listed)
    return [as_ragged(one, splits) for one in listed]


# ---------------------------------------------------------------- putting together


@means_for(concatenation.concat, RaggedTensor)
def concat(values: Any, axis: Any, name: str | None = None) -> Any:
    """Ragged tensors one after another along `axis`; axes before it must agree.

    One alone, in a list or not, is what comes out, whatever the axis, as in TensorFlow.

    Raises:
        ValueError: ranks differ.
        InvalidArgumentError: numbers of rows differ, or their lengths.
    """
    values = [values] if isinstance(values, RaggedTensor) else values
    if any(isinstance(one, SparseTensor) for one in values):
        return NotImplemented
    parts = all_ragged(values)
    if len(parts) == 1:
        return parts[0]
    return _joined(parts, axis_of(axis, _one_rank(parts, "concat")))


def _one_rank(parts: Sequence[Any], name: str) -> int:
    ranks = {rank_of(one) for one in parts}
    if len(ranks) != 1:
        raise ValueError(f"{name}: all tensors must have the same rank, not {sorted(ranks)}")
    return ranks.pop()


def _joined(values: Sequence[Any], axis: int) -> Any:
    if not any(isinstance(one, RaggedTensor) for one in values):
        return concatenation.concat(list(values), axis)
    parts = all_ragged(values)
    if axis == 0:
        return _rows_after_rows(parts)
    if axis == 1:
        return _row_by_row(parts)
    for other in parts[1:]:
        require_same_splits(other.row_splits, parts[0].row_splits)
    return parts[0].with_values(_joined([one.values for one in parts], axis - 1))


def _rows_after_rows(parts: Sequence[Any]) -> RaggedTensor:
    lengths = concatenation.concat([one.row_lengths() for one in parts], 0)
    values = _joined([one.values for one in parts], 0)
    return RaggedTensor.from_row_lengths(values, lengths, validate=False)


def _row_by_row(parts: Sequence[RaggedTensor]) -> RaggedTensor:
    """Row k of the result has the rows k of all parts, in their order."""
    count = parts[0].nrows()
    for other in parts[1:]:
        require_equal(other.nrows(count.dtype), count, "concat: numbers of rows differ: ")
    whole = _rows_after_rows(parts)
    places = numbers_from(count)[:, None] + numbers_from(cast(len(parts), count.dtype)) * count
    ordered = gather(whole, reshape(places, [-1]))
    lengths = reduce.reduce_sum(concatenation.stack([one.row_lengths() for one in parts]), 0)
    return RaggedTensor.from_row_lengths(ordered.values, lengths, validate=False)


@means_for(concatenation.stack, RaggedTensor)
@dispatchable
def stack(values: Any, axis: Any = 0, name: str | None = None) -> Any:
    """Ragged tensors, or vectors of any lengths, along a new axis.

    They have one rank and dtype. Where `axis` is not 0, they have as many rows, too. A ragged
    tensor in no list is the only one, as in TensorFlow, and not its rows.

    >>> tf.ragged.stack([[1, 2, 3], [4]]).to_list()
    [[1, 2, 3], [4]]
    >>> a, b = tf.ragged.constant([[1, 2], [3]]), tf.ragged.constant([[4], []])
    >>> tf.ragged.stack([a, b], axis=1).to_list()
    [[[1, 2], [4]], [[3], []]]

    Raises:
        ValueError: ranks differ.
        InvalidArgumentError: they have not as many rows.
    """
    values = [values] if isinstance(values, RaggedTensor) else values
    parts = all_ragged(values)
    rank = _one_rank(parts, "stack")
    axis = axis_of(axis, rank + 1)
    if rank == 0 or (rank == 1 and axis == 1):
        return concatenation.stack(parts, axis)
    if axis != 0:
        return concat([expand_dims(one, axis) for one in parts], axis)
    counts = [one.nrows() if isinstance(one, RaggedTensor) else dense_size(one) for one in parts]
    return RaggedTensor.from_row_lengths(
        _joined(parts, 0), concatenation.stack(counts), validate=False
    )


@means_for(concatenation.unstack, RaggedTensor)
def unstack(value: Any, num: Any = None, axis: Any = 0, name: str | None = None) -> list[Any]:
    """The rows, of which there must be a known number."""
    count = value.shape[0] if num is None else num
    if count is None or axis != 0:
        raise ValueError("unstack of a ragged tensor needs a known number of rows, and axis 0")
    return [value[row] for row in range(count)]


# ---------------------------------------------------------------- picking


@means_for(fill.one_hot, RaggedTensor)
def one_hot(
    indices: Any, depth: Any, on_value: Any = None, off_value: Any = None, axis: int | None = None,
    dtype: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """A row for each index; the new axis is the last one."""
    if not isinstance(indices, RaggedTensor) or axis not in (None, -1, indices.shape.rank):
        return NotImplemented
    rows = fill.one_hot(indices.flat_values, depth, on_value, off_value, -1, dtype)
    return indices.with_flat_values(rows)


@means_for(dense_mask, RaggedTensor)
def masked(tensor: Any, mask: Any, axis: Any = None, name: str | None = "boolean_mask") -> Any:
    """What `tf.boolean_mask` is of ragged rows.

    Raises:
        ValueError: the mask is not to begin at the first axis.
    """
    if axis:
        raise ValueError(f"the mask of a ragged tensor begins at axis 0; got axis={axis}")
    return boolean_mask(tensor, mask, name)


@dispatchable
def boolean_mask(data: Any, mask: Any, name: str | None = None) -> Any:
    """Rows, or with a ragged mask the elements in them, for which `mask` is true.

    data: ragged or not, any dtype. mask: bool, of its first axes. The result is ragged where the
    mask has two axes or more.

    >>> tf.ragged.boolean_mask([[1, 2], [3, 4]], [[True, False], [True, True]]).to_list()
    [[1], [3, 4]]
    >>> tf.ragged.boolean_mask(tf.ragged.constant([[1, 2], [3]]), [False, True]).to_list()
    [[3]]

    Raises:
        ShapeMismatchError: the mask has other sizes than the first axes of `data`.
        InvalidArgumentError: the rows of a ragged mask are not as long as those of `data`.
    """
    tensor = data if isinstance(data, RaggedTensor) else as_tensor(data)
    if not isinstance(mask, RaggedTensor):
        flags = as_tensor(mask)
        require_mask_fits(tensor, flags)
        if flags.shape.rank == 1:
            return gather(tensor, dense_where(flags)[:, 0])
        mask = RaggedTensor.from_tensor(flags, row_splits_dtype=one_splits_dtype([tensor]))
    splits = one_splits_dtype([tensor, mask])
    if not isinstance(tensor, RaggedTensor):
        tensor = RaggedTensor.from_tensor(as_tensor(tensor), row_splits_dtype=splits)
    if rank_of(mask.values) > 1:
        mask = mask.with_values(as_ragged(mask.values, splits))
        return tensor.with_values(boolean_mask(tensor.values, mask.values))
    require_same_rows(RaggedTensor(mask.values, mask.row_splits), _outermost(tensor, mask))
    kept = segments.unsorted_segment_sum(
        cast(mask.values, splits), mask.value_rowids(), mask.nrows()
    )
    values = tensor.values
    inner = boolean_mask if isinstance(values, RaggedTensor) else dense_mask
    return RaggedTensor.from_row_lengths(inner(values, mask.values), kept, validate=False)


def require_mask_fits(tensor: Any, flags: Any) -> None:
    """Check that a mask without rows has the sizes of the first axes, as far as they are known;
    that of a vector also when it runs.

    Raises:
        ShapeMismatchError: another size.
    """
    sizes, wanted = tensor.shape.entries, flags.shape.entries
    if wanted is None:
        return
    if sizes is not None:
        first = sizes[: len(wanted)]
        if not flags.shape.is_compatible_with(first):
            raise ShapeMismatchError(
                f"boolean_mask: the mask has shape {flags.shape}, the tensor {tensor.shape}: a "
                "mask has the sizes of its first axes"
            )
    if len(wanted) == 1 and (sizes is None or None in (sizes[0], wanted[0])):
        rows = outer_size(tensor)
        require_equal(rows, dense_size(flags, rows.dtype), "boolean_mask: numbers of rows differ: ")


def _outermost(tensor: RaggedTensor, mask: RaggedTensor) -> RaggedTensor:
    return RaggedTensor(mask.values, tensor.row_splits)


@means_for(dense_where, RaggedTensor)
def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Any:
    """Elements of x or y; or the indices [n, 2] of what is true."""
    if x is None and y is None:
        if not isinstance(condition, RaggedTensor):
            return NotImplemented
        inside = dense_where(condition.flat_values)
        outside = dense_gather(coordinates(condition), inside[:, 0])
        return concatenation.concat([cast(outside, dtypes.int64), inside[:, 1:]], 1)
    flags = condition if isinstance(condition, RaggedTensor) else as_tensor(condition, dtypes.bool_)
    kinds = [kind for kind in (getattr(x, "dtype", None), getattr(y, "dtype", None)) if kind]
    kind = kinds[0] if kinds else None
    choices = [one if hasattr(one, "dtype") else as_tensor(one, kind) for one in (x, y)]
    return broadcast(dense_where, [flags, *choices])


def coordinates(x: RaggedTensor) -> Any:
    """The indices [count, 1 + ragged_rank] of the elements that the innermost rows consist of."""
    own = concatenation.stack([x.value_rowids(), x.value_places()], 1)
    if not isinstance(x.values, RaggedTensor):
        return own
    inner = coordinates(x.values)
    return concatenation.concat([dense_gather(own, inner[:, 0]), inner[:, 1:]], 1)


@means_for(dense_add_n, RaggedTensor)
def add_n(inputs: Any, name: str | None = None) -> Any:
    """The sum of ragged tensors with the same rows."""
    return broadcast(lambda *parts: dense_add_n(list(parts)), inputs)


@means_for(dense_softmax, RaggedTensor)
def softmax(logits: Any, axis: int | None = None, name: str | None = None) -> Any:
    """exp(logits) over its sum in each innermost row."""
    if axis not in (None, -1, rank_of(logits) - 1):
        return NotImplemented
    values = logits.values
    if isinstance(values, RaggedTensor):
        return logits.with_values(softmax(values))
    if rank_of(values) > 1:
        return logits.with_values(dense_softmax(values))
    rows = logits.value_rowids()
    powers = exp(values - dense_gather(reduce_max(logits, 1), rows))
    totals = reduce_sum(logits.with_values(powers), 1)
    return logits.with_values(powers / dense_gather(totals, rows))


@means_for(dense_expand_dims, RaggedTensor)
def expand_dims(input: Any, axis: Any, name: str | None = None) -> Any:
    """One more axis, of size 1."""
    if not isinstance(input, RaggedTensor):
        return NotImplemented
    axis = axis_of(axis, rank_of(input) + 1)
    if axis < 2:
        count = input.nrows()
        length, rows = (count, as_tensor(1, count.dtype))[:: 1 - 2 * axis]
        return RaggedTensor.from_uniform_row_length(input, length, rows, validate=False)
    values = input.values
    inner = expand_dims if isinstance(values, RaggedTensor) else dense_expand_dims
    return input.with_values(inner(values, axis - 1))


@means_for(dense_squeeze, RaggedTensor)
def squeeze(input: Any, axis: Any = None, name: str | None = None) -> Any:
    """Without an axis of size 1 within the values."""
    if axis is None:
        raise ValueError("Ragged.squeeze must have an axis argument.")
    for one in axes_of(axis, rank_of(input)):
        input = _squeezed(input, one)
    return input


def _squeezed(input: Any, axis: int) -> Any:
    if not isinstance(input, RaggedTensor):
        return dense_squeeze(input, axis)
    if axis > 1:
        return input.with_values(_squeezed(input.values, axis - 1))
    sizes = input.row_lengths() if axis else input.nrows()
    require_equal(sizes, as_tensor(1, sizes.dtype), "squeeze: an axis is not of size 1: ")
    return input.values if axis else input.values[: input.row_splits[1]]


@means_for(dense_reverse, RaggedTensor)
def reverse(tensor: Any, axis: Any, name: str | None = None) -> Any:
    """The rows, or the elements in each row, in reverse order."""
    for one in axes_of(axis, rank_of(tensor)):
        tensor = _reversed(tensor, one)
    return tensor


def _reversed(tensor: Any, axis: int) -> Any:
    if not isinstance(tensor, RaggedTensor):
        return dense_reverse(tensor, [axis])
    if axis == 0:
        return gather(tensor, tensor.nrows() - 1 - numbers_from(tensor.nrows()))
    if axis == 1:
        rows = tensor.value_rowids()
        ends = dense_gather(tensor.row_starts() + tensor.row_limits() - 1, rows)
        places = ends - numbers_from(dense_size(rows, rows.dtype))
        return tensor.with_values(gather(tensor.values, places))
    return tensor.with_values(_reversed(tensor.values, axis - 1))


@means_for(dense_tile, RaggedTensor)
def tile(input: Any, multiples: Any, name: str | None = None) -> Any:
    """Every axis repeated so many times."""
    if not isinstance(input, RaggedTensor):
        return NotImplemented
    counts = cast(as_tensor(multiples), input.row_splits.dtype)
    return _repeated_rows(_tiled_inside(input, counts), counts[0])


def _tiled_inside(x: Any, counts: Any) -> Any:
    """The axes after the first one repeated."""
    rank, kind = rank_of(x), counts.dtype
    if not isinstance(x, RaggedTensor):
        ones = fill.ones([1], kind)
        return dense_tile(x, concatenation.concat([ones, counts[1:rank]], 0))
    values = _tiled_inside(x.values, counts[1:])
    times = numbers_from(counts[1])[None, :]
    starts, lengths = x.row_starts()[:, None], x.row_lengths()
    begins = reshape(starts + 0 * times, [-1])
    repeated = reshape(lengths[:, None] + 0 * times, [-1])
    parts = RaggedTensor.from_row_lengths(
        numbers_from(reduce.reduce_sum(repeated)), repeated, validate=False
    )
    places = dense_gather(begins, parts.value_rowids()) + parts.value_places()
    tiled = gather(values, places)
    return RaggedTensor.from_row_lengths(tiled, lengths * counts[1], validate=False)


def _repeated_rows(x: RaggedTensor, count: Any) -> Any:
    rows = numbers_from(x.nrows())[None, :] + 0 * numbers_from(count)[:, None]
    return gather(x, reshape(rows, [-1]))


@dispatchable
def stack_dynamic_partitions(
    data: Any, partitions: Any, num_partitions: Any, name: str | None = None
) -> RaggedTensor:
    """The slices of `data` in rows: row k has those whose partition is k, in their order.

    data: [*shape, ...], dense or ragged. partitions: integers of the shape `shape`, below
    `num_partitions`, how many rows there are. The result is ragged, [num_partitions, (n), ...].

    >>> tf.ragged.stack_dynamic_partitions(["a", "b", "c", "d"], [2, 0, 2, 0], 3)
    <tf.RaggedTensor [[b'b', b'd'], [], [b'a', b'c']]>

    Raises:
        InvalidArgumentError: a partition is not in [0, num_partitions).
        ValueError: the rank of `partitions` is unknown, or its shape does not begin that of `data`.
    """
    values = data if isinstance(data, RaggedTensor) else as_tensor(data)
    ragged = [one for one in (values, partitions) if isinstance(one, RaggedTensor)]
    kind = ragged[0].row_splits.dtype if ragged else None
    places = partitions
    if not isinstance(partitions, RaggedTensor):
        places = as_tensor(partitions, None, kind)
    if places.shape.rank is None:
        raise ValueError("stack_dynamic_partitions needs `partitions` of a known rank")
    kind = kind or places.dtype
    values, places = _in_one_axis(values, places)
    places, count = cast(places, kind), cast(as_tensor(num_partitions), kind)
    assert_non_negative(places, message="partitions must be non-negative")
    assert_less(places, count, message="partitions must be less than num_partitions")
    order = argsort(places, stable=True)
    return RaggedTensor.from_value_rowids(gather(values, order), gather(places, order), count)


def _in_one_axis(values: Any, places: Any) -> tuple[Any, Any]:
    """Slices, all axes that `places` have in one, and a vector that says where each belongs."""
    if isinstance(places, RaggedTensor):
        if not isinstance(values, RaggedTensor):
            values = RaggedTensor.from_tensor(values, ragged_rank=places.ragged_rank)
        return _in_one_axis(values.values, places.values)
    rank = places.shape.rank
    if rank == 0:
        row = stack([values]) if isinstance(values, RaggedTensor) else dense_expand_dims(values, 0)
        return row, dense_expand_dims(places, 0)
    if rank > 1 and isinstance(values, RaggedTensor):
        values = values.merge_dims(0, rank - 1)
    elif rank > 1:
        values.shape[:rank].assert_is_compatible_with(places.shape)
        values = reshape(values, concatenation.concat([[-1], sizes_of(values)[rank:]], 0))
    return values, reshape(places, [-1])
