"""Some of the elements, drawn at random."""

from __future__ import annotations

import numpy as np

from ..seeds import Pair, SeedWords
from .node import Element, Elements, Node, Specs

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
