"""Operators that differ from another one by a matrix of low rank.

Solved with Woodbury's identity, determinants by the lemma of that name (N. J. Higham: Accuracy and
Stability of Numerical Algorithms, 2nd ed., problem 13.9).
"""

from __future__ import annotations

from typing import Any

from ...core.shapes import TensorShape
from ...core.tensorflow_names import at_home_in
from ...ops.array.concatenation import concat
from ...ops.array.shapes import shape_of
from ...ops.conversion import as_tensor
from ...ops.linalg import decompositions, diagonals, solving
from ...ops.linalg.matmul import adjoint as adjoint_of
from ...ops.linalg.matmul import matmul
from ...ops.math.arithmetic import conjugated
from ...ops.math.elementwise import exp, log
from ...ops.math.reduce import reduce_sum
from .. import batches
from ..batches import adjoint_if, dynamic_batch, static_batch
from ..hints import Hint, always
from ..operator import LinearOperator
from ..parameters import as_parameter, keeps_parameters
from .diagonal import LinearOperatorDiag
from .identity import LinearOperatorIdentity


@at_home_in("tensorflow.python.ops.linalg.linear_operator_low_rank_update")
class LinearOperatorLowRankUpdate(LinearOperator):
    """base_operator + u D v^H: [..., m, n].

    base_operator: [..., m, n]. u: [..., m, k]. diag_update: [..., k], the diagonal of D, ones
    unless it is given. v: [..., n, k], u unless it is given. With a small k, solutions and
    determinants are as quick as those of the base. is_diag_update_positive: a hint.

    >>> base = tf.linalg.LinearOperatorIdentity(2)
    >>> tf.linalg.LinearOperatorLowRankUpdate(base, [[1.], [1.]]).to_dense().numpy()
    array([[2., 1.],
           [1., 2.]], dtype=float32)

    Raises:
        ValueError: sizes do not fit, or the hints contradict each other.
        TypeError: the dtypes differ.
    """

    @keeps_parameters
    def __init__(
        self,
        base_operator: LinearOperator,
        u: Any,
        diag_update: Any = None,
        v: Any = None,
        is_diag_update_positive: Hint = None,
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = None,
        name: str = "LinearOperatorLowRankUpdate",
    ) -> None:
        u = as_parameter(u)
        dtype = u.dtype
        diagonal = None if diag_update is None else as_parameter(diag_update, dtype)
        if diagonal is None:
            is_diag_update_positive = always(is_diag_update_positive, True, ONES)
        is_real = diagonal is None or not dtype.is_complex or bool(is_diag_update_positive)
        if base_operator.is_self_adjoint and is_real and v is None:
            if is_self_adjoint is False:
                raise ValueError(SELF_ADJOINT)
            is_self_adjoint = True
            if base_operator.is_positive_definite and is_diag_update_positive:
                if is_positive_definite is False:
                    raise ValueError(POSITIVE)
                is_positive_definite = True
        if base_operator.dtype is not dtype:
            raise TypeError(
                f"u has dtype {dtype.name}, the base operator {base_operator.dtype.name}"
            )
        super().__init__(
            dtype,
            is_non_singular=is_non_singular,
            is_self_adjoint=is_self_adjoint,
            is_positive_definite=is_positive_definite,
            is_square=is_square,
            name=name,
        )
        self._base_operator = base_operator
        self._u = u
        self._v = u if v is None else as_parameter(v, dtype)
        self._diag_update = diagonal
        self._is_diag_update_positive = is_diag_update_positive
        self._diag_operator = self._operator_of_diagonal()
        self._require_sizes()

    def _operator_of_diagonal(self) -> LinearOperator:
        if self._diag_update is not None:
            return LinearOperatorDiag(
                self._diag_update, is_positive_definite=self._is_diag_update_positive
            )
        width = self._u.shape[-1] if self._u.shape.rank is not None else None
        return LinearOperatorIdentity(
            shape_of(self._u)[-1] if width is None else width, dtype=self.dtype
        )

    def _require_sizes(self) -> None:
        u, v, base = self._u.shape, self._v.shape, self._base_operator.shape
        if None in (u.rank, v.rank, base.rank):
            return
        pairs = [(base[-2], u[-2]), (base[-1], v[-2]), (u[-1], v[-1]),
                 (self._diag_operator.known_columns, u[-1])]  # fmt: skip
        if any(None not in pair and pair[0] != pair[1] for pair in pairs):
            raise ValueError(
                f"the sizes of base_operator {base}, u {u}, v {v} and diag_update "
                f"{self._diag_operator.shape[:-1]} do not fit"
            )

    @property
    def base_operator(self) -> LinearOperator:
        """What is updated."""
        return self._base_operator

    @property
    def u(self) -> Any:
        """The left factor of the update: [..., m, k]."""
        return self._u

    @property
    def v(self) -> Any:
        """The right factor of the update: [..., n, k]."""
        return self._v

    @property
    def diag_update(self) -> Any:
        """The diagonal between the factors: [..., k], or None for ones."""
        return self._diag_update

    @property
    def diag_operator(self) -> LinearOperator:
        """The diagonal between the factors, as an operator."""
        return self._diag_operator

    @property
    def is_diag_update_positive(self) -> Hint:
        """Whether the diagonal is positive, as far as it is known."""
        return self._is_diag_update_positive

    @property
    def _composite_tensor_fields(self) -> tuple[str, ...]:
        return ("base_operator", "u", "diag_update", "v")

    @property
    def _experimental_parameter_ndims_to_matrix_ndims(self) -> dict[str, Any]:
        return {"base_operator": 0, "u": 2, "diag_update": 1, "v": 2}

    def _operands(self) -> list[Any]:
        return [self._u, self._v]

    def _shape(self) -> TensorShape:
        base, update = self._base_operator.shape, self._diag_operator.batch_shape
        batches_of = [base[:-2], update, self._u.shape[:-2], self._v.shape[:-2]]
        if base.rank is None or any(one.rank is None for one in batches_of):
            return TensorShape(None)
        return static_batch(batches_of).concatenate(base[-2:])

    def _shape_tensor(self) -> Any:
        base = self._base_operator.shape_tensor()
        update = self._diag_operator.batch_shape_tensor()
        batch = dynamic_batch([base[:-2], update, *(shape_of(x)[:-2] for x in self._operands())])
        return concat([batch, base[-2:]], 0)

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        left, right = (self._v, self._u) if adjoint else (self._u, self._v)
        whole = self._base_operator.matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)
        small = matmul(right, x, adjoint_a=True, adjoint_b=adjoint_arg)
        return whole + matmul(left, self._diag_operator.matmul(small, adjoint=adjoint))

    def _capacitance(self) -> Any:
        """D^-1 + v^H base^-1 u: [..., k, k]."""
        inner = matmul(self._v, self._base_operator.solve(self._u), adjoint_a=True)
        return self._diag_operator.inverse().add_to_tensor(inner)

    def _is_hermitian_update(self) -> bool:
        """Whether the capacitance is positive definite and self-adjoint."""
        base = self._base_operator
        return bool(
            base.is_self_adjoint and base.is_positive_definite and self._is_diag_update_positive
            and self._u is self._v
        )  # fmt: skip

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        left, right = (self._v, self._u) if adjoint else (self._u, self._v)
        base, small = self._base_operator, self._capacitance()
        first = base.solve(adjoint_if(rhs, adjoint_arg), adjoint=adjoint)
        inner = matmul(right, first, adjoint_a=True)
        if self._is_hermitian_update():
            found = batches.solved_by_cholesky(decompositions.cholesky(small), inner)
        else:
            found = batches.solved(small, inner, adjoint)
        return first - base.solve(matmul(left, found), adjoint=adjoint)

    def _determinant(self) -> Any:
        if self.is_positive_definite:
            return exp(self.log_abs_determinant())
        outer = self._base_operator.determinant() * self._diag_operator.determinant()
        return solving.det(self._capacitance()) * outer

    def _log_abs_determinant(self) -> Any:
        outer = (
            self._base_operator.log_abs_determinant() + self._diag_operator.log_abs_determinant()
        )
        if self._is_hermitian_update():
            pivots = diagonals.diag_part(decompositions.cholesky(self._capacitance()))
            return 2 * reduce_sum(log(pivots), -1) + outer
        small = solving.slogdet(self._capacitance()).log_abs_determinant
        return batches.as_dtype_of(small, self) + outer

    def _update_diagonal(self) -> Any:
        weights = self._diag_operator.diag_part()[..., None, :]
        return reduce_sum(self._u * weights * conjugated(as_tensor(self._v)), -1)

    def _diag_part(self) -> Any:
        if not self.is_square:
            return super()._diag_part()
        return self._base_operator.diag_part() + self._update_diagonal()

    def _trace(self) -> Any:
        if not self.is_square:
            return super()._trace()
        return self._base_operator.trace() + reduce_sum(self._update_diagonal(), -1)

    def _to_dense(self) -> Any:
        update = matmul(self._u, self._diag_operator.matmul(adjoint_of(self._v)))
        return self._base_operator.to_dense() + update


SELF_ADJOINT = (
    "A = L + UDU^H, with L self-adjoint and D real diagonal. Since UDU^H is self-adjoint, this "
    "must be a self-adjoint operator."
)
ONES = "diag_update stands for the identity, which is positive: is_diag_update_positive is True"
POSITIVE = (
    "A = L + UDU^H with L positive definite and D positive: this must be a positive definite "
    "operator."
)
