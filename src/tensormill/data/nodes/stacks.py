"""Several elements at a time, as arrays of their rows, and batches that are cut out of these."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...eager.tensor import wrap
from ...errors import InvalidArgumentError
from .tables import Array, Element, RowTable

if TYPE_CHECKING:
    from ..failures import ElementFailure

# An array of as many rows for each component.
Stack = Sequence[Array]

# So much of a table is copied at once, for several batches. A batch that somebody keeps keeps all
# of it.
BYTES_AT_ONCE: Final = 1 << 15


class StackedRows:
    """The rows of stacks, of which so many are taken as are asked for.

    Where a stack failed, what was taken with the rows before it is lost, as of single elements.
    """

    def __init__(self, stacks: Iterator[Stack | ElementFailure]) -> None:
        self._stacks = stacks
        self._current: Stack = ()
        self._at = self._count = 0

    def take(self, count: int) -> list[Stack]:
        """The next rows, in as many pieces as they lie in; fewer rows only at the end."""
        taken: list[Stack] = []
        while count:
            if self._at == self._count and not self._go_on():
                break
            end = min(self._at + count, self._count)
            taken.append([column[self._at : end] for column in self._current])
            count -= end - self._at
            self._at = end
        return taken

    def _go_on(self) -> bool:
        for stack in self._stacks:
            if not isinstance(stack, Sequence):
                try:
                    raise stack.error
                finally:
                    del stack  # no cycle of the error and its frames
            self._current, self._at, self._count = stack, 0, len(stack[0])
            if self._count:
                return True
        return False


def count_of(pieces: Sequence[Stack]) -> int:
    """How many rows there are."""
    return sum([len(piece[0]) for piece in pieces])


def joined_stacks(pieces: Sequence[Stack]) -> Element:
    """Several stacks as one element.

    Raises:
        InvalidArgumentError: their rows differ in shape.
    """
    if len(pieces) == 1:
        return tuple([wrap(column) for column in pieces[0]])
    return tuple([wrap(_concatenated(columns)) for columns in zip(*pieces, strict=True)])


def _concatenated(columns: Sequence[Array]) -> Array:
    first = columns[0].shape[1:]
    for column in columns:
        if column.shape[1:] != first:
            raise different_shapes(column.shape[1:], first)
    return np.concatenate(columns)


def different_shapes(row: Sequence[int], batch: Sequence[int]) -> InvalidArgumentError:
    """That an element cannot be added to a batch."""
    return InvalidArgumentError(
        "Cannot add tensor to the batch: number of elements does not match. Shapes are: "
        f"[tensor]: {list(row)}, [batch]: {list(batch)}; padded_batch makes "
        "elements of different shapes equally long"
    )


def rows_at_once(table: RowTable) -> int:
    """How many rows of a table are copied together."""
    return max(BYTES_AT_ONCE // max(table.row_bytes, 1), 1)


def stacks_of_rows(table: RowTable, blocks: Iterator[Any]) -> Iterator[Stack]:
    """The rows of a table with these indices."""
    most = rows_at_once(table)
    for block in blocks:
        for at in range(0, len(block), most):
            yield table.arrays(block[at : at + most])
