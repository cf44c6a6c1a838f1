"""Slices dealt out to several tensors and put together again; parts of sequences turned round."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Any

import numpy as numpy_module

from ...core import dtypes
from ...core.dtypes import as_dtype
from ...core.native_operations import MANY
from ...core.shapes import TensorShape
from ...core.specs import TensorSpec
from ...errors import ChoiceError, InvalidArgumentError, RowKeyError, ShapeMismatchError
from ..bind import as_kind, bind
from ..conversion import as_tensor
from ..demands import UNKNOWN, dims
from ..dispatch.meanings import dispatchable
from ..lowering import NotStatic
from ..op import ANY, INDEX, Attr, In, Moves, Op, Out, as_eager, floats, types
from ..sizes import scalar
from .fill import range as range_tensor
from .gather import gather
from .shapes import reshape, shape_of


class DynamicPartition(Op):
    """The slices of `data` dealt out: partitions[i, ...] says to which tensor data[i, ...] goes.

    Raises:
        InvalidArgumentError: there is no such tensor.
    """

    native_from = MANY

    moves = Moves.ELEMENTS
    data = In("T ...")
    partitions = In("i32 ...")
    outputs_ = Out("num_partitions * T ...")
    num_partitions = Attr(int)
    T = ANY

    def demands(self, sizes: Any) -> None:
        data, places, count = (
            sizes.shape(self.data),
            sizes.shape(self.partitions),
            self.num_partitions,
        )
        sizes.alike(data[: len(places)], places, ShapeMismatchError, UNLIKE_PARTS, data)
        sizes.each(
            self.partitions, lambda place: (place >= 0) & (place < count), InvalidArgumentError,
            "partitions{at} = {it} is not in [0, {})", count,
        )  # fmt: skip

    def infer(self) -> Any:
        data, places = self.data.shape.entries, self.partitions.shape.entries
        shape = None if data is None or places is None else (None, *data[len(places) :])
        return (TensorSpec(shape, self.data.dtype),) * self.num_partitions

    def eager(self, np: Any) -> Any:
        places, count = self.partitions, self.num_partitions
        return tuple(self.data[places == k] for k in range(count))

    def xla(self, xla: Any) -> Any:
        places = xla.constant_of(self.partitions, "which slice goes where")
        return tuple([self.data[places == k] for k in range(self.num_partitions)])

    def lower(self, loops: Any) -> Any:
        """The slices in the order of their tensors, found by counting; each has a stretch of it."""
        rows, inner = loops.count(self.partitions.shape), self.data.shape[self.partitions.rank :]
        slices = loops.kept(loops.reshape(self.data, (rows, *inner)))
        dealt = loops.memory((rows, *inner), self.data.dtype)

        def put(row: Any, place: Any) -> None:
            loops.for_each(
                inner, lambda *rest: loops.put(dealt, (place, *rest), slices[(row, *rest)])
            )

        sizes, begins = _dealt(loops, self.partitions, self.num_partitions, put)

        def tensor(k: int) -> Any:
            begin = loops.held(begins[(k,)])
            shape = (loops.held(sizes[(k,)]), *inner)
            return loops.view(shape, self.data.dtype, lambda i, *rest: dealt[(begin + i, *rest)])

        return tuple(map(tensor, range(self.num_partitions)))

    def vjp(self, *doutputs: Any) -> Any:
        from ..math.reduce import reduce_prod

        sizes_here = shape_of(self.partitions)
        numbers = reshape(range_tensor(reduce_prod(sizes_here)), sizes_here)
        dealt = dynamic_partition(numbers, self.partitions, self.num_partitions)
        return reshape(dynamic_stitch(dealt, list(doutputs)), shape_of(self.data)), None


def _dealt(loops: Any, partitions: Any, count: int, put: Callable[..., None]) -> tuple[Any, Any]:
    """How many slices each tensor gets, and where its own begin in the order of all, in which
    `put(row, place)` puts them one after the other.
    """
    rows, long = loops.count(partitions.shape), dtypes.int64
    flat = loops.kept(loops.reshape(partitions, (rows,)))
    one, nothing = loops.constant(1, long), loops.memory((count,), long)

    def part(row: Any) -> Any:
        return loops.scalars.cast(flat[(row,)], long)

    sizes = loops.kept(
        loops.scatter("add", nothing, (rows,), lambda row: (part(row),), lambda _: one)
    )
    begins = loops.kept(loops.scan("sum", sizes, 0, exclusive=True, reverse=False))
    following = loops.memory((count,), long)
    loops.for_each((count,), lambda k: loops.put(following, (k,), begins[(k,)]))

    def place(row: Any) -> None:
        here = loops.held(following[(part(row),)])
        put(row, here)
        loops.put(following, (part(row),), here + 1)

    loops.for_each((rows,), place, in_order=True)
    return sizes, begins


UNLIKE_PARTS = (
    "DynamicPartition: data.shape must start with partitions.shape, got data.shape = {0}, "
    "partitions.shape = {2}"
)


@dispatchable
def dynamic_partition(
    data: Any, partitions: Any, num_partitions: int, name: str | None = None
) -> list[Any]:
    """The slices data[i, ...] dealt out to `num_partitions` tensors, as partitions[i, ...] says.

    partitions: int32, of the first axes of data, which has any dtype. The results, a list, have one
    axis in the place of these, whose sizes add up to the number of slices.

    >>> [one.numpy().tolist() for one in tf.dynamic_partition([10, 20, 30], [1, 0, 1], 2)]
    [[20], [10, 30]]

    Raises:
        InvalidArgumentError: there is no such tensor; also a ValueError where shapes do not fit, or
            `num_partitions` is below 1.
    """
    if num_partitions < 1:
        raise ChoiceError(f"num_partitions must be at least 1, not {num_partitions}")
    return list(bind(DynamicPartition, data, partitions, num_partitions=num_partitions, name=name))


class DynamicStitch(Op):
    """merged[indices[k][i, ...]] = data[k][i, ...], where later ones win; 0 elsewhere.

    Raises:
        InvalidArgumentError: a negative index, or shapes that do not fit.
    """

    indices = In("N * i32 ...")
    data = In("N * T ...")
    merged = Out("T ...")
    T = ANY

    def demands(self, sizes: Any) -> None:
        inner = None
        for places, values in zip(self.indices, self.data, strict=True):
            sizes.each(places, lambda one: one >= 0, InvalidArgumentError, NEGATIVE_PLACE)
            if sizes.rank(places) is UNKNOWN or sizes.rank(values) is UNKNOWN:
                continue
            outer, given = sizes.shape(places), sizes.shape(values)
            rest = given[len(outer) :]
            sizes.alike(given[: len(outer)], outer, ShapeMismatchError, UNLIKE_PLACES)
            sizes.alike(rest if inner is None else inner, rest, ShapeMismatchError, UNLIKE_PLACES)
            inner = rest

    def infer(self) -> TensorSpec:
        inner = TensorShape(None)
        for places, values in zip(self.indices, self.data, strict=True):
            if places.rank is not None and values.shape.entries is not None:
                inner = inner.merge_with(values.shape.entries[places.rank :])
        count, known = None, [places.value for places in self.indices]
        if all(value is not None for value in known):
            count = 1 + max((int(value.max(initial=-1)) for value in known), default=-1)
        shape = None if inner.entries is None else (count, *inner.entries)
        return TensorSpec(shape, self.data[0].dtype)

    def eager(self, np: Any) -> Any:
        count = 1 + max((int(places.max(initial=-1)) for places in self.indices), default=-1)
        inner = self.data[0].shape[self.indices[0].ndim :]
        merged = np.zeros((count, *inner), self.data[0].dtype)
        if merged.dtype.kind == "O":
            merged[...] = b""
        for places, values in zip(self.indices, self.data, strict=True):
            merged[places, ...] = values  # "...": of an array of one string, its element is put in
        return merged

    def xla(self, xla: Any) -> Any:
        np, numpy = xla.np, numpy_module
        known = [xla.constant_of(one, "the largest index").reshape(-1) for one in self.indices]
        inner = self.data[0].shape[self.indices[0].ndim :]
        rows = [data.reshape(-1, *inner) for data in self.data]
        places = numpy.concatenate(known)
        source = numpy.full(1 + int(places.max(initial=-1)), -1)
        source[places] = numpy.arange(len(places))  # of equal ones the last
        taken = np.concatenate(rows)[source]
        there = (source >= 0).reshape(-1, *[1] * len(inner))
        return np.where(there, taken, np.zeros((), taken.dtype))

    def lower(self, loops: Any) -> Any:
        s, long = loops.scalars, dtypes.int64
        count, inner = self.longest(loops), self.data[0].shape[self.indices[0].rank :]
        merged = loops.memory((count, *inner), self.data[0].dtype)
        for places, values in zip(map(loops.kept, self.indices), self.data, strict=True):

            def put(*index: Any, places: Any = places, values: Any = values) -> None:
                place = s.cast(places[index[: places.rank]], long)
                loops.put(merged, (place, *index[places.rank :]), values[index])

            loops.for_each(values.shape, put, in_order=True)
        return merged

    def longest(self, loops: Any) -> Any:
        """How many slices the largest index demands."""
        try:
            known = [numpy_module.asarray(loops.static(places)) for places in self.indices]
            return 1 + max((int(one.max(initial=-1)) for one in known), default=-1)
        except NotStatic:
            largest = [
                loops.reduce(
                    "max", (), places.shape, dtypes.int32, lambda _, at, x=places: x[tuple(at)]
                )
                for places in map(loops.kept, self.indices)
            ]
        last: Any = loops.constant(-1, dtypes.int64)
        for one in largest:
            last = loops.scalars.maximum(last, loops.scalars.cast(one[()], dtypes.int64))
        return loops.held(last + 1)

    def vjp(self, dmerged: Any) -> Any:
        dense = as_tensor(dmerged)
        return [None] * len(self.indices), [gather(dense, places) for places in self.indices]


NEGATIVE_PLACE = "indices{at} = {it} is out of range"
UNLIKE_PLACES = (
    "DynamicStitch: data[k].shape must start with indices[k].shape and go on alike: {} and {}"
)


@dispatchable
def dynamic_stitch(indices: Any, data: Any, name: str | None = None) -> Any:
    """merged[indices[k][i, ...]] = data[k][i, ...], where later ones win; 0 elsewhere.

    indices: a list of int32 tensors. data: as many tensors of one dtype (any); data[k].shape is
    indices[k].shape followed by the same sizes for all k. merged: one axis as long as the largest
    index demands, and those sizes.

    >>> tf.dynamic_stitch([[0, 3], [1]], [[10, 30], [20]]).numpy()
    array([10, 20,  0, 30], dtype=int32)

    Raises:
        InvalidArgumentError: a negative index, or shapes that do not fit.
        ValueError: there are not as many indices as data.
        IndexError: there are none.
    """
    places = [as_tensor(one, dtypes.int32) for one in indices]
    if not places:
        raise RowKeyError("dynamic_stitch: `indices` must have a tensor at least, got none")
    return bind(DynamicStitch, places, list(data), name=name)


class ReverseSequence(Op):
    """The first seq_lengths[b] elements along `seq_dim` in reverse order, for each b of
    `batch_dim`.

    Raises:
        InvalidArgumentError: a length is negative or beyond the size.
    """

    native_from = MANY

    input = In("T ...")
    seq_lengths = In("Tlen n")
    output = Out("T ...")
    seq_dim = Attr(int)
    batch_dim = Attr(0)
    T = ANY
    Tlen = INDEX
    xla = as_eager

    def demands(self, sizes: Any) -> tuple[int, int]:
        """The axes of sequences and of batches, from the front."""
        lengths = sizes.shape(self.seq_lengths, 1)
        sizes.require(len(lengths) == 1, ShapeMismatchError, NO_VECTOR, len(lengths))
        shape, seq, batch = sizes.shape(self.input), self.seq_dim, self.batch_dim
        rank = len(shape)
        for axis in (seq, batch):
            sizes.require(-rank <= axis < rank, InvalidArgumentError, NO_AXES, seq, batch, rank)
        seq, batch = seq % rank, batch % rank
        sizes.require_late(seq != batch, InvalidArgumentError, "batch_dim == seq_dim == {}", seq)
        count, size = lengths[0], shape[batch]
        fits = sizes.equal(count, size)
        sizes.require(fits, ShapeMismatchError, COUNT, self.batch_dim, count, size)
        longest = shape[seq]
        sizes.each(
            self.seq_lengths, lambda one: (one >= 0) & (one <= longest), InvalidArgumentError,
            LENGTH, seq,
        )  # fmt: skip
        return seq, batch

    def infer(self) -> TensorSpec:
        return TensorSpec(self.input.shape, self.input.dtype)

    def eager(self, np: Any) -> Any:
        x, lengths, (seq, batch) = self.input, self.seq_lengths, self.found
        places = np.arange(x.shape[seq])
        turned = np.where(places < lengths[:, None], lengths[:, None] - 1 - places, places)
        shape = [1] * x.ndim
        shape[batch], shape[seq] = turned.shape
        indices = (turned if batch < seq else turned.T).reshape(shape)
        return np.take_along_axis(x, indices, seq)

    def lower(self, loops: Any) -> Any:
        x, lengths, s = self.input, self.seq_lengths, loops.scalars
        seq, batch = self.found

        def element(*index: Any) -> Any:
            length, place = s.cast(lengths[(index[batch],)], dtypes.int64), index[seq]
            turned = s.where(length > place, length - 1 - place, scalar(loops, place))
            return x[[*index[:seq], turned, *index[seq + 1 :]]]

        return loops.view(x.shape, x.dtype, element)

    def vjp(self, doutput: Any) -> Any:
        return bind(
            ReverseSequence, doutput, self.seq_lengths, seq_dim=self.seq_dim,
            batch_dim=self.batch_dim,
        ), None  # fmt: skip


COUNT = "Length of seq_lengths != input.dims({}), ({} vs. {})"
LENGTH = "seq_lens{at} = {it} < 0 or > input.dims({})"
NO_VECTOR = "ReverseSequence: seq_lens input must be 1-dim (rank 1), not {}"
NO_AXES = "ReverseSequence: seq_dim and batch_dim must be < input rank: {}, {} vs. {}"


@dispatchable
def reverse_sequence(
    input: Any,
    seq_lengths: Any,
    seq_axis: int | None = None,
    batch_axis: int | None = None,
    name: str | None = None,
) -> Any:
    """The first seq_lengths[b] elements along `seq_axis` in reverse order, for each b along
    `batch_axis` (both 0 by default, of which one must be said otherwise).

    input: any dtype and shape. seq_lengths: int32 or int64, as many as the batch axis has.

    >>> tf.reverse_sequence([[1, 2, 3], [4, 5, 6]], [2, 3], seq_axis=1).numpy()
    array([[2, 1, 3],
           [6, 5, 4]], dtype=int32)

    Raises:
        InvalidArgumentError: a length is negative or beyond the size; the axes are the same.
    """
    return bind(
        ReverseSequence, input, seq_lengths, seq_dim=seq_axis or 0, batch_dim=batch_axis or 0,
        name=name,
    )  # fmt: skip


# ---------------------------------------------------------------- histograms


class HistogramFixedWidth(Op):
    """How many values fall into each of `nbins` bins of equal width; what lies outside counts for
    the first or the last one.
    """

    native_from = MANY
    native_axes = MappingProxyType({"value_range": slice(None)})

    values = In("T ...")
    value_range = In("T 2")
    nbins = In("i32")
    out = Out("dtype k")
    dtype = Attr(dtypes.int32, INDEX)
    T = types("i32 i64 f32 f64")
    differentiable = False

    def demands(self, sizes: Any) -> Any:
        """How many bins there are."""
        (count,) = sizes.numbers(self.nbins)
        sizes.require(count > 0, InvalidArgumentError, NO_BINS, count)
        sizes.each_row(
            self.value_range, lambda row: row[0] < row[1], InvalidArgumentError, NO_RANGE
        )
        sizes.each(self.values, lambda value: value == value, InvalidArgumentError, NO_NUMBER)
        return count

    def infer(self) -> TensorSpec:
        return TensorSpec(dims((self.found,)), self.dtype)

    def eager(self, np: Any) -> Any:
        (low, high), count = self.value_range, self.found
        width = (np.float64(high) - np.float64(low)) / count
        clipped = np.clip((self.values.reshape(-1) - np.float64(low)) / width, 0, count - 1)
        found = np.bincount(clipped.astype(np.int64), minlength=count)
        return found.astype(self.dtype.storage)

    def xla(self, xla: Any) -> Any:
        np, count = xla.np, xla.fixed(self.found, "the number of bins")
        low, high = self.value_range.astype(np.float64)
        width = (high - low) / count
        clipped = np.clip((self.values.reshape(-1) - low) / width, 0, count - 1)
        found = np.bincount(clipped.astype(np.int64), length=count)
        return found.astype(self.dtype.storage)

    def lower(self, loops: Any) -> Any:
        s, count, wide = loops.scalars, scalar(loops, self.found), dtypes.float64
        x = loops.reshape(self.values, (loops.count(self.values.shape),))
        low, high = (s.cast(self.value_range[(k,)], wide) for k in (0, 1))
        width = loops.held((high - low) / s.cast(count, wide))
        last, one = s.cast(count - 1, wide), loops.constant(1, self.dtype)

        def place(*index: Any) -> Any:
            part = (s.cast(x[index], wide) - low) / width
            inside = s.minimum(s.maximum(part, s.constant(0, part)), last)
            return s.cast(inside, dtypes.int32)

        places = loops.kept(loops.view(x.shape, dtypes.int32, place))  # by vectors, counting is not
        nothing = loops.memory((self.found,), self.dtype)
        return loops.scatter("add", nothing, x.shape, lambda k: (places[(k,)],), lambda *_: one)


NO_BINS = "nbins should be a positive number, but got '{}'"
NO_NUMBER = "values{at} = nan belongs to no bin"
NO_RANGE = "value_range should satisfy value_range[0] < value_range[1], but got '{it}'"


@dispatchable
def histogram_fixed_width(
    values: Any, value_range: Any, nbins: Any = 100, dtype: Any = dtypes.int32,
    name: str | None = None,
) -> Any:  # fmt: skip
    """How many values fall into each of `nbins` bins of equal width between value_range[0] and
    value_range[1]; what lies outside counts for the first or the last bin.

    values: int32, int64, float32 or float64 of any shape. The result has the shape [nbins] and the
    dtype `dtype`, int32 or int64.

    >>> tf.histogram_fixed_width([-1.0, 0.0, 2.5, 9.0], [0.0, 5.0], nbins=5).numpy()
    array([2, 0, 1, 0, 1], dtype=int32)

    Raises:
        InvalidArgumentError: an empty range, or no bins.
    """
    x = as_tensor(values)
    bounds = as_tensor(value_range, x.dtype)
    kind = None if dtype is None else as_dtype(dtype)
    return bind(HistogramFixedWidth, x, bounds, nbins, dtype=kind, name=name)


@dispatchable
def histogram_fixed_width_bins(
    values: Any, value_range: Any, nbins: Any = 100, dtype: Any = dtypes.int32,
    name: str | None = None,
) -> Any:  # fmt: skip
    """The bin of each value, as in `histogram_fixed_width`: int32 in the shape of `values`.

    The range is not checked here, nor is `dtype` looked at, as in TensorFlow.

    >>> tf.histogram_fixed_width_bins([-1.0, 0.0, 2.5, 9.0], [0.0, 5.0], nbins=5).numpy()
    array([0, 0, 2, 4], dtype=int32)

    Raises:
        InvalidArgumentError: there are no bins.
    """
    from ..checks.assertions import assert_positive
    from ..math.cast import cast
    from ..math.division import truediv
    from ..math.elementwise import floor
    from ..math.norms import clip_by_value

    x = as_tensor(values)
    bounds = as_tensor(value_range, x.dtype)
    part = truediv(x - bounds[0], bounds[1] - bounds[0])
    bins = as_tensor(nbins, dtypes.int32)
    assert_positive(bins, message="nbins must be positive")
    wide = cast(bins, part.dtype)
    near = clip_by_value(floor(wide * part), 0, wide - 1)  # what no int32 holds is in a bin, too
    return clip_by_value(cast(near, dtypes.int32), 0, bins - 1)


class Bucketize(Op):
    """How many of the boundaries, which ascend, are not above each number: all of them for NaN."""

    input = In("T *s")
    output = Out("i32 *s")
    boundaries = Attr(floats)
    T = types("i32 i64 f32 f64")
    differentiable = False
    xla = as_eager

    def demands(self, sizes: Any) -> Any:
        """The boundaries."""
        each = [as_kind(float, one, "boundaries") for one in self.boundaries]
        bounds = numpy_module.asarray(each, numpy_module.float32)
        is_sorted = not (numpy_module.diff(bounds) < 0).any()
        sizes.require_late(is_sorted, InvalidArgumentError, "Expected sorted boundaries")
        return bounds

    def eager(self, np: Any) -> Any:
        return np.searchsorted(self.found, self.input, "right").astype(np.int32)

    def lower(self, loops: Any) -> Any:
        x, s, bounds = self.input, loops.scalars, self.found
        if not len(bounds):
            return loops.map(x.shape, dtypes.int32, lambda *_: loops.constant(0, dtypes.int32))
        table = loops.literal_array(bounds, dtypes.float32)
        wide = dtypes.float64 if x.dtype.size == 8 else dtypes.float32

        def is_below(place: Any, *index: Any) -> Any:
            return ~(s.cast(x[index], wide) < s.cast(table[(place,)], wide))

        return loops.search(len(bounds), x, dtypes.int32, is_below)
