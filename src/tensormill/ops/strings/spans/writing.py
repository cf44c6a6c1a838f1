"""Numbers written out as strings."""

from __future__ import annotations

from typing import Any

from ....core import dtypes
from ....core.specs import TensorSpec
from ...array.select import where
from ...lowering import Scalar
from ...math.cast import cast
from ...op import In, Op, Out, types
from ...origins import Origin
from .spans import BYTE, LONG, Spans, laid_out, spans_in, text_spans

WIDE = dtypes.uint64


class IntegersAsSpans(Op):
    """Whole numbers in decimal digits."""

    input = In("T *s")
    starts = Out("i64 *s")
    stops = Out("i64 *s")
    bytes = Out("u8 m")
    T = types("i8 i16 i32 i64 u8 u16 u32 u64")
    origin = Origin.COMPILER
    differentiable = False

    def infer(self) -> Any:
        places = TensorSpec(self.input.shape, LONG)
        return places, places, TensorSpec((None,), BYTE)

    def eager(self, np: Any) -> Any:
        texts = np.empty(self.input.size, object)
        texts[:] = [b"%d" % one for one in self.input.reshape(-1).tolist()]
        return spans_in(texts.reshape(self.input.shape))

    def lower(self, loops: Any) -> Any:
        x, s = loops.kept(self.input), loops.scalars
        lengths, ten = loops.memory(x.shape, LONG), loops.constant(10, WIDE)
        one = loops.constant(1, LONG)

        def magnitude(k: Any) -> tuple[Scalar, Scalar]:
            """Without its sign, which the smallest number has room for here; and whether it is
            below zero.
            """
            below = loops.held(x[k] < loops.constant(0, x.dtype))
            wide = s.cast(x[k], WIDE if x.dtype is WIDE else LONG)
            number = s.cast(wide, WIDE)
            return loops.held(s.where(below, ~number + 1, number)), below

        def measure(*k: Any) -> None:
            number, below = magnitude(k)
            _, count = loops.repeat(
                (s.floor_divide(number, ten), one),
                lambda rest, _: rest > loops.constant(0, WIDE),
                lambda rest, count: (s.floor_divide(rest, ten), count + 1),
            )
            loops.put(lengths, k, count + s.cast(below, LONG))

        loops.for_each(x.shape, measure)
        starts, stops, room = laid_out(loops, x.shape, lambda *k: lengths[k])

        def write(*k: Any) -> None:
            number, below = magnitude(k)
            start, stop = loops.held(starts[k]), loops.held(stops[k])
            loops.put(
                room, (start,), loops.constant(ord("-"), BYTE)
            )  # else a digit takes its place

            def step(rest: Scalar, at: Scalar) -> tuple[Scalar, Scalar]:
                digit = s.floor_modulo(rest, ten) + ord("0")
                loops.put(room, (at - 1,), s.cast(digit, BYTE))
                return s.floor_divide(rest, ten), at - 1

            first = loops.held(start + s.cast(below, LONG))
            loops.repeat((number, stop), lambda _, at: at > first, step)

        loops.for_each(x.shape, write)
        return starts, stops, room


def either_text(chosen: Any, text: str, other: str) -> Spans:
    """One of two texts for each bool."""
    both, (size, end) = text_spans(text + other), (cast(len(one), LONG) for one in (text, other))
    return Spans(where(chosen, size * 0, size), where(chosen, size, size + end), both.bytes)
