"""`tf.sparse`: the same elements elsewhere. Reordered, reshaped, cut, put together."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from ...core import dtypes
from ...core.native_operations import FEW
from ...core.shapes import TensorShape
from ...core.specs import TensorSpec
from ...core.values import TensorLike
from ...errors import InvalidArgumentError, KnownShapeError
from ..array.concatenation import concat as concat_tensors
from ..array.concatenation import stack
from ..array.fill import fill, one_hot
from ..array.fill import range as numbers
from ..array.gather import gather, gather_densely
from ..array.indexed_slices import IndexedSlices
from ..array.scatter import tensor_scatter_nd_update
from ..array.select import boolean_mask, where
from ..array.shapes import reshape as reshape_tensor
from ..array.shapes import shape_of
from ..array.sorting import argsort
from ..bind import as_kind
from ..checks.assertions import Assert
from ..conversion import as_tensor, static_int, static_value
from ..dispatch.in_one_piece import in_one_piece
from ..dispatch.meanings import dispatchable
from ..families import Rephrased
from ..math.arithmetic import maximum, minimum
from ..math.comparison import equal, greater_equal, less
from ..math.reduce import reduce_all, reduce_max, reduce_prod, reduce_sum
from ..op import ANY, Attr, In, Out
from .agreement import require_alike_but_along, require_length, require_within
from .linear_indices import LAST, in_order, indices_of, like, parts_of, places_of, wide
from .sparse_tensor import SparseTensor, as_sparse

# Of a split that is compiled as a whole: its code grows with them, by 50 ms each.
MOST_PARTS = 8
ONE_MINUS_ONE = "Sizes to reshape to are not negative; one of them may be -1"


def reorder(sp_input: Any, name: str | None = None) -> SparseTensor:
    """The same elements, with their indices in row-major order.

    >>> sparse = tf.SparseTensor([[1, 0], [0, 1]], [7, 5], [2, 2])
    >>> tf.sparse.reorder(sparse).values.numpy()
    array([5, 7], dtype=int32)

    Raises:
        TypeError: `sp_input` is no sparse tensor.
    """
    return in_order(as_sparse(sp_input))


def transpose(sp_input: Any, perm: Any = None, name: str | None = None) -> SparseTensor:
    """With permuted axes (reversed by default), in row-major order.

    sp_input: sparse, any shape and dtype. perm: which of its axes each one of the result is.

    >>> sparse = tf.sparse.from_dense([[1, 0, 2], [0, 0, 3]])
    >>> tf.sparse.to_dense(tf.sparse.transpose(sparse)).numpy()
    array([[1, 0],
           [0, 0],
           [2, 3]], dtype=int32)

    Raises:
        ValueError: `perm` has not one entry for each axis.
    """
    sparse = as_sparse(sp_input)
    rank = sparse.shape.rank
    if perm is None:
        last = (shape_of(sparse.dense_shape)[0] if rank is None else rank) - 1
        perm = numbers(last, -1, -1)
    axes = as_tensor(perm)
    if rank is not None and axes.shape[0] not in (None, rank):
        raise KnownShapeError(f"Dimensions {axes.shape[0]} and {rank} are not compatible")
    indices = gather(sparse.indices, axes, axis=1)
    moved = SparseTensor.of_parts(indices, sparse.values, gather(sparse.dense_shape, axes))
    known = static_value(axes)
    if known is not None and rank is not None and ((known >= 0) & (known < rank)).all():
        moved.set_shape([sparse.shape[int(axis)] for axis in known])
    return in_order(moved)


@dispatchable
def reshape(sp_input: Any, shape: Any, name: str | None = None) -> SparseTensor:
    """The same elements in row-major order, counted in another shape; -1 is found out.

    >>> sparse = tf.sparse.from_dense([[1, 0, 2], [0, 0, 3]])
    >>> tf.sparse.to_dense(tf.sparse.reshape(sparse, [3, -1])).numpy()
    array([[1, 0],
           [2, 0],
           [0, 3]], dtype=int32)

    Raises:
        InvalidArgumentError: the shapes have different numbers of elements, or several sizes are
            below 0.
    """
    sparse = as_sparse(sp_input)
    wanted = wide(as_tensor(shape, None, dtypes.int64))
    known = static_value(wanted)
    if known is not None and ((known < -1).any() or (known == -1).sum() > 1):
        raise InvalidArgumentError(f"{ONE_MINUS_ONE}, got {known.tolist()}")
    is_known = False
    if known is not None and sparse.shape.is_fully_defined():
        is_known = True
        sizes = _resolved(sparse.shape, known.tolist())
        if sizes.tolist() == sparse.shape.as_list():
            return sparse
        wanted = as_tensor(sizes, dtypes.int64)
    if (
        found := in_one_piece(SparseReshape, sparse.indices, sparse.dense_shape, wanted)
    ) is not None:
        return SparseTensor.of_parts(found[0], sparse.values, found[1])
    if not is_known:
        if known is None:
            open_sizes = reduce_sum(wide(less(wanted, 0)))
            Assert(reduce_all(wanted >= -1) & (open_sizes <= 1), [ONE_MINUS_ONE, wanted])
        total = reduce_prod(sparse.dense_shape)
        rest = total // reduce_prod(where(less(wanted, 0), 1, wanted))
        wanted = where(less(wanted, 0), rest, wanted)
        message = "Input to reshape is a SparseTensor whose dense values do not fill the shape"
        Assert(equal(reduce_prod(wanted), total), [message])
    return _moved(sparse, indices_of(places_of(sparse.indices, sparse.dense_shape), wanted), wanted)


def _moved(sparse: SparseTensor, indices: Any, sizes: Any) -> SparseTensor:
    return SparseTensor.of_parts(indices, sparse.values, sizes)


def _resolved(shape: TensorShape, wanted: list[int]) -> np.ndarray[Any, Any]:
    total, given = shape.num_elements() or 0, 1
    for size in wanted:
        given *= 1 if size < 0 else size
    lead = f"Input to reshape is a SparseTensor with {total} dense values, but the requested shape"
    where_ = f"input_shape={shape.as_list()} output_shape={wanted}"
    if builtins.any(size < 0 for size in wanted):
        if given == 0 or total % given:
            raise InvalidArgumentError(f"{lead} requires a multiple of {given}. {where_}")
        return np.array([total // given if size < 0 else size for size in wanted], np.int64)
    if given != total:
        raise InvalidArgumentError(f"{lead} has {given}. {where_}")
    return np.array(wanted, np.int64)


def expand_dims(sp_input: Any, axis: Any = None, name: str | None = None) -> SparseTensor:
    """With one more axis, of size 1, before `axis` (the last one by default).

    sp_input: sparse, of any dtype. Axis -1 is behind all others.

    >>> sparse = tf.sparse.from_dense([[1, 0, 2]])
    >>> tf.sparse.expand_dims(sparse, 0).shape, tf.sparse.expand_dims(sparse).shape
    (TensorShape([1, 1, 3]), TensorShape([1, 3, 1]))

    Raises:
        InvalidArgumentError: there is no such axis.
    """
    sparse = as_sparse(sp_input)
    rank = sparse.shape.rank
    axis = -1 if axis is None else int(axis)
    if rank is None:
        return _expanded(sparse, _axis_when_run(sparse, axis, more=1))
    if not -rank - 1 <= axis <= rank:
        raise InvalidArgumentError(f"axis {axis} is not in [{-rank - 1}, {rank}]")
    axis %= rank + 1
    expanded = _expanded(sparse, axis)
    expanded.set_shape(sparse.shape[:axis].concatenate([1]).concatenate(sparse.shape[axis:]))
    return expanded


def _expanded(sparse: SparseTensor, axis: Any) -> SparseTensor:
    """With an axis of size 1 before `axis`."""
    column = wide(fill([_count(sparse), 1], 0))
    parts = [sparse.indices[:, :axis], column, sparse.indices[:, axis:]]
    sizes = [sparse.dense_shape[:axis], as_tensor([1], dtypes.int64), sparse.dense_shape[axis:]]
    return _moved(sparse, concat_tensors(parts, 1), concat_tensors(sizes, 0))


def _axis_when_run(sparse: SparseTensor, axis: Any, more: int = 0) -> Any:
    """An axis of a tensor of unknown rank, which gets so many more, from the front."""
    rank = wide(shape_of(sparse.dense_shape)[0]) + more
    Assert((axis >= -rank) & less(axis, rank), ["axis ", axis, " is not there: the rank is ", rank])
    return where(less(axis, 0), axis + rank, wide(axis))


def _count(sparse: SparseTensor) -> Any:
    """The number of elements that are there."""
    known = sparse.values.shape[0]
    return shape_of(sparse.values)[0] if known is None else known


def reset_shape(sp_input: Any, new_shape: Any = None) -> SparseTensor:
    """The same elements in a larger shape, or (by default) in the smallest that holds them.

    sp_input: sparse, of any dtype, which the result has.

    >>> sparse = tf.sparse.from_dense([[1, 2, 0], [0, 0, 0]])
    >>> tf.sparse.reset_shape(sparse).dense_shape.numpy()
    array([1, 2])
    >>> tf.sparse.reset_shape(sparse, [4, 4]).dense_shape.numpy()
    array([4, 4])

    Raises:
        ValueError: `new_shape` has another rank, or is smaller.
    """
    sparse = as_sparse(sp_input)
    if new_shape is None:
        # Without elements the largest index is the smallest number that there is.
        return _moved(sparse, sparse.indices, maximum(reduce_max(sparse.indices, 0), -1) + 1)
    sizes = wide(as_tensor(new_shape, None, dtypes.int64))
    rank = sparse.shape.rank
    if rank is not None and sizes.shape[0] not in (None, rank):
        raise KnownShapeError(f"Dimensions {sizes.shape[0]} and {rank} are not compatible")
    known = static_value(sizes)
    if known is not None and sparse.shape.is_fully_defined():
        pairs = zip(known, sparse.shape, strict=True)
        if builtins.any(new < old for new, old in pairs):
            raise KnownShapeError(
                f"the new shape {known.tolist()} has less room than the old one, "
                f"{sparse.shape.as_list()}"
            )
    else:
        fits = reduce_all(greater_equal(sizes, sparse.dense_shape))
        Assert(fits, ["the new shape has less room than the old one"])
    return _moved(sparse, sparse.indices, sizes)


def retain(sp_input: Any, to_retain: Any) -> SparseTensor:
    """Only the elements for which `to_retain` (bool, [n]) is true.

    sp_input: sparse, with n elements; the result has its shape.

    >>> sparse = tf.sparse.from_dense([5, 0, 6, 7])
    >>> tf.sparse.to_dense(tf.sparse.retain(sparse, [True, False, True])).numpy()
    array([5, 0, 0, 7], dtype=int32)

    Raises:
        ValueError: it has not one entry for each element.
    """
    sparse = as_sparse(sp_input)
    kept = as_tensor(to_retain)
    count = sparse.values.shape[0]
    if kept.shape.rank and None not in (count, kept.shape[0]) and count != kept.shape[0]:
        raise KnownShapeError(f"Dimensions {count} and {kept.shape[0]} are not compatible")
    return like(sparse, _kept(sparse, kept, sparse.dense_shape))


def _kept(sparse: SparseTensor, mask: Any, sizes: Any, indices: Any = None) -> SparseTensor:
    indices = sparse.indices if indices is None else indices
    mask = reshape_tensor(mask, [-1])
    found = boolean_mask(indices, mask)
    if sparse.shape.rank is not None:
        found = reshape_tensor(found, [-1, sparse.shape.rank])
    return SparseTensor.of_parts(found, boolean_mask(sparse.values, mask), sizes)


def mask(a: Any, mask_indices: Any, name: str | None = None) -> IndexedSlices:
    """IndexedSlices without the slices whose index is one of `mask_indices`.

    a: IndexedSlices. mask_indices: integers [n]. The slices that stay have their shape and dtype.

    >>> slices = tf.IndexedSlices(tf.constant([[1], [2], [3]]), tf.constant([4, 5, 6]))
    >>> kept = tf.sparse.mask(slices, [5])
    >>> kept.indices.numpy(), kept.values.numpy().tolist()
    (array([4, 6], dtype=int32), [[1], [3]])

    Raises:
        TypeError: `a` is something else.
    """
    if not isinstance(a, IndexedSlices):
        raise TypeError(f"Input must be IndexedSlices, got {a!r}.")
    indices = as_tensor(a.indices)
    hidden = as_tensor(mask_indices, indices.dtype)
    kept = reduce_all(reshape_tensor(indices, [-1, 1]) != hidden, 1)
    values, indices = boolean_mask(a.values, kept), boolean_mask(indices, kept)
    return IndexedSlices(values, indices, a.dense_shape)


def slice(sp_input: Any, start: Any, size: Any, name: str | None = None) -> SparseTensor:
    """The part of `size` that begins at `start`, cut off where the tensor ends.

    sp_input: sparse, with as many axes as `start` and `size` have entries.

    >>> sparse = tf.sparse.from_dense([[1, 0, 2], [0, 0, 3]])
    >>> tf.sparse.to_dense(tf.sparse.slice(sparse, [0, 1], [2, 9])).numpy()
    array([[0, 2],
           [0, 3]], dtype=int32)

    Raises:
        InvalidArgumentError: `start` or `size` has not one entry for each axis, or a size is below
            0.
    """
    sparse = as_sparse(sp_input)
    begin = wide(as_tensor(start, None, dtypes.int64))
    wanted = wide(as_tensor(size, None, dtypes.int64))
    require_length(begin, sparse, "start must have one entry for each axis: ")
    require_length(wanted, sparse, "size must have one entry for each axis: ")
    parts = sparse.indices, sparse.values, sparse.dense_shape
    if (found := in_one_piece(SparseSlice, *parts, begin, wanted)) is not None:
        return SparseTensor.of_parts(*found)
    Assert(reduce_all(wanted >= 0), ["size must not be negative: ", wanted])
    room = maximum(sparse.dense_shape - begin, 0)
    sizes = minimum(wanted, room)
    moved = sparse.indices - begin
    inside = reduce_all((moved >= 0) & less(moved, sizes), 1)
    return _kept(sparse, inside, sizes, moved)


def split(
    sp_input: Any = None, num_split: Any = None, axis: Any = None, name: str | None = None
) -> list[SparseTensor]:
    """`num_split` parts along `axis`; the first ones are larger by one where it does not divide.

    sp_input: sparse, of any dtype.

    >>> sparse = tf.sparse.from_dense([[1, 0, 2], [0, 0, 3]])
    >>> [tf.sparse.to_dense(one).numpy().tolist() for one in tf.sparse.split(sparse, 2, 1)]
    [[[1, 0], [0, 0]], [[2], [3]]]

    Raises:
        ValueError: an argument is missing.
        InvalidArgumentError: there is no such axis, or there are more parts than it is long.
    """
    if sp_input is None or num_split is None or axis is None:
        raise ValueError("sp_input, num_split and axis are required")
    sparse = as_sparse(sp_input)
    rank = sparse.shape.rank
    if rank is None or isinstance(axis, TensorLike):
        require_within(sparse)
        return _split_when_run(sparse, num_split, _axis_when_run(sparse, axis))
    if not -rank <= axis < rank:
        raise InvalidArgumentError(f"Axis {axis} is not in [{-rank}, {rank})")
    axis %= rank
    num_split = as_kind(int, num_split, "num_split")
    if num_split <= MOST_PARTS:
        parts = as_tensor(axis, dtypes.int64), sparse.indices, sparse.values, sparse.dense_shape
        if (found := in_one_piece(SparseSplit, *parts, num_split=num_split)) is not None:
            return [SparseTensor.of_parts(*found[k::num_split]) for k in builtins.range(num_split)]
    require_within(sparse)
    length = sparse.shape[axis]
    if length is None:
        return _split_when_run(sparse, num_split, axis)
    if not 0 < num_split <= length:
        raise InvalidArgumentError(
            f"Argument num_split ({num_split}) must be in the range [1, {length}]"
        )
    small, larger = divmod(length, num_split)
    counts = [small + (part < larger) for part in range(num_split)]
    starts = np.cumsum([0, *counts[:-1]])
    pairs = zip(starts.tolist(), counts, strict=True)
    return [_part(sparse, axis, start, count) for start, count in pairs]


def _split_when_run(sparse: SparseTensor, count: int, axis: Any) -> list[SparseTensor]:
    """The parts along an axis whose size only a run tells."""
    if count < 1:
        raise InvalidArgumentError(f"Argument num_split ({count}) must be above 0")
    length = sparse.dense_shape[axis]
    Assert(length >= count, ["Argument num_split is larger than the axis: ", count, length])
    small, larger = length // count, length % count
    return [
        _part(sparse, axis, small * k + minimum(larger, k), small + wide(less(k, larger)))
        for k in builtins.range(count)
    ]


def _part(sparse: SparseTensor, axis: Any, start: Any, count: Any) -> SparseTensor:
    unit = _unit(sparse, axis)
    return slice(sparse, unit * start, where(equal(unit, 1), wide(count), sparse.dense_shape))


def _unit(sparse: SparseTensor, axis: Any) -> Any:
    """1 at an axis, 0 at all others: int64 [rank]."""
    rank = sparse.shape.rank
    count = shape_of(sparse.dense_shape)[0] if rank is None else rank
    return one_hot(axis, count, dtype=dtypes.int64)


def concat(
    axis: Any,
    sp_inputs: Any,
    expand_nonconcat_dims: bool = False,
    name: str | None = None,
) -> SparseTensor:
    """Sparse tensors one after another along `axis`, in row-major order.

    sp_inputs: a list, of one rank and dtype.

    >>> a, b = tf.sparse.from_dense([[1, 0], [0, 2]]), tf.sparse.from_dense([[0], [3]])
    >>> tf.sparse.to_dense(tf.sparse.concat(1, [a, b])).numpy()
    array([[1, 0, 0],
           [0, 2, 3]], dtype=int32)

    Raises:
        InvalidArgumentError: other axes differ (unless `expand_nonconcat_dims`: then the largest
            counts), or there is no such axis.
    """
    listed = [as_sparse(one) for one in _as_list(sp_inputs)]
    if len(listed) == 1:
        return listed[0]
    known = next((one for one in listed if one.shape.rank is not None), listed[0])
    rank = known.shape.rank
    if rank is None:
        place = _axis_when_run(known, axis)
    else:
        ranks = [one.shape.rank for one in listed]
        if not {rank, None}.issuperset(ranks):
            raise InvalidArgumentError(f"concat: all tensors must have the same rank, not {ranks}")
        if not -rank <= axis < rank:
            raise InvalidArgumentError(f"Concat dimension must be in range [{-rank}, {rank})")
        place = axis % rank
    unit = _unit(known, place)
    if not expand_nonconcat_dims:
        require_alike_but_along(unit, listed)
    shapes = stack([one.dense_shape for one in listed])
    starts, at = [], as_tensor(0, dtypes.int64)
    for one in listed:
        starts.append(at)
        at = at + reduce_sum(one.dense_shape * unit)
    pairs = zip(listed, starts, strict=True)
    indices = concat_tensors([one.indices + unit * start for one, start in pairs], 0)
    values = concat_tensors([one.values for one in listed], 0)
    sizes = reduce_max(shapes, 0) * (1 - unit) + unit * at
    joined = SparseTensor.of_parts(indices, values, sizes)
    if rank is not None:
        joined.set_shape(_joined_shape(listed, place, rank))
    return in_order(joined)


def _as_list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, (list, tuple)) else [value]


def _joined_shape(listed: Sequence[SparseTensor], axis: int, rank: int) -> TensorShape:
    shapes = [one.shape.with_rank(rank).as_list() for one in listed]
    sizes: list[int | None] = []
    for k, column in enumerate(zip(*shapes, strict=True)):
        known = [size for size in column if size is not None]
        if len(known) < len(column):
            sizes.append(None)
        else:
            sizes.append(sum(known) if k == axis else max(known))
    return TensorShape(sizes)


def fill_empty_rows(
    sp_input: Any, default_value: Any, name: str | None = None
) -> tuple[SparseTensor, Any]:
    """With `default_value` at column 0 of every row that has no element, and which those are.

    sp_input: sparse, [n, ...], with its indices in row-major order. The second result is bool [n].

    >>> sparse = tf.sparse.from_dense([[1, 2], [0, 0], [0, 3]])
    >>> filled, empty = tf.sparse.fill_empty_rows(sparse, -1)
    >>> filled.values.numpy(), empty.numpy()
    (array([ 1,  2, -1,  3], dtype=int32), array([False,  True, False]))

    Raises:
        TypeError: the default has another dtype.
    """
    sparse = as_sparse(sp_input)
    parts = sparse.indices, sparse.values, sparse.dense_shape
    default = as_tensor(default_value, sparse.dtype)
    if (found := in_one_piece(SparseFillEmptyRows, *parts, default)) is not None:
        indices, values, empty, _ = found
        return SparseTensor.of_parts(indices, values, sparse.dense_shape), empty
    made, empty, _ = filled_rows(sparse, default)
    return made, empty


def filled_rows(sparse: SparseTensor, default_value: Any) -> tuple[SparseTensor, Any, Any]:
    """The same, and which of the elements, and then of the defaults, comes first."""
    default = as_tensor(default_value, sparse.dtype)
    rows = sparse.dense_shape[0]
    filled = fill(reshape_tensor(rows, [1]), as_tensor(True))
    present = sparse.indices[:, :1]
    empty = tensor_scatter_nd_update(filled, present, fill([_count(sparse)], as_tensor(False)))
    lacking = reshape_tensor(where(empty), [-1, 1])
    rank = sparse.shape.rank
    width = shape_of(sparse.indices)[1] if rank is None else rank
    zeros = wide(fill([_size(lacking), width - 1], 0))
    indices = concat_tensors([sparse.indices, concat_tensors([lacking, zeros], 1)], 0)
    values = concat_tensors([sparse.values, fill([_size(lacking)], default)], 0)
    order = argsort(indices[:, 0], stable=True)
    made = SparseTensor.of_parts(
        gather(indices, order), gather_densely(values, order), sparse.dense_shape
    )
    return like(sparse, made), empty, order


def _size(column: Any) -> Any:
    return shape_of(column)[0]


# ---------------------------------------------------------------- operations on components


class SparseReshape(Rephrased):
    """Indices in another shape, of which one size may be -1; and that shape."""

    input_indices = In("i64 n r")
    input_shape = In("i64 r")
    new_shape = In("i64 s")
    output_indices = Out("i64 n s")
    output_shape = Out("i64 s")
    differentiable = False
    native_from = FEW
    native_axes = MappingProxyType({"input_indices": LAST})

    def expand(self) -> tuple[Any, Any]:
        places = reduce_sum(self.input_indices, 1)  # any: nobody reads them
        sparse = SparseTensor.of_parts(self.input_indices, places, self.input_shape)
        indices, _, shape = parts_of(reshape(sparse, self.new_shape))
        return indices, shape


class SparseSlice(Rephrased):
    """The elements in a part of the whole."""

    indices = In("i64 n r")
    values = In("T n")
    shape = In("i64 r")
    start = In("i64 r")
    size = In("i64 r")
    output_indices = Out("i64 m r")
    output_values = Out("T m")
    output_shape = Out("i64 r")
    T = ANY
    native_from = FEW
    native_axes = MappingProxyType({"indices": LAST})

    def expand(self) -> tuple[Any, ...]:
        sparse = SparseTensor.of_parts(self.indices, self.values, self.shape)
        return parts_of(slice(sparse, self.start, self.size))


class SparseSplit(Rephrased):
    """Parts of about one length along an axis: their indices, their values, their shapes."""

    split_dim = In("i64")
    indices = In("i64 n r")
    values = In("T n")
    shape = In("i64 r")
    output_indices = Out("num_split * i64 ...")
    output_values = Out("num_split * T ...")
    output_shape = Out("num_split * i64 ...")
    num_split = Attr(int)
    T = ANY
    native_from = FEW
    native_axes = MappingProxyType({"indices": LAST})

    def infer(self) -> tuple[Any, ...]:
        rank = self.indices.shape.entries[1] if self.indices.shape.entries else None
        kinds = (
            TensorSpec((None, rank), dtypes.int64), TensorSpec((None,), self.values.dtype),
            TensorSpec((rank,), dtypes.int64),
        )  # fmt: skip
        return tuple([kind for kind in kinds for _ in builtins.range(self.num_split)])

    def expand(self) -> tuple[Any, ...]:
        axis = static_int(self.split_dim)
        axis = reshape_tensor(self.split_dim, []) if axis is None else axis
        sparse = SparseTensor.of_parts(self.indices, self.values, self.shape)
        parts = map(parts_of, split(sparse, self.num_split, axis))
        return tuple([one for kind in zip(*parts, strict=True) for one in kind])


class SparseFillEmptyRows(Rephrased):
    """With a default in each row that is empty; which these are, and where each element is now."""

    indices = In("i64 n r")
    values = In("T n")
    dense_shape = In("i64 r")
    default_value = In("T")
    output_indices = Out("i64 m r")
    output_values = Out("T m")
    empty_row_indicator = Out("bool rows")
    reverse_index_map = Out("i64 n")
    T = ANY
    native_from = FEW
    native_axes = MappingProxyType({"indices": LAST})

    def expand(self) -> tuple[Any, ...]:
        sparse = SparseTensor.of_parts(self.indices, self.values, self.dense_shape)
        made, empty, order = filled_rows(sparse, self.default_value)
        places = wide(argsort(order))[: shape_of(self.indices)[0]]
        return made.indices, made.values, empty, places
