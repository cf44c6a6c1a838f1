"""What a staged loop can run over: anything with a length and an item for each index."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, final

from ....core import dtypes
from ....errors import OperatorNotAllowedInGraphError
from .. import tensor_ranges, tensor_rows, tensors


class StagedSequence(ABC):
    """A sequence that may only be known when the graph runs."""

    @abstractmethod
    def length(self) -> Any:
        """The number of items: an int, or a scalar integer tensor."""

    @abstractmethod
    def item(self, index: Any) -> Any:
        """The item at an index from 0 on: tensors, or tuples of them."""

    def index_dtype(self) -> Any:
        """The dtype of indices."""
        return dtypes.int32

    def listed(self) -> Any:
        """A list of the graph with all items."""
        return tensor_rows.listed(
            tensor_rows.mapped(self.item, tensor_ranges.make_range(self.length()))
        )

    def __iter__(self) -> Iterator[Any]:
        length = self.length()
        if not isinstance(length, int):
            raise OperatorNotAllowedInGraphError(
                "Iterating over a symbolic `tf.Tensor` is not allowed here: its length is known "
                "only when the graph runs. Use it in a `for` statement"
            )
        return map(self.item, range(length))


@final
class TensorRows(StagedSequence):
    """The slices of a tensor along its first axis."""

    def __init__(self, tensor: Any) -> None:
        tensor_rows.check_has_rows(tensor)
        self.tensor, self.rows = tensor, tensor_rows.with_rows(tensor)

    def length(self) -> Any:
        return tensor_rows.first_dimension(self.tensor)

    def listed(self) -> Any:
        return tensor_rows.listed(self.rows)

    def item(self, index: Any) -> Any:
        return tensor_rows.row(self.rows, index)


@final
class RaggedRows(StagedSequence):
    """The rows of a ragged tensor."""

    def __init__(self, ragged: Any) -> None:
        self.ragged = ragged

    def length(self) -> Any:
        return self.ragged.nrows()

    def index_dtype(self) -> Any:
        return self.ragged.row_splits.dtype

    def item(self, index: Any) -> Any:
        return self.ragged[index]


@final
class ListRows(StagedSequence):
    """The elements of a list that grew in staged code."""

    def __init__(self, values: Any) -> None:
        self.values = values

    def length(self) -> Any:
        return self.values.length()

    def listed(self) -> Any:
        return self.values.copy()

    def item(self, index: Any) -> Any:
        return self.values[index]


@final
class RangeRows(StagedSequence):
    """`tf.range(start, limit, delta)`, never made."""

    def __init__(self, start: Any, limit: Any, delta: Any, dtype: Any) -> None:
        self.start, self.limit, self.delta, self.dtype = start, limit, delta, dtype

    def length(self) -> Any:
        return tensor_ranges.range_length(self.start, self.limit, self.delta)

    def index_dtype(self) -> Any:
        return self.dtype if self.dtype.is_integer else dtypes.int32

    def item(self, index: Any) -> Any:
        return tensor_ranges.range_item(self.start, self.delta, index, self.dtype)


@final
class ZippedRows(StagedSequence):
    """`zip(…)`, as long as the shortest."""

    def __init__(self, parts: list[StagedSequence]) -> None:
        self.parts = parts

    def length(self) -> Any:
        lengths = [part.length() for part in self.parts]
        shortest = lengths[0]
        for other in lengths[1:]:
            shortest = tensor_rows.smaller(shortest, other)
        return shortest

    def item(self, index: Any) -> Any:
        return tuple(part.item(index) for part in self.parts)


@final
class EnumeratedRows(StagedSequence):
    """`enumerate(…)`."""

    def __init__(self, rows: StagedSequence, start: Any) -> None:
        self.rows, self.start = rows, start

    def length(self) -> Any:
        return self.rows.length()

    def item(self, index: Any) -> Any:
        return index + self.start, self.rows.item(index)


@final
class ReversedRows(StagedSequence):
    """`reversed(…)`."""

    def __init__(self, rows: StagedSequence) -> None:
        self.rows = rows

    def length(self) -> Any:
        return self.rows.length()

    def item(self, index: Any) -> Any:
        return self.rows.item(self.length() - 1 - index)


@final
class MappedRows(StagedSequence):
    """`map(function, …)`."""

    def __init__(self, function: Callable[..., Any], parts: list[StagedSequence]) -> None:
        self.function, self.zipped = function, ZippedRows(parts)

    def length(self) -> Any:
        return self.zipped.length()

    def item(self, index: Any) -> Any:
        return self.function(*self.zipped.item(index))


def staged_rows(iterable: Any) -> StagedSequence | None:
    """The rows of what a loop over it belongs into the graph, else None."""
    if isinstance(iterable, StagedSequence):
        return iterable
    if tensors.is_staged_list(iterable):
        return ListRows(iterable)
    if tensors.is_ragged(iterable) and tensors.building_graph():
        return RaggedRows(iterable)
    if not tensors.is_staged(iterable):
        return None
    made_by_range = tensor_ranges.range_arguments(iterable)
    return TensorRows(iterable) if made_by_range is None else RangeRows(*made_by_range)


def rows_beside_tensors(iterable: Any) -> StagedSequence | None:
    """The rows of a Python sequence that stands beside tensors in `zip` or `map`."""
    rows = staged_rows(iterable)
    if rows is not None:
        return rows
    if isinstance(iterable, (list, tuple, range)):
        return TensorRows(tensors.as_tensor(list(iterable)))
    return None
