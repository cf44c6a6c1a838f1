"""What functions of matrices mean for operators: their methods."""

from __future__ import annotations

from typing import Any

from ..ops.dispatch.meanings import means_for
from ..ops.linalg import decompositions, diagonals, solving
from ..ops.linalg import matmul as products
from .operator import LinearOperator


@means_for(products.matmul, LinearOperator)
def matmul(
    a: Any, b: Any, transpose_a: bool, transpose_b: bool, adjoint_a: bool, adjoint_b: bool,
    a_is_sparse: bool, b_is_sparse: bool, output_type: Any, grad_a: bool, grad_b: bool, name: Any,
) -> Any:  # fmt: skip
    """The product: an operator if both are, else a tensor.

    Raises:
        ValueError: one is to be transposed, or said to be sparse; sizes do not fit.
        TypeError: the dtypes differ.
    """
    _refuse(transpose_a or transpose_b, a_is_sparse or b_is_sparse)
    if isinstance(a, LinearOperator):
        return a.matmul(b, adjoint_a, adjoint_b, name or "matmul")
    turned = b.matmul(a, not adjoint_b, not adjoint_a, name or "matmul")
    return products.adjoint(turned)


@means_for(products.matvec, LinearOperator)
def matvec(
    a: Any, b: Any, transpose_a: bool, adjoint_a: bool, a_is_sparse: bool, b_is_sparse: bool,
    name: Any,
) -> Any:  # fmt: skip
    """The product of an operator and vectors."""
    if not isinstance(a, LinearOperator):
        return NotImplemented
    _refuse(transpose_a, a_is_sparse or b_is_sparse)
    return a.matvec(b, adjoint_a, name or "matvec")


def _refuse(is_transposed: bool, is_sparse: bool) -> None:
    if is_transposed:
        raise ValueError("an operator has an adjoint, but is not transposed; say adjoint_a")
    if is_sparse:
        raise ValueError("operators and what they are multiplied with are not sparse")


@means_for(products.adjoint, LinearOperator)
def adjoint(matrix: LinearOperator, name: Any) -> Any:
    """The adjoint, as an operator."""
    return matrix.adjoint(name or "adjoint")


@means_for(solving.solve, LinearOperator)
def solve(matrix: Any, rhs: Any, adjoint: bool, name: Any) -> Any:
    """x with A x = rhs: an operator if both are."""
    if not isinstance(matrix, LinearOperator):
        return NotImplemented
    return matrix.solve(rhs, adjoint, name=name or "solve")


@means_for(solving.inv, LinearOperator)
def inv(input: LinearOperator, adjoint: bool, name: Any) -> Any:
    """The inverse, as an operator."""
    inverse = input.inverse(name or "inverse")
    return inverse.adjoint() if adjoint else inverse


@means_for(solving.det, LinearOperator)
def det(input: LinearOperator, name: Any) -> Any:
    """The determinants."""
    return input.determinant(name or "det")


@means_for(solving.logdet, LinearOperator)
def logdet(matrix: LinearOperator, name: Any) -> Any:
    """Their logarithms.

    Raises:
        ValueError: the operator is not known to be positive definite and self-adjoint.
    """
    if not (matrix.is_positive_definite and matrix.is_self_adjoint):
        raise ValueError("logdet wants an operator that is_self_adjoint and is_positive_definite")
    return matrix.log_abs_determinant(name or "logdet")


@means_for(decompositions.cholesky, LinearOperator)
def cholesky(input: LinearOperator, name: Any) -> Any:
    """The lower triangular factor, as an operator."""
    return input.cholesky(name or "cholesky")


@means_for(diagonals.trace, LinearOperator)
def trace(x: LinearOperator, name: Any) -> Any:
    """The sums of the diagonals."""
    return x.trace(name or "trace")


@means_for(diagonals.diag_part, LinearOperator)
def diag_part(input: LinearOperator, name: Any, k: Any, padding_value: Any, align: str) -> Any:
    """The diagonals.

    Raises:
        ValueError: another diagonal than the main one.
    """
    if not isinstance(k, int) or k != 0:
        raise ValueError(f"an operator gives its main diagonal only, not k={k}")
    return input.diag_part(name or "diag_part")
