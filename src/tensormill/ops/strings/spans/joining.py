"""Strings put together from spans."""

from __future__ import annotations

from typing import Any

from ....core.specs import TensorSpec
from ....errors import ShapeMismatchError
from ...bind import bind
from ...demands import UNKNOWN
from ...lowering import Scalar
from ...op import Attr, In, Op, Out
from ...origins import Origin
from .spans import BYTE, LONG, Spans, copy, laid_out, spans_in, strings_of


class JoinSpans(Op):
    """Strings joined, element by element; scalars go with every element."""

    starts = In("N * i64 ...")
    stops = In("N * i64 ...")
    bytes = In("N * u8 ...")
    new_starts = Out("i64 ...")
    new_stops = Out("i64 ...")
    joined = Out("u8 m")
    separator = Attr("")
    origin = Origin.COMPILER
    differentiable = False

    def demands(self, sizes: Any) -> None:
        ranks = map(sizes.rank, self.starts)
        pairs = zip(self.starts, ranks, strict=True)
        several = [one for one, rank in pairs if rank is not UNKNOWN and rank]
        if several:
            sizes.common(sizes.shapes(several, UNLIKE), ShapeMismatchError, UNLIKE)

    def infer(self) -> Any:
        shape = self.starts[0].shape
        for known in self.starts[1:]:
            if shape.rank == 0:
                shape = known.shape
            elif known.rank != 0:
                shape = shape.merge_with(known.shape)
        places = TensorSpec(shape, LONG)
        return places, places, TensorSpec((None,), BYTE)

    def eager(self, np: Any) -> Any:
        texts = [
            strings_of(start, stop, row)
            for start, stop, row in zip(self.starts, self.stops, self.bytes, strict=True)
        ]
        parts = np.stack([np.asarray(one, object) for one in np.broadcast_arrays(*texts)], -1)
        joined = np.empty(parts.shape[:-1], object)
        for place in np.ndindex(joined.shape):
            joined[place] = self.separator.encode().join(parts[place])
        return spans_in(joined)

    def lower(self, loops: Any) -> Any:
        columns = [map(loops.kept, one) for one in (self.starts, self.stops, self.bytes)]
        parts = [*zip(*columns, strict=True)]
        shape: Any = next((one.shape for one, *_ in parts if one.rank), ())
        separator = [loops.constant(one, BYTE) for one in self.separator.encode()]

        def at(part: Any, k: Any) -> Scalar:
            return part[k if part.rank else ()]

        def length(*k: Any) -> Scalar:
            total = loops.constant(len(separator) * (len(parts) - 1), LONG)
            for start, stop, _ in parts:
                total = total + (at(stop, k) - at(start, k))
            return total

        made, ends, room = laid_out(loops, shape, length)

        def join(*k: Any) -> None:
            place = loops.held(made[k])
            for number, (start, stop, row) in enumerate(parts):
                for byte in separator if number else ():
                    loops.put(room, (place,), byte)
                    place = loops.held(place + 1)
                first, last = loops.held(at(start, k)), loops.held(at(stop, k))
                copy(loops, room, place, row, first, last)
                place = loops.held(place + (last - first))

        loops.for_each(shape, join)
        return made, ends, room


def joined_pairs(x: Spans, y: Spans) -> Spans:
    """x followed by y, both of the shape that they broadcast to."""
    starts = [x.starts + (y.starts * 0), y.starts + (x.starts * 0)]
    stops = [x.stops + (y.stops * 0), y.stops + (x.stops * 0)]
    return Spans(*bind(JoinSpans, starts, stops, [x.bytes, y.bytes]), is_whole=True)


UNLIKE = "StringJoin: Input shapes do not match: {} vs. shape[{}] = {}"
