"""`tf.sparse`: arithmetic and products."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from ...core.native_operations import FEW
from ...core.values import TensorLike
from ...errors import InvalidArgumentError, KernelMissingError, ShapeMismatchError
from ..array.concatenation import concat
from ..array.fill import zeros_like
from ..array.gather import gather_densely
from ..array.scatter import scatter_nd
from ..array.select import boolean_mask, where
from ..array.shapes import reshape, shape_of
from ..checks.assertions import Assert, require_equal
from ..control.flow import ensure_shape
from ..conversion import as_tensor, static_value
from ..dispatch.in_one_piece import in_one_piece
from ..families import Rephrased
from ..linalg.matmul import adjoint
from ..math import arithmetic
from ..math.comparison import equal, greater_equal
from ..math.complex import conj
from ..math.reduce import reduce_all, reduce_min
from ..math.reduce import reduce_max as reduce_max_of
from ..math.segments import unsorted_segment_sum
from ..math.signs import abs as magnitude
from ..math.sorted_segments import segment_max, segment_min
from ..op import INDEX, NUMBERS, REALS, Attr, In, Out
from .agreement import require_same_shape, require_within
from .linear_indices import (
    LAST,
    Groups,
    grouped_rows,
    like,
    parts_of,
    row_order,
    wide,
)
from .sparse_tensor import SparseTensor, SparseTensorValue, as_sparse

SPARSE = (SparseTensor, SparseTensorValue)


# ---------------------------------------------------------------- two operands


def add(a: Any, b: Any, threshold: Any = 0) -> Any:
    """The sum: sparse of two sparse tensors, dense where one of them is dense.

    Both have one shape (nothing broadcasts) and one dtype, of numbers. Where both have an element,
    a sum whose magnitude is not as large as `threshold` is left out; by default NaN alone is.

    >>> a, b = tf.sparse.from_dense([[1, 0, 2]]), tf.sparse.from_dense([[10, 20, 0]])
    >>> tf.sparse.to_dense(tf.sparse.add(a, b)).numpy()
    array([[11, 20,  2]], dtype=int32)
    >>> tf.sparse.add(a, tf.constant([[5, 5, 5]])).numpy()
    array([[6, 5, 7]], dtype=int32)

    Raises:
        TypeError: neither is sparse, or the dtypes differ.
        InvalidArgumentError: the shapes differ.
    """
    if not isinstance(a, SPARSE) and not isinstance(b, SPARSE):
        raise TypeError("none of the two is a SparseTensor: tf.add adds tensors")
    if not (isinstance(a, SPARSE) and isinstance(b, SPARSE)):
        sparse, dense = (a, b) if isinstance(a, SPARSE) else (b, a)
        return _added_to_dense(as_sparse(sparse), as_tensor(dense))
    a, b = as_sparse(a), as_sparse(b)
    if (found := in_one_piece(SparseAdd, *_parts(a, b), _bound(threshold, a))) is not None:
        return SparseTensor.of_parts(*found)
    values, groups = _by_places(a, b)
    total = _at_places(a, b, unsorted_segment_sum(values, groups.members, groups.count), groups)
    is_exact = not (total.dtype.is_floating or total.dtype.is_complex)
    if is_exact and not isinstance(threshold, TensorLike) and threshold == 0:
        return total
    large = _are_alone(groups) | greater_equal(magnitude(total.values), threshold)
    large = ensure_shape(large, [None])
    indices = boolean_mask(total.indices, large)
    values = boolean_mask(total.values, large)
    return like(total, SparseTensor.of_parts(indices, values, total.dense_shape))


def _added_to_dense(sparse: SparseTensor, dense: Any) -> Any:
    require_same_shape(sparse, dense.shape, shape_of(dense))
    extra = scatter_nd(sparse.indices, sparse.values, sparse.dense_shape)
    return arithmetic.add(dense, reshape(extra, shape_of(dense)))


def maximum(sp_a: Any, sp_b: Any, name: str | None = None) -> SparseTensor:
    """The larger of both at every place where one of them has an element; the rest is zero.

    sp_a, sp_b: sparse, of one shape (nothing broadcasts) and one dtype, of real numbers.

    >>> a, b = tf.sparse.from_dense([1, -2, 0]), tf.sparse.from_dense([3, 0, 0])
    >>> tf.sparse.maximum(a, b).values.numpy()
    array([3, 0], dtype=int32)

    Raises:
        InvalidArgumentError: the shapes differ.
    """
    return _combined(as_sparse(sp_a), as_sparse(sp_b), segment_max)


def minimum(sp_a: Any, sp_b: Any, name: str | None = None) -> SparseTensor:
    """The smaller of both at every place where one of them has an element; the rest is zero.

    sp_a, sp_b: sparse, of one shape (nothing broadcasts) and one dtype, of real numbers.

    >>> a, b = tf.sparse.from_dense([1, -2, 0]), tf.sparse.from_dense([3, 0, 0])
    >>> tf.sparse.minimum(a, b).values.numpy()
    array([ 1, -2], dtype=int32)

    Raises:
        InvalidArgumentError: the shapes differ.
    """
    return _combined(as_sparse(sp_a), as_sparse(sp_b), segment_min)


def _combined(a: SparseTensor, b: SparseTensor, combine: Callable[..., Any]) -> SparseTensor:
    """Both, with the elements at equal places combined; what only one has, with zero."""
    op = SparseSparseMaximum if combine is segment_max else SparseSparseMinimum
    if (found := in_one_piece(op, *_parts(a, b))) is not None:
        indices, values = found
        return SparseTensor.of_parts(indices, values, a.dense_shape)
    for operand in (a, b):
        require_within(operand)
    values, groups = _by_places(a, b)
    merged = combine(values, groups.members)
    both = {segment_max: arithmetic.maximum, segment_min: arithmetic.minimum}
    filled = both[combine](merged, zeros_like(merged))
    return _at_places(a, b, where(_are_alone(groups), filled, merged), groups)


def _parts(a: SparseTensor, b: SparseTensor) -> tuple[Any, ...]:
    return a.indices, a.values, a.dense_shape, b.indices, b.values, b.dense_shape


def _bound(threshold: Any, like: SparseTensor) -> Any:
    """The threshold of a sum: a real number, also of complex ones."""
    return as_tensor(threshold, None, like.dtype.real_dtype)


def _by_places(a: SparseTensor, b: SparseTensor) -> tuple[Any, Groups]:
    """The values of both in the order of their places, and which of these are the same.

    Indices outside of the shape, which sums keep, have places of their own: these are counted in
    an array that holds all of them. The places of the groups are indices: [count, rank].
    """
    require_same_shape(a, b.shape, b.dense_shape)
    indices, values = concat([a.indices, b.indices], 0), concat([a.values, b.values], 0)
    lowest = arithmetic.minimum(reduce_min(indices, 0), 0)
    sizes = arithmetic.maximum(reduce_max_of(indices, 0) + 1, wide(a.dense_shape)) - lowest
    order = row_order(indices - lowest, sizes, a.shape.merge_with(b.shape))
    return gather_densely(values, order), grouped_rows(indices, order)


def _are_alone(groups: Groups) -> Any:
    """Which places only one of two sparse tensors has."""
    ones = zeros_like(groups.members) + 1
    return equal(unsorted_segment_sum(ones, groups.members, groups.count), 1)


def _at_places(a: SparseTensor, b: SparseTensor, values: Any, groups: Groups) -> SparseTensor:
    made = SparseTensor.of_parts(groups.places, values, a.dense_shape)
    made.set_shape(a.shape.merge_with(b.shape))
    return made


def map_values(op: Callable[..., Any], *args: Any, **kwargs: Any) -> SparseTensor:
    """`op` of the values; all sparse arguments must have the same indices.

    The result is sparse, with these indices. Places that hold nothing are left alone: they stay
    zero whatever `op` makes of 0.

    >>> sparse = tf.sparse.from_dense([[1, 0], [0, 2]])
    >>> tf.sparse.to_dense(tf.sparse.map_values(tf.add, sparse, 10)).numpy()
    array([[11,  0],
           [ 0, 12]], dtype=int32)

    Raises:
        ValueError: no argument is sparse, or the result has another number of values.
        InvalidArgumentError: indices differ.
    """
    listed: list[SparseTensor] = []

    def opened(value: Any) -> Any:
        if not isinstance(value, SPARSE):
            return value
        listed.append(as_sparse(value))
        return listed[-1].values

    inner = [opened(value) for value in args]
    named = {key: opened(value) for key, value in kwargs.items()}
    if not listed:
        raise ValueError("No SparseTensor in argument list of map_values")
    for other in listed[1:]:
        _require_same_places(listed[0], other)
    return listed[0].with_values(op(*inner, **named))


def _require_same_places(one: SparseTensor, other: SparseTensor) -> None:
    if one.indices is other.indices:
        return
    mine, theirs = static_value(one.indices), static_value(other.indices)
    if mine is None or theirs is None:
        count, its = shape_of(one.indices)[0], shape_of(other.indices)[0]
        require_equal(count, its, "indices differ in map_values: ")
        Assert(reduce_all(equal(one.indices, other.indices)), ["indices differ in map_values"])
    elif not np.array_equal(mine, theirs):
        raise InvalidArgumentError(
            f"map_values: sparse tensors differ in their indices: {mine.tolist()} and "
            f"{theirs.tolist()} (Incompatible shapes: {list(mine.shape)} vs. {list(theirs.shape)})"
        )


# ---------------------------------------------------------------- products


def sparse_dense_matmul(
    sp_a: Any,
    b: Any,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    name: str | None = None,
) -> Any:
    """The product of a sparse and a dense matrix, in either order: a dense matrix.

    sp_a: [m, k], b: [k, n], one of them sparse; numbers of one dtype. adjoint_a, adjoint_b: take
    the conjugate transpose first.

    >>> sparse = tf.sparse.from_dense([[1, 0, 2], [0, 3, 0]])
    >>> tf.sparse.sparse_dense_matmul(sparse, tf.constant([[1], [10], [100]])).numpy()
    array([[201],
           [ 30]], dtype=int32)
    >>> tf.sparse.sparse_dense_matmul(tf.constant([[1, 10]]), sparse).numpy()
    array([[ 1, 30,  2]], dtype=int32)

    Raises:
        InvalidArgumentError: the sizes do not fit, or an index is not within.
    """
    if isinstance(b, SPARSE):
        flipped = sparse_dense_matmul(b, sp_a, not adjoint_b, not adjoint_a)
        return adjoint(flipped)
    a, b = as_sparse(sp_a), as_tensor(b)
    if b.shape.rank is None:
        b = ensure_shape(b, [None, None])
    turned, parts = {"adjoint_a": adjoint_a, "adjoint_b": adjoint_b}, (a.indices, a.values)
    found = in_one_piece(SparseTensorDenseMatMul, *parts, a.dense_shape, b, **turned)
    if found is not None:
        return found[0]
    if adjoint_b:
        b = adjoint(b)
    rows, inner = (1, 0) if adjoint_a else (0, 1)
    values = conj(a.values) if adjoint_a and a.dtype.is_complex else a.values
    _require_inner(a, b, inner, adjoint_a)
    scaled = values[:, None] * gather_densely(b, a.indices[:, inner])
    places = a.indices[:, rows]
    least = reduce_min(places)
    Assert(least >= 0, ["indices of a sparse tensor are not negative; the least one is ", least])
    product = unsorted_segment_sum(scaled, places, a.dense_shape[rows])
    if getattr(product, "symbolic", False) and a.shape.rank is not None:
        product.set_shape([a.shape[rows], b.shape[1] if b.shape.rank else None])
    return product


def _require_inner(a: SparseTensor, b: Any, inner: int, adjoint_a: bool) -> None:
    if a.shape.rank not in (None, 2) or b.shape.rank not in (None, 2):
        raise InvalidArgumentError(
            f"Tensors 'a' and 'b' must be matrices, got shapes {a.shape} and {b.shape}"
        )
    if a.shape.rank is None:
        message = "Tensor 'a' must be a matrix; its rank is not 2: "
        require_equal(shape_of(a.dense_shape)[0], 2, message)
    have = a.shape[inner] if a.shape.rank else None
    want = b.shape[0] if b.shape.rank else None
    if None in (have, want):
        message = "Cannot multiply A and B because inner dimension does not match: "
        require_equal(a.dense_shape[inner], wide(shape_of(b)[0]), message)
    elif have != want:
        raise ShapeMismatchError(
            f"Cannot multiply A and B because inner dimension does not match: {have} vs. {want}. "
            f"Did you forget a transpose? Dimensions of A: {a.shape.as_list()} (adjoint: "
            f"{adjoint_a}). Dimensions of B: {b.shape.as_list()}"
        )


# ---------------------------------------------------------------- operations on components


class SparseAdd(Rephrased):
    """The sum of two sparse tensors, without what is smaller than a threshold."""

    a_indices = In("i64 n r")
    a_values = In("T n")
    a_shape = In("i64 r")
    b_indices = In("i64 m r")
    b_values = In("T m")
    b_shape = In("i64 r")
    thresh = In("Treal")
    sum_indices = Out("i64 k r")
    sum_values = Out("T k")
    sum_shape = Out("i64 r")
    T = NUMBERS
    Treal = REALS
    native_from = FEW
    native_axes = MappingProxyType({"a_indices": LAST, "b_indices": LAST})

    def expand(self) -> tuple[Any, ...]:
        a = SparseTensor.of_parts(self.a_indices, self.a_values, self.a_shape)
        b = SparseTensor.of_parts(self.b_indices, self.b_values, self.b_shape)
        return parts_of(add(a, b, self.thresh))


class SparseSparseExtremum(Rephrased, abstract=True):
    """One of two sparse tensors' elements; what is not there is zero."""

    a_indices = In("i64 n r")
    a_values = In("T n")
    a_shape = In("i64 r")
    b_indices = In("i64 m r")
    b_values = In("T m")
    b_shape = In("i64 r")
    output_indices = Out("i64 k r")
    output_values = Out("T k")
    T = REALS
    chosen: ClassVar[Callable[[SparseTensor, SparseTensor], SparseTensor]]
    native_from = FEW
    native_axes = MappingProxyType({"a_indices": LAST, "b_indices": LAST})

    def expand(self) -> tuple[Any, ...]:
        a = SparseTensor.of_parts(self.a_indices, self.a_values, self.a_shape)
        b = SparseTensor.of_parts(self.b_indices, self.b_values, self.b_shape)
        return parts_of(type(self).chosen(a, b))[:2]


class SparseSparseMaximum(SparseSparseExtremum):
    """The larger of two sparse tensors' elements; what is not there is zero."""

    chosen = staticmethod(maximum)


class SparseSparseMinimum(SparseSparseExtremum):
    """The smaller of two sparse tensors' elements; what is not there is zero."""

    chosen = staticmethod(minimum)


class SparseTensorDenseMatMul(Rephrased):
    """The product of a sparse and a dense matrix."""

    a_indices = In("Tindices n two")
    a_values = In("T n")
    a_shape = In("i64 two")
    b = In("T k m")
    product = Out("T ...")
    adjoint_a = Attr(False)
    adjoint_b = Attr(False)
    T = NUMBERS
    refusal = KernelMissingError
    Tindices = INDEX
    native_from = FEW
    native_axes = MappingProxyType({"a_indices": LAST})

    def expand(self) -> Any:
        sparse = SparseTensor.of_parts(wide(self.a_indices), self.a_values, self.a_shape)
        return sparse_dense_matmul(sparse, self.b, self.adjoint_a, self.adjoint_b)
