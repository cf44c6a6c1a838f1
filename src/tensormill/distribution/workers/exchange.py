"""Tensors of all workers become sums, means and rows, few at a time: each exchange takes long."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ...core.dtypes import DType
from ...ops.array.concatenation import concat, split
from ...ops.array.indexed_slices import IndexedSlices
from ...ops.array.rearrangement import transpose
from ...ops.array.shapes import reshape, shape, size
from ...ops.control.collectives import all_gathered, all_reduced
from ..reduction import ReduceOp, axis_of, divided


class Exchange:
    """Between `workers` processes, which wait so many seconds for each other; 0: as told."""

    def __init__(self, workers: int, seconds: float = 0.0) -> None:
        self._workers: Final = workers
        self._seconds: Final = seconds

    def reduced(self, reduce_op: ReduceOp, values: Sequence[Any]) -> list[Any]:
        """The sum or mean of each of several tensors or IndexedSlices, in as many exchanges as
        these have dtypes; a mean of integers is a float64.
        """
        totals: dict[int, Any] = {}
        for dtype in dict.fromkeys(value.dtype for value in values):
            totals |= self._of_dtype(dtype, values)
        found = [totals[place] for place in range(len(values))]
        if reduce_op is ReduceOp.SUM:
            return found
        return [divided(total, self._workers) for total in found]

    def _of_dtype(self, dtype: DType, values: Sequence[Any]) -> dict[int, Any]:
        some = {place: value for place, value in enumerate(values) if value.dtype is dtype}
        dense = {k: one for k, one in some.items() if not isinstance(one, IndexedSlices)}
        rows = {k: self._all_rows(some[k]) for k in some.keys() - dense.keys()}
        return dict(zip(dense, self._summed(list(dense.values())), strict=True)) | rows

    def _summed(self, tensors: Sequence[Any]) -> list[Any]:
        """The sums of tensors of one dtype, packed into one."""
        if len(tensors) < 2:
            return [all_reduced(one, self._workers, seconds=self._seconds) for one in tensors]
        packed = concat([reshape(one, [-1]) for one in tensors], 0)
        total = all_reduced(packed, self._workers, seconds=self._seconds)
        counts = [_known_size(one) for one in tensors]
        parts = split(total, counts, 0, num=len(tensors))
        return [reshape(part, _known_shape(one)) for part, one in zip(parts, tensors, strict=True)]

    def _all_rows(self, slices: IndexedSlices) -> IndexedSlices:
        """The sum of slices: all of them."""
        return IndexedSlices(
            self.gathered(slices.values, 0),
            self.gathered(slices.indices, 0),
            slices.dense_shape,
        )

    def gathered(self, tensor: Any, axis: int) -> Any:
        """What all workers have, joined along an axis, in which they may differ.

        Raises:
            ValueError: the number of axes is not known, or there is no such axis.
        """
        rank, where = tensor.shape.rank, axis_of(tensor, axis)
        if rank is None:
            raise ValueError(f"all_gather along axis {axis} of a tensor of unknown rank")
        if not where:
            return all_gathered(tensor, self._workers, self._seconds)
        order = [where, *(other for other in range(rank) if other != where)]
        back = sorted(range(rank), key=order.__getitem__)
        return transpose(all_gathered(transpose(tensor, order), self._workers, self._seconds), back)


def _known_size(tensor: Any) -> Any:
    known = tensor.shape.num_elements()
    return size(tensor) if known is None else known


def _known_shape(tensor: Any) -> Any:
    return tensor.shape if tensor.shape.is_fully_defined() else shape(tensor)
