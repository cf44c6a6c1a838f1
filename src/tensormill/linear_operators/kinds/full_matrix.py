"""Operators that are whole matrices."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.shapes import TensorShape
from ...core.tensorflow_names import at_home_in
from ...ops.array.shapes import shape_of
from ...ops.conversion import as_tensor
from ...ops.linalg.matmul import matmul
from ..hints import Hint
from ..operator import LinearOperator
from ..parameters import as_parameter, keeps_parameters

ALLOWED = (
    dtypes.float16, dtypes.float32, dtypes.float64, dtypes.complex64, dtypes.complex128,
)  # fmt: skip


@at_home_in("tensorflow.python.ops.linalg.linear_operator_full_matrix")
class LinearOperatorFullMatrix(LinearOperator):
    """A whole matrix as an operator: [..., m, n], floats or complex.

    >>> tf.linalg.LinearOperatorFullMatrix([[1., 2.], [3., 4.]]).matvec([1., 1.]).numpy()
    array([3., 7.], dtype=float32)

    Raises:
        ValueError: there are less than two axes, or the hints contradict each other.
        TypeError: it is a matrix of something else.
    """

    @keeps_parameters
    def __init__(
        self,
        matrix: Any,
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = None,
        name: str = "LinearOperatorFullMatrix",
    ) -> None:
        matrix = as_parameter(matrix)
        require_matrix("matrix", matrix)
        super().__init__(
            matrix.dtype,
            is_non_singular=is_non_singular,
            is_self_adjoint=is_self_adjoint,
            is_positive_definite=is_positive_definite,
            is_square=is_square,
            name=name,
        )
        self._matrix = matrix
        if self.is_square is False and self._hints.is_square:
            raise ValueError(f"the hint is_square=True contradicts the shape {matrix.shape}")

    @property
    def matrix(self) -> Any:
        """The whole matrix: [..., m, n]."""
        return self._matrix

    @property
    def _composite_tensor_fields(self) -> tuple[str, ...]:
        return ("matrix",)

    @property
    def _experimental_parameter_ndims_to_matrix_ndims(self) -> dict[str, Any]:
        return {"matrix": 2}

    def _shape(self) -> TensorShape:
        return self._matrix.shape

    def _shape_tensor(self) -> Any:
        return shape_of(self._matrix)

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return matmul(self._matrix, x, adjoint_a=adjoint, adjoint_b=adjoint_arg)

    def _to_dense(self) -> Any:
        return as_tensor(self._matrix)


def require_matrix(name: str, matrix: Any) -> None:
    """Refuse what is no matrix of floats.

    Raises:
        TypeError: it is a matrix of something else.
        ValueError: there are less than two axes.
    """
    if matrix.dtype not in ALLOWED:
        names = ", ".join(one.name for one in ALLOWED)
        raise TypeError(
            f"Argument `{name}` must have dtype in [{names}]. Received: {matrix.dtype.name}"
        )
    if matrix.shape.rank is not None and matrix.shape.rank < 2:
        raise ValueError(f"Argument `{name}` must have at least 2 dimensions. Received: {matrix}.")
