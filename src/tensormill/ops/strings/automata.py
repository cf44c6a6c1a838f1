"""Regular expressions of RE2's as automata of bytes, which compiled functions run.

What would be large is RE2's, and what `patterns.py` does not read. Of several matches that begin
at one place the first one in the order of alternatives counts (as in Perl): a state is a list of
threads in their order, and what comes behind a thread that matches is cut off.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from enum import Enum
from functools import cache, lru_cache
from typing import Any, Final

from ...core.process.named_tuples import NamedTuple
from .patterns import (
    WORD,
    Alternatives,
    Assertion,
    Bytes,
    CountedPart,
    InTurn,
    NotedGroup,
    OneByte,
    ParsedPattern,
    PatternParser,
    ReservedPattern,
    may_be_empty,
)

MOST_NODES: Final = 4000
MOST_MOVES: Final = 1 << 15  # entries of a table, whose numbers have 16 bits
MOST_GROUPS: Final = 4


# ---------------------------------------------------------------- threads


class ThreadNode(NamedTuple):
    """One step of a thread: it takes a byte, or goes on in several ways, the best one first, or
    notes where it is (`saves`), or goes on at some places only (`asks`), or has matched.
    """

    values: Bytes = frozenset()
    ways: tuple[int, ...] = ()
    saves: int | None = None
    asks: str = ""


class Threads:
    """The steps of a pattern: node 0 has matched."""

    def __init__(self, whole: object) -> None:
        self.nodes: list[ThreadNode] = [ThreadNode()]
        self.numbers: dict[ThreadNode, int] = {}
        self.first = self.made(whole, 0)

    def add(self, node: ThreadNode) -> int:
        """Its number. Equal nodes are one: so are the last bytes of many characters."""
        return self.numbers.get(node) or self.numbers.setdefault(node, self.add_new(node))

    def add_new(self, node: ThreadNode) -> int:
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
            case Assertion(place):
                return self.add(ThreadNode(ways=(after,), asks=place))
            case _:
                raise TypeError(part)

    def repeated(self, part: CountedPart, after: int) -> int:
        end = after
        if part.most is None:
            after = self.add_new(ThreadNode())
            self.nodes[after] = self.way(part, self.made(part.part, after), end)
        for _ in range((part.most or part.least) - part.least):
            after = self.add(self.way(part, self.made(part.part, after), end))
        for _ in range(part.least):
            after = self.made(part.part, after)
        return after

    def way(self, part: CountedPart, again: int, end: int) -> ThreadNode:
        return ThreadNode(ways=(again, end) if part.is_greedy else (end, again))

    def after(self, nodes: Iterable[int], byte: int) -> tuple[int, ...]:
        """Where those go on that take a byte."""
        found = [self.nodes[one] for one in nodes]
        return tuple([one.ways[0] for one in found if byte in one.values])

    def reached(
        self, starts: Iterable[int], cuts: bool, place: tuple[Beside, Beside] | None = None
    ) -> dict[int, tuple[int, ...]]:
        """The nodes that take a byte or have matched, in their order, with what is noted on the
        way; `cuts`: without those behind the one that has matched. Nodes that ask for a `place`
        are among them as long as it is not known.
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
            if number == 0 or node.values or (node.asks and place is None):
                found[number] = noted
                if number == 0 and cuts:
                    break
                continue
            if node.asks and place is not None and node.asks not in names_of(*place):
                continue
            noted = noted if node.saves is None else (*noted, node.saves)
            left += [(one, noted) for one in reversed(node.ways)]
        return found


class Beside(Enum):
    """What is on one side of a place: a letter of words, another byte, or no more text."""

    WORD = 0
    OTHER = 1
    NOTHING = 2

    @staticmethod
    def of_byte(byte: int) -> Beside:
        return Beside.WORD if byte in WORD else Beside.OTHER


def names_of(before: Beside, after: Beside) -> Iterator[str]:
    """What a place is (`Assertion`)."""
    yield "inside" if (before is Beside.WORD) == (after is Beside.WORD) else "edge"
    if before is Beside.NOTHING:
        yield "begins"
    if after is Beside.NOTHING:
        yield "ends"


# ---------------------------------------------------------------- automata


