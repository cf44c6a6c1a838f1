"""The distinct elements of a vector, or slices of a tensor, in the order of their first places."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ...core import dtypes
from ...core.dtypes import as_dtype
from ...core.native_operations import SLOW, SOME
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError
from ..bind import bind
from ..dispatch.meanings import dispatchable
from ..lowering import NotStatic
from ..op import ANY, INDEX, Attr, In, Op, Out
from ..sizes import choose, scalar
from ..underivable import no_derivative

Array = np.ndarray[Any, Any]
# Called as TensorFlow calls them, which is also the name of the operation.
UniqueResult = namedtuple("Unique", "y idx")
UniqueWithCountsResult = namedtuple("UniqueWithCounts", "y idx count")


def places_of_keys(keys: Iterable[Any]) -> Array:
    """For every key the number of keys that came before the first one like it."""
    numbers: dict[Any, int] = {}
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], np.int64)


def spans_little(x: Array) -> bool:
    """Whether a table of all integers between those of a vector is not much longer than it."""
    return bool(x.size) and int(x.max()) - int(x.min()) <= 4 * x.size


def places_of_integers(x: Array) -> Array:
    """`places_of_keys` by such a table."""
    offsets = (x.astype(np.uint64) - x.min().astype(np.uint64)).astype(np.intp)  # may wrap
    numbers = np.arange(len(x))
    first = np.full(offsets.max() + 1, len(x))
    np.minimum.at(first, offsets, numbers)
    is_first = first[offsets] == numbers
    rank = np.empty_like(first)
    rank[offsets[is_first]] = np.arange(np.count_nonzero(is_first))
    return rank[offsets]


def first_places(places: Array) -> Array:
    """Where each of `places_of_keys` occurs first: where there is a new largest one."""
    return np.flatnonzero(np.diff(np.maximum.accumulate(places), prepend=-1))


class Distinct(Op, abstract=True):
    """The distinct elements of a vector."""

    x = In("T n")
    out_idx = Attr(dtypes.int32, INDEX)
    T = ANY
    vjp = no_derivative

    def found(self, np: Any) -> tuple[Any, Any, Any]:
        if self.x.ndim != 1:
            raise InvalidArgumentError(f"{self.name}: unique expects a 1D vector.")
        is_dense = self.x.dtype.kind in "iu" and spans_little(self.x)
        places = places_of_integers(self.x) if is_dense else places_of_keys(self.x.tolist())
        return (
            self.x[first_places(places)],
            places.astype(self.out_idx.storage),
            np.bincount(places),
        )

    def on_spans(self) -> Any:
        from ..strings.spans.distinct import distinct  # which only compiled functions need
        from ..strings.spans.spans import Spans

        if not isinstance(self.x, Spans) or self.x.shape.rank != 1:
            return NotImplemented
        return distinct(self.x, self.out_idx)[: len(self.outputs)]

    def distinct(self, loops: Any, counted: bool) -> tuple[Any, ...]:
        """The same in compiled code, by a table of which at most half is taken: one after another,
        each element looks where its bits send it, then behind that. No NaN equals another.
        """
        s, long, x = loops.scalars, dtypes.int64, loops.kept(self.x)
        zero, size = loops.constant(0, long), scalar(loops, x.shape[0])
        table, room, shift = table_for(loops, size)
        y, idx = (loops.memory(x.shape, dtype) for dtype in (x.dtype, self.out_idx))
        counts = loops.memory(x.shape if counted else (1,), self.out_idx)

        def numbered(place: Any, known: Any) -> tuple[Any, Any]:
            value = loops.held(x[(place,)])
            never = is_nan(loops, value)

            def is_other(slot: Any) -> Any:
                entry = loops.held(table[(slot,)])
                other = y[(s.maximum(entry - 1, zero),)] != value
                return (entry > zero) & other & s.logical_not(never)

            first = s.cast(s.right_shift(spread_bits(loops, value), shift), long)
            (slot,) = loops.repeat((first,), is_other, lambda slot: ((slot + 1) & (room - 1),))
            entry = loops.held(table[(slot,)])
            is_new = loops.held((entry == zero) | never)
            number = loops.held(s.where(is_new, known, entry - 1))
            loops.put(table, (slot,), s.where(never, entry, number + 1))
            loops.put(y, (number,), value)
            loops.put(idx, (place,), s.cast(number, self.out_idx))
            if counted:
                loops.put(counts, (number,), counts[(number,)] + loops.constant(1, self.out_idx))
            return place + 1, known + s.cast(is_new, long)

        _, known = loops.repeat((zero, zero), lambda place, _: place < size, numbered)

        def beginning(of: Any) -> Any:
            return loops.view((known,), of.dtype, lambda place: of[(place,)])

        return beginning(y), idx, *([beginning(counts)] if counted else [])


def table_for(loops: Any, size: Any) -> tuple[Any, Any, Any]:
    """A table at least twice as long as `size`, a power of two: zeros, that is nothing, where else
    the number of a distinct element, and 1. Its length, and by how much hashes are shifted to it.
    """
    one = loops.constant(1, dtypes.int64)
    room, shift = loops.repeat(
        (one + 1, one * 63), lambda room, _: room < size * 2, lambda room, k: (room * 2, k - 1)
    )
    table = loops.memory((room,), dtypes.int64)
    return table, room, loops.scalars.cast(shift, dtypes.uint64)


# An odd number near 2**64 divided by the golden ratio (Knuth 1998, 6.4).
GOLDEN = 0x9E3779B97F4A7C15


def spread_bits(loops: Any, value: Any) -> Any:
    """A uint64 whose first bits differ mostly where values do, and are those of equal ones."""
    s, dtype = loops.scalars, value.dtype
    golden = loops.constant(GOLDEN, dtypes.uint64)
    if dtype.is_complex:
        real, imaginary = (spread_bits(loops, part(value)) for part in (s.real, s.imag))
        return (real ^ (s.right_shift(imaginary, s.constant(7, imaginary)) + golden)) * golden
    if dtype.is_floating:
        wide = s.cast(value, dtypes.float64)
        value = s.bitcast(wide + s.constant(0, wide), dtypes.int64)  # -0.0 is 0.0
    bits = s.cast(s.cast(value, dtypes.int64), dtypes.uint64)
    # What a product by an odd number makes of the lowest bits, floats have in the highest ones.
    return (bits ^ s.right_shift(bits, s.constant(32, bits))) * golden


def is_nan(loops: Any, value: Any) -> Any:
    """Whether a number is none."""
    if value.dtype.is_floating or value.dtype.is_complex:
        return loops.held(loops.scalars.is_nan(value))
    return loops.constant(False, dtypes.bool_)


class Unique(Distinct):
    """The distinct elements of a vector, and the place of each element in them."""

    native_from = SLOW

    y = Out("T k")
    idx = Out("out_idx n")

    def infer(self) -> Any:
        length = self.x.shape[0]
        return TensorSpec((None,), self.x.dtype), TensorSpec((length,), self.out_idx)

    def eager(self, np: Any) -> Any:
        return self.found(np)[:2]

    def lower(self, loops: Any) -> Any:
        return self.distinct(loops, counted=False)


class UniqueWithCounts(Distinct):
    """The distinct elements of a vector, the place of each element in them, and their counts."""

    native_from = SLOW

    y = Out("T k")
    idx = Out("out_idx n")
    count = Out("out_idx k")

    def infer(self) -> Any:
        length = self.x.shape[0]
        distinct = TensorSpec((None,), self.x.dtype)
        return distinct, TensorSpec((length,), self.out_idx), TensorSpec((None,), self.out_idx)

    def eager(self, np: Any) -> Any:
        y, idx, count = self.found(np)
        return y, idx, count.astype(self.out_idx.storage)

    def lower(self, loops: Any) -> Any:
        return self.distinct(loops, counted=True)


class DistinctSlices(Op, abstract=True):
    """The distinct slices of a tensor along an axis (an int vector; empty: of a vector)."""

    x = In("T ...")
    axis = In("Taxis a")
    out_idx = Attr(dtypes.int32, INDEX)
    T = ANY
    Taxis = INDEX
    vjp = no_derivative

    def specs(self) -> tuple[TensorSpec, TensorSpec, TensorSpec]:
        axes, dims = self.axis.sizes, self.x.shape.entries
        unknown = TensorSpec((None,), self.out_idx)
        if axes is None or dims is None:
            return TensorSpec(None, self.x.dtype), unknown, unknown
        axis = self.place(list(axes), len(dims))
        slices = (*dims[:axis], None, *dims[axis + 1 :])
        return (
            TensorSpec(slices, self.x.dtype), TensorSpec((dims[axis],), self.out_idx), unknown
        )  # fmt: skip

    def place(self, axes: list[Any], rank: int) -> int:
        if not axes:
            if rank != 1:
                raise InvalidArgumentError(f"{self.name}: unique expects a 1D vector.")
            return 0
        if len(axes) != 1 or not -rank <= axes[0] < rank:
            raise InvalidArgumentError(
                f"{self.name}: axis has to be between [{-rank}, {rank}), got {axes}"
            )
        return axes[0] % rank

    def found(self, np: Any) -> tuple[Any, Any, Any]:
        axis = self.place(self.axis.reshape(-1).tolist(), self.x.ndim)
        rows = np.moveaxis(self.x, axis, 0)
        flat = rows.reshape(len(rows), -1) if rows.size else rows
        places = places_of_keys(map(tuple, flat.tolist()))
        distinct, dtype = np.take(self.x, first_places(places), axis), self.out_idx.storage
        return distinct, places.astype(dtype), np.bincount(places).astype(dtype)

    def distinct(self, loops: Any, counted: bool) -> tuple[Any, ...]:
        """The same in compiled code, as `Distinct` does it with elements."""
        s, long, x = loops.scalars, dtypes.int64, loops.kept(self.x)
        axis = self.lowered_axis(loops, x.rank)
        before, size, after = (scalar(loops, one) for one in around(loops, x.shape, axis))
        blocks = loops.reshape(x, (before, size, after))
        rows, width = rows_of(loops, blocks)
        hashes, never = hashes_of(loops, rows), rows_with_nan(loops, rows)
        zero = loops.constant(0, long)
        table, room, shift = table_for(loops, size)
        idx = loops.memory((size,), self.out_idx)
        firsts = loops.memory((size,), long)  # the place of each distinct slice
        counts = loops.memory((size if counted else 1,), self.out_idx)

        def numbered(place: Any, known: Any) -> tuple[Any, Any]:
            own = loops.held(hashes[(place,)])
            alone = loops.held(never(place))

            def is_other(slot: Any) -> Any:
                entry = loops.held(table[(slot,)])
                other = loops.held(firsts[(s.maximum(entry - 1, zero),)])
                alike = loops.held((entry > zero) & (hashes[(other,)] == own))
                _, same = loops.repeat(
                    (zero, alike),
                    lambda e, same: same & (e < width),
                    lambda e, _: (e + 1, rows[(place, e)] == rows[(other, e)]),
                )
                return (entry > zero) & s.logical_not(same | alone)

            start = s.cast(s.right_shift(own, shift), long)
            (slot,) = loops.repeat((start,), is_other, lambda slot: ((slot + 1) & (room - 1),))
            entry = loops.held(table[(slot,)])
            is_new = loops.held((entry == zero) | alone)
            number = loops.held(s.where(is_new, known, entry - 1))
            loops.put(table, (slot,), s.where(alone, entry, number + 1))
            loops.put(firsts, (number,), s.where(is_new, place, firsts[(number,)]))
            loops.put(idx, (place,), s.cast(number, self.out_idx))
            if counted:
                loops.put(counts, (number,), counts[(number,)] + loops.constant(1, self.out_idx))
            return place + 1, known + s.cast(is_new, long)

        _, known = loops.repeat((zero, zero), lambda place, _: place < size, numbered)
        slices = loops.view(
            (before, known, after), x.dtype, lambda b, k, a: blocks[(b, firsts[(k,)], a)]
        )
        dims = [choose(loops, axis == k, known, size) for k, size in enumerate(x.shape)]
        found = [loops.reshape(slices, dims), idx]
        if counted:
            found.append(loops.view((known,), self.out_idx, lambda number: counts[(number,)]))
        return tuple(found)

    def lowered_axis(self, loops: Any, rank: int) -> Any:
        """The axis, counted from the front: an int where it is known."""
        (count,) = self.axis.shape
        if not isinstance(count, int):
            raise NotStatic("its length is only known at run time: that of the axes")
        try:
            return self.place(loops.static(self.axis) if count else [], rank)
        except InvalidArgumentError as wrong:
            raise NotStatic(f"it raises an error: {wrong}") from None
        except NotStatic:
            if count > 1:
                raise
        (axis,) = loops.elements(self.axis)
        s, (zero, end) = loops.scalars, (loops.constant(one, dtypes.int64) for one in (0, rank))
        axis = loops.held(s.cast(axis, dtypes.int64))
        message = f"{self.name}: axis has to be between [{-rank}, {rank}), got [{{}}]"
        loops.check((axis >= zero - end) & (axis < end), InvalidArgumentError, message, axis)
        return loops.held(s.where(axis < zero, axis + end, axis))


def around(loops: Any, shape: Any, axis: Any) -> tuple[Any, Any, Any]:
    """How many elements the axes before `axis` have, `axis` itself, and those behind it."""
    if isinstance(axis, int):
        return loops.count(shape[:axis]), shape[axis], loops.count(shape[axis + 1 :])
    return (
        loops.count([choose(loops, axis > k, size, 1) for k, size in enumerate(shape)]),
        loops.count([choose(loops, axis == k, size, 1) for k, size in enumerate(shape)]),
        loops.count([choose(loops, axis < k, size, 1) for k, size in enumerate(shape)]),
    )


def rows_of(loops: Any, blocks: Any) -> tuple[Any, Any]:
    """[before, size, after] as rows [size, before * after], each in one piece, and how long."""
    before, size, after = blocks.shape
    width = loops.held(scalar(loops, before) * after)
    rows = loops.memory((size, width), blocks.dtype)

    def put(row: Any, block: Any, place: Any) -> None:
        loops.put(rows, (row, block * after + place), blocks[(block, row, place)])

    loops.for_each((size, before, after), put)
    return rows, width


def hashes_of(loops: Any, rows: Any) -> Any:
    """A number for each row, the same for equal ones, whose first bits mostly differ else."""
    s, (size, width) = loops.scalars, rows.shape
    golden, zero = loops.constant(GOLDEN, dtypes.uint64), loops.constant(0, dtypes.int64)

    def hash_of(row: Any) -> Any:
        def joined(e: Any, found: Any) -> tuple[Any, Any]:
            rest = s.right_shift(found, s.constant(7, found)) + golden
            return e + 1, (spread_bits(loops, rows[(row, e)]) ^ rest) * golden

        start = loops.constant(0, dtypes.uint64)
        return loops.repeat((zero, start), lambda e, _: e < width, joined)[1]

    return loops.apart((size,), dtypes.uint64, hash_of)


def rows_with_nan(loops: Any, rows: Any) -> Callable[[Any], Any]:
    """Which rows have a NaN, and so are like no other one."""
    s, (size, width) = loops.scalars, rows.shape
    if not (rows.dtype.is_floating or rows.dtype.is_complex):
        return lambda row: loops.constant(False, dtypes.bool_)
    zero, none = loops.constant(0, dtypes.int64), loops.constant(False, dtypes.bool_)

    def has_one(row: Any) -> Any:
        return loops.repeat(
            (zero, none),
            lambda e, found: (e < width) & s.logical_not(found),
            lambda e, _: (e + 1, is_nan(loops, rows[(row, e)])),
        )[1]

    found = loops.apart((size,), dtypes.bool_, has_one)
    return lambda row: found[(row,)]


class UniqueV2(DistinctSlices):
    """The distinct slices of a tensor along an axis, and the place of each slice in them."""

    y = Out("T ...")
    idx = Out("out_idx n")

    native_from = SOME

    def infer(self) -> Any:
        return self.specs()[:2]

    def eager(self, np: Any) -> Any:
        return self.found(np)[:2]

    def lower(self, loops: Any) -> Any:
        return self.distinct(loops, counted=False)


class UniqueWithCountsV2(DistinctSlices):
    """The distinct slices of a tensor along an axis, the place of each in them, their counts."""

    y = Out("T ...")
    idx = Out("out_idx n")
    count = Out("out_idx k")

    native_from = SOME

    def infer(self) -> Any:
        return self.specs()

    def eager(self, np: Any) -> Any:
        return self.found(np)

    def lower(self, loops: Any) -> Any:
        return self.distinct(loops, counted=True)


@dispatchable
def unique(x: Any, out_idx: Any = dtypes.int32, name: str | None = None) -> UniqueResult:
    """The distinct elements of a vector, in the order of their first places.

    x: [n], any dtype. The result is a pair: y, [m], the elements; idx, [n] of `out_idx` (int32 or
    int64), where in y each of x stands.

    >>> y, idx = tf.unique([7, 9, 7])
    >>> y.numpy().tolist(), idx.numpy().tolist()
    ([7, 9], [0, 1, 0])

    Raises:
        InvalidArgumentError: `x` is no vector (also a ValueError).
    """
    kind = None if out_idx is None else as_dtype(out_idx)
    return UniqueResult(*bind(Unique, x, out_idx=kind, name=name))


@dispatchable
def unique_with_counts(
    x: Any, out_idx: Any = dtypes.int32, name: str | None = None
) -> UniqueWithCountsResult:
    """The distinct elements of a vector, in the order of their first places, and their counts.

    x: [n], any dtype. The result is a triple: y, [m], the elements; idx, [n] of `out_idx` (int32 or
    int64), where in y each of x stands; count, [m] of `out_idx`.

    >>> y, idx, count = tf.unique_with_counts([7, 9, 7])
    >>> y.numpy().tolist(), count.numpy().tolist()
    ([7, 9], [2, 1])

    Raises:
        InvalidArgumentError: `x` is no vector (also a ValueError).
    """
    kind = None if out_idx is None else as_dtype(out_idx)
    found = bind(UniqueWithCounts, x, out_idx=kind, name=name)
    return UniqueWithCountsResult(*found)
