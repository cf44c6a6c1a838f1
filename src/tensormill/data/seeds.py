"""Random numbers of datasets: the same words from the same seeds as TensorFlow."""

from __future__ import annotations

import random
from typing import Any, Final

import numpy as np

from ..core.process.locks import AwaitedLock
from ..core.process.named_tuples import NamedTuple
from ..ops.random.philox import WordStream
from ..ops.random.seeds import get_seed

Pair = tuple[int, int]

# So many groups of four words are made at once.
GROUPS: Final = 1024


class SeedWords:
    """32-bit words, one after the other, from a pair of seeds."""

    def __init__(self, seed: int, seed2: int) -> None:
        self._stream = WordStream.of_seeds(seed, seed2)
        self._group = 0
        self._size = 4  # small at first: most shuffles that restart take few words
        self._words: list[int] = []
        self._used = 0

    def next(self) -> int:
        """The next word."""
        if self._used == len(self._words):
            self._words, self._used = self._made(self._size).tolist(), 0
            self._size = min(2 * self._size, GROUPS)
        word = self._words[self._used]
        self._used += 1
        return word

    def take(self, count: int) -> np.ndarray[Any, Any]:
        """As many words as `next` would give one by one (int64 [count])."""
        held = self._words[self._used : self._used + count]
        self._used += len(held)
        missing = count - len(held)
        made = self._made(-(-missing // 4))
        if len(made) > missing:
            self._words, self._used = made[missing:].tolist(), 0
        return np.concatenate([np.array(held, np.int64), made[:missing]], dtype=np.int64)

    def _made(self, groups: int) -> np.ndarray[Any, Any]:
        numbers = np.arange(self._group, self._group + groups, dtype=np.uint64)
        self._group += groups
        with np.errstate(over="ignore"):
            return self._stream.groups(numbers).reshape(-1)


class SeedState(NamedTuple):
    """A pair of seeds; of how many passes it has given seeds, or -1 where all have the same."""

    seed: int
    seed2: int
    passes: int


class Seeds:
    """The pair of seeds of a transformation, and those of each pass over it.

    Without seeds every pass gets new ones from the system. With `fresh` the first pair only starts
    a stream that each pass takes its own pair from; else all passes use the same pair.
    """

    def __init__(self, pair: Pair, fresh: bool) -> None:
        self._lock = AwaitedLock(is_short=True)
        self.asked: Final = pair
        self.is_fresh: Final = fresh
        if pair == (0, 0):
            source = random.SystemRandom()
            pair = (source.getrandbits(63), source.getrandbits(63))
        self._pair = pair
        self._words = SeedWords(*pair) if fresh else None
        self._passes = 0

    def of_iteration(self) -> Pair:
        """The seeds of one pass."""
        if self._words is None:
            return self._pair
        with self._lock():
            self._passes += 1
            return self._words.next(), self._words.next()

    @property
    def state(self) -> SeedState:
        """What decides about the passes to come."""
        return SeedState(*self._pair, -1 if self._words is None else self._passes)

    @state.setter
    def state(self, state: SeedState) -> None:
        with self._lock():
            self._pair = state.seed, state.seed2
            self._words = SeedWords(*self._pair) if state.passes >= 0 else None
            self._passes = 0
        for _ in range(state.passes):
            self.of_iteration()

    def __deepcopy__(self, memo: Any) -> Seeds:
        return self


def pair_for(seed: Any) -> Pair:
    """The pair of seeds of a new transformation, as of operations that are applied here."""
    return get_seed(None if seed is None else int(seed))
