"""Every so many-th element, for one of several that share a dataset."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, Final

from ...errors import FailedPreconditionError, InvalidArgumentError
from ..failures import ElementFailure, Items, over_inputs
from .node import UNKNOWN, Elements, Node, Order, Reader, Specs, number
from .tables import RowTable

# Takes the place of the numbers in `dataset.shard(tf.data.experimental.SHARD_HINT, …)`.
SHARD_HINT: Final = -1

NOBODY_SAID: Final = (
    "`Dataset.shard(SHARD_HINT, ...)` says where a dataset is divided, and not between how many: "
    "distribute it with `tf.data.experimental.AutoShardPolicy.HINT`, or tell both numbers"
)
TOO_FEW: Final = (
    "Could not apply FILE based sharding: there are {} elements (files) for {} workers: choose "
    "`tf.data.experimental.AutoShardPolicy.DATA`, or have a file for each"
)


class ShardNode(Node):
    """Every `count`-th element, from number `index` on.

    Where the number is a hint nobody has said yet who gets what. `required`: that there are no
    elements for some is an error for those that would get one.
    """

    is_passive = True
    keeps_elements = True

    def __init__(
        self, child: Node, count: Any, index: Any, *, specs: Specs, required: bool = False
    ) -> None:
        super().__init__(specs, [child])
        self.is_hint: Final = int(count) == SHARD_HINT
        self._count = SHARD_HINT if self.is_hint else number(count, "Number of shards", 1)
        self._index, self._required = int(index), required
        if not (self.is_hint or 0 <= self._index < self._count):
            raise InvalidArgumentError(
                f"Index must be between 0 and {self._count - 1} (currently index = {self._index})."
            )

    @property
    def does_nothing(self) -> bool:
        return self._count == 1

    def iterate(self) -> Elements:
        if self.is_hint:
            raise FailedPreconditionError(NOBODY_SAID)
        return self._own()

    @over_inputs
    def _own(self, items: Items) -> Items:
        before = skip = self._index  # of others
        for item in self._enough(items) if self._required else items:
            if isinstance(item, ElementFailure):
                skip = before if skip else 0  # one of others begins them again
                yield item
            elif skip:
                skip -= 1
            else:
                before = skip = self._count - 1
                yield item

    def _enough(self, items: Items) -> Items:
        """The same, or a failure where others would get nothing."""
        first = list(itertools.islice(items, self._count))
        if self._index < len(first) < self._count:
            yield ElementFailure(InvalidArgumentError(TOO_FEW.format(len(first), self._count)))
        else:
            yield from itertools.chain(first, items)

    def _is_plain(self) -> bool:
        return not (self.is_hint or self._required)

    def rows(self) -> RowTable | None:
        return self.inputs[0].rows() if self._is_plain() else None

    def numbers(self) -> range | None:
        numbers = self.inputs[0].numbers() if self._is_plain() else None
        return None if numbers is None else numbers[self._index :: self._count]

    def order(self) -> Order:
        order = self.inputs[0].order()
        return Order(order.table, self._every(order.blocks))

    def _every(self, blocks: Iterator[Any]) -> Iterator[Any]:
        skip = self._index
        for block in blocks:
            if skip < len(block):
                yield block[skip :: self._count]
            skip = (skip - len(block)) % self._count if skip < len(block) else skip - len(block)

    def reader(self) -> Reader | None:
        read, count, first = self.inputs[0].reader(), self._count, self._index
        return None if read is None or self.is_hint else lambda index: read(first + count * index)

    def cardinality(self) -> int:
        have = UNKNOWN if self.is_hint else self.inputs[0].cardinality()
        return have if have < 0 else len(range(self._index, have, self._count))
