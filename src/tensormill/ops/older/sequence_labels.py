"""Labels of sequences in sparse matrices, before connectionist temporal classification."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ..array.concatenation import concat, stack
from ..array.fill import ones_like
from ..array.fill import range as range_of
from ..array.gather import gather
from ..array.select import boolean_mask
from ..array.shapes import size
from ..math.cast import cast
from ..math.comparison import equal, logical_and, logical_not, logical_or
from ..math.segments import unsorted_segment_min, unsorted_segment_sum
from ..sparse.sparse_tensor import SparseTensor


def which_fit(labels: SparseTensor, lengths: Any) -> Any:
    """Of which sequences there is a step for each label, before equal ones are collapsed.

    Blanks between equal labels do not count: without a step for one the loss is infinite.
    """
    rows = _rows(labels)
    needed = unsorted_segment_sum(ones_like(rows), rows, labels.dense_shape[0])
    return needed <= cast(lengths, dtypes.int64)


def collapsed(labels: SparseTensor, fits: Any) -> SparseTensor:
    """Of equal labels in a row the first; those of sequences that do not fit stay."""
    rows, values = _rows(labels), labels.values
    repeat = logical_and(_is_later(rows), concat([_none(rows), equal(values[1:], values[:-1])], 0))
    stays = logical_not(logical_and(repeat, gather(fits, rows)))
    rows = boolean_mask(rows, stays)
    numbers = cast(range_of(size(rows)), dtypes.int64)
    first = unsorted_segment_min(numbers, rows, labels.dense_shape[0])
    places = stack([rows, numbers - gather(first, rows)], 1)
    return SparseTensor(places, boolean_mask(values, stays), labels.dense_shape)


def first_unless(labels: SparseTensor, fits: Any) -> SparseTensor:
    """The labels of the sequences that fit, and the first one of each of the others."""
    rows = _rows(labels)
    stays = logical_or(gather(fits, rows), logical_not(_is_later(rows)))
    places, values = boolean_mask(labels.indices, stays), boolean_mask(labels.values, stays)
    return SparseTensor(places, values, labels.dense_shape)


def _rows(labels: SparseTensor) -> Any:
    return labels.indices[:, 0]


def _is_later(rows: Any) -> Any:
    """Which labels are not the first of their sequence."""
    return concat([_none(rows), equal(rows[1:], rows[:-1])], 0)


def _none(several: Any) -> Any:
    """A false for the first, if there is one."""
    return logical_not(ones_like(several[:1], dtypes.bool_))
