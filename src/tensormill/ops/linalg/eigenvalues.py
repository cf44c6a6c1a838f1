"""Eigenvalues and singular values, by LAPACK; those of any square matrices by NumPy's alone."""

from __future__ import annotations

from typing import Any, Final

from ...core import dtypes
from ...core.dtypes import DType
from ...core.process.blas_threads import on_one_thread
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError
from ..array.fill import ones_like, zeros_like
from ..array.select import where
from ..array.shapes import shape_of
from ..bind import bind
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from ..math.cast import cast
from ..math.comparison import equal, less_equal
from ..math.complex import conj, imag, real
from ..math.signs import abs as absolute
from ..op import COMPLEX, Attr, In, Op, Out
from ..sizes import minimum
from . import infinite
from .decompositions import (
    LAPACK,
    OfSquares,
    as_numbers_of,
    demand_matrix,
    inner_sizes,
    least,
    lower_half,
)
from .diagonals import diag, diag_part
from .matmul import adjoint, matmul
from .signs_of_vectors import turned, turns
from .solving import solve


class SelfAdjointEigV2(OfSquares):
    """Eigenvalues (ascending) and eigenvectors (columns) of self-adjoint matrices, of which only
    the lower triangle is read.

    Raises:
        InvalidArgumentError: NaN in the input.
    """

    e = Out("T ...")
    v = Out("T ...")
    compute_v = Attr(True)
    native_from = 1  # NumPy takes longest to begin, and signs of vectors take ten steps

    def infer(self) -> Any:
        dims = self.dims()
        values = TensorSpec(None if dims is None else dims[:-1], self.input.dtype)
        return values, TensorSpec(dims if self.compute_v else (), self.input.dtype)

    @on_one_thread
    def eager(self, np: Any) -> Any:
        x = self.input
        if not np.isfinite(x).all():
            return self.one_by_one(np, np.tril(x))
        if not self.compute_v:
            return np.linalg.eigvalsh(x).astype(x.dtype), np.zeros((), x.dtype)
        values, vectors = np.linalg.eigh(x)
        return values.astype(x.dtype), turned(np, vectors, turns(np, vectors))

    def xla(self, xla: Any) -> Any:
        np, x = xla.np, self.input
        vectors, values = xla.lax.linalg.eigh(x, lower=True, symmetrize_input=False)
        if not self.compute_v:
            return values.astype(x.dtype), np.zeros((), x.dtype)
        return values.astype(x.dtype), turned(np, vectors, turns(np, vectors))

    def lower(self, loops: Any) -> Any:
        values, vectors = loops.eigh(self.input, self.compute_v, (InvalidArgumentError, NOT_FOUND))
        return as_numbers_of(loops, values, self.input.dtype), vectors if self.compute_v else none(
            loops, self
        )

    def one_by_one(self, np: Any, x: Any) -> Any:
        """The same for lower triangles of which some are not finite. An infinite first element
        makes nothing of all others: the values are NaN, the vectors those of any diagonal.
        """
        bad = ~np.isfinite(x).all((-2, -1))
        one = x.shape[-1] == 1
        if not one and not infinite.have_eigenvalues(np, x):
            raise InvalidArgumentError(NOT_FOUND)
        values, vectors = np.linalg.eigh(np.where(bad[..., None, None], 0, x))
        values, vectors = values.astype(x.dtype), turned(np, vectors, turns(np, vectors))
        values[bad] = x[bad][:, 0].real if one else np.nan
        vectors[bad] = np.eye(x.shape[-1])
        return values, vectors if self.compute_v else np.zeros((), x.dtype)

    def vjp(self, de: Any, dv: Any) -> Any:
        if not self.compute_v:
            _, v = bind(SelfAdjointEigV2, self.input)
            inner = diag(de)
        else:
            v = self.v
            turned = matmul(v, dv, adjoint_a=True)
            inner = diag(de) + reciprocal_gaps(self.e) * turned
        found = matmul(v, matmul(inner, v, adjoint_b=True))
        return lower_half(found + adjoint(found))


NOT_FOUND: Final = (
    "Self-adjoint eigen decomposition was not successful. The input might not be valid."
)


def none(loops: Any, application: Any) -> Any:
    """What stands for vectors that nobody wants."""
    return loops.scalar(loops.constant(0, application.input.dtype))


def reciprocal_gaps(values: Any) -> Any:
    """1 / (values[j] - values[i]) at [i, j]; 0 on the diagonal and where two are equal."""
    return no_nan_reciprocal(values[..., None, :] - values[..., :, None])


