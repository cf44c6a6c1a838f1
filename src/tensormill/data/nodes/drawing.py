"""What is drawn at random: some of the elements, or whose turn it is."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

import numpy as np

from ...core import dtypes
from ...ops.random.distributions import unit_floats
from ...ops.random.philox import first_groups
from ...ops.random.rejection_sampling import running_shares
from ..seeds import Pair, SeedWords
from .node import Array, Element, Elements, Node, Specs

_FEWEST, _MOST = 4, 1024  # numbers that are drawn at once

_MANTISSA, _ONE = 0x7FFFFF, 0x3F800000  # of float32


def _uniform(word: int) -> float:
    """A float32 of [0, 1) of the lower bits of a word, as TensorFlow makes it."""
    return float(np.uint32(word & _MANTISSA | _ONE).view(np.float32)) - 1.0


class BernoulliNode(Node):
    """Each element with a probability; the same ones in each pass."""

    def __init__(self, child: Node, *, rate: float, pair: Pair, specs: Specs) -> None:
        super().__init__(specs, [child])
        self._rate, self._pair = rate, pair

    def iterate(self) -> Elements:
        words = SeedWords(*self._pair)

        def is_drawn(element: Element) -> bool:
            return _uniform(words.next()) < self._rate

        return filter(is_drawn, self.inputs[0].iterate())


class DrawnPlaces:
    """Places, each as often as its share: in TensorFlow, two words are the seeds for one."""

    def __init__(self, words: SeedWords) -> None:
        self._units = _units(words)

    def next(self, borders: Sequence[float]) -> int:
        """One of the places between these borders."""
        return bisect_right(borders, next(self._units) * borders[-1])


def borders_of(shares: Array) -> list[float]:
    """Where the part of each place ends, of all shares together."""
    with np.errstate(divide="ignore"):
        logits = np.log(shares.astype(np.float32))[None]
    return running_shares(logits)[0].tolist()


def _units(words: SeedWords) -> Iterator[float]:
    """The first float64 of [0, 1) of the stream of each pair of words."""
    size = _FEWEST
    while True:
        seeds = np.array([words.next() for _ in range(2 * size)], np.uint64).reshape(-1, 2)
        groups = first_groups(seeds[:, 0], seeds[:, 1])
        yield from unit_floats(groups, dtypes.float64)[:, 0].tolist()
        size = min(2 * size, _MOST)
