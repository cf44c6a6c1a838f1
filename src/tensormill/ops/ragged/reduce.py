"""Reductions of ragged tensors, and segments of their rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core import dtypes
from ...errors import InvalidArgumentError
from ..array import fill
from ..array.concatenation import concat
from ..array.gather import gather
from ..array.select import where
from ..array.shapes import expand_dims, reshape
from ..control.flow import stop_gradient
from ..conversion import as_tensor, static_value
from ..dispatch.meanings import means_for
from ..math import moments, reduce, segments
from ..math.arithmetic import maximum
from ..math.cast import cast
from ..math.comparison import is_finite
from ..math.complex import real
from ..math.division import QUOTIENT, truediv
from ..math.elementwise import exp, log, sqrt
from ..math.scan import cumsum
from .checks import one_splits_dtype
from .ragged_tensor import RaggedTensor

# What takes (values, segment_ids, num_segments).
Combine = Callable[..., Any]


def segmented(combine: Combine, data: Any, ids: Any, count: Any) -> Any:
    """What `combine` makes of the slices of `data` with the same number, one for each number.

    Rows of one number are combined place by place; the result's are as long as the longest of them.
    """
    if isinstance(ids, RaggedTensor):
        if not isinstance(data, RaggedTensor):
            return NotImplemented
        one_splits_dtype([data, ids])
        require_same_splits(data.row_splits, ids.row_splits)
        return segmented(combine, data.values, ids.values, count)
    if not isinstance(data, RaggedTensor):
        return combine(data, ids, count)
    kind = data.row_splits.dtype
    longest = segments.unsorted_segment_max(data.row_lengths(), ids, count)
    splits = concat([fill.zeros([1], kind), cumsum(maximum(longest, 0))], 0)
    row = cast(gather(ids, data.value_rowids()), kind)
    places = gather(splits, maximum(row, 0)) + data.value_places()
    inside = where(row < 0, -fill.ones_like(places), places)  # negative numbers: in no segment
    return RaggedTensor(segmented(combine, data.values, inside, splits[-1]), splits)


def require_same_splits(one: Any, other: Any) -> None:
    """Refuse operands whose rows differ in length."""
    from ..checks.assertions import require_equal

    if one is not other:
        require_equal(cast(one, other.dtype), other, "rows must be of the same lengths: ")


def reduced(x: Any, axis: Any, keepdims: Any, whole: Callable[..., Any], combine: Combine) -> Any:
    """A reduction along one axis, several (one after another, the last first), or all.

    whole: the dense reduction; combine: that of segments.
    """
    if not isinstance(x, RaggedTensor):
        return NotImplemented
    if axis is None:
        result = whole(x.flat_values)
        return reshape(result, [1] * rank_of(x)) if keepdims else result
    for one in axes_of(axis, rank_of(x)):
        x = _along(x, one, keepdims, whole, combine)
    return x


def rank_of(value: Any) -> int:
    """The rank, which must be known."""
    rank = value.shape.rank
    if rank is None:
        raise ValueError("a ragged tensor of known rank is needed")
    return rank


def axis_of(axis: Any, rank: int) -> int:
    """The number from 0 of a known axis."""
    known = static_value(axis)
    if known is None:
        raise ValueError("axis must be known while tracing")
    axis = int(known)
    if not -rank <= axis < rank:
        raise ValueError(f"axis={axis} out of bounds: expected {-rank}<=axis<{rank}")
    return axis % rank


def axes_of(axis: Any, rank: int) -> list[int]:
    """The numbers of one axis, or of those in a list or vector, the last axis first."""
    known = static_value(axis)
    if known is None:
        raise ValueError("axis must be known while tracing")
    axes = [axis_of(one, rank) for one in known.reshape(-1).tolist()]
    if len(set(axes)) < len(axes):
        raise InvalidArgumentError(f"an axis is named twice: {known.tolist()} of {rank}")
    return sorted(axes, reverse=True)


def _along(x: Any, axis: int, keepdims: Any, whole: Any, combine: Combine) -> Any:
    if not isinstance(x, RaggedTensor):
        return whole(x, axis, keepdims=keepdims)
    if axis > 1:
        return x.with_values(_along(x.values, axis - 1, keepdims, whole, combine))
    if axis == 1:
        found = segmented(combine, x.values, x.value_rowids(), x.nrows())
    else:
        longest = reduce.reduce_max(
            concat([fill.zeros([1], x.row_splits.dtype), x.row_lengths()], 0)
        )
        found = segmented(combine, x.values, x.value_places(), longest)
    return expand_dims(found, axis) if keepdims else found


# ---------------------------------------------------------------- the public functions


def _reduction(whole: Callable[..., Any], combine: Combine) -> Callable[..., Any]:
    """What the dense reduction `whole` means where rows differ; `combine`: that of segments."""

    @means_for(whole, RaggedTensor)
    def along(
        input_tensor: Any, axis: Any = None, keepdims: Any = False, name: str | None = None
    ) -> Any:
        return reduced(input_tensor, axis, keepdims, whole, combine)

    return along


def _any(values: Any, rows: Any, count: Any) -> Any:
    return segments.unsorted_segment_sum(cast(values, dtypes.int32), rows, count) > 0


def _all(values: Any, rows: Any, count: Any) -> Any:
    return segments.unsorted_segment_prod(cast(values, dtypes.int32), rows, count) > 0


reduce_sum = _reduction(reduce.reduce_sum, segments.unsorted_segment_sum)
reduce_max = _reduction(reduce.reduce_max, segments.unsorted_segment_max)
for _whole, _combine in (
    (reduce.reduce_prod, segments.unsorted_segment_prod),
    (reduce.reduce_min, segments.unsorted_segment_min),
):
    _reduction(_whole, _combine)


def _of_bools(whole: Callable[..., Any], combine: Combine) -> None:
    """The same of a reduction of bools, which numbers are where they are not 0."""

    @means_for(whole, RaggedTensor)
    def along(
        input_tensor: Any, axis: Any = None, keepdims: Any = False, name: str | None = None
    ) -> Any:
        if not isinstance(input_tensor, RaggedTensor):
            return NotImplemented
        bools = input_tensor.with_flat_values(cast(input_tensor.flat_values, dtypes.bool_))
        return reduced(bools, axis, keepdims, whole, combine)


_of_bools(reduce.reduce_any, _any)
_of_bools(reduce.reduce_all, _all)


@means_for(reduce.reduce_mean, RaggedTensor)
def reduce_mean(
    input_tensor: Any, axis: Any = None, keepdims: Any = False, name: str | None = None
) -> Any:
    """The sum over the count: NaN of nothing, floats of integers."""
    if not isinstance(input_tensor, RaggedTensor):
        return NotImplemented
    if axis is None:
        floats = input_tensor.with_flat_values(quotients(input_tensor.flat_values))
        return reduced(floats, None, keepdims, reduce.reduce_mean, reduce_sum)
    ones = input_tensor.with_flat_values(fill.ones_like(input_tensor.flat_values))
    total, count = (reduce_sum(one, axis, keepdims) for one in (input_tensor, ones))
    if not isinstance(total, RaggedTensor):
        return truediv(total, count)
    return total.with_flat_values(truediv(total.flat_values, count.flat_values))


@means_for(moments.reduce_variance, RaggedTensor)
def reduce_variance(
    input_tensor: Any, axis: Any = None, keepdims: Any = False, name: str | None = None
) -> Any:
    """The mean of the squares of distances from the mean.

    Along several axes: the mean of squares minus the square of the mean, of distances from the
    mean of all, which takes away most of the digits that elements have in common.
    """
    if not isinstance(input_tensor, RaggedTensor):
        return NotImplemented
    x = input_tensor.with_flat_values(quotients(input_tensor.flat_values))
    if axis is None or len(axes_of(axis, rank_of(x))) == 1:
        return reduced(x, axis, keepdims, moments.reduce_variance, _segment_variance)
    distance = x.flat_values - stop_gradient(_middle(x.flat_values))
    mean = reduce_mean(x.with_flat_values(distance), axis, keepdims)
    squares = reduce_mean(x.with_flat_values(moments.squares_of(distance)), axis, keepdims)
    if not isinstance(mean, RaggedTensor):
        return maximum(squares - moments.squares_of(mean), 0)
    flat = squares.flat_values - moments.squares_of(mean.flat_values)
    return squares.with_flat_values(maximum(flat, 0))


def quotients(x: Any) -> Any:
    """Integers as the floats that dividing them gives."""
    return cast(x, QUOTIENT.get(x.dtype, x.dtype))


def _segment_mean(values: Any, rows: Any, count: Any) -> Any:
    """The mean of nothing is NaN, as TensorFlow has it for ragged tensors."""
    total = segments.unsorted_segment_sum(values, rows, count)
    return truediv(total, segments.unsorted_segment_sum(fill.ones_like(values), rows, count))


def _segment_variance(values: Any, rows: Any, count: Any) -> Any:
    means = _segment_mean(values, rows, count)
    return _segment_mean(moments.squares_of(values - gather(means, rows)), rows, count)


def _middle(x: Any) -> Any:
    """The mean, or 0 where that is no number."""
    mean = reduce.reduce_mean(x)
    return where(is_finite(real(mean)), mean, fill.zeros_like(mean))


@means_for(moments.reduce_std, RaggedTensor)
def reduce_std(
    input_tensor: Any, axis: Any = None, keepdims: Any = False, name: str | None = None
) -> Any:
    """The square root of the variance."""
    variance = reduce_variance(input_tensor, axis, keepdims)
    if not isinstance(variance, RaggedTensor):
        return variance if variance is NotImplemented else sqrt(variance)
    return variance.with_flat_values(sqrt(variance.flat_values))


@means_for(moments.moments, RaggedTensor)
def nn_moments(
    x: Any, axes: Any, shift: Any = None, keepdims: bool = False, name: str | None = None
) -> Any:
    """Mean and variance; narrow floats are computed with in float32."""
    if not isinstance(x, RaggedTensor):
        return NotImplemented
    narrow = x.dtype in (dtypes.float16, dtypes.bfloat16)
    wide = x.with_flat_values(cast(x.flat_values, dtypes.float32)) if narrow else x
    found = reduce_mean(wide, axes, keepdims), reduce_variance(wide, axes, keepdims)
    return tuple(cast(one, x.dtype) for one in found) if narrow else found


@means_for(moments.reduce_logsumexp, RaggedTensor)
def reduce_logsumexp(
    input_tensor: Any, axis: Any = None, keepdims: Any = False, name: str | None = None
) -> Any:
    """-inf of nothing."""
    return reduced(input_tensor, axis, keepdims, moments.reduce_logsumexp, _segment_logsumexp)


def _segment_logsumexp(values: Any, rows: Any, count: Any) -> Any:
    """The largest of a segment is taken out first: no exponential overflows."""
    largest = stop_gradient(segments.unsorted_segment_max(values, rows, count))
    largest = where(is_finite(largest), largest, fill.zeros_like(largest))
    scaled = exp(values - gather(largest, rows))
    return log(segments.unsorted_segment_sum(scaled, rows, count)) + largest


# ---------------------------------------------------------------- segments


def _sqrt_n(data: Any, ids: Any, count: Any) -> Any:
    sizes = segments.unsorted_segment_sum(fill.ones_like(data), ids, count)
    return segments.unsorted_segment_sum(data, ids, count) / sqrt(sizes)


def _over_segments(function: Callable[..., Any], combine: Combine) -> None:
    """What a function of segments means where rows differ: `combine` of places in rows."""

    @means_for(function, RaggedTensor)
    def found(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
        ids = segment_ids if isinstance(segment_ids, RaggedTensor) else as_tensor(segment_ids)
        return segmented(combine, data, ids, num_segments)


for _function in (
    segments.unsorted_segment_sum,
    segments.unsorted_segment_prod,
    segments.unsorted_segment_max,
    segments.unsorted_segment_min,
):
    _over_segments(_function, _function)
# NaN for an empty segment, other than of tensors.
_over_segments(segments.unsorted_segment_mean, _segment_mean)
_over_segments(segments.unsorted_segment_sqrt_n, _sqrt_n)
