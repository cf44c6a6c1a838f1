"""Random numbers of datasets: the same words from the same seeds as TensorFlow."""

from __future__ import annotations

import random
import threading
from typing import Any, Final

import numpy as np

from ..core.context import init_scope
from ..ops.philox import Stream
from ..ops.random_seed import get_seed

Pair = tuple[int, int]

# So many groups of four words are made at once.
GROUPS: Final = 1024


class Words:
    """32-bit words, one after the other, from a pair of seeds."""

    def __init__(self, seed: int, seed2: int) -> None:
        self._stream = Stream.of_seeds(seed, seed2)
        self._group = 0
        self._size = 4  # small at first: most shuffles that restart take few words
        self._words: list[int] = []
        self._used = 0

    def next(self) -> int:
        """The next word."""
        if self._used == len(self._words):
            self._refill()
        word = self._words[self._used]
        self._used += 1
        return word

    def _refill(self) -> None:
        numbers = np.arange(self._group, self._group + self._size, dtype=np.uint64)
        with np.errstate(over="ignore"):
            self._words = self._stream.groups(numbers).reshape(-1).tolist()
        self._group += self._size
        self._size = min(2 * self._size, GROUPS)
        self._used = 0


class Seeds:
    """The pair of seeds of a transformation, and those of each pass over it.

    Without seeds every pass gets new ones from the system. With `fresh` the first pair only starts
    a stream that each pass takes its own pair from; else all passes use the same pair.
    """

    def __init__(self, pair: Pair, fresh: bool) -> None:
        self._lock = threading.Lock()
        if pair == (0, 0):
            source = random.SystemRandom()
            pair = (source.getrandbits(63), source.getrandbits(63))
        self._pair = pair
        self._words = Words(*pair) if fresh else None

    def of_iteration(self) -> Pair:
        """The seeds of one pass."""
        if self._words is None:
            return self._pair
        with self._lock:
            return self._words.next(), self._words.next()

    def __deepcopy__(self, memo: Any) -> Seeds:
        return self


def pair_for(seed: Any) -> Pair:
    """The pair of seeds of a new transformation, by the rules of eager operations."""
    with init_scope():
        return get_seed(None if seed is None else int(seed))
