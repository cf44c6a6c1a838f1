"""Operators that reflect."""

from __future__ import annotations

from typing import Any

from ...core.shapes import TensorShape
from ...core.tensorflow_names import at_home_in
from ...errors import InvalidArgumentError
from ...ops.array.concatenation import concat
from ...ops.array.fill import ones, zeros
from ...ops.array.shapes import shape_of
from ...ops.conversion import as_tensor
from ...ops.linalg.matmul import matmul
from ...ops.math.arithmetic import conjugated, square
from ...ops.math.cast import cast
from ...ops.math.elementwise import sqrt
from ...ops.math.reduce import reduce_sum
from ...ops.math.signs import abs as absolute
from ..batches import adjoint_if
from ..hints import Hint, always
from ..operator import LinearOperator
from ..parameters import as_parameter, keeps_parameters


@at_home_in("tensorflow.python.ops.linalg.linear_operator_householder")
class LinearOperatorHouseholder(LinearOperator):
    """The reflection I - 2 v v^H of vectors: [..., n, n].

    reflection_axis: [..., n], which v is along; its length does not count.

    >>> tf.linalg.LinearOperatorHouseholder([2., 0.]).matvec([3., 4.]).numpy()
    array([-3.,  4.], dtype=float32)

    Raises:
        ValueError: the axis has no axis, or the hints are wrong for a reflection.
    """

    @keeps_parameters
    def __init__(
        self,
        reflection_axis: Any,
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = None,
        name: str = "LinearOperatorHouseholder",
    ) -> None:
        axis = as_parameter(reflection_axis)
        if axis.shape.rank == 0:
            raise ValueError(
                f"Argument reflection_axis must have at least 1 dimension. Found: {axis}"
            )
        super().__init__(
            axis.dtype,
            is_non_singular=is_non_singular,
            is_self_adjoint=always(is_self_adjoint, True, f"{ALWAYS} self adjoint."),
            is_positive_definite=always(
                is_positive_definite, False, f"{ALWAYS} non-positive definite."
            ),
            is_square=always(is_square, True, f"{ALWAYS} square."),
            name=name,
        )
        self._reflection_axis = axis

    @property
    def reflection_axis(self) -> Any:
        """The vector along which it reflects: [..., n]."""
        return self._reflection_axis

    @property
    def _composite_tensor_fields(self) -> tuple[str, ...]:
        return ("reflection_axis",)

    @property
    def _experimental_parameter_ndims_to_matrix_ndims(self) -> dict[str, Any]:
        return {"reflection_axis": 1}

    def _shape(self) -> TensorShape:
        shape = self._reflection_axis.shape
        return shape.concatenate(shape[-1:])

    def _shape_tensor(self) -> Any:
        sizes = shape_of(self._reflection_axis)
        return concat([sizes, sizes[-1:]], 0)

    def _direction(self) -> Any:
        axis = as_tensor(self._reflection_axis)
        length = sqrt(reduce_sum(square(absolute(axis)), -1, keepdims=True))
        return axis / cast(length, axis.dtype)

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        x, column = adjoint_if(x, adjoint_arg), self._direction()[..., None]
        return x - 2 * matmul(column, matmul(column, x, adjoint_a=True))

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._matmul(rhs, adjoint, adjoint_arg)

    def _ones(self) -> Any:
        return ones(self.batch_shape_tensor(), self.dtype)

    def _determinant(self) -> Any:
        return -self._ones()

    def _log_abs_determinant(self) -> Any:
        return zeros(self.batch_shape_tensor(), self.dtype)

    def _trace(self) -> Any:
        return self._ones() * cast(self.domain_dimension_tensor() - 2, self.dtype)

    def _diag_part(self) -> Any:
        direction = self._direction()
        return 1 - 2 * direction * conjugated(direction)

    def _eigvals(self) -> Any:
        sizes = shape_of(self._reflection_axis)
        others = ones(concat([sizes[:-1], sizes[-1:] - 1], 0), self.dtype)
        return concat([-self._ones()[..., None], others], -1)

    def _cond(self) -> Any:
        return self._ones()

    def _assert_non_singular(self) -> None:
        """It never is."""

    def _assert_positive_definite(self) -> None:
        raise InvalidArgumentError("Householder operators are always non-positive definite.")

    def _assert_self_adjoint(self) -> None:
        """It always is."""

    def _linop_adjoint(self) -> LinearOperator:
        return self

    def _linop_inverse(self) -> LinearOperator:
        return self


ALWAYS = "A Householder operator is always"
