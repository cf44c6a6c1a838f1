"""Which elements, and how often: transformations that make no new elements."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ...core.process.logs import logger
from ...errors import FailedPreconditionError, InvalidArgumentError
from ..failures import (
    ElementFailure,
    InterruptedPassError,
    Items,
    continuing_after_failures,
    elements_or_failures,
    first_of,
    over_inputs,
    result_or_failure,
)
from ..seeds import Seeds, SeedWords
from .drawing import DrawnPlaces, borders_of
from .node import (
    INFINITE,
    UNKNOWN,
    Element,
    Elements,
    Node,
    Order,
    Reader,
    SameElements,
    Specs,
    Stack,
    number,
    tensor,
)
from .tables import Arithmetic, RowTable, ZippedTables


class TakeNode(Node):
    """The first elements; all for a negative count."""

    is_passive = True
    keeps_elements = True

    def __init__(self, child: Node, count: Any, *, specs: Specs) -> None:
        super().__init__(specs, [child])
        self._count = number(count, "count")

    @property
    def does_nothing(self) -> bool:
        return self._count < 0

    def iterate(self) -> Elements:
        if self._count < 0:
            return self.inputs[0].iterate()
        return self._first()

    @continuing_after_failures
    def _first(self) -> Items:
        return first_of(elements_or_failures(self.inputs[0].iterate()), self._count)

    def rows(self) -> RowTable | None:
        return self.inputs[0].rows()

    def numbers(self) -> range | None:
        numbers = self.inputs[0].numbers()
        return numbers if numbers is None or self._count < 0 else numbers[: self._count]

    def order(self) -> Order:
        order = self.inputs[0].order()
        if self._count < 0:
            return order
        return Order(order.table, _up_to(order.blocks, self._count))

    def reader(self) -> Reader | None:
        return self.inputs[0].reader()

    def cardinality(self) -> int:
        have = self.inputs[0].cardinality()
        if self._count < 0 or have == UNKNOWN:
            return have
        return self._count if have == INFINITE else min(have, self._count)


class SkipNode(Node):
    """All but the first elements; none for a negative count."""

    is_passive = True
    keeps_elements = True

    def __init__(self, child: Node, count: Any, *, specs: Specs) -> None:
        super().__init__(specs, [child])
        self._count = number(count, "count")

    @property
    def does_nothing(self) -> bool:
        return self._count == 0

    def iterate(self) -> Elements:
        if self._count < 0:
            return iter(())
        return self._after()

    @over_inputs
    def _after(self, items: Items) -> Items:
        skipped = 0
        for item in items:
            if skipped == self._count:
                yield item
            elif isinstance(item, ElementFailure):
                skipped = 0  # what asks again, skips again, as in TensorFlow
                yield item
            else:
                skipped += 1

    def rows(self) -> RowTable | None:
        return self.inputs[0].rows()

    def numbers(self) -> range | None:
        numbers = self.inputs[0].numbers()
        return None if numbers is None or self._count < 0 else numbers[self._count :]

    def order(self) -> Order:
        order = self.inputs[0].order()
        if self._count < 0:
            return Order(order.table, iter(()))
        return Order(order.table, _from(order.blocks, self._count))

    def reader(self) -> Reader | None:
        read, skipped = self.inputs[0].reader(), self._count
        return None if read is None else lambda index: read(index + skipped)

    def cardinality(self) -> int:
        have = self.inputs[0].cardinality()
        if have < 0:
            return have
        return 0 if self._count < 0 else max(0, have - self._count)


def _up_to(blocks: Iterator[Any], count: int) -> Iterator[Any]:
    for block in blocks:
        if len(block) >= count:
            yield block[:count]
            return
        count -= len(block)
        yield block


def _from(blocks: Iterator[Any], count: int) -> Iterator[Any]:
    for block in blocks:
        if count < len(block):
            yield block[count:]
        count = max(0, count - len(block))


class RepeatNode(Node):
    """The elements again and again: `count` times, or without end."""

    is_passive = True
    keeps_elements = True

    def __init__(self, child: Node, count: Any, *, specs: Specs) -> None:
        super().__init__(specs, [child])
        self._count = number(count, "count")

    def _times(self) -> Iterator[Any]:
        return itertools.count() if self._count < 0 else iter(range(self._count))

    @property
    def does_nothing(self) -> bool:
        return self._count == 1

    def iterate(self) -> Elements:
        return _Repeated(self.inputs[0], self._times(), self._count < 0)

    def rows(self) -> RowTable | None:
        (child,) = self.inputs
        never_ends = self._count < 0 and child.cardinality() == 0
        return None if never_ends else child.rows()

    def order(self) -> Order:
        table = self.rows()
        assert table is not None
        passes = self._times()
        started = [self.inputs[0].order().blocks for _ in itertools.islice(passes, 1)]
        later = (self.inputs[0].order().blocks for _ in passes)
        return Order(table, itertools.chain.from_iterable(itertools.chain(started, later)))

    def reader(self) -> Reader | None:
        read, count = self.inputs[0].reader(), self.inputs[0].cardinality()
        if read is None or self._count <= 0:
            return None
        return lambda index: read(index % count)

    def cardinality(self) -> int:
        have = self.inputs[0].cardinality()
        if self._count == 0 or have == 0:
            return 0
        if self._count < 0:
            return INFINITE
        return have if have < 0 else have * self._count


class _Repeated:
    """One pass after the other; an endless repetition of nothing ends."""

    def __init__(self, child: Node, times: Iterator[Any], endless: bool) -> None:
        self._child, self._times, self._endless = child, times, endless
        started = [child.iterate() for _ in itertools.islice(times, 1)]
        self._elements: Elements | None = started[0] if started else None
        self._was_empty = True

    def __iter__(self) -> Elements:
        return self

    def __next__(self) -> Any:
        while True:
            if self._elements is None:
                next(self._times)
                self._elements, self._was_empty = self._child.iterate(), True
            for element in self._elements:
                self._was_empty = False
                return element
            self._elements = None
            if self._was_empty and self._endless:
                self._times = iter(())


class ConcatenateNode(Node):
    """The elements of one dataset, then those of another."""

    is_passive = True
    keeps_elements = True

    def __init__(self, first: Node, second: Node, *, specs: Specs) -> None:
        super().__init__(specs, [first, second])

    def iterate(self) -> Elements:
        return _Chained(iter(self.inputs))

    @property
    def has_stacks(self) -> bool:
        return all(one.has_stacks for one in self.inputs)

    def stacks(self) -> Iterator[Stack | ElementFailure]:
        first, second = self.inputs
        later = (stack for _ in range(1) for stack in second.stacks())
        return itertools.chain(first.stacks(), later)

    def reader(self) -> Reader | None:
        first, second = (one.reader() for one in self.inputs)
        count = self.inputs[0].cardinality()
        if first is None or second is None or count < 0:
            return None
        return lambda index: first(index) if index < count else second(index - count)

    def cardinality(self) -> int:
        counts = [one.cardinality() for one in self.inputs]
        if INFINITE in counts:
            return INFINITE
        return UNKNOWN if UNKNOWN in counts else sum(counts)


class _Chained:
    """The elements of several nodes, one after the other."""

    def __init__(self, nodes: Iterator[Node]) -> None:
        self._nodes = nodes
        self._elements: Elements = next(nodes).iterate()

    def __iter__(self) -> Elements:
        return self

    def __next__(self) -> Any:
        while True:
            for element in self._elements:
                return element
            self._elements = next(self._nodes).iterate()


class ZipNode(Node):
    """Elements of several datasets side by side, until one of them ends."""

    is_passive = True
    keeps_elements = True

    def __init__(self, *parts: Node, specs: Specs) -> None:
        super().__init__(specs, parts)

    def iterate(self) -> Elements:
        if self.rows() is not None:
            return super().iterate()
        return _Zipped([part.iterate() for part in self.inputs])

    def table(self) -> RowTable | None:
        tables = [part.table() for part in self.inputs]
        found = [table for table in tables if table is not None]
        return ZippedTables(found) if len(found) == len(tables) else None

    def reader(self) -> Reader | None:
        found = [one.reader() for one in self.inputs]
        reads = [one for one in found if one is not None]
        if len(reads) < len(found):
            return None
        return lambda index: tuple([part for read in reads for part in read(index)])

    def cardinality(self) -> int:
        counts = [part.cardinality() for part in self.inputs]
        known = [count for count in counts if count >= 0]
        if UNKNOWN in counts:
            return UNKNOWN
        return min(known) if known else INFINITE


class _Zipped:
    def __init__(self, parts: Sequence[Elements]) -> None:
        self._parts = parts

    def __iter__(self) -> Elements:
        return self

    def __next__(self) -> Any:
        items = [result_or_failure(next, part, None) for part in self._parts]
        for item in items:
            if item is None:
                raise StopIteration
            if isinstance(item, ElementFailure):
                raise item.error
        return tuple(itertools.chain.from_iterable(items))


class EnumerateNode(Node):
    """Each element with its number."""

    is_passive = True

    def __init__(self, child: Node, start: Any, *, specs: Specs) -> None:
        super().__init__(specs, [child])
        self._start = int(start)

    def iterate(self) -> Elements:
        if self.rows() is not None:
            return super().iterate()
        numbers = ((tensor(k, np.int64),) for k in itertools.count(self._start))
        return _Zipped([numbers, self.inputs[0].iterate()])

    def table(self) -> RowTable | None:
        table = self.inputs[0].table()
        if table is None:
            return None
        numbers = Arithmetic(table.count, self._start, 1, np.dtype(np.int64))
        return ZippedTables([numbers, table])

    def cardinality(self) -> int:
        return self.inputs[0].cardinality()


class SameNode(SameElements):
    """The elements as they are, with options that the user tells: an object, or a message."""

    is_passive = True

    def __init__(self, child: Node, *, options: Any = None, specs: Specs) -> None:
        super().__init__(specs, [child])
        self.options = options

    def iterate(self) -> Elements:
        return self.inputs[0].iterate()


class CountedNode(Node):
    """The elements, of which there must be `count`."""

    keeps_elements = True

    def __init__(self, child: Node, count: Any, *, specs: Specs) -> None:
        super().__init__(specs, [child])
        self._count = number(count, "cardinality")

    @over_inputs
    def iterate(self, items: Items) -> Items:
        seen = 0
        for item in items:
            seen += not isinstance(item, ElementFailure)
            yield self._failed("at least", seen) if 0 <= self._count < seen else item
        while self._count not in (UNKNOWN, seen):  # whoever asks again is told again
            yield self._failed("only", seen)

    def _failed(self, word: str, seen: int) -> ElementFailure:
        return ElementFailure(self._refusal(word, seen))

    def _refusal(self, word: str, seen: int) -> FailedPreconditionError:
        wanted = "an infinite number of" if self._count == INFINITE else f"{self._count}"
        return FailedPreconditionError(
            f"Input dataset was expected to contain {wanted} elements but contained {word} {seen} "
            "elements."
        )

    def reader(self) -> Reader | None:
        read, have = self.inputs[0].reader(), self.inputs[0].cardinality()
        if read is None or have < 0:
            return None

        def counted(index: int) -> Element:
            if index >= have:
                raise self._refusal("only", have)
            return read(index)

        return counted

    def cardinality(self) -> int:
        return self._count


class IgnoreErrorsNode(Node):
    """The elements that can be computed."""

    def __init__(self, child: Node, *, log: bool, specs: Specs) -> None:
        super().__init__(specs, [child])
        self._log = log

    def iterate(self) -> Elements:
        return _Tried(self.inputs[0].iterate(), self._log)

    def cardinality(self) -> int:
        return UNKNOWN


class _Tried:
    def __init__(self, elements: Elements, log: bool) -> None:
        self._elements, self._log = elements, log

    def __iter__(self) -> Elements:
        return self

    def __next__(self) -> Any:
        while True:
            try:
                return next(self._elements)
            except (StopIteration, InterruptedPassError):
                raise
            except Exception as error:
                if self._log:
                    logger.warning("an element of a dataset is ignored: %s", error)


class UniqueNode(Node):
    """Each distinct element once; they have one component."""

    def __init__(self, child: Node, *, specs: Specs) -> None:
        super().__init__(specs, [child])

    @over_inputs
    def iterate(self, items: Items) -> Items:
        seen: set[Any] = set()
        for element in items:
            if isinstance(element, ElementFailure):
                yield element
                continue
            array = element[0]._array
            numbers = array.tobytes() if array.dtype.kind != "O" else tuple(array.ravel().tolist())
            key = array.shape, numbers
            if key not in seen:
                seen.add(key)
                yield element


def next_of(running: list[Items | None], place: int) -> Any:
    """The next element of one of them; None where it has none, and is not running any more."""
    elements = running[place]
    element = None if elements is None else next(elements, None)
    if element is None:
        running[place] = None
    return element


class ChosenNode(Node):
    """Elements of several datasets, as the elements of the first say whose turn it is."""

    def __init__(self, choices: Node, *parts: Node, stop: bool, specs: Specs) -> None:
        super().__init__(specs, [choices, *parts])
        self._stop = stop

    @over_inputs
    def iterate(self, choices: Items, *parts: Items) -> Items:
        running: list[Items | None] = list(parts)
        for chosen in choices:
            if isinstance(chosen, ElementFailure):
                yield chosen
                continue
            place = int(chosen[0])
            if not 0 <= place < len(running):
                message = f"Selector index out of range: {place} >= {len(running)}"
                yield ElementFailure(InvalidArgumentError(message))
                continue
            element = next_of(running, place)
            if element is not None:
                yield element
            elif self._stop or not any(running):
                return


class SampledNode(Node):
    """Elements of several datasets, drawn at random: `shares` are their weights."""

    def __init__(self, *parts: Node, shares: Any, seeds: Seeds, stop: bool, specs: Specs) -> None:
        super().__init__(specs, parts)
        self._shares, self._seeds, self._stop = shares, seeds, stop

    @over_inputs
    def iterate(self, *parts: Items) -> Items:
        draws, borders = (
            DrawnPlaces(SeedWords(*self._seeds.of_iteration())),
            borders_of(self._shares),
        )
        running: list[Items | None] = list(parts)
        while any(running):
            place = draws.next(borders)
            element = next_of(running, place)
            if element is not None:
                yield element
            elif self._stop or not self._shares[[one is not None for one in running]].any():
                return


class VaryinglySampledNode(Node):
    """Elements of several datasets, drawn at random by weights that a dataset gives anew for each;
    when there are none left, that was all.
    """

    def __init__(self, weights: Node, *parts: Node, seeds: Seeds, stop: bool, specs: Specs) -> None:
        super().__init__(specs, [weights, *parts])
        self._seeds, self._stop = seeds, stop

    @over_inputs
    def iterate(self, weights: Items, *parts: Items) -> Items:
        draws = DrawnPlaces(SeedWords(*self._seeds.of_iteration()))
        running: list[Items | None] = list(parts)
        for shares in weights:
            if isinstance(shares, ElementFailure):
                yield shares
                continue
            place = draws.next(borders_of(shares[0]._array.reshape(-1)))
            if place >= len(running):
                message = f"there are {place + 1} weights for {len(running)} datasets"
                yield ElementFailure(InvalidArgumentError(message))
                continue
            element = next_of(running, place)
            if element is not None:
                yield element
            elif self._stop or not any(running):
                return
