"""Operators in blocks along the diagonal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.tensorflow_names import at_home_in
from ..hints import Hint, Hints, hints_of
from ..operator import LinearOperator
from ..parameters import keeps_parameters
from .blocks import BlockOperator
from .composition import common_dtype, some_operators
from .kronecker import combined_hints


@at_home_in("tensorflow.python.ops.linalg.linear_operator_block_diag")
class LinearOperatorBlockDiag(BlockOperator):
    """Operators, each in its own rows and columns; the rest is zero.

    operators: of one dtype, not all of them square; leading axes broadcast. A product or a system
    of equations takes a list as well, a tensor for each operator, and gives one.

    >>> blocks = [tf.linalg.LinearOperatorDiag([1., 2.]), tf.linalg.LinearOperatorIdentity(1)]
    >>> tf.linalg.LinearOperatorBlockDiag(blocks).matvec([1., 1., 5.]).numpy()
    array([1., 2., 5.], dtype=float32)

    Raises:
        ValueError: there are no operators, or the hints contradict each other.
        TypeError: their dtypes differ.
    """

    @keeps_parameters
    def __init__(
        self,
        operators: Sequence[LinearOperator],
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = True,
        name: str | None = None,
    ) -> None:
        operators = some_operators(operators)
        if any(one.is_square is False for one in operators):
            is_square = None  # the sizes say it
        stated = Hints(is_non_singular, is_self_adjoint, is_positive_definite, is_square)
        super().__init__(
            common_dtype(operators),
            **combined_hints(operators, stated).as_options(),
            name=name or "_ds_".join(one.name for one in operators),
        )
        self._operators = operators

    @property
    def operators(self) -> list[LinearOperator]:
        """The blocks, from the upper left one on."""
        return list(self._operators)

    @property
    def _composite_tensor_fields(self) -> tuple[str, ...]:
        return ("operators",)

    @property
    def _experimental_parameter_ndims_to_matrix_ndims(self) -> dict[str, Any]:
        return {"operators": [0] * len(self._operators)}

    def _rows(self) -> list[list[LinearOperator | None]]:
        count = len(self._operators)
        return [[one if k == row else None for k in range(count)]
                for row, one in enumerate(self._operators)]  # fmt: skip

    def _diagonal_blocks(self) -> list[LinearOperator]:
        return list(self._operators)

    def _cond(self) -> Any:
        return LinearOperator._cond(self)

    def _eigvals(self) -> Any:
        if not all(one.is_self_adjoint for one in self._operators):
            return super()._eigvals()
        return self._joined([one.eigvals() for one in self._operators])

    def _assert_self_adjoint(self) -> None:
        for one in self._operators:
            one.assert_self_adjoint()

    def _assert_positive_definite(self) -> None:
        for one in self._operators:
            one.assert_positive_definite()

    def _of_same_kind(self, operators: Sequence[LinearOperator], hints: Hints) -> LinearOperator:
        return LinearOperatorBlockDiag(operators, **hints.as_options())

    def _linop_adjoint(self) -> LinearOperator:
        return self._of_same_kind([one.adjoint() for one in self._operators], hints_of(self))

    def _linop_inverse(self) -> LinearOperator:
        return self._of_same_kind([one.inverse() for one in self._operators], hints_of(self))

    def _linop_cholesky(self) -> LinearOperator:
        if not all(one.is_positive_definite and one.is_self_adjoint for one in self._operators):
            return super()._linop_cholesky()
        factors = [one.cholesky() for one in self._operators]
        return self._of_same_kind(factors, Hints(is_non_singular=True, is_square=True))
