"""`tensorflow.python.ops.linalg.sparse.sparse`: matrices in compressed sparse rows.

Here they are sparse tensors in row-major order, of rank 2, or 3 for several matrices.
"""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.shapes import TensorShape
from ...eager.convert import convert_to_tensor
from ...errors import InvalidArgumentError
from ...ops.array.concatenation import concat
from ...ops.array.gather import gather_nd
from ...ops.array.shapes import expand_dims, reshape, shape
from ...ops.linalg.matmul import adjoint, matrix_transpose
from ...ops.linalg.matmul import matmul as dense_matmul
from ...ops.math.cast import cast
from ...ops.math.complex import conj
from ...ops.math.reduce import reduce_prod
from ...ops.math.segments import unsorted_segment_sum
from ...ops.sparse.arithmetic import sparse_dense_matmul
from ...ops.sparse.compressed_rows import CompressedRows, sparse_matrix_sparse_mat_mul
from ...ops.sparse.conversion import from_dense, to_dense
from ...ops.sparse.layout import reorder
from ...ops.sparse.layout import transpose as turned
from ...ops.sparse.sparse_tensor import SparseTensor


class CSRSparseMatrix:
    """A sparse matrix, or several of one shape: of a SparseTensor, or of a dense one.

    Raises:
        InvalidArgumentError: the rank is neither 2 nor 3.
        ValueError: `indices` are given, and `value` is no dense tensor.
    """

    def __init__(self, value: Any, indices: Any = None, name: str | None = None) -> None:
        if isinstance(value, SparseTensor):
            if indices is not None:
                raise ValueError("indices are those of the sparse tensor: give none besides")
            self._sparse = reorder(value)
        else:
            dense = convert_to_tensor(value)
            self._sparse = from_dense(dense) if indices is None else _picked(dense, indices)
        if self._sparse.shape.rank not in (2, 3):
            raise InvalidArgumentError(
                f"a sparse matrix has rank 2, or 3 for several; got shape {self._sparse.shape}"
            )

    @property
    def dtype(self) -> dtypes.DType:
        return self._sparse.dtype

    @property
    def shape(self) -> TensorShape:
        return self._sparse.shape

    def nnz(self) -> Any:
        """How many elements there are, for each matrix: int32."""
        batch = self._sparse.indices[:, 0]
        ones = cast(batch * 0 + 1, dtypes.int32)
        if self.shape.rank == 2:
            return shape(ones)[0]
        return unsorted_segment_sum(ones, batch, self._sparse.dense_shape[0])

    def to_dense(self) -> Any:
        return to_dense(self._sparse)

    def to_sparse_tensor(self) -> SparseTensor:
        return self._sparse

    def transpose(self) -> CSRSparseMatrix:
        return CSRSparseMatrix(turned(self._sparse, _turn(self.shape)))

    def conj(self) -> CSRSparseMatrix:
        return CSRSparseMatrix(self._sparse.with_values(conj(self._sparse.values)))

    def hermitian_transpose(self) -> CSRSparseMatrix:
        return self.conj().transpose()


def _picked(dense: Any, indices: Any) -> SparseTensor:
    indices = cast(convert_to_tensor(indices), dtypes.int64)
    found = SparseTensor(indices, gather_nd(dense, indices), shape(dense, dtypes.int64))
    found.set_shape(dense.shape)
    return reorder(found)


def _turn(shape: TensorShape) -> list[int]:
    return [1, 0] if shape.rank == 2 else [0, 2, 1]


def matmul(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    name: str | None = None,
) -> Any:
    """The product of sparse matrices (a CSRSparseMatrix), or of a sparse and a dense one (dense).

    Raises:
        InvalidArgumentError: sizes or ranks do not fit.
    """
    first, second = isinstance(a, CSRSparseMatrix), isinstance(b, CSRSparseMatrix)
    if first and second:
        found = sparse_matrix_sparse_mat_mul(
            CompressedRows(a.to_sparse_tensor()), CompressedRows(b.to_sparse_tensor()), None,
            transpose_a, transpose_b, adjoint_a, adjoint_b,
        )  # fmt: skip
        return CSRSparseMatrix(found.matrix)
    if not first and not second:
        return dense_matmul(a, b, transpose_a, transpose_b, adjoint_a, adjoint_b)
    a, b = _as_told(a, transpose_a, adjoint_a), _as_told(b, transpose_b, adjoint_b)
    if first:
        return _sparse_by_dense(a.to_sparse_tensor(), b)
    return matrix_transpose(_sparse_by_dense(b.transpose().to_sparse_tensor(), matrix_transpose(a)))


def _as_told(matrix: Any, transposes: bool, adjoins: bool) -> Any:
    if isinstance(matrix, CSRSparseMatrix):
        if adjoins:
            return matrix.hermitian_transpose()
        return matrix.transpose() if transposes else matrix
    matrix = convert_to_tensor(matrix)
    if adjoins:
        return adjoint(matrix)
    return matrix_transpose(matrix) if transposes else matrix


def _sparse_by_dense(a: SparseTensor, b: Any) -> Any:
    """Every element of `a` is multiplied by the row of `b` that its column names."""
    inner, outer = a.shape[-1], b.shape[-2]
    if a.shape.rank != b.shape.rank or (None not in (inner, outer) and inner != outer):
        raise InvalidArgumentError(f"Cannot multiply a sparse matrix {a.shape} by one {b.shape}")
    if a.shape.rank == 2:
        return sparse_dense_matmul(a, b)
    terms = gather_nd(b, a.indices[:, ::2]) * expand_dims(a.values, 1)
    rows = a.indices[:, 0] * a.dense_shape[1] + a.indices[:, 1]
    sums = unsorted_segment_sum(terms, rows, reduce_prod(a.dense_shape[:2]))
    found = reshape(sums, concat([a.dense_shape[:2], shape(b, dtypes.int64)[2:]], 0))
    found.set_shape([*a.shape[:2], b.shape[2]])
    return found
