"""Systems of equations, inverses and determinants, by LAPACK: NumPy's.

In compiled functions OpenBLAS's (compiler/native/lapack.py), and loops where matrices are small
(compiler/lowering/matrices/elimination.py).
"""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING, Any

import numpy as numpy_module

from ...core import dtypes
from ...core.native_operations import SLOW
from ...core.process.blas_threads import on_one_thread
from ...core.shapes import TensorShape
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, ShapeMismatchError
from ..bind import bind
from ..conversion import as_tensor
from ..demands import refuse
from ..dispatch.meanings import dispatchable
from ..math.arithmetic import conjugated
from ..math.cast import cast, in_dtype
from ..math.complex import real
from ..math.reduce import reduce_sum
from ..op import Attr, In, Op, Out, types
from ..sizes import maximum, minimum, scalar
from . import infinite
from .decompositions import (
    LAPACK,
    OfSquares,
    as_numbers_of,
    cholesky,
    demand_square,
    inner_sizes,
    nan_spread,
    nan_spread_in_xla,
    require_matrix,
    widened,
)
from .matmul import adjoint, matmul
from .triangular import cholesky_solve

if TYPE_CHECKING:
    from ..results import Tensor

# Called as TensorFlow calls it, which is also the name of the operation.
DeterminantResult = namedtuple("LogMatrixDeterminant", "sign log_abs_determinant")


class MatrixSolve(Op):
    """x with matrix x = rhs (adjoint: matrix^H x = rhs).

    Raises:
        InvalidArgumentError: a matrix is singular, or the sizes do not fit.
    """

    native_from = 1

    matrix = In("T ...")
    rhs = In("T ...")
    output = Out("T ...")
    adjoint = Attr(False)
    T = LAPACK

    def demands(self, sizes: Any) -> None:
        matrix, rhs = demand_square(sizes, "MatrixSolve", self.matrix), sizes.shape(self.rhs)
        if len(matrix) != len(rhs):
            refuse(ShapeMismatchError, UNLIKE_RANKS, "MatrixSolve", matrix, rhs)
        for one, other in zip(matrix[:-1], rhs[:-1], strict=True):
            fits = sizes.equal(one, other)
            sizes.require(fits, ShapeMismatchError, INCOMPATIBLE, "MatrixSolve", matrix, rhs)

    def infer(self) -> TensorSpec:
        matrix, rhs = self.matrix.shape.entries, self.rhs.shape.entries
        if matrix is None or rhs is None:
            return TensorSpec(None, self.rhs.dtype)
        many = TensorShape(matrix[:-2]).merge_with(TensorShape(rhs[:-2])).entries or ()
        rows = next((size for size in (*matrix[-2:], rhs[-2]) if size is not None), None)
        return TensorSpec((*many, rows, rhs[-1]), self.rhs.dtype)

    @on_one_thread
    def eager(self, np: Any) -> Any:
        matrix = self.matrix
        if self.adjoint:
            matrix = np.conj(np.swapaxes(matrix, -1, -2))
        try:
            found = np.linalg.solve(matrix, self.rhs)
        except np.linalg.LinAlgError:
            raise InvalidArgumentError(SINGULAR) from None
        return nan_spread(np, found, matrix, SINGULAR)

    def xla(self, xla: Any) -> Any:
        np, matrix = xla.np, self.matrix
        if self.adjoint:
            matrix = np.conj(np.swapaxes(matrix, -1, -2))
        return nan_spread_in_xla(np, np.linalg.solve(matrix, self.rhs), matrix)

    def lower(self, loops: Any) -> Any:
        singular = InvalidArgumentError, SINGULAR
        return loops.solve(self.matrix, self.rhs, self.adjoint, singular)

    def vjp(self, doutput: Any) -> Any:
        x = self.output
        drhs = bind(MatrixSolve, self.matrix, doutput, adjoint=not self.adjoint)
        left, right = (x, drhs) if self.adjoint else (drhs, x)
        return lambda: -matmul(left, right, adjoint_b=True), drhs


SINGULAR = "Input matrix is not invertible."
UNLIKE_RANKS = "{}: All input tensors must have the same rank, at least 2: got shapes {} and {}"
INCOMPATIBLE = "{}: Input matrix and rhs are incompatible: {} and {} (Dimensions must be equal)"


