"""Ragged tensors taken apart along an axis, dealt out, and summed up step by step."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ..array import partitions as dense
from ..array.concatenation import split as dense_split
from ..array.gather import gather_nd
from ..checks.assertions import Assert
from ..conversion import as_tensor, static_value
from ..dispatch.meanings import means_for
from ..math import scan
from ..math.cast import cast
from ..math.reduce import reduce_all, reduce_sum
from .functions import boolean_mask, coordinates
from .ragged_tensor import RaggedTensor
from .reduce import axis_of, rank_of, require_same_splits

WHOLE = slice(None)


@means_for(dense_split, RaggedTensor)
def split(
    value: Any, num_or_size_splits: Any, axis: Any = 0, num: int | None = None,
    name: str | None = "split",
) -> Any:  # fmt: skip
    """Equal parts along an axis of one size, or parts of given sizes.

    Raises:
        ValueError: rows along the axis differ in length, or the number of parts is not known.
        InvalidArgumentError: the parts are not the whole, or a size is negative.
    """
    if not isinstance(value, RaggedTensor):
        return NotImplemented
    axis = axis_of(axis, rank_of(value))
    if axis > value.ragged_rank:
        flat, inner = value.flat_values, axis - value.ragged_rank
        parts = dense_split(flat, num_or_size_splits, inner, num)
        return [value.with_flat_values(part) for part in parts]
    whole = _size(value, axis)
    sizes = as_tensor(num_or_size_splits, None, dtypes.int64)
    count = int(num_or_size_splits) if sizes.shape.rank == 0 else num or sizes.shape[0]
    if count is None:
        raise ValueError(
            "split of a ragged tensor into parts of sizes that a run tells needs `num`"
        )
    sizes = cast(sizes, whole.dtype)
    if sizes.shape.rank == 0:
        sizes = whole // sizes + as_tensor([0] * count, whole.dtype)
    Assert(reduce_all(sizes >= 0), ["split: the sizes of parts must be non-negative: ", sizes])
    fits = reduce_sum(sizes) == whole
    Assert(fits, ["split: the parts are not exactly the axis, of size ", whole, ": ", sizes])
    ends = scan.cumsum(sizes)
    keys = [slice(_known(ends[k] - sizes[k]), _known(ends[k])) for k in range(count)]
    return [value[(*[WHOLE] * axis, key)] for key in keys]


def _known(size: Any) -> Any:
    value = static_value(size)
    return size if value is None else int(value)


def _size(value: RaggedTensor, axis: int) -> Any:
    """The size of an axis whose rows are of one length."""
    if axis == 0:
        return value.nrows()
    rows: Any = value
    for _ in range(axis - 1):
        rows = rows.values
    if rows.uniform_row_length is None:
        raise ValueError(f"Cannot split a ragged dimension: axis {axis} of {value.shape}")
    return rows.uniform_row_length


@means_for(dense.dynamic_partition, RaggedTensor)
def dynamic_partition(
    data: Any, partitions: Any, num_partitions: int, name: str | None = None
) -> Any:
    """Rows dealt out; with ragged `partitions`, what is in them.

    Raises:
        InvalidArgumentError: there is no such part, or rows differ in length.
    """
    if isinstance(partitions, RaggedTensor):
        if not isinstance(data, RaggedTensor):
            data = RaggedTensor.from_tensor(data)
        require_same_splits(data.row_splits, partitions.row_splits)
        return dynamic_partition(data.values, partitions.values, num_partitions)
    if not isinstance(data, RaggedTensor):
        return dense.dynamic_partition(data, partitions, num_partitions)
    numbers = as_tensor(partitions)
    there = (numbers >= 0) & (numbers < num_partitions)
    Assert(reduce_all(there), ["dynamic_partition: there is no such part: ", numbers])
    return [boolean_mask(data, numbers == part) for part in range(num_partitions)]


@means_for(scan.cumsum, RaggedTensor)
def cumsum(
    x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> Any:
    """Sums of the elements so far along `axis`."""
    if not isinstance(x, RaggedTensor):
        return NotImplemented
    axis, inner = axis_of(axis, rank_of(x)), x.ragged_rank
    if axis > inner:
        flat = scan.cumsum(x.flat_values, axis - inner, exclusive, reverse)
        return x.with_flat_values(flat)
    sums = scan.cumsum(x.to_tensor(), axis, exclusive, reverse)
    return x.with_flat_values(gather_nd(sums, coordinates(x)))