def no_nan_reciprocal(x: Any) -> Any:
    from ..math.arithmetic import reciprocal

    vanishes = equal(x, 0)
    return where(vanishes, zeros_like(x), reciprocal(where(vanishes, ones_like(x), x)))


@dispatchable
def eigh(tensor: Any, name: str | None = None) -> tuple[Any, Any]:
    """Eigenvalues, ascending, and eigenvectors (the columns of v) of self-adjoint matrices.

    tensor: [..., n, n], float32, float64 or complex, of which only the lower triangle is read. The
    values are [..., n], the vectors [..., n, n], both of its dtype.

    >>> values, vectors = tf.linalg.eigh([[2., 1.], [1., 2.]])
    >>> values.numpy().round(3)
    array([1., 3.], dtype=float32)
    >>> np.abs(vectors).round(3)
    array([[0.707, 0.707],
           [0.707, 0.707]], dtype=float32)

    Raises:
        InvalidArgumentError: a matrix is not square, or holds NaN.
    """
    return bind(SelfAdjointEigV2, tensor, compute_v=True, name=name)


@dispatchable
def eigvalsh(tensor: Any, name: str | None = None) -> Any:
    """The eigenvalues, ascending, of self-adjoint matrices: [..., n, n] gives [..., n].

    float32, float64 or complex, of which only the lower triangle is read.

    >>> tf.linalg.eigvalsh([[2., 100.], [1., 2.]]).numpy().round(3)
    array([1., 3.], dtype=float32)

    Raises:
        InvalidArgumentError: a matrix is not square, or holds NaN.
    """
    return bind(SelfAdjointEigV2, tensor, compute_v=False, name=name)[0]


class Eig(OfSquares):
    """Eigenvalues and eigenvectors (columns) of any square matrices.

    Raises:
        InvalidArgumentError: NaN in the input; complex numbers of another width are asked for.
    """

    e = Out("Tout ...")
    v = Out("Tout ...")
    compute_v = Attr(True)
    Tout = Attr(allowed=COMPLEX)
    native_from = 1

    def demands(self, sizes: Any) -> None:
        super().demands(sizes)
        fitting = complex_of(self.input.dtype)
        if self.Tout is not fitting:
            names = self.input.dtype.name, fitting.name, self.Tout.name
            sizes.refuse_late(InvalidArgumentError, OTHER_WIDTH, *names)

    def infer(self) -> Any:
        dims = self.dims()
        values = TensorSpec(None if dims is None else dims[:-1], self.Tout)
        return values, TensorSpec(dims if self.compute_v else (), self.Tout)

    @on_one_thread
    def eager(self, np: Any) -> Any:
        x, kind = self.input, self.Tout.storage
        if not np.isfinite(x).all():
            raise InvalidArgumentError(NO_VALUES)
        if not self.compute_v:
            return np.linalg.eigvals(x).astype(kind), np.zeros((), kind)
        values, vectors = np.linalg.eig(x.astype("c16" if x.dtype.kind == "c" else "f8"))
        return values.astype(kind), turned(np, vectors, turns(np, vectors)).astype(kind)

    def xla(self, xla: Any) -> Any:
        np, kind = xla.np, self.Tout.storage
        wide = self.input.astype("c16" if self.input.dtype.kind == "c" else "f8")
        values, vectors = np.linalg.eig(wide)
        if not self.compute_v:
            return values.astype(kind), np.zeros((), kind)
        return values.astype(kind), turned(np, vectors, turns(np, vectors)).astype(kind)

    def lower(self, loops: Any) -> Any:
        """As NumPy does it, in float64 or complex128."""
        wide = dtypes.complex128 if self.input.dtype.is_complex else dtypes.float64
        matrices = as_numbers_of(loops, self.input, wide)
        found = loops.eig(matrices, self.compute_v, (InvalidArgumentError, NO_VALUES))
        values, vectors = [as_numbers_of(loops, one, self.Tout) for one in found]
        if self.compute_v:
            return values, vectors
        return values, loops.scalar(loops.constant(0, self.Tout))

    def vjp(self, de: Any, dv: Any) -> Any:
        """Boeddeker et al. 2017, (4.77); vectors of length 1."""
        dtype = self.input.dtype
        if not self.compute_v:
            _, v = bind(Eig, self.input, Tout=self.Tout)
            inner = diag(de)
        else:
            v = self.v
            turned, norms = matmul(v, dv, adjoint_a=True), matmul(v, v, adjoint_a=True)
            lengths = cast(real(diag_part(turned)), v.dtype)
            inner = diag(de) + conj(reciprocal_gaps(self.e)) * (
                turned - norms * lengths[..., None, :]
            )
        found = solve(v, matmul(inner, v, adjoint_b=True), adjoint=True)
        return found if dtype.is_complex else cast(real(found), dtype)


