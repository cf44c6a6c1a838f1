"""How values of replicas become one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any

from ..core import dtypes
from ..ops.array.concatenation import concat
from ..ops.array.indexed_slices import IndexedSlices
from ..ops.array.shapes import shape
from ..ops.conversion import as_tensor, static_int
from ..ops.math.cast import cast
from ..ops.math.reduce import reduce_mean, reduce_prod, reduce_sum
from ..ops.math.sums import add_n
from .staging import staged_for
from .values import DistributedValues


class ReduceOp(Enum):
    """How values of replicas become one."""

    SUM = "SUM"
    MEAN = "MEAN"

    @staticmethod
    def from_variable_aggregation(aggregation: Any) -> ReduceOp:
        """What adds up replicas' values for a variable with an aggregation.

        >>> tf.distribute.ReduceOp.from_variable_aggregation(tf.VariableAggregation.SUM)
        <ReduceOp.SUM: 'SUM'>

        Raises:
            ValueError: it is no sum and no mean.
        """
        name = getattr(aggregation, "name", "")
        if name not in ReduceOp.__members__:
            raise ValueError(
                f"Could not convert from `tf.VariableAggregation` {aggregation} to "
                "`tf.distribute.ReduceOp`: SUM and MEAN have one"
            )
        return ReduceOp[name]


def as_reduce_op(value: Any) -> ReduceOp:
    """The member that `value` is or spells.

    Raises:
        ValueError: there is none.
    """
    spelled = value.upper() if isinstance(value, str) else getattr(value, "value", value)
    return ReduceOp(spelled)


def as_gathered(value: Any) -> Any:
    """What replicas join along an axis, as a tensor.

    Raises:
        NotImplementedError: it is IndexedSlices.
    """
    if isinstance(value, IndexedSlices):
        raise NotImplementedError(
            "gather does not support IndexedSlices: make a tensor of them (tf.convert_to_tensor), "
            "or gather their values and their indices"
        )
    return as_tensor(value)


def axis_of(value: Any, axis: Any) -> Any:
    """The axis along which replicas' values are joined: a number where it is known.

    Raises:
        ValueError: the value has no such axis; they are counted from 0 up.
    """
    if axis is None:
        raise ValueError("None values not supported: name the axis along which values are joined")
    found, rank = static_int(axis), value.shape.rank
    if found is None:
        return axis
    if found < 0 or (rank is not None and found >= rank):
        raise ValueError(
            f"values are gathered along an axis from 0 up that they have, got {found} for a value "
            f"of shape {value.shape}"
        )
    return found


def require_axes(value: Any, axis: Any) -> None:
    """Refuse what are no axes of the values of replicas, as far as it is known.

    Raises:
        TypeError: it is no int, and no tuple of ints.
        ValueError: a value has no such axis.
    """
    if isinstance(axis, list):
        raise TypeError(f"an axis is an int, or a tuple of ints, got the list {axis}")
    axes = axis if isinstance(axis, tuple) else (axis,)
    if any(isinstance(one, (str, float)) for one in axes):
        raise TypeError(f"an axis is an int, or a tuple of ints, got {axis!r}")
    for one in value.values if isinstance(value, DistributedValues) else (value,):
        rank = as_tensor(one).shape.rank
        for number in map(static_int, axes) if rank else ():
            if number is not None and not -rank <= number < rank:
                raise ValueError(f"Invalid reduction dimension {number} for {rank} dimensions")


def reduced_along(reduce_op: ReduceOp, value: Any, axis: Any) -> Any:
    """One replica's value, reduced along axes; a mean of integers is a float64."""
    tensor = as_tensor(value)
    if reduce_op is ReduceOp.SUM:
        return reduce_sum(tensor, axis)
    return reduce_mean(cast(tensor, dtypes.float64) if tensor.dtype.is_integer else tensor, axis)


def reduced_values(
    reduce_op: ReduceOp, values: Sequence[Any], add: Callable[[Any], Any] = add_n
) -> Any:
    """One value for those of all replicas: tensors of one shape, or IndexedSlices."""
    if all(isinstance(value, IndexedSlices) for value in values):
        total = _joined(values)
    else:
        total = add([as_tensor(value) for value in values])
    return total if reduce_op is ReduceOp.SUM else divided(total, len(values))


def divided(total: Any, count: Any) -> Any:
    """A total by a number: of integers, a float."""
    if isinstance(total, IndexedSlices):
        return IndexedSlices(total.values / count, total.indices, total.dense_shape)
    return total / count


def _joined(slices: Sequence[IndexedSlices]) -> IndexedSlices:
    return IndexedSlices(
        concat([one.values for one in slices], 0),
        concat([one.indices for one in slices], 0),
        slices[0].dense_shape,
    )


def in_mean(reduce_op: ReduceOp, value: Any) -> Any:
    """A value as it is added up: for a mean, integers are float64."""
    tensor = as_tensor(value)
    is_counted = reduce_op is ReduceOp.MEAN and tensor.dtype.is_integer
    return cast(tensor, dtypes.float64) if is_counted else tensor


def mean_along(values: Sequence[Any], axis: Any, devices: Sequence[str]) -> Any:
    """The mean of the elements of all replicas along axes, of which each may have another number.

    A mean of integers is a float64. devices: where the replicas are.
    """
    sums: list[Any] = []
    counts: list[Any] = []
    for number, (value, device) in enumerate(zip(values, devices, strict=True)):
        with staged_for(number, device):
            tensor = in_mean(ReduceOp.MEAN, value)
            sums.append(reduce_sum(tensor, axis))
            counts.append(count_along(tensor, axis))
    total = add_n(sums)
    return total / cast(add_n(counts), total.dtype)


def count_along(tensor: Any, axis: Any) -> Any:
    """How many elements each sum along axes has: an int64 scalar."""
    sizes = shape(tensor, out_type=dtypes.int64)
    axes = axis if isinstance(axis, (list, tuple)) else [axis]
    return reduce_prod([sizes[one] for one in axes])
