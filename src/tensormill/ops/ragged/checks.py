"""Whether parts fit together to rows: now where they are known, in graphs when they run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ...core import context, dtypes
from ...core.dtypes import DType
from ...core.values import RaggedBase
from ...errors import InvalidArgumentError, KnownShapeError
from ..checks.assertions import Assert
from ..control.flow import ensure_shape
from ..conversion import as_tensor
from ..math.cast import cast
from ..math.comparison import equal, greater_equal
from ..math.reduce import reduce_all

FIRST = "the row splits of a RaggedTensor must begin with zero"
DESCENDING = "the row splits of a RaggedTensor must not descend"
UNSORTED = "the value_rowids of a RaggedTensor must not descend"


def as_partition(
    numbers: Any, name: str, preferred: DType = dtypes.int64, rank: int | None = 1
) -> Any:
    """Where rows begin or end, or how long they are, as a vector: int32 or int64 as tensors are,
    and int32 as arrays of NumPy's are, else of the `preferred` dtype.

    Raises:
        ValueError: the dtype is another one, or the rank is.
    """
    if isinstance(numbers, np.ndarray):
        tensor = as_tensor(numbers, None if numbers.dtype == np.int32 else preferred)
    else:
        tensor = as_tensor(numbers, None, preferred)
    if isinstance(numbers, (list, tuple)) and tensor.dtype.is_integer:
        tensor = cast(tensor, preferred)  # tensors in a list have no say
    if tensor.dtype not in (dtypes.int32, dtypes.int64):
        raise ValueError(f"{name} must have dtype int32 or int64; got {tensor.dtype.name}")
    if tensor.shape.rank is None:
        return ensure_shape(tensor, [None] * rank) if rank else tensor
    if tensor.shape.rank != rank:
        raise KnownShapeError(f"{name}: Shape {tensor.shape} must have rank {rank}")
    return tensor


def one_splits_dtype(ragged: Iterable[Any]) -> DType:
    """The dtype of the row splits of ragged tensors; int64 where there are none.

    Raises:
        ValueError: they have two.
    """
    kinds = {one.dtype for one in _splits_of(ragged)}
    if len(kinds) > 1:
        raise ValueError(
            "Input RaggedTensors have mismatched row_splits dtypes: int32 and int64; convert one "
            "by with_row_splits_dtype()"
        )
    return kinds.pop() if kinds else dtypes.int64


def check_nesting(values: Any, splits: Any) -> None:
    """Refuse rows of ragged values whose own row splits have another dtype.

    Raises:
        ValueError: they have.
    """
    for inner in _splits_of([values]):
        if splits.dtype is not inner.dtype:
            raise ValueError(
                "the row splits of a RaggedTensor have one dtype on all axes: those of its values "
                f"are {inner.dtype.name}, the outer ones {splits.dtype.name}; convert by "
                "with_row_splits_dtype()"
            )


def _splits_of(values: Iterable[Any]) -> list[Any]:
    rows: list[Any] = [one for one in values if isinstance(one, RaggedBase)]
    return [one.row_splits for one in rows]


def check_values(values: Any, rowids: Any = None) -> None:
    """Refuse values without an outer axis, or known to be another number than their rows are.

    Raises:
        KnownShapeError: (a ValueError), eagerly and while a graph is made.
    """
    if values.shape.rank == 0:
        raise KnownShapeError("the values of a RaggedTensor: Shape () must have rank at least 1")
    if rowids is not None and not values.shape[:1].is_compatible_with(rowids.shape):
        raise KnownShapeError(
            f"Shapes {values.shape[:1]} and {rowids.shape} are incompatible: each of the values "
            "of a RaggedTensor wants one of value_rowids"
        )


def check_splits(splits: Any, count: Any) -> None:
    """Refuse row splits that do not fit `count` values.

    Raises:
        InvalidArgumentError: eagerly; graphs raise it when they run.
    """
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
    rows, last = int(count), int(rowids.numpy().max(initial=-1))
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