@dispatchable
def solve(matrix: Any, rhs: Any, adjoint: bool = False, name: str | None = None) -> Tensor:
    """x with matrix x = rhs, or matrix^H x = rhs. matrix: [..., m, m]; rhs: [..., m, k].

    float32, float64 or complex. The leading axes agree: they do not broadcast.

    >>> tf.linalg.solve([[2., 1.], [1., 1.]], [[5.], [3.]]).numpy()
    array([[2.],
           [1.]], dtype=float32)

    Raises:
        InvalidArgumentError: a matrix is singular, or the sizes do not fit.
    """
    return bind(MatrixSolve, matrix, rhs, adjoint=adjoint, name=name)


class MatrixInverse(OfSquares):
    """The inverse of square matrices (adjoint: of their conjugate transposes).

    Raises:
        InvalidArgumentError: a matrix is singular.
    """

    native_from = 1

    output = Out("T ...")
    adjoint = Attr(False)
    T = LAPACK | types("f16")

    def infer(self) -> TensorSpec:
        return TensorSpec(self.dims(), self.input.dtype)

    @on_one_thread
    def eager(self, np: Any) -> Any:
        x = widened(np, self.input)
        try:
            found = np.linalg.inv(np.conj(np.swapaxes(x, -1, -2)) if self.adjoint else x)
        except np.linalg.LinAlgError:
            raise InvalidArgumentError(NO_INVERSE) from None
        return nan_spread(np, found, x, NO_INVERSE).astype(self.input.dtype)

    def xla(self, xla: Any) -> Any:
        np, x = xla.np, widened(xla.np, self.input)
        found = np.linalg.inv(np.conj(np.swapaxes(x, -1, -2)) if self.adjoint else x)
        return nan_spread_in_xla(np, found, x).astype(self.input.dtype)

    def lower(self, loops: Any) -> Any:
        singular, dtype = (InvalidArgumentError, NO_INVERSE), self.input.dtype
        if dtype in LAPACK:
            return loops.inverse(self.input, self.adjoint, singular)
        wide = as_numbers_of(loops, self.input, dtypes.float32)
        return as_numbers_of(loops, loops.inverse(wide, self.adjoint, singular), dtype)

    def vjp(self, doutput: Any) -> Any:
        inverse = self.output
        upstream = adjoint(doutput) if self.adjoint else doutput
        left = inverse if self.adjoint else adjoint(inverse)
        return -matmul(left, matmul(upstream, left))


NO_INVERSE = "Input is not invertible."


@dispatchable
def inv(input: Any, adjoint: bool = False, name: str | None = None) -> Tensor:
    """The inverse of square matrices, or of their conjugate transposes.

    input: [..., n, n], float16, float32, float64 or complex; the result is alike.

    >>> tf.linalg.inv([[2., 1.], [1., 1.]]).numpy()
    array([[ 1., -1.],
           [-1.,  2.]], dtype=float32)

    Raises:
        InvalidArgumentError: a matrix is singular, or not square.
    """
    return bind(MatrixInverse, input, adjoint=adjoint, name=name)


class MatrixDeterminant(OfSquares):
    """The determinant of square matrices."""

    native_from = 1

    output = Out("T ...")

    def infer(self) -> TensorSpec:
        dims = self.dims()
        return TensorSpec(None if dims is None else dims[:-2], self.input.dtype)

    @on_one_thread
    def eager(self, np: Any) -> Any:
        if np.isfinite(self.input).all():
            return np.linalg.det(self.input)
        return infinite.determinants(np, self.input)

    def xla(self, xla: Any) -> Any:
        return xla.np.linalg.det(self.input)

    def lower(self, loops: Any) -> Any:
        return loops.determinant(self.input)

    def vjp(self, doutput: Any) -> Any:
        scale = doutput * conjugated(self.output)
        return scale[..., None, None] * inv(self.input, adjoint=True)


@dispatchable
def det(input: Any, name: str | None = None) -> Tensor:
    """The determinant of square matrices: [..., n, n] gives [...]. float32, float64 or complex.

    >>> tf.linalg.det([[[4., 2.], [1., 3.]], [[1., 1.], [1., 1.]]]).numpy()
    array([10.,  0.], dtype=float32)

    Raises:
        InvalidArgumentError: a matrix is not square.
    """
    return bind(MatrixDeterminant, input, name=name)


