"""Strings written in base64, and read, where they lie (RFC 4648, section 5)."""

from __future__ import annotations

import base64
from typing import Any, Final

import numpy as numpy_module

from ....core import dtypes
from ....core.specs import TensorSpec
from ....errors import InvalidArgumentError
from ...lowering import Scalar
from ...op import Attr, In, Op, Out
from ...origins import Origin
from .spans import BYTE, LONG, laid_out, spans_in, strings_of

ALPHABET: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
NO_DIGIT: Final = 64
FILL: Final = ord("=")


def digits() -> Any:
    """What each byte means in base64; `NO_DIGIT` if nothing."""
    found = numpy_module.full(256, NO_DIGIT, numpy_module.uint8)
    found[[*ALPHABET]] = numpy_module.arange(64)
    return found


class Base64Spans(Op):
    """Strings in base64, filled up to a multiple of four if `pad`."""

    starts = In("i64 *s")
    stops = In("i64 *s")
    bytes = In("u8 n")
    new_starts = Out("i64 *s")
    new_stops = Out("i64 *s")
    coded = Out("u8 m")
    pad = Attr(False)
    origin = Origin.COMPILER
    differentiable = False

    def infer(self) -> Any:
        return self.starts.spec, self.starts.spec, TensorSpec((None,), BYTE)

    def eager(self, np: Any) -> Any:
        texts = strings_of(self.starts, self.stops, self.bytes)
        made = np.empty(texts.shape, object)
        for place in np.ndindex(texts.shape):
            coded = base64.urlsafe_b64encode(bytes(texts[place]))
            made[place] = coded if self.pad else coded.rstrip(b"=")
        return spans_in(made)

    def lower(self, loops: Any) -> Any:
        starts, stops, row = (loops.kept(one) for one in (self.starts, self.stops, self.bytes))
        # Twice, so that it is a table in memory: short arrays are kept in registers.
        letters = numpy_module.frombuffer(ALPHABET * 2, numpy_module.uint8)
        letters = loops.literal_array(letters, BYTE)
        s, word = loops.scalars, dtypes.uint32

        def length(*k: Any) -> Scalar:
            size = stops[k] - starts[k]
            return (size + 2) // 3 * 4 if self.pad else (size * 4 + 2) // 3

        made, ends, room = laid_out(loops, starts.shape, length)

        def letter(bits: Scalar, number: int) -> Scalar:
            shifted = s.right_shift(bits, loops.constant(18 - 6 * number, word))
            return letters[(s.cast(shifted & 63, LONG),)]

        def code(*k: Any) -> None:
            start, stop, end = (loops.held(one[k]) for one in (starts, stops, ends))

            def three(at: Scalar, place: Scalar) -> tuple[Scalar, Scalar]:
                bits = loops.constant(0, word)
                for number in range(3):
                    bits = s.left_shift(bits, loops.constant(8, word)) | s.cast(
                        row[(at + number,)], word
                    )
                bits = loops.held(bits)
                for number in range(4):
                    loops.put(room, (place + number,), letter(bits, number))
                return at + 3, place + 4

            begin = (start, loops.held(made[k]))
            at, place = loops.repeat(begin, lambda at, _: at + 3 <= stop, three)
            none = loops.constant(0, word)
            first, second = (
                loops.held(s.where(at + more < stop, s.cast(row[(at + more,)], word), none))
                for more in range(2)
            )
            shift = (loops.constant(one, word) for one in (16, 8))
            rest = s.left_shift(first, next(shift)) | s.left_shift(second, next(shift))
            rest = loops.held(rest)
            count = loops.held((stop - at) * 4)  # in thirds of letters: 0, 4 or 8

            def one(place: Scalar, number: Scalar) -> tuple[Scalar, Scalar]:
                shifted = s.right_shift(rest, s.cast(number * -6 + 18, word))
                found = letters[(s.cast(shifted & 63, LONG),)]
                fill = loops.constant(FILL, BYTE)
                loops.put(room, (place,), s.where(number * 3 < count, found, fill))
                return place + 1, number + 1

            zero = loops.constant(0, LONG)
            loops.repeat((place, zero), lambda place, _: place < end, one)

        loops.for_each(starts.shape, code)
        return made, ends, room


WELL, WRONG_LENGTH, WRONG_LETTER = range(3)


def without_fill(text: bytes) -> bytes:
    """The letters of a text in base64, if it is well-formed."""
    for _ in range(2 if len(text) % 4 == 0 else 0):
        text = text.removesuffix(b"=")
    return text


