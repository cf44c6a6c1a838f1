"""The public functions of whole rows, and of segments, that also take ragged tensors.

Not beside the others in `dispatched`, which most programs load.
"""

from __future__ import annotations

from . import moments as statistics
from . import (
    partitions,
    scan,
    segment,
    special,
)
from .composites import aware, on_values

cumsum = aware(scan.cumsum, "ragged_parts.cumsum")
dynamic_partition = aware(partitions.dynamic_partition, "ragged_parts.dynamic_partition")
erfcinv = on_values(special.erfcinv)
moments = aware(statistics.moments, "ragged_reduce.nn_moments")
reduce_logsumexp = aware(statistics.reduce_logsumexp, "ragged_reduce.reduce_logsumexp")
unsorted_segment_max = aware(segment.unsorted_segment_max, "ragged_reduce.unsorted_segment_max")
unsorted_segment_mean = aware(segment.unsorted_segment_mean, "ragged_reduce.unsorted_segment_mean")
unsorted_segment_min = aware(segment.unsorted_segment_min, "ragged_reduce.unsorted_segment_min")
unsorted_segment_prod = aware(segment.unsorted_segment_prod, "ragged_reduce.unsorted_segment_prod")
unsorted_segment_sqrt_n = aware(
    segment.unsorted_segment_sqrt_n, "ragged_reduce.unsorted_segment_sqrt_n"
)
unsorted_segment_sum = aware(segment.unsorted_segment_sum, "ragged_reduce.unsorted_segment_sum")
