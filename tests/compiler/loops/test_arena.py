"""Places in the arena: nothing that is needed at the same time overlaps, and little is wasted."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest

from tensormill.compiler.loops.arena import MANY, Span, largest_first, one_by_one, places, shared

Placing = Callable[[Sequence[Span]], list[int]]
BOTH = pytest.mark.parametrize("place", [largest_first, one_by_one])


def some(count: int, seed: int) -> list[Span]:
    draw = random.Random(seed)
    begins = [draw.randrange(3 * count) for _ in range(count)]
    lasts = [begin + draw.choice([0, 1, 5, count]) for begin in begins]
    sizes = [64 * draw.choice([0, 1, 1, 2, 7, 100]) for _ in range(count)]
    return [Span(*one) for one in zip(begins, lasts, sizes, strict=True)]


def nested(count: int) -> list[Span]:
    """What a chain keeps for its gradient: the first is needed again as the last."""
    return [Span(one, 2 * count - one, 64) for one in range(count)]


def end(spans: Sequence[Span], offsets: Sequence[int]) -> int:
    return max(at + one.size for at, one in zip(offsets, spans, strict=True))


def needed_at_once(spans: Sequence[Span]) -> int:
    return max(sum(x.size for x in spans if x.first <= one.first <= x.last) for one in spans)


@BOTH
@pytest.mark.parametrize("seed", range(20))
def test_what_is_needed_at_the_same_time_lies_apart(place: Placing, seed: int) -> None:
    spans = some(40, seed)
    offsets = place(spans)
    placed = list(zip(spans, offsets, strict=True))

    assert all(
        at + one.size <= at_other or at_other + other.size <= at
        for k, (one, at) in enumerate(placed)
        for other, at_other in placed[:k]
        if one.size and other.size and one.first <= other.last and other.first <= one.last
    )
    assert needed_at_once(spans) <= end(spans, offsets) <= 2 * needed_at_once(spans)


@BOTH
def test_what_a_gradient_keeps_takes_no_more_than_it_needs(place: Placing) -> None:
    assert end(nested(50), place(nested(50))) == 50 * 64


@BOTH
def test_what_is_needed_one_after_the_other_has_one_place(place: Placing) -> None:
    assert place([Span(2 * k, 2 * k + 1, 64 - k) for k in range(20)]) == [0] * 20


@pytest.mark.parametrize("seed", range(20))
def test_pairs_connect_what_shares_memory(seed: int) -> None:
    spans = some(12, seed)
    offsets = one_by_one(spans)
    groups = {number: {number} for number in range(12)}
    for a, b in shared(spans, offsets):
        groups[a] |= groups[b]
        groups.update(dict.fromkeys(groups[a], groups[a]))

    expected = {number: {number} for number in range(12)}
    for a in range(12):
        for b in range(a):
            apart = offsets[a] + spans[a].size <= offsets[b]
            apart |= offsets[b] + spans[b].size <= offsets[a]
            if not apart and spans[a].size and spans[b].size:
                expected[a] |= expected[b]
                expected.update(dict.fromkeys(expected[a], expected[a]))
    assert groups == expected


def test_very_many_are_placed_in_as_many_steps() -> None:
    """Counted: how often two times or places are compared, which grows by a logarithm more."""
    comparisons = 0

    class Number(int):
        def __lt__(self, other: int) -> bool:
            nonlocal comparisons
            comparisons += 1
            return int(self) < int(other)

        def __le__(self, other: int) -> bool:
            nonlocal comparisons
            comparisons += 1
            return int(self) <= int(other)

    def steps(count: int) -> int:
        nonlocal comparisons
        comparisons = 0
        spans = [Span(Number(a), Number(b), size) for a, b, size in some(count, 0)]
        assert shared(spans, places(spans))
        return comparisons

    assert steps(4 * MANY) < 2.4 * steps(2 * MANY)
