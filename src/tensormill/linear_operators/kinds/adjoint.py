"""The conjugate transpose of another operator."""

from __future__ import annotations

from typing import Any

from ...core.shapes import TensorShape
from ...core.tensorflow_names import at_home_in
from ...ops.array.concatenation import concat
from ...ops.linalg.matmul import adjoint as adjoint_of
from ...ops.math.arithmetic import conjugated
from .. import rules
from ..hints import Hint, Hints, hints_of
from ..operator import LinearOperator
from ..parameters import keeps_parameters


class OfOneOperator(LinearOperator):
    """What the adjoint and the inverse of another operator share."""

    def _keep_operator(
        self, operator: LinearOperator, hints: Hints, suffix: str, name: Any
    ) -> None:
        known = hints_of(operator)
        found = {
            key: combined(key, stated, getattr(known, key)) for key, stated in vars(hints).items()
        }
        LinearOperator.__init__(
            self, operator.dtype, **found, name=name or f"{operator.name}{suffix}"
        )
        self._operator = operator

    @property
    def operator(self) -> LinearOperator:
        """The other operator."""
        return self._operator

    @property
    def _composite_tensor_fields(self) -> tuple[str, ...]:
        return ("operator",)

    @property
    def _experimental_parameter_ndims_to_matrix_ndims(self) -> dict[str, Any]:
        return {"operator": 0}

    def _shape(self) -> TensorShape:
        shape = self._operator.shape
        return shape if shape.rank is None else shape[:-2].concatenate([shape[-1], shape[-2]])

    def _shape_tensor(self) -> Any:
        sizes = self._operator.shape_tensor()
        return concat([sizes[:-2], sizes[-1:], sizes[-2:-1]], 0)


def combined(name: str, stated: Hint, known: Hint) -> Hint:
    """A hint that the user states, or that is known of the other operator.

    Raises:
        ValueError: they contradict each other.
    """
    if stated is not None and known is not None and stated != known:
        raise ValueError(f"the hint {name}={stated} contradicts that of the operator, {known}")
    return known if stated is None else stated


@at_home_in("tensorflow.python.ops.linalg.linear_operator_adjoint")
class LinearOperatorAdjoint(OfOneOperator):
    """The conjugate transpose of `operator`: [..., n, m] of [..., m, n].

    >>> a = tf.linalg.LinearOperatorFullMatrix([[1., 2.], [3., 4.]])
    >>> tf.linalg.LinearOperatorAdjoint(a).matvec([1., 0.]).numpy()
    array([1., 2.], dtype=float32)

    Raises:
        ValueError: the hints contradict those of the operator.
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
        hints = Hints(is_non_singular, is_self_adjoint, is_positive_definite, is_square)
        self._keep_operator(operator, hints, "_adjoint", name)

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._operator.matmul(x, adjoint=not adjoint, adjoint_arg=adjoint_arg)

    def _matvec(self, x: Any, adjoint: bool = False) -> Any:
        return self._operator.matvec(x, adjoint=not adjoint)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._operator.solve(rhs, adjoint=not adjoint, adjoint_arg=adjoint_arg)

    def _solvevec(self, rhs: Any, adjoint: bool = False) -> Any:
        return self._operator.solvevec(rhs, adjoint=not adjoint)

    def _determinant(self) -> Any:
        return conjugated(self._operator.determinant())

    def _log_abs_determinant(self) -> Any:
        return self._operator.log_abs_determinant()

    def _trace(self) -> Any:
        return conjugated(self._operator.trace())

    def _diag_part(self) -> Any:
        return conjugated(self._operator.diag_part())

    def _to_dense(self) -> Any:
        return adjoint_of(self._operator.to_dense())

    def _cond(self) -> Any:
        return self._operator.cond()

    def _eigvals(self) -> Any:
        return conjugated(self._operator.eigvals())

    def _assert_non_singular(self) -> Any:
        return self._operator.assert_non_singular()

    def _assert_positive_definite(self) -> Any:
        return self._operator.assert_positive_definite()

    def _assert_self_adjoint(self) -> Any:
        return self._operator.assert_self_adjoint()

    def _linop_adjoint(self) -> LinearOperator:
        return self._operator


@rules.makes("adjoint")
def adjoint_operator(operator: LinearOperator) -> LinearOperator:
    return LinearOperatorAdjoint(operator)