class Base64Letters(Op):
    """Where the letters of strings in base64 end, and what is wrong with each string."""

    starts = In("i64 *s")
    stops = In("i64 *s")
    bytes = In("u8 n")
    ends = Out("i64 *s")
    wrong = Out("i64 *s")
    origin = Origin.COMPILER
    differentiable = False

    def eager(self, np: Any) -> Any:
        texts = strings_of(self.starts, self.stops, self.bytes)
        ends, wrong = np.empty_like(self.starts), np.zeros_like(self.starts)
        for place in np.ndindex(texts.shape):
            plain = without_fill(bytes(texts[place]))
            ends[place] = self.starts[place] + len(plain)
            if not set(plain) <= set(ALPHABET):
                wrong[place] = WRONG_LETTER
            if len(texts[place]) % 4 == 1:
                wrong[place] = WRONG_LENGTH
        return ends, wrong

    def lower(self, loops: Any) -> Any:
        starts, stops, row = (loops.kept(one) for one in (self.starts, self.stops, self.bytes))
        ends, wrong = (loops.memory(starts.shape, LONG) for _ in range(2))
        s, no = loops.scalars, loops.constant(False, dtypes.bool_)
        meaning = loops.literal_array(digits(), BYTE)

        def look(*k: Any) -> None:
            start, stop = loops.held(starts[k]), loops.held(stops[k])
            rest = loops.held((stop - start) & 3)
            end = stop
            for _ in range(2):
                last = s.where((end > start) & (rest == 0), row[(end - 1,)] == FILL, no)
                end = loops.held(end - s.cast(last, LONG))
            _, worst = loops.repeat(
                (start, loops.constant(0, BYTE)), lambda at, _: at < end,
                lambda at, worst: (at + 1, worst | meaning[(s.cast(row[(at,)], LONG),)]),
            )  # fmt: skip
            fine, length, letter = (
                loops.constant(one, LONG) for one in (WELL, WRONG_LENGTH, WRONG_LETTER)
            )
            found = s.where((worst & NO_DIGIT) != 0, letter, fine)
            loops.put(ends, k, end)
            loops.put(wrong, k, s.where(rest == 1, length, found))

        loops.for_each(starts.shape, look)
        return ends, wrong


class ReadBase64(Op):
    """What letters in base64 say; `wrong` is what `Base64Letters` found.

    Raises:
        InvalidArgumentError: something is.
    """

    starts = In("i64 *s")
    stops = In("i64 *s")
    bytes = In("u8 n")
    wrong = In("i64 *s")
    new_starts = Out("i64 *s")
    new_stops = Out("i64 *s")
    decoded = Out("u8 m")
    origin = Origin.COMPILER
    differentiable = False

    def demands(self, sizes: Any) -> None:
        for number, message in ((WRONG_LENGTH, NO_LENGTH), (WRONG_LETTER, NO_LETTER)):
            sizes.each(
                self.wrong, lambda one, number=number: one != number, InvalidArgumentError, message
            )

    def infer(self) -> Any:
        return self.starts.spec, self.starts.spec, TensorSpec((None,), BYTE)

    def eager(self, np: Any) -> Any:
        texts = strings_of(self.starts, self.stops, self.bytes)
        made = np.empty(texts.shape, object)
        for place in np.ndindex(texts.shape):
            text = bytes(texts[place])
            made[place] = base64.urlsafe_b64decode(text + b"=" * (-len(text) % 4))
        return spans_in(made)

    def lower(self, loops: Any) -> Any:
        starts, stops, row = (loops.kept(one) for one in (self.starts, self.stops, self.bytes))
        meaning = loops.literal_array(digits(), BYTE)
        s, word = loops.scalars, dtypes.uint32
        made, ends, room = laid_out(loops, starts.shape, lambda *k: (stops[k] - starts[k]) * 3 // 4)

        def digit(at: Scalar) -> Scalar:
            return s.cast(meaning[(s.cast(row[(at,)], LONG),)], word)

        def byte(bits: Scalar, number: int) -> Scalar:
            return s.cast(s.right_shift(bits, loops.constant(16 - 8 * number, word)) & 255, BYTE)

        def read(*k: Any) -> None:
            start, stop, end = (loops.held(one[k]) for one in (starts, stops, ends))

            def four(at: Scalar, place: Scalar) -> tuple[Scalar, Scalar]:
                bits = loops.constant(0, word)
                for number in range(4):
                    six = loops.constant(6, word)
                    bits = s.left_shift(bits, six) | digit(at + number)
                bits = loops.held(bits)
                for number in range(3):
                    loops.put(room, (place + number,), byte(bits, number))
                return at + 4, place + 3

            begin = (start, loops.held(made[k]))
            at, place = loops.repeat(begin, lambda at, _: at + 4 <= stop, four)
            bits, none = loops.constant(0, word), loops.constant(0, word)
            for number in range(3):
                more = s.where(at + number < stop, digit(at + number), none)
                bits = bits | s.left_shift(more, loops.constant(18 - 6 * number, word))
            bits = loops.held(bits)

            def one(place: Scalar, bits: Scalar) -> tuple[Scalar, Scalar]:
                loops.put(room, (place,), byte(bits, 0))
                return place + 1, s.left_shift(bits, loops.constant(8, word))

            loops.repeat((place, bits), lambda place, _: place < end, one)

        loops.for_each(starts.shape, read)
        return made, ends, room


NO_LENGTH = "Base64 string length cannot be 1 modulo 4: input{at}"
NO_LETTER = "Invalid character found in base64: input{at}"
