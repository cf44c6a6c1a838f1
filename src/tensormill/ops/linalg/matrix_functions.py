"""Functions of matrices: exponential, square root, pseudo-inverse, rank; cross products."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as numpy_module

from ...core import dtypes
from ...core.native_operations import SLOW
from ...core.process.blas_threads import on_one_thread
from ...core.specs import TensorSpec
from ...errors import FailedPreconditionError, InvalidArgumentError, ShapeMismatchError
from ..array.concatenation import concat
from ..array.fill import eye, zeros_like
from ..array.select import where
from ..array.shapes import reshape, shape_of
from ..bind import api, bind
from ..conversion import as_tensor
from ..demands import refuse
from ..dispatch.meanings import dispatchable
from ..math.cast import cast
from ..math.comparison import greater
from ..math.reduce import reduce_max, reduce_sum
from ..op import COMPLEX, REALS, In, Op, Out, as_eager
from ..underivable import no_derivative
from .decompositions import (
    OfSquares,
    as_numbers_of,
    inner_sizes,
    require_order,
    require_places,
    rows_back,
    rows_taken,
    triangles,
)
from .eigenvalues import svd
from .matmul import adjoint, matmul
from .triangular import triangular_solve


def where_finite(np: Any, x: Any, function: Callable[[Any], Any]) -> Any:
    """What `function` makes of matrices; NaN of those that are not finite."""
    finite = np.isfinite(x).all((-2, -1))[..., None, None]
    stand_in = np.eye(x.shape[-1], dtype=x.dtype)
    nan = complex(np.nan, np.nan) if x.dtype.kind == "c" else np.nan
    return np.where(finite, function(np.where(finite, x, stand_in)), x.dtype.type(nan))


class MatrixExponential(OfSquares):
    """The sum of x^k / k! over k = 0, 1, ... for square matrices x."""

    output = Out("T ...")
    native_from = SLOW

    def infer(self) -> TensorSpec:
        return TensorSpec(self.dims(), self.input.dtype)

    def eager(self, np: Any) -> Any:
        return where_finite(np, self.input, lambda x: exponential(np, x))

    def lower(self, loops: Any) -> Any:
        return in_64_bits(loops, "expm", self.input)

    def xla(self, xla: Any) -> Any:
        wide = "complex128" if self.input.dtype.kind == "c" else "float64"

        def exponential_of(x: Any) -> Any:
            return xla.jax.scipy.linalg.expm(x.astype(wide)).astype(x.dtype)

        return where_finite(xla.np, self.input, exponential_of)

    def vjp(self, doutput: Any) -> Any:
        """exp([[x^H, d], [0, x^H]]) has the answer in its upper right corner (Mathias 1996)."""
        turned = adjoint(self.input)
        above = concat([turned, doutput], -1)
        below = concat([zeros_like(turned), turned], -1)
        size = shape_of(self.input)[-1]
        return bind(MatrixExponential, concat([above, below], -2))[..., :size, size:]


# The (7, 7) Padé approximant and the norm up to which it is exact in float64 (Higham 2005).
PADE = (17297280.0, 8648640.0, 1995840.0, 277200.0, 25200.0, 1512.0, 56.0, 1.0)
LARGEST_NORM = 0.95


@on_one_thread
def exponential(np: Any, x: Any) -> Any:
    """Scaling and squaring, each matrix as often as it needs."""
    wide = x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)
    tiny = 2.0**-64  # so that no sum is infinite
    norms = (np.abs(wide) * tiny).sum(-2).max(-1, initial=LARGEST_NORM * tiny)
    squarings = np.ceil(np.log2(norms / LARGEST_NORM) - np.log2(tiny))[..., None, None]
    scaled = wide * 2.0**-squarings
    identity = np.eye(x.shape[-1])
    square = scaled @ scaled
    odd, even = np.zeros_like(wide), np.zeros_like(wide)
    for power in (6, 4, 2, 0):
        odd, even = odd @ square, even @ square
        odd, even = odd + PADE[power + 1] * identity, even + PADE[power] * identity
    odd = scaled @ odd
    result = np.linalg.solve(even - odd, even + odd)
    for count in range(int(squarings.max(initial=0.0))):
        result = np.where(count < squarings, result @ result, result)
    return result.astype(x.dtype)


@dispatchable
def expm(input: Any, name: str | None = None) -> Any:
    """The exponential of square matrices.

    input: [..., n, n], float32, float64 or complex; the result is alike. By a Padé approximant,
    scaled and squared (Higham 2005).

    >>> tf.linalg.expm([[0., 5.], [0., 0.]]).numpy().round(3)
    array([[1., 5.],
           [0., 1.]], dtype=float32)

    Raises:
        InvalidArgumentError: a matrix is not square.
    """
    return bind(MatrixExponential, input, name=name)


def in_64_bits(loops: Any, name: str, x: Any) -> Any:
    """A function of matrices in compiled code."""
    wide = dtypes.complex128 if x.dtype.is_complex else dtypes.float64
    found = loops.matrix_function(name, as_numbers_of(loops, x, wide))
    return as_numbers_of(loops, found, x.dtype)


class MatrixSquareRoot(OfSquares):
    """The principal square root of square matrices; NaN for a real one without a real root."""

    output = Out("T ...")
    native_from = 1  # SciPy goes from one matrix to the next, and takes a tenth of a second to load

    def infer(self) -> TensorSpec:
        return TensorSpec(self.dims(), self.input.dtype)

    def eager(self, np: Any) -> Any:
        from scipy.linalg import sqrtm as square_root

        def each(x: Any) -> Any:
            result = np.empty(x.shape, x.dtype)
            for place in np.ndindex(x.shape[:-2]):
                root = np.asarray(on_one_thread(square_root)(x[place]))
                is_real = x.dtype.kind == "c" or root.dtype.kind != "c"
                result[place] = root if is_real else np.nan
            return result

        return where_finite(np, self.input, each)

    def lower(self, loops: Any) -> Any:
        return in_64_bits(loops, "sqrtm", self.input)

    def vjp(self, doutput: Any) -> Any:
        """R dX + dX R = dA, solved as a system of n^2 equations."""
        from .solving import solve

        root = adjoint(self.output)
        size = shape_of(root)[-1]
        one = eye(size, dtype=root.dtype)
        lines = _kronecker(one, root) + _kronecker(_transposed(root), one)
        sizes = concat([shape_of(doutput)[:-2], [size * size, 1]], 0)
        column = reshape(_transposed(doutput), sizes)
        found = reshape(solve(lines, column), shape_of(doutput))
        return _transposed(found)


def _transposed(x: Any) -> Any:
    from ..array.rearrangement import matrix_transpose

    return matrix_transpose(x)


def _kronecker(a: Any, b: Any) -> Any:
    """Kronecker products of matrices; leading axes broadcast."""
    product = a[..., :, None, :, None] * b[..., None, :, None, :]
    sizes = shape_of(product)
    inner = [sizes[-4] * sizes[-3], sizes[-2] * sizes[-1]]
    return reshape(product, concat([sizes[:-4], inner], 0))


@dispatchable
def sqrtm(input: Any, name: str | None = None) -> Any:
    """The principal square root of square matrices: the one whose product with itself they are;
    NaN for real ones without a real root.

    input: [..., n, n], float32, float64 or complex; the result is alike.

    >>> tf.linalg.sqrtm([[5., 4.], [4., 5.]]).numpy().round(3)
    array([[2., 1.],
           [1., 2.]], dtype=float32)

    Raises:
        InvalidArgumentError: a matrix is not square.
    """
    return bind(MatrixSquareRoot, input, name=name)


class MatrixLogarithm(OfSquares):
    """The principal logarithm of complex square matrices; NaN for a singular one."""

    output = Out("T ...")
    T = COMPLEX
    vjp = no_derivative
    native_from = 1

    def infer(self) -> TensorSpec:
        return TensorSpec(self.dims(), self.input.dtype)

    def eager(self, np: Any) -> Any:
        from scipy.linalg import logm as logarithm

        def each(x: Any) -> Any:
            result = np.full(x.shape, complex(np.nan, np.nan), x.dtype)
            regular = np.linalg.slogdet(x)[0] != 0
            # SciPy warns of what rounding does to numbers of complex64, and TensorFlow does not.
            wide = x.astype(np.complex128)
            for place in np.argwhere(regular & (x.shape[-1] > 0)):
                result[tuple(place)] = on_one_thread(logarithm)(wide[tuple(place)])
            return result

        return where_finite(np, self.input, each)

    def lower(self, loops: Any) -> Any:
        return in_64_bits(loops, "logm", self.input)


def logm(input: Any, name: str | None = None) -> Any:
    """The principal logarithm of complex square matrices: [..., n, n]; NaN for singular ones. It
    has no gradient.

    >>> tf.linalg.logm([[5 + 0j, 4], [4, 5]]).numpy().real.round(3)
    array([[1.099, 1.099],
           [1.099, 1.099]])

    Raises:
        InvalidArgumentError: a matrix is not square.
        TypeError: the numbers are not complex.
    """
    return bind(MatrixLogarithm, input, name=name)


class Cross(Op):
    """Cross products of vectors of three elements, along the last axis: a, b and the result are
    [..., 3], real numbers of one dtype and shape.

    >>> tf.linalg.cross([1, 0, 0], [0, 1, 0]).numpy()
    array([0, 0, 1], dtype=int32)

    Raises:
        InvalidArgumentError: the shapes differ, or are those of scalars.
        FailedPreconditionError: the vectors have not three elements.
    """

    a = In("T *s")
    b = In("T *s")
    product = Out("T *s")
    T = REALS
    xla = as_eager

    def demands(self, sizes: Any) -> None:
        a, b = sizes.shape(self.a), sizes.shape(self.b)
        sizes.alike(a, b, ShapeMismatchError, UNLIKE)
        if not a:
            refuse(InvalidArgumentError, NO_VECTORS)
        sizes.require(sizes.equal(a[-1], 3), FailedPreconditionError, THREE, a)

    def infer(self) -> TensorSpec:
        return TensorSpec(self.a.shape.merge_with(self.b.shape), self.a.dtype)

    def eager(self, np: Any) -> Any:
        return np.cross(self.a, self.b)

    def lower(self, loops: Any) -> Any:
        a, b = self.a, self.b

        def element(*index: Any) -> Any:
            *outer, last = index
            left, right = [*outer, (last + 1) % 3], [*outer, (last + 2) % 3]
            return a[left] * b[right] - a[right] * b[left]

        return loops.map(a.shape, a.dtype, element)

    def vjp(self, dproduct: Any) -> Any:
        return cross(self.b, dproduct), cross(dproduct, self.a)


NO_VECTORS = "Cross: vectors have an axis, and these are scalars"
THREE = "Cross: Cross-products are only defined for 3-element vectors. The shape is {}"
UNLIKE = "Cross: Both inputs must be of same shape: {} vs. {}"

cross = api(Cross)


# ---------------------------------------------------------------- by singular values


@dispatchable
def matrix_rank(
    a: Any, tol: Any = None, validate_args: bool = False, name: str | None = None
) -> Any:
    """How many singular values of matrices are above `tol`, int32: [..., m, n] gives [...].

    a: floats or complex numbers. tol: by default the largest singular value times the larger size
    times the dtype's precision.

    >>> int(tf.linalg.matrix_rank([[1., 2.], [2., 4.]]))
    1

    Raises:
        TypeError: integers.
        InvalidArgumentError: fewer than two axes.
    """
    x = as_tensor(a)
    require_float(x, "matrix_rank")
    s = svd(x, compute_uv=False)
    if tol is None:
        largest = cast(reduce_max(shape_of(x)[-2:]), s.dtype)
        precision = float(numpy_module.finfo(x.dtype.storage).eps)
        tol = as_tensor(precision, s.dtype) * largest * reduce_max(s, -1, keepdims=True)
    return reduce_sum(cast(greater(s, tol), dtypes.int32), -1, name=name)


def require_float(x: Any, name: str) -> None:
    if not (x.dtype.is_floating or x.dtype.is_complex):
        raise TypeError(f"{name}: Input `a` must have float-like dtype, but is {x.dtype.name}")


@dispatchable
def pinv(a: Any, rcond: Any = None, validate_args: bool = False, name: str | None = None) -> Any:
    """The Moore-Penrose inverse of matrices: [..., m, n] gives [..., n, m].

    a: floats or complex numbers. rcond: singular values below that part of the largest count as 0;
    by default 10 times the larger size times the dtype's precision.

    >>> tf.linalg.pinv([[1.], [1.]]).numpy().round(3)
    array([[0.5, 0.5]], dtype=float32)

    Raises:
        TypeError: integers.
        InvalidArgumentError: fewer than two axes.
    """
    x = as_tensor(a)
    require_float(x, "pinv")
    s, u, v = svd(x)
    if rcond is None:
        sizes: Any = inner_sizes(x)
        precision = 10.0 * float(numpy_module.finfo(x.dtype.storage).eps)
        largest = cast(reduce_max(shape_of(x)[-2:]), s.dtype) if None in sizes else max(sizes)
        rcond = as_tensor(precision, s.dtype) * cast(largest, s.dtype)
    cutoff = as_tensor(rcond, s.dtype) * reduce_max(s, -1)
    limit = where(greater(s, cutoff[..., None]), s, as_tensor(numpy_module.inf, s.dtype))
    return matmul(v / cast(limit, x.dtype)[..., None, :], u, adjoint_b=True, name=name)


# ---------------------------------------------------------------- by triangles


@dispatchable
def lu_reconstruct(
    lower_upper: Any, perm: Any, validate_args: bool = False, name: str | None = None
) -> Any:
    """The matrices whose `lu` is given: [..., n, n].

    lower_upper: [..., n, n] and perm: [..., n], as `lu` returns them.

    >>> tf.linalg.lu_reconstruct([[4., 4.], [0.5, -1.]], [1, 0]).numpy()
    array([[2., 1.],
           [4., 4.]], dtype=float32)

    Raises:
        InvalidArgumentError: fewer than two axes, or `perm` is no order of the rows.
        DTypeMismatchError: the matrices are not numbers.
    """
    packed, order = as_tensor(lower_upper), as_tensor(perm)
    require_places(packed, order, "lu_reconstruct")
    require_order(order, "lu_reconstruct")
    lower, upper = triangles(packed)
    return rows_back(matmul(lower, upper), order)


@dispatchable
def lu_solve(
    lower_upper: Any, perm: Any, rhs: Any, validate_args: bool = False, name: str | None = None
) -> Any:
    """x with A x = rhs, where `lu` of A is given.

    lower_upper: [..., n, n] and perm: [..., n], as `lu` returns them. rhs: [..., n, k]; the leading
    axes broadcast. x is [..., n, k].

    >>> lu, p = tf.linalg.lu([[2., 1.], [4., 4.]])
    >>> tf.linalg.lu_solve(lu, p, [[4.], [12.]]).numpy()
    array([[1.],
           [2.]], dtype=float32)

    Raises:
        ShapeMismatchError: rhs has fewer than two axes, or not n rows.
        InvalidArgumentError: fewer than two axes.
    """
    packed, order = as_tensor(lower_upper), as_tensor(perm)
    require_places(packed, order, "lu_solve")
    right, order = _in_one_batch(as_tensor(rhs, packed.dtype), order)
    require_places(right, order, "lu_solve")
    lower, upper = triangles(packed)
    solved = triangular_solve(lower, rows_taken(right, order))
    return triangular_solve(upper, solved, lower=False, name=name)


def _in_one_batch(right: Any, order: Any) -> tuple[Any, Any]:
    """Right-hand sides and an order of rows for each, leading axes broadcast."""
    from ..array.broadcasting import broadcast_dynamic_shape, broadcast_to

    have, want = right.shape[:-2], order.shape[:-1]
    if (right.shape.rank is not None and right.shape.rank < 2) or _agree(have, want):
        return right, order
    sizes = shape_of(right)
    batch = broadcast_dynamic_shape(sizes[:-2], shape_of(order)[:-1])
    every = broadcast_to(order, concat([batch, shape_of(order)[-1:]], 0))
    return broadcast_to(right, concat([batch, sizes[-2:]], 0)), every


def _agree(one: Any, other: Any) -> bool:
    return one.is_fully_defined() and other.is_fully_defined() and one == other


@dispatchable
def lu_matrix_inverse(
    lower_upper: Any, perm: Any, validate_args: bool = False, name: str | None = None
) -> Any:
    """The inverse of the matrices whose `lu` is given: [..., n, n].

    lower_upper: [..., n, n] and perm: [..., n], as `lu` returns them.

    >>> tf.linalg.lu_matrix_inverse([[4., 4.], [0.5, -1.]], [1, 0]).numpy()
    array([[ 1.  , -0.25],
           [-1.  ,  0.5 ]], dtype=float32)

    Raises:
        InvalidArgumentError: fewer than two axes, or `perm` is no order of the rows.
        DTypeMismatchError: the matrices are not floats or complex numbers.
    """
    packed = as_tensor(lower_upper)
    if packed.shape.rank is not None and packed.shape.rank < 2:
        raise ShapeMismatchError(f"lu_matrix_inverse: matrices are wanted, got {packed.shape}")
    sizes = shape_of(packed)
    identity = eye(sizes[-1], batch_shape=sizes[:-2], dtype=packed.dtype)
    return lu_solve(packed, perm, identity, name=name)
