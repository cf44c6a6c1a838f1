"""Random words of a stream one after the other, for what does not know how many it needs."""

from __future__ import annotations

from typing import Any, Final

from ...core import dtypes
from . import distributions
from .philox import WordStream

MOST_WORDS: Final = 0xFFFFFFFF


class Words:
    """Random words of a stream, one after the other, and numbers made of them."""

    def __init__(self, np: Any, stream: WordStream, first: int) -> None:
        self.np, self.stream = np, stream
        self.group, self.left = first, list[int]()

    def word(self) -> int:
        if not self.left:
            number = self.np.array([self.group], self.np.uint64)
            self.left, self.group = self.stream.groups(number)[0].tolist(), self.group + 1
        return self.left.pop(0)

    def unit(self) -> Any:
        """A float32 in [0, 1)."""
        words = self.np.array([[self.word()] * 4], self.np.uint32)
        return distributions.unit_floats(words, dtypes.float32)[0, 0]

    def wide_unit(self) -> Any:
        """A float64 in [0, 1)."""
        words = self.np.array([[self.word(), self.word()] * 2], self.np.uint32)
        return distributions.unit_floats(words, dtypes.float64)[0, 0]

    def below(self, count: int) -> int:
        """An integer below `count`: words that would make some likelier are left out."""
        least = 0 if count & (count - 1) == 0 else MOST_WORDS % count + 1
        while (word := self.word()) < least:
            pass
        return word % count


class LoweredWords:
    """The same in compiled code: `place` counts the words that are used."""

    def __init__(self, loops: Any, stream: WordStream, first: Any) -> None:
        self.loops, self.stream = loops, stream
        self.start = loops.constant(0, dtypes.int64) + first * 4

    def word(self, place: Any) -> Any:
        words = self.stream.group(self.loops.scalars, place // 4)
        return distributions.pick(self.loops.scalars, words, place % 4)

    def unit(self, place: Any) -> tuple[Any, Any]:
        """Where the next word is, and a float32 in [0, 1)."""
        s = self.loops.scalars
        words = self.stream.group(s, place // 4)
        return place + 1, distributions.unit_float(s, words, place % 4, dtypes.float32)

    def wide_unit(self, place: Any) -> tuple[Any, Any]:
        """Where the next word is, and a float64 in [0, 1), of words that follow each other in one
        group.
        """
        s = self.loops.scalars
        words = self.stream.group(s, place // 4)
        lane = place % 4 // 2
        return place + 2, distributions.unit_float(s, words, lane, dtypes.float64)

    def below(self, place: Any, count: Any, wanted: Any) -> tuple[Any, Any]:
        """Where the next word is, and an integer below `count`; 0, and no word, if not wanted."""
        s, long = self.loops.scalars, dtypes.int64
        zero = self.loops.constant(0, long)
        count = s.where(wanted, count, zero + 1)
        least = s.where((count & (count - 1)) == zero, zero, MOST_WORDS % count + 1)

        def step(at: Any, _: Any) -> tuple[Any, Any]:
            return at + 1, s.cast(self.word(at), long)

        first = s.where(wanted, zero - 1, zero)  # no word yet: a number that is none of them
        after, word = self.loops.repeat(
            (place, first), lambda _, word: wanted & (word < least), step
        )
        return after, s.where(wanted, word % count, zero)
