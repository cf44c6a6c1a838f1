"""Philox 4x32-10: four 32-bit random words for each 128-bit counter and 64-bit key.

Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3". TensorFlow's streams: the key is
the first seed; the counter's high half is the second seed, its low half counts groups of words.
One recipe, `words`, is read twice: over NumPy arrays, and by the compiler for one element. A few
groups are reckoned by Python, `words_of_one`: NumPy needs longer to begin than Python to end.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ...core import dtypes

MULTIPLIERS: Final = (0xD2511F53, 0xCD9E8D57)
WEYL: Final = (0x9E3779B9, 0xBB67AE85)
ROUNDS: Final = 10
MASK: Final = 0xFFFFFFFF
# Groups up to which Python's integers are quicker than NumPy's arrays, and so many at a time that
# what NumPy writes between two steps stays in a cache (measured).
FEW: Final = 16
TOGETHER: Final = 1 << 14


def split(seed: int) -> tuple[int, int]:
    """A 64-bit number as its low and high words."""
    return seed & MASK, (seed >> 32) & MASK


class NumpyWords:
    """Arithmetic on arrays of words, each in 64 bits: their products have room there."""

    def multiply(self, constant: int, x: Any) -> tuple[Any, Any]:
        """The high and the low word of a product."""
        product = x * np.uint64(constant)
        return product >> np.uint64(32), product & np.uint64(MASK)

    def constant(self, value: int, like: Any) -> Any:
        return np.uint64(value)

    def raised(self, key: Any, step: int) -> Any:
        """A word of the key for the next round."""
        return (key + step) & MASK


class ScalarWords:
    """Arithmetic on one uint32 of the scalar language."""

    def __init__(self, scalars: Any) -> None:
        self.s = scalars

    def multiply(self, constant: int, x: Any) -> tuple[Any, Any]:
        s = self.s
        wide = s.cast(x, dtypes.uint64)
        product = wide * s.constant(constant, wide)
        high = s.right_shift(product, s.constant(32, product))
        return s.cast(high, dtypes.uint32), s.cast(product, dtypes.uint32)

    def constant(self, value: Any, like: Any) -> Any:
        return self.s.constant(value, like) if isinstance(value, int) else value

    def raised(self, key: Any, step: int) -> Any:
        """A word of the key for the next round; it may be a scalar, too."""
        return (key + step) & MASK if isinstance(key, int) else key + self.s.constant(step, key)


def words(reader: Any, counter: tuple[Any, ...], key: tuple[Any, Any]) -> tuple[Any, ...]:
    """The four words for a counter of four words."""
    state: Any = (*counter, *key)
    for _ in range(ROUNDS):
        state = _round(reader, *state)
    return state[:4]


def _round(reader: Any, a: Any, b: Any, c: Any, d: Any, first: Any, second: Any) -> tuple[Any, ...]:
    """The next four words, and the next key."""
    high0, low0 = reader.multiply(MULTIPLIERS[0], a)
    high1, low1 = reader.multiply(MULTIPLIERS[1], c)
    key = reader.raised(first, WEYL[0]), reader.raised(second, WEYL[1])
    a = high1 ^ b ^ reader.constant(first, b)
    c = high0 ^ d ^ reader.constant(second, d)
    return a, low1, c, low0, *key


def words_in_a_loop(loops: Any, counter: tuple[Any, ...], key: tuple[Any, Any]) -> tuple[Any, ...]:
    """`words` computed here and now by compiled code, for one counter: ten rounds in a row make no
    quicker code than a loop of them, and LLVM works on them three times as long.
    """
    reader = ScalarWords(loops.scalars)
    state = [
        loops.constant(x, dtypes.uint32) if isinstance(x, int) else x for x in (*counter, *key)
    ]
    return loops.rounds(ROUNDS, state, lambda *now: _round(reader, *now))[:4]


def words_of_one(
    counter: tuple[int, int, int, int], key: tuple[int, int]
) -> tuple[int, int, int, int]:
    """`words` of Python integers."""
    a, b, c, d = counter
    first, second = key
    for _ in range(ROUNDS):
        p, q = MULTIPLIERS[0] * a, MULTIPLIERS[1] * c
        a, b, c, d = (q >> 32) ^ b ^ first, q & MASK, (p >> 32) ^ d ^ second, p & MASK
        first, second = (first + WEYL[0]) & MASK, (second + WEYL[1]) & MASK
    return a, b, c, d


class WordStream:
    """A key and the fixed half of its counters: ints, or scalars of compiled code."""

    __slots__ = ("high", "key")

    def __init__(self, key: tuple[Any, Any], high: tuple[Any, Any]) -> None:
        self.key = key
        self.high = high

    @classmethod
    def of_seeds(cls, seed: int, seed2: int) -> WordStream:
        return cls(split(seed), split(seed2))

    def groups(self, numbers: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The words of the groups with these numbers (uint64 [n]), as uint32 [n, 4]."""
        if len(numbers) <= FEW:
            found = [words_of_one((*split(one), *self.high), self.key) for one in numbers.tolist()]
            return np.array(found, np.uint32).reshape(-1, 4)
        found = np.empty((len(numbers), 4), np.uint32)
        for first in range(0, len(numbers), TOGETHER):
            some = slice(first, first + TOGETHER)
            for k, word in enumerate(self._words(numbers[some])):
                found[some, k] = word
        return found

    def _words(self, numbers: np.ndarray[Any, Any]) -> tuple[Any, ...]:
        high = (np.full_like(numbers, word) for word in self.high)
        counter = (numbers & np.uint64(MASK), numbers >> np.uint64(32), *high)
        return words(NumpyWords(), counter, self.key)

    def group(self, scalars: Any, number: Any) -> tuple[Any, ...]:
        """The words of the group with this number (an int64 scalar of the scalar language)."""
        low = scalars.cast(number, dtypes.uint32)
        high = scalars.right_shift(number, scalars.constant(32, number))
        counter = (
            low,
            scalars.cast(high, dtypes.uint32),
            *(scalars.constant(one, low) if isinstance(one, int) else one for one in self.high),
        )
        return words(ScalarWords(scalars), counter, self.key)


# What mixes the two seeds of a stateless operation into a key and a counter.
_MIXING_KEY: Final = (0x3EC8F720, 0x02461E29)


def stateless_stream(first: int, second: int) -> WordStream:
    """The stream of a stateless operation with this pair of seeds."""
    mixed = words_of_one((*split(first), *split(second)), _MIXING_KEY)
    return WordStream(mixed[:2], mixed[2:])


def first_groups(first: Any, second: Any) -> np.ndarray[Any, Any]:
    """The first group of each stream that `stateless_stream` makes of seeds below 2**32 (uint64
    [n]), as uint32 [n, 4].
    """
    zero = np.zeros_like(first)
    mixed = words(NumpyWords(), (first, zero, second, zero), _MIXING_KEY)
    found = words(NumpyWords(), (zero, zero, *mixed[2:]), mixed[:2])
    return np.stack(found, 1).astype(np.uint32)


def mixed_words(loops: Any, first: Any, second: Any) -> tuple[Any, ...]:
    """The same for seeds (uint64 scalars) that run time knows: the key, then the counter."""
    s = loops.scalars
    parts: list[Any] = []
    for seed in (first, second):
        high = s.right_shift(seed, s.constant(32, seed))
        parts += [s.cast(seed, dtypes.uint32), s.cast(high, dtypes.uint32)]
    return words_in_a_loop(loops, tuple(parts), _MIXING_KEY)