OTHER_WIDTH: Final = "Eig: the eigenvalues of {} are {}, not {}: say so by Tout"
NO_VALUES: Final = "Eigen decomposition was not successful. The input might not be valid."


def complex_of(dtype: DType) -> DType:
    return dtypes.complex64 if dtype in (dtypes.float32, dtypes.complex64) else dtypes.complex128


@dispatchable
def eig(tensor: Any, name: str | None = None) -> tuple[Any, Any]:
    """Eigenvalues and eigenvectors (the columns of v) of any square matrices; both are complex.

    tensor: [..., n, n], float32, float64 or complex. The values are [..., n], in no order; the
    vectors are [..., n, n] of length 1.

    >>> values, vectors = tf.eig([[3., -4.], [4., 3.]])
    >>> values.numpy().round(3)
    array([3.+4.j, 3.-4.j], dtype=complex64)
    >>> np.abs(vectors).round(3)
    array([[0.707, 0.707],
           [0.707, 0.707]], dtype=float32)

    Raises:
        InvalidArgumentError: a matrix is not square, or holds NaN.
    """
    x = as_tensor(tensor)
    return bind(Eig, x, compute_v=True, Tout=complex_of(x.dtype), name=name)


@dispatchable
def eigvals(tensor: Any, name: str | None = None) -> Any:
    """The eigenvalues of any square matrices, complex, in no order: [..., n, n] gives [..., n].

    float32 and complex64 give complex64; float64 and complex128, complex128.

    >>> tf.eigvals([[1., -2.], [2., 1.]]).numpy().round(3)
    array([1.+2.j, 1.-2.j], dtype=complex64)

    Raises:
        InvalidArgumentError: a matrix is not square, or holds NaN.
    """
    x = as_tensor(tensor)
    return bind(Eig, x, compute_v=False, Tout=complex_of(x.dtype), name=name)[0]


# ---------------------------------------------------------------- singular values


class Svd(Op):
    """Singular values (descending) of matrices [..., m, n], and the unitary factors u and v."""

    input = In("T ...")
    s = Out("T ...")
    u = Out("T ...")
    v = Out("T ...")
    compute_uv = Attr(True)
    full_matrices = Attr(False)
    T = LAPACK
    native_from = 1

    def demands(self, sizes: Any) -> None:
        demand_matrix(sizes, "Svd", self.input)

    def infer(self) -> Any:
        dims, dtype = self.input.shape.entries, self.input.dtype
        if dims is None:
            factor = TensorSpec(None if self.compute_uv else (), dtype)
            return TensorSpec(None, dtype), factor, factor
        batch, (rows, columns) = dims[:-2], dims[-2:]
        count = least(rows, columns)
        values = TensorSpec((*batch, count), dtype)
        if not self.compute_uv:
            return values, TensorSpec((), dtype), TensorSpec((), dtype)
        wide, high = (columns, rows) if self.full_matrices else (count, count)
        left, right = (*batch, rows, high), (*batch, columns, wide)
        return values, TensorSpec(left, dtype), TensorSpec(right, dtype)

    @on_one_thread
    def eager(self, np: Any) -> Any:
        x = self.input
        if not self.compute_uv:
            empty = np.zeros((), x.dtype)
            return singular_values(np, x).astype(x.dtype), empty, empty
        finite = np.isfinite(x).all((-2, -1))
        if finite.all():
            u, s, vh = np.linalg.svd(x, self.full_matrices)
        else:
            x = np.where(finite[..., None, None], x, 0)
            u, s, vh = (np.array(one) for one in np.linalg.svd(x, self.full_matrices))
            u[~finite], s[~finite], vh[~finite] = np.nan, np.nan, np.nan
        turn = turns(np, u[..., : s.shape[-1]])
        return (
            s.astype(x.dtype),
            turned(np, u, turn),
            turned(np, np.conj(np.swapaxes(vh, -1, -2)), turn),
        )

    def xla(self, xla: Any) -> Any:
        np, x = xla.np, self.input
        if not self.compute_uv:
            empty = np.zeros((), x.dtype)
            return np.linalg.svd(x, compute_uv=False).astype(x.dtype), empty, empty
        u, s, vh = np.linalg.svd(x, self.full_matrices)
        turn = turns(np, u[..., : s.shape[-1]])
        v = np.conj(np.swapaxes(vh, -1, -2))
        return s.astype(x.dtype), turned(np, u, turn), turned(np, v, turn)

    def lower(self, loops: Any) -> Any:
        rows, columns = self.input.shape[-2:]
        count = minimum(loops, rows, columns)
        high, wide = (rows, columns) if self.full_matrices else (count, count)
        values, u, v = loops.svd(self.input, count, high, wide, self.compute_uv)
        values = as_numbers_of(loops, values, self.input.dtype)
        return (values, u, v) if self.compute_uv else (values, *[none(loops, self)] * 2)

    def vjp(self, ds: Any, du: Any, dv: Any) -> Any:
        """Wan and Zhang 2019, "Automatic differentiation for complex valued SVD"."""
        if not self.compute_uv:
            _, u, v = bind(Svd, self.input)
            return matmul(u, matmul(diag(ds), v, adjoint_b=True))
        return svd_gradient(self, ds, du, dv)


