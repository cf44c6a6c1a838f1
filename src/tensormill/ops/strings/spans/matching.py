"""Texts that match regular expressions, and what is replaced in them, where they lie: by automata
(strings/automata.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as numpy_module

from ....core import dtypes
from ....core.specs import TensorSpec
from ...lowering import Scalar
from ...op import Attr, In, Op, Out
from ...origins import Origin
from ..automata import Automaton, automaton
from .spans import BYTE, LONG, copy, laid_out, spans_in, strings_of

ENTRY: Final = dtypes.uint16
IN_MEMORY: Final = 65  # entries of a table, at least: shorter ones would be kept in registers
# Bytes that are looked at for each one that there is; beyond that a text is doubtful. RE2 needs
# one look at each, where an automaton begins anew at every place.
MOST_LOOKS, FREE_LOOKS = 16, 256
NOWHERE: Final = -1


class MatchSpans(Op):
    """Which strings a pattern matches as a whole."""

    starts = In("i64 *s")
    stops = In("i64 *s")
    bytes = In("u8 n")
    output = Out("bool *s")
    pattern = Attr()
    origin = Origin.COMPILER
    differentiable = False

    def eager(self, np: Any) -> Any:
        texts = strings_of(self.starts, self.stops, self.bytes)
        it = required(self.pattern, is_whole=True)
        found = [longest(it, text, 0)[0] == len(text) for text in texts.reshape(-1).tolist()]
        return np.array(found, np.bool_).reshape(texts.shape)

    def lower(self, loops: Any) -> Any:
        starts, stops, row = (loops.kept(one) for one in (self.starts, self.stops, self.bytes))
        tables = AutomatonTables(loops, row, required(self.pattern, is_whole=True))
        found = loops.memory(starts.shape, dtypes.bool_)

        def look(*k: Any) -> None:
            start, stop = (loops.held(one[k]) for one in (starts, stops))
            _, entry = loops.repeat(
                (start, tables.first), lambda at, entry: (at < stop) & (entry != 0),
                lambda at, entry: (at + 1, tables.moved(tables.place(entry, at))),
            )  # fmt: skip
            loops.put(found, k, tables.has_matched(entry))

        loops.for_each(starts.shape, look)
        return found


def required(pattern: str, is_whole: bool, noted: bool = False) -> Automaton:
    found = automaton(pattern, is_whole, noted)
    assert found is not None  # who binds such an operation has asked
    return found


def longest(it: Automaton, text: bytes, begin: int) -> tuple[int, list[int]]:
    """Where what matches at a place ends, and where its groups do: each begins and ends, or is
    `NOWHERE`: the slow twin of `Matcher`.
    """
    if it.shows:
        return shown(it, text, begin), []
    noted, kept = [NOWHERE] * 2 * it.groups, [NOWHERE] * 2 * it.groups
    state, end = 1, begin if it.accepts[1] else NOWHERE
    for at in range(begin, len(text)):
        place = state * it.width + it.classes[text[at]]
        state = it.moves[place]
        if it.saves:
            noted = [at if it.saves[place] >> k & 1 else one for k, one in enumerate(noted)]
        if it.accepts[state] and not (it.ends_text and at + 1 < len(text)):
            end, kept = at + 1, noted
            if it.ends:
                kept = [at + 1 if it.ends[state] >> k & 1 else one for k, one in enumerate(noted)]
        if not state:
            break
    return end, kept


def shown(it: Automaton, text: bytes, begin: int) -> int:
    """Where what matches at a place ends, where an automaton asks for places."""
    state, end = it.firsts[it.classes[text[begin - 1]]] if begin else 1, NOWHERE
    for at in range(begin, len(text) + 1):
        column = it.classes[text[at]] if at < len(text) else it.width - 1
        place = state * it.width + column
        end = at if it.shows[place] else end
        state = it.moves[place]
    return end


class ReplaceMatches(Op):
    """What matches a pattern replaced by `pieces`, bytes or numbers of groups (0: all of it); only
    what does so first, if not `everywhere`. `doubtful`: where looking took too long.
    """

    starts = In("i64 *s")
    stops = In("i64 *s")
    bytes = In("u8 n")
    new_starts = Out("i64 *s")
    new_stops = Out("i64 *s")
    replaced = Out("u8 m")
    doubtful = Out("bool *s")
    pattern = Attr()
    pieces = Attr()
    everywhere = Attr()
    origin = Origin.COMPILER
    differentiable = False

    def infer(self) -> Any:
        places = TensorSpec(self.starts.shape, LONG)
        doubtful = TensorSpec(self.starts.shape, dtypes.bool_)
        return places, places, TensorSpec((None,), BYTE), doubtful

    @property
    def automaton(self) -> Automaton:
        return required(self.pattern, is_whole=False, noted=any(map(is_group, self.pieces)))

    def eager(self, np: Any) -> Any:
        texts = strings_of(self.starts, self.stops, self.bytes)
        made = np.empty(texts.shape, object)
        for place in np.ndindex(texts.shape):
            made[place] = self.of_text(texts[place])
        return *spans_in(made), np.zeros(texts.shape, np.bool_)

    def of_text(self, text: Any) -> Any:
        it, found, at, done = self.automaton, b"", 0, 0
        while at < len(text) and not (it.begins and at):
            end, groups = longest(it, text, at)
            if end < 0:
                at += 1
                continue
            limits = [at, end, *groups]
            found += text[done:at]
            for piece in self.pieces:
                if isinstance(piece, str):
                    found += piece.encode("latin-1")
                elif limits[2 * piece] >= 0:
                    found += text[limits[2 * piece] : limits[2 * piece + 1]]
            at = done = end
            if not self.everywhere:
                break
        return found + text[done:]

    def lower(self, loops: Any) -> Any:
        """Twice through all strings: how long they become, and what they are."""
        starts, stops, row = (loops.kept(one) for one in (self.starts, self.stops, self.bytes))
        s, zero = loops.scalars, loops.constant(0, LONG)
        lengths, doubtful = (
            loops.memory(starts.shape, LONG),
            loops.memory(starts.shape, dtypes.bool_),
        )
        search = MatchSearch(loops, row, self.automaton, self.everywhere)
        pieces = [NewPiece(loops, row, one) for one in self.pieces]

        def measure(*k: Any) -> None:
            def found(hit: Scalar, done: Scalar, limits: Sequence[Scalar], size: Scalar) -> Scalar:
                grown = limits[0] - limits[1]
                for piece in pieces:
                    first, last = piece.limits(limits)
                    grown = grown + (last - first)
                return size + s.where(hit, grown, zero)

            start, stop = loops.held(starts[k]), loops.held(stops[k])
            _, size, is_doubtful = search(start, stop, zero, found)
            loops.put(lengths, k, size + (stop - start))
            loops.put(doubtful, k, is_doubtful)

        loops.for_each(starts.shape, measure)
        made, until, room = laid_out(loops, starts.shape, lambda *k: lengths[k])

        def write(*k: Any) -> None:
            def found(hit: Scalar, done: Scalar, limits: Sequence[Scalar], place: Scalar) -> Scalar:
                parts = [
                    (row, (done, limits[0])),
                    *[(one.row, one.limits(limits)) for one in pieces],
                ]
                for source, (first, last) in parts:
                    first, last = loops.held(first), loops.held(s.where(hit, last, first))
                    copy(loops, room, place, source, first, last)
                    place = loops.held(place + (last - first))
                return place

            stop = loops.held(stops[k])
            done, place, _ = search(loops.held(starts[k]), stop, loops.held(made[k]), found)
            copy(loops, room, place, row, done, stop)

        loops.for_each(starts.shape, write)
        return made, until, room, doubtful


def is_group(piece: Any) -> bool:
    return isinstance(piece, int) and piece > 0


class NewPiece:
    """What a match is replaced by: a text, or a part of it."""

    def __init__(self, loops: Any, row: Any, piece: Any) -> None:
        self.loops, self.piece, self.row = loops, piece, row
        if isinstance(piece, str):
            text = numpy_module.frombuffer(piece.encode("latin-1"), numpy_module.uint8)
            self.row = loops.literal_array(text, BYTE)

    def limits(self, limits: Sequence[Scalar]) -> tuple[Scalar, Scalar]:
        """Where it begins and ends in its row."""
        loops, zero = self.loops, self.loops.constant(0, LONG)
        if isinstance(self.piece, str):
            return zero, zero + self.row.shape[0]
        first, last = limits[2 * self.piece : 2 * self.piece + 2]
        is_there = loops.held(first >= 0)
        none = loops.scalars.where(is_there, first, zero)
        return none, loops.scalars.where(is_there, last, zero)


class AutomatonTables:
    """The tables of an automaton. An entry is where the table of the next state begins, by two,
    and one more where that has matched; 0: it is dead.
    """

    def __init__(self, loops: Any, row: Any, it: Automaton) -> None:
        self.loops, self.row, self.it = loops, row, it
        entries = [self.entry(one) for one in it.moves]
        self.entries = self.table(entries, numpy_module.uint16)
        self.classes = self.table(it.classes, numpy_module.uint8)
        self.first = loops.constant(self.entry(1), LONG)
        firsts = {1, *it.firsts}
        begins = [any(it.moves[it.width * one + column] for one in firsts) for column in it.classes]
        self.begins = self.table(begins, numpy_module.uint8)
        self.only = loops.constant(begins.index(True), BYTE) if sum(begins) == 1 else None
        self.saves = self.table(it.saves, numpy_module.uint8)
        ends = [one for state in it.ends for one in (state, *[0] * (it.width - 1))]
        self.ends = self.table(ends, numpy_module.uint8)

        self.shows = self.table(it.shows, numpy_module.uint8)
        behind = [self.entry(it.firsts[column]) for column in it.classes] if it.firsts else []
        self.behind = self.table(behind, numpy_module.uint16)

    def entry(self, state: int) -> int:
        return 2 * self.it.width * state + (self.it.accepts[state] and not self.it.shows)

    def table(self, values: Sequence[int], kind: Any) -> Any:
        room = numpy_module.zeros(max(len(values), IN_MEMORY), kind)
        room[: len(values)] = values
        return self.loops.literal_array(room, BYTE if kind is numpy_module.uint8 else ENTRY)

    def byte(self, at: Scalar) -> Scalar:
        return self.loops.scalars.cast(self.row[(at,)], LONG)

    def begun(self, at: Scalar, start: Scalar) -> Scalar:
        """The first entry of what begins there, in a text that begins at `start`."""
        if not self.it.firsts:
            return self.first
        s, is_first = self.loops.scalars, self.loops.held(at == start)
        before = self.byte(self.loops.held(s.where(is_first, at, at - 1)))
        return s.where(is_first, self.first, s.cast(self.behind[(before,)], LONG))

    def place(self, entry: Scalar, at: Scalar) -> Scalar:
        """Where a state's move by the byte there stands."""
        column = self.loops.scalars.cast(self.classes[(self.byte(at),)], LONG)
        return self.loops.held(self.row_of(entry) + column)

    def place_until(self, entry: Scalar, at: Scalar, stop: Scalar) -> Scalar:
        """The same, also behind the last byte of a text, which has some."""
        s, is_end = self.loops.scalars, self.loops.held(at == stop)
        byte = self.byte(self.loops.held(s.where(is_end, at - 1, at)))
        column = s.cast(self.classes[(byte,)], LONG)
        last = self.loops.constant(self.it.width - 1, LONG)
        return self.loops.held(self.row_of(entry) + s.where(is_end, last, column))

    def row_of(self, entry: Scalar) -> Scalar:
        return self.loops.scalars.right_shift(entry, self.loops.constant(1, LONG))

    def shown(self, place: Scalar) -> Scalar:
        """Whether something has matched before the byte of a move."""
        return self.shows[(place,)] != self.loops.constant(0, BYTE)

    def has_matched(self, entry: Scalar) -> Scalar:
        """Whether it has, where a text ends."""
        if self.it.shows:
            return self.shown(self.loops.held(self.row_of(entry) + self.it.width - 1))
        return self.loops.scalars.cast(entry & 1, dtypes.bool_)

    def moved(self, place: Scalar) -> Scalar:
        return self.loops.scalars.cast(self.entries[(place,)], LONG)

    def may_begin(self, at: Scalar) -> Scalar:
        """Whether the byte there begins a match."""
        if self.only is not None:
            return self.row[(at,)] == self.only
        return self.begins[(self.loops.scalars.cast(self.row[(at,)], LONG),)] != 0


