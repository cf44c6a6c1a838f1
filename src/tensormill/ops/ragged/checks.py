"""Whether parts fit together to rows: now where they are known, in graphs when they run."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import context
from ...errors import InvalidArgumentError, KnownShapeError, ShapeMismatchError
from ..checks.assertions import Assert
from ..math.cast import cast
from ..math.comparison import equal, greater_equal
from ..math.reduce import reduce_all

FIRST = "the row splits of a RaggedTensor must begin with zero"
DESCENDING = "the row splits of a RaggedTensor must not descend"
UNSORTED = "the value_rowids of a RaggedTensor must not descend"


def check_splits(splits: Any, count: Any) -> None:
    """Refuse row splits that do not fit `count` values.

    Raises:
        InvalidArgumentError: eagerly; graphs raise it when they run.
    """
    _require_vector(splits, "row splits")
    if context.building_graph():
        Assert(equal(splits[0], 0), [FIRST])
        Assert(_ascends(splits), [DESCENDING])
        fits = equal(splits[-1], cast(count, splits.dtype))
        Assert(fits, ["the row splits end at", splits[-1], "but values are", count])
        return
    numbers = splits.numpy()
    if not numbers.size or numbers[0] != 0:
        raise InvalidArgumentError(FIRST)
    if (np.diff(numbers) < 0).any():
        raise InvalidArgumentError(DESCENDING)
    if numbers[-1] != int(count):
        raise InvalidArgumentError(
            f"the row splits end at {numbers[-1]}, but there are {int(count)} values"
        )


def check_rowids(rowids: Any) -> None:
    """Refuse rows of values that descend; how many there are the row splits tell.

    Raises:
        InvalidArgumentError: eagerly; graphs raise it when they run.
    """
    _require_vector(rowids, "value_rowids")
    if context.building_graph():
        Assert(_ascends(rowids), [UNSORTED])
    elif (np.diff(rowids.numpy()) < 0).any():
        raise InvalidArgumentError(UNSORTED)


def check_row_count(rowids: Any, count: Any) -> None:
    """Refuse fewer rows than ascending values are in.

    Raises:
        ValueError: eagerly; in graphs whoever counts the values of rows refuses them.
    """
    if context.building_graph():
        return
    rows, last = int(count), max(rowids.numpy().tolist(), default=-1)
    if rows <= last:
        raise ValueError(
            f"Expected nrows >= value_rowids[-1] + 1; got nrows={rows}, value_rowids[-1]={last}"
        )


def check_uniform(length: Any, rows: Any, count: Any) -> None:
    """Refuse rows of one length that are not all values.

    Raises:
        KnownShapeError: (a ValueError) eagerly; graphs raise an InvalidArgumentError when they run.
    """
    if context.building_graph():
        Assert(equal(length * rows, count), ["rows of uniform length are not all values", count])
    elif int(length) * int(rows) != int(count) or int(length) < 0:
        raise KnownShapeError(
            f"{int(rows)} rows of uniform_row_length={int(length)} are not {int(count)} values"
        )


def _ascends(numbers: Any) -> Any:
    return reduce_all(greater_equal(numbers[1:], numbers[:-1]))


def _require_vector(numbers: Any, name: str) -> None:
    if numbers.shape.rank not in (None, 1):
        raise ShapeMismatchError(
            f"the {name} of a RaggedTensor must be a vector (Shape must be rank 1), not of shape "
            f"{numbers.shape}"
        )
