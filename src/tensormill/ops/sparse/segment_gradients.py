"""The gradients of segments of chosen rows, as TensorFlow's graphs have them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..array.fill import ones_like
from ..array.gather import gather
from ..array.shapes import reshape, shape_of
from ..families import Rephrased
from ..math.arithmetic import maximum
from ..math.cast import cast
from ..math.elementwise import sqrt
from ..math.segments import unsorted_segment_sum
from ..op import FLOATS, INDEX, In, Out
from .linear_indices import grouped, wide


class RowGradient(Rephrased, abstract=True):
    """What each chosen row gets of its segment's gradient."""

    grad: Any
    indices: Any
    segment_ids: Any

    def shares(self, weigh: Callable[[Any], Any] | None) -> Any:
        """A row for each that was chosen; `weigh` gives divisors of the sizes of segments."""
        rows, ids = self.grad, self.segment_ids
        if weigh is not None:
            counts = unsorted_segment_sum(ones_like(ids), ids, shape_of(rows)[0])
            divisors = cast(weigh(cast(maximum(counts, 1), "float64")), rows.dtype)
            flat = reshape(rows, [shape_of(rows)[0], -1]) / divisors[:, None]
            rows = reshape(flat, shape_of(rows))
        return gather(rows, ids)


class WholeRowGradient(RowGradient, abstract=True):
    """The gradient of all rows, of which there are `output_dim0`."""

    output_dim0: Any

    def summed(self, weigh: Callable[[Any], Any] | None) -> Any:
        return unsorted_segment_sum(self.shares(weigh), self.indices, self.output_dim0)


class ChosenRowGradient(RowGradient, abstract=True):
    """The gradient of those rows that were chosen, and which these are, in ascending order."""

    def summed(self, weigh: Callable[[Any], Any] | None) -> tuple[Any, Any]:
        groups = grouped(wide(self.indices))
        rows = gather(self.shares(weigh), groups.order)
        total = unsorted_segment_sum(rows, groups.members, groups.count)
        return total, cast(groups.places, self.indices.dtype)


def _itself(counts: Any) -> Any:
    return counts


class SparseSegmentSumGrad(WholeRowGradient):
    """The gradient of sums."""

    grad = In("T ...")
    indices = In("Tidx n")
    segment_ids = In("Tsegmentids n")
    output_dim0 = In("i32")
    output = Out("T ...")
    T = FLOATS
    Tidx = INDEX
    Tsegmentids = INDEX

    def expand(self) -> Any:
        return self.summed(None)


class SparseSegmentSumGradV2(ChosenRowGradient):
    """The gradient of sums, of the rows that were chosen."""

    grad = In("T ...")
    indices = In("Tidx n")
    segment_ids = In("Tsegmentids n")
    dense_output_dim0 = In("i32")
    output = Out("T ...")
    sorted_unique_indices = Out("Tidx m")
    T = FLOATS
    Tidx = INDEX
    Tsegmentids = INDEX

    def expand(self) -> Any:
        return self.summed(None)


class SparseSegmentMeanGrad(WholeRowGradient):
    """The gradient of means."""

    grad = In("T ...")
    indices = In("Tidx n")
    segment_ids = In("Tsegmentids n")
    output_dim0 = In("i32")
    output = Out("T ...")
    T = FLOATS
    Tidx = INDEX
    Tsegmentids = INDEX

    def expand(self) -> Any:
        return self.summed(_itself)


class SparseSegmentMeanGradV2(ChosenRowGradient):
    """The gradient of means, of the rows that were chosen."""

    grad = In("T ...")
    indices = In("Tidx n")
    segment_ids = In("Tsegmentids n")
    dense_output_dim0 = In("i32")
    output = Out("T ...")
    sorted_unique_indices = Out("Tidx m")
    T = FLOATS
    Tidx = INDEX
    Tsegmentids = INDEX

    def expand(self) -> Any:
        return self.summed(_itself)


class SparseSegmentSqrtNGrad(WholeRowGradient):
    """The gradient of sums divided by the root of the size."""

    grad = In("T ...")
    indices = In("Tidx n")
    segment_ids = In("Tsegmentids n")
    output_dim0 = In("i32")
    output = Out("T ...")
    T = FLOATS
    Tidx = INDEX
    Tsegmentids = INDEX

    def expand(self) -> Any:
        return self.summed(sqrt)


class SparseSegmentSqrtNGradV2(ChosenRowGradient):
    """The gradient of sums divided by the root of the size, of the rows that were chosen."""

    grad = In("T ...")
    indices = In("Tidx n")
    segment_ids = In("Tsegmentids n")
    dense_output_dim0 = In("i32")
    output = Out("T ...")
    sorted_unique_indices = Out("Tidx m")
    T = FLOATS
    Tidx = INDEX
    Tsegmentids = INDEX

    def expand(self) -> Any:
        return self.summed(sqrt)
