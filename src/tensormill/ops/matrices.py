"""Parts of matrices: diagonals, triangles, traces."""

from __future__ import annotations

from typing import Any

from ..core import dtypes
from ..core.specs import TensorSpec
from ..errors import InvalidArgumentError
from . import sizes
from .bind import bind
from .conversion import as_tensor
from .op import ANY, INDEX, In, Op, Out
from .reduce import reduce_sum


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


class MatrixDiag(Op):
    """Square matrices with the given diagonals, and zeros elsewhere."""

    diagonal = In("T *batch n")
    output = Out("T *batch n n")
    T = ANY - frozenset((dtypes.string,))

    def eager(self, np: Any) -> Any:
        size = self.diagonal.shape[-1]
        whole = np.zeros((*self.diagonal.shape, size), self.diagonal.dtype)
        places = np.arange(size)
        whole[..., places, places] = self.diagonal
        return whole

    def lower(self, loops: Any) -> Any:
        x, s = self.diagonal, loops.scalars
        zero = loops.constant(0, x.dtype)

        def element(*index: Any) -> Any:
            return s.where(index[-1] == index[-2], x[index[:-1]], zero)

        return loops.map([*x.shape, x.shape[-1]], x.dtype, element)

    def vjp(self, doutput: Any) -> Any:
        return bind(MatrixDiagPart, doutput)


class MatrixDiagPart(Op):
    """The main diagonals of matrices."""

    input = In("T *batch m n")
    diagonal = Out("T *batch p")
    T = ANY - frozenset((dtypes.string,))

    def infer(self) -> TensorSpec:
        dims = self.input.shape.dims
        if dims is None:
            return TensorSpec(None, self.input.dtype)
        if len(dims) < 2:
            raise InvalidArgumentError(f"MatrixDiagPart: not a matrix: shape {list(dims)}")
        *batch, m, n = dims
        return TensorSpec((*batch, None if None in (m, n) else min(m, n)), self.input.dtype)

    def eager(self, np: Any) -> Any:
        return np.diagonal(self.input, axis1=-2, axis2=-1)

    def lower(self, loops: Any) -> Any:
        x = self.input
        length = sizes.minimum(loops, x.shape[-2], x.shape[-1])
        shape = [*x.shape[:-2], length]
        return loops.view(shape, x.dtype, lambda *index: x[[*index, index[-1]]])

    def vjp(self, ddiagonal: Any) -> Any:
        from .padding import pad
        from .shapes import shape_of

        rows, columns = self.input.shape[-2], self.input.shape[-1]
        square = bind(MatrixDiag, ddiagonal)
        if rows == columns and rows is not None:
            return square
        sizes_of_input, length = shape_of(self.input), shape_of(ddiagonal)[-1]
        more = [[0, 0]] * (self.input.shape.rank - 2)
        tail = [[0, sizes_of_input[k] - length] for k in (-2, -1)]
        return pad(square, as_tensor([*more, *tail]))


def diag(
    diagonal: Any,
    name: str | None = "diag",
    k: Any = 0,
    num_rows: int = -1,
    num_cols: int = -1,
    padding_value: Any = 0,
    align: str = "RIGHT_LEFT",
) -> Any:
    """Matrices with `diagonal` [..., n] on their main diagonal, zeros (`padding_value`) elsewhere.

    Raises:
        ValueError: another diagonal than the main one is asked for.
    """
    _main_diagonal(k)
    matrix = bind(MatrixDiag, diagonal, name=name)
    rows, columns = matrix.shape[-2], matrix.shape[-1]
    if num_rows in (-1, rows) and num_cols in (-1, columns) and _is_zero(padding_value):
        return matrix
    raise ValueError("diag makes square matrices with zeros around their diagonal")


def diag_part(
    input: Any,
    name: str | None = "diag_part",
    k: Any = 0,
    padding_value: Any = 0,
    align: str = "RIGHT_LEFT",
) -> Any:
    """The main diagonals of matrices.

    Raises:
        ValueError: another diagonal than the main one is asked for.
    """
    _main_diagonal(k)
    return bind(MatrixDiagPart, input, name=name)


def _main_diagonal(k: Any) -> None:
    if not _is_zero(k):
        raise ValueError(f"only the main diagonal (k=0) is supported, not k={k}")


def _is_zero(value: Any) -> bool:
    return isinstance(value, (int, float)) and value == 0


def trace(x: Any, name: str | None = None) -> Any:
    """The sums of the main diagonals."""
    return reduce_sum(bind(MatrixDiagPart, x), [-1], name=name)