def singular_values(np: Any, x: Any) -> Any:
    """Those of each matrix; NaN for one that is not finite, of which LAPACK finds none."""
    finite = np.isfinite(x).all((-2, -1))
    found = np.linalg.svd(np.where(finite[..., None, None], x, 0), compute_uv=False)
    return np.where(finite[..., None], found, np.nan)


def svd_gradient(application: Any, ds: Any, du: Any, dv: Any) -> Any:
    rows, columns = inner_sizes(application.input)
    if application.full_matrices:
        require_unique(application.input, rows, columns)
    s = application.s
    count = shape_of(s)[-1] if rows is None or columns is None else min(rows, columns)
    u, v, du, dv = (one[..., :count] for one in (application.u, application.v, du, dv))
    inverse = no_nan_reciprocal(s)
    udu, vdv = matmul(u, du, adjoint_a=True), matmul(v, dv, adjoint_a=True)
    inner = diag(ds) + within(s, udu, vdv)
    if u.dtype.is_complex:
        turn = cast(imag(diag_part(vdv)), u.dtype) * as_tensor(-1j, u.dtype)
        inner = inner + diag(turn * inverse)
    found = matmul(u, matmul(inner, v, adjoint_b=True))
    # What leaves the space of u or v: nothing, where these are square.
    if rows is None or columns is None or rows > columns:
        outside = (du - matmul(u, udu)) * inverse[..., None, :]
        found = found + matmul(outside, v, adjoint_b=True)
    if rows is None or columns is None or columns > rows:
        outside = (dv - matmul(v, vdv)) * inverse[..., None, :]
        found = found + matmul(u, outside, adjoint_b=True)
    return found


NOT_UNIQUE: Final = (
    "the vectors that full_matrices adds to the svd of a {}x{} matrix are not unique, so they have "
    "no gradient: use full_matrices=False"
)


def require_unique(x: Any, rows: int | None, columns: int | None) -> None:
    """Refuse the gradients of vectors that could be others, when it runs where sizes are unknown.

    Raises:
        ValueError: full matrices have more than one row or column more than the others.
    """
    if rows is not None and columns is not None:
        if abs(rows - columns) > 1:
            raise ValueError(NOT_UNIQUE.format(rows, columns))
        return
    from ..checks.assertions import Assert

    sizes = shape_of(x)
    more = absolute(sizes[-2] - sizes[-1])
    Assert(less_equal(more, 1), [NOT_UNIQUE.format("m", "n"), sizes])


def within(s: Any, udu: Any, vdv: Any) -> Any:
    """The part of the gradient that turns u and v within their spaces."""
    gaps = reciprocal_gaps(s * s)
    left = gaps * (udu - adjoint(udu)) * s[..., None, :]
    right = s[..., :, None] * (gaps * (vdv - adjoint(vdv)))
    return left + right


@dispatchable
def svd(
    tensor: Any, full_matrices: bool = False, compute_uv: bool = True, name: str | None = None
) -> Any:
    """Singular values s, descending, and u, v with tensor = u diag(s) v^H; only s unless
    `compute_uv`.

    tensor: [..., m, n], float32, float64 or complex. s is [..., k], where k is the smaller of m and
    n, and real; u is [..., m, k] and v [..., n, k], or [..., m, m] and [..., n, n] with
    `full_matrices`.

    >>> s, u, v = tf.linalg.svd([[0., 2.], [3., 0.], [0., 0.]])
    >>> s.numpy().round(3)
    array([3., 2.], dtype=float32)
    >>> u.shape, v.shape
    (TensorShape([3, 2]), TensorShape([2, 2]))

    Raises:
        InvalidArgumentError: fewer than two axes.
    """
    x = as_tensor(tensor)
    s, u, v = bind(Svd, x, compute_uv=compute_uv, full_matrices=full_matrices, name=name)
    if not compute_uv:
        return real_values(s)
    return real_values(s), u, v


def real_values(s: Any) -> Any:
    return real(s) if s.dtype.is_complex else s
