"""Strings joined to runs: each run is some neighbours in a list of items, which are strings."""

from __future__ import annotations

import math
from typing import Any

import numpy as numpy_module

from ....core.specs import TensorSpec
from ....errors import InvalidArgumentError
from ...lowering import Scalar
from ...op import INDEX, Attr, In, Op, Out
from ...origins import Origin
from .spans import BYTE, LONG, copy, laid_out, spans_in, strings_of


class JoinRuns(Op):
    """Of each run the items from `begins` to before `ends` joined; an item is the number of a
    string. Where `filled`, no separator stands behind what is empty.
    """

    starts = In("i64 n")
    stops = In("i64 n")
    bytes = In("u8 m")
    items = In("i64 k")
    begins = In("i64 *s")
    ends = In("i64 *s")
    new_starts = Out("i64 *s")
    new_stops = Out("i64 *s")
    joined = Out("u8 l")
    separator = Attr("")
    filled = Attr(False)
    origin = Origin.COMPILER
    differentiable = False

    def infer(self) -> Any:
        places = TensorSpec(self.begins.shape, LONG)
        return places, places, TensorSpec((None,), BYTE)

    def eager(self, np: Any) -> Any:
        texts = strings_of(self.starts, self.stops, self.bytes)[self.items].tolist()
        made, separator = np.empty(self.begins.shape, object), self.separator.encode()
        for place in np.ndindex(made.shape):
            run = texts[self.begins[place] : self.ends[place]]
            made[place] = filled_text(run, separator) if self.filled else separator.join(run)
        return spans_in(made)

    def lower(self, loops: Any) -> Any:
        starts, stops, row = (loops.kept(one) for one in (self.starts, self.stops, self.bytes))
        items, begins, ends = (loops.kept(one) for one in (self.items, self.begins, self.ends))
        text = numpy_module.frombuffer(self.separator.encode(), numpy_module.uint8)
        separator = loops.literal_array(text, BYTE) if text.size else None
        lengths, zero = loops.memory(begins.shape, LONG), loops.constant(0, LONG)

        def between(is_first: Scalar, size: Scalar) -> Scalar:
            """How many bytes stand before an item, behind so many."""
            is_bare = size == zero if self.filled else is_first
            return loops.scalars.where(is_bare, zero, zero + text.size)

        def measure(*k: Any) -> None:
            begin, end = loops.held(begins[k]), loops.held(ends[k])

            def step(at: Scalar, size: Scalar) -> tuple[Scalar, Scalar]:
                item = loops.held(items[(at,)])
                own = stops[(item,)] - starts[(item,)]
                return at + 1, size + between(at == begin, size) + own

            _, size = loops.repeat((begin, zero), lambda at, _: at < end, step)
            loops.put(lengths, k, size)

        loops.for_each(begins.shape, measure)
        made, until, room = laid_out(loops, begins.shape, lambda *k: lengths[k])

        def join(*k: Any) -> None:
            begin, end, first = (loops.held(one[k]) for one in (begins, ends, made))

            def step(at: Scalar, place: Scalar) -> tuple[Scalar, Scalar]:
                item = loops.held(items[(at,)])
                start, stop = loops.held(starts[(item,)]), loops.held(stops[(item,)])
                if separator is not None:
                    before = loops.held(between(at == begin, place - first))
                    copy(loops, room, place, separator, zero, before)
                    place = loops.held(place + before)
                copy(loops, room, place, row, start, stop)
                return at + 1, place + (stop - start)

            loops.repeat((begin, first), lambda at, _: at < end, step)

        loops.for_each(begins.shape, join)
        return made, until, room


def filled_text(texts: list[bytes], separator: bytes) -> bytes:
    """Texts joined; a separator follows what is there."""
    found = b""
    for text in texts:
        found = found + separator + text if found else text
    return found


