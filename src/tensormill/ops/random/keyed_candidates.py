"""Samples of classes, drawn from a stream: in Python (`Slowly`), and the same in compiled code.

A word after the other is read from the stream, as many as a draw needs. Compiled code tells by a
table of which at most half is taken whether a class is there already.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from ...core import dtypes, native_operations
from ...core.process.named_tuples import NamedTuple
from ..array.distinct import spread_bits
from ..op import Attr, In, Op, Out
from ..origins import Origin
from ..sizes import scalar
from .distributions import pick, unit_float
from .draws import words_of
from .philox import WordStream, split
from .shuffling import halves

Array = np.ndarray[Any, Any]
# How classes are drawn: each as likely as the others, by Zipf's law, in order, by weights, or by
# how often they were counted.
Kind: TypeAlias = Literal["uniform", "log_uniform", "all", "weighted", "counted"]
LONG = dtypes.int64
# Candidates from which native code is quicker than Python, the reading of it included.
MANY: Final = 8


class ClassTables(NamedTuple):
    """What classes with weights need; else they are empty."""

    heights: Any = np.zeros(0)  # float64 [k]: of Walker's buckets, up to which a class is meant
    others: Any = np.zeros(0, np.int64)  # [k], the class above; or the sums of all counts up to one
    shares: Any = np.zeros(0)  # float64 [k]: the probabilities, if `others` does not tell them


class KeyedCandidates(Op):
    """Classes below `range_max` from a stream that goes on, told by a key and a counter.

    No operation of TensorFlow's: what all its samplers of candidates do, for eager execution.
    """

    true_classes = In("i64 b t")
    num_sampled = In("i64")
    range_max = In("i64")
    key = In("u64 one")
    counter = In("u64 two")
    heights = In("f64 k")
    others = In("i64 l")
    shares = In("f64 m")
    sampled_candidates = Out("i64 n")
    true_expected_count = Out("f32 b t")
    sampled_expected_count = Out("f32 n")
    kind = Attr()
    unique = Attr()
    origin = Origin.GRAPHS
    differentiable = False

    def eager(self, np: Any) -> Any:
        start, high = (int(word) for word in self.counter)
        stream = WordStream(split(int(self.key[0])), split(high))
        tables = ClassTables(self.heights, self.others, self.shares)
        slowly = Slowly(self.kind, int(self.range_max), tables, WordsInTurn(stream, start))
        return slowly.candidates(self.true_classes, int(self.num_sampled), self.unique)

    def lower(self, loops: Any) -> Any:
        s = loops.scalars
        stream = WordStream(halves(s, self.key[(0,)]), halves(s, self.counter[(1,)]))
        (count,), (limit,) = loops.sizes(self.num_sampled), loops.sizes(self.range_max)
        tables = ClassTables(self.heights, self.others, self.shares)
        first = s.cast(self.counter[(0,)], LONG)
        drawing = Drawing(loops, self.kind, limit, tables, stream)
        return candidates(drawing, self.true_classes, count, first, self.unique)


def drawn_candidates(
    kind: Kind, limit: int, tables: ClassTables, stream: WordStream, start: int,
    true_classes: Array, count: int, unique: bool,
) -> tuple[Array, ...]:  # fmt: skip
    """The results of a sampler: natively where they are not few."""
    numbers = np.array(count, np.int64), np.array(limit, np.int64)
    operands = (true_classes, *numbers, *words_of(stream, start), *tables)
    attrs = {"kind": kind, "unique": unique}
    found = native_operations.run(KeyedCandidates, operands, attrs) if count >= MANY else None
    return KeyedCandidates(*operands, **attrs).eager(np) if found is None else found


class WordsInTurn:
    """The words of a stream, one after the other."""

    def __init__(self, stream: WordStream, first: int) -> None:
        self._words = self._read(stream, first)

    @staticmethod
    def _read(stream: WordStream, group: int) -> Iterator[int]:
        while True:
            for words in stream.groups(np.arange(group, group + 4, dtype="u8")).tolist():
                yield from words
            group += 4

    def word(self) -> int:
        """32 random bits."""
        return next(self._words)

    def below(self, limit: int, bits: int) -> int:
        """A number below `limit`, all equally likely, from random numbers of so many bits."""
        if limit & (limit - 1) == 0:
            return self._of(bits) & (limit - 1)
        least = (2**bits - 1) % limit + 1
        while (found := self._of(bits)) < least:
            pass
        return found % limit

    def _of(self, bits: int) -> int:
        low = self.word()
        return low if bits == 32 else low | self.word() << 32

    def unit_double(self) -> float:
        """A float64 in [0, 1): 52 bits."""
        high, low = self.word() & 0xFFFFF, self.word()
        return (high << 32 | low) / 2.0**52

    def unit_float(self) -> float:
        """A float32 in [0, 1): 23 bits."""
        return (self.word() & 0x7FFFFF) / 2.0**23


class Slowly(NamedTuple):
    """What defines `Drawing`, in Python."""

    kind: Kind
    limit: int
    tables: ClassTables
    words: WordsInTurn

    def candidates(self, true_classes: Array, count: int, unique: bool) -> tuple[Array, ...]:
        """The classes, and how often the true and the sampled ones are expected."""
        numbers: list[int] = []
        different: dict[int, None] = {}
        while len(different if unique else numbers) < count:
            numbers.append(self.one(len(numbers)))
            different[numbers[-1]] = None
        found = np.array([*different] if unique else numbers, np.int64)
        tries = np.float32(len(numbers))

        def expected(classes: Array) -> Array:
            p = np.asarray(self.probabilities(classes)).astype(np.float32)
            return p * tries if len(numbers) == count else -np.expm1(tries * np.log1p(-p))

        return found, expected(true_classes), expected(found)

    def one(self, number: int) -> int:
        """The class of a draw."""
        words = self.words
        match self.kind:
            case "all":
                return number
            case "uniform":
                return words.below(self.limit, 64)
            case "log_uniform":
                whole = math.log1p(self.limit)
                return (int(math.exp(words.unit_double() * whole)) - 1) % self.limit
            case "weighted":
                height, place = words.unit_float(), words.below(self.limit, 32)
                is_own = height < self.tables.heights[place]
                return place if is_own else int(self.tables.others[place])
            case "counted":
                sums = self.tables.others
                return int(np.searchsorted(sums, words.below(int(sums[-1]), 32), side="right"))

    def probabilities(self, k: Array) -> Array:
        match self.kind:
            case "log_uniform":
                return np.log((k + 2.0) / (k + 1.0)) / math.log1p(self.limit)
            case "weighted":
                return self.tables.shares[k]
            case "counted":
                sums = self.tables.others
                return (sums[k] - np.where(k > 0, sums[k - 1], 0)) / sums[-1]
            case _:
                return np.full(k.shape, 1.0 / self.limit)


class Drawing:
    """How one class is drawn."""

    def __init__(
        self, loops: Any, kind: Kind, limit: Any, tables: ClassTables, stream: WordStream
    ) -> None:
        self.loops, self.s, self.kind = loops, loops.scalars, kind
        self.limit, self.tables, self.stream = scalar(loops, limit), tables, stream

    def one(self, number: Any, at: Any) -> tuple[Any, Any]:
        """The class of a draw that begins with the word `at`, and where the next one begins."""
        match self.kind:
            case "all":
                return number, at
            case "uniform":
                return self._below(self.limit, 64, at)
            case "log_uniform":
                return self._by_logarithms(at), at + 2
            case "weighted":
                return self._by_buckets(at)
            case _:
                return self._by_sums(at)

    def _words(self, at: Any) -> tuple[Any, ...]:
        return self.stream.group(self.s, at // 4)

    def _word(self, at: Any) -> Any:
        return pick(self.s, self._words(at), at % 4)

    def _below(self, limit: Any, bits: int, at: Any) -> tuple[Any, Any]:
        """A number below `limit`: of random numbers of so many bits those are left out that would
        make low ones more likely.
        """
        s, loops = self.s, self.loops
        wide = dtypes.uint64
        high, one = s.cast(limit, wide), loops.constant(1, wide)
        zero = loops.constant(0, wide)
        largest = loops.constant(2**bits - 1, wide)
        least = s.where((high & (high - one)) == zero, zero, largest % high + one)
        least = loops.held(least)

        def draw(_: Any, __: Any, at: Any) -> tuple[Any, Any, Any]:
            if bits == 32:
                found = s.cast(self._word(at), wide)
            else:  # both words are of one group
                words, lane = self._words(at), at % 4
                low, up = (s.cast(pick(s, words, lane + k), wide) for k in (0, 1))
                found = low | s.left_shift(up, loops.constant(32, wide))
            found = loops.held(found)
            return found < least, found, at + bits // 32

        wrong = loops.constant(True, dtypes.bool_)
        _, found, at = loops.repeat((wrong, zero, at), lambda again, *_: again, draw)
        return loops.held(s.cast(found % high, LONG)), at

    def _by_logarithms(self, at: Any) -> Any:
        s = self.s
        unit = unit_float(s, self._words(at), at % 4 // 2, dtypes.float64)
        grown = s.exp(unit * s.log1p(s.cast(self.limit, dtypes.float64)))
        return self.loops.held((s.cast(grown, LONG) - 1) % self.limit)

    def _by_buckets(self, at: Any) -> tuple[Any, Any]:
        s, loops = self.s, self.loops
        word = self._word(at)
        mantissa = s.cast(word & s.constant(0x7FFFFF, word), dtypes.float64)
        height = loops.held(mantissa * loops.constant(2.0**-23, dtypes.float64))
        place, at = self._below(self.limit, 32, at + 1)
        is_own = height < self.tables.heights[(place,)]
        return loops.held(s.where(is_own, place, self.tables.others[(place,)])), at

    def _by_sums(self, at: Any) -> tuple[Any, Any]:
        """The first class up to which more were counted than a number says."""
        s, loops, sums = self.s, self.loops, self.tables.others
        mark, at = self._below(sums[(self.limit - 1,)], 32, at)

        def halve(low: Any, high: Any) -> tuple[Any, Any]:
            middle = loops.held((low + high) // 2)
            is_above = loops.held(sums[(middle,)] > mark)
            return s.where(is_above, low, middle + 1), s.where(is_above, middle, high)

        zero = loops.constant(0, LONG)
        low, _ = loops.repeat((zero, self.limit - 1), lambda low, high: low < high, halve)
        return low, at

    def _sum_up_to(self, place: Any) -> Any:
        return self.tables.others[(place,)]

    def _counted(self, number: Any) -> Any:
        s = self.s
        zero = s.constant(0, number)
        before = s.where(number > 0, self._sum_up_to(s.maximum(number - 1, zero)), zero)
        return s.cast(self._sum_up_to(number) - before, dtypes.float64)

    def probability(self, number: Any) -> Any:
        """That of a class, in float32."""
        s, wide = self.s, dtypes.float64
        whole = s.cast(self.limit, wide)
        one = s.constant(1, whole)
        match self.kind:
            case "log_uniform":
                place = s.cast(number, wide)
                share = s.log((place + (one + one)) / (place + one)) / s.log1p(whole)
            case "weighted":
                share = self.tables.shares[(number,)]
            case "counted":
                share = self._counted(number) / s.cast(self._sum_up_to(self.limit - 1), wide)
            case _:
                share = one / whole
        return s.cast(share, dtypes.float32)


def candidates(
    drawing: Drawing, true_classes: Any, count: Any, first: Any, unique: bool
) -> tuple[Any, Any, Any]:
    """`count` classes from the group of words `first` on, and how often the true and the sampled
    ones are expected. `unique`: there are as many.
    """
    loops = drawing.loops
    found = loops.memory((count,), LONG)
    tries = _different(drawing, found, count, first) if unique else _any(
        drawing, found, count, first
    )  # fmt: skip
    expected = _expected(loops, tries, scalar(loops, count))

    def of(classes: Any) -> Callable[..., Any]:
        return lambda *at: expected(drawing.probability(classes[at]))

    return (
        found,
        loops.map(true_classes.shape, dtypes.float32, of(true_classes)),
        loops.map((count,), dtypes.float32, of(found)),
    )


def _any(drawing: Drawing, found: Any, count: Any, first: Any) -> Any:
    loops = drawing.loops
    zero, wanted = loops.constant(0, LONG), scalar(loops, count)

    def one(place: Any, at: Any) -> tuple[Any, Any]:
        number, at = drawing.one(place, at)
        loops.put(found, (place,), number)
        return place + 1, at

    tries, _ = loops.repeat((zero, first * 4), lambda place, _: place < wanted, one)
    return tries


def _different(drawing: Drawing, found: Any, count: Any, first: Any) -> Any:
    """How many had to be drawn."""
    loops, s = drawing.loops, drawing.s
    zero, wanted = loops.constant(0, LONG), scalar(loops, count)
    room, shift = loops.repeat(
        (zero + 2, zero + 63), lambda room, _: room < wanted * 2, lambda room, k: (room * 2, k - 1)
    )
    table = loops.memory((room,), LONG)  # a class and 1; 0: none

    def one(known: Any, tries: Any, at: Any) -> tuple[Any, Any, Any]:
        number, at = drawing.one(tries, at)
        bits = s.right_shift(spread_bits(loops, number), s.cast(shift, dtypes.uint64))

        def is_other(slot: Any) -> Any:
            entry = loops.held(table[(slot,)])
            return (entry != zero) & (entry != number + 1)

        (slot,) = loops.repeat(
            (s.cast(bits, LONG),), is_other, lambda slot: ((slot + 1) & (room - 1),)
        )
        is_new = loops.held(table[(slot,)] == zero)
        loops.put(table, (slot,), number + 1)
        loops.put(found, (known,), number)  # written over where it is not new
        return known + s.cast(is_new, LONG), tries + 1, at

    _, tries, _ = loops.repeat((zero, zero, first * 4), lambda known, *_: known < wanted, one)
    return tries


def _expected(loops: Any, tries: Any, count: Any) -> Callable[[Any], Any]:
    """How often a class of a probability is among so many draws of which `count` differ."""
    s = loops.scalars
    total = s.cast(tries, dtypes.float32)
    is_plain = tries == count

    def times(share: Any) -> Any:
        return s.where(is_plain, share * total, -s.expm1(total * s.log1p(-share)))

    return times
