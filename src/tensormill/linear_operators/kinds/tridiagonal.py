"""Operators of which three diagonals are not zero."""

from __future__ import annotations

from typing import Any

from ...core.shapes import TensorShape
from ...core.tensorflow_names import at_home_in
from ...ops.array.concatenation import concat, stack
from ...ops.array.padding import pad
from ...ops.array.shapes import shape_of
from ...ops.checks.assertions import assert_equal
from ...ops.conversion import as_tensor
from ...ops.linalg.diagonals import diag
from ...ops.linalg.tridiagonal import FORMATS, as_compact, tridiagonal_matmul, tridiagonal_solve
from ...ops.math.arithmetic import conjugated
from ..batches import adjoint_if, with_batch_of
from ..hints import Hint
from ..operator import LinearOperator
from ..parameters import as_parameter, keeps_parameters


@at_home_in("tensorflow.python.ops.linalg.linear_operator_tridiag")
class LinearOperatorTridiag(LinearOperator):
    """[..., n, n], zero but for three diagonals.

    diagonals, diagonals_format: as of `tf.linalg.tridiagonal_solve`: "compact" [..., 3, n],
    "sequence", three of [..., n], or "matrix" [..., n, n].

    >>> thirds = [[1., 0.], [2., 2.], [0., 1.]]
    >>> tf.linalg.LinearOperatorTridiag(thirds).to_dense().numpy()
    array([[2., 1.],
           [1., 2.]], dtype=float32)

    Raises:
        ValueError: the format is unknown, sizes do not fit, or the hints contradict each other.
    """

    @keeps_parameters
    def __init__(
        self,
        diagonals: Any,
        diagonals_format: str = "compact",
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = None,
        name: str = "LinearOperatorTridiag",
    ) -> None:
        if diagonals_format not in FORMATS:
            raise ValueError(
                f"Argument `diagonals_format` must be one of {FORMATS}. Found: {diagonals_format}."
            )
        if diagonals_format == "sequence":
            diagonals = [as_parameter(one) for one in diagonals]
            dtype = diagonals[1].dtype
        else:
            diagonals = as_parameter(diagonals)
            dtype = diagonals.dtype
        if is_square is False:
            raise ValueError("Only square tridiagonal operators are supported.")
        super().__init__(
            dtype,
            is_non_singular=is_non_singular,
            is_self_adjoint=is_self_adjoint,
            is_positive_definite=is_positive_definite,
            is_square=True,
            name=name,
        )
        self._diagonals_format = diagonals_format
        self._diagonals = diagonals
        if diagonals_format == "compact" and diagonals.shape.rank is not None:
            if diagonals.shape.rank < 2 or diagonals.shape[-2] not in (3, None):
                raise ValueError(f"diagonals must be [..., 3, n]. Found shape: {diagonals.shape}")

    @property
    def diagonals(self) -> Any:
        """The three diagonals, in the format that they came in."""
        return self._diagonals

    @property
    def diagonals_format(self) -> str:
        """The format of the diagonals."""
        return self._diagonals_format

    @property
    def _composite_tensor_fields(self) -> tuple[str, ...]:
        return ("diagonals",)

    @property
    def _experimental_parameter_ndims_to_matrix_ndims(self) -> dict[str, Any]:
        parts = [1, 1, 1] if self._diagonals_format == "sequence" else 2
        return {"diagonals": parts}

    def _compact(self) -> Any:
        return as_compact(self._diagonals, self._diagonals_format)

    def _shape(self) -> TensorShape:
        if self._diagonals_format == "matrix":
            return self._diagonals.shape
        middle = self._diagonals[1].shape if self._diagonals_format == "sequence" else None
        if middle is None:
            shape = self._diagonals.shape
            middle = shape if shape.rank is None else shape[:-2].concatenate(shape[-1:])
        return middle.concatenate(middle[-1:])

    def _shape_tensor(self) -> Any:
        sizes = shape_of(self._compact())
        return concat([sizes[:-2], sizes[-1:], sizes[-1:]], 0)

    def _turned(self, adjoint: bool) -> Any:
        """Compact diagonals, of the matrix or its adjoint."""
        compact = self._compact()
        if not adjoint:
            return compact
        above, main, below = (conjugated(compact[..., k, :]) for k in range(3))
        outer = [[0, 0]] * (above.shape.rank - 1)
        over = pad(below[..., 1:], [*outer, [0, 1]])
        under = pad(above[..., :-1], [*outer, [1, 0]])
        return stack([over, main, under], axis=-2)

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        x, compact = adjoint_if(x, adjoint_arg), self._turned(adjoint)
        return tridiagonal_matmul(with_batch_of(compact, [x]), with_batch_of(x, [compact]))

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        rhs, compact = adjoint_if(rhs, adjoint_arg), self._turned(adjoint)
        return tridiagonal_solve(with_batch_of(compact, [rhs]), with_batch_of(rhs, [compact]))

    def _diag_part(self) -> Any:
        return self._compact()[..., 1, :]

    def _to_dense(self) -> Any:
        return diag(self._compact(), k=(-1, 1), align="LEFT_RIGHT", padding_value=0)

    def _add_to_tensor(self, x: Any) -> Any:
        return self._to_dense() + x

    def _assert_self_adjoint(self) -> Any:
        compact = as_tensor(self._compact())
        message = "This tridiagonal operator has non-conjugate subdiagonal and superdiagonal."
        above, below = compact[..., 0, :-1], compact[..., 2, 1:]
        return assert_equal(below, conjugated(above), message=message)
