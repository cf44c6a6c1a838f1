"""What makes a Python object a tensor to the library."""

from __future__ import annotations

from typing import Any

from .dtypes import DType
from .shapes import TensorShape


class TensorLike:
    """Base of tensors and variables: anything that already has a dtype and a shape.

    `isinstance(x, TensorLike)` is how the library asks "is its dtype fixed?"; Python numbers
    and NumPy arrays beside it adopt that dtype.
    """

    __slots__ = ()

    dtype: DType
    shape: TensorShape


def is_tensor(value: Any) -> bool:
    return isinstance(value, TensorLike)