class LogMatrixDeterminant(OfSquares):
    """The sign of a determinant, and the logarithm of its absolute value."""

    native_from = 1

    sign = Out("T ...")
    log_abs_determinant = Out("T ...")

    def infer(self) -> Any:
        dims = self.dims()
        spec = TensorSpec(None if dims is None else dims[:-2], self.input.dtype)
        return spec, spec

    @on_one_thread
    def eager(self, np: Any) -> Any:
        if not np.isfinite(self.input).all():
            return infinite.signs_and_logarithms(np, self.input)
        sign, logarithm = np.linalg.slogdet(self.input)
        return sign, np.asarray(logarithm).astype(self.input.dtype)

    def xla(self, xla: Any) -> Any:
        sign, logarithm = xla.np.linalg.slogdet(self.input)
        unknown = xla.np.isnan(logarithm)
        return xla.np.where(unknown, sign * xla.np.nan, sign), logarithm.astype(self.input.dtype)

    def lower(self, loops: Any) -> Any:
        sign, logarithm = loops.log_determinant(self.input)
        return sign, as_numbers_of(loops, logarithm, self.input.dtype)

    def vjp(self, dsign: Any, dlog: Any) -> Any:
        return dlog[..., None, None] * inv(self.input, adjoint=True)


def slogdet(input: Any, name: str | None = None) -> DeterminantResult:
    """The sign of the determinants of square matrices, and the logarithms of their absolute values.

    input: [..., n, n], float32, float64 or complex, whose sign is a number of modulus 1. Both
    results are [...]. A singular matrix has the sign 0 and the logarithm -inf.

    >>> sign, logarithm = tf.linalg.slogdet([[0., 4.], [2., 0.]])
    >>> float(sign), round(float(logarithm), 3)
    (-1.0, 2.079)

    Raises:
        InvalidArgumentError: a matrix is not square.
    """
    return DeterminantResult(*bind(LogMatrixDeterminant, input, name=name))


@dispatchable
def logdet(matrix: Any, name: str | None = None) -> Any:
    """The logarithm of the determinant of positive definite matrices (NaN for others).

    matrix: [..., n, n], float32, float64 or complex, of which only the lower triangle is read. The
    result is [...] and real.

    >>> round(float(tf.linalg.logdet([[4., 2.], [2., 5.]])), 3)
    2.773

    Raises:
        InvalidArgumentError: a matrix is not square.
    """
    from ..math.elementwise import log
    from .diagonals import diag_part

    diagonal = real_part(diag_part(cholesky(matrix)))
    return reduce_sum(log(diagonal), -1, name=name) * cast(2, diagonal.dtype)


def real_part(x: Any) -> Any:
    return real(x) if x.dtype.is_complex else x


# ---------------------------------------------------------------- least squares


class MatrixSolveLs(Op):
    """The shortest x among those with the least |matrix x - rhs|; where it is `fast`, the one with
    the least |matrix x - rhs|^2 + l2_regularizer |x|^2.
    """

    matrix = In("T ...")
    rhs = In("T ...")
    l2_regularizer = In("f64")
    output = Out("T ...")
    fast = Attr(True)
    T = LAPACK
    native_from = SLOW

    def demands(self, sizes: Any) -> None:
        demand_rows(sizes, "MatrixSolveLs", self.matrix, self.rhs)

    def infer(self) -> TensorSpec:
        matrix, rhs = self.matrix.shape.entries, self.rhs.shape.entries
        if matrix is None or rhs is None:
            return TensorSpec(None, self.rhs.dtype)
        return TensorSpec((*rhs[:-2], matrix[-1], rhs[-1]), self.rhs.dtype)

    @on_one_thread
    def eager(self, np: Any) -> Any:
        matrix, rhs = self.matrix, self.rhs
        found = np.empty((*rhs.shape[:-2], matrix.shape[-1], rhs.shape[-1]), rhs.dtype)
        weight = float(self.l2_regularizer) if self.fast else 0.0
        for place in np.ndindex(rhs.shape[:-2]):
            found[place] = _least_squares(np, matrix[place], rhs[place], weight)
        return found

    def lower(self, loops: Any) -> Any:
        return self._weighted(loops) if self.fast else loops.least_squares(self.matrix, self.rhs)

    def _weighted(self, loops: Any) -> Any:
        """By the singular values, as the kernel does it."""
        s, (matrix, rhs) = loops.scalars, (self.matrix, loops.kept(self.rhs))
        *batch, rows, columns = matrix.shape
        dtype, width, last = rhs.dtype, rhs.shape[-1], len(batch)
        count = minimum(loops, rows, columns)
        values, u, v = loops.svd(matrix, count, count, count, True)
        part = values.dtype
        weight = loops.held(s.cast(self.l2_regularizer[()], part))
        largest = loops.reduce("max", tuple(batch), (count,), part, lambda at, r: values[(*at, *r)])
        known = loops.reduce(
            "all", (*batch, width), (rows,), dtypes.bool_,
            lambda at, i: s.is_finite(rhs[(*at[:last], *i, at[last])]),
        )  # fmt: skip

        def projected(at: Any, i: Any) -> Any:
            return s.conj(u[(*at[:last], *i, at[last])]) * rhs[(*at[:last], *i, at[last + 1])]

        seen = loops.kept(loops.reduce("sum", (*batch, count, width), (rows,), dtype, projected))
        precision = loops.constant(float(numpy_module.finfo(part.storage).eps), part)
        size = s.cast(scalar(loops, maximum(loops, rows, columns)), part)

        def term(at: Any, r: Any) -> Any:
            outer, (i, j) = at[:last], at[last:]
            value = values[(*outer, *r)]
            least = s.where(
                weight == s.constant(0, weight), largest[outer] * precision * size, -weight
            )
            inverse = s.where(
                value <= least, s.constant(0, value), value / (value * value + weight)
            )
            return v[(*outer, i, *r)] * s.cast(inverse, dtype) * seen[(*outer, *r, j)]

        total = loops.reduce("sum", (*batch, columns, width), (count,), dtype, term)
        nan = loops.constant(float("nan"), dtype)
        return loops.map(
            total.shape, dtype,
            lambda *at: s.where(known[(*at[:last], at[-1])], total[at], nan),
        )  # fmt: skip

    def xla(self, xla: Any) -> Any:
        np, matrix, rhs = xla.np, self.matrix, self.rhs
        if not rhs.size or not matrix.size:
            return np.zeros((*rhs.shape[:-2], matrix.shape[-1], rhs.shape[-1]), rhs.dtype)
        u, s, vh = np.linalg.svd(matrix, full_matrices=False)
        least = s[..., :1] * np.finfo(s.dtype).eps * max(matrix.shape[-2:])
        weight = self.l2_regularizer if self.fast else 0.0
        inverse = np.where(s > least, s / (s * s + weight), 0)[..., None]
        adjoint = [np.conj(np.swapaxes(one, -1, -2)) for one in (u, vh)]
        return xla.matmul(adjoint[1], (inverse * xla.matmul(adjoint[0], rhs)).astype(rhs.dtype))

    def vjp(self, doutput: Any) -> Any:
        pulled = _through_normal_equations if self.fast else _through_inverse
        return pulled(self, doutput)


