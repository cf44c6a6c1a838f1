"""`tf.sparse`: reductions, and what they make of each row."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from ...core.native_operations import FEW
from ...core.values import TensorLike
from ...errors import InvalidArgumentError
from ..array.fill import fill, zeros_like
from ..array.fill import range as range_of
from ..array.gather import gather, gather_densely
from ..array.select import where
from ..array.shapes import reshape, shape_of, size
from ..checks.assertions import Assert
from ..conversion import as_tensor, static_value
from ..dispatch.in_one_piece import in_one_piece, may_be_one_piece
from ..families import Rephrased
from ..math import arithmetic
from ..math.cast import cast
from ..math.comparison import equal, less, logical_not, not_equal
from ..math.division import floormod
from ..math.elementwise import exp
from ..math.reduce import reduce_all, reduce_any, reduce_prod
from ..math.segments import unsorted_segment_max, unsorted_segment_sum
from ..math.sorted_segments import segment_max, segment_sum
from ..op import NUMBERS, REALS, Attr, In, Out, types
from .agreement import require_within
from .layout import reshape as flattened
from .linear_indices import LAST, grouped_rows, parts_of, places_of, row_order, wide
from .sparse_tensor import SparseTensor, as_sparse


def reduce_sum(
    sp_input: Any,
    axis: Any = None,
    keepdims: Any = None,
    output_is_sparse: bool = False,
    name: str | None = None,
) -> Any:
    """Sums along axes (all by default): a tensor, or a sparse one with `output_is_sparse`.

    sp_input: sparse numbers. axis: an int, or a list. keepdims: axes that are summed over stay,
    with size 1.

    >>> sparse = tf.sparse.from_dense([[1, 0, 2], [0, 0, 3]])
    >>> tf.sparse.reduce_sum(sparse, axis=1).numpy()
    array([3, 3], dtype=int32)

    Raises:
        InvalidArgumentError: there is no such axis.
    """
    ops = SparseReduceSum, SparseReduceSumSparse
    return _reduced_at_once(ops, as_sparse(sp_input), axis, keepdims, output_is_sparse)


def reduce_max(
    sp_input: Any,
    axis: Any = None,
    keepdims: Any = None,
    output_is_sparse: bool = False,
    name: str | None = None,
) -> Any:
    """The largest of the elements that are there, along axes (all by default); else zero.

    sp_input: sparse reals. axis: an int, or a list. keepdims: axes that are gone stay, with size 1.
    output_is_sparse: a sparse tensor, without what would be zero so.

    >>> sparse = tf.sparse.from_dense([[-1, 0, -2], [0, 0, 0]])
    >>> tf.sparse.reduce_max(sparse, axis=1).numpy()
    array([-1,  0], dtype=int32)

    Raises:
        InvalidArgumentError: there is no such axis.
    """
    ops = SparseReduceMax, SparseReduceMaxSparse
    return _reduced_at_once(ops, as_sparse(sp_input), axis, keepdims, output_is_sparse)


def _reduced_at_once(
    ops: tuple[type[SparseReduction], type[SparseReduction]],
    sparse: SparseTensor,
    axis: Any,
    keepdims: Any,
    is_sparse: bool,
) -> Any:
    """By native code, or else by its parts. `ops`: for dense results, and for sparse ones."""
    rank, op = sparse.shape.rank, ops[bool(is_sparse)]
    parts, keeps = (sparse.indices, sparse.values, sparse.dense_shape), bool(keepdims)
    if rank is not None and not isinstance(axis, TensorLike) and may_be_one_piece(op, *parts):
        axes = np.arange(rank) if axis is None else np.asarray(axis)
        is_plain = axes.dtype.kind != "f"  # else the parts refuse them, unless there are none
        axes = as_tensor(axes.astype(np.int32))
        if is_plain and (found := in_one_piece(op, *parts, axes, keep_dims=keeps)) is not None:
            return SparseTensor.of_parts(*found) if is_sparse else found[0]
    return _reduced(sparse, axis, keepdims, is_sparse, op.combine)


def _reduced(
    sparse: SparseTensor, axis: Any, keepdims: Any, is_sparse: bool, combine: Callable[..., Any]
) -> Any:
    require_within(sparse)
    if sparse.shape.rank is None and axis is None and not keepdims:
        sparse = flattened(sparse, [-1])  # all axes are one
    gone = _axes_gone(sparse, axis)
    known = static_value(gone)
    kept = reshape(where(logical_not(gone)), [-1]) if known is None else np.flatnonzero(~known)
    sizes = gather(sparse.dense_shape, kept)
    shown = where(gone, wide(as_tensor(1)), sparse.dense_shape) if keepdims else sizes
    shape = None if known is None else [1 if one else None for one in known if keepdims or not one]
    indices = gather(sparse.indices, kept, axis=1)
    if is_sparse:
        zeroed = where(gone, zeros_like(sparse.indices), sparse.indices) if keepdims else indices
        return _sparse_result(sparse, zeroed, shown, shape, combine)
    places = places_of(indices, sizes)
    count = reduce_prod(sizes)
    flat = combine(sparse.values, places, count)
    if combine is unsorted_segment_max:
        present = unsorted_segment_sum(zeros_like(places) + 1, places, count)
        flat = where(present > 0, _down_to_infinity(sparse.values, places, flat), zeros_like(flat))
    dense = reshape(flat, shown)
    if getattr(dense, "symbolic", False):
        dense.set_shape(shape)
    return dense


def _down_to_infinity(values: Any, places: Any, flat: Any) -> Any:
    """The largest ones, also of those that are all -inf: segments begin with a finite number."""
    if not values.dtype.is_floating:
        return flat
    others = unsorted_segment_sum(
        cast(not_equal(values, -math.inf), places.dtype), places, size(flat)
    )
    return where(others > 0, flat, as_tensor(-math.inf, flat.dtype))


def _sparse_result(
    sparse: SparseTensor, indices: Any, sizes: Any, shape: Any, combine: Any
) -> SparseTensor:
    order = row_order(indices, sizes, sparse.shape)
    groups = grouped_rows(indices, order)
    in_rows = segment_max if combine is unsorted_segment_max else segment_sum
    values = in_rows(gather_densely(sparse.values, order), groups.members)
    made = SparseTensor.of_parts(groups.places, values, sizes)
    made.set_shape(None if shape is None else [None] * len(shape))
    return made


def _axes_gone(sparse: SparseTensor, axis: Any) -> Any:
    """Whether each axis is reduced: an array where the rank and `axis` are known."""
    rank = sparse.shape.rank
    if axis is None:
        count = shape_of(sparse.dense_shape)[0] if rank is None else rank
        return fill([count], as_tensor(True)) if rank is None else np.ones(rank, bool)
    listed = np.asarray(axis) if isinstance(axis, (list, tuple)) else static_value(axis)
    if listed is not None and listed.dtype.kind == "f" and listed.size:
        raise TypeError(f"axes of a reduction are integers, got {axis!r}")
    if rank is None or listed is None:
        return _axes_gone_when_run(sparse, axis)
    for one in np.atleast_1d(listed).tolist():
        if not -rank <= one < rank:
            raise InvalidArgumentError(
                f"Invalid reduction dimension {one}, for input with {rank} dimensions."
            )
    return np.isin(np.arange(rank), [int(one) % rank for one in np.atleast_1d(listed)])


def _axes_gone_when_run(sparse: SparseTensor, axis: Any) -> Any:
    """The same for axes, or a rank, that only a run tells."""
    rank = wide(shape_of(sparse.dense_shape)[0])
    wanted = reshape(wide(axis), [-1])
    exist = reduce_all((wanted >= -rank) & less(wanted, rank))
    Assert(exist, ["Invalid reduction dimension ", wanted, ", for input of rank ", rank])
    places = floormod(wanted, arithmetic.maximum(rank, 1))
    return reduce_any(equal(reshape(range_of(rank), [-1, 1]), places), 1)


def softmax(sp_input: Any, name: str | None = None) -> SparseTensor:
    """Softmax along the last axis, of the elements that are there.

    sp_input: sparse, [..., n], floats; the result has its indices.

    >>> sparse = tf.sparse.from_dense([[7., 7., 0., 0.], [5., 0., 0., 0.]])
    >>> tf.sparse.softmax(sparse).values.numpy()
    array([0.5, 0.5, 1. ], dtype=float32)

    Raises:
        InvalidArgumentError: it is a vector.
    """
    sparse = as_sparse(sp_input)
    rank = sparse.shape.rank
    if rank is None:
        Assert(shape_of(sparse.dense_shape)[0] >= 2, ["Input should have rank >= 2"])
    elif rank < 2:
        raise InvalidArgumentError("Input should have rank >= 2")
    parts = sparse.indices, sparse.values, sparse.dense_shape
    found = in_one_piece(SparseSoftmax, *parts)
    return sparse.with_values(_softmax(sparse) if found is None else found[0])


def _softmax(sparse: SparseTensor) -> Any:
    """The values of the result."""
    require_within(sparse)
    sizes = sparse.dense_shape[:-1]
    rows, count = places_of(sparse.indices[:, :-1], sizes), reduce_prod(sizes)
    highest = unsorted_segment_max(sparse.values, rows, count)
    raised = exp(sparse.values - gather(highest, rows))
    return raised / gather(unsorted_segment_sum(raised, rows, count), rows)


# ---------------------------------------------------------------- operations on components


class SparseReduction(Rephrased, abstract=True):
    """A reduction of the elements that are there, along some axes."""

    input_indices = In("i64 n r")
    input_values = In("T n")
    input_shape = In("i64 r")
    reduction_axes = In("i32 ...")
    keep_dims = Attr(False)
    combine: ClassVar[Callable[..., Any]]
    native_from = FEW
    native_axes = MappingProxyType({"input_indices": LAST})
    native_values = frozenset(("reduction_axes",))

    def reduced(self, is_sparse: bool) -> Any:
        sparse = SparseTensor.of_parts(self.input_indices, self.input_values, self.input_shape)
        combine = type(self).combine
        return _reduced(sparse, self.reduction_axes, self.keep_dims, is_sparse, combine)


class DenseResult(SparseReduction, abstract=True):
    """A reduction whose result is dense."""

    output = Out("T ...")

    def expand(self) -> Any:
        return self.reduced(False)


class SparseResult(SparseReduction, abstract=True):
    """A reduction whose result is a sparse tensor."""

    output_indices = Out("i64 ...")
    output_values = Out("T ...")
    output_shape = Out("i64 ...")

    def expand(self) -> Any:
        return parts_of(self.reduced(True))


class SparseReduceSum(DenseResult):
    """Sums of the elements that are there."""

    T = NUMBERS
    combine = staticmethod(unsorted_segment_sum)


class SparseReduceSumSparse(SparseResult):
    """The same as a sparse tensor."""

    T = NUMBERS
    combine = staticmethod(unsorted_segment_sum)


class SparseReduceMax(DenseResult):
    """The largest of the elements that are there."""

    T = REALS
    combine = staticmethod(unsorted_segment_max)


class SparseReduceMaxSparse(SparseResult):
    """The same as a sparse tensor."""

    T = REALS
    combine = staticmethod(unsorted_segment_max)


class SparseSoftmax(Rephrased):
    """exp(x) divided by its sum over the elements that are in the same row."""

    native_from = FEW
    native_axes = MappingProxyType({"sp_indices": LAST})

    sp_indices = In("i64 n r")
    sp_values = In("T n")
    sp_shape = In("i64 r")
    output = Out("T n")
    T = types("f16 f32 f64")

    def expand(self) -> Any:
        sparse = SparseTensor.of_parts(self.sp_indices, self.sp_values, self.sp_shape)
        return _softmax(sparse)