class Automaton(NamedTuple):
    """A table for each state, of which 0 is dead and 1 the first one.

    `classes[byte]` is the column of a byte; `moves[state * width + column]` the next state;
    `accepts[state]` whether it has matched. Where groups are noted, `saves` has a bit for each end
    of a group that is noted before a move, and `ends` those that are noted where a state has
    matched. What asks for places has a column more, the last one, for where a text ends; there
    `shows[state * width + column]` tells whether it has matched before that column's byte, and
    `firsts[column]` is the first state behind a byte.
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
    shows: tuple[bool, ...] = ()
    firsts: tuple[int, ...] = ()

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
            return None if parsed.asks else _with_groups(parsed, threads)
        made = _asking if parsed.asks else _of_threads
        return made(parsed, threads, cuts=not (is_whole or parsed.ends))
    except ReservedPattern:
        return None


def _columns(threads: Threads, asks: bool = False) -> tuple[tuple[int, ...], list[int]]:
    """The column of each byte, and a byte of each column: bytes that no node tells apart share
    one.
    """
    sets = [*{node.values for node in threads.nodes if node.values}]
    sets += [WORD] if asks else []
    known: dict[tuple[bool, ...], int] = {}
    classes: list[int] = []
    samples: list[int] = []
    for byte in range(256):
        column = known.setdefault(tuple([byte in one for one in sets]), len(known))
        if column == len(samples):
            samples.append(byte)
        classes.append(column)
    return tuple(classes), samples


class MoveTable:
    """The states of an automaton, each by what it is made of, and their moves."""

    def __init__(self, width: int) -> None:
        self.numbers: dict[Hashable, int] = {}
        self.listed: list[Any] = []
        self.moves = [0] * width

    def number(self, state: Hashable) -> int:
        """The number of a state, 0 for an empty one, which is dead."""
        if not state:
            return 0
        if state not in self.numbers:
            self.listed.append(state)
            self.numbers[state] = len(self.listed)
        return self.numbers[state]

    def add(self, moves: Iterable[int]) -> None:
        self.moves += moves
        if len(self.moves) > MOST_MOVES:
            raise ReservedPattern


def _of_threads(parsed: ParsedPattern, threads: Threads, cuts: bool) -> Automaton:
    classes, samples = _columns(threads)
    table = MoveTable(len(samples))
    number = cache(lambda ways: table.number(tuple(threads.reached(ways, cuts))))
    number((threads.first,))
    for state in table.listed:
        table.add(number(threads.after(state, byte)) for byte in samples)
    return Automaton(
        classes, len(samples), tuple(table.moves),
        tuple([0 in state for state in ((), *table.listed)]),
        parsed.begins, parsed.ends, may_be_empty(parsed.whole), parsed.groups,
    )  # fmt: skip


def _asking(parsed: ParsedPattern, threads: Threads, cuts: bool) -> Automaton:
    """A state is what was before and nodes, some of which ask what comes then: that is known when
    it moves.
    """
    classes, samples = _columns(threads, asks=True)
    width = len(samples) + 1
    table = MoveTable(width)
    shows = [False] * width

    @cache
    def number(before: Beside, ways: tuple[int, ...]) -> int:
        nodes = tuple(threads.reached(ways, cuts))
        asks = any(threads.nodes[one].asks for one in nodes)
        return table.number(nodes and (before if asks else None, nodes))

    @cache
    def known(before: Beside | None, nodes: tuple[int, ...], after: Beside) -> tuple[int, ...]:
        place = (Beside.OTHER if before is None else before, after)
        return tuple(threads.reached(nodes, cuts, place))

    first = (threads.first,)
    number(Beside.NOTHING, first)
    firsts = [number(Beside.of_byte(byte), first) for byte in samples]
    for before, nodes in table.listed:
        moves: list[int] = []
        for byte in samples:
            beside = Beside.of_byte(byte)
            found = known(before, nodes, beside)
            shows.append(0 in found)
            moves.append(number(beside, threads.after(found, byte)))
        shows.append(0 in known(before, nodes, Beside.NOTHING))
        table.add([*moves, 0])
    accepts = [all(shows[at : at + width]) for at in range(0, len(shows), width)]
    return Automaton(
        classes, width, tuple(table.moves), tuple(accepts), parsed.begins, parsed.ends,
        may_be_empty(parsed.whole), parsed.groups, shows=tuple(shows), firsts=tuple(firsts),
    )  # fmt: skip


def _with_groups(parsed: ParsedPattern, threads: Threads) -> Automaton | None:
    """Where each byte leaves one thread at most: its notes are those of the match."""
    if parsed.ends or not 0 < parsed.groups <= MOST_GROUPS:
        return None
    classes, samples = _columns(threads)
    table = MoveTable(len(samples))
    table.number((threads.first,))
    saves, accepts, ends = [0] * len(samples), [False], [0]
    for state in table.listed:
        found = threads.reached(state, cuts=True)
        accepts.append(0 in found)
        ends.append(_bits(found.get(0, ())))
        moves: list[int] = []
        for byte in samples:
            ways = threads.after(found, byte)
            if len(ways) > 1:
                return None
            moves.append(table.number(ways))
            saves.append(
                _bits(*[noted for one, noted in found.items() if threads.after([one], byte)])
            )
        table.add(moves)
    return Automaton(
        classes, len(samples), tuple(table.moves), tuple(accepts), parsed.begins, parsed.ends,
        may_be_empty(parsed.whole), parsed.groups, tuple(saves), tuple(ends),
    )  # fmt: skip


def _bits(numbers: Iterable[int] = ()) -> int:
    return sum(1 << number for number in set(numbers))
