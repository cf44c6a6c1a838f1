"""The inverse of another operator."""

from __future__ import annotations

from typing import Any

from ...core.shapes import TensorShape
from ...core.tensorflow_names import at_home_in
from .. import rules
from ..hints import Hint, Hints
from ..operator import LinearOperator
from ..parameters import keeps_parameters
from .adjoint import OfOneOperator


@at_home_in("tensorflow.python.ops.linalg.linear_operator_inversion")
class LinearOperatorInversion(OfOneOperator):
    """The inverse of `operator`, which is solved where a product is asked for.

    >>> a = tf.linalg.LinearOperatorFullMatrix([[2., 0.], [0., 4.]])
    >>> tf.linalg.LinearOperatorInversion(a).matvec([1., 1.]).numpy()
    array([0.5 , 0.25], dtype=float32)

    Raises:
        ValueError: the hints contradict those of the operator, or it has no inverse.
    """

    @keeps_parameters
    def __init__(
        self,
        operator: LinearOperator,
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = None,
        name: str | None = None,
    ) -> None:
        if operator.is_square is False or is_square is False:
            raise ValueError("An inverse is of square operators alone.")
        if operator.is_non_singular is False or is_non_singular is False:
            raise ValueError(
                f"operator and hints must have is_non_singular=True or None; the operator's is "
                f"{operator.is_non_singular}, the hint {is_non_singular}"
            )
        hints = Hints(is_non_singular, is_self_adjoint, is_positive_definite, is_square)
        self._keep_operator(operator, hints, "_inv", name)

    def _shape(self) -> TensorShape:
        return self._operator.shape

    def _shape_tensor(self) -> Any:
        return self._operator.shape_tensor()

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._operator.solve(x, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _matvec(self, x: Any, adjoint: bool = False) -> Any:
        return self._operator.solvevec(x, adjoint=adjoint)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._operator.matmul(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _solvevec(self, rhs: Any, adjoint: bool = False) -> Any:
        return self._operator.matvec(rhs, adjoint=adjoint)

    def _determinant(self) -> Any:
        return 1.0 / self._operator.determinant()

    def _log_abs_determinant(self) -> Any:
        return -1.0 * self._operator.log_abs_determinant()

    def _cond(self) -> Any:
        return self._operator.cond()

    def _eigvals(self) -> Any:
        return 1.0 / self._operator.eigvals()

    def _assert_non_singular(self) -> Any:
        return self._operator.assert_non_singular()

    def _assert_positive_definite(self) -> Any:
        return self._operator.assert_positive_definite()

    def _assert_self_adjoint(self) -> Any:
        return self._operator.assert_self_adjoint()

    def _linop_inverse(self) -> LinearOperator:
        return self._operator


@rules.makes("inverse")
def inverse_operator(operator: LinearOperator) -> LinearOperator:
    return LinearOperatorInversion(operator)
