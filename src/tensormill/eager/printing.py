"""How tensors are shown, as TensorFlow shows them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core import dtypes
from ..core.dtypes import DType

Array = np.ndarray[Any, Any]


def value_text(array: Array, is_repr: bool) -> str:
    """The elements; in a repr, a scalar as the Python number that it is exactly."""
    array = dtypes.shown(array)
    if array.ndim == 0:
        return repr(array.item()) if is_repr else str(array[()])
    return repr(array) if is_repr else str(array)


def representation(array: Array, dtype: DType) -> str:
    shown = value_text(array, True)
    separator = "\n" if "\n" in shown else ""
    return f"<tf.Tensor: shape={array.shape}, dtype={dtype.name}, numpy={separator}{shown}>"


def text(array: Array, dtype: DType) -> str:
    shown = value_text(array, False)
    separator = "\n" if "\n" in shown else ""
    return f"tf.Tensor({separator}{shown}, shape={array.shape}, dtype={dtype.name})"