def _through_inverse(solved: Any, g: Any) -> Any:
    """What changes of a matrix and its right side do to the shortest solution, by the derivative of
    a pseudoinverse (Golub and Pereyra 1973), whose rank does not change.
    """
    a, b, x = solved.matrix, solved.rhs, solved.output

    def inverse(matrix: Any, columns: Any) -> Any:
        return bind(MatrixSolveLs, matrix, columns, solved.l2_regularizer, fast=False)

    dual = inverse(adjoint(a), g)

    def for_matrix() -> Any:
        rest = matmul(b - matmul(a, x), inverse(a, dual), adjoint_b=True)
        beyond = matmul(inverse(adjoint(a), x), g - inverse(a, matmul(a, g)), adjoint_b=True)
        return rest + beyond - matmul(dual, x, adjoint_b=True)

    return for_matrix, lambda: dual, None


def _through_normal_equations(solved: Any, g: Any) -> Any:
    a, b, x = solved.matrix, solved.rhs, solved.output
    weight = cast(solved.l2_regularizer, a.dtype)
    rows, columns = inner_sizes(a)
    if rows is None or columns is None:
        raise LookupError(
            "MatrixSolveLs: which normal equations a derivative needs depends on sizes that are "
            "known when it runs only: take tf.linalg.lstsq"
        )
    if rows >= columns:
        near = cholesky_solve(_regular(matmul(a, a, adjoint_a=True), weight), g)
        dual = matmul(a, near)

        def for_tall() -> Any:
            rest = matmul(b - matmul(a, x), near, adjoint_b=True)
            return rest - matmul(dual, x, adjoint_b=True)

        return for_tall, lambda: dual, lambda: _towards(near, x)
    factor = _regular(matmul(a, a, adjoint_b=True), weight)
    dual, weights = cholesky_solve(factor, matmul(a, g)), cholesky_solve(factor, b)

    def for_wide() -> Any:
        rest = matmul(weights, g - matmul(a, dual, adjoint_a=True), adjoint_b=True)
        return rest - matmul(dual, x, adjoint_b=True)

    return for_wide, lambda: dual, lambda: _towards(dual, weights)


def _towards(left: Any, right: Any) -> Any:
    """What a regularizer does: it is a weight of minus these two."""
    return cast(-reduce_sum(real(conjugated(left) * right)), dtypes.float64)


