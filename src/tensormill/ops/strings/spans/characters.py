"""Characters of UTF-8 counted where strings lie."""

from __future__ import annotations

from typing import Any

from ....core import dtypes
from ....errors import InvalidArgumentError
from ...array.select import where
from ...bind import bind
from ...lowering import Scalar
from ...math.cast import cast
from ...op import In, Op, Out
from ...origins import Origin
from .looking import goes_on
from .spans import LONG, Spans, strings_of


def place_after(text: bytes, count: int) -> tuple[int, int]:
    """Where the character with this number begins, below zero: from the end; and how many are
    missing. Bytes that go on with no character are one, at the beginning of a text.
    """
    begins = [k for k, byte in enumerate(text) if byte & 0xC0 != 0x80 or k == 0] + [len(text)]
    place = count if count >= 0 else len(begins) - 1 + count
    if place < 0:
        return 0, -place
    return begins[min(place, len(begins) - 1)], max(place - len(begins) + 1, 0)


class CharacterPlaces(Op):
    """Where the character number `count` of each string begins, from its end below zero; and how
    many characters it lacks for that.
    """

    starts = In("i64 *s")
    stops = In("i64 *s")
    bytes = In("u8 n")
    count = In("i64 *s")
    places = Out("i64 *s")
    missing = Out("i64 *s")
    origin = Origin.COMPILER
    differentiable = False

    def eager(self, np: Any) -> Any:
        texts = strings_of(self.starts, self.stops, self.bytes)
        found = [*map(place_after, texts.reshape(-1).tolist(), self.count.reshape(-1).tolist())]
        both = np.array(found, np.int64).reshape(*texts.shape, 2)
        return both[..., 0] + self.starts, both[..., 1]

    def lower(self, loops: Any) -> Any:
        starts, stops, row, counts = (
            loops.kept(one) for one in (self.starts, self.stops, self.bytes, self.count)
        )
        places, missing = (loops.memory(starts.shape, LONG) for _ in range(2))
        s, no, zero = loops.scalars, loops.constant(False, dtypes.bool_), loops.constant(0, LONG)

        def find(*k: Any) -> None:
            start, stop, count = (loops.held(one[k]) for one in (starts, stops, counts))

            def is_inside(at: Scalar) -> Scalar:
                return s.where(at > start, goes_on(loops, row[(at,)]), no)

            def further(at: Scalar, left: Scalar) -> Scalar:
                return s.where(at < stop, (left > 0) | is_inside(at), no)

            def forward(at: Scalar, left: Scalar) -> tuple[Scalar, Scalar]:
                return at + 1, left - s.where(is_inside(at), zero, zero + 1)

            def back(at: Scalar, left: Scalar) -> tuple[Scalar, Scalar]:
                return at - 1, left - s.where(is_inside(at - 1), zero, zero + 1)

            after, lacks = loops.repeat((start, s.maximum(count, zero)), further, forward)
            before, wants = loops.repeat(
                (stop, s.maximum(-count, zero)), lambda at, left: (at > start) & (left > 0), back
            )
            is_back = loops.held(count < 0)
            loops.put(places, k, s.where(is_back, before, after))
            loops.put(missing, k, s.where(is_back, wants, lacks))

        loops.for_each(starts.shape, find)
        return places, missing


class FoundPlaces(Op):
    """Places of characters that are there. `unclear`: the numbers below zero of those where no
    characters are taken.

    Raises:
        InvalidArgumentError: one is missing, or counts from the end of a string where no number of
            characters is taken.
    """

    places = In("i64 *s")
    missing = In("i64 *s")
    unclear = In("i64 *s")
    output = Out("i64 *s")
    origin = Origin.COMPILER
    differentiable = False

    def demands(self, sizes: Any) -> None:
        sizes.each(self.missing, lambda lacks: lacks == 0, InvalidArgumentError, OUTSIDE)
        sizes.each(self.unclear, lambda is_it: is_it == 0, InvalidArgumentError, UNCLEAR)

    def eager(self, np: Any) -> Any:
        return self.places

    def lower(self, loops: Any) -> Any:
        return self.places


OUTSIDE = "pos{at} is out of range for string{at}: it lies {it} characters outside"
UNCLEAR = (
    "Substr: pos {it} of string{at} counts characters from its end; then len must not be negative"
)


def substr_of_characters(text: Spans, pos: Any, count: Any) -> Spans:
    """`count` characters from `pos` on, none if it is negative; all of one shape."""
    first, missing = bind(CharacterPlaces, *text.parts, pos)
    none = cast(0, LONG)
    first = bind(FoundPlaces, first, missing, where((pos < 0) & (count < 0), pos, none))
    taken = where(count < 0, none, count)
    last, _ = bind(CharacterPlaces, first, text.stops, text.bytes, taken)
    return Spans(first, last, text.bytes)