class SegmentRuns(Op):
    """Which strings are in each segment of UnsortedSegmentJoin, as runs of items. `places` is one
    of the tensors of their spans; a segment's columns are runs of their own.
    """

    places = In("i64 ...")
    segment_ids = In("Tindices ...")
    num_segments = In("Tnumsegments")
    items = Out("i64 k")
    begins = Out("i64 ...")
    ends = Out("i64 ...")
    Tindices = INDEX
    Tnumsegments = INDEX
    origin = Origin.COMPILER
    differentiable = False

    def demands(self, sizes: Any) -> tuple[Any, ...]:
        return demand_segments(sizes, self.places, self.segment_ids, self.num_segments)

    def infer(self) -> Any:
        shape = shape_of_segments(self.places, self.segment_ids, self.num_segments)
        return TensorSpec((None,), LONG), TensorSpec(shape, LONG), TensorSpec(shape, LONG)

    def eager(self, np: Any) -> Any:
        shape = self.found
        count, width = math.prod(shape), math.prod(shape[1:])
        ids = self.segment_ids.reshape(-1).astype(np.int64)
        runs = (ids[:, None] * width + np.arange(width)).reshape(-1)
        counts = np.bincount(runs, minlength=count)
        ends = counts.cumsum()
        return np.argsort(runs, kind="stable"), (ends - counts).reshape(shape), ends.reshape(shape)

    def lower(self, loops: Any) -> Any:
        """Counted, and then put in their places: they keep their order."""
        s, shape, ids = loops.scalars, self.found, self.segment_ids
        ids = loops.kept(loops.reshape(ids, (loops.count(ids.shape),)))
        width, total = loops.count(shape[1:]), loops.count(self.places.shape)
        one, run_count = loops.constant(1, LONG), loops.count(shape)
        counts, items = loops.memory((run_count,), LONG), loops.memory((total,), LONG)

        def run_of(item: Any) -> Scalar:
            row = s.floor_divide(item, one * width)
            return loops.held(s.cast(ids[(row,)], LONG) * width + (item - row * width))

        def measure(item: Any) -> None:
            run = run_of(item)
            loops.put(counts, (run,), counts[(run,)] + 1)

        loops.for_each((total,), measure, in_order=True)
        begins = loops.kept(loops.scan("sum", counts, 0, exclusive=True, reverse=False))
        ends = loops.kept(loops.map((run_count,), LONG, lambda k: begins[(k,)] + counts[(k,)]))
        free = loops.memory((run_count,), LONG)
        loops.for_each((run_count,), lambda k: loops.put(free, (k,), begins[(k,)]))

        def place(item: Any) -> None:
            run = run_of(item)
            at = loops.held(free[(run,)])
            loops.put(items, (at,), item)
            loops.put(free, (run,), at + 1)

        loops.for_each((total,), place, in_order=True)
        return items, loops.reshape(begins, shape), loops.reshape(ends, shape)


def demand_segments(
    sizes: Any, strings: Any, segment_ids: Any, num_segments: Any
) -> tuple[Any, ...]:
    """The shape of the joined strings."""
    (count,) = sizes.numbers(num_segments)
    whole, ids = sizes.shape(strings), sizes.shape(segment_ids)
    sizes.alike(whole[: len(ids)], ids, InvalidArgumentError, UNLIKE_IDS, whole)
    sizes.possible((count, *whole[len(ids) :]))
    sizes.each(
        segment_ids, lambda one: (one >= 0) & (one < count), InvalidArgumentError, NO_SEGMENT, count
    )
    return (count, *whole[len(ids) :])


UNLIKE_IDS = (
    "UnsortedSegmentJoin: segment_ids of shape {} do not begin the shape of the strings, {}"
)
NO_SEGMENT = "UnsortedSegmentJoin: segment_ids{at} = {it} is out of range [0, {})"


def shape_of_segments(strings: Any, segment_ids: Any, num_segments: Any) -> Any:
    """As far as it is known."""
    ids, whole = segment_ids.shape.rank, strings.shape.entries
    if ids is None or whole is None:
        return None
    return (num_segments.sizes or (None,))[0], *whole[ids:]
