"""Operators in blocks on the diagonal and below it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.tensorflow_names import at_home_in
from ...ops.conversion import as_tensor
from ..hints import Hint, hints_of
from ..operator import LinearOperator
from ..parameters import keeps_parameters
from .blocks import BlockOperator
from .composition import common_dtype, some_operators
from .full_matrix import LinearOperatorFullMatrix as _Full
from .identity import LinearOperatorScaledIdentity


@at_home_in("tensorflow.python.ops.linalg.linear_operator_block_lower_triangular")
class LinearOperatorBlockLowerTriangular(BlockOperator):
    """Rows of operators, each one longer than the row before; the rest is zero.

    operators: of one dtype; those that end a row are square. Leading axes broadcast. A product or
    a system of equations takes a list as well, a tensor for each row, and gives one.

    >>> d, f = tf.linalg.LinearOperatorDiag([2.]), tf.linalg.LinearOperatorFullMatrix([[3.]])
    >>> tf.linalg.LinearOperatorBlockLowerTriangular([[d], [f, d]]).to_dense().numpy()
    array([[2., 0.],
           [3., 2.]], dtype=float32)

    Raises:
        ValueError: the rows have other lengths, sizes do not fit, or the hints contradict each
            other.
        TypeError: the dtypes differ.
    """

    @keeps_parameters
    def __init__(
        self,
        operators: Sequence[Sequence[LinearOperator]],
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = None,
        name: str = "LinearOperatorBlockLowerTriangular",
    ) -> None:
        rows = [list(row) for row in some_operators(operators)]  # type: ignore[arg-type]
        require_triangle(rows)
        ends = [row[-1] for row in rows]
        known = [one.is_non_singular for one in ends]
        if is_non_singular is None and (all(known) or False in known):
            is_non_singular = all(known)
        if is_square is False:
            raise ValueError("`LinearOperatorBlockLowerTriangular` must be square.")
        super().__init__(
            common_dtype([one for row in rows for one in row]),
            is_non_singular=is_non_singular,
            is_self_adjoint=is_self_adjoint,
            is_positive_definite=is_positive_definite,
            is_square=True,
            name=name,
        )
        self._operators = rows

    @property
    def operators(self) -> list[list[LinearOperator]]:
        """The rows of blocks."""
        return [list(row) for row in self._operators]

    @property
    def _composite_tensor_fields(self) -> tuple[str, ...]:
        return ("operators",)

    @property
    def _experimental_parameter_ndims_to_matrix_ndims(self) -> dict[str, Any]:
        return {"operators": [[0] * len(row) for row in self._operators]}

    def _rows(self) -> list[list[LinearOperator | None]]:
        return [list(row) for row in self._operators]

    def _diagonal_blocks(self) -> list[LinearOperator]:
        return [row[-1] for row in self._operators]

    def _eigvals(self) -> Any:
        return self._joined([one.eigvals() for one in self._diagonal_blocks()])

    def _linop_inverse(self) -> LinearOperator:
        """Block by block: below the diagonal -D^-1 (the sum of products with what is above)."""
        found: list[list[LinearOperator]] = []
        minus = LinearOperatorScaledIdentity
        for i, row in enumerate(self._operators):
            end = row[-1].inverse()
            inverse: list[LinearOperator] = []
            for k in range(i):
                terms = [row[j].matmul(found[j][k]) for j in range(k, i)]
                total = terms[0]
                for term in terms[1:]:
                    total = _Full(total.to_dense() + term.to_dense())
                product = end.matmul(total)
                rows = product.range_dimension_tensor() if product.known_rows is None \
                    else product.known_rows  # fmt: skip
                inverse.append(minus(rows, as_tensor(-1, self.dtype)).matmul(product))
            found.append([*inverse, end])
        return LinearOperatorBlockLowerTriangular(found, **hints_of(self).as_options())


def require_triangle(rows: Sequence[Sequence[LinearOperator]]) -> None:
    """Refuse rows that are no triangle of blocks that fit.

    Raises:
        ValueError: they are not.
    """
    for i, row in enumerate(rows):
        if len(row) != i + 1:
            raise ValueError(f"row {i} of a triangle of blocks has {i + 1} blocks, not {len(row)}")
        if row[-1].is_square is False:
            raise ValueError(f"the last block of row {i} must be square: {row[-1].name}")
        for k, one in enumerate(row):
            wanted = row[-1].known_rows, rows[k][-1].known_columns
            sizes = one.known_rows, one.known_columns
            for size, other in zip(sizes, wanted, strict=True):
                if None not in (size, other) and size != other:
                    raise ValueError(
                        f"block {k} of row {i} has shape {one.shape}; it must have "
                        f"{wanted[0]} rows and {wanted[1]} columns"
                    )
