"""Shuffling with a buffer of limited size, in TensorFlow's order for the same seeds."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from ...errors import FailedPreconditionError, InvalidArgumentError
from ...ops.random.index_shuffle import Permutation
from ..failures import ElementFailure, Items, continuing_after_failures, elements_or_failures
from ..seeds import Pair, Seeds, SeedWords
from .node import (
    BLOCK,
    INFINITE,
    UNKNOWN,
    Element,
    Elements,
    Node,
    Order,
    Reader,
    Specs,
    blocks,
    number,
)
from .tables import RowTable

ROUNDS: Final = 8


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
        return shuffled(_begun_late(self.inputs[0]), self._size, words)

    def rows(self) -> RowTable | None:
        return self.inputs[0].rows()

    def order(self) -> Order:
        table = self.rows()
        assert table is not None
        words = SeedWords(*self._seeds.of_iteration())
        return Order(table, shuffled_numbers(self.inputs[0].order().blocks, self._size, words))

    def cardinality(self) -> int:
        return self.inputs[0].cardinality()


class PermutedNode(Node):
    """The elements in an order of all of them, which nobody writes down.

    Raises:
        FailedPreconditionError: they cannot be had by their numbers.
        InvalidArgumentError: nobody knows how many there are, or there is none.
    """

    keeps_elements = True

    def __init__(self, child: Node, *, seeds: Seeds, specs: Specs) -> None:
        super().__init__(specs, [child])
        self._seeds = seeds
        self._count = child.cardinality()
        if child.reader() is None or self._count == INFINITE:
            raise FailedPreconditionError(
                "`global_shuffle` requires all upstream transformations to give elements by their "
                f"numbers, which some below {type(child).__name__} do not: use shuffle"
            )
        if self._count < 1:
            raise InvalidArgumentError(
                "`global_shuffle` requires the input dataset to have a known number of elements, "
                f"at least one: its cardinality is {self._count}"
            )

    def iterate(self) -> Elements:
        permutation = self._permutation()
        pieces = (self._places(permutation, one) for one in blocks(range(self._count)))
        return map(self._read(), itertools.chain.from_iterable(pieces))

    def reader(self) -> Reader:
        read = self._read()
        places: list[int] = []

        def read_place(index: int) -> Element:
            if not places:  # who only asks whether there is a reader draws nothing
                places.extend(self._places(self._permutation(), range(self._count)))
            return read(places[index])

        return read_place

    def _read(self) -> Reader:
        read = self.inputs[0].reader()
        if read is None:
            raise TypeError(f"{type(self.inputs[0]).__name__} had its elements by numbers before")
        return read

    def _places(self, permutation: Permutation, numbers: range) -> list[int]:
        return permutation(np.array(numbers, np.uint64)).tolist()

    def _permutation(self) -> Permutation:
        first, second = self._seeds.of_iteration()
        third, _ = self._seeds.of_iteration()
        return Permutation((first, second, third), self._count - 1, ROUNDS)

    def cardinality(self) -> int:
        return self._count


def _begun_late(child: Node) -> Items:
    """The items of a node whose pass begins with the first of them, as in TensorFlow."""
    yield from elements_or_failures(child.iterate())


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


def shuffled_numbers(numbers: Iterator[Any], size: int, words: SeedWords) -> Iterator[Any]:
    """`shuffled` of the numbers in blocks (ranges or arrays), which nobody notices to be taken
    ahead: so places are drawn for a block at once, and what is left is to go from one to the next.
    """
    following = _each(numbers)
    ring = list(itertools.islice(following, size))
    count, first = len(ring), 0
    while items := list(itertools.islice(following, BLOCK)):
        heads = (first + np.arange(len(items))) % count
        places = (heads + words.take(len(items)) % count) % count
        chosen: list[int] = []
        for place, head, item in zip(places.tolist(), heads.tolist(), items, strict=True):
            chosen.append(ring[place])
            ring[place] = ring[head]
            ring[head] = item
        first = (first + len(items)) % count
        yield np.array(chosen, np.int64)
    for block in blocks(range(count)):
        heads = (first + np.array(block)) % count
        places = (heads + words.take(len(block)) % (count - np.array(block))) % count
        chosen = []
        for place, head in zip(places.tolist(), heads.tolist(), strict=True):
            chosen.append(ring[place])
            ring[place] = ring[head]
        yield np.array(chosen, np.int64)


def _each(numbers: Iterator[Any]) -> Iterator[int]:
    """The numbers in blocks, one by one."""
    pieces = (block if isinstance(block, range) else block.tolist() for block in numbers)
    return itertools.chain.from_iterable(pieces)
