"""Systems of equations with triangular matrices."""

from __future__ import annotations

from typing import Any

from ...core.shapes import broadcast_dims
from ...core.specs import TensorSpec
from ...errors import ShapeMismatchError
from ..array.broadcasting import unbroadcast
from ..bind import bind
from ..demands import refuse
from ..dispatch.meanings import dispatchable
from ..op import Attr, In, Op, Out, types
from .band_parts import band_part
from .matmul import demand_batches, matmul, product


class MatrixTriangularSolve(Op):
    """x with matrix x = rhs (adjoint: matrix^H x = rhs); leading axes broadcast.

    Only the lower (or upper) triangle of `matrix` is read. A zero on its diagonal gives infinity
    or NaN.
    """

    matrix = In("T ...")
    rhs = In("T ...")
    output = Out("T ...")
    lower_ = Attr(True)
    adjoint = Attr(False)
    T = types("f32 f64 c64 c128")
    native_from = 1

    def demands(self, sizes: Any) -> None:
        matrix, rhs = sizes.shape(self.matrix), sizes.shape(self.rhs)
        if len(matrix) < 2 or len(rhs) < 2:
            refuse(ShapeMismatchError, NO_MATRICES, matrix, rhs)
        rows, columns = matrix[-2:]
        sizes.require(sizes.equal(rows, columns), ShapeMismatchError, NOT_SQUARE, columns, rows)
        fits = sizes.equal(rows, rhs[-2])
        sizes.require(fits, ShapeMismatchError, UNLIKE_ROWS, rows, rhs[-2], matrix, rhs)
        demand_batches(sizes, matrix, rhs)

    def infer(self) -> TensorSpec:
        matrix, rhs = self.matrix.shape.entries, self.rhs.shape.entries
        if matrix is None or rhs is None:
            return TensorSpec(None, self.rhs.dtype)
        rows = next((one for one in (*matrix[-2:], rhs[-2]) if one is not None), None)
        batch = broadcast_dims(tuple(matrix[:-2]), tuple(rhs[:-2]))
        return TensorSpec((*batch, rows, rhs[-1]), self.rhs.dtype)

    def eager(self, np: Any) -> Any:
        matrix, upwards = self.matrix, not self.lower_
        batch = np.broadcast_shapes(matrix.shape[:-2], self.rhs.shape[:-2])
        shape = (*batch, *self.rhs.shape[-2:])
        if self.adjoint:
            matrix, upwards = np.conj(np.swapaxes(matrix, -1, -2)), self.lower_
        x = np.broadcast_to(self.rhs, shape).copy()
        with np.errstate(all="ignore"):
            substitute(np, matrix, x, upwards)
        return x

    def xla(self, xla: Any) -> Any:
        np, matrix, rhs = xla.np, self.matrix, self.rhs
        batch = np.broadcast_shapes(matrix.shape[:-2], rhs.shape[:-2])
        matrix = np.broadcast_to(matrix, (*batch, *matrix.shape[-2:]))
        rhs = np.broadcast_to(rhs, (*batch, *rhs.shape[-2:]))
        return xla.lax.linalg.triangular_solve(
            matrix, rhs, left_side=True, lower=self.lower_, transpose_a=self.adjoint,
            conjugate_a=self.adjoint,
        )  # fmt: skip

    def lower(self, loops: Any) -> Any:
        return loops.substitute(self.matrix, self.rhs, self.lower_, self.adjoint)

    def vjp(self, doutput: Any) -> Any:
        matrix, x = self.matrix, self.output
        drhs = triangular_solve(matrix, doutput, self.lower_, not self.adjoint)
        left, right = (x, drhs) if self.adjoint else (drhs, x)
        product = -matmul(left, right, adjoint_b=True)
        dmatrix = band_part(product, -1, 0) if self.lower_ else band_part(product, 0, -1)
        return unbroadcast(dmatrix, matrix), unbroadcast(drhs, self.rhs)


NO_MATRICES = "In[0] and In[1] ndims must be >= 2: {} {}"
NOT_SQUARE = "In[0] matrices in the last dimensions must be square ({} =/= {})"
UNLIKE_ROWS = "In[0] mismatch In[1] shape: {} vs. {}: {} {}"
BLOCK = 32


def substitute(np: Any, matrix: Any, x: Any, upwards: bool) -> None:
    """Solve in place, block after block, so that most of the work is products of matrices."""
    size = matrix.shape[-1]
    for step in range(0, size, BLOCK):
        if upwards:
            low, high = max(size - step - BLOCK, 0), size - step
            rest = slice(high, size)
        else:
            low, high = step, min(step + BLOCK, size)
            rest = slice(0, low)
        x[..., low:high, :] -= product(np, matrix[..., low:high, rest], x[..., rest, :])
        _substitute_rows(np, matrix, x, (low, high), upwards)


def _substitute_rows(np: Any, matrix: Any, x: Any, block: tuple[int, int], upwards: bool) -> None:
    low, high = block
    rows = range(high - 1, low - 1, -1) if upwards else range(low, high)
    for row in rows:
        known = slice(row + 1, high) if upwards else slice(low, row)
        if known.start < known.stop:
            factors = matrix[..., row : row + 1, known]
            x[..., row, :] -= product(np, factors, x[..., known, :])[..., 0, :]
        x[..., row, :] /= matrix[..., row, row, None]


@dispatchable
def triangular_solve(
    matrix: Any, rhs: Any, lower: bool = True, adjoint: bool = False, name: str | None = None
) -> Any:
    """x with matrix x = rhs, where only the lower (or upper) triangle of `matrix` counts.

    matrix: [..., m, m]. rhs: [..., m, k]; leading axes broadcast. adjoint: solve with matrix^H.
    float32, float64 or complex. A zero on the diagonal gives infinity or NaN.

    >>> tf.linalg.triangular_solve([[2., 100.], [1., 4.]], [[4.], [14.]]).numpy()
    array([[2.],
           [3.]], dtype=float32)

    Raises:
        InvalidArgumentError: the sizes do not fit.
    """
    return bind(MatrixTriangularSolve, matrix, rhs, lower_=lower, adjoint=adjoint, name=name)


@dispatchable
def cholesky_solve(chol: Any, rhs: Any, name: str | None = None) -> Any:
    """x with A x = rhs, where `chol` is the Cholesky factor of A.

    chol: [..., m, m], whose lower triangle counts. rhs: [..., m, k]; leading axes broadcast.
    float32, float64 or complex.

    >>> tf.linalg.cholesky_solve([[2., 0.], [1., 2.]], [[8.], [12.]]).numpy()
    array([[1.],
           [2.]], dtype=float32)

    Raises:
        InvalidArgumentError: the sizes do not fit.
    """
    half = triangular_solve(chol, rhs)
    return triangular_solve(chol, half, adjoint=True, name=name)
