"""Strings cut into parts, which are spans of the same bytes."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, ClassVar

from ....core import dtypes
from ....core.specs import TensorSpec
from ...lowering import Scalar
from ...op import Attr, In, Op, Out
from ...origins import Origin
from .looking import is_white
from .spans import BYTE, LONG, strings_of


def parts_of(text: bytes, separator: bytes, most: int) -> list[bytes]:
    """The parts between separators, or white space where that is b"". What is left after the last
    of `most` cuts is a part as well, be it empty, which Python leaves out of white space.
    """
    if separator:
        return text.split(separator, most)
    if most == 0:
        return [text]
    words = text.split(None, most)
    return [*words, b""] if len(words) == most else words


def parts_at_any(text: bytes, cuts: bytes, skip_empty: bool) -> list[bytes]:
    """The parts between any of some bytes, or every byte if there are none; of nothing no part."""
    if not text:
        return []
    if not cuts:
        return [text[place : place + 1] for place in range(len(text))]
    parts = re.split(b"[" + re.escape(cuts) + b"]", text)
    return [part for part in parts if part] if skip_empty else parts


class SplitRows(Op, abstract=True):
    """Rows of parts of strings, where they lie: `starts` and `stops` of the values. Bytes among the
    attributes are spelled as characters of Latin-1.
    """

    starts = In("i64 n")
    stops = In("i64 n")
    bytes = In("u8 m")
    indices = Out("i64 k two")
    new_starts = Out("i64 k")
    new_stops = Out("i64 k")
    shape = Out("i64 two")
    origin = Origin.COMPILER
    differentiable = False

    def infer(self) -> Any:
        part = TensorSpec((None,), LONG)
        return TensorSpec((None, 2), LONG), part, part, TensorSpec((2,), LONG)

    parts: ClassVar[Callable[..., list[Any]]]  # of a text
    between: ClassVar[Callable[..., int]]  # how many bytes lie between two parts at least
    cutting: ClassVar[Callable[..., Any]]  # how a string of a row of bytes is cut

    def eager(self, np: Any) -> Any:
        texts = strings_of(self.starts, self.stops, self.bytes).tolist()
        rows = [self.parts(text) for text in texts]
        places = [(row, k) for row, parts in enumerate(rows) for k in range(len(parts))]
        limits: list[tuple[int, int]] = []
        for start, text, parts in zip(self.starts.tolist(), texts, rows, strict=True):
            at = 0
            for part in parts:
                at = text.index(part, at) if part or self.between() else len(text)
                limits.append((start + at, start + at + len(part)))
                at += len(part) + self.between()
        found = np.array(limits, np.int64).reshape(-1, 2)
        shape = np.array([len(rows), max(map(len, rows), default=0)], np.int64)
        return np.array(places, np.int64).reshape(-1, 2), found[:, 0], found[:, 1], shape

    def lower(self, loops: Any) -> Any:
        """Twice through all strings: how many parts there are, and where they lie."""
        starts, stops, row = (loops.kept(one) for one in (self.starts, self.stops, self.bytes))
        count = starts.shape[0]
        cut = self.cutting(loops, row)
        counts = loops.memory((count,), LONG)

        def measure(k: Any) -> None:
            loops.put(counts, (k,), cut(starts[(k,)], stops[(k,)], lambda *_: None))

        loops.for_each((count,), measure)
        begins = loops.kept(loops.scan("sum", counts, 0, exclusive=True, reverse=False))
        total = loops.held(loops.reduce("sum", (), (count,), LONG, lambda _, k: counts[k])[()])
        most = loops.reduce("max", (), (count,), LONG, lambda _, k: counts[k])
        # What turns out to be no part is put behind the last one.
        rows, places, first, last = (loops.memory((total + 1,), LONG) for _ in range(4))

        def place(k: Any) -> None:
            before = loops.held(begins[(k,)])

            def found(number: Scalar, start: Scalar, stop: Scalar, is_part: Any) -> None:
                at = before + number
                if is_part is not True:
                    at = loops.scalars.where(is_part, at, total)
                at = loops.held(at)
                for memory, value in ((rows, k), (places, number), (first, start), (last, stop)):
                    loops.put(memory, (at,), value)

            cut(starts[(k,)], stops[(k,)], found)

        loops.for_each((count,), place, in_order=True)
        indices = loops.view(
            (total, 2), LONG,
            lambda k, axis: loops.scalars.where(axis == 0, rows[(k,)], places[(k,)]),
        )  # fmt: skip
        parts = (loops.view((total,), LONG, lambda k, of=of: of[(k,)]) for of in (first, last))
        highest = loops.scalars.maximum(most[()], loops.constant(0, LONG))
        return indices, *parts, loops.vector([count, highest], LONG)


class SplitSpans(SplitRows):
    """StringSplitV2 of strings where they lie."""

    sep = Attr()
    maxsplit = Attr(-1)

    def parts(self, text: bytes) -> list[bytes]:
        return parts_of(text, self.sep.encode("latin-1"), self.maxsplit)

    def between(self) -> int:
        return len(self.sep)

    def cutting(self, loops: Any, row: Any) -> Any:
        return Cutting(loops, row, self.sep.encode("latin-1"), self.maxsplit)


class SplitSpansAtAny(SplitRows):
    """StringSplit of strings where they lie."""

    delimiter = Attr()
    skip_empty = Attr()

    def parts(self, text: bytes) -> list[bytes]:
        return parts_at_any(text, self.delimiter.encode("latin-1"), self.skip_empty)

    def between(self) -> int:
        return 0 if self.skip_empty or not self.delimiter else 1

    def cutting(self, loops: Any, row: Any) -> Any:
        return CuttingAtAny(loops, row, self.delimiter.encode("latin-1"), self.skip_empty)


class CuttingAtAny:
    """How a string is cut at any of some bytes, or between all of them where there are none;
    `found(number, start, stop, is_part)` is told of each part.
    """

    def __init__(self, loops: Any, row: Any, cuts: bytes, skip_empty: bool) -> None:
        self.loops, self.row, self.skip_empty = loops, row, skip_empty
        self.cuts = [loops.constant(one, BYTE) for one in sorted(set(cuts))]

    def __call__(self, start: Scalar, stop: Scalar, found: Any) -> Scalar:
        """How many parts there are."""
        start, stop = self.loops.held(start), self.loops.held(stop)
        return self.at_cuts(start, stop, found) if self.cuts else self.every(start, stop, found)

    def every(self, start: Scalar, stop: Scalar, found: Any) -> Scalar:
        def step(at: Scalar) -> tuple[Scalar]:
            found(at - start, at, at + 1, True)
            return (at + 1,)

        self.loops.repeat((start,), lambda at: at < stop, step)
        return self.loops.held(stop - start)

    def at_cuts(self, start: Scalar, stop: Scalar, found: Any) -> Scalar:
        loops, where = self.loops, self.loops.scalars.where

        def is_part(begin: Scalar, end: Scalar) -> Any:
            return begin < end if self.skip_empty else loops.constant(True, dtypes.bool_)

        def step(at: Scalar, begin: Scalar, count: Scalar) -> tuple[Any, ...]:
            byte = loops.held(self.row[(at,)])
            hit = loops.constant(False, dtypes.bool_)
            for cut in self.cuts:
                hit = hit | (byte == cut)
            hit = loops.held(hit)
            found(count, begin, at, True)  # told again, until it is right
            more = loops.held(hit & is_part(begin, at))
            return at + 1, where(hit, at + 1, begin), where(more, count + 1, count)

        none = loops.constant(0, LONG)
        _, begin, count = loops.repeat((start, start, none), lambda at, *_: at < stop, step)
        is_last = loops.held((start < stop) & is_part(begin, stop))
        found(count, begin, stop, is_last)
        return loops.held(count + loops.scalars.cast(is_last, LONG))


class Cutting:
    """How a string is cut. `found(number, start, stop, is_part)` is told of each part."""

    def __init__(self, loops: Any, row: Any, separator: bytes, most: int) -> None:
        self.loops, self.row, self.most = loops, row, most
        self.separator = [loops.constant(one, BYTE) for one in separator]
        self.zero = loops.constant(0, LONG)

    def __call__(self, start: Scalar, stop: Scalar, found: Any) -> Scalar:
        """How many parts there are."""
        start, stop = self.loops.held(start), self.loops.held(stop)
        if self.separator:
            return self.at_separators(start, stop, found)
        if self.most == 0:
            found(self.zero, start, stop, True)
            return self.zero + 1
        return self.at_white_space(start, stop, found)

    def goes_on(self, count: Scalar) -> Any:
        """Whether there may be another cut."""
        if self.most < 0:
            return self.loops.constant(True, dtypes.bool_)
        return count < self.most

    def at_separators(self, start: Scalar, stop: Scalar, found: Any) -> Scalar:
        loops, size, where = self.loops, len(self.separator), self.loops.scalars.where

        def step(at: Scalar, begin: Scalar, count: Scalar) -> tuple[Any, ...]:
            hit = loops.constant(True, dtypes.bool_)
            for k, byte in enumerate(self.separator):
                hit = hit & (self.row[(at + k,)] == byte)
            hit = loops.held(hit)
            found(count, begin, at, True)  # told again, until it is right
            after = at + where(hit, self.zero + size, self.zero + 1)
            return after, where(hit, after, begin), where(hit, count + 1, count)

        _, begin, count = loops.repeat(
            (start, start, self.zero),
            lambda at, _, count: (at + size <= stop) & self.goes_on(count), step,
        )  # fmt: skip
        found(count, begin, stop, True)
        return loops.held(count + 1)

    def at_white_space(self, start: Scalar, stop: Scalar, found: Any) -> Scalar:
        loops = self.loops

        def step(at: Scalar, count: Scalar) -> tuple[Any, ...]:
            begin = self.after(at, stop, True)
            end = self.after(begin, stop, False)
            found(count, begin, end, begin < end)
            return end, count + loops.scalars.cast(begin < end, LONG)

        at, count = loops.repeat(
            (start, self.zero), lambda at, count: (at < stop) & self.goes_on(count), step
        )
        if self.most < 0:
            return count
        is_rest = loops.held(count == self.most)
        found(count, self.after(at, stop, True), stop, is_rest)
        return loops.held(count + loops.scalars.cast(is_rest, LONG))

    def after(self, at: Scalar, stop: Scalar, white: bool) -> Scalar:
        """Behind the white space that is there, or behind what is none."""
        loops, no = self.loops, self.loops.constant(False, dtypes.bool_)

        def same(place: Scalar) -> Scalar:
            byte = self.row[(place,)]
            wanted = is_white(loops, byte)
            return loops.scalars.where(
                place < stop, wanted if white else loops.scalars.logical_not(wanted), no
            )

        (place,) = loops.repeat((at,), same, lambda place: (place + 1,))
        return place
