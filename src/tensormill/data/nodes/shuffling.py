"""Shuffling with a buffer of limited size, in TensorFlow's order for the same seeds."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..failures import ElementFailure, Items, continuing_after_failures, elements_or_failures
from ..seeds import Pair, Seeds, SeedWords
from .node import BLOCK, INFINITE, UNKNOWN, Elements, Node, Order, Specs, number
from .tables import RowTable


class ShuffleNode(Node):
    """The elements in a random order: each is drawn from the next `buffer_size` that are left."""

    is_passive = True
    keeps_elements = True

    def __init__(
        self,
        child: Node,
        buffer_size: Any,
        *,
        pair: Pair = (0, 0),
        fresh: bool = True,
        seeds: Seeds | None = None,
        specs: Specs,
    ) -> None:
        """`seeds`: those that several datasets share, instead of the pair."""
        super().__init__(specs, [child])
        self._size = self._buffer_size(number(buffer_size, "buffer_size"))
        self._seeds = seeds or Seeds(pair, fresh)

    def _buffer_size(self, asked: int) -> int:
        (child,) = self.inputs
        count = child.cardinality()
        if asked == UNKNOWN or asked == -1:
            return max(count, 1) if count not in (INFINITE, UNKNOWN) else 1 << 62
        return number(asked, "buffer_size", 1)

    def iterate(self) -> Elements:
        if self.rows() is not None:
            return super().iterate()
        return self._shuffled()

    @continuing_after_failures
    def _shuffled(self) -> Items:
        words = SeedWords(*self._seeds.of_iteration())
        return shuffled(elements_or_failures(self.inputs[0].iterate()), self._size, words)

    def rows(self) -> RowTable | None:
        return self.inputs[0].rows()

    def order(self) -> Order:
        order = self.inputs[0].order()
        words = SeedWords(*self._seeds.of_iteration())
        return Order(order.table, _in_blocks(shuffled(_indices(order), self._size, words)))

    def cardinality(self) -> int:
        return self.inputs[0].cardinality()


def _indices(order: Order) -> Iterator[int]:
    for block in order.blocks:
        yield from block if isinstance(block, range) else block.tolist()


def _in_blocks(indices: Iterator[int]) -> Iterator[Any]:
    while piece := list(itertools.islice(indices, BLOCK)):
        yield np.array(piece, np.int64)


def shuffled(items: Iterator[Any], size: int, words: SeedWords) -> Iterator[Any]:
    """Draw an item from the buffer, put the buffer's first where it was, and the next item last.

    The buffer is a ring: `first` is the place of its first item. Failures are passed on.
    """
    ring: list[Any] = []
    while len(ring) < size and (item := next(items, None)) is not None:
        if isinstance(item, ElementFailure):
            yield item
        else:
            ring.append(item)
    count, first, draw = len(ring), 0, words.next
    if not count:
        return
    while True:
        place = (first + draw() % count) % count
        chosen, ring[place] = ring[place], ring[first]
        yield chosen
        while isinstance(item := next(items, None), ElementFailure):
            yield item
        if item is None:
            break
        ring[first] = item
        first = (first + 1) % count
    for left in range(count - 1, 0, -1):
        first = (first + 1) % count
        place = (first + draw() % left) % count
        chosen, ring[place] = ring[place], ring[first]
        yield chosen
