"""Parts of matrices: bands around the diagonal."""

from __future__ import annotations

from typing import Any

from ..core import dtypes
from .bind import bind
from .op import ANY, INDEX, In, Op, Out


class MatrixBandPart(Op):
    """Matrices with zeros outside of a band around the diagonal.

    num_lower, num_upper: how many diagonals below and above it are kept (negative: all).
    """

    input = In("T *batch m n")
    num_lower = In("Tindex")
    num_upper = In("Tindex")
    band = Out("T *batch m n")
    T = ANY - frozenset((dtypes.string,))
    Tindex = INDEX

    def eager(self, np: Any) -> Any:
        lower, upper = int(self.num_lower), int(self.num_upper)
        rows, columns = self.input.shape[-2:]
        offset = np.arange(columns) - np.arange(rows)[:, None]
        kept = (lower < 0) | (-offset <= lower)
        kept = kept & ((upper < 0) | (offset <= upper))
        return np.where(kept, self.input, np.zeros((), self.input.dtype))

    def lower(self, loops: Any) -> Any:
        x, s = self.input, loops.scalars
        (low,), (high,) = loops.sizes(self.num_lower), loops.sizes(self.num_upper)
        zero = loops.constant(0, x.dtype)

        def element(*index: Any) -> Any:
            row, column = index[-2:]
            below = _either(low < 0, row - column <= low)
            above = _either(high < 0, column - row <= high)
            if isinstance(below, bool) or isinstance(above, bool):
                kept = above if below is True else below
                return x[index] if kept is True else s.where(kept, x[index], zero)
            return s.where(below & above, x[index], zero)

        return loops.map(x.shape, x.dtype, element)

    def vjp(self, dband: Any) -> Any:
        return bind(MatrixBandPart, dband, self.num_lower, self.num_upper), None, None


def _either(always: Any, sometimes: Any) -> Any:
    if isinstance(always, bool):
        return True if always else sometimes
    return always | sometimes


def band_part(input: Any, num_lower: Any, num_upper: Any, name: str | None = None) -> Any:
    """Matrices with zeros outside of a band around the diagonal (negative: keep all)."""
    return bind(MatrixBandPart, input, num_lower, num_upper, name=name)
