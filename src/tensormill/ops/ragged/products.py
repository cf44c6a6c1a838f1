"""Products of matrices in rows: each may have sizes of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core import dtypes
from ...core.process.named_tuples import NamedTuple
from ...errors import ConversionDTypeError, ShapeMismatchError
from ..array.fill import fill
from ..array.gather import gather
from ..array.rearrangement import repeat
from ..array.shapes import shape_of
from ..checks.assertions import require_equal
from ..conversion import as_tensor
from ..dispatch.meanings import means_for
from ..linalg.matmul import matmul as dense_matmul
from ..math.arithmetic import maximum
from ..math.cast import cast
from ..math.reduce import reduce_max
from ..math.segments import unsorted_segment_max
from .ragged_tensor import RaggedTensor
from .reduce import rank_of, require_same_splits

Multiply = Callable[[Any, Any], Any]

NO_PRODUCT = "matmul: Matrix size-incompatible: the columns of `a` are not the rows of `b`: "
NOT_RECTANGULAR = "a matrix is ragged in its innermost dimension, rows differ in length: "


class Matrices(NamedTuple):
    """Matrices [count, rows, columns], with zeros beyond each one's own sizes.

    A size is a vector [count], or None where all matrices are as large.
    """

    padded: Any
    rows: Any
    columns: Any

    def turned(self) -> Matrices:
        """The same, whose sizes are those of the transposed matrices."""
        return Matrices(self.padded, self.columns, self.rows)


@means_for(dense_matmul, RaggedTensor)
def matmul(
    a: Any, b: Any, transpose_a: bool, transpose_b: bool, adjoint_a: bool, adjoint_b: bool,
    *options: Any,
) -> Any:  # fmt: skip
    """The product of the matrices in the same place, of two ragged tensors or of one and a tensor.

    Raises:
        ShapeMismatchError: (a ValueError) ranks or numbers of matrices differ.
        ConversionDTypeError: (a ValueError) the dtypes differ.
        InvalidArgumentError: a matrix has rows of several lengths, or sizes do not fit.
    """
    flags = transpose_a, transpose_b, adjoint_a, adjoint_b

    def multiply(one: Any, other: Any) -> Any:
        return dense_matmul(one, other, *flags, *options)

    one, other = _operands(a, b)
    if rank_of(one) == 2:
        return multiply(rectangle(one), rectangle(other))
    return _multiplied(one, other, multiply, transpose_a or adjoint_a, transpose_b or adjoint_b)


def _operands(a: Any, b: Any) -> tuple[Any, Any]:
    """Both as tensors, ragged or not, of one dtype and rank."""
    dtype = a.dtype if isinstance(a, RaggedTensor) else b.dtype
    one, other = (
        value if isinstance(value, RaggedTensor) else as_tensor(value, None, dtype)
        for value in (a, b)
    )
    if one.dtype is not other.dtype:
        raise ConversionDTypeError(
            f"matmul: `a` and `b` must have the same dtype, not {one.dtype.name} and "
            f"{other.dtype.name}; use tf.cast"
        )
    if rank_of(one) != rank_of(other):
        raise ShapeMismatchError(
            f"matmul: `a` and `b` must have the same rank where one is ragged, not the shapes "
            f"{one.shape} and {other.shape}"
        )
    return one, other


def rectangle(x: Any) -> Any:
    """One matrix (of elements of any shape) as a tensor.

    Raises:
        InvalidArgumentError: its rows differ in length.
    """
    if not isinstance(x, RaggedTensor):
        return x
    lengths = x.row_lengths()
    require_equal(lengths, reduce_max(lengths), NOT_RECTANGULAR)
    return x.to_tensor()


def _multiplied(a: Any, b: Any, multiply: Multiply, turn_a: bool, turn_b: bool) -> Any:
    """Batches of batches of matrices: the products of what is in the same rows."""
    if not isinstance(a, RaggedTensor) and not isinstance(b, RaggedTensor):
        return multiply(a, b)
    if rank_of(a) == 3:
        return _products(a, b, multiply, turn_a, turn_b)
    one, other = (x if isinstance(x, RaggedTensor) else RaggedTensor.from_tensor(x) for x in (a, b))
    require_same_splits(other.row_splits, one.row_splits)
    return one.with_values(_multiplied(one.values, other.values, multiply, turn_a, turn_b))


def _products(a: Any, b: Any, multiply: Multiply, turn_a: bool, turn_b: bool) -> RaggedTensor:
    """The products of matrices, of which only the elements that are there are multiplied."""
    if not a.shape[:1].is_compatible_with(b.shape[:1]):
        raise ShapeMismatchError(
            f"matmul: Dimensions {a.shape[0]} and {b.shape[0]} are not compatible: as many "
            "matrices are multiplied"
        )
    require_equal(_count(a), _count(b), "matmul: numbers of matrices differ: ")
    one, other = _matrices(a), _matrices(b)
    left, right = one.turned() if turn_a else one, other.turned() if turn_b else other
    if left.columns is not None or right.rows is not None:
        inner = _sizes(left.columns, one.padded, 1 if turn_a else 2)
        require_equal(inner, _sizes(right.rows, other.padded, 2 if turn_b else 1), NO_PRODUCT)
    ragged = a if isinstance(a, RaggedTensor) else b
    return _without_padding(
        multiply(one.padded, other.padded), left.rows, right.columns, ragged.row_splits.dtype
    )


def _count(x: Any) -> Any:
    count = x.nrows() if isinstance(x, RaggedTensor) else shape_of(x)[0]
    return cast(count, dtypes.int64)


def _sizes(known: Any, padded: Any, axis: int) -> Any:
    """The sizes of all matrices: a vector, or a number where they are as large."""
    return cast(shape_of(padded)[axis] if known is None else known, dtypes.int64)


def _matrices(x: Any) -> Matrices:
    if not isinstance(x, RaggedTensor):
        return Matrices(x, None, None)
    rows = None if x.uniform_row_length is not None else x.row_lengths()
    values = x.values
    if not isinstance(values, RaggedTensor) or values.uniform_row_length is not None:
        return Matrices(x.to_tensor(), rows, None)
    lengths, members = values.row_lengths(), x.value_rowids()
    widths = maximum(unsorted_segment_max(lengths, members, x.nrows()), 0)
    require_equal(lengths, gather(widths, members), NOT_RECTANGULAR)
    return Matrices(x.to_tensor(), rows, widths)


def _without_padding(product: Any, rows: Any, columns: Any, splits: Any) -> RaggedTensor:
    """Of each product the rows and columns that it has."""
    if columns is None:
        return RaggedTensor.from_tensor(product, rows, row_splits_dtype=splits)
    counts = rows
    if counts is None:
        size = shape_of(product)
        counts = fill(size[:1], size[1])
    lengths = [counts, repeat(columns, counts)]
    return RaggedTensor.from_tensor(product, lengths, row_splits_dtype=splits)
