"""`tf.sparse.segment_sum` and its like: reductions over segments of chosen rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core.process.tracebacks import shallow
from ..array.concatenation import concat
from ..array.gather import gather
from ..conversion import as_tensor
from ..math.reduce import reduce_max
from ..math.segments import unsorted_segment_mean, unsorted_segment_sqrt_n, unsorted_segment_sum


@shallow
def segment_sum(
    data: Any,
    indices: Any,
    segment_ids: Any,
    num_segments: Any = None,
    name: str | None = None,
    sparse_gradient: bool = False,
) -> Any:
    """The sums of the rows `indices` of `data`, for each of the ascending `segment_ids`."""
    return _over(unsorted_segment_sum, data, indices, segment_ids, num_segments)


@shallow
def segment_mean(
    data: Any,
    indices: Any,
    segment_ids: Any,
    num_segments: Any = None,
    name: str | None = None,
    sparse_gradient: bool = False,
) -> Any:
    """The means of the rows `indices` of `data`, for each of the ascending `segment_ids`."""
    return _over(unsorted_segment_mean, data, indices, segment_ids, num_segments)


@shallow
def segment_sqrt_n(
    data: Any,
    indices: Any,
    segment_ids: Any,
    num_segments: Any = None,
    name: str | None = None,
    sparse_gradient: bool = False,
) -> Any:
    """The sums divided by the square roots of the numbers of rows, for each of `segment_ids`."""
    return _over(unsorted_segment_sqrt_n, data, indices, segment_ids, num_segments)


def _over(
    combine: Callable[..., Any], data: Any, indices: Any, segment_ids: Any, count: Any
) -> Any:
    ids = as_tensor(segment_ids)
    if count is None:
        count = reduce_max(concat([as_tensor([-1], ids.dtype), ids], 0)) + 1
    return combine(gather(as_tensor(data), indices), ids, count)
