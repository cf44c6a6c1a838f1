"""Characters of UTF-8 read where strings lie, and written in UTF-8, UTF-16 or UTF-32.

Bytes that are no character are wrong together as far as some character begins with them (Unicode,
3.9: maximal subparts).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ....core import dtypes
from ....core.specs import TensorSpec
from ....errors import InvalidArgumentError
from ...lowering import Scalar
from ...op import INDEX, Attr, In, Op, Out
from ...origins import Origin
from ..rows import demand_rows
from .looking import goes_on
from .spans import BYTE, LONG, laid_out, spans_in, strings_of

NUMBER: Final = dtypes.int32
WRONG: Final = -1
LAST: Final = 0x10FFFF
HALVES: Final = range(0xD800, 0xE000)  # of pairs of UTF-16, which are no characters
CODECS: Final = {"UTF-8": "utf-8", "UTF-16-BE": "utf-16-be", "UTF-32-BE": "utf-32-be"}


def read_character(text: bytes, at: int) -> tuple[int, int]:
    """The number of the character at a place, or `WRONG`, and how many bytes that is."""
    width = 1
    while True:
        try:
            return ord(text[at : at + width].decode()), width
        except UnicodeDecodeError as error:
            # It says where bytes end that some character begins with.
            if error.reason != "unexpected end of data" or at + width >= len(text):
                return WRONG, max(error.end - error.start, 1)
            width += 1


class CharacterReader:
    """The same in a compiled function."""

    def __init__(self, loops: Any, row: Any) -> None:
        self.loops, self.row, self.scalars = loops, row, loops.scalars

    def __call__(self, at: Scalar, stop: Scalar) -> tuple[Scalar, Scalar]:
        loops, s = self.loops, self.scalars
        first = loops.held(self.row[(at,)])
        more = loops.held(self.count_after(first))
        lowest, highest = self.limits(first)
        second = self.byte(at + 1, stop, more > 0)
        fits = loops.held((second >= lowest) & (second <= highest))
        third = self.byte(at + 2, stop, fits & (more > 1))
        fits_too = loops.held(goes_on(loops, third))
        fourth = self.byte(at + 3, stop, fits_too & (more > 2))
        is_whole = loops.held(goes_on(loops, fourth))
        found = loops.held(sum(s.cast(one, LONG) for one in (fits, fits_too, is_whole)))
        is_wrong = (found < more) | ((first >= 0x80) & (more == 0))
        number = self.number(first, (second, third, fourth), more)
        return loops.held(s.where(is_wrong, self.constant(WRONG), number)), loops.held(found + 1)

    def constant(self, number: int) -> Scalar:
        return self.loops.constant(number, NUMBER)

    def count_after(self, first: Scalar) -> Scalar:
        """How many bytes go on with a character that begins so; none if none does."""
        s = self.scalars
        each = [s.cast(first >= limit, LONG) for limit in (0xC2, 0xE0, 0xF0)]
        return s.where(first < 0xF5, each[0] + each[1] + each[2], self.loops.constant(0, LONG))

    def limits(self, first: Scalar) -> tuple[Scalar, Scalar]:
        """Between which bytes the second one is."""
        s, (low, high) = self.scalars, (self.loops.constant(one, BYTE) for one in (0x80, 0xBF))
        for byte, lowest in ((0xE0, 0xA0), (0xF0, 0x90)):
            low = s.where(first == byte, self.loops.constant(lowest, BYTE), low)
        for byte, highest in ((0xED, 0x9F), (0xF4, 0x8F)):
            high = s.where(first == byte, self.loops.constant(highest, BYTE), high)
        return low, high

    def byte(self, at: Scalar, stop: Scalar, is_wanted: Scalar) -> Scalar:
        """A byte that is wanted and there, or one that goes on with nothing."""
        none = self.loops.constant(0, BYTE)
        is_there = self.loops.held(is_wanted & (at < stop))
        return self.loops.held(self.scalars.where(is_there, self.row[(at,)], none))

    def number(self, first: Scalar, rest: tuple[Scalar, ...], more: Scalar) -> Scalar:
        s = self.scalars
        found = s.cast(first, NUMBER)
        for count, byte in enumerate(rest, 1):
            is_part = more >= count
            longer = s.left_shift(found, self.constant(6)) | (s.cast(byte, NUMBER) & 0x3F)
            found = self.loops.held(s.where(is_part, longer, found))
        # The bits of the first byte that say how long it is, six places higher for each byte.
        marks = self.constant(0)
        for count, mark in enumerate((0xC0 << 6, 0xE0 << 12, 0xF0 << 18), 1):
            marks = s.where(more == count, self.constant(mark), marks)
        return found - marks


class WrongTexts(Op):
    """How many bytes that are no characters each string has, taking those together that are."""

    starts = In("i64 *s")
    stops = In("i64 *s")
    bytes = In("u8 n")
    count = Out("i64 *s")
    origin = Origin.COMPILER
    differentiable = False

    def eager(self, np: Any) -> Any:
        texts = strings_of(self.starts, self.stops, self.bytes)
        counts = [
            sum(number == WRONG for number, _ in characters_of(text))
            for text in texts.reshape(-1).tolist()
        ]
        return np.array(counts, np.int64).reshape(texts.shape)

    def lower(self, loops: Any) -> Any:
        starts, stops, row = (loops.kept(one) for one in (self.starts, self.stops, self.bytes))
        counts, read = loops.memory(starts.shape, LONG), CharacterReader(loops, row)

        def measure(*k: Any) -> None:
            stop = loops.held(stops[k])

            def step(at: Scalar, count: Scalar) -> tuple[Scalar, Scalar]:
                number, width = read(at, stop)
                return at + width, count + loops.scalars.cast(number == WRONG, LONG)

            begin = (loops.held(starts[k]), loops.constant(0, LONG))
            loops.put(counts, k, loops.repeat(begin, lambda at, _: at < stop, step)[-1])

        loops.for_each(starts.shape, measure)
        return counts


def characters_of(text: bytes) -> list[tuple[int, int]]:
    """The characters of a text: numbers, or `WRONG`, and places."""
    found: list[tuple[int, int]] = []
    at = 0
    while at < len(text):
        number, width = read_character(text, at)
        found.append((number, at))
        at += width
    return found


class CharactersOfSpans(Op):
    """The numbers of the characters of each string, where its row of them begins, and where each
    character does. `wrong`: how many bytes are none in strings that are to have none such.

    Raises:
        InvalidArgumentError: there are some.
    """

    starts = In("i64 n")
    stops = In("i64 n")
    bytes = In("u8 l")
    wrong = In("i64 n")
    row_splits = Out("i64 m")
    numbers = Out("i32 k")
    places = Out("i64 k")
    keeps_wrong = Attr()  # as `replacement`; else they are left out, and control characters, too
    replacement = Attr()
    keeps_controls = Attr()
    origin = Origin.COMPILER
    differentiable = False

    def demands(self, sizes: Any) -> None:
        sizes.each(self.wrong, lambda one: one == 0, InvalidArgumentError, ILL_FORMED)

    def infer(self) -> Any:
        count = self.starts.shape[0]
        splits = TensorSpec((None if count is None else count + 1,), LONG)
        return splits, TensorSpec((None,), NUMBER), TensorSpec((None,), LONG)

    def eager(self, np: Any) -> Any:
        rows: list[list[tuple[int, int]]] = []
        for text in strings_of(self.starts, self.stops, self.bytes).tolist():
            is_kept = [(self.keeps(number), number, at) for number, at in characters_of(text)]
            rows.append([
                (number if keeps else self.replacement, at)
                for keeps, number, at in is_kept if keeps or self.keeps_wrong
            ])  # fmt: skip
        flat = np.array([one for row in rows for one in row], np.int64).reshape(-1, 2)
        splits = np.cumsum([0, *map(len, rows)]).astype(np.int64)
        return splits, flat[:, 0].astype(np.int32), flat[:, 1]

    def keeps(self, number: Any) -> Any:
        return number >= (0 if self.keeps_controls else 0x20)

    def lower(self, loops: Any) -> Any:
        """Twice through all strings: how many characters there are, and which."""
        starts, stops, row = (loops.kept(one) for one in (self.starts, self.stops, self.bytes))
        read, s, (size,) = CharacterReader(loops, row), loops.scalars, starts.shape
        counts = loops.memory((size,), LONG)

        def each(k: Any, begin: Scalar, found: Callable[..., None]) -> Scalar:
            start, stop = loops.held(starts[(k,)]), loops.held(stops[(k,)])

            def step(at: Scalar, place: Scalar) -> tuple[Scalar, Scalar]:
                number, width = read(at, stop)
                keeps = loops.held(self.keeps(number))
                found(place, s.where(keeps, number, read.constant(self.replacement)), at - start)
                more = loops.constant(1, LONG) if self.keeps_wrong else s.cast(keeps, LONG)
                return at + width, place + more

            return loops.repeat((start, begin), lambda at, _: at < stop, step)[-1]

        def measure(k: Any) -> None:
            loops.put(counts, (k,), each(k, loops.constant(0, LONG), lambda *_: None))

        loops.for_each((size,), measure)
        begins = loops.kept(loops.scan("sum", counts, 0, exclusive=True, reverse=False))
        total = loops.held(loops.reduce("sum", (), (size,), LONG, lambda _, k: counts[k])[()])
        # What is left out is put behind the last one of its string, where the next one comes.
        numbers, places = loops.memory((total + 1,), NUMBER), loops.memory((total + 1,), LONG)

        def write(k: Any) -> None:
            def found(place: Scalar, number: Scalar, at: Scalar) -> None:
                loops.put(numbers, (place,), number)
                loops.put(places, (place,), at)

            each(k, loops.held(begins[(k,)]), found)

        loops.for_each((size,), write, in_order=not self.keeps_wrong)

        def split(k: Any) -> Scalar:
            last = s.maximum(s.cast(k, LONG) - 1, loops.constant(0, LONG))
            after = begins[(last,)] + counts[(last,)]
            return s.where(k > 0, after, loops.constant(0, LONG))

        kept = (
            loops.view((total,), one.dtype, lambda k, one=one: one[(k,)])
            for one in (numbers, places)
        )
        return loops.map((size + 1,), LONG, split), *kept


ILL_FORMED = "Invalid formatting on input string: input{at} has {it} bytes that are no character"


class TextsOfNumbers(Op):
    """One string of each row of numbers of characters.

    Raises:
        InvalidArgumentError: a number is none of a character, and none such is to be left out or
            replaced; splits that do not begin rows.
    """

    numbers = In("i32 k")
    splits = In("Tsplits m")
    starts = Out("i64 n")
    stops = Out("i64 n")
    bytes = Out("u8 l")
    output_encoding = Attr()
    errors = Attr()
    replacement = Attr()
    Tsplits = INDEX
    origin = Origin.COMPILER
    differentiable = False

    def demands(self, sizes: Any) -> None:
        demand_rows(sizes, "UnicodeEncode", self.splits, self.numbers)
        if self.errors == "strict":
            sizes.each(self.numbers, is_character, InvalidArgumentError, NO_CHARACTER)

    def infer(self) -> Any:
        count = self.splits.shape[0]
        places = TensorSpec((None if count is None else count - 1,), LONG)
        return places, places, TensorSpec((None,), BYTE)

    def eager(self, np: Any) -> Any:
        other = "" if self.errors == "ignore" else chr(self.replacement)
        known = [chr(one) if is_character(one) else other for one in self.numbers.tolist()]
        limits, made = self.splits.tolist(), np.empty(len(self.splits) - 1, object)
        for row in range(len(made)):
            text = "".join(known[limits[row] : limits[row + 1]])
            made[row] = text.encode(CODECS[self.output_encoding])
        return spans_in(made)

    def lower(self, loops: Any) -> Any:
        numbers, splits = loops.kept(self.numbers), loops.kept(self.splits)
        s, form = loops.scalars, FORMS[self.output_encoding]
        lengths = loops.memory((splits.shape[0] - 1,), LONG)
        other, none = loops.constant(self.replacement, NUMBER), loops.constant(0, LONG)

        def each(k: Any, begin: Scalar, step: Callable[..., Scalar]) -> Scalar:
            start, stop = (loops.held(s.cast(splits[(one,)], LONG)) for one in (k, k + 1))

            def turn(at: Scalar, place: Scalar) -> tuple[Scalar, Scalar]:
                number = loops.held(numbers[(at,)])
                is_one = loops.held(is_character(number))
                word, width = form(loops, loops.held(s.where(is_one, number, other)))
                if self.errors == "ignore":
                    width = s.where(is_one, width, none)
                return at + 1, step(word, loops.held(width), place)

            return loops.repeat((start, begin), lambda at, _: at < stop, turn)[-1]

        def measure(k: Any) -> None:
            loops.put(lengths, (k,), each(k, none, lambda _, width, place: place + width))

        loops.for_each(lengths.shape, measure)
        starts, stops, room = laid_out(loops, lengths.shape, lambda k: lengths[k])

        def put(word: Scalar, width: Scalar, place: Scalar) -> Scalar:
            word, end = loops.held(word), loops.held(place + width)

            def one(at: Scalar) -> tuple[Scalar]:
                moved = s.right_shift(word, s.cast((end - at - 1) * 8, WORD))
                loops.put(room, (at,), s.cast(moved & 0xFF, BYTE))
                return (at + 1,)

            loops.repeat((place,), lambda at: at < end, one)
            return end

        loops.for_each(lengths.shape, lambda k: each(k, loops.held(starts[(k,)]), put))
        return starts, stops, room


def in_utf_8(loops: Any, number: Scalar) -> tuple[Scalar, Scalar]:
    """The bytes of a character, the last one lowest, and how many they are."""
    s, wide = loops.scalars, loops.scalars.cast(number, WORD)
    word, width = wide, loops.constant(1, LONG)
    for more, (limit, mark) in enumerate(((0x80, 0xC0), (0x800, 0xE0), (0x10000, 0xF0)), 1):
        longer = loops.constant(mark << 8 * more, WORD)
        for place in range(more + 1):
            bits = s.right_shift(wide, loops.constant(6 * place, WORD))
            part = bits if place == more else (bits & 0x3F) | 0x80
            longer = longer | s.left_shift(part, loops.constant(8 * place, WORD))
        is_longer = loops.held(number >= limit)
        word = loops.held(s.where(is_longer, longer, word))
        width = width + s.cast(is_longer, LONG)
    return word, width


def in_utf_16(loops: Any, number: Scalar) -> tuple[Scalar, Scalar]:
    s, wide = loops.scalars, loops.scalars.cast(number, WORD)
    beyond = loops.held(wide - 0x10000)
    high = s.left_shift(s.right_shift(beyond, loops.constant(10, WORD)), loops.constant(16, WORD))
    is_pair = loops.held(number >= 0x10000)
    two, four = (loops.constant(one, LONG) for one in (2, 4))
    pair = (high | (beyond & 0x3FF)) + 0xD800DC00
    return s.where(is_pair, pair, wide), s.where(is_pair, four, two)


def in_utf_32(loops: Any, number: Scalar) -> tuple[Scalar, Scalar]:
    return loops.scalars.cast(number, WORD), loops.constant(4, LONG)


WORD: Final = dtypes.uint32
FORMS: Final = {"UTF-8": in_utf_8, "UTF-16-BE": in_utf_16, "UTF-32-BE": in_utf_32}


def is_character(number: Any) -> Any:
    """Whether a number is one of a character."""
    is_half = (number >= HALVES.start) & (number < HALVES.stop)
    return (number >= 0) & (number <= LAST) & (is_half == 0)


NO_CHARACTER = "Code point is out of range for Unicode: input{at} is {it}"
