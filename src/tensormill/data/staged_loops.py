"""Staged loops over datasets: natively over rows that are at hand, else by an iterator."""

from __future__ import annotations

from math import prod
from typing import Any, Final, final

from ..autograph.runtime.staged.iteration import RowStream, Stream
from ..autograph.runtime.staged.sequences import StagedSequence
from ..control.cond import cond
from ..core import dtypes
from ..core.specs import TensorSpec
from ..eager.tensor import from_array, wrap
from ..ops.array.gather import gather
from ..ops.array.slicing import slice as slice_tensor
from ..ops.control.flow import identity
from ..ops.conversion import as_tensor
from ..ops.math.cast import cast
from . import operations, structure
from .iterators import ElementStream, OwnedIterator
from .nodes.batching import BatchNode
from .nodes.node import Node
from .nodes.tables import Arithmetic, ArraySlices, RowTable, ZippedTables

# Arrays of more bytes are not made part of a trace: the dataset is iterated.
LARGEST_CAPTURED: Final = 1 << 28
# What an iterator gives a loop at once, at most and at least; the loop may copy it in each round.
MOST_BYTES: Final = 1 << 14
MOST_ROWS: Final = 64
FEWEST: Final = 4


class Columns:
    """A table in the graph that is being traced."""

    def __init__(self, table: RowTable) -> None:
        self._parts = [_column(part) for part in _flat(table)]

    def row(self, index: Any) -> tuple[Any, ...]:
        """The components of one row."""
        return tuple(part.at(index) for part in self._parts)

    def block(self, first: Any, size: Any) -> tuple[Any, ...]:
        """Those of `size` rows from `first` on, stacked."""
        return tuple(part.block(first, size) for part in self._parts)


def _flat(table: RowTable) -> list[RowTable]:
    if isinstance(table, ZippedTables):
        return [one for part in table.parts for one in _flat(part)]
    if isinstance(table, ArraySlices):
        return [ArraySlices([column]) for column in table.columns]
    return [table]


def _column(table: RowTable) -> Any:
    if isinstance(table, ArraySlices):
        return _StoredRows(table)
    assert isinstance(table, Arithmetic)
    return _Computed(table)


class _StoredRows:
    def __init__(self, table: ArraySlices) -> None:
        self._tensor = wrap(table.columns[0])

    def at(self, index: Any) -> Any:
        return gather(self._tensor, index)

    def block(self, first: Any, size: Any) -> Any:
        rest = [0] * (self._tensor.ndim - 1)
        return slice_tensor(self._tensor, [first, *rest], [size, *(-1 for _ in rest)])


class _Computed:
    def __init__(self, table: Arithmetic) -> None:
        self._table = table
        self._dtype = dtypes.as_dtype(table.dtype)

    def at(self, index: Any) -> Any:
        return cast(index * self._table.step + self._table.start, self._dtype)

    def block(self, first: Any, size: Any) -> Any:
        from ..ops.array.fill import range as numbers

        return self.at(numbers(first, first + size))


@final
class TableRows(StagedSequence):
    """The rows of a table with evenly spaced numbers."""

    def __init__(self, table: RowTable, numbers: range, spec: Any) -> None:
        self._columns = Columns(table)
        self._numbers = numbers
        self._pack = structure.packer(spec)

    def length(self) -> int:
        return len(self._numbers)

    def index_dtype(self) -> Any:
        return dtypes.int64

    def item(self, index: Any) -> Any:
        numbers = self._numbers
        return self._pack(self._columns.row(index * numbers.step + numbers.start))


@final
class BatchRows(StagedSequence):
    """Blocks of rows that lie side by side."""

    def __init__(self, table: RowTable, numbers: range, batch: BatchNode, spec: Any) -> None:
        self._columns = Columns(table)
        self._numbers, self._batch = numbers, batch
        self._pack = structure.packer(spec)

    def length(self) -> int:
        return self._batch.cardinality()

    def index_dtype(self) -> Any:
        return dtypes.int64

    def item(self, index: Any) -> Any:
        size, count = self._batch.size, len(self._numbers)
        first = index * size
        if self.length() * size > count:  # the last one is shorter
            from ..ops.math.arithmetic import minimum

            size = minimum(count - first, from_array(_int64(size)))
        return self._pack(self._columns.block(first + self._numbers.start, size))


def _int64(number: int) -> Any:
    return dtypes.int64.storage.type(number).reshape(())


def stream_over(dataset: Any) -> Stream:
    """What a staged loop over a dataset goes through."""
    rows = None if dataset.handle.symbolic else rows_of(dataset.node, dataset.element_spec)
    if rows is not None:
        return RowStream(rows)
    most = MOST_BYTES // max(_bytes_of_element(dataset.element_spec), 1)
    if most < FEWEST:
        return ElementStream(dataset.__iter__())
    return StackedStream(dataset.__iter__(), min(most, MOST_ROWS))


def _bytes_of_element(spec: Any) -> int:
    """How many bytes an element has; more than enough where that is not known."""
    specs = structure.flat_specs(spec)
    known = [
        one.dtype.size * prod(size or 0 for size in one.shape.as_list())
        for one in specs
        if isinstance(one, TensorSpec) and one.shape.is_fully_defined()
        if not one.dtype.stays_in_python
    ]
    return sum(known) if len(known) == len(specs) else MOST_BYTES


@final
class StackedStream(Stream):
    """A staged loop over a dataset whose iterator gives several elements at once, stacked: the
    state is a flag, the number of the element among these, how many there are, and they.
    """

    def __init__(self, iterator: OwnedIterator, most: int) -> None:
        self._handle, self._most = iterator.handle, most
        self._specs = structure.flat_specs(iterator.element_spec)
        self._pack = structure.packer(iterator.element_spec)
        # The iterator lives as long as the loop is traced: it is the only one that uses it.
        self._iterator = iterator

    def first(self, wanted: Any) -> list[Any]:
        count, *rows = operations.next_rows(self._handle, wanted, self._most, self._specs)
        return [count > 0, as_tensor(0, dtypes.int64), count, *rows]

    def following(self, state: list[Any], wanted: Any) -> list[Any]:
        _, index, count, *rows = state
        later = index + 1
        return cond(
            later < count,
            lambda: [identity(as_tensor(wanted)), later, count, *rows],
            lambda: self.first(wanted),
        )

    def item(self, state: list[Any]) -> Any:
        _, index, _, *rows = state
        return self._pack(tuple(gather(one, index) for one in rows))


def rows_of(node: Node, spec: Any) -> StagedSequence | None:
    """The elements as rows that native code finds by itself, where they are such."""
    batch = node if isinstance(node, BatchNode) else None
    source = node.inputs[0] if batch is not None else node
    table, numbers = source.rows(), source.numbers()
    if table is None or numbers is None or _bytes_of(table) > LARGEST_CAPTURED:
        return None
    if batch is None:
        return TableRows(table, numbers, spec)
    return BatchRows(table, numbers, batch, spec) if numbers.step == 1 else None


def _bytes_of(table: RowTable) -> int:
    parts = [part for part in _flat(table) if isinstance(part, ArraySlices)]
    return sum(part.columns[0].nbytes for part in parts)
