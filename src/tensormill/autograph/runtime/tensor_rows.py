"""The rows of a tensor: how many, each one, and what is made of all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import logic, tensors


def check_has_rows(tensor: Any) -> None:
    """Raise a ValueError for a scalar; a rank known only later is checked then."""
    if tensor.shape.rank == 0:
        raise ValueError(
            f"len requires a non-scalar tensor, got one of shape {tensor.shape}; a scalar has no "
            "rows to loop over: tf.range(n) counts"
        )


def first_dimension(tensor: Any) -> Any:
    """The size of axis 0: an int, or a scalar int32 tensor."""
    dims = tensor.shape.entries
    if dims is not None and dims[0] is not None:
        return dims[0]
    from ...ops.array.shapes import rank, shape

    if dims is None:
        from ...ops.array.concatenation import concat

        logic.check_at_run_time(rank(tensor) > 0, "len requires non-zero rank, got 0")
        return concat([shape(tensor), [1]], 0)[0]  # a scalar has to get as far as the check
    return shape(tensor)[0]


def with_rows(tensor: Any) -> Any:
    """The tensor; where its rank is known only later, a scalar will do for one row.

    A check refuses scalars when the graph runs, but first it has to be compiled for them.
    """
    if tensor.shape.rank is not None:
        return tensor
    from ...ops.array.concatenation import concat
    from ...ops.array.shapes import reshape, shape

    sizes = shape(tensor)
    return reshape(tensor, concat([concat([sizes, [1]], 0)[:1], sizes[1:]], 0))


def row(tensor: Any, index: Any) -> Any:
    """The slice of a tensor at an index of axis 0."""
    if isinstance(index, int):
        return tensor[index]  # its gradient is a tensor, as that of an item is
    from ...ops.array.gather import gather

    return gather(tensor, index)


def smaller(first: Any, second: Any) -> Any:
    if not (tensors.is_tensor(first) or tensors.is_tensor(second)):
        return min(first, second)
    from ...ops.math.arithmetic import minimum

    return minimum(first, second)


def larger(first: Any, second: Any) -> Any:
    if not (tensors.is_tensor(first) or tensors.is_tensor(second)):
        return max(first, second)
    from ...ops.math.arithmetic import maximum

    return maximum(first, second)


def reduce(name: str, tensor: Any, axis: Any = None) -> Any:
    from ...ops.math import reduce as reductions

    return getattr(reductions, f"reduce_{name}")(tensor, axis)


def index_of(name: str, vector: Any) -> Any:
    """Where the smallest (`min`) or largest (`max`) element of a vector stands first."""
    from ...ops.math import scan

    return getattr(scan, f"arg{name}")(vector)


def sort(tensor: Any, key: Any, descending: bool) -> Any:
    """`sorted(tensor, key=key, reverse=descending)`, of a vector."""
    from ...ops.array.gather import gather
    from ...ops.array.sorting import argsort, sort

    direction = "DESCENDING" if descending else "ASCENDING"
    if key is None:
        return sort(tensor, direction=direction)
    return gather(tensor, argsort(key(tensor), direction=direction, stable=True))


def selected(tensor: Any, function: Callable[[Any], Any] | None) -> Any:
    """The rows of which `function` (None: the rows themselves) is true."""
    from ...control.map import map_fn
    from ...ops.array.select import boolean_mask

    def is_wanted(row: Any) -> Any:
        decision = row if function is None else function(row)
        return logic.truth(tensors.as_tensor(decision), "filter()")

    return boolean_mask(tensor, map_fn(is_wanted, tensor))


def mapped(function: Callable[[Any], Any], vector: Any) -> Any:
    """The values of a function of each row, stacked."""
    from ...control.map import map_fn

    return map_fn(function, vector)


def listed(stacked: Any) -> Any:
    """The list of the rows of a tensor, or of a structure of tensors."""
    from ...control.staged_list import StagedList

    return StagedList.of_rows(stacked)
