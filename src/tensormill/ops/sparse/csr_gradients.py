"""What gradients by sparse matrices are: matrices with elements at the same places."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ..array.gather import gather, gather_nd
from ..array.rearrangement import transpose
from ..array.sorting import argsort
from ..bind import bind
from ..math.cast import cast
from ..math.complex import conj
from ..math.reduce import reduce_sum
from ..op import REGISTRY
from .linear_indices import places_of


def matrix_of(indices: Any, values: Any, shape: Any) -> Any:
    return bind(REGISTRY["SparseTensorToCSRSparseMatrix"], indices, values, shape)


def parts_of(matrix: Any, dtype: Any) -> Any:
    """Indices, values and sizes of a matrix, by rows."""
    return bind(REGISTRY["CSRSparseMatrixToSparseTensor"], matrix, type=dtype)


def as_dense(matrix: Any, dtype: Any) -> Any:
    return bind(REGISTRY["CSRSparseMatrixToDense"], matrix, type=dtype)


def at_places_of(matrix: Any, dense: Any, dtype: Any) -> Any:
    """The elements of a tensor where a matrix has any."""
    indices, _, shape = parts_of(matrix, dtype)
    return matrix_of(indices, gather_nd(dense, indices), shape)


def of_values(application: Any, gradient: Any) -> Any:
    """The gradient by values: that by the matrix has its elements by rows, these may have another
    order.
    """
    _, values, _ = parts_of(gradient, application.values.dtype)
    order = argsort(places_of(application.indices, application.dense_shape), stable=True)
    return gather(values, cast(argsort(order), dtypes.int64))


def by_factors(op: Any, dproduct: Any) -> tuple[Any, Any]:
    """Those of SparseMatrixMatMul, by its matrix and by its tensor."""
    dproduct = conj(dproduct) if op.conjugate_output else dproduct
    dproduct = flipped(dproduct) if op.transpose_output else dproduct
    return lambda: _by_matrix(op, dproduct), lambda: _by_tensor(op, dproduct)


def flipped(x: Any) -> Any:
    """The last two axes exchanged."""
    return transpose(x, [1, 0] if x.shape.rank == 2 else [0, 2, 1])


def _by_matrix(op: Any, dproduct: Any) -> Any:
    """Of each element that there is: a row of the gradient times one of the tensor."""
    b = flipped(op.b) if op.transpose_b or op.adjoint_b else op.b
    b = b if op.adjoint_b else conj(b)
    indices, _, shape = parts_of(op.a, dproduct.dtype)
    turned = op.transpose_a or op.adjoint_a
    row, column = (-1, -2) if turned else (-2, -1)
    values = reduce_sum(
        gather_nd(dproduct, _without(indices, column)) * gather_nd(b, _without(indices, row)), 1
    )
    return matrix_of(indices, conj(values) if op.adjoint_a else values, shape)


def _without(indices: Any, axis: int) -> Any:
    """The places without the row, or the column, that they name."""
    rank = indices.shape[1]
    return gather(indices, [one for one in range(rank) if one != axis % rank], axis=1)


def _by_tensor(op: Any, dproduct: Any) -> Any:
    matmul = REGISTRY["SparseMatrixMatMul"]
    if op.transpose_a:  # the adjoint of a transposed matrix is its conjugate
        found = conj(bind(matmul, op.a, conj(dproduct)))
    else:
        found = bind(matmul, op.a, dproduct, adjoint_a=not op.adjoint_a)
    if op.adjoint_b:
        return conj(flipped(found))
    return flipped(found) if op.transpose_b else found
