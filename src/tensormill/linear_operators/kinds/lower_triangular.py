"""Operators that are zero above the main diagonal."""

from __future__ import annotations

from typing import Any

from ...core.shapes import TensorShape
from ...core.tensorflow_names import at_home_in
from ...ops.array.shapes import shape_of
from ...ops.checks.assertions import assert_greater
from ...ops.conversion import as_tensor
from ...ops.linalg.band_parts import band_part
from ...ops.linalg.decompositions import cholesky
from ...ops.linalg.diagonals import diag_part
from ...ops.linalg.matmul import matmul
from ...ops.linalg.triangular import triangular_solve
from ...ops.math.elementwise import log
from ...ops.math.reduce import reduce_prod, reduce_sum
from ...ops.math.signs import abs as absolute
from .. import rules
from ..batches import adjoint_if
from ..hints import Hint, always
from ..operator import LinearOperator
from ..parameters import as_parameter, keeps_parameters
from .full_matrix import require_matrix


@at_home_in("tensorflow.python.ops.linalg.linear_operator_lower_triangular")
class LinearOperatorLowerTriangular(LinearOperator):
    """The lower triangle of a matrix, `tril`: [..., n, n]; what is above it does not count.

    >>> tf.linalg.LinearOperatorLowerTriangular([[1., 9.], [2., 4.]]).solvevec([1., 6.]).numpy()
    array([1., 1.], dtype=float32)

    Raises:
        ValueError: there are less than two axes, or the hints contradict each other.
        TypeError: it is a matrix of something else than floats.
    """

    @keeps_parameters
    def __init__(
        self,
        tril: Any,
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = None,
        name: str = "LinearOperatorLowerTriangular",
    ) -> None:
        tril = as_parameter(tril)
        require_matrix("tril", tril)
        super().__init__(
            tril.dtype,
            is_non_singular=is_non_singular,
            is_self_adjoint=is_self_adjoint,
            is_positive_definite=is_positive_definite,
            is_square=always(is_square, True, NOT_SQUARE),
            name=name,
        )
        self._tril = tril

    @property
    def tril(self) -> Any:
        """The matrix whose lower triangle counts."""
        return self._tril

    @property
    def _composite_tensor_fields(self) -> tuple[str, ...]:
        return ("tril",)

    @property
    def _experimental_parameter_ndims_to_matrix_ndims(self) -> dict[str, Any]:
        return {"tril": 2}

    def _shape(self) -> TensorShape:
        return self._tril.shape

    def _shape_tensor(self) -> Any:
        return shape_of(self._tril)

    def _diagonal(self) -> Any:
        return diag_part(self._tril)

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return matmul(self._to_dense(), x, adjoint_a=adjoint, adjoint_b=adjoint_arg)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        rhs = adjoint_if(rhs, adjoint_arg)
        return triangular_solve(as_tensor(self._tril), rhs, lower=True, adjoint=adjoint)

    def _determinant(self) -> Any:
        return reduce_prod(self._diagonal(), -1)

    def _log_abs_determinant(self) -> Any:
        return reduce_sum(log(absolute(self._diagonal())), -1)

    def _diag_part(self) -> Any:
        return self._diagonal()

    def _to_dense(self) -> Any:
        return band_part(self._tril, -1, 0)

    def _eigvals(self) -> Any:
        return self._diagonal()

    def _assert_non_singular(self) -> Any:
        message = "Singular operator: Diagonal contained zero values."
        sizes = absolute(self._diagonal())  # NaN is not above 0
        return assert_greater(sizes, as_tensor(0, sizes.dtype), message=message)


NOT_SQUARE = "Only square lower triangular operators supported at this time."


@rules.makes("cholesky")
def cholesky_factor(operator: LinearOperator) -> LinearOperator:
    """The Cholesky factor of the whole matrix."""
    factor = cholesky(operator.to_dense())
    return LinearOperatorLowerTriangular(factor, is_non_singular=True)
