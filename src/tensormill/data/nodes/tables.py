"""Rows that can be had by their number, so that orders are arithmetic on indices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from ...eager.tensor import wrap

Array = np.ndarray[Any, Any]
Element = tuple[Any, ...]


class RowTable(Protocol):
    """`count` rows, each a tuple of tensors."""

    @property
    def count(self) -> int: ...

    @property
    def row_bytes(self) -> int:
        """How many bytes of memory a row takes."""
        ...

    def row(self, index: Any) -> Element:
        """One row."""
        ...

    def arrays(self, indices: Any) -> list[Array]:
        """The rows with these indices (a range or an array), stacked, component by component."""
        ...


class ArraySlices:
    """The slices of arrays along their first axis."""

    def __init__(self, columns: Sequence[Array]) -> None:
        self.columns = tuple(columns)
        self.count = len(self.columns[0])
        self._only = self.columns[0] if len(self.columns) == 1 else None
        self.row_bytes = sum(column.nbytes for column in self.columns) // max(self.count, 1)

    def row(self, index: Any) -> Element:
        if self._only is not None:
            return (wrap(self._only[index, ...]),)
        return tuple([wrap(column[index, ...]) for column in self.columns])

    def arrays(self, indices: Any) -> list[Array]:
        if isinstance(indices, range) and indices.step == 1:
            rows = slice(indices.start, indices.stop)
            return [column[rows] for column in self.columns]
        # `mode` other than "raise" spares a copy of the result; the indices are right.
        return [column.take(indices, 0, mode="clip") for column in self.columns]


class Arithmetic:
    """`start + step * index`, never stored."""

    def __init__(self, count: int, start: int, step: int, dtype: np.dtype[Any]) -> None:
        self.count, self.start, self.step, self.dtype = count, start, step, dtype
        self.row_bytes = dtype.itemsize

    def row(self, index: Any) -> Element:
        return (wrap(np.array(self.start + self.step * int(index), self.dtype)),)

    def arrays(self, indices: Any) -> list[Array]:
        numbers = np.asarray(indices, np.int64) * self.step + self.start
        return [numbers.astype(self.dtype, copy=False)]


class ZippedTables:
    """Several tables, row by row, as long as the shortest."""

    def __init__(self, parts: Sequence[RowTable]) -> None:
        self.parts = tuple(parts)
        self.count = min(part.count for part in parts)
        self.row_bytes = sum(part.row_bytes for part in parts)

    def row(self, index: Any) -> Element:
        return tuple([one for part in self.parts for one in part.row(index)])

    def arrays(self, indices: Any) -> list[Array]:
        return [one for part in self.parts for one in part.arrays(indices)]
