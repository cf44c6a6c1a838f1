"""Parts of matrices: bands around the diagonal; diagonals of tensors of any rank."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ...core import dtypes
from ...core.native_operations import SLOW
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, KernelMissingError, ShapeMismatchError
from ..bind import bind
from ..demands import refuse
from ..dispatch.meanings import dispatchable
from ..op import ANY, COMPLEX, FLOATS, INDEX, In, Op, Out, as_eager

if TYPE_CHECKING:
    from ..results import Tensor


class MatrixBandPart(Op):
    """Matrices with zeros outside of a band around the diagonal.

    num_lower, num_upper: how many diagonals below and above it are kept (negative: all).

    Raises:
        InvalidArgumentError: there are not as many rows or columns.
    """

    native_from = SLOW

    input = In("T *batch m n")
    num_lower = In("Tindex")
    num_upper = In("Tindex")
    band = Out("T *batch m n")
    T = ANY - frozenset((dtypes.string,))
    refusal = KernelMissingError
    Tindex = INDEX
    xla = as_eager

    def demands(self, sizes: Any) -> Any:
        """How many diagonals are kept below and above."""
        (low,), (high,) = sizes.numbers(self.num_lower), sizes.numbers(self.num_upper)
        *_, rows, columns = sizes.shape(self.input, 2)
        sizes.require_late(low <= rows, InvalidArgumentError, TOO_LOW, rows, low)
        sizes.require_late(high <= columns, InvalidArgumentError, TOO_HIGH, columns, high)
        return low, high

    def eager(self, np: Any) -> Any:
        (lower, upper), (rows, columns) = self.found, self.input.shape[-2:]
        if not self.input.size:
            return self.input.copy()  # a mask of rows and columns would take memory for nothing
        offset = np.arange(columns) - np.arange(rows)[:, None]
        kept = (lower < 0) | (-offset <= lower)
        kept = kept & ((upper < 0) | (offset <= upper))
        return np.where(kept, self.input, np.zeros((), self.input.dtype))

    def lower(self, loops: Any) -> Any:
        x, s = self.input, loops.scalars
        (low, high), zero = self.found, loops.constant(0, x.dtype)

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


TOO_LOW = "num_lower must be negative or less or equal to number of rows ({}) got: {}"
TOO_HIGH = "num_upper must be negative or less or equal to number of columns ({}) got: {}"


def _either(always: Any, sometimes: Any) -> Any:
    if isinstance(always, bool):
        return True if always else sometimes
    return always | sometimes


@dispatchable
def band_part(input: Any, num_lower: Any, num_upper: Any, name: str | None = None) -> Tensor:
    """Matrices with zeros outside of a band around the diagonal (negative: keep all).

    input: [..., m, n], any dtype but strings; the result is alike. num_lower, num_upper: how many
    diagonals below and above the main one are kept.

    >>> tf.linalg.band_part([[1, 2, 3], [4, 5, 6], [7, 8, 9]], 1, 0).numpy()
    array([[1, 0, 0],
           [4, 5, 0],
           [0, 8, 9]], dtype=int32)
    >>> tf.linalg.band_part([[1, 2], [3, 4]], 0, -1).numpy()
    array([[1, 2],
           [0, 4]], dtype=int32)

    Raises:
        InvalidArgumentError: there are not as many rows or columns, or fewer than two axes.
    """
    return bind(MatrixBandPart, input, num_lower, num_upper, name=name)


class Diag(Op):
    """A tensor with the shape of `diagonal` twice, and its elements on the diagonal."""

    diagonal = In("T ...")
    output = Out("T ...")
    T = FLOATS | COMPLEX | INDEX
    xla = as_eager

    def demands(self, sizes: Any) -> None:
        if not sizes.shape(self.diagonal):
            refuse(InvalidArgumentError, "Diag: Input must be at least rank 1, got 0")

    def infer(self) -> TensorSpec:
        dims = self.diagonal.shape.entries
        return TensorSpec(None if dims is None else dims + dims, self.diagonal.dtype)

    def eager(self, np: Any) -> Any:
        if not self.diagonal.size:
            return np.empty(self.diagonal.shape * 2, self.diagonal.dtype)
        return np.diag(self.diagonal.reshape(-1)).reshape(self.diagonal.shape * 2)

    def lower(self, loops: Any) -> Any:
        x, s = self.diagonal, loops.scalars
        zero = loops.constant(0, x.dtype)

        def element(*index: Any) -> Any:
            left, right = index[: x.rank], index[x.rank :]
            same = left[0] == right[0]
            for one, other in zip(left[1:], right[1:], strict=True):
                same = same & (one == other)
            return s.where(same, x[left], zero)

        return loops.map([*x.shape, *x.shape], x.dtype, element)

    def vjp(self, doutput: Any) -> Any:
        return tensor_diag_part(doutput)


class DiagPart(Op):
    """The diagonal of a tensor whose shape is some sizes twice.

    Raises:
        InvalidArgumentError: its shape is not.
    """

    input = In("T ...")
    diagonal = Out("T ...")
    T = Diag.T

    def demands(self, sizes: Any) -> None:
        shape = sizes.shape(self.input)
        if len(shape) % 2:
            refuse(ShapeMismatchError, ODD, shape)
        half = len(shape) // 2
        sizes.alike(shape[:half], shape[half:], ShapeMismatchError, UNEQUAL)

    def infer(self) -> TensorSpec:
        dims = self.input.shape.entries
        if dims is None:
            return TensorSpec(None, self.input.dtype)
        half = len(dims) // 2
        known = [a if b is None else b for a, b in zip(dims[:half], dims[half:], strict=True)]
        return TensorSpec(known, self.input.dtype)

    def eager(self, np: Any) -> Any:
        shape = self.input.shape[: self.input.ndim // 2]
        count = int(np.prod(shape, dtype=np.int64))
        return np.diagonal(self.input.reshape(count, count)).reshape(shape)

    def xla(self, xla: Any) -> Any:
        shape = self.input.shape[: self.input.ndim // 2]
        count = math.prod(shape)
        return xla.np.diagonal(self.input.reshape(count, count)).reshape(shape)

    def lower(self, loops: Any) -> Any:
        x = self.input
        half = x.shape[: x.rank // 2]
        return loops.view(half, x.dtype, lambda *index: x[[*index, *index]])

    def vjp(self, ddiagonal: Any) -> Any:
        return tensor_diag(ddiagonal)


ODD = "DiagPart: The rank of the tensor should be even, got shape {}"
UNEQUAL = "DiagPart: Invalid shape: sizes that should be equal are {} and {}"


@dispatchable
def tensor_diag(diagonal: Any, name: str | None = None) -> Any:
    """A tensor with the shape of `diagonal` twice, and its elements on the diagonal.

    diagonal: numbers of any shape s but []; the result is [*s, *s], zero elsewhere.

    >>> tf.linalg.tensor_diag([1, 2]).numpy()
    array([[1, 0],
           [0, 2]], dtype=int32)
    >>> tf.linalg.tensor_diag(tf.ones([2, 3])).shape
    TensorShape([2, 3, 2, 3])

    Raises:
        InvalidArgumentError: `diagonal` is a scalar.
    """
    return bind(Diag, diagonal, name=name)


@dispatchable
def tensor_diag_part(input: Any, name: str | None = None) -> Any:
    """The diagonal of a tensor whose shape is some sizes twice: [*s, *s] gives [*s]. Numbers.

    >>> tf.linalg.tensor_diag_part([[1, 2], [3, 4]]).numpy()
    array([1, 4], dtype=int32)

    Raises:
        InvalidArgumentError: its shape is not.
    """
    return bind(DiagPart, input, name=name)
