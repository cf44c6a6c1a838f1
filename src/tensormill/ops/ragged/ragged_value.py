"""`tf.compat.v1.ragged.RaggedTensorValue`: rows of different lengths as arrays."""

from __future__ import annotations

import itertools
from typing import Any

from ...core.process.named_tuples import NamedTuple


class RaggedTensorValue(NamedTuple):
    """A ragged tensor as arrays: what sessions give for one.

    values: an array, or another value where rows are ragged themselves; row_splits: where rows
    begin, and where the last one ends.

    >>> import numpy as np
    >>> rows = tf.compat.v1.ragged.RaggedTensorValue(np.array([1, 2, 3]), np.array([0, 2, 3]))
    >>> rows.to_list(), rows.shape
    ([[1, 2], [3]], (2, None))
    """

    values: Any
    row_splits: Any

    @property
    def flat_values(self) -> Any:
        """The values of the innermost rows, as one array."""
        inner = self.values
        return inner.flat_values if isinstance(inner, RaggedTensorValue) else inner

    @property
    def nested_row_splits(self) -> tuple[Any, ...]:
        """The row splits of all ragged axes, the outermost first."""
        inner = self.values
        below = inner.nested_row_splits if isinstance(inner, RaggedTensorValue) else ()
        return (self.row_splits, *below)

    @property
    def ragged_rank(self) -> int:
        """How many axes are ragged."""
        return len(self.nested_row_splits)

    @property
    def dtype(self) -> Any:
        """NumPy's dtype of the values."""
        return self.flat_values.dtype

    @property
    def shape(self) -> tuple[int | None, ...]:
        """The sizes, None for ragged axes."""
        return (len(self.row_splits) - 1, None, *self.values.shape[1:])

    def to_list(self) -> list[Any]:
        """Nested lists."""
        inner = self.values
        whole = inner.to_list() if isinstance(inner, RaggedTensorValue) else inner.tolist()
        return [whole[start:end] for start, end in itertools.pairwise(self.row_splits)]


def as_value(flat_values: Any, *nested_row_splits: Any) -> Any:
    """The value that has these splits, the outermost first."""
    found = flat_values
    for splits in reversed(nested_row_splits):
        found = RaggedTensorValue(found, splits)
    return found
