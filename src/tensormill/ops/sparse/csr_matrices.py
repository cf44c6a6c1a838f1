"""Sparse matrices as one value each, which TensorFlow keeps as compressed rows; SciPy computes.

Such a value is an object that compiled code hands on. Its elements stay in the order in which they
were given; in rows they are put where an operation needs them.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ...core import dtypes
from ...core.dtypes import of_storage
from ...core.shapes import UNKNOWN, TensorShape
from ...core.specs import ObjectSpec, TensorSpec
from ...errors import InvalidArgumentError
from ..demands import refuse
from ..op import Attr, In, Op, Out, types
from ..underivable import no_derivative
from . import csr_gradients as gradients

FLOATING: Final = types("f32 f64 c64 c128")
NO_MATRIX: Final = "{}: the indices must be [n, 2] or [n, 3], as many as values, got {}, {} and {}"
OUTSIDE: Final = "{}: index {} is outside of the shape {}"


class SparseMatrices:
    """One matrix, or a batch of them: int64 [n, rank] indices, [n] values and sizes."""

    __slots__ = ("indices", "shape", "values")

    def __init__(self, indices: Any, values: Any, shape: Any) -> None:
        self.indices, self.values = indices, values
        self.shape = tuple(int(size) for size in shape)

    @property
    def spec(self) -> ObjectSpec:
        return matrix_spec(TensorShape(self.shape), of_storage(self.values.dtype))

    def ordered(self) -> SparseMatrices:
        """The same by rows; elements of one place stay as they are."""
        order = np.lexsort(self.indices.T[::-1])
        return SparseMatrices(self.indices[order], self.values[order], self.shape)

    def matrices(self) -> list[Any]:
        """Each as SciPy has it."""
        from scipy.sparse import coo_array

        rows, size = self.indices, self.shape[-2:]
        if len(self.shape) == 2:
            return [coo_array((self.values, (rows[:, 0], rows[:, 1])), size).tocsr()]
        chosen = [rows[:, 0] == number for number in range(self.shape[0])]
        return [
            coo_array((self.values[one], (rows[one, 1], rows[one, 2])), size).tocsr()
            for one in chosen
        ]


def joined(matrices: list[Any], batched: bool, dtype: Any) -> SparseMatrices:
    """SciPy's matrices as one value."""
    parts = [one.tocoo() for one in matrices]
    indices = [
        np.stack([*([np.full(one.nnz, number)] if batched else []), *one.coords], 1)
        for number, one in enumerate(parts)
    ]
    values = np.concatenate([one.data for one in parts]).astype(dtype)
    shape = (*([len(parts)] if batched else []), *parts[0].shape)
    return SparseMatrices(np.concatenate(indices).astype(np.int64), values, shape).ordered()


def matrix_spec(shape: TensorShape, dtype: Any) -> ObjectSpec:
    return ObjectSpec("sparse matrix", (TensorSpec(shape, dtype),), is_value=True)


def described(known: Any) -> TensorSpec | None:
    """Shape and dtype of a matrix, where a graph knows them."""
    elements = getattr(known.spec, "elements", ())
    return elements[0] if elements else None


def found_in(op: Any, value: Any, dtype: Any = None) -> SparseMatrices:
    """The matrix of an operand.

    Raises:
        InvalidArgumentError: it is none, or has another dtype.
    """
    if not isinstance(value, SparseMatrices):
        raise InvalidArgumentError(f"{op.name}: this is no sparse matrix: {value!r:.100}")
    own = of_storage(value.values.dtype)
    if dtype is not None and own is not dtype:
        raise InvalidArgumentError(
            f"{op.name}: asked for a matrix of {dtype.name}, but it has {own.name}"
        )
    return value


class SparseTensorToCSRSparseMatrix(Op):
    """The matrix, or batch of matrices, of such elements."""

    indices = In("i64 ...")
    values = In("T ...")
    dense_shape = In("i64 ...")
    sparse_matrix = Out("variant")
    T = FLOATING

    def infer(self) -> ObjectSpec:
        sizes, rank = self.dense_shape.value, self.dense_shape.shape.num_elements()
        known = TensorShape([None] * rank) if rank else UNKNOWN
        return matrix_spec(TensorShape(sizes.tolist()) if sizes is not None else known,
                           self.values.dtype)  # fmt: skip

    def eager(self, np: Any) -> SparseMatrices:
        return _checked(self, self.indices, self.values, self.dense_shape)

    def vjp(self, dsparse_matrix: Any) -> Any:
        return None, lambda: gradients.of_values(self, dsparse_matrix), None


