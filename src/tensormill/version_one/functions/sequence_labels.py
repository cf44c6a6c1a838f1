"""Labels of sequences in sparse matrices, before connectionist temporal classification."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...ops.array.concatenation import concat, stack
from ...ops.array.fill import ones_like
from ...ops.array.fill import range as range_of
from ...ops.array.gather import gather
from ...ops.array.select import boolean_mask
from ...ops.array.shapes import size
from ...ops.math.cast import cast
from ...ops.math.comparison import equal, logical_and, logical_not
from ...ops.math.segments import unsorted_segment_min, unsorted_segment_sum
from ...ops.sparse.sparse_tensor import SparseTensor


def collapsed(labels: SparseTensor) -> SparseTensor:
    """Of equal labels in a row the first."""
    begins = logical_not(_repeat(labels))
    values, rows = boolean_mask(labels.values, begins), _rows(labels)
    rows = boolean_mask(rows, begins)
    numbers = cast(range_of(size(rows)), dtypes.int64)
    first = unsorted_segment_min(numbers, rows, labels.dense_shape[0])
    places = stack([rows, numbers - gather(first, rows)], 1)
    return SparseTensor(places, values, labels.dense_shape)


def fitting(labels: SparseTensor, lengths: Any) -> tuple[SparseTensor, Any]:
    """The labels of the sequences with a step for each of them, and which sequences these are.

    Blanks between equal labels do not count: without a step for one the loss is infinite.
    """
    rows = _rows(labels)
    needed = unsorted_segment_sum(ones_like(rows), rows, labels.dense_shape[0])
    fits = needed <= cast(lengths, dtypes.int64)
    stays = gather(fits, rows)
    places, values = boolean_mask(labels.indices, stays), boolean_mask(labels.values, stays)
    return SparseTensor(places, values, labels.dense_shape), fits


def _rows(labels: SparseTensor) -> Any:
    return labels.indices[:, 0]


def _repeat(labels: SparseTensor) -> Any:
    """Which labels are equal to the one in front of them."""
    rows, values = _rows(labels), labels.values
    later = logical_and(equal(rows[1:], rows[:-1]), equal(values[1:], values[:-1]))
    return concat([logical_not(ones_like(values[:1], dtypes.bool_)), later], 0)
