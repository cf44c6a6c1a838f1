"""What is found by looking at strings where they lie: which are equal, how long they are, where
white space ends.
"""

from __future__ import annotations

from typing import Any

from ....core import dtypes
from ....core.shapes import broadcast_shapes
from ....core.specs import TensorSpec
from ....errors import InvalidArgumentError
from ...lowering import Scalar
from ...op import In, Op, Out
from ...origins import Origin
from .spans import BYTE, LONG, each, strings_of


class SpansEqual(Op):
    """Which strings are equal; both operands broadcast."""

    x_starts = In("i64 ...")
    x_stops = In("i64 ...")
    x_bytes = In("u8 n")
    y_starts = In("i64 ...")
    y_stops = In("i64 ...")
    y_bytes = In("u8 m")
    z = Out("bool ...")
    origin = Origin.COMPILER
    differentiable = False

    def infer(self) -> TensorSpec:
        shape = broadcast_shapes(self.x_starts.shape, self.y_starts.shape)
        return TensorSpec(shape, dtypes.bool_)

    def eager(self, np: Any) -> Any:
        x = strings_of(self.x_starts, self.x_stops, self.x_bytes)
        y = strings_of(self.y_starts, self.y_stops, self.y_bytes)
        return np.asarray(x == y, np.bool_)

    def lower(self, loops: Any) -> Any:
        shape = loops.broadcast_shape(self.x_starts.shape, self.y_starts.shape)
        parts = (self.x_starts, self.x_stops, self.y_starts, self.y_stops)
        spread = [loops.broadcast(loops.kept(one), shape) for one in parts]
        x, y = loops.kept(self.x_bytes), loops.kept(self.y_bytes)
        s, found = loops.scalars, loops.memory(shape, dtypes.bool_)
        no = loops.constant(False, dtypes.bool_)

        def compare(*k: Any) -> None:
            start, stop, other, end = [loops.held(one[k]) for one in spread]
            size = loops.held(stop - start)
            alike = size == end - other
            limit = loops.held(s.where(alike, size, loops.constant(0, LONG)))

            def same(place: Scalar) -> Scalar:
                return s.where(place < limit, x[(start + place,)] == y[(other + place,)], no)

            (place,) = loops.repeat((loops.constant(0, LONG),), same, lambda place: (place + 1,))
            loops.put(found, k, alike & (place == limit))

        loops.for_each(shape, compare)
        return found


def goes_on(loops: Any, byte: Scalar) -> Scalar:
    """Whether a byte goes on with a character of UTF-8."""
    return (byte & loops.constant(0xC0, BYTE)) == loops.constant(0x80, BYTE)


class SpanCharacters(Op):
    """How many characters of UTF-8 each string has: bytes that do not go on with one."""

    starts = In("i64 *s")
    stops = In("i64 *s")
    bytes = In("u8 n")
    count = Out("i32 *s")
    origin = Origin.COMPILER
    differentiable = False

    def eager(self, np: Any) -> Any:
        return each(
            lambda text: sum(byte & 0xC0 != 0x80 for byte in text),
            strings_of(self.starts, self.stops, self.bytes), np.int32,
        )  # fmt: skip

    def lower(self, loops: Any) -> Any:
        starts, stops, row = (loops.kept(one) for one in (self.starts, self.stops, self.bytes))
        found, s = loops.memory(starts.shape, dtypes.int32), loops.scalars
        one = loops.constant(1, dtypes.int32)

        def measure(*k: Any) -> None:
            stop = loops.held(stops[k])

            def step(place: Scalar, count: Scalar) -> tuple[Scalar, Scalar]:
                more = s.where(goes_on(loops, row[(place,)]), one - one, one)
                return place + 1, count + more

            _, count = loops.repeat(
                (loops.held(starts[k]), one - one), lambda place, _: place < stop, step
            )
            loops.put(found, k, count)

        loops.for_each(starts.shape, measure)
        return found


class StripSpans(Op):
    """Spans without the white space at either end."""

    starts = In("i64 *s")
    stops = In("i64 *s")
    bytes = In("u8 n")
    new_starts = Out("i64 *s")
    new_stops = Out("i64 *s")
    origin = Origin.COMPILER
    differentiable = False

    def eager(self, np: Any) -> Any:
        texts = strings_of(self.starts, self.stops, self.bytes)
        start = self.starts + each(lambda text: len(text) - len(text.lstrip()), texts, np.int64)
        return start, start + each(lambda text: len(text.strip()), texts, np.int64)

    def lower(self, loops: Any) -> Any:
        starts, stops, row = (loops.kept(one) for one in (self.starts, self.stops, self.bytes))
        first, last = (loops.memory(starts.shape, LONG) for _ in range(2))
        s, no = loops.scalars, loops.constant(False, dtypes.bool_)

        def strip(*k: Any) -> None:
            start, stop = loops.held(starts[k]), loops.held(stops[k])
            # Of white space alone the end is left, as the kernel has it.
            (begin,) = loops.repeat(
                (start,),
                lambda at: s.where(at < stop, is_white(loops, row[(at,)]), no),
                lambda at: (at + 1,),
            )
            (end,) = loops.repeat(
                (stop,),
                lambda at: s.where(at > begin, is_white(loops, row[(at - 1,)]), no),
                lambda at: (at - 1,),
            )
            loops.put(first, k, begin)
            loops.put(last, k, end)

        loops.for_each(starts.shape, strip)
        return first, last


def is_white(loops: Any, byte: Scalar) -> Scalar:
    """Whether a byte is what ASCII calls white space."""
    from_tab = byte - loops.constant(9, BYTE)  # wraps around below it
    return (byte == loops.constant(32, BYTE)) | (from_tab <= loops.constant(4, BYTE))


class SubstrSpans(Op):
    """Of each string of `size` bytes the `len` bytes from `pos` on, as Substr says. `beyond`: how
    far `pos` lies outside of the string.

    Raises:
        InvalidArgumentError: it does.
    """

    starts = In("i64 *s")
    size = In("i64 *s")
    pos = In("i64 *s")
    len = In("i64 *s")
    beyond = In("i64 *s")
    new_starts = Out("i64 *s")
    new_stops = Out("i64 *s")
    origin = Origin.COMPILER
    differentiable = False

    def demands(self, sizes: Any) -> None:
        sizes.each(self.beyond, lambda far: far == 0, InvalidArgumentError, OUTSIDE)

    def infer(self) -> Any:
        return self.starts.spec, self.starts.spec

    def eager(self, np: Any) -> Any:
        first = np.where(self.pos < 0, self.pos + self.size, self.pos)
        rest = self.size - first
        taken = np.where((self.len < 0) | (self.len > rest), rest, self.len)
        return self.starts + first, self.starts + first + taken

    def lower(self, loops: Any) -> Any:
        starts, sizes, places, counts = (
            loops.kept(one) for one in (self.starts, self.size, self.pos, self.len)
        )
        s = loops.scalars

        def first(k: Any) -> Scalar:
            return s.where(places[k] < 0, places[k] + sizes[k], places[k])

        def last(k: Any) -> Scalar:
            rest, count = sizes[k] - first(k), counts[k]
            return first(k) + s.where((count < 0) | (count > rest), rest, count)

        return (
            loops.map(starts.shape, LONG, lambda *k: starts[k] + first(k)),
            loops.map(starts.shape, LONG, lambda *k: starts[k] + last(k)),
        )


OUTSIDE = "pos{at} is out of range for string{at}: it lies {it} bytes outside"
