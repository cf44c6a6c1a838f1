"""Products, transposes and factors of sparse matrices that are one value each; SciPy computes."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ...core.shapes import UNKNOWN, TensorShape
from ...core.specs import ObjectSpec, TensorSpec
from ...errors import InvalidArgumentError
from ..bind import bind
from ..demands import refuse
from ..op import Attr, In, Op, Out, types
from ..underivable import no_derivative
from . import csr_gradients as gradients
from .csr_matrices import described, found_in, joined, matrix_spec

RANKS: Final = "{}: a matrix of shape {} and a tensor of shape {} must have one rank"
INNER: Final = "{}: the inner sizes of {} and {} differ"


def turned(sizes: tuple[Any, ...], transposes: bool) -> tuple[Any, ...]:
    return (*sizes[:-2], sizes[-1], sizes[-2]) if transposes else tuple(sizes)


def product_shape(op: Any, first: Any, second: Any) -> TensorShape:
    """The shape of the product; unknown where an operand's is, or where the run will refuse it."""
    if first.entries is None or second.entries is None or len(first.entries) != len(second.entries):
        return UNKNOWN
    a = turned(first.entries, op.transpose_a or op.adjoint_a)
    b = turned(second.entries, op.transpose_b or op.adjoint_b)
    fits = all(None in pair or pair[0] == pair[1] for pair in _paired(a, b))
    return TensorShape((*a[:-1], b[-1])) if fits else UNKNOWN


def _paired(a: tuple[Any, ...], b: tuple[Any, ...]) -> list[tuple[Any, Any]]:
    """The sizes that must be equal."""
    return [(a[-1], b[-2]), *zip(a[:-2], b[:-2], strict=True)]


def sizes_of_product(op: Any, first: tuple[int, ...], second: tuple[int, ...]) -> Any:
    """The sizes of a product in a run.

    Raises:
        InvalidArgumentError: the operands do not fit.
    """
    shape = product_shape(op, TensorShape(first), TensorShape(second))
    if shape.entries is None:
        text = INNER if len(first) == len(second) else RANKS
        refuse(InvalidArgumentError, text, op.name, list(first), list(second))
    return tuple(shape.as_list())


def _as_used(matrix: Any, transposes: bool, adjoins: bool) -> Any:
    matrix = matrix.conj() if adjoins else matrix
    return matrix.T if transposes or adjoins else matrix


class SparseMatrixMatMul(Op):
    """A sparse matrix times a matrix, or as many of them; the result is dense.

    Raises:
        InvalidArgumentError: the ranks differ, or the sizes do not fit.
    """

    a = In("variant")
    b = In("T ...")
    output = Out("T ...")
    transpose_a = Attr(False)
    transpose_b = Attr(False)
    adjoint_a = Attr(False)
    adjoint_b = Attr(False)
    transpose_output = Attr(False)
    conjugate_output = Attr(False)
    T = types("f32 f64 c64 c128")

    def infer(self) -> TensorSpec:
        known = described(self.a)
        shape = product_shape(self, known.shape, self.b.shape) if known else UNKNOWN
        if self.transpose_output and shape.entries is not None:
            shape = TensorShape(turned(shape.entries, True))
        return TensorSpec(shape, self.b.dtype)

    def eager(self, np: Any) -> Any:
        a, b = found_in(self, self.a), self.b
        if a.values.dtype != b.dtype:
            raise InvalidArgumentError(
                f"{self.name}: a is of {a.values.dtype.name}, but b of {b.dtype.name}"
            )
        sizes = sizes_of_product(self, a.shape, b.shape)
        found = [
            _as_used(one, self.transpose_a, self.adjoint_a)
            @ _as_used(other, self.transpose_b, self.adjoint_b)
            for one, other in zip(a.matrices(), b[None] if b.ndim == 2 else b, strict=True)
        ]
        product = np.array(found, b.dtype).reshape(sizes)
        product = product.conj() if self.conjugate_output else product
        return np.ascontiguousarray(
            np.swapaxes(product, -1, -2) if self.transpose_output else product
        )

    def vjp(self, doutput: Any) -> Any:
        return gradients.by_factors(self, doutput)