class MatchSearch:
    """Goes through a string: `found(hit, done, limits, state)` is told what is replaced: from
    limits[0] to limits[1], where `hit`, and the limits of its groups; what was before is `done`
    until there. Gives what is done in the end, the state, and whether it was given up.
    """

    def __init__(self, loops: Any, row: Any, it: Automaton, everywhere: bool) -> None:
        self.loops, self.it, self.everywhere = loops, it, everywhere
        self.tables = AutomatonTables(loops, row, it)

    def __call__(
        self, start: Scalar, stop: Scalar, state: Scalar, found: Callable[..., Scalar]
    ) -> tuple[Scalar, Scalar, Scalar]:
        loops, s, no = self.loops, self.loops.scalars, self.loops.constant(False, dtypes.bool_)
        most = loops.held((stop - start) * MOST_LOOKS + FREE_LOOKS)
        yes = loops.constant(True, dtypes.bool_)

        def skipped(at: Scalar) -> Scalar:
            def is_none(place: Scalar) -> Scalar:
                return s.where(place < stop, s.logical_not(self.tables.may_begin(place)), no)

            return loops.repeat((at,), is_none, lambda place: (place + 1,))[0]

        def step(at: Scalar, done: Scalar, looks: Scalar, state: Scalar) -> tuple[Scalar, ...]:
            if not self.it.begins:
                at = skipped(at)
            end, last, groups = self.matched(at, start, stop)
            hit = loops.held(end >= 0)
            state = found(hit, done, (at, end, *groups), state)
            after = s.where(hit, end if self.everywhere else stop, at + 1)
            after = stop if self.it.begins else after
            return after, s.where(hit, end, done), looks + (last - at), state

        begin = (start, start, loops.constant(0, LONG), state)
        at, done, _, state = loops.repeat(
            begin,
            lambda at, _, looks, __: (at < stop) & (yes if self.it.is_bounded else looks <= most),
            step,
        )
        return loops.held(done), loops.held(state), loops.held(at < stop)

    def matched(
        self, begin: Scalar, start: Scalar, stop: Scalar
    ) -> tuple[Scalar, Scalar, Sequence[Scalar]]:
        """Where what matches at a place ends, how far was looked, and the limits of groups."""
        if self.it.shows:
            return self.shown(begin, start, stop)
        loops, s, it, tables = self.loops, self.loops.scalars, self.it, self.tables
        count = 2 * it.groups if it.saves else 0
        none = loops.constant(NOWHERE, LONG)

        def chosen(bits: Scalar, number: int) -> Scalar:
            return (bits & (1 << number)) != loops.constant(0, BYTE)

        def step(at: Scalar, entry: Scalar, end: Scalar, *ends: Scalar) -> tuple[Scalar, ...]:
            noted, kept, place = [*ends[:count]], [*ends[count:]], tables.place(entry, at)
            entry, after = loops.held(tables.moved(place)), loops.held(at + 1)
            is_match = (entry & 1) == 1
            if it.ends_text:
                is_match = is_match & (after == stop)
            is_match = loops.held(is_match)
            if count:
                saves = loops.held(tables.saves[(place,)])
                last = loops.held(tables.ends[(tables.row_of(entry),)])
                for k in range(count):
                    noted[k] = loops.held(s.where(chosen(saves, k), at, noted[k]))
                    now = s.where(chosen(last, k), after, noted[k])
                    kept[k] = loops.held(s.where(is_match, now, kept[k]))
            return after, entry, s.where(is_match, after, end), *noted, *kept

        at, _, end, *ends = loops.repeat(
            (begin, tables.first, none, *[none] * 2 * count),
            lambda at, entry, *_: (at < stop) & (entry != 0), step,
        )  # fmt: skip
        return loops.held(end), at, ends[count:]

    def shown(
        self, begin: Scalar, start: Scalar, stop: Scalar
    ) -> tuple[Scalar, Scalar, Sequence[Scalar]]:
        """The same where the automaton asks for places, and notes no groups."""
        loops, s, tables = self.loops, self.loops.scalars, self.tables

        def step(at: Scalar, entry: Scalar, end: Scalar) -> tuple[Scalar, ...]:
            place = tables.place_until(entry, at, stop)
            return at + 1, tables.moved(place), s.where(tables.shown(place), at, end)

        at, _, end = loops.repeat(
            (begin, tables.begun(begin, start), loops.constant(NOWHERE, LONG)),
            lambda at, entry, _: (at < stop + 1) & (entry != 0), step,
        )  # fmt: skip
        return loops.held(end), at, ()
