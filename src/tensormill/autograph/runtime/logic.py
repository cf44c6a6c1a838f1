"""Truth values in the graph, and what it checks."""

from __future__ import annotations

from typing import Any

from . import tensors


def both(first: Any, second: Any) -> Any:
    """Whether both scalars are true."""
    from ...ops.math.comparison import logical_and

    return logical_and(first, tensors.as_tensor(second))


def either_of(first: Any, second: Any) -> Any:
    """Whether one of two scalars is true."""
    from ...ops.math.comparison import logical_or

    return logical_or(first, tensors.as_tensor(second))


def truth(value: Any, place: str) -> Any:
    """What `bool(value)` is of an eager scalar.

    Raises:
        ValueError: the tensor has axes.
    """
    if value.shape.rank not in (0, None):
        raise ValueError(
            f"{place} wants scalars, got a tensor of shape {value.shape}; tf.reduce_all(x) or "
            "tf.reduce_any(x) make one of many"
        )
    return tensors.cast(value, "bool")


def check_at_run_time(holds: Any, message: str) -> None:
    """Raise an InvalidArgumentError when the graph runs and `holds` is false."""
    from ...ops.checks.assertions import Assert

    Assert(holds, [message])


def raise_unless(holds: Any, error: Exception) -> None:
    """Raise an exception when the graph runs and `holds` is false."""
    from ...ops import raising

    raising.raise_unless(holds, error, "")
