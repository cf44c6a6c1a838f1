"""Matrices as products of triangular and unitary ones: Cholesky, LU, QR.

LAPACK does the work: NumPy's, and in compiled functions OpenBLAS's (compiler/native/lapack.py).
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from ...core import dtypes
from ...core.dtypes import DType, as_dtype
from ...core.process.blas_threads import on_one_thread
from ...core.specs import TensorSpec
from ...errors import DTypeMismatchError, InvalidArgumentError, ShapeMismatchError
from ..array.concatenation import concat
from ..array.fill import ones_like, zeros_like
from ..array.fill import range as numbers_from
from ..bind import api, bind
from ..demands import refuse
from ..dispatch.meanings import dispatchable
from ..math.cast import cast
from ..op import INDEX, Attr, In, Op, Out, types
from ..sizes import minimum
from . import infinite
from .band_parts import band_part
from .diagonals import diag_part, set_diag
from .matmul import adjoint, matmul
from .triangular import triangular_solve

LAPACK = types("f32 f64 c64 c128")

# Called as TensorFlow calls them, which is also the name of the operation.
LuResult = namedtuple("Lu", "lu p")
QrResult = namedtuple("Qr", "q r")


def demand_matrix(sizes: Any, name: str, x: Any) -> tuple[Any, ...]:
    """The shape of an operand, which is at least a matrix."""
    shape = sizes.shape(x)
    if len(shape) < 2:
        refuse(ShapeMismatchError, NO_MATRIX, name, len(shape))
    return shape


def demand_square(sizes: Any, name: str, x: Any) -> tuple[Any, ...]:
    """The same for one of square matrices."""
    shape = demand_matrix(sizes, name, x)
    fits = sizes.equal(shape[-1], shape[-2])
    sizes.require(fits, ShapeMismatchError, NOT_SQUARE, name, shape)
    return shape


NO_MATRIX = "{}: Input tensor 0 must have rank >= 2, got {} (Shape must be at least rank 2)"
NOT_SQUARE = "{}: Input matrix must be square, got shape {}"


def require_matrix(name: str, shape: Any) -> None:
    if len(shape) < 2:
        refuse(ShapeMismatchError, NO_MATRIX, name, len(shape))


class OfSquares(Op, abstract=True):
    """Takes square matrices [..., n, n]."""

    input = In("T ...")
    T = LAPACK

    def demands(self, sizes: Any) -> None:
        demand_square(sizes, self.name, self.input)

    def dims(self) -> Any:
        """The sizes of the input, of which the last two agree; None: even the rank is unknown."""
        dims = self.input.shape.entries
        if dims is None:
            return None
        size = dims[-1] if dims[-2] is None else dims[-2]
        return (*dims[:-2], size, size)


def first_pivot(np: Any, x: Any, message: str) -> None:
    """Refuse matrices whose elimination cannot begin: the first pivot is NaN."""
    if np.isnan(x[..., :1, :1]).any():
        raise InvalidArgumentError(message)


def nan_spread(np: Any, found: Any, x: Any, message: str) -> Any:
    """What LAPACK `found` of systems with matrices `x`, NaN throughout where one holds NaN: it may
    pass over it, and leave numbers. The first row has it always.

    Raises:
        InvalidArgumentError: a first pivot is NaN.
    """
    corner = found[..., :1, :1]
    if (corner != corner).any():
        first_pivot(np, x, message)
        found[np.isnan(x).any((-2, -1))] = np.nan
    return found


def nan_spread_in_xla(np: Any, found: Any, x: Any) -> Any:
    """The same of what XLA found, which raises nothing."""
    has_nan = np.isnan(x).any((-2, -1), keepdims=True)
    return np.where(has_nan, np.asarray(np.nan, found.dtype), found)


def widened(np: Any, x: Any) -> Any:
    """Numbers that LAPACK takes: those of 16 bits become float32."""
    return x.astype(np.float32) if x.dtype == np.float16 else x


def as_numbers_of(loops: Any, values: Any, dtype: DType) -> Any:
    """Real numbers of compiled code as those of the matrices that they belong to."""
    return loops.map(values.shape, dtype, lambda *at: loops.scalars.cast(values[at], dtype))


def inner_sizes(x: Any) -> tuple[int | None, int | None]:
    """The rows and columns of matrices, as far as they are known."""
    rows, columns = (x.shape.entries or (None, None))[-2:]
    return rows, columns


def symmetric_part(x: Any) -> Any:
    """(x + x^H) / 2."""
    return (x + adjoint(x)) * cast(0.5, x.dtype)


def lower_half(x: Any) -> Any:
    """The lower triangle, the diagonal halved."""
    lower = band_part(x, -1, 0)
    return set_diag(lower, diag_part(lower) * cast(0.5, x.dtype))


class Cholesky(OfSquares):
    """The lower triangular L with L L^H = input, [..., n, n], of which only the lower triangle is
    read: float32, float64 or complex. The triangle of a matrix that is not positive definite is
    NaN.

    >>> tf.linalg.cholesky([[4., 2.], [2., 5.]]).numpy()
    array([[2., 0.],
           [1., 2.]], dtype=float32)

    Raises:
        InvalidArgumentError: the matrices are not square.
    """

    output = Out("T ...")
    native_from = 1

    def infer(self) -> TensorSpec:
        return TensorSpec(self.dims(), self.input.dtype)

    @on_one_thread
    def eager(self, np: Any) -> Any:
        x = self.input
        try:
            if np.isfinite(x).all():
                return np.linalg.cholesky(x)
        except np.linalg.LinAlgError:
            pass
        return self.one_by_one(np, x)

    def xla(self, xla: Any) -> Any:
        return xla.lax.linalg.cholesky(self.input, symmetrize_input=False)

    def lower(self, loops: Any) -> Any:
        return loops.cholesky(self.input)

    def one_by_one(self, np: Any, x: Any) -> Any:
        result = np.tril(np.full(x.shape, np.nan, x.dtype))
        for place in np.ndindex(x.shape[:-2]):
            lower = np.tril(x[place])
            if not np.isfinite(lower).all():
                result[place] = infinite.cholesky_factor(np, lower)
                continue
            try:
                result[place] = np.linalg.cholesky(lower)
            except np.linalg.LinAlgError:
                continue
        return result

    def vjp(self, doutput: Any) -> Any:
        return cholesky_gradient(self.output, doutput)


def cholesky_gradient(lower: Any, doutput: Any) -> Any:
    """Murray 2016, "Differentiation of the Cholesky decomposition", (10)."""
    middle = lower_half(matmul(lower, doutput, adjoint_a=True))
    left = triangular_solve(lower, middle, adjoint=True)
    return symmetric_part(adjoint(triangular_solve(lower, adjoint(left), adjoint=True)))


cholesky = api(Cholesky)


class Lu(OfSquares):
    """Row p[i] of the input is row i of the product of the triangles in `lu`, L with 1 on its
    diagonal.

    Raises:
        InvalidArgumentError: a matrix is singular.
    """

    native_from = 1  # the kernel goes from step to step in Python

    lu = Out("T ...")
    p = Out("output_idx_type ...")
    output_idx_type = Attr(dtypes.int32, INDEX)

    def infer(self) -> Any:
        dims = self.dims()
        order = TensorSpec(None if dims is None else dims[:-1], self.output_idx_type)
        return TensorSpec(dims, self.input.dtype), order

    def eager(self, np: Any) -> Any:
        packed = self.input.copy()
        first_pivot(np, packed, SINGULAR)
        order = np.empty(packed.shape[:-1], self.output_idx_type.storage)
        large = packed.shape[-1] > _SMALL and packed.dtype.kind == "f"
        by_lapack = large and not np.isnan(packed).any()
        for place in np.ndindex(packed.shape[:-2]):
            order[place] = (factor if by_lapack else eliminate)(np, packed[place])
        return packed, order

    def xla(self, xla: Any) -> Any:
        packed, _, order = xla.lax.linalg.lu(self.input)
        return packed, order.astype(self.output_idx_type.storage)

    def lower(self, loops: Any) -> Any:
        packed, order = loops.lu(self.input, (InvalidArgumentError, SINGULAR))
        places = loops.map(
            order.shape, self.output_idx_type,
            lambda *at: loops.scalars.cast(order[at], self.output_idx_type),
        )  # fmt: skip
        return packed, places

    def vjp(self, dlu: Any, dp: Any) -> Any:
        """A = P^T L U, so dA = P^T L^-H [tril(L^H dL, -1) + triu(dU U^H)] U^-H."""
        lower, upper = triangles(self.lu)
        dlower = band_part(dlu, -1, 0)
        dlower = set_diag(dlower, zeros_like(diag_part(dlower)))
        below = band_part(matmul(lower, dlower, adjoint_a=True), -1, 0)
        below = set_diag(below, zeros_like(diag_part(below)))
        above = band_part(matmul(band_part(dlu, 0, -1), upper, adjoint_b=True), 0, -1)
        left = triangular_solve(lower, below + above, adjoint=True)
        permuted = adjoint(triangular_solve(upper, adjoint(left), lower=False))
        return rows_back(permuted, self.p)


SINGULAR = "Input is not invertible."
_SMALL = 24  # rows of a matrix for which SciPy, which has LAPACK's, is not worth loading


def eliminate(np: Any, matrix: Any) -> Any:
    """Gauss, the largest element of the column as pivot; in place. The order of the rows."""
    size = len(matrix)
    order = np.arange(size)
    for step in range(size):
        pivot = step + infinite.largest(np, np.abs(matrix[step:, step]))
        if matrix[pivot, step] == 0:
            raise InvalidArgumentError(SINGULAR)
        if pivot != step:
            matrix[[step, pivot]] = matrix[[pivot, step]]
            order[[step, pivot]] = order[[pivot, step]]
        rest = slice(step + 1, None)
        matrix[rest, step] = infinite.quotients(np, matrix[rest, step], matrix[step, step])
        matrix[rest, rest] -= np.outer(matrix[rest, step], matrix[step, rest])
    return order


@on_one_thread
def factor(np: Any, matrix: Any) -> Any:
    """The same by LAPACK; of real numbers, for it measures complex ones otherwise."""
    from scipy.linalg import get_lapack_funcs

    (getrf,) = get_lapack_funcs(("getrf",), (matrix,))
    matrix[...], pivots, info = getrf(matrix)
    if info > 0:
        raise InvalidArgumentError(SINGULAR)
    order = np.arange(len(matrix))
    for step, pivot in enumerate(pivots.tolist()):
        order[[step, pivot]] = order[[pivot, step]]
    return order


def triangles(packed: Any) -> tuple[Any, Any]:
    """L and U out of what `lu` returns."""
    lower = band_part(packed, -1, 0)
    return set_diag(lower, ones_like(diag_part(packed))), band_part(packed, 0, -1)


def rows_back(x: Any, order: Any) -> Any:
    """The matrix whose row order[i] is row i of `x`."""
    from ..array.sorting import argsort

    return rows_taken(x, argsort(order))


def require_order(order: Any, name: str) -> None:
    """Check that vectors name each of their places once.

    Raises:
        DTypeMismatchError: they are not integers.
        InvalidArgumentError: they do not.
    """
    from ..array.shapes import shape_of
    from ..array.sorting import sort
    from ..checks.assertions import require_equal

    if order.dtype not in INDEX:
        raise DTypeMismatchError(f"{name}: perm is {order.dtype.name}, neither int32 nor int64")
    places = numbers_from(cast(shape_of(order)[-1], order.dtype))
    require_equal(sort(order), places, f"{name}: perm does not name each row once: ")


def require_places(x: Any, places: Any, name: str) -> None:
    """Check that there is a place for each row of the matrices, when it runs where that is unknown.

    Raises:
        ShapeMismatchError: there are more or fewer, or other leading axes.
    """
    from ..array.shapes import shape_of
    from ..checks.assertions import require_equal

    have, want = x.shape, places.shape
    if have.rank is not None and want.rank is not None:
        if have.rank < 2 or have.rank != want.rank + 1:
            raise ShapeMismatchError(
                f"{name}: matrices [..., n, k] with an order of rows [..., n] are expected, got "
                f"shapes {have} and {want}"
            )
        if None not in (have[-2], want[-1]):
            if have[-2] == want[-1]:
                return
            raise ShapeMismatchError(
                f"{name}: the matrices have {have[-2]} rows, the order is of {want[-1]} (shapes "
                f"{have} and {want})"
            )
    message = f"{name}: matrices have not as many rows as the order: "
    require_equal(shape_of(x)[-2], shape_of(places)[-1], message)


def rows_taken(x: Any, places: Any) -> Any:
    """The rows of matrices [..., n, k] at places [..., m]."""
    from ..array.gather import gather
    from ..array.shapes import rank as rank_of
    from ..array.shapes import reshape, shape_of
    from ..checks.assertions import require_equal
    from ..math.reduce import reduce_prod

    rank = places.shape.rank
    if rank is not None:
        return gather(x, places, axis=rank - 1, batch_dims=rank - 1)
    sizes, batch, count = shape_of(x), shape_of(places)[:-1], shape_of(places)[-1]
    require_equal(rank_of(x), rank_of(places) + 1, "there are no places of rows for all matrices: ")
    require_equal(sizes[:-2], batch, "matrices and places of rows differ in their batches: ")
    together = reduce_prod(batch)
    folded = reshape(x, [together, sizes[-2], sizes[-1]])
    found = gather(folded, reshape(places, [together, count]), axis=1, batch_dims=1)
    return reshape(found, concat([batch, [count, sizes[-1]]], 0))


@dispatchable
def lu(input: Any, output_idx_type: Any = dtypes.int32, name: str | None = None) -> LuResult:
    """The triangles of P input = L U, packed into one matrix, and the order of the rows.

    input: [..., n, n], float32, float64 or complex. `lu` is alike, without L's diagonal of ones;
    `p` is [..., n] of `output_idx_type`: row p[i] of the input is row i of L U.

    >>> lu, p = tf.linalg.lu([[2., 1.], [4., 4.]])
    >>> lu.numpy()
    array([[ 4. ,  4. ],
           [ 0.5, -1. ]], dtype=float32)
    >>> p.numpy()
    array([1, 0], dtype=int32)

    Raises:
        InvalidArgumentError: a matrix is not square, or singular.
    """
    return LuResult(*bind(Lu, input, output_idx_type=as_dtype(output_idx_type), name=name))


class Qr(Op):
    """Matrices [..., m, n] as products of unitary and upper triangular ones."""

    input = In("T ...")
    q = Out("T ...")
    r = Out("T ...")
    full_matrices = Attr(False)
    T = LAPACK | types("f16")
    native_from = 1  # NumPy takes longest to begin

    def demands(self, sizes: Any) -> None:
        demand_matrix(sizes, "Qr", self.input)

    def infer(self) -> Any:
        dims = self.input.shape.entries
        if dims is None:
            return TensorSpec(None, self.input.dtype), TensorSpec(None, self.input.dtype)
        rows, columns = dims[-2:]
        inner = rows if self.full_matrices else least(rows, columns)
        return (
            TensorSpec((*dims[:-2], rows, inner), self.input.dtype),
            TensorSpec((*dims[:-2], inner, columns), self.input.dtype),
        )

    @on_one_thread
    def eager(self, np: Any) -> Any:
        found = np.linalg.qr(
            widened(np, self.input), "complete" if self.full_matrices else "reduced"
        )
        return tuple(one.astype(self.input.dtype) for one in found)

    def xla(self, xla: Any) -> Any:
        x = widened(xla.np, self.input)
        found = xla.lax.linalg.qr(x, full_matrices=self.full_matrices)
        return tuple(one.astype(self.input.dtype) for one in found)

    def lower(self, loops: Any) -> Any:
        x, (rows, columns) = self.input, self.input.shape[-2:]
        inner = rows if self.full_matrices else minimum(loops, rows, columns)
        if x.dtype in LAPACK:
            return loops.qr(x, inner)
        found = loops.qr(as_numbers_of(loops, x, dtypes.float32), inner)
        return tuple(as_numbers_of(loops, one, x.dtype) for one in found)

    def vjp(self, dq: Any, dr: Any) -> Any:
        """Walter and Lehmann 2010, and for wide matrices Roberts and Roberts 2020."""
        q, r = self.q, self.r
        rows, columns = inner_sizes(r)
        if rows is not None and columns is not None and rows > columns:
            raise ValueError("QrGrad not implemented when nrows > ncols and full_matrices is true.")
        if rows is not None and rows == columns:
            return square_qr_gradient(q, r, dq, dr)
        from ..array.shapes import shape_of

        rows = shape_of(r)[-2] if rows is None else rows
        right, dleft, dright = self.input[..., rows:], dr[..., :rows], dr[..., rows:]
        turned = dq + matmul(right, dright, adjoint_b=True)
        dx = square_qr_gradient(q, r[..., :rows], turned, dleft)
        return concat([dx, matmul(q, dright)], -1)


def square_qr_gradient(q: Any, r: Any, dq: Any, dr: Any) -> Any:
    qdq, rdr = matmul(q, dq, adjoint_a=True), matmul(r, dr, adjoint_b=True)
    skewed = rdr - adjoint(rdr) + qdq - adjoint(qdq)
    inside = matmul(q, dr + against(r, lower_half(skewed)))
    return inside + against(r, dq - matmul(q, qdq))


def against(r: Any, x: Any) -> Any:
    """x r^-H."""
    return adjoint(triangular_solve(r, adjoint(x), lower=False))


@dispatchable
def qr(input: Any, full_matrices: bool = False, name: str | None = None) -> QrResult:
    """Matrices [..., m, n] as q r: q has orthonormal columns, r is upper triangular.

    float16, float32, float64 or complex. q is [..., m, k] and r [..., k, n], where k is the smaller
    of m and n, or m with `full_matrices`. The signs of r's rows are LAPACK's.

    >>> q, r = tf.linalg.qr([[3., 1.], [4., 3.]])
    >>> np.abs(r).round(3) + 0
    array([[5., 3.],
           [0., 1.]], dtype=float32)
    >>> (q @ r).numpy().round(3)
    array([[3., 1.],
           [4., 3.]], dtype=float32)

    Raises:
        InvalidArgumentError: fewer than two axes.
    """
    return QrResult(*bind(Qr, input, full_matrices=full_matrices, name=name))


def least(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else min(a, b)