def _least_squares(np: Any, matrix: Any, rhs: Any, weight: float) -> Any:
    """NaN for a matrix that is not finite, and for such columns on the right."""
    usable, known = np.isfinite(matrix).all(), np.isfinite(rhs).all(0)
    matrix, rhs = (np.where(one, x, 0) for one, x in ((usable, matrix), (known, rhs)))
    found = _finite_least_squares(np, matrix, rhs, weight)
    return np.where(usable & known, found, found.dtype.type(np.nan))


def _finite_least_squares(np: Any, matrix: Any, rhs: Any, weight: float) -> Any:
    if not weight:
        return np.linalg.lstsq(matrix, rhs, rcond=None)[0]
    u, s, vh = np.linalg.svd(matrix, full_matrices=False)
    inverse = (s / (s * s + weight))[:, None]
    return vh.conj().T @ (inverse * (u.conj().T @ rhs))


def demand_rows(sizes: Any, name: str, matrix: Any, rhs: Any) -> None:
    """There are as many right-hand sides as rows."""
    have, want = sizes.shape(matrix), sizes.shape(rhs)
    if len(have) < 2 or len(have) != len(want):
        refuse(ShapeMismatchError, UNLIKE_RANKS, name, have, want)
    fits = sizes.equal(have[-2], want[-2])
    sizes.require(fits, ShapeMismatchError, INCOMPATIBLE, name, have, want)


@dispatchable
def lstsq(
    matrix: Any, rhs: Any, l2_regularizer: Any = 0.0, fast: bool = True, name: str | None = None
) -> Any:
    """x with the least |matrix x - rhs|^2 + l2_regularizer |x|^2; the shortest of several.

    matrix: [..., m, n]; rhs: [..., m, k]; x: [..., n, k]: float32, float64 or complex. fast: by the
    normal equations, which must be regular and lose half of the digits, and leading axes broadcast;
    otherwise by the singular values, without a regularizer.

    >>> tf.linalg.lstsq([[1.], [1.], [1.]], [[2.], [3.], [7.]]).numpy().round(3)
    array([[4.]], dtype=float32)

    Raises:
        InvalidArgumentError: the sizes do not fit.
    """
    matrix, rhs = as_tensor(matrix), as_tensor(rhs)
    if fast is not None and not fast:
        return bind(
            MatrixSolveLs, matrix, rhs, in_dtype(l2_regularizer, dtypes.float64), fast=False
        )
    for one in (matrix, rhs):
        if one.shape.entries is not None:
            require_matrix("lstsq", one.shape.entries)
    weight = in_dtype(l2_regularizer, matrix.dtype)
    rows, columns = inner_sizes(matrix)
    if rows is None or columns is None:
        return _of_any_sizes(matrix, rhs, weight)
    return (_overdetermined if rows >= columns else _shortest)(matrix, rhs, weight)


def _overdetermined(matrix: Any, rhs: Any, weight: Any) -> Any:
    factor = _regular(matmul(matrix, matrix, adjoint_a=True), weight)
    return cholesky_solve(factor, matmul(matrix, rhs, adjoint_a=True))


def _shortest(matrix: Any, rhs: Any, weight: Any) -> Any:
    factor = _regular(matmul(matrix, matrix, adjoint_b=True), weight)
    return matmul(matrix, cholesky_solve(factor, rhs), adjoint_a=True)


def _of_any_sizes(matrix: Any, rhs: Any, weight: Any) -> Any:
    """Both, one of them of matrices without elements: which, only the run tells."""
    from ..array.concatenation import concat
    from ..array.shapes import shape_of
    from ..checks.assertions import require_equal
    from ..control.flow import ensure_shape
    from ..math.comparison import greater_equal

    rows, columns = shape_of(matrix)[-2], shape_of(matrix)[-1]
    require_equal(shape_of(rhs)[-2], rows, "lstsq: matrix and rhs differ in their rows: ")
    high = cast(greater_equal(rows, columns), rows.dtype)
    m, n = rows * high, columns * high
    tall = _overdetermined(matrix[..., :m, :n], rhs[..., :m, :], weight)
    wide = _shortest(matrix[..., : rows - m, : columns - n], rhs[..., : rows - m, :], weight)
    solved = concat([tall, wide], -2)
    dims = solved.shape.entries
    if dims is None:
        return solved
    return ensure_shape(solved, [*dims[:-2], matrix.shape[-1], rhs.shape[-1]])


def _regular(gram: Any, weight: Any) -> Any:
    """The Cholesky factor of a Gram matrix with a weight added to its diagonal."""
    from .diagonals import diag_part, set_diag

    return cholesky(set_diag(gram, diag_part(gram) + weight))
