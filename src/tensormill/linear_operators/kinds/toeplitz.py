"""Operators whose diagonals are constant."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.shapes import TensorShape
from ...core.tensorflow_names import at_home_in
from ...ops.array.broadcasting import broadcast_static_shape
from ...ops.array.concatenation import concat
from ...ops.array.fill import ones
from ...ops.array.fill import range as numbers_from
from ...ops.array.gather import gather
from ...ops.array.rearrangement import matrix_transpose, reverse
from ...ops.array.shapes import shape_of
from ...ops.checks.assertions import assert_equal
from ...ops.conversion import as_tensor
from ...ops.math.arithmetic import conjugated
from ...ops.math.cast import cast
from ...ops.signal.fourier import fft, ifft
from ..batches import adjoint_if, dynamic_batch
from ..hints import Hint, always
from ..operator import LinearOperator
from ..parameters import as_parameter, keeps_parameters
from .circulant import cast_to


@at_home_in("tensorflow.python.ops.linalg.linear_operator_toeplitz")
class LinearOperatorToeplitz(LinearOperator):
    """[..., n, n] with constant diagonals. col, row: [..., n], the first column and the first row.

    row[0] does not count: it is col[0]. Products are made by Fourier transforms.

    >>> tf.linalg.LinearOperatorToeplitz([1., 2.], [1., 3.]).to_dense().numpy()
    array([[1., 3.],
           [2., 1.]], dtype=float32)

    Raises:
        ValueError: col or row has no axis, or the hints contradict each other.
    """

    @keeps_parameters
    def __init__(
        self,
        col: Any,
        row: Any,
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = None,
        name: str = "LinearOperatorToeplitz",
    ) -> None:
        row, col = as_parameter(row), as_parameter(col)
        for label, one in (("row", row), ("col", col)):
            if one.shape.rank == 0:
                raise ValueError(f"Argument {label} must have at least 1 dimension. Found: {one}")
        message = "Only square Toeplitz operators currently supported."
        super().__init__(
            row.dtype,
            is_non_singular=is_non_singular,
            is_self_adjoint=is_self_adjoint,
            is_positive_definite=is_positive_definite,
            is_square=always(is_square, True, message),
            name=name,
        )
        self._row = row
        self._col = col

    @property
    def col(self) -> Any:
        """The first column: [..., n]."""
        return self._col

    @property
    def row(self) -> Any:
        """The first row: [..., n]."""
        return self._row

    @property
    def _composite_tensor_fields(self) -> tuple[str, ...]:
        return ("col", "row")

    @property
    def _experimental_parameter_ndims_to_matrix_ndims(self) -> dict[str, Any]:
        return {"col": 1, "row": 1}

    def _shape(self) -> TensorShape:
        shape = broadcast_static_shape(self._row.shape, self._col.shape)
        return shape.concatenate(shape[-1:])

    def _shape_tensor(self) -> Any:
        sizes = dynamic_batch([shape_of(self._row), shape_of(self._col)])
        return concat([sizes, sizes[-1:]], 0)

    def _ends(self, adjoint: bool) -> tuple[Any, Any]:
        """The first column, and the rest of the first row, of the matrix or its adjoint."""
        col, row = as_tensor(self._col), as_tensor(self._row)
        if not adjoint:
            return self._alike(col, row[..., 1:])
        first = concat(self._alike(col[..., :1], row[..., 1:]), -1)
        return self._alike(conjugated(first), conjugated(col[..., 1:]))

    def _alike(self, one: Any, other: Any) -> tuple[Any, Any]:
        """Both, with the leading axes of both."""
        if one.shape.rank == other.shape.rank and one.shape[:-1] == other.shape[:-1]:
            return one, other
        batch = (
            one[..., :1] * 0 + as_tensor(self._col)[..., :1] * 0 + as_tensor(self._row)[..., :1] * 0
        )
        return one + batch, other + batch

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        """As a part of a circulant matrix that has twice the size."""
        x = adjoint_if(x, adjoint_arg)
        exact = self.dtype.real_dtype is dtypes.float64
        numbers = dtypes.complex128 if exact else dtypes.complex64
        column, row = self._ends(adjoint)
        around = concat([column, reverse(row, [-1])], -1)
        count = shape_of(x)[-2]
        rows = cast(matrix_transpose(x), numbers)
        blank = rows[..., 1:] * 0
        spectrum = fft(cast(around, numbers))[..., None, :]
        found = ifft(fft(concat([rows, blank], -1)) * spectrum)
        return cast_to(matrix_transpose(found[..., :count]), self.dtype)

    def _corner(self) -> Any:
        return as_tensor(self._col)[..., 0] + as_tensor(self._row)[..., 0] * 0

    def _trace(self) -> Any:
        return self._corner() * cast(self.domain_dimension_tensor(), self.dtype)

    def _diag_part(self) -> Any:
        return self._corner()[..., None] * ones(self.domain_dimension_tensor()[None], self.dtype)

    def _to_dense(self) -> Any:
        column, row = self._ends(adjoint=False)
        diagonals = concat([reverse(column, [-1]), row], -1)
        count = numbers_from(self.domain_dimension_tensor())
        return gather(diagonals, count - count[:, None] + count[-1], axis=-1)

    def _assert_self_adjoint(self) -> Any:
        message = "row and col are not the same, and so this operator is not self-adjoint."
        return assert_equal(as_tensor(self._row), conjugated(as_tensor(self._col)), message=message)
