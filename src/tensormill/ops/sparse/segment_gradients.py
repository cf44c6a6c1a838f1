"""The gradients of segments of chosen rows, as TensorFlow's graphs have them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from ..array.fill import ones_like
from ..array.gather import gather
from ..array.shapes import reshape, shape_of
from ..families import Rephrased
from ..math.arithmetic import maximum
from ..math.cast import cast
from ..math.elementwise import sqrt
from ..math.segments import unsorted_segment_sum
from ..op import FLOATS, INDEX, In, Out, usually
from .linear_indices import grouped, wide


class RowGradient(Rephrased, abstract=True):
    """What each chosen row gets of its segment's gradient; `weigh` gives divisors of the sizes of
    segments.
    """

    grad = In("T ...")
    indices = In("Tidx n")
    segment_ids = In("Tsegmentids n")
    T = FLOATS
    Tidx = INDEX
    Tsegmentids = INDEX
    weigh: ClassVar[Callable[[Any], Any] | None] = None

    def shares(self) -> Any:
        """A row for each that was chosen."""
        rows, ids, weigh = self.grad, self.segment_ids, type(self).weigh
        if weigh is not None:
            counts = unsorted_segment_sum(ones_like(ids), ids, shape_of(rows)[0])
            divisors = cast(weigh(cast(maximum(counts, 1), "float64")), rows.dtype)
            flat = reshape(rows, [shape_of(rows)[0], -1]) / divisors[:, None]
            rows = reshape(flat, shape_of(rows))
        return gather(rows, ids)


class WholeRowGradient(RowGradient, abstract=True):
    """The gradient of all rows, of which there are `output_dim0`."""

    output_dim0 = In("i32")
    output = Out("T ...")

    def expand(self) -> Any:
        return unsorted_segment_sum(self.shares(), self.indices, self.output_dim0)


class ChosenRowGradient(RowGradient, abstract=True):
    """The gradient of those rows that were chosen, and which these are, in ascending order."""

    dense_output_dim0 = In("i32")
    output = Out("T ...")
    sorted_unique_indices = Out("Tidx m")
    usual = usually(Tidx="i32", Tsegmentids="i32")

    def expand(self) -> tuple[Any, Any]:
        groups = grouped(wide(self.indices))
        rows = gather(self.shares(), groups.order)
        total = unsorted_segment_sum(rows, groups.members, groups.count)
        return total, cast(groups.places, self.indices.dtype)


def _itself(counts: Any) -> Any:
    return counts


class SparseSegmentSumGrad(WholeRowGradient):
    """The gradient of sums."""


class SparseSegmentSumGradV2(ChosenRowGradient):
    """The gradient of sums, of the rows that were chosen."""


class SparseSegmentMeanGrad(WholeRowGradient):
    """The gradient of means."""

    weigh = _itself


class SparseSegmentMeanGradV2(ChosenRowGradient):
    """The gradient of means, of the rows that were chosen."""

    weigh = _itself


class SparseSegmentSqrtNGrad(WholeRowGradient):
    """The gradient of sums divided by the root of the size."""

    weigh = sqrt


class SparseSegmentSqrtNGradV2(ChosenRowGradient):
    """The gradient of sums divided by the root of the size, of the rows that were chosen."""

    weigh = sqrt
