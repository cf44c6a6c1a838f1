"""How operations look at their arguments: as tensors, and as what tracing knows of them."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..core import context
from ..core.dtypes import DType
from ..core.process.tracebacks import hide_frames
from ..core.shapes import are_known
from ..core.specs import Known, TensorSpec
from ..core.values import TensorLike


def as_tensor(value: Any, dtype: DType | None = None, preferred: DType | None = None) -> Any:
    """`value` as a tensor of the interpreter on top.

    `dtype` is demanded, `preferred` only taken where `value` allows it.
    """
    try:
        return context.top().interpreter.convert(value, dtype, preferred)
    except (TypeError, ValueError) as error:
        hide_frames(error)
        raise


def as_tensors(*values: Any) -> list[Any]:
    """`values` as tensors of one dtype: that of the first tensor among them, else of the first."""
    dtype = next((one.dtype for one in values if isinstance(one, TensorLike)), None)
    tensors: list[Any] = []
    try:
        for value in values:
            tensors.append(as_tensor(value, None if isinstance(value, TensorLike) else dtype))
            dtype = dtype or tensors[0].dtype
    except (TypeError, ValueError) as error:
        agreeing = context.top().interpreter.in_one_dtype(values, None)
        if agreeing is not None:
            return as_tensors(*agreeing)
        hide_frames(error)
        raise
    return tensors


def known_of(tensor: Any) -> Known:
    """What is known of a tensor now: all of an eager one, constants and sizes of a traced one."""
    if getattr(tensor, "symbolic", False):
        return tensor.graph.known(tensor._ir)
    array = getattr(tensor, "_array", None)
    spec = TensorSpec(tensor.shape, tensor.dtype)
    return Known(spec, array if isinstance(array, np.ndarray) else None)


def static_value(tensor: Any) -> np.ndarray[Any, Any] | None:
    """The value of a tensor where it is known while tracing, else None."""
    if not isinstance(tensor, TensorLike):
        return np.asarray(tensor)
    return known_of(tensor).value


def static_int(tensor: Any) -> int | None:
    """The value of a scalar where it is known while tracing, else None."""
    value = static_value(tensor)
    return None if value is None or value.ndim else int(value)


def static_dims(tensor: Any) -> tuple[int, ...] | None:
    """The sizes of a tensor where all of them are known, else None."""
    dims = tensor.shape.entries
    return dims if are_known(dims) else None


def known_rank(x: Any, name: str) -> int:
    """The number of axes.

    Raises:
        ValueError: it is unknown while tracing.
    """
    rank = x.shape.rank
    if rank is None:
        raise ValueError(f"{name} needs a tensor of known rank; tf.ensure_shape tells it")
    return rank


_NUMBERS: Final = int, float, complex, np.number


def are_numbers(values: Any) -> bool:
    """Whether these are Python's and NumPy's numbers in lists: all of them decide on the dtype."""
    return isinstance(values, (list, tuple)) and all(
        isinstance(one, _NUMBERS) or are_numbers(one) for one in values
    )


def decide_together(values: Any) -> bool:
    """Whether the dtype is that of one list: of numbers, and eagerly of arrays with elements."""
    if are_numbers(values):
        return True
    return not context.top().interpreter.building_graph and all(
        one.size if isinstance(one, np.ndarray) else are_numbers(one) for one in values
    )
