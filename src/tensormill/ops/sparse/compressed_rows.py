"""Products of two sparse matrices, by TensorFlow's names for compressed sparse rows."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.process.named_tuples import NamedTuple
from ...errors import InvalidArgumentError
from ..array.fill import range as numbers
from ..array.fill import zeros_like
from ..array.gather import gather, gather_densely
from ..array.rearrangement import repeat
from ..math.scan import cumsum
from ..math.segments import unsorted_segment_sum
from .layout import reorder, reshape, transpose
from .linear_indices import grouped, indices_of, wide
from .sparse_tensor import SparseTensor


class CompressedRows:
    """A sparse matrix in row-major order, as the functions below hand it on."""

    def __init__(self, matrix: SparseTensor) -> None:
        self.matrix = matrix

    @property
    def dtype(self) -> Any:
        return dtypes.variant


class SparseParts(NamedTuple):
    """What a SparseTensor is made of."""

    indices: Any
    values: Any
    dense_shape: Any


def sparse_tensor_to_csr_sparse_matrix(
    indices: Any, values: Any, dense_shape: Any, name: str | None = None
) -> CompressedRows:
    """A matrix of these elements."""
    return CompressedRows(SparseTensor.of_parts(indices, values, dense_shape))


def csr_sparse_matrix_to_sparse_tensor(
    sparse_matrix: CompressedRows, type: Any = None, name: str | None = None
) -> SparseParts:
    """Indices, values and dense shape of a matrix."""
    matrix = sparse_matrix.matrix
    return SparseParts(matrix.indices, matrix.values, matrix.dense_shape)


def sparse_matrix_sparse_mat_mul(
    a: CompressedRows,
    b: CompressedRows,
    type: Any = None,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    name: str | None = None,
) -> CompressedRows:
    """The product of two sparse matrices, or of equally many, sparse.

    Raises:
        InvalidArgumentError: the sizes do not fit.
    """
    first = _turned(a.matrix, transpose_a, adjoint_a)
    second = _turned(b.matrix, transpose_b, adjoint_b)
    multiply = products if first.shape.rank == 3 else product
    return CompressedRows(multiply(first, second))


def _turned(matrix: SparseTensor, transposes: bool, adjoins: bool) -> SparseTensor:
    if adjoins and matrix.dtype.is_complex:
        from ..math.complex import conj

        matrix = matrix.with_values(conj(matrix.values))
    if not (transposes or adjoins):
        return matrix
    return transpose(matrix, [0, 2, 1] if matrix.shape.rank == 3 else None)


def products(a: SparseTensor, b: SparseTensor) -> SparseTensor:
    """a[k] @ b[k] for each k: the matrices of `a` as blocks of one, those of `b` one below another.

    Raises:
        InvalidArgumentError: the sizes do not fit.
    """
    from ..array.concatenation import concat, stack

    for axis, other in ((0, 0), (2, 1)):
        if _differ(a.shape[axis], b.shape[other]):
            raise InvalidArgumentError(f"Cannot multiply sparse matrices {a.shape} and {b.shape}")
    count, rows, inner = (a.dense_shape[axis] for axis in range(3))
    columns = b.dense_shape[2]
    batch = a.indices[:, 0]
    blocks = stack([batch * rows + a.indices[:, 1], batch * inner + a.indices[:, 2]], 1)
    first = SparseTensor.of_parts(blocks, a.values, stack([count * rows, count * inner]))
    found = product(first, reshape(b, stack([count * inner, columns])))
    sizes = concat([a.dense_shape[:2], b.dense_shape[2:]], 0)
    made = reshape(found, sizes)
    made.set_shape([a.shape[0], a.shape[1], b.shape[2]])
    return made


def product(a: SparseTensor, b: SparseTensor) -> SparseTensor:
    """a @ b: every element of `a` meets the row of `b` that its column names."""
    inner, outer = a.shape[1], b.shape[0]
    if _differ(inner, outer):
        raise InvalidArgumentError(
            f"Cannot multiply sparse matrices of shapes {a.shape} and {b.shape}: inner dimensions "
            f"{inner} and {outer} differ"
        )
    b = reorder(b)
    in_row = unsorted_segment_sum(
        zeros_like(b.indices[:, 0]) + 1, b.indices[:, 0], b.dense_shape[0]
    )
    first_of_row = cumsum(in_row, exclusive=True)
    met = gather(in_row, a.indices[:, 1])  # how many elements of b each element of a meets
    left = repeat(numbers(_length(a.values)), met)
    before = gather(cumsum(met, exclusive=True), left)
    within = numbers(_length(left)) - before
    right = gather(first_of_row, gather(a.indices[:, 1], left)) + within
    terms = gather_densely(a.values, left) * gather_densely(b.values, right)
    columns = b.dense_shape[1]
    places = gather(a.indices[:, 0], left) * columns + gather(b.indices[:, 1], right)
    groups = grouped(places)
    values = unsorted_segment_sum(gather(terms, groups.order), groups.members, groups.count)
    from ..array.concatenation import stack

    sizes = stack([a.dense_shape[0], columns])
    made = SparseTensor.of_parts(indices_of(groups.places, sizes), values, sizes)
    made.set_shape([a.shape[0], b.shape[1]])
    return made


def _differ(size: int | None, other: int | None) -> bool:
    return None not in (size, other) and size != other


def _length(vector: Any) -> Any:
    from ..array.shapes import size

    return wide(size(vector))
