"""Places in one piece of memory for what is needed at known times.

Each span is a rectangle, so many bytes high and so many statements wide; they must not overlap, and
the memory should be low. That is hard to do best: here the largest get the lowest free place first,
or, where there are very many, each gets the tightest place that is free when it begins.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence
from heapq import heappop, heappush
from typing import Final

from ...core.process.named_tuples import NamedTuple

# So many are placed the largest first, each compared with all others: that takes least memory, and
# time as the square of their number. More of them are placed in the order in which they are needed
# (up to a quarter more memory in training steps; nothing more in the gradient of a long chain).
MANY: Final = 1_000


class Span(NamedTuple):
    """So many bytes, from one time to another; both are included."""

    first: int
    last: int
    size: int


def places(spans: Sequence[Span]) -> list[int]:
    """An offset for each: those that are needed at the same time do not overlap."""
    return largest_first(spans) if len(spans) <= MANY else one_by_one(spans)


def largest_first(spans: Sequence[Span]) -> list[int]:
    """The lowest free place for each, the largest first."""
    offsets = [0] * len(spans)
    placed: list[tuple[int, int, int, int]] = []  # (begin, end, first, last), the lowest first
    for number in sorted(range(len(spans)), key=lambda one: -spans[one].size):
        first, last, size = spans[number]
        offset = 0
        for begin, end, since, until in placed:
            if first <= until and since <= last:
                if offset + size <= begin:
                    break
                offset = max(offset, end)
        insort(placed, (offset, offset + size, first, last))
        offsets[number] = offset
    return offsets


def one_by_one(spans: Sequence[Span]) -> list[int]:
    """The tightest place that is free when each begins."""
    offsets = [0] * len(spans)
    free, taken = _Free(), list[tuple[int, int]]()
    for number in sorted(range(len(spans)), key=lambda one: (spans[one].first, -spans[one].size)):
        first, last, size = spans[number]
        while taken and taken[0][0] < first:
            _, over = heappop(taken)
            free.put(offsets[over], offsets[over] + spans[over].size)
        if size:
            offsets[number] = free.take(size)
            heappush(taken, (last, number))
    return offsets


class _Free:
    """The free places of a memory that grows at its end; no two of them touch."""

    def __init__(self) -> None:
        self._end = 0  # of the memory
        self._sizes: list[tuple[int, int]] = []  # with where they begin, the smallest first
        self._ends: dict[int, int] = {}  # by where they begin
        self._begins: dict[int, int] = {}  # by where they end

    def take(self, size: int) -> int:
        """Where the smallest place of so many bytes begins, which is free no more."""
        at = bisect_left(self._sizes, (size, 0))
        if at == len(self._sizes):
            begin = self._begins.get(self._end, self._end)
            end = self._remove(begin) if begin < self._end else begin
            self._end = end = begin + size
        else:
            begin = self._sizes[at][1]
            end = self._remove(begin)
        if begin + size < end:
            self._add(begin + size, end)
        return begin

    def put(self, begin: int, end: int) -> None:
        """Free a place, and join it with its neighbours."""
        if (before := self._begins.get(begin)) is not None:
            self._remove(before)
            begin = before
        if end in self._ends:
            end = self._remove(end)
        self._add(begin, end)

    def _add(self, begin: int, end: int) -> None:
        self._ends[begin], self._begins[end] = end, begin
        insort(self._sizes, (end - begin, begin))

    def _remove(self, begin: int) -> int:
        end = self._ends.pop(begin)
        del self._begins[end]
        del self._sizes[bisect_left(self._sizes, (end - begin, begin))]
        return end


def shared(spans: Sequence[Span], offsets: Sequence[int]) -> list[tuple[int, int]]:
    """Pairs of numbers that connect all whose places overlap, directly or through others."""
    pairs: list[tuple[int, int]] = []
    reach, holder = 0, 0
    for number in sorted(range(len(spans)), key=lambda one: offsets[one]):
        begin, size = offsets[number], spans[number].size
        if begin < reach and size:
            pairs.append((holder, number))
        if begin + size > reach:
            reach, holder = begin + size, number
    return pairs
