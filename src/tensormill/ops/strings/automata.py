"""Regular expressions of RE2's as automata of bytes, which compiled functions run.

Read are literals, classes, groups, alternatives, counts, `^` before and `$` behind all of it, and
whether case counts (`(?i)`) or a dot is any character (`(?s)`); what else a pattern has, or what
would be large, is RE2's. Of several matches that begin at one place the
first one in the order of alternatives counts (as in Perl): a state is a list of threads in their
order, and what comes behind a thread that matches is cut off.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from ...core.process.named_tuples import NamedTuple

MOST_NODES: Final = 400
MOST_MOVES: Final = 1 << 13  # entries of a table
MOST_COUNTED: Final = 20  # repetitions, each of which is written out
MOST_GROUPS: Final = 4

Bytes = frozenset[int]
Ranges = list[tuple[int, int]]  # of characters, both ends among them


class ReservedPattern(Exception):
    """A pattern that only RE2 knows."""


# ---------------------------------------------------------------- what a pattern consists of


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


class ParsedPattern(NamedTuple):
    """A pattern: what it consists of, how many groups it has, and where it is anchored."""

    whole: object
    groups: int
    begins: bool
    ends: bool


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


class PatternParser:
    """Reads a pattern from its beginning on."""

    def __init__(self, pattern: str) -> None:
        self.pattern, self.at, self.groups = pattern, 0, 0
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
        begins = self.take("^")
        whole, ends = self.alternatives(), self.take("$")
        is_one = not isinstance(whole, Alternatives)
        if self.at < len(self.pattern) or ((begins or ends) and not is_one):
            raise ReservedPattern(self.pattern)
        return ParsedPattern(whole, self.groups, begins, ends)

    def alternatives(self) -> object:
        found = [self.sequence()]
        while self.take("|"):
            found.append(self.sequence())
        return found[0] if len(found) == 1 else Alternatives(tuple(found))

    def sequence(self) -> object:
        found: list[object] = []
        while self.at < len(self.pattern) and self.next() not in "|)$":
            found.append(self.counted(self.one()))
        return found[0] if len(found) == 1 else InTurn(tuple(found))

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
        if character in "*+?{}]^":  # literals at some places, mistakes at others
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
        part = self.alternatives()
        self.flags = before
        if not self.take(")"):
            raise ReservedPattern(self.pattern)
        return part if number is None else NotedGroup(part, number)

    def escaped(self) -> object:
        character = self.taken()
        if character.lower() in PERL:
            values = self.cases(ranges_of(PERL[character.lower()]))
            return of_ranges(values if character.islower() else others(values))
        return self.literal(self.named(character))

    def named(self, character: str) -> str:
        """What a character behind a backslash means."""
        if character in CONTROLS:
            return CONTROLS[character]
        if character not in string.punctuation:
            raise ReservedPattern(self.pattern)
        return character

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
            return self.alone(NAMED[name])
        first, is_first = self.taken(), self.pattern[self.at - 2] in "[^"
        if first == "-" and not is_first and self.next() != "]":
            raise ReservedPattern(self.pattern)
        if first == "\\" and self.next() in PERL:
            return self.alone(PERL[self.taken()])
        low = self.in_class(first)
        if self.next() != "-" or self.next(2) == "-]":
            return [(low, low)]
        self.at += 1
        high = self.in_class(self.taken())
        if high < low or self.pattern[self.at - 1] == "[":
            raise ReservedPattern(self.pattern)
        return [(low, high)]

    def alone(self, values: Bytes) -> Ranges:
        """A class, which begins no range."""
        if self.next() == "-" and self.next(2) != "-]":
            raise ReservedPattern(self.pattern)
        return ranges_of(values)

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
        is_greedy = not self.take("?")
        if self.at < len(self.pattern) and self.next() in "*+?{":
            raise ReservedPattern(self.pattern)
        if may_be_empty(part) and most != 1:
            raise ReservedPattern(self.pattern)
        return CountedPart(part, least, most, is_greedy)

    def limits(self) -> tuple[int, int | None]:
        inside, end, _ = self.pattern[self.at + 1 :].partition("}")
        least, comma, most = inside.partition(",")
        if not end or not least.isdecimal() or (most and not most.isdecimal()):
            raise ReservedPattern(self.pattern)
        self.at += len(inside) + 2
        low = int(least)
        high = int(most) if most else None if comma else low
        if max(low, high or 0) > MOST_COUNTED or (high is not None and high < max(low, 1)):
            raise ReservedPattern(self.pattern)
        return low, high


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
        case _:
            raise TypeError(part)


# ---------------------------------------------------------------- threads


class ThreadNode(NamedTuple):
    """One step of a thread: it takes a byte, or goes on in several ways, the best one first, or
    notes where it is (`saves`), or has matched.
    """

    values: Bytes = frozenset()
    ways: tuple[int, ...] = ()
    saves: int | None = None


class Threads:
    """The steps of a pattern: node 0 has matched."""

    def __init__(self, whole: object) -> None:
        self.nodes: list[ThreadNode] = [ThreadNode()]
        self.first = self.made(whole, 0)

    def add(self, node: ThreadNode) -> int:
        if len(self.nodes) >= MOST_NODES:
            raise ReservedPattern
        self.nodes.append(node)
        return len(self.nodes) - 1

    def made(self, part: object, after: int) -> int:
        """The node that a part begins with; it goes on with the node `after`."""
        match part:
            case OneByte(values):
                return self.add(ThreadNode(values, (after,)))
            case InTurn(parts):
                for one in reversed(parts):
                    after = self.made(one, after)
                return after
            case Alternatives(parts):
                return self.add(ThreadNode(ways=tuple([self.made(one, after) for one in parts])))
            case NotedGroup(inner, number):
                end = self.add(ThreadNode(ways=(after,), saves=2 * number - 1))
                return self.add(ThreadNode(ways=(self.made(inner, end),), saves=2 * number - 2))
            case CountedPart():
                return self.repeated(part, after)
            case _:
                raise TypeError(part)

    def repeated(self, part: CountedPart, after: int) -> int:
        end = after
        if part.most is None:
            after = self.add(ThreadNode())
            self.nodes[after] = self.way(part, self.made(part.part, after), end)
        for _ in range((part.most or part.least) - part.least):
            after = self.add(self.way(part, self.made(part.part, after), end))
        for _ in range(part.least):
            after = self.made(part.part, after)
        return after

    def way(self, part: CountedPart, again: int, end: int) -> ThreadNode:
        return ThreadNode(ways=(again, end) if part.is_greedy else (end, again))

    def reached(self, starts: Iterable[int], cuts: bool) -> dict[int, tuple[int, ...]]:
        """The nodes that take a byte or have matched, in their order, with what is noted on the
        way; `cuts`: without those behind the one that has matched.
        """
        found: dict[int, tuple[int, ...]] = {}
        seen: set[int] = set()
        left = [(one, ()) for one in reversed([*starts])]
        while left:
            number, noted = left.pop()
            if number in seen:
                continue
            seen.add(number)
            node = self.nodes[number]
            if number == 0 or node.values:
                found[number] = noted
                if number == 0 and cuts:
                    break
                continue
            noted = noted if node.saves is None else (*noted, node.saves)
            left += [(one, noted) for one in reversed(node.ways)]
        return found


# ---------------------------------------------------------------- automata


class Automaton(NamedTuple):
    """A table for each state, of which 0 is dead and 1 the first one. `classes[byte]` is the column
    of a byte; `moves[state * width + column]` the next state. `accepts[state]`: whether it has
    matched. Where groups are noted, `saves` has a bit for each end of a group that is noted before
    a move, and `ends` those that are noted where a state has matched.
    """

    classes: tuple[int, ...]
    width: int
    moves: tuple[int, ...]
    accepts: tuple[bool, ...]
    begins: bool  # only at the beginning of a text
    ends_text: bool  # only at its end
    is_nullable: bool
    groups: int
    saves: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()

    @property
    def is_bounded(self) -> bool:
        """Whether it looks at few bytes beyond a match, or without one: no state that has not
        matched is reached from itself by such.
        """
        before: dict[int, set[int]] = {}
        for state in range(1, len(self.accepts)):
            after = self.moves[state * self.width : (state + 1) * self.width]
            before[state] = {
                one for one in after if one and (self.ends_text or not self.accepts[one])
            }
        left = {state for state in before if self.ends_text or not self.accepts[state]}
        while ended := {state for state in left if not before[state] & left}:
            left -= ended
        return not left


@lru_cache(256)
def automaton(pattern: str, is_whole: bool, noted: bool = False) -> Automaton | None:
    """The automaton of a pattern, `is_whole`: of texts that match as a whole, `noted`: that notes
    groups; None where it is RE2's, or where groups depend on what comes later.
    """
    try:
        parsed = PatternParser(pattern).parsed()
        threads = Threads(parsed.whole)
        if noted:
            return _with_groups(parsed, threads)
        return _of_threads(parsed, threads, cuts=not (is_whole or parsed.ends))
    except ReservedPattern:
        return None


def _columns(threads: Threads) -> tuple[tuple[int, ...], list[int]]:
    """The column of each byte, and a byte of each column: bytes that no node tells apart share
    one.
    """
    sets = [node.values for node in dict.fromkeys(threads.nodes) if node.values]
    known: dict[tuple[bool, ...], int] = {}
    classes: list[int] = []
    samples: list[int] = []
    for byte in range(256):
        column = known.setdefault(tuple([byte in one for one in sets]), len(known))
        if column == len(samples):
            samples.append(byte)
        classes.append(column)
    return tuple(classes), samples


def _of_threads(parsed: ParsedPattern, threads: Threads, cuts: bool) -> Automaton:
    classes, samples = _columns(threads)
    first = tuple(threads.reached([threads.first], cuts))
    states, moves = {(): 0, first: 1}, [0] * len(samples)
    listed = [first]
    for state in listed:
        for byte in samples:
            ways = [
                threads.nodes[one].ways[0] for one in state if byte in threads.nodes[one].values
            ]
            after = tuple(threads.reached(ways, cuts))
            if after not in states:
                states[after] = len(states)
                listed.append(after)
            moves.append(states[after])
        if len(moves) > MOST_MOVES:
            raise ReservedPattern
    return Automaton(
        classes, len(samples), tuple(moves), tuple([0 in state for state in states]),
        parsed.begins, parsed.ends, may_be_empty(parsed.whole), parsed.groups,
    )  # fmt: skip


def _with_groups(parsed: ParsedPattern, threads: Threads) -> Automaton | None:
    """Where each byte leaves one thread at most: its notes are those of the match."""
    if parsed.ends or not 0 < parsed.groups <= MOST_GROUPS:
        return None
    classes, samples = _columns(threads)
    states, listed = {-1: 0, threads.first: 1}, [threads.first]
    moves, saves = [0] * len(samples), [0] * len(samples)
    accepts, ends = [False], [0]
    for start in listed:
        found = threads.reached([start], cuts=True)
        accepts.append(0 in found)
        ends.append(_bits(found.get(0, ())))
        for byte in samples:
            ways = [one for one in found if byte in threads.nodes[one].values]
            if len(ways) > 1:
                return None
            after = threads.nodes[ways[0]].ways[0] if ways else -1
            if after not in states:
                states[after] = len(states)
                listed.append(after)
            moves.append(states[after])
            saves.append(_bits(found[ways[0]]) if ways else 0)
        if len(moves) > MOST_MOVES:
            raise ReservedPattern
    return Automaton(
        classes, len(samples), tuple(moves), tuple(accepts), parsed.begins, parsed.ends,
        may_be_empty(parsed.whole), parsed.groups, tuple(saves), tuple(ends),
    )  # fmt: skip


def _bits(numbers: Iterable[int]) -> int:
    return sum(1 << number for number in set(numbers))
