"""`tf.sparse`: from dense tensors, and to them."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np

from ...core import dtypes
from ...core.dtypes import as_dtype
from ...core.native_operations import FEW
from ...core.process.tracebacks import shallow
from ...core.specs import TensorSpec
from ...core.values import TensorLike
from ...errors import InvalidArgumentError
from ..array.broadcasting import broadcast_to
from ..array.concatenation import concat, stack
from ..array.fill import fill, ones
from ..array.fill import range as numbers
from ..array.gather import gather_nd
from ..array.scatter import tensor_scatter_nd_update
from ..array.select import where
from ..array.shapes import reshape
from ..array.shapes import shape as shape_tensor
from ..checks.assertions import Assert
from ..composed import composed
from ..conversion import as_tensor, static_value
from ..dispatch.in_one_piece import in_one_piece
from ..families import Rephrased
from ..math.arithmetic import minimum
from ..math.comparison import not_equal
from ..math.reduce import reduce_all
from ..op import ANY, INDEX, Attr, In, Out
from .linear_indices import places_of, wide
from .sparse_tensor import SparseTensor, as_sparse


def from_dense(tensor: Any, name: str | None = None) -> SparseTensor:
    """The elements that are not zero (of strings: not empty), in row-major order.

    tensor: any shape and dtype; the sparse tensor has both.

    >>> sparse = tf.sparse.from_dense([[0, 5], [7, 0]])
    >>> sparse.indices.numpy().tolist(), sparse.values.numpy()
    ([[0, 1], [1, 0]], array([5, 7], dtype=int32))

    Raises:
        InvalidArgumentError: `tensor` is a scalar.
    """
    dense = as_tensor(tensor)
    nothing = b"" if dense.dtype is dtypes.string else np.zeros((), dense.dtype.storage)
    present = where(not_equal(dense, as_tensor(nothing, dense.dtype)))
    sparse = SparseTensor.of_parts(
        present, gather_nd(dense, present), shape_tensor(dense, dtypes.int64)
    )
    sparse.set_shape(dense.shape)
    return sparse


@composed("SparseToDense", names_result=True)
def to_dense(
    sp_input: Any,
    default_value: Any = None,
    validate_indices: bool = True,
    name: str | None = None,
) -> Any:
    """A dense tensor with `default_value` (zero, "", False) where there is no element.

    It has the dtype of `sp_input`, and its dense shape.

    >>> sparse = tf.SparseTensor([[0, 1], [1, 0]], [5, 7], [2, 3])
    >>> tf.sparse.to_dense(sparse, default_value=-1).numpy()
    array([[-1,  5, -1],
           [ 7, -1, -1]], dtype=int32)

    Raises:
        InvalidArgumentError: indices are out of bounds, or (unless `validate_indices` is False)
            not in row-major order, or one occurs twice.
        TypeError: `sp_input` is not sparse.
    """
    sparse = as_sparse(sp_input)
    if default_value is None:
        default_value = b"" if sparse.dtype is dtypes.string else np.zeros((), sparse.dtype.storage)
    default = as_tensor(default_value, sparse.dtype)
    parts = sparse.indices, sparse.dense_shape, sparse.values, default
    checks = {"validate_indices": validate_indices}
    if (found := in_one_piece(SparseToDense, *parts, **checks)) is not None:
        return found[0]
    if validate_indices:
        _require_order(sparse)
    dense = tensor_scatter_nd_update(
        fill(sparse.dense_shape, default), sparse.indices, sparse.values, name=name
    )
    if not dense.shape.is_fully_defined() and getattr(dense, "symbolic", False):
        dense.set_shape(sparse.shape)
    return dense


class SparseToDense(Rephrased):
    """A tensor with `default_value` but for the given places: one number, or a vector or a matrix
    of them.
    """

    sparse_indices = In("Tindices ...")
    output_shape = In("Tindices r")
    sparse_values = In("T ...")
    default_value = In("T")
    dense = Out("T ...")
    validate_indices = Attr(True)
    T = ANY
    Tindices = INDEX
    differentiable = False
    native_from = FEW
    native_axes = MappingProxyType({"sparse_indices": slice(-1, None)})

    def infer(self) -> TensorSpec:
        return TensorSpec(self.output_shape.as_shape(), self.sparse_values.dtype)

    def expand(self) -> Any:
        sizes, values = wide(self.output_shape), self.sparse_values
        indices = wide(reshape(self.sparse_indices, [-1, shape_tensor(sizes)[0]]))
        values = broadcast_to(values, shape_tensor(indices)[:1])
        sparse = SparseTensor.of_parts(indices, values, sizes)
        return to_dense(sparse, self.default_value, self.validate_indices)


def _require_order(sparse: SparseTensor) -> None:
    indices, sizes = static_value(sparse.indices), static_value(sparse.dense_shape)
    if indices is not None and sizes is not None:
        require_order(np, indices, sizes)
        return
    places = places_of(sparse.indices, sparse.dense_shape)
    Assert(
        reduce_all(places[1:] > places[:-1]),
        [
            "sparse indices are out of order or repeated. Many sparse ops require sorted indices. "
            "Use `tf.sparse.reorder` to create a correctly ordered copy."
        ],
    )


def require_order(np: Any, indices: Any, sizes: Any) -> None:
    """Refuse indices that leave the shape, or are not strictly ascending."""
    outside = ((indices < 0) | (indices >= sizes)).any(axis=1) if indices.size else []
    if np.any(outside):
        row = int(np.argmax(outside))
        raise InvalidArgumentError(
            f"indices[{row}] = {_listed(indices[row])} is out of bounds: need 0 <= index < "
            f"{_listed(sizes)}"
        )
    places = indices @ np.append(np.cumprod(sizes[:0:-1])[::-1], 1)[: len(sizes)]
    steps = np.diff(places)
    if (steps > 0).all():
        return
    row = int(np.argmax(steps <= 0)) + 1
    what = f"indices[{row}] = {_listed(indices[row])}"
    if steps[row - 1] == 0:
        raise InvalidArgumentError(f"{what} is repeated")
    raise InvalidArgumentError(
        f"{what} is out of order. Many sparse ops require sorted indices. "
        "Use `tf.sparse.reorder` to create a correctly ordered copy."
    )


def _listed(row: Any) -> str:
    return f"[{','.join(map(str, row.tolist()))}]"


def to_indicator(sp_input: Any, vocab_size: Any, name: str | None = None) -> Any:
    """bool [..., vocab_size]: true at the integers that are the elements along the last axis.

    sp_input: sparse, [..., n], of integers in [0, vocab_size).

    >>> sparse = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [0, 2, 1], [2, 2])
    >>> tf.sparse.to_indicator(sparse, 3).numpy()
    array([[ True, False,  True],
           [False,  True, False]])

    Raises:
        InvalidArgumentError: an element is outside of [0, vocab_size).
    """
    sparse = as_sparse(sp_input)
    rows = sparse.indices[:, :-1]
    indices = concat([rows, wide(sparse.values)[:, None]], 1)
    sizes = concat([sparse.dense_shape[:-1], wide(as_tensor([vocab_size]))], 0)
    there = ones(shape_tensor(sparse.values), dtypes.bool_)
    dense = fill(sizes, as_tensor(False))
    return tensor_scatter_nd_update(dense, indices, there)


def _count(number: Any, name: str) -> Any:
    """A number of rows or columns as an int64 scalar."""
    if number is not None:
        count = as_tensor(number)
        known = count.dtype  # TensorFlow truncates floats, where they are tensors
        is_number = known.is_numeric if isinstance(number, TensorLike) else known.is_integer
        if is_number and count.shape.rank in (0, None):
            return wide(count)
    raise TypeError(f"{name} must be an integer, got {number!r}")


@shallow
def eye(
    num_rows: Any, num_columns: Any = None, dtype: Any = dtypes.float32, name: str | None = None
) -> SparseTensor:
    """Ones on the diagonal of a sparse matrix [num_rows, num_columns]; as many of both by default.

    >>> tf.sparse.to_dense(tf.sparse.eye(2, 3, dtype=tf.int32)).numpy()
    array([[1, 0, 0],
           [0, 1, 0]], dtype=int32)

    Raises:
        TypeError: a number is no integer, or there is no such dtype, or none that has ones.
        InvalidArgumentError: a number is below 0.
    """
    rows = _count(num_rows, "num_rows")
    columns = rows if num_columns is None else _count(num_columns, "num_columns")
    count = minimum(rows, columns)
    diagonal = numbers(count)
    sizes = stack([rows, columns])
    return SparseTensor.of_parts(
        stack([diagonal, diagonal], 1), ones([count], as_dtype(dtype)), sizes
    )
