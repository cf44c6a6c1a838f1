"""The public functions of whole rows, and of segments, that also take ragged tensors.

Not beside the others in `dispatched`, which most programs load.
"""

from __future__ import annotations

from ..array import partitions
from ..composites import aware, on_values
from ..math import moments as statistics
from ..math import scan, segments, special

cumsum = aware(scan.cumsum, "ragged.parts.cumsum")
dynamic_partition = aware(partitions.dynamic_partition, "ragged.parts.dynamic_partition")
erfcinv = on_values(special.erfcinv)
moments = aware(statistics.moments, "ragged.reduce.nn_moments")
reduce_logsumexp = aware(statistics.reduce_logsumexp, "ragged.reduce.reduce_logsumexp")
unsorted_segment_max = aware(segments.unsorted_segment_max, "ragged.reduce.unsorted_segment_max")
unsorted_segment_mean = aware(segments.unsorted_segment_mean, "ragged.reduce.unsorted_segment_mean")
unsorted_segment_min = aware(segments.unsorted_segment_min, "ragged.reduce.unsorted_segment_min")
unsorted_segment_prod = aware(segments.unsorted_segment_prod, "ragged.reduce.unsorted_segment_prod")
unsorted_segment_sqrt_n = aware(
    segments.unsorted_segment_sqrt_n, "ragged.reduce.unsorted_segment_sqrt_n"
)
unsorted_segment_sum = aware(segments.unsorted_segment_sum, "ragged.reduce.unsorted_segment_sum")
