"""Operators that are zero."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.shapes import TensorShape
from ...core.tensorflow_names import at_home_in
from ...errors import InvalidArgumentError
from ...ops.array.broadcasting import broadcast_to
from ...ops.array.concatenation import concat, stack
from ...ops.array.fill import zeros
from ...ops.array.shapes import shape_of
from ...ops.conversion import static_int
from ...ops.math.arithmetic import minimum
from ...ops.math.signs import abs as absolute
from .. import slicing
from ..batches import adjoint_if, dynamic_batch
from ..hints import Hint, always
from ..operator import LinearOperator
from ..parameters import keeps_parameters
from ..sizes import batch_argument, known_sizes, size_argument


@at_home_in("tensorflow.python.ops.linalg.linear_operator_zeros")
class LinearOperatorZeros(LinearOperator):
    """The zero matrix: [..., m, n].

    num_rows: m. num_columns: n, m unless it is said, with is_square=False. batch_shape: the leading
    axes. dtype: float32 unless another is said.

    >>> tf.linalg.LinearOperatorZeros(2).matvec([3., 4.]).numpy()
    array([0., 0.], dtype=float32)

    Raises:
        ValueError: a size is negative or no number, the hints are wrong for zeros, or sizes differ
            without is_square=False.
        TypeError: a size is no integer.
    """

    @keeps_parameters
    def __init__(
        self,
        num_rows: Any,
        num_columns: Any = None,
        batch_shape: Any = None,
        dtype: Any = None,
        is_non_singular: Hint = False,
        is_self_adjoint: Hint = True,
        is_positive_definite: Hint = False,
        is_square: Hint = True,
        assert_proper_shapes: bool = False,
        name: str = "LinearOperatorZeros",
    ) -> None:
        if not is_self_adjoint and is_square:
            raise ValueError("A zero operator is always self adjoint.")
        super().__init__(
            dtype or dtypes.float32,
            is_non_singular=always(is_non_singular, False, "A zero operator is always singular."),
            is_self_adjoint=is_self_adjoint,
            is_positive_definite=always(
                is_positive_definite, False, "A zero operator is always not positive-definite."
            ),
            is_square=is_square,
            name=name,
        )
        self._num_rows = size_argument("num_rows", num_rows)
        columns = num_rows if num_columns is None else num_columns
        self._num_columns = size_argument("num_columns", columns)
        self._batch = batch_argument(batch_shape)
        rows, columns = static_int(self._num_rows), static_int(self._num_columns)
        if is_square and None not in (rows, columns) and rows != columns:
            raise ValueError(
                f"LinearOperatorZeros initialized as is_square=True, but got num_rows({rows}) != "
                f"num_columns({columns})"
            )

    @property
    def _composite_tensor_fields(self) -> tuple[str, ...]:
        return ("num_rows", "num_columns", "batch_shape")

    @property
    def _composite_tensor_prefer_static_fields(self) -> tuple[str, ...]:
        return ("num_rows", "num_columns", "batch_shape")

    def __getitem__(self, slices: Any) -> LinearOperator:
        return slicing.with_sliced_batch(self, slices)

    def _shape(self) -> TensorShape:
        batch = known_sizes(self._batch)
        return batch.concatenate([static_int(self._num_rows), static_int(self._num_columns)])

    def _shape_tensor(self) -> Any:
        sizes = stack([self._num_rows, self._num_columns])
        return sizes if self._batch is None else concat([self._batch, sizes], 0)

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        x = adjoint_if(x, adjoint_arg)
        batch = dynamic_batch([shape_of(x)[:-2], self.batch_shape_tensor()])
        rows = self._num_columns if adjoint else self._num_rows
        found = zeros(concat([batch, stack([rows, shape_of(x)[-1]])], 0), self.dtype)
        return _of_known_shape(found, x, self, adjoint)

    def _none(self) -> Any:
        return zeros(self.batch_shape_tensor(), self.dtype)

    def _determinant(self) -> Any:
        return self._none()

    def _log_abs_determinant(self) -> Any:
        return self._none() - float("inf")

    def _trace(self) -> Any:
        return self._none()

    def _diag_part(self) -> Any:
        count = minimum(self._num_rows, self._num_columns)
        return zeros(concat([self.batch_shape_tensor(), count[None]], 0), self.dtype)

    def _to_dense(self) -> Any:
        return zeros(self.shape_tensor(), self.dtype)

    def add_to_tensor(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, mat: Any, name: str = "add_to_tensor"
    ) -> Any:
        """The whole matrices plus mat: [..., m, n]; leading axes broadcast.

        Raises:
            TypeError: the dtypes differ.
        """
        return super().add_to_tensor(mat, name)

    def _add_to_tensor(self, x: Any) -> Any:
        batch = dynamic_batch([shape_of(x)[:-2], self.batch_shape_tensor()])
        return broadcast_to(x, concat([batch, shape_of(x)[-2:]], 0))

    def _eigvals(self) -> Any:
        return self._diag_part()

    def _cond(self) -> Any:
        none = absolute(self._none())
        return none / none

    def _assert_non_singular(self) -> None:
        raise InvalidArgumentError("Zero operators are always non-invertible.")

    def _assert_positive_definite(self) -> None:
        raise InvalidArgumentError("Zero operators are always non-positive definite.")

    def _assert_self_adjoint(self) -> None:
        """It always is."""

    def _linop_adjoint(self) -> LinearOperator:
        return LinearOperatorZeros(
            self._num_columns,
            self._num_rows,
            batch_shape=self._batch,
            dtype=self.dtype,
            is_self_adjoint=self.is_self_adjoint,
            is_square=self.is_square,
        )


def _of_known_shape(found: Any, x: Any, operator: LinearOperator, adjoint: bool) -> Any:
    rows = operator.shape[-1 if adjoint else -2]
    if x.shape.rank is not None and found.shape.rank is not None:
        found.set_shape([*found.shape[:-2], rows, x.shape[-1]])
    return found
