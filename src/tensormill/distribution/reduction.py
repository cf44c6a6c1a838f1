"""How values of replicas become one."""

from __future__ import annotations

from enum import Enum
from typing import Any

from ..core import dtypes
from ..ops.conversion import as_tensor
from ..ops.math.cast import cast
from ..ops.math.reduce import reduce_mean, reduce_sum


class ReduceOp(Enum):
    """How values of replicas become one."""

    SUM = "SUM"
    MEAN = "MEAN"


def as_reduce_op(value: Any) -> ReduceOp:
    """The member that `value` is or spells.

    Raises:
        ValueError: there is none.
    """
    spelled = value.upper() if isinstance(value, str) else getattr(value, "value", value)
    return ReduceOp(spelled)


def reduced_along(reduce_op: ReduceOp, value: Any, axis: Any) -> Any:
    """One replica's value, reduced along axes; a mean of integers is a float64."""
    tensor = as_tensor(value)
    if reduce_op is ReduceOp.SUM:
        return reduce_sum(tensor, axis)
    return reduce_mean(cast(tensor, dtypes.float64) if tensor.dtype.is_integer else tensor, axis)