class SparseMatrixSparseMatMul(Op):
    """The product of two sparse matrices, or of as many of them; it is sparse.

    Raises:
        InvalidArgumentError: the ranks differ, or the sizes do not fit.
    """

    a = In("variant")
    b = In("variant")
    c = Out("variant")
    type = Attr(allowed=types("c128 c64 f32 f64"))
    transpose_a = Attr(False)
    transpose_b = Attr(False)
    adjoint_a = Attr(False)
    adjoint_b = Attr(False)
    vjp = no_derivative

    def infer(self) -> ObjectSpec:
        one, other = described(self.a), described(self.b)
        shape = product_shape(self, one.shape, other.shape) if one and other else UNKNOWN
        return matrix_spec(shape, self.type)

    def eager(self, np: Any) -> Any:
        a, b = found_in(self, self.a, self.type), found_in(self, self.b, self.type)
        sizes_of_product(self, a.shape, b.shape)
        found = [
            _as_used(one, self.transpose_a, self.adjoint_a)
            @ _as_used(other, self.transpose_b, self.adjoint_b)
            for one, other in zip(a.matrices(), b.matrices(), strict=True)
        ]
        return joined(found, len(a.shape) == 3, a.values.dtype)


class SparseMatrixTranspose(Op):
    """A sparse matrix, or each of a batch, with rows and columns exchanged."""

    input = In("variant")
    output = Out("variant")
    conjugate = Attr(False)
    type = Attr(allowed=types("c128 c64 f32 f64"))

    def infer(self) -> ObjectSpec:
        known = described(self.input)
        sizes = known.shape.entries if known else None
        shape = UNKNOWN if sizes is None else TensorShape(turned(sizes, True))
        return matrix_spec(shape, self.type)

    def eager(self, np: Any) -> Any:
        it = found_in(self, self.input, self.type)
        found = [_as_used(one, True, self.conjugate) for one in it.matrices()]
        return joined(found, len(it.shape) == 3, it.values.dtype)

    def vjp(self, doutput: Any) -> Any:
        return bind(SparseMatrixTranspose, doutput, conjugate=self.conjugate, type=self.type)


class SparseMatrixSparseCholesky(Op):
    """The lower factor of a positive definite sparse matrix, or of each of a batch, whose rows and
    columns are put in the order of `permutation` first.

    Raises:
        InvalidArgumentError: a matrix is not positive definite, or its order no permutation.
    """

    input = In("variant")
    permutation = In("i32 ...")
    output = Out("variant")
    type = Attr(allowed=types("c128 c64 f32 f64"))
    vjp = no_derivative

    def infer(self) -> ObjectSpec:
        known = described(self.input)
        return matrix_spec(known.shape if known else UNKNOWN, self.type)

    def eager(self, np: Any) -> Any:
        it = found_in(self, self.input, self.type)
        if self.permutation.shape != it.shape[:-1] or it.shape[-1] != it.shape[-2]:
            raise InvalidArgumentError(
                f"{self.name}: an order of shape {self.permutation.shape} is none of matrices of "
                f"shape {it.shape}"
            )
        orders = self.permutation.reshape(-1, it.shape[-1])
        pairs = enumerate(zip(it.matrices(), orders, strict=True))
        found = [_factor(number, one, order) for number, (one, order) in pairs]
        return joined(found, len(it.shape) == 3, it.values.dtype)


def _factor(number: int, matrix: Any, order: Any) -> Any:
    """By the factors L D L* that SciPy finds where it exchanges nothing."""
    from scipy.sparse import diags_array
    from scipy.sparse.linalg import splu

    failed = InvalidArgumentError(f"Sparse Cholesky factorization failed for batch index {number}")
    if sorted(order.tolist()) != list(range(len(order))):
        raise failed
    matrix = matrix[order][:, order].tocsc()

    try:
        options = {"SymmetricMode": True, "Equil": False}
        parts = splu(matrix, "NATURAL", diag_pivot_thresh=0.0, options=options)
    except RuntimeError:
        raise failed from None
    pivots = parts.U.diagonal()
    if (parts.perm_r != np.arange(len(order))).any() or not (pivots.real > 0).all():
        raise failed
    return parts.L @ diags_array(np.sqrt(pivots.real).astype(matrix.dtype))