class DenseToCSRSparseMatrix(Op):
    """The elements of a matrix, or a batch of matrices, at these places."""

    dense_input = In("T ...")
    indices = In("i64 ...")
    sparse_output = Out("variant")
    T = FLOATING

    def infer(self) -> ObjectSpec:
        return matrix_spec(self.dense_input.shape, self.dense_input.dtype)

    def eager(self, np: Any) -> SparseMatrices:
        x, places = self.dense_input, self.indices
        _checked(self, places, places[:, 0] if places.ndim == 2 else places, x.shape)
        return SparseMatrices(places.copy(), x[tuple(places.T)], x.shape)

    def vjp(self, dsparse_output: Any) -> Any:
        return gradients.as_dense(dsparse_output, self.dense_input.dtype), None


def _checked(op: Any, indices: Any, values: Any, shape: Any) -> SparseMatrices:
    rank = len(shape)
    if rank not in (2, 3) or values.ndim != 1 or indices.shape != (len(values), rank):
        refuse(InvalidArgumentError, NO_MATRIX, op.name, indices.shape, values.shape, shape)
    outside = ((indices < 0) | (indices >= np.asarray(shape))).any(1)
    if outside.any():
        where = indices[outside.argmax()].tolist()
        refuse(InvalidArgumentError, OUTSIDE, op.name, where, list(shape))
    return SparseMatrices(indices.copy(), values.copy(), shape)


class CSRSparseMatrixToDense(Op):
    """The matrix, or the batch, with its zeros."""

    sparse_input = In("variant")
    dense_output = Out("type ...")
    type = Attr(allowed=types("c128 c64 f32 f64"))

    def infer(self) -> TensorSpec:
        known = described(self.sparse_input)
        return TensorSpec(known.shape if known else UNKNOWN, self.type)

    def eager(self, np: Any) -> Any:
        it = found_in(self, self.sparse_input, self.type)
        dense = np.zeros(it.shape, it.values.dtype)
        np.add.at(dense, tuple(it.indices.T), it.values)
        return dense

    def vjp(self, ddense_output: Any) -> Any:
        return gradients.at_places_of(self.sparse_input, ddense_output, self.type)


class CSRSparseMatrixToSparseTensor(Op):
    """The elements by rows: where they are, what they are, and the sizes."""

    sparse_matrix = In("variant")
    indices = Out("i64 n r")
    values = Out("type n")
    dense_shape = Out("i64 r")
    type = Attr(allowed=types("c128 c64 f32 f64"))

    def infer(self) -> tuple[TensorSpec, ...]:
        known = described(self.sparse_matrix)
        rank = known.shape.rank if known else None
        return (
            TensorSpec((None, rank), dtypes.int64), TensorSpec((None,), self.type),
            TensorSpec((rank,), dtypes.int64),
        )  # fmt: skip

    def eager(self, np: Any) -> tuple[Any, ...]:
        it = found_in(self, self.sparse_matrix, self.type).ordered()
        return it.indices, it.values, np.array(it.shape, np.int64)

    def vjp(self, dindices: Any, dvalues: Any, ddense_shape: Any) -> Any:
        return gradients.matrix_of(self.indices, dvalues, self.dense_shape)


class CSRSparseMatrixComponents(Op):
    """One matrix as compressed rows: where each begins, the columns, the values."""

    csr_sparse_matrix = In("variant")
    index = In("i32")
    row_ptrs = Out("i32 n")
    col_inds = Out("i32 m")
    values = Out("type m")
    type = Attr(allowed=types("c128 c64 f32 f64"))
    vjp = no_derivative

    def infer(self) -> tuple[TensorSpec, ...]:
        numbers = TensorSpec((None,), dtypes.int32)
        return numbers, numbers, TensorSpec((None,), self.type)

    def eager(self, np: Any) -> tuple[Any, ...]:
        all_of = found_in(self, self.csr_sparse_matrix, self.type).matrices()
        number = int(self.index)
        if not 0 <= number < len(all_of):
            raise InvalidArgumentError(f"{self.name}: index {number} not in [0, {len(all_of)})")
        one = all_of[number]
        return one.indptr.astype(np.int32), one.indices.astype(np.int32), one.data


class SparseMatrixNNZ(Op):
    """How many elements a matrix has, or each of a batch."""

    sparse_matrix = In("variant")
    nnz = Out("i32 ...")
    differentiable = False

    def infer(self) -> TensorSpec:
        known = described(self.sparse_matrix)
        rank = known.shape.rank if known else None
        shape = UNKNOWN if known is None or rank is None else known.shape[:-2]
        return TensorSpec(shape, dtypes.int32)

    def eager(self, np: Any) -> Any:
        it = found_in(self, self.sparse_matrix)
        if len(it.shape) == 2:
            return np.asarray(len(it.values), np.int32)
        return np.bincount(it.indices[:, 0], minlength=it.shape[0]).astype(np.int32)
