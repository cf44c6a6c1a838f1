"""What public functions do with ragged tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.tracebacks import shallow
from ..errors import InvalidArgumentError
from . import concatenation, fill, reduce, segment
from .arithmetic import QUOTIENT, truediv
from .cast import cast
from .conversion import as_tensor, static_value
from .elementwise import exp
from .fill import range as numbers_from
from .gather import gather as dense_gather
from .ragged_elementwise import broadcast, require_same_rows
from .ragged_gather import gather
from .ragged_tensor import RaggedTensor
from .select import boolean_mask as dense_mask
from .select import where as dense_where
from .shapes import expand_dims as dense_expand_dims
from .softmax import softmax as dense_softmax
from .sparse_tensor import SparseTensor
from .sums import add_n as dense_add_n


def as_ragged(value: Any) -> Any:
    """`value`, with rows: a tensor of rank 2 or more becomes ragged."""
    if isinstance(value, RaggedTensor):
        return value
    tensor = as_tensor(value)
    return RaggedTensor.from_tensor(tensor) if (tensor.shape.rank or 0) > 1 else tensor


def _rank(value: Any) -> int:
    rank = value.shape.rank
    if rank is None:
        raise ValueError("a ragged tensor of known rank is needed")
    return rank


def _axis(axis: Any, rank: int) -> int:
    known = static_value(axis)
    if known is None:
        raise ValueError("axis must be known while tracing")
    axis = int(known)
    if not -rank <= axis < rank:
        raise ValueError(f"axis={axis} out of bounds: expected {-rank}<=axis<{rank}")
    return axis % rank


# ---------------------------------------------------------------- putting together


def concat(values: Any, axis: Any, name: str | None = None) -> Any:
    """Ragged tensors one after another: all rows (axis 0), or row by row (axis 1)."""
    if any(isinstance(one, SparseTensor) for one in values):
        return NotImplemented
    parts = [as_ragged(one) for one in values]
    axis = _axis(axis, max(_rank(one) for one in parts))
    if axis == 0:
        return _rows_after_rows(parts)
    if axis == 1:
        return _row_by_row(parts)
    inner = concat([one.values for one in parts], axis - 1)
    return parts[0].with_values(inner)


def _joined(values: Sequence[Any]) -> Any:
    if any(isinstance(one, RaggedTensor) for one in values):
        return _rows_after_rows([as_ragged(one) for one in values])
    return concatenation.concat(list(values), 0)


def _rows_after_rows(parts: Sequence[Any]) -> RaggedTensor:
    lengths = concatenation.concat([one.row_lengths() for one in parts], 0)
    values = _joined([one.values for one in parts])
    return RaggedTensor.from_row_lengths(values, lengths, validate=False)


def _row_by_row(parts: Sequence[RaggedTensor]) -> RaggedTensor:
    """Row k of the result has the rows k of all parts, in their order."""
    count = parts[0].nrows()
    whole = _rows_after_rows(parts)
    places = numbers_from(count)[:, None] + numbers_from(cast(len(parts), count.dtype)) * count
    from .shapes import reshape

    ordered = gather(whole, reshape(places, [-1]))
    lengths = reduce.reduce_sum(concatenation.stack([one.row_lengths() for one in parts]), 0)
    return RaggedTensor.from_row_lengths(ordered.values, lengths, validate=False)


@shallow
def stack(values: Any, axis: Any = 0, name: str | None = None) -> Any:
    """Ragged tensors as the rows of one with one more axis; axis 0."""
    parts = [as_ragged(one) for one in values]
    if _axis(axis, _rank(parts[0]) + 1) != 0:
        return concat([expand_dims(one, axis) for one in parts], axis)
    counts = [
        one.nrows() if isinstance(one, RaggedTensor) else concatenation_size(one) for one in parts
    ]
    return RaggedTensor.from_row_lengths(
        _joined(parts), concatenation.stack(counts), validate=False
    )


def concatenation_size(tensor: Any) -> Any:
    from .shapes import size

    return size(tensor, dtypes.int64)


def unstack(value: Any, num: Any = None, axis: Any = 0, name: str | None = None) -> list[Any]:
    """The rows, of which there must be a known number."""
    count = value.shape[0] if num is None else num
    if count is None or axis != 0:
        raise ValueError("unstack of a ragged tensor needs a known number of rows, and axis 0")
    return [value[row] for row in range(count)]


# ---------------------------------------------------------------- picking


def one_hot(
    indices: Any, depth: Any, on_value: Any = None, off_value: Any = None, axis: int | None = None,
    dtype: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """A row for each index; the new axis is the last one."""
    if not isinstance(indices, RaggedTensor) or axis not in (None, -1, indices.shape.rank):
        return NotImplemented
    rows = fill.one_hot(indices.flat_values, depth, on_value, off_value, -1, dtype)
    return indices.with_flat_values(rows)


@shallow
def boolean_mask(tensor: Any, mask: Any, axis: Any = None, name: str | None = None) -> Any:
    """Rows, or with a ragged mask the elements in them, for which `mask` is true."""
    if not isinstance(mask, RaggedTensor):
        flags = as_tensor(mask)
        if flags.shape.rank == 1:
            return gather(tensor, dense_where(flags)[:, 0])
        mask = RaggedTensor.from_tensor(flags)
    if not isinstance(tensor, RaggedTensor):
        tensor = RaggedTensor.from_tensor(as_tensor(tensor))
    if mask.ragged_rank > 1:
        return tensor.with_values(boolean_mask(tensor.values, mask.values))
    require_same_rows(RaggedTensor(mask.values, mask.row_splits), _outermost(tensor, mask))
    kept = segment.unsorted_segment_sum(
        cast(mask.values, dtypes.int64), mask.value_rowids(), mask.nrows()
    )
    values = tensor.values
    inner = boolean_mask if isinstance(values, RaggedTensor) else dense_mask
    return RaggedTensor.from_row_lengths(inner(values, mask.values), kept, validate=False)


def _outermost(tensor: RaggedTensor, mask: RaggedTensor) -> RaggedTensor:
    return RaggedTensor(mask.values, tensor.row_splits)


def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Any:
    """Elements of x or y; or the indices [n, 2] of what is true."""
    if x is None and y is None:
        if not isinstance(condition, RaggedTensor) or condition.ragged_rank != 1:
            return NotImplemented
        row = condition.value_rowids()
        column = numbers_from(concatenation_size(row)) - dense_gather(condition.row_starts(), row)
        return dense_mask(concatenation.stack([row, column], 1), condition.values)
    flags = condition if isinstance(condition, RaggedTensor) else as_tensor(condition, dtypes.bool_)
    kinds = [kind for kind in (getattr(x, "dtype", None), getattr(y, "dtype", None)) if kind]
    kind = kinds[0] if kinds else None
    choices = [one if hasattr(one, "dtype") else as_tensor(one, kind) for one in (x, y)]
    return broadcast(dense_where, [flags, *choices])


def add_n(inputs: Any, name: str | None = None) -> Any:
    """The sum of ragged tensors with the same rows."""
    return broadcast(lambda *parts: dense_add_n(list(parts)), inputs)


def softmax(logits: Any, axis: int | None = None, name: str | None = None) -> Any:
    """exp(logits) over its sum in each innermost row."""
    if axis not in (None, -1, _rank(logits) - 1):
        return NotImplemented
    values = logits.values
    if isinstance(values, RaggedTensor):
        return logits.with_values(softmax(values))
    if _rank(values) > 1:
        return logits.with_values(dense_softmax(values))
    rows = logits.value_rowids()
    powers = exp(values - dense_gather(reduce_max(logits, 1), rows))
    totals = reduce_sum(logits.with_values(powers), 1)
    return logits.with_values(powers / dense_gather(totals, rows))


def expand_dims(input: Any, axis: Any, name: str | None = None) -> Any:
    """One more axis, of size 1."""
    if not isinstance(input, RaggedTensor):
        return NotImplemented
    axis = _axis(axis, _rank(input) + 1)
    if axis == 0:
        return RaggedTensor.from_row_lengths(input, [input.nrows()], validate=False)
    if axis == 1:
        lengths = fill.ones([input.nrows()], input.row_splits.dtype)
        return RaggedTensor.from_row_lengths(input, lengths, validate=False)
    values = input.values
    inner = expand_dims if isinstance(values, RaggedTensor) else dense_expand_dims
    return input.with_values(inner(values, axis - 1))


def squeeze(input: Any, axis: Any = None, name: str | None = None) -> Any:
    """Without an axis of size 1 within the values."""
    from .shapes import squeeze as dense_squeeze

    if axis is None:
        raise ValueError("Ragged.squeeze must have an axis argument.")
    axis = _axis(axis, _rank(input))
    if axis == 0:
        return input[0]
    if axis == 1:
        return input.values
    values = input.values
    inner = squeeze if isinstance(values, RaggedTensor) else dense_squeeze
    return input.with_values(inner(values, axis - 1))


def reverse(tensor: Any, axis: Any, name: str | None = None) -> Any:
    """The rows, or the elements in each row, in reverse order."""
    axes = [_axis(one, _rank(tensor)) for one in np.atleast_1d(np.asarray(axis)).tolist()]
    for one in axes:
        tensor = _reversed(tensor, one)
    return tensor


def _reversed(tensor: Any, axis: int) -> Any:
    if axis == 0:
        return gather(tensor, tensor.nrows() - 1 - numbers_from(tensor.nrows()))
    if axis == 1 and not isinstance(tensor.values, RaggedTensor):
        rows = tensor.value_rowids()
        ends = dense_gather(tensor.row_starts() + tensor.row_limits() - 1, rows)
        places = ends - numbers_from(concatenation_size(rows))
        return tensor.with_values(dense_gather(tensor.values, places))
    return tensor.with_values(reverse(tensor.values, [axis - 1]))


def tile(input: Any, multiples: Any, name: str | None = None) -> Any:
    """All rows so many times, each row so many times."""
    counts = [int(one) for one in np.asarray(static_value(multiples)).tolist()]
    if len(counts) != _rank(input) or any(count != 1 for count in counts[2:]):
        return NotImplemented
    repeated = concat([input] * counts[1], 1) if counts[1] != 1 else input
    return concat([repeated] * counts[0], 0) if counts[0] != 1 else repeated


# ---------------------------------------------------------------- reductions


def reduced(
    x: Any, axis: Any, keepdims: Any, whole: Callable[..., Any], combine: Callable[..., Any]
) -> Any:
    if not isinstance(x, RaggedTensor):
        return NotImplemented
    if axis is None:
        found = whole(x.flat_values)
        return fill.fill([1] * _rank(x), found) if keepdims else found
    axis = _axis(axis, _rank(x))
    if axis == 0:
        found = _over_rows(x, combine)
    elif axis == 1:
        found = _over_elements(x, combine)
    else:
        values = x.values
        if isinstance(values, RaggedTensor):
            return x.with_values(reduced(values, axis - 1, keepdims, whole, combine))
        return x.with_values(whole(values, axis - 1, keepdims=keepdims))
    return _expanded(found, axis) if keepdims else found


def _expanded(tensor: Any, axis: int) -> Any:
    if isinstance(tensor, RaggedTensor):
        return expand_dims(tensor, axis)
    return dense_expand_dims(tensor, axis)


def _over_elements(x: RaggedTensor, combine: Callable[..., Any]) -> Any:
    values, rows = x.values, x.value_rowids()
    if not isinstance(values, RaggedTensor):
        return combine(values, rows, x.nrows())
    # The rows of the rows are brought together by their place in the outer row.
    place = _places(values)
    width = reduce.reduce_max(concatenation.concat([[0], values.row_lengths()], 0))
    outer = dense_gather(rows, values.value_rowids())
    cells = x.nrows() * width
    found = combine(values.values, outer * width + place, cells)
    ones = segment.unsorted_segment_max(place + 1, outer, x.nrows())
    lengths = reduce_lengths(ones)
    from .shapes import reshape

    padded = reshape(found, concatenation.stack([x.nrows(), width]))
    return RaggedTensor.from_tensor(padded, lengths=lengths)


def reduce_lengths(largest: Any) -> Any:
    """Lengths from maxima of which those of nothing are the lowest number."""
    return dense_where(largest < 0, fill.zeros_like(largest), largest)


def _places(x: RaggedTensor) -> Any:
    rows = x.value_rowids()
    return numbers_from(concatenation_size(rows)) - dense_gather(x.row_starts(), rows)


def _over_rows(x: RaggedTensor, combine: Callable[..., Any]) -> Any:
    values = x.values
    width = reduce.reduce_max(concatenation.concat([[0], x.row_lengths()], 0))
    if isinstance(values, RaggedTensor):
        raise InvalidArgumentError("a reduction over axis 0 of rows of rows is not defined here")
    return combine(values, _places(x), width)


def reduce_sum(
    input_tensor: Any, axis: Any = None, keepdims: Any = False, name: str | None = None
) -> Any:
    return reduced(input_tensor, axis, keepdims, reduce.reduce_sum, segment.unsorted_segment_sum)


def reduce_prod(
    input_tensor: Any, axis: Any = None, keepdims: Any = False, name: str | None = None
) -> Any:
    return reduced(input_tensor, axis, keepdims, reduce.reduce_prod, segment.unsorted_segment_prod)


def reduce_max(
    input_tensor: Any, axis: Any = None, keepdims: Any = False, name: str | None = None
) -> Any:
    return reduced(input_tensor, axis, keepdims, reduce.reduce_max, segment.unsorted_segment_max)


def reduce_min(
    input_tensor: Any, axis: Any = None, keepdims: Any = False, name: str | None = None
) -> Any:
    return reduced(input_tensor, axis, keepdims, reduce.reduce_min, segment.unsorted_segment_min)


def reduce_mean(
    input_tensor: Any, axis: Any = None, keepdims: Any = False, name: str | None = None
) -> Any:
    return reduced(input_tensor, axis, keepdims, reduce.reduce_mean, _segment_mean)


def _segment_mean(values: Any, rows: Any, count: Any) -> Any:
    """The mean of nothing is nan, as TensorFlow has it for ragged tensors."""
    total = segment.unsorted_segment_sum(values, rows, count)
    number = segment.unsorted_segment_sum(fill.ones_like(values), rows, count)
    return truediv(total, number)


def reduce_variance(
    input_tensor: Any, axis: Any = None, keepdims: Any = False, name: str | None = None
) -> Any:
    from .moments import reduce_variance as of_tensor

    if not isinstance(input_tensor, RaggedTensor):
        return NotImplemented
    floats = input_tensor.with_flat_values(quotients(input_tensor.flat_values))
    return reduced(floats, axis, keepdims, of_tensor, _segment_variance)


def reduce_std(
    input_tensor: Any, axis: Any = None, keepdims: Any = False, name: str | None = None
) -> Any:
    from .elementwise import sqrt

    variance = reduce_variance(input_tensor, axis, keepdims)
    if isinstance(variance, RaggedTensor):
        return variance.with_flat_values(sqrt(variance.flat_values))
    return variance if variance is NotImplemented else sqrt(variance)


def quotients(x: Any) -> Any:
    """Integers as the floats that dividing them gives."""
    return cast(x, QUOTIENT.get(x.dtype, x.dtype))


def _segment_variance(values: Any, rows: Any, count: Any) -> Any:
    from .moments import squares_of

    means = _segment_mean(values, rows, count)
    return _segment_mean(squares_of(values - dense_gather(means, rows)), rows, count)


def _flags(combine: Callable[..., Any]) -> Callable[..., Any]:
    def combined(values: Any, rows: Any, count: Any) -> Any:
        return combine(cast(values, dtypes.int32), rows, count)

    return combined


def reduce_any(
    input_tensor: Any, axis: Any = None, keepdims: Any = False, name: str | None = None
) -> Any:
    counts = _flags(segment.unsorted_segment_sum)
    combine = lambda *parts: counts(*parts) > 0  # noqa: E731
    return reduced(input_tensor, axis, keepdims, reduce.reduce_any, combine)


def reduce_all(
    input_tensor: Any, axis: Any = None, keepdims: Any = False, name: str | None = None
) -> Any:
    products = _flags(segment.unsorted_segment_prod)
    combine = lambda *parts: products(*parts) > 0  # noqa: E731
    return reduced(input_tensor, axis, keepdims, reduce.reduce_all, combine)
