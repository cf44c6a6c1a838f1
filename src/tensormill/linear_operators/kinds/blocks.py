"""What operators in blocks share: operands in parts, and rows of blocks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import add, mul
from typing import Any

from ...core.shapes import TensorShape
from ...ops.array.concatenation import concat, split
from ...ops.array.fill import zeros
from ...ops.array.shapes import shape_of
from ...ops.conversion import as_tensor
from ..batches import adjoint_if, dynamic_batch, static_batch, with_batch
from ..operands import of_dtype_of, require_fit
from ..operator import LinearOperator


class BlockOperator(LinearOperator):
    """Rows of blocks, of which those on the diagonal share neither rows nor columns; None is a
    block of zeros.

    Everything is below the diagonal or on it, so that systems are solved from the first row on.
    """

    def _rows(self) -> list[list[LinearOperator | None]]:
        raise NotImplementedError

    def _diagonal_blocks(self) -> list[LinearOperator]:
        raise NotImplementedError

    def _all_blocks(self) -> list[LinearOperator]:
        return [one for row in self._rows() for one in row if one is not None]

    # ---- sizes

    def _shape(self) -> TensorShape:
        shapes = [one.shape for one in self._all_blocks()]
        if any(shape.rank is None for shape in shapes):
            return TensorShape(None)
        batch = static_batch([shape[:-2] for shape in shapes])
        blocks = self._diagonal_blocks()
        rows, columns = [one.known_rows for one in blocks], [one.known_columns for one in blocks]
        return batch.concatenate([_total(rows), _total(columns)])

    def _batch_tensor(self, *operands: Any) -> Any:
        own = [one.batch_shape_tensor() for one in self._all_blocks()]
        return dynamic_batch([*(shape_of(x)[:-2] for x in operands), *own])

    def _shape_tensor(self) -> Any:
        totals = [reduce(add, sizes)[None] for sizes in (self._heights(), self._widths())]
        return concat([self._batch_tensor(), *totals], 0)

    def _heights(self) -> list[Any]:
        return [one.range_dimension_tensor() for one in self._diagonal_blocks()]

    def _widths(self) -> list[Any]:
        return [one.domain_dimension_tensor() for one in self._diagonal_blocks()]

    # ---- operands, whole or in parts

    def matmul(
        self, x: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str = "matmul"
    ) -> Any:
        """As of other operators; of a list, which has a matrix for each block, a list.

        Raises:
            ValueError: sizes do not fit.
            TypeError: the dtypes differ.
        """
        if not self._is_in_parts(x, -1 if adjoint_arg else -2, adjoint):
            return super().matmul(x, adjoint, adjoint_arg, name)
        with self._scope(name):
            parts = [adjoint_if(of_dtype_of(self, one), adjoint_arg) for one in x]
            return self._product_of_parts(parts, adjoint)

    def matvec(self, x: Any, adjoint: bool = False, name: str = "matvec") -> Any:
        """As of other operators; of a list, which has a vector for each block, a list.

        Raises:
            ValueError: sizes do not fit.
            TypeError: the dtypes differ.
        """
        if not self._is_in_parts(x, -1, adjoint):
            return super().matvec(x, adjoint, name)
        with self._scope(name):
            columns = [of_dtype_of(self, one)[..., None] for one in x]
            return [one[..., 0] for one in self._product_of_parts(columns, adjoint)]

    def solve(
        self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str = "solve"
    ) -> Any:
        """As of other operators; of a list, which has a matrix for each block, a list.

        Raises:
            NotImplementedError: the hints say that it is singular.
            ValueError: sizes do not fit.
            TypeError: the dtypes differ.
        """
        if not self._is_in_parts(rhs, -1 if adjoint_arg else -2, not adjoint):
            return super().solve(rhs, adjoint, adjoint_arg, name)
        self._require_solvable()
        with self._scope(name):
            parts = [adjoint_if(of_dtype_of(self, one), adjoint_arg) for one in rhs]
            return self._solution_in_parts(parts, adjoint)

    def solvevec(self, rhs: Any, adjoint: bool = False, name: str = "solve") -> Any:
        """As of other operators; of a list, which has a vector for each block, a list.

        Raises:
            NotImplementedError: the hints say that it is singular.
            ValueError: sizes do not fit.
            TypeError: the dtypes differ.
        """
        if not self._is_in_parts(rhs, -1, not adjoint):
            return super().solvevec(rhs, adjoint, name)
        self._require_solvable()
        with self._scope(name):
            columns = [of_dtype_of(self, one)[..., None] for one in rhs]
            return [one[..., 0] for one in self._solution_in_parts(columns, adjoint)]

    def _is_in_parts(self, x: Any, axis: int, by_rows: bool) -> bool:
        """Whether an operand is a list with a tensor for each block, of its columns or its rows.

        Raises:
            ValueError: it is, and their sizes do not fit.
        """
        if not isinstance(x, (list, tuple)) or len(x) != len(self._diagonal_blocks()):
            return False
        tensors = [as_tensor(one) for one in x]
        if any(one.shape.rank is not None and one.shape.rank < -axis for one in tensors):
            return False
        for one, block in zip(tensors, self._diagonal_blocks(), strict=True):
            if one.shape.rank is not None:
                size = block.known_rows if by_rows else block.known_columns
                require_fit(self, size, one.shape[axis], one)
        return True

    def _in_parts(self, x: Any, by_rows: bool) -> list[Any]:
        blocks = self._diagonal_blocks()
        known = [one.known_rows if by_rows else one.known_columns for one in blocks]
        unknown = self._heights if by_rows else self._widths
        sizes: Any = unknown() if None in known else known
        return list(split(x, sizes, axis=-2))

    def _joined(self, parts: Sequence[Any], axis: int = -1) -> Any:
        """Parts side by side, each with the whole batch."""
        matrices = parts if axis == -2 else [one[..., None] for one in parts]
        batch = self._batch_tensor(*matrices)
        whole = concat([with_batch(one, batch) for one in matrices], -2)
        return whole if axis == -2 else whole[..., 0]

    # ---- products and solutions

    def _product_of_parts(self, parts: Sequence[Any], adjoint: bool) -> list[Any]:
        rows = self._rows()
        count = len(rows)
        found: list[Any] = []
        for i in range(count):
            column = [row[i] if i < len(row) else None for row in rows] if adjoint else rows[i]
            terms = [
                one.matmul(parts[k], adjoint=adjoint)
                for k, one in enumerate(column)
                if one is not None
            ]
            found.append(reduce(add, terms))
        return found

    def _solution_in_parts(self, parts: Sequence[Any], adjoint: bool) -> list[Any]:
        rows = self._rows()
        count = len(rows)
        found: list[Any] = [None] * count
        for i in reversed(range(count)) if adjoint else range(count):
            rest = parts[i]
            for k in range(i + 1, count) if adjoint else range(i):
                block = rows[k][i] if adjoint else rows[i][k]
                if block is not None:
                    rest = rest - block.matmul(found[k], adjoint=adjoint)
            found[i] = self._diagonal_blocks()[i].solve(rest, adjoint=adjoint)
        return found

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        parts = self._in_parts(adjoint_if(x, adjoint_arg), adjoint)
        return self._joined(self._product_of_parts(parts, adjoint), -2)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        parts = self._in_parts(adjoint_if(rhs, adjoint_arg), not adjoint)
        return self._joined(self._solution_in_parts(parts, adjoint), -2)

    # ---- numbers, which are those of the blocks on the diagonal

    def _determinant(self) -> Any:
        return reduce(mul, [one.determinant() for one in self._diagonal_blocks()])

    def _log_abs_determinant(self) -> Any:
        parts = [one.log_abs_determinant() for one in self._diagonal_blocks()]
        return reduce(add, parts)

    def _trace(self) -> Any:
        self._require_square_blocks("trace")
        return reduce(add, [one.trace() for one in self._diagonal_blocks()])

    def _diag_part(self) -> Any:
        self._require_square_blocks("diag_part")
        return self._joined([one.diag_part() for one in self._diagonal_blocks()])

    def _require_square_blocks(self, what: str) -> None:
        if any(one.is_square is False for one in self._diagonal_blocks()):
            raise NotImplementedError(
                f"`{what}` not implemented for an operator whose blocks are not square: {self!r}"
            )

    def _to_dense(self) -> Any:
        batch, heights, widths = self._batch_tensor(), self._heights(), self._widths()
        rows: list[Any] = []
        for i, row in enumerate(self._rows()):
            blocks = [*row, *[None] * (len(widths) - len(row))]
            parts = [
                zeros(concat([batch, heights[i][None], widths[k][None]], 0), self.dtype)
                if one is None
                else with_batch(one.to_dense(), batch)
                for k, one in enumerate(blocks)
            ]
            rows.append(concat(parts, -1))
        return concat(rows, -2)

    def _assert_non_singular(self) -> None:
        for one in self._diagonal_blocks():
            one.assert_non_singular()


def _total(sizes: Sequence[int | None]) -> int | None:
    return None if None in sizes else sum(size for size in sizes if size is not None)
