"""Sizes among the arguments of operators."""

from __future__ import annotations

from typing import Any

from ..core import dtypes
from ..core.shapes import TensorShape
from ..ops.conversion import as_tensor, static_value
from ..ops.math.cast import cast


def size_argument(name: str, value: Any) -> Any:
    """A size as an int32 scalar.

    Raises:
        TypeError: it is no integer.
        ValueError: it is no scalar, or negative.
    """
    size = as_tensor(value)
    if not size.dtype.is_integer:
        raise TypeError(f"Argument {name} must be integer type. Found: {size}")
    if size.shape.rank not in (0, None):
        raise ValueError(f"Argument {name} must be a 0-D Tensor. Found: {value}")
    known = static_value(size)
    if known is not None and known < 0:
        raise ValueError(f"Argument {name} must be non-negative. Found: {value}")
    return size if size.dtype is dtypes.int32 else as_int32(size)


def batch_argument(value: Any) -> Any:
    """The leading axes as an int32 vector; None where there are none.

    Raises:
        TypeError: they are no integers.
        ValueError: it is no vector, or a size is negative.
    """
    if value is None:
        return None
    sizes = as_tensor(value, None, dtypes.int32)
    if not sizes.dtype.is_integer:
        raise TypeError(f"Argument batch_shape must be integer type. Found: {sizes}")
    if sizes.shape.rank not in (1, None):
        raise ValueError(f"Argument batch_shape must be a 1-D Tensor. Found: {value}")
    known = static_value(sizes)
    if known is not None and (known < 0).any():
        raise ValueError(f"Argument batch_shape must be non-negative. Found: {value}")
    return as_int32(sizes)


def known_sizes(sizes: Any) -> TensorShape:
    """The leading axes that a vector tells, as far as they are known; None is none."""
    if sizes is None:
        return TensorShape([])
    found = static_value(sizes)
    if found is not None:
        return TensorShape(found.tolist())
    return TensorShape(None if sizes.shape[0] is None else [None] * sizes.shape[0])


def as_int32(size: Any) -> Any:
    return cast(size, dtypes.int32)
