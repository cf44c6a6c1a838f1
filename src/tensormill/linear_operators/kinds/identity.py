"""The identity, and multiples of it."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.shapes import TensorShape
from ...core.tensorflow_names import at_home_in
from ...ops.array.concatenation import concat, stack
from ...ops.array.fill import eye, ones, zeros
from ...ops.array.shapes import shape_of
from ...ops.checks.assertions import assert_equal, assert_positive
from ...ops.conversion import as_tensor, static_int
from ...ops.linalg.diagonals import diag_part, set_diag
from ...ops.math.arithmetic import conjugated
from ...ops.math.cast import cast
from ...ops.math.complex import imag, real
from ...ops.math.elementwise import log, sqrt
from ...ops.math.power import pow as power
from ...ops.math.signs import abs as absolute
from .. import slicing
from ..batches import adjoint_if, as_dtype_of, static_batch
from ..hints import Hint, always
from ..operator import LinearOperator
from ..parameters import as_parameter, keeps_parameters
from ..sizes import batch_argument, known_sizes, size_argument


@at_home_in("tensorflow.python.ops.linalg.linear_operator_identity")
class LinearOperatorIdentity(LinearOperator):
    """The identity matrix: [..., n, n].

    num_rows: n, an integer. batch_shape: the leading axes, a vector of integers. dtype: float32
    unless another is said.

    >>> tf.linalg.LinearOperatorIdentity(2).matvec([3., 4.]).numpy()
    array([3., 4.], dtype=float32)

    Raises:
        ValueError: a size is negative or no number, or the hints are wrong for the identity.
        TypeError: a size is no integer.
    """

    @keeps_parameters
    def __init__(
        self,
        num_rows: Any,
        batch_shape: Any = None,
        dtype: Any = None,
        is_non_singular: Hint = True,
        is_self_adjoint: Hint = True,
        is_positive_definite: Hint = True,
        is_square: Hint = True,
        assert_proper_shapes: bool = False,
        name: str = "LinearOperatorIdentity",
    ) -> None:
        super().__init__(
            dtype or dtypes.float32,
            is_non_singular=always(is_non_singular, True, f"{ALWAYS} non-singular."),
            is_self_adjoint=always(is_self_adjoint, True, f"{ALWAYS} self adjoint."),
            is_positive_definite=always(is_positive_definite, True, f"{ALWAYS} positive-definite."),
            is_square=always(is_square, True, f"{ALWAYS} square."),
            name=name,
        )
        self._num_rows = size_argument("num_rows", num_rows)
        self._batch = batch_argument(batch_shape)

    @property
    def _composite_tensor_fields(self) -> tuple[str, ...]:
        return ("num_rows", "batch_shape")

    @property
    def _composite_tensor_prefer_static_fields(self) -> tuple[str, ...]:
        return ("num_rows", "batch_shape")

    def __getitem__(self, slices: Any) -> LinearOperator:
        return slicing.with_sliced_batch(self, slices)

    def _shape(self) -> TensorShape:
        rows = static_int(self._num_rows)
        batch = known_sizes(self._batch)
        return batch.concatenate([rows, rows])

    def _shape_tensor(self) -> Any:
        square = stack([self._num_rows, self._num_rows])
        return square if self._batch is None else concat([self._batch, square], 0)

    def _batched(self, x: Any) -> Any:
        """x, repeated along the axes of the batch that it lacks."""
        if self._batch is None:
            return x
        if x.shape.is_fully_defined() and self.batch_shape.is_fully_defined():
            if static_batch([x.shape[:-2], self.batch_shape]) == x.shape[:-2]:
                return x
        return x + zeros(concat([self._batch, [1, 1]], 0), x.dtype)

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._batched(adjoint_if(x, adjoint_arg))

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._matmul(rhs, adjoint_arg=adjoint_arg)

    def _ones(self) -> Any:
        return ones(self.batch_shape_tensor(), self.dtype)

    def _determinant(self) -> Any:
        return self._ones()

    def _log_abs_determinant(self) -> Any:
        return zeros(self.batch_shape_tensor(), self.dtype)

    def _diag_part(self) -> Any:
        return ones(self.shape_tensor()[:-1], self.dtype)

    def _trace(self) -> Any:
        return self._ones() * cast(self.domain_dimension_tensor(), self.dtype)

    def _to_dense(self) -> Any:
        rows = self.known_columns
        rows = self.domain_dimension_tensor() if rows is None else rows
        return eye(rows, batch_shape=self._batch, dtype=self.dtype)

    def add_to_tensor(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, mat: Any, name: str = "add_to_tensor"
    ) -> Any:
        """The whole matrices plus mat: [..., m, n]; leading axes broadcast.

        Raises:
            TypeError: the dtypes differ.
        """
        return super().add_to_tensor(mat, name)

    def _add_to_tensor(self, x: Any) -> Any:
        x = self._batched(x)
        return set_diag(x, diag_part(x) + 1)

    def _eigvals(self) -> Any:
        return self._diag_part()

    def _cond(self) -> Any:
        return self._ones()

    def _assert_non_singular(self) -> None:
        """It never is."""

    def _assert_positive_definite(self) -> None:
        """It always is."""

    def _assert_self_adjoint(self) -> None:
        """It always is."""

    def _linop_adjoint(self) -> LinearOperator:
        return self

    def _linop_inverse(self) -> LinearOperator:
        return self

    def _linop_cholesky(self) -> LinearOperator:
        return self


ALWAYS = "An identity operator is always"


@at_home_in("tensorflow.python.ops.linalg.linear_operator_identity")
class LinearOperatorScaledIdentity(LinearOperator):
    """A multiple of the identity: [..., n, n]. multiplier: [...], its dtype is the operator's.

    >>> tf.linalg.LinearOperatorScaledIdentity(2, 3.).matvec([1., 2.]).numpy()
    array([3., 6.], dtype=float32)

    Raises:
        ValueError: the size is negative or no number, or the hints are wrong for such an operator.
        TypeError: the size is no integer.
    """

    @keeps_parameters
    def __init__(
        self,
        num_rows: Any,
        multiplier: Any,
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = True,
        assert_proper_shapes: bool = False,
        name: str = "LinearOperatorScaledIdentity",
    ) -> None:
        multiplier = as_parameter(multiplier)
        if not multiplier.dtype.is_complex:
            message = "A real diagonal operator is always self adjoint."
            is_self_adjoint = always(is_self_adjoint, True, message)
        super().__init__(
            multiplier.dtype,
            is_non_singular=is_non_singular,
            is_self_adjoint=is_self_adjoint,
            is_positive_definite=is_positive_definite,
            is_square=always(is_square, True, "A ScaledIdentity operator is always square."),
            name=name,
        )
        self._multiplier = multiplier
        self._num_rows = size_argument("num_rows", num_rows)

    @property
    def multiplier(self) -> Any:
        """What the identity is multiplied by: [...]."""
        return self._multiplier

    @property
    def _composite_tensor_fields(self) -> tuple[str, ...]:
        return ("num_rows", "multiplier")

    @property
    def _composite_tensor_prefer_static_fields(self) -> tuple[str, ...]:
        return ("num_rows",)

    @property
    def _experimental_parameter_ndims_to_matrix_ndims(self) -> dict[str, Any]:
        return {"multiplier": 0}

    def _shape(self) -> TensorShape:
        rows = static_int(self._num_rows)
        return self._multiplier.shape.concatenate([rows, rows])

    def _shape_tensor(self) -> Any:
        return concat([shape_of(self._multiplier), stack([self._num_rows, self._num_rows])], 0)

    def _factor(self, adjoint: bool = False) -> Any:
        number = as_tensor(self._multiplier)
        return conjugated(number) if adjoint else number

    def _as_matrix(self, adjoint: bool = False) -> Any:
        return self._factor(adjoint)[..., None, None]

    def _count(self) -> Any:
        return cast(self.domain_dimension_tensor(), self.dtype)

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return adjoint_if(x, adjoint_arg) * self._as_matrix(adjoint)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return adjoint_if(rhs, adjoint_arg) / self._as_matrix(adjoint)

    def _determinant(self) -> Any:
        return power(self._factor(), self._count())

    def _log_abs_determinant(self) -> Any:
        return absolute(self._count()) * log(absolute(self._factor()))

    def _diag_part(self) -> Any:
        return self._factor()[..., None] * ones(self.domain_dimension_tensor()[None], self.dtype)

    def _trace(self) -> Any:
        return self._factor() * self._count()

    def _to_dense(self) -> Any:
        rows = self.known_columns
        rows = self.domain_dimension_tensor() if rows is None else rows
        return eye(rows, dtype=self.dtype) * self._as_matrix()

    def add_to_tensor(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, mat: Any, name: str = "add_to_tensor"
    ) -> Any:
        """The whole matrices plus mat: [..., m, n]; leading axes broadcast.

        Raises:
            TypeError: the dtypes differ.
        """
        return super().add_to_tensor(mat, name)

    def _add_to_tensor(self, x: Any) -> Any:
        x = x + self._as_matrix() * 0
        return set_diag(x, diag_part(x) + self._factor()[..., None])

    def _eigvals(self) -> Any:
        return self._diag_part()

    def _cond(self) -> Any:
        numbers = self._factor()
        return as_dtype_of(absolute(numbers) / absolute(numbers), self)

    def _assert_non_singular(self) -> Any:
        message = "LinearOperator was singular"
        return assert_positive(absolute(self._factor()), message=message)

    def _assert_positive_definite(self) -> Any:
        return assert_positive(
            real(self._factor()), message="LinearOperator was not positive definite."
        )

    def _assert_self_adjoint(self) -> Any:
        message = "LinearOperator was not self-adjoint"
        return assert_equal(
            imag(self._factor()), as_tensor(0, self.dtype.real_dtype), message=message
        )

    def _of_same_kind(self, multiplier: Any) -> LinearOperator:
        return LinearOperatorScaledIdentity(self._num_rows, multiplier, **self._hints.as_options())

    def _linop_adjoint(self) -> LinearOperator:
        return self._of_same_kind(conjugated(self._factor()))

    def _linop_inverse(self) -> LinearOperator:
        return self._of_same_kind(1.0 / self._factor())

    def _linop_cholesky(self) -> LinearOperator:
        return LinearOperatorScaledIdentity(
            self._num_rows, sqrt(self._factor()), is_positive_definite=True
        )
