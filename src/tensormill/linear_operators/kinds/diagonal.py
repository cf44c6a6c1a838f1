"""Operators that are zero but for the main diagonal."""

from __future__ import annotations

from typing import Any

from ...core.shapes import TensorShape
from ...core.tensorflow_names import at_home_in
from ...ops.array.concatenation import concat
from ...ops.array.shapes import expand_dims, shape_of
from ...ops.checks.assertions import assert_equal, assert_greater, assert_positive
from ...ops.conversion import as_tensor
from ...ops.linalg.diagonals import diag, diag_part, set_diag
from ...ops.math.arithmetic import conjugated
from ...ops.math.complex import imag, real
from ...ops.math.elementwise import log, sqrt
from ...ops.math.reduce import reduce_max, reduce_min, reduce_prod, reduce_sum
from ...ops.math.signs import abs as absolute
from ..batches import adjoint_if, as_dtype_of
from ..hints import Hint, always
from ..operator import LinearOperator
from ..parameters import as_parameter, keeps_parameters


@at_home_in("tensorflow.python.ops.linalg.linear_operator_diag")
class LinearOperatorDiag(LinearOperator):
    """[..., n, n], zero but for the main diagonal, `diag`: [..., n].

    Products, solutions and determinants take n steps. A real one is self-adjoint.

    >>> tf.linalg.LinearOperatorDiag([1., 2.]).matvec([3., 4.]).numpy()
    array([3., 8.], dtype=float32)

    Raises:
        ValueError: `diag` has no axis, or the hints are wrong for such an operator.
    """

    @keeps_parameters
    def __init__(
        self,
        diag: Any,
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = None,
        name: str = "LinearOperatorDiag",
    ) -> None:
        diag = as_parameter(diag)
        if diag.shape.rank == 0:
            raise ValueError(f"Argument diag must have at least 1 dimension. Found: {diag}")
        if not diag.dtype.is_complex:
            is_self_adjoint = always(is_self_adjoint, True, REAL)
        super().__init__(
            diag.dtype,
            is_non_singular=is_non_singular,
            is_self_adjoint=is_self_adjoint,
            is_positive_definite=is_positive_definite,
            is_square=always(is_square, True, NOT_SQUARE),
            name=name,
        )
        self._diag = diag

    @property
    def diag(self) -> Any:
        """The main diagonal: [..., n]."""
        return self._diag

    @property
    def _composite_tensor_fields(self) -> tuple[str, ...]:
        return ("diag",)

    @property
    def _experimental_parameter_ndims_to_matrix_ndims(self) -> dict[str, Any]:
        return {"diag": 1}

    def _shape(self) -> TensorShape:
        shape = self._diag.shape
        return shape.concatenate(shape[-1:])

    def _shape_tensor(self) -> Any:
        sizes = shape_of(self._diag)
        return concat([sizes, sizes[-1:]], 0)

    def _factors(self, adjoint: bool) -> Any:
        numbers = as_tensor(self._diag)
        return conjugated(numbers) if adjoint else numbers

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return expand_dims(self._factors(adjoint), -1) * adjoint_if(x, adjoint_arg)

    def _matvec(self, x: Any, adjoint: bool = False) -> Any:
        return self._factors(adjoint) * x

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return adjoint_if(rhs, adjoint_arg) / expand_dims(self._factors(adjoint), -1)

    def _solvevec(self, rhs: Any, adjoint: bool = False) -> Any:
        return rhs / self._factors(adjoint)

    def _determinant(self) -> Any:
        return reduce_prod(self._diag, -1)

    def _log_abs_determinant(self) -> Any:
        found = reduce_sum(log(absolute(self._diag)), -1)
        return as_dtype_of(found, self)

    def _diag_part(self) -> Any:
        return as_tensor(self._diag)

    def _to_dense(self) -> Any:
        return diag(self._diag)

    def _add_to_tensor(self, x: Any) -> Any:
        return set_diag(x, diag_part(x) + self._diag)

    def _eigvals(self) -> Any:
        return as_tensor(self._diag)

    def _cond(self) -> Any:
        sizes = absolute(self._diag)
        return reduce_max(sizes, -1) / reduce_min(sizes, -1)

    def _assert_non_singular(self) -> Any:
        message = "Singular operator: Diagonal contained zero values."
        sizes = absolute(self._diag)  # NaN is not above 0
        return assert_greater(sizes, as_tensor(0, sizes.dtype), message=message)

    def _assert_positive_definite(self) -> Any:
        message = "Diagonal operator had non-positive diagonal entries: not positive definite."
        return assert_positive(real(self._diag), message=message)

    def _assert_self_adjoint(self) -> Any:
        message = "This diagonal operator contained non-zero imaginary values."
        return assert_equal(imag(self._diag), as_tensor(0, self.dtype.real_dtype), message=message)

    def _of_same_kind(self, diag: Any) -> LinearOperatorDiag:
        return LinearOperatorDiag(diag, **self._hints.as_options())

    def _linop_adjoint(self) -> LinearOperator:
        return self._of_same_kind(conjugated(self._diag))

    def _linop_inverse(self) -> LinearOperator:
        return self._of_same_kind(1.0 / as_tensor(self._diag))

    def _linop_cholesky(self) -> LinearOperator:
        return LinearOperatorDiag(sqrt(self._diag), is_positive_definite=True, is_square=True)


REAL = "A real diagonal operator is always self adjoint."
NOT_SQUARE = "Only square diagonal operators currently supported."
