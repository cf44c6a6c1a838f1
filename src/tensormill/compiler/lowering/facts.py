"""What is known behind a place of a program, and need not be reckoned or asked there again."""

from __future__ import annotations

from typing import Any, Final, TypeAlias, final

from ..loops.ir import Buffer, Expression, Local
from .scalars import Scalar

# What broadcasting joined of more sizes is a size by itself: chains of them stay short to compare.
MOST_JOINED: Final = 16

Mark: TypeAlias = tuple[int, ...]


@final
class Facts:
    """What was found out in the blocks of a program that are open; in a block that is closed it may
    not have been. Only what names and expressions say that nothing changes.

    Broadcasting is a join: of sizes that were found to fit, all are 1 but those that are the common
    one. So a common size is known by the set of those that it was made of, in whatever order and
    however often they meet: x * y * y has the size of x * y, and nothing is left to check.
    """

    def __init__(self) -> None:
        self._long_sizes: dict[Expression, Local] = {}
        self._joined: dict[frozenset[Expression], Scalar] = {}
        self._checked: dict[Expression, None] = {}
        self._buffers: dict[object, Buffer] = {}
        self._parts: dict[Expression, frozenset[Expression]] = {}  # of joined sizes, by name

    def mark(self) -> Mark:
        """What is known by now, for `forget`."""
        return tuple([len(table) for table in self._tables()])

    def forget(self, mark: Mark) -> None:
        """Whatever was found since `mark`."""
        for table, count in zip(self._tables(), mark, strict=True):
            while len(table) > count:
                table.popitem()  # the last one that came

    def _tables(self) -> tuple[dict[Any, Any], ...]:
        return self._long_sizes, self._joined, self._checked, self._buffers

    # ------------------------------------------------------------ long sizes

    def name_of(self, size: Expression) -> Local | None:
        """What a long size is called."""
        return self._long_sizes.get(size)

    def call(self, size: Expression, name: Local) -> None:
        """Equal long sizes are called by `name`: they must stay recognisable as such."""
        self._long_sizes[size] = name

    # ------------------------------------------------------------ common sizes

    def common_size(self, one: Scalar, other: Scalar) -> Scalar | None:
        """What broadcasting makes of two sizes, where they are known to fit."""
        these, those = self._parts_of(one), self._parts_of(other)
        if those <= these:
            return one
        if these <= those:
            return other
        return self._joined.get(these | those)

    def join(self, one: Scalar, other: Scalar, common: Scalar) -> None:
        """Two sizes were found to fit, and make `common`."""
        both = self._parts_of(one) | self._parts_of(other)
        if len(both) <= MOST_JOINED:
            self._parts[common.expression] = both
            self._joined[both] = common

    def _parts_of(self, size: Scalar) -> frozenset[Expression]:
        return self._parts.get(size.expression) or frozenset((size.expression,))

    # ------------------------------------------------------------ checks

    def is_checked(self, condition: Expression) -> bool:
        """Whether the program would have been left if it did not hold."""
        return condition in self._checked

    def check(self, condition: Expression) -> None:
        """It holds from now on."""
        self._checked[condition] = None

    # ------------------------------------------------------------ tables

    def table(self, key: object) -> Buffer | None:
        """Memory that holds what `key` says."""
        return self._buffers.get(key)

    def keep(self, key: object, table: Buffer) -> None:
        """`table` holds what `key` says, and nobody changes it."""
        self._buffers[key] = table
