"""Distinct strings, found where they lie."""

from __future__ import annotations

from typing import Any

from ....core import dtypes
from ....core.specs import TensorSpec
from ...array.gather import gather
from ...bind import bind
from ...lowering import Scalar
from ...op import Attr, In, Op, Out
from ...origins import Origin
from ...sizes import scalar
from .hashes import FarmHashes
from .spans import LONG, Spans, strings_of


class DistinctSpans(Op):
    """The places of the distinct strings of a vector, in their order; the number of each string
    among these, and how often each is there. `hashes` are equal where strings are.
    """

    starts = In("i64 n")
    stops = In("i64 n")
    bytes = In("u8 l")
    hashes = In("u64 n")
    firsts = Out("i64 k")
    idx = Out("out_idx n")
    count = Out("out_idx k")
    out_idx = Attr()
    origin = Origin.COMPILER
    differentiable = False

    def infer(self) -> Any:
        some = TensorSpec((None,), LONG)
        return some, TensorSpec(self.starts.shape, self.out_idx), TensorSpec((None,), self.out_idx)

    def eager(self, np: Any) -> Any:
        texts, kind = strings_of(self.starts, self.stops, self.bytes).tolist(), self.out_idx.storage
        numbers: dict[bytes, int] = {}
        idx = np.array([numbers.setdefault(one, len(numbers)) for one in texts], kind)
        firsts = np.array([texts.index(one) for one in numbers], np.int64)
        return firsts, idx, np.bincount(idx, minlength=len(numbers)).astype(kind)

    def lower(self, loops: Any) -> Any:
        """By a table of which at most half is taken: each string looks where its hash sends it,
        then behind that.
        """
        starts, stops, row, hashes = (
            loops.kept(one) for one in (self.starts, self.stops, self.bytes, self.hashes)
        )
        s, zero = loops.scalars, loops.constant(0, LONG)
        size = scalar(loops, starts.shape[0])
        room, shift = loops.repeat(
            (zero + 2, zero + 63), lambda room, _: room < size * 2,
            lambda room, k: (room * 2, k - 1),
        )  # fmt: skip
        table = loops.memory((room,), LONG)  # the number of a distinct string, and 1; 0: none
        firsts, counts = loops.memory(starts.shape, LONG), loops.memory(starts.shape, self.out_idx)
        idx = loops.memory(starts.shape, self.out_idx)

        def numbered(place: Scalar, known: Scalar) -> tuple[Scalar, Scalar]:
            start, stop = loops.held(starts[(place,)]), loops.held(stops[(place,)])
            number = loops.held(hashes[(place,)])

            def step(slot: Scalar, _: Scalar, __: Scalar) -> tuple[Scalar, ...]:
                slot = loops.held((slot + 1) & (room - 1))
                entry = loops.held(table[(slot,)])
                other = loops.held(firsts[(s.maximum(entry - 1, zero),)])
                is_like = loops.held((entry > 0) & (hashes[(other,)] == number))
                begin = loops.held(starts[(other,)])
                limit = loops.held(stops[(other,)] - begin)
                limit = loops.held(s.where(is_like & (limit == stop - start), limit, zero - 1))
                is_it = loops.held(is_equal(loops, row, start, begin, limit))
                return slot, entry, loops.held((entry > 0) & s.logical_not(is_it))

            first = s.cast(s.right_shift(number, s.cast(shift, dtypes.uint64)), LONG) - 1
            yes = loops.constant(True, dtypes.bool_)
            slot, entry, _ = loops.repeat(
                (loops.held(first), zero, yes), lambda *state: state[-1], step
            )
            is_new = loops.held(entry == 0)
            entry = loops.held(s.where(is_new, known, entry - 1))
            loops.put(table, (slot,), entry + 1)
            loops.put(firsts, (entry,), s.where(is_new, place, firsts[(entry,)]))
            loops.put(idx, (place,), s.cast(entry, self.out_idx))
            loops.put(counts, (entry,), counts[(entry,)] + loops.constant(1, self.out_idx))
            return place + 1, known + s.cast(is_new, LONG)

        _, known = loops.repeat((zero, zero), lambda place, _: place < size, numbered)
        known = loops.held(known)
        first, count = (
            loops.view((known,), one.dtype, lambda k, one=one: one[(k,)])
            for one in (firsts, counts)
        )
        return first, idx, count


def is_equal(loops: Any, row: Any, start: Scalar, begin: Scalar, limit: Scalar) -> Scalar:
    """Whether so many bytes are alike at two places; never if `limit` is -1."""
    s, no = loops.scalars, loops.constant(False, dtypes.bool_)

    def goes_on(at: Scalar) -> Scalar:
        return s.where(at < limit, row[(begin + at,)] == row[(start + at,)], no)

    (at,) = loops.repeat((loops.constant(0, LONG),), goes_on, lambda at: (at + 1,))
    return at == limit


def distinct(texts: Spans, out_idx: Any) -> tuple[Spans, Any, Any]:
    """The distinct strings of a vector, the number of each string among them, and their counts."""
    hashes = bind(FarmHashes, *texts.parts)
    firsts, idx, count = bind(DistinctSpans, *texts.parts, hashes, out_idx=out_idx)
    starts, stops = (gather(one, firsts) for one in (texts.starts, texts.stops))
    return Spans(starts, stops, texts.bytes), idx, count
