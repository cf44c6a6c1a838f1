"""Indices of sparse tensors as single numbers: their places in row-major order."""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import Any, Final

from ...core import dtypes
from ...core.native_operations import FEW
from ...core.process.named_tuples import NamedTuple
from ...core.specs import TensorSpec
from ..array.concatenation import concat
from ..array.gather import gather, gather_densely
from ..array.select import boolean_mask
from ..array.shapes import reshape, shape_of, size
from ..array.sorting import argsort
from ..bind import bind
from ..checks.assertions import Assert
from ..conversion import static_value
from ..dispatch.in_one_piece import in_one_piece
from ..families import Rephrased
from ..math.cast import cast
from ..math.comparison import less, not_equal
from ..math.division import truncatediv, truncatemod
from ..math.reduce import reduce_any, reduce_prod, reduce_sum
from ..math.scan import cumprod, cumsum
from ..op import ANY, In, Op, Out
from ..origins import Origin
from .sparse_tensor import SparseTensor

LAST: Final = slice(-1, None)  # of indices: the rank, which code has to know


def wide(value: Any) -> Any:
    """Integers as an int64 tensor."""
    return cast(value, dtypes.int64)


def strides_of(sizes: Any) -> Any:
    """How far apart neighbours along each axis are, of an array of these sizes (int64)."""
    return cumprod(wide(sizes), exclusive=True, reverse=True)


def places_of(indices: Any, sizes: Any) -> Any:
    """The number of each row of `indices` [n, rank] in an array of these sizes: int64 [n]."""
    return reduce_sum(indices * strides_of(sizes), 1)


def indices_of(places: Any, sizes: Any) -> Any:
    """The reverse of `places_of`: int64 [n, rank].

    A place outside of the array is outside along the first axis, before it by negative indices.
    """
    rows = truncatediv(reshape(places, [-1, 1]), strides_of(sizes))
    return concat([rows[:, :1], truncatemod(rows[:, 1:], wide(sizes)[1:])], 1)


def row_order(indices: Any, sizes: Any, shape: Any) -> Any:
    """What sorts the rows of `indices` [n, rank], all of them within `sizes`; equal ones stay in
    their order. `shape`: what is known of the sizes, or of smaller ones.

    As single numbers where these do not overflow: with 2**62 hash buckets they soon would.
    """
    if _are_countable(sizes, shape):
        return argsort(places_of(indices, sizes), stable=True)
    order = argsort(indices[:, -1], stable=True)
    for axis in reversed(range(indices.shape[1] - 1)):
        order = gather(order, argsort(gather(indices[:, axis], order), stable=True))
    return order


# Of sizes that are known: beside these, others would have to be very large to make them overflow,
# and a check refuses those.
_MANY: Final = 1 << 40
TOO_MANY: Final = "A sparse tensor has too many places to sort: more than 2**63 - 1"


def _are_countable(sizes: Any, shape: Any) -> bool:
    """Whether places within these sizes are numbers of 64 bits."""
    known = static_value(sizes)
    if known is not None:
        return math.prod(known.tolist()) < 1 << 63
    if shape.rank is not None and math.prod(one or 1 for one in shape.as_list()) > _MANY:
        return False
    count = reduce_prod(cast(sizes, dtypes.float64))
    Assert(less(count, float(1 << 63)), [TOO_MANY])
    return True


def in_order(sparse: SparseTensor) -> SparseTensor:
    """The same elements, their indices in row-major order; equal ones stay in their order."""
    parts = sparse.indices, sparse.values, sparse.dense_shape
    if (found := in_one_piece(SparseReorder, *parts)) is not None:
        indices, values = found
        return like(sparse, SparseTensor.of_parts(indices, values, sparse.dense_shape))
    order = row_order(sparse.indices, sparse.dense_shape, sparse.shape)
    indices, values = gather(sparse.indices, order), gather_densely(sparse.values, order)
    return like(sparse, SparseTensor.of_parts(indices, values, sparse.dense_shape))


def like(sparse: SparseTensor, other: SparseTensor) -> SparseTensor:
    """`other`, which has the shape of `sparse`."""
    other.set_shape(sparse.shape)
    return other


def parts_of(sparse: SparseTensor) -> tuple[Any, Any, Any]:
    return sparse.indices, sparse.values, sparse.dense_shape


class SparseReorder(Rephrased):
    """The elements in row-major order."""

    input_indices = In("i64 n r")
    input_values = In("T n")
    input_shape = In("i64 r")
    output_indices = Out("i64 n r")
    output_values = Out("T n")
    T = ANY
    native_from = FEW
    native_axes = MappingProxyType({"input_indices": LAST})

    def expand(self) -> tuple[Any, Any]:
        sparse = SparseTensor.of_parts(self.input_indices, self.input_values, self.input_shape)
        return parts_of(in_order(sparse))[:2]


class TextOrder(Op):
    """The places of strings in the order of their bytes; equal ones stay in their order."""

    texts = In("str n")
    order = Out("i64 n")
    origin = Origin.GRAPHS
    differentiable = False

    def infer(self) -> TensorSpec:
        return TensorSpec(self.texts.shape, dtypes.int64)

    def eager(self, np: Any) -> Any:
        return np.argsort(self.texts, kind="stable").astype(np.int64)


class Groups(NamedTuple):
    """Equal places, or other values, brought together.

    `order` sorts them; `members` [n] tells for each of the sorted to which group it belongs,
    `places` [count, ...] what the elements of each group are.
    """

    order: Any
    members: Any
    places: Any
    count: Any


def grouped(places: Any) -> Groups:
    """Which of `places` [n], integers or strings, are equal; the groups in ascending order."""
    is_text = places.dtype is dtypes.string
    order = bind(TextOrder, places) if is_text else argsort(places, stable=True)
    ordered = gather(places, order)
    return _groups_of(ordered, order, not_equal(ordered[1:], ordered[:-1]))


def grouped_rows(indices: Any, order: Any) -> Groups:
    """The same of rows of indices [n, rank], which `order` sorts."""
    ordered = gather(indices, order)
    return _groups_of(ordered, order, reduce_any(not_equal(ordered[1:], ordered[:-1]), 1))


def _groups_of(ordered: Any, order: Any, differs: Any) -> Groups:
    """The groups of what is sorted, told whether each differs from the one before."""
    is_first = concat([[True], differs], 0)[: size(order)]
    found = boolean_mask(ordered, is_first)
    return Groups(order, cumsum(wide(is_first)) - 1, found, wide(shape_of(found)[0]))
