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
        x, s, digits = loops.kept(self.input), loops.scalars, DigitWriter(loops)
        lengths = loops.memory(x.shape, LONG)

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
            loops.put(lengths, k, digits.count(number) + s.cast(below, LONG))

        loops.for_each(x.shape, measure)
        starts, stops, room = laid_out(loops, x.shape, lambda *k: lengths[k])

        def write(*k: Any) -> None:
            number, below = magnitude(k)
            start, stop = loops.held(starts[k]), loops.held(stops[k])
            loops.put(
                room, (start,), loops.constant(ord("-"), BYTE)
            )  # else a digit takes its place

            digits.write(room, number, loops.held(start + s.cast(below, LONG)), stop)

        loops.for_each(x.shape, write)
        return starts, stops, room


class DigitWriter:
    """Writes decimal digits of numbers of 64 bits."""

    def __init__(self, loops: Any) -> None:
        self.loops, self.scalars, self.ten = loops, loops.scalars, loops.constant(10, WIDE)

    def count(self, number: Scalar) -> Scalar:
        """How many there are."""
        s, one = self.scalars, self.loops.constant(1, LONG)
        return self.loops.repeat(
            (s.floor_divide(number, self.ten), one),
            lambda rest, _: rest > self.loops.constant(0, WIDE),
            lambda rest, count: (s.floor_divide(rest, self.ten), count + 1),
        )[-1]

    def write(self, room: Any, number: Scalar, first: Scalar, stop: Scalar) -> None:
        """Put the last ones from `first` to before `stop`."""
        s = self.scalars

        def step(rest: Scalar, at: Scalar) -> tuple[Scalar, Scalar]:
            digit = s.floor_modulo(rest, self.ten) + ord("0")
            self.loops.put(room, (at - 1,), s.cast(digit, BYTE))
            return s.floor_divide(rest, self.ten), at - 1

        self.loops.repeat((number, stop), lambda _, at: at > first, step)


def either_text(chosen: Any, text: str, other: str) -> Spans:
    """One of two texts for each bool."""
    both, (size, end) = text_spans(text + other), (cast(len(one), LONG) for one in (text, other))
    return Spans(where(chosen, size * 0, size), where(chosen, size, size + end), both.bytes)
