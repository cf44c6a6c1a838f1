"""Operators that exchange rows."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.shapes import TensorShape
from ...core.tensorflow_names import at_home_in
from ...ops.array.concatenation import concat
from ...ops.array.fill import one_hot, ones, zeros
from ...ops.array.fill import range as numbers_from
from ...ops.array.gather import gather
from ...ops.array.select import where
from ...ops.array.shapes import shape_of
from ...ops.array.sorting import argsort
from ...ops.conversion import static_value
from ...ops.math.cast import cast
from ...ops.math.comparison import equal
from ...ops.math.reduce import reduce_prod
from ...ops.math.signs import sign
from ..batches import adjoint_if
from ..hints import Hint, always
from ..operator import LinearOperator
from ..parameters import as_parameter, keeps_parameters


@at_home_in("tensorflow.python.ops.linalg.linear_operator_permutation")
class LinearOperatorPermutation(LinearOperator):
    """[..., n, n], which gives row i of a product with x the row perm[i] of x.

    perm: [..., n], integers, each from 0 to n - 1 once. dtype: of the operator.

    >>> tf.linalg.LinearOperatorPermutation([1, 2, 0]).matvec([10., 20., 30.]).numpy()
    array([20., 30., 10.], dtype=float32)

    Raises:
        TypeError: `perm` does not hold integers.
        ValueError: `perm` has no axis or is known not to be a permutation, or the hints are wrong
            for one.
    """

    @keeps_parameters
    def __init__(
        self,
        perm: Any,
        dtype: Any = dtypes.float32,
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = None,
        name: str = "LinearOperatorPermutation",
    ) -> None:
        perm = as_parameter(perm)
        require_permutation(perm)
        if is_non_singular is False:
            raise ValueError(f"{ALWAYS} non-singular.")
        super().__init__(
            dtype,
            is_non_singular=is_non_singular,
            is_self_adjoint=is_self_adjoint,
            is_positive_definite=is_positive_definite,
            is_square=always(is_square, True, f"{ALWAYS} square."),
            name=name,
        )
        self._perm = perm

    @property
    def perm(self) -> Any:
        """Which row of x each row of a product is: [..., n]."""
        return self._perm

    @property
    def _composite_tensor_fields(self) -> tuple[str, ...]:
        return ("perm",)

    @property
    def _experimental_parameter_ndims_to_matrix_ndims(self) -> dict[str, Any]:
        return {"perm": 1}

    def _shape(self) -> TensorShape:
        shape = self._perm.shape
        return shape.concatenate(shape[-1:])

    def _shape_tensor(self) -> Any:
        sizes = shape_of(self._perm)
        return concat([sizes, sizes[-1:]], 0)

    def _moved(self, x: Any, back: bool) -> Any:
        places = argsort(self._perm, axis=-1) if back else self._perm
        if self._perm.shape.rank == 1:
            return gather(x, places, axis=-2)
        batch = (x[..., 0, 0] * 0 + cast(self._perm[..., 0] * 0, x.dtype))[..., None]
        x = x + batch[..., None]
        places = places + cast(batch * 0, places.dtype)
        return gather(x, places, axis=-2, batch_dims=x.shape.rank - 2)

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._moved(adjoint_if(x, adjoint_arg), back=adjoint)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._moved(adjoint_if(rhs, adjoint_arg), back=not adjoint)

    def _determinant(self) -> Any:
        """1 or -1: by the pairs that stand the wrong way round."""
        numbers = cast(self._perm, dtypes.int32)
        count = numbers_from(shape_of(numbers)[-1])
        later = count[:, None] < count
        signs = sign(numbers[..., None, :] - numbers[..., :, None])
        return cast(reduce_prod(where(later, signs, 1), [-2, -1]), self.dtype)

    def _log_abs_determinant(self) -> Any:
        return zeros(self.batch_shape_tensor(), self.dtype)

    def _diag_part(self) -> Any:
        places = numbers_from(shape_of(self._perm)[-1])
        return cast(equal(cast(self._perm, dtypes.int32), places), self.dtype)

    def _to_dense(self) -> Any:
        return one_hot(self._perm, shape_of(self._perm)[-1], dtype=self.dtype)

    def _cond(self) -> Any:
        return ones(self.batch_shape_tensor(), self.dtype)

    def _assert_non_singular(self) -> None:
        """It never is."""


ALWAYS = "A Permutation operator is always"


def require_permutation(perm: Any) -> None:
    if not perm.dtype.is_integer:
        raise TypeError(f"Argument perm must be integer type. Found: {perm}")
    if perm.shape.rank == 0:
        raise ValueError(f"Argument perm must have at least 1 dimension. Found: {perm}")
    known = static_value(perm)
    if known is not None:
        places = sorted(range(known.shape[-1]))
        if any(sorted(row) != places for row in known.reshape(-1, known.shape[-1]).tolist()):
            raise ValueError(f"Argument perm must be a permutation of 0 to n - 1. Found: {perm}")
