"""What regular expressions of RE2's consist of.

Read are literals, classes, groups, alternatives, counts, where a text or a word begins or ends,
and whether case counts (`(?i)`) or a dot is any character (`(?s)`); what else a pattern has is
RE2's.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Final

import numpy

from ...core.process.named_tuples import NamedTuple

MOST_COUNTED: Final = 20  # repetitions, each of which is written out
MOST_NESTED: Final = 32  # groups in each other: what reads a pattern calls itself for each

Bytes = frozenset[int]
Ranges = list[tuple[int, int]]  # of characters, both ends among them


class ReservedPattern(Exception):
    """A pattern that only RE2 knows."""


class OneByte(NamedTuple):
    """One of some bytes."""

    values: Bytes


class InTurn(NamedTuple):
    """Parts, one after the other."""

    parts: tuple[object, ...]


class Alternatives(NamedTuple):
    """Any of some parts, the first one that goes on to match."""

    parts: tuple[object, ...]


class CountedPart(NamedTuple):
    """`most` is None where there is no limit."""

    part: object
    least: int
    most: int | None
    is_greedy: bool


class NotedGroup(NamedTuple):
    """A part of which is noted where it begins and ends."""

    part: object
    number: int


class Assertion(NamedTuple):
    """Matches nothing, at some places: where a text `begins` or `ends`, at the `edge` of a word,
    or not there (`inside`).
    """

    place: str


class ParsedPattern(NamedTuple):
    """A pattern: what it consists of, how many groups it has, and where it is anchored. What asks
    for places elsewhere does so at its ends, too.
    """

    whole: object
    groups: int
    begins: bool = False
    ends: bool = False
    asks: bool = False


def span(first: int, last: int) -> Bytes:
    return frozenset(range(first, last + 1))


def of_text(text: str) -> Bytes:
    return frozenset(text.encode("latin-1"))


ASCII: Final = span(0, 0x7F)
LAST: Final = 0x10FFFF
WORD, DIGIT, SPACE = of_text(string.ascii_letters + string.digits + "_"), of_text(string.digits), (
    of_text("\t\n\f\r ")
)  # fmt: skip
PERL: Final = {"w": WORD, "d": DIGIT, "s": SPACE}
PLACES: Final = {
    "b": Assertion("edge"), "B": Assertion("inside"), "A": Assertion("begins"),
    "z": Assertion("ends"),
}  # fmt: skip
CONTROLS: Final = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v", "a": "\a"}
NAMED: Final = {
    "alnum": of_text(string.ascii_letters + string.digits), "alpha": of_text(string.ascii_letters),
    "ascii": ASCII, "blank": of_text(" \t"), "cntrl": span(0, 31) | span(127, 127),
    "digit": DIGIT, "graph": span(33, 126), "lower": of_text(string.ascii_lowercase),
    "print": span(32, 126), "punct": of_text(string.punctuation), "space": SPACE | of_text("\v"),
    "upper": of_text(string.ascii_uppercase), "word": WORD, "xdigit": of_text(string.hexdigits),
}  # fmt: skip


# Characters beyond ASCII that are letters of ASCII where case does not count.
LONG_CASES: Final = {"k": 0x212A, "s": 0x17F}


def ranges_of(values: Iterable[int]) -> Ranges:
    return [(one, one) for one in values]


def others(ranges: Ranges) -> Ranges:
    """All characters but these."""
    found: Ranges = []
    place = 0
    for low, high in sorted(ranges):
        if low > place:
            found.append((place, low - 1))
        place = max(place, high + 1)
    return [*found, (place, LAST)] if place <= LAST else found


def in_both_cases(ranges: Ranges) -> Ranges:
    """With the other cases of letters; beyond ASCII only RE2 knows them."""
    if any(high > 0x7F for _, high in ranges):
        raise ReservedPattern
    letters = [chr(one) for low, high in ranges for one in range(low, high + 1)]
    letters = [one for one in letters if one.isalpha()]
    long = {LONG_CASES[one.lower()] for one in letters if one.lower() in LONG_CASES}
    return [*ranges, *ranges_of(ord(one.swapcase()) for one in letters), *ranges_of(long)]


def in_bytes(low: int, high: int) -> Iterator[object]:
    """Characters beyond ASCII, also halves of pairs, as RE2 reads them: ranges of bytes in turn.

    Where it is all of them RE2 takes bytes for one, too, that are too many for a character, or
    beyond the last: fewer ranges do.
    """
    if (low, high) == (0x80, LAST):
        for first, count in ((span(0xC2, 0xDF), 1), (span(0xE0, 0xEF), 2), (span(0xF0, 0xF4), 3)):
            yield InTurn((OneByte(first), *[OneByte(span(0x80, 0xBF))] * count))
        return
    for limit in (0x7FF, 0xFFFF):
        if low <= limit < high:
            yield from in_bytes(low, limit)
            yield from in_bytes(limit + 1, high)
            return
    for width in (6, 12, 18):
        end = (1 << width) - 1
        if low | end < high and low & end:
            yield from in_bytes(low, low | end)
            yield from in_bytes((low | end) + 1, high)
            return
        if low | end < high and high & end != end:
            yield from in_bytes(low, (high & ~end) - 1)
            yield from in_bytes(high & ~end, high)
            return
    first, last = (chr(one).encode(errors="surrogatepass") for one in (low, high))
    yield InTurn(tuple([OneByte(span(*ends)) for ends in zip(first, last, strict=True)]))


def of_ranges(ranges: Ranges) -> object:
    """Any of these characters."""
    short = [one for low, high in ranges for one in range(low, min(high, 0x7F) + 1)]
    parts: list[object] = [OneByte(frozenset(short))] if short else []
    for low, high in others(others(ranges)):  # in order, joined
        parts += in_bytes(max(low, 0x80), high) if high > 0x7F else []
    if not parts:
        raise ReservedPattern
    return parts[0] if len(parts) == 1 else Alternatives(tuple(parts))


FLAGS: Final = re.compile(r"\?([is]+)([:)])")
NUMBER: Final = re.compile(r"([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]{1,6})\}")
# RE2 takes other braces for characters, those of `a{01}` and `a{,2}` among them.
LIMITS: Final = re.compile(r"\{(0|[1-9][0-9]*)(,(0|[1-9][0-9]*)?)?\}")
HALVES: Final = range(0xD800, 0xE000)  # of pairs, which are no characters, but classes have them
# Characters of as many bytes.
ALIKE: Final = (
    (1, range(0x80)), (2, range(0x80, 0x800)), (3, range(0x800, 0x10000)),
    (4, range(0x10000, LAST + 1)),
)  # fmt: skip


@cache
def characters_with(escape: str) -> tuple[tuple[int, int], ...]:
    """The characters that RE2 (whose Unicode may be newer than Python's) takes a class for."""
    import re2

    options = re2.Options()
    options.log_errors = False
    try:
        runs = re2.compile(f"(?:{escape})+".encode(), options)
    except re2.error:
        raise ReservedPattern(escape) from None
    found: Ranges = []
    for width, characters in ALIKE:
        for begin in range(0, len(characters), 1 << 11):  # each match costs as much as its text
            part = characters[begin : begin + (1 << 11)]
            numbers = numpy.arange(part.start, part.stop, dtype="<u4").tobytes()
            text = numbers.decode("utf-32-le", "surrogatepass")
            for run in runs.finditer(text.encode(errors="surrogatepass")):
                first, end = (one // width for one in run.span())
                found.append((part[first], part[end - 1]))
    return tuple(found)


def in_turn(parts: Sequence[object]) -> object:
    return parts[0] if len(parts) == 1 else InTurn(tuple(parts))


class PatternParser:
    """Reads a pattern from its beginning on."""

    def __init__(self, pattern: str) -> None:
        self.pattern, self.at, self.groups, self.nested = pattern, 0, 0, 0
        self.flags = frozenset[str]()

    def next(self, count: int = 1) -> str:
        return self.pattern[self.at : self.at + count]

    def take(self, text: str) -> bool:
        """Whether it goes on with this, which then is passed."""
        found = self.pattern.startswith(text, self.at)
        self.at += len(text) * found
        return found

    def taken(self) -> str:
        if self.at >= len(self.pattern):
            raise ReservedPattern(self.pattern)
        self.at += 1
        return self.pattern[self.at - 1]

    def parsed(self) -> ParsedPattern:
        if self.next() == "(" and (flags := FLAGS.match(self.pattern, 1)) and flags[2] == ")":
            self.at, self.flags = flags.end(), frozenset(flags[1])
        whole = self.alternatives()
        if self.at < len(self.pattern):
            raise ReservedPattern(self.pattern)
        parts = whole.parts if isinstance(whole, InTurn) else (whole,)
        begins, ends = parts[:1] == (PLACES["A"],), parts[-1:] == (PLACES["z"],)
        inner = in_turn(parts[begins : len(parts) - ends])
        if asks(inner):
            return ParsedPattern(whole, self.groups, asks=True)
        return ParsedPattern(inner, self.groups, begins, ends)

    def alternatives(self) -> object:
        found = [self.sequence()]
        while self.take("|"):
            found.append(self.sequence())
        return found[0] if len(found) == 1 else Alternatives(tuple(found))

    def sequence(self) -> object:
        found: list[object] = []
        while self.at < len(self.pattern) and self.next() not in "|)":
            found.append(self.counted(self.one()))
        return in_turn(found)

    def one(self) -> object:
        character = self.taken()
        if character == "(":
            return self.group()
        if character == "[":
            return self.of_class()
        if character == ".":
            return of_ranges(others([] if "s" in self.flags else ranges_of(of_text("\n"))))
        if character == "\\":
            return self.escaped()
        if character in "^$":
            return PLACES["A" if character == "^" else "z"]
        if character in "*+?{}]":  # literals at some places, mistakes at others
            raise ReservedPattern(self.pattern)
        return self.literal(character)

    def literal(self, character: str) -> object:
        return of_ranges(self.cases([(ord(character), ord(character))]))

    def cases(self, ranges: Ranges) -> Ranges:
        """These characters, in both cases where case does not count."""
        return in_both_cases(ranges) if "i" in self.flags else ranges

    def group(self) -> object:
        number, before = None, self.flags
        flags = FLAGS.match(self.pattern, self.at)
        if flags and flags[2] == ":":
            self.at, self.flags = flags.end(), before | frozenset(flags[1])
        elif not self.take("?:"):
            if self.next() == "?":
                raise ReservedPattern(self.pattern)
            number = self.groups = self.groups + 1
        self.nested += 1
        if self.nested > MOST_NESTED:
            raise ReservedPattern(self.pattern)
        part = self.alternatives()
        self.nested, self.flags = self.nested - 1, before
        if not self.take(")"):
            raise ReservedPattern(self.pattern)
        return part if number is None else NotedGroup(part, number)

    def escaped(self) -> object:
        character = self.taken()
        if character in PLACES:
            return PLACES[character]
        if character.lower() in PERL:
            values = self.cases(ranges_of(PERL[character.lower()]))
            return of_ranges(values if character.islower() else others(values))
        if character in "pP":
            return of_ranges(self.cases(self.of_property(character)))
        return self.literal(self.named(character))

    def of_property(self, sign: str) -> Ranges:
        r"""What `\pN`, `\p{Greek}` and `\P{L}` have."""
        name = self.taken()
        if name == "{":
            name, end, _ = self.pattern[self.at :].partition("}")
            if not end:
                raise ReservedPattern(self.pattern)
            self.at += len(name) + 1
        return [*characters_with(f"\\{sign}{{{name}}}")]

    def named(self, character: str) -> str:
        """What a character behind a backslash means."""
        if character in CONTROLS:
            return CONTROLS[character]
        if character == "x":
            return self.of_number()
        if character not in string.punctuation:
            raise ReservedPattern(self.pattern)
        return character

    def of_number(self) -> str:
        r"""The character of `\x41` or `\x{1F600}`."""
        digits = NUMBER.match(self.pattern, self.at)
        if digits is None:
            raise ReservedPattern(self.pattern)
        self.at = digits.end()
        number = int(digits[1] or digits[2], 16)
        if number > LAST or number in HALVES:
            raise ReservedPattern(self.pattern)
        return chr(number)

    def of_class(self) -> object:
        is_other, found, is_first = self.take("^"), Ranges(), True
        while is_first or self.next() != "]":
            found, is_first = [*found, *self.item()], False
        self.at += 1
        values = self.cases(found)
        return of_ranges(others(values) if is_other else values)

    def item(self) -> Ranges:
        if self.take("[:"):
            name, _, _ = self.pattern[self.at :].partition(":]")
            if name not in NAMED:
                raise ReservedPattern(self.pattern)
            self.at += len(name) + 2
            return self.alone(ranges_of(NAMED[name]))
        first, is_first = self.taken(), self.pattern[self.at - 2] in "[^"
        if first == "-" and not is_first and self.next() != "]":
            raise ReservedPattern(self.pattern)
        if first == "\\" and self.next().lower() in PERL:
            values = ranges_of(PERL[self.next().lower()])
            return self.alone(values if self.taken().islower() else others(values))
        if first == "\\" and self.next() in ("p", "P"):
            return self.alone(self.of_property(self.taken()))
        low = self.in_class(first)
        if self.next() != "-" or self.next(2) == "-]":
            return [(low, low)]
        self.at += 1
        high = self.in_class(self.taken())
        if high < low or self.pattern[self.at - 1] == "[":
            raise ReservedPattern(self.pattern)
        return [(low, high)]

    def alone(self, values: Ranges) -> Ranges:
        """A class, which begins no range."""
        if self.next() == "-" and self.next(2) != "-]":
            raise ReservedPattern(self.pattern)
        return values

    def in_class(self, character: str) -> int:
        if character == "\\":
            character = self.named(self.taken())
        return ord(character)

    def counted(self, part: object) -> object:
        """With how often it is there."""
        counts: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
        if self.next() == "{":
            least, most = self.limits()
        elif self.at < len(self.pattern) and self.next() in counts:
            least, most = counts[self.taken()]
        else:
            return part
        if isinstance(part, Assertion):
            raise ReservedPattern(self.pattern)
        is_greedy = not self.take("?")
        if self.at < len(self.pattern) and self.next() in "*+?{":
            raise ReservedPattern(self.pattern)
        if may_be_empty(part) and most != 1:
            raise ReservedPattern(self.pattern)
        return CountedPart(part, least, most, is_greedy)

    def limits(self) -> tuple[int, int | None]:
        limits = LIMITS.match(self.pattern, self.at)
        if limits is None:
            raise ReservedPattern(self.pattern)
        self.at = limits.end()
        least, comma, most = limits.groups()
        low = int(least)
        high = int(most) if most else None if comma else low
        if max(low, high or 0) > MOST_COUNTED or (high is not None and high < max(low, 1)):
            raise ReservedPattern(self.pattern)
        return low, high


def asks(part: object) -> bool:
    """Whether it has assertions."""
    match part:
        case OneByte():
            return False
        case InTurn(parts) | Alternatives(parts):
            return any(map(asks, parts))
        case CountedPart(inner) | NotedGroup(inner):
            return asks(inner)
        case Assertion():
            return True
        case _:
            raise TypeError(part)


def may_be_empty(part: object) -> bool:
    """Whether nothing matches it."""
    match part:
        case OneByte():
            return False
        case InTurn(parts):
            return all(map(may_be_empty, parts))
        case Alternatives(parts):
            return any(map(may_be_empty, parts))
        case CountedPart(inner, least):
            return least == 0 or may_be_empty(inner)
        case NotedGroup(inner):
            return may_be_empty(inner)
        case Assertion():
            return True
        case _:
            raise TypeError(part)
