"""Python's numbers as tensors, which are kept: programs write few, again and again."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ...core import context, dtypes
from ...core.dtypes import BY_NUMPY_NUMBER
from ..tensor import EagerTensor, wrap

# Constants that are kept: beyond, all are forgotten.
MOST_NUMBERS: Final = 1024
LARGEST_INDEX: Final = 2**31 - 1
MOST_INDICES: Final = 32
FLOAT32: Final = dtypes.float32.storage
FLOAT64: Final = dtypes.float64.storage
INT32: Final = dtypes.int32.storage
INT64: Final = dtypes.int64.storage

NOT_PLAIN: Final = "operands that the slow way has to look at"
_numbers: Final[dict[Any, EagerTensor]] = {}


_indices: Final[dict[int | tuple[int, ...], EagerTensor]] = {}


def indices_of(value: Any) -> EagerTensor:
    """Python's integers, an axis or a list of axes or sizes, as a tensor of int32.

    Raises:
        TypeError: it is something else, or does not fit.
    """
    kind = type(value)
    if kind is not int:
        if (kind is not list and kind is not tuple) or {*map(type, value)} != {int}:
            raise TypeError(NOT_PLAIN)
        value = tuple(value)
    found = _indices.get(value)
    if found is None:
        array = np.array(value)
        if np.abs(array).max() > LARGEST_INDEX or array.size > MOST_INDICES:
            raise TypeError(NOT_PLAIN)
        if len(_indices) >= MOST_NUMBERS:
            _indices.clear()
        found = _indices[value] = wrap(array.astype(INT32))
    return found


def number_beside(value: Any, dtype: Any) -> EagerTensor:
    """Python's number as a tensor of the dtype beside it.

    Raises:
        TypeError, ValueError: it does not fit, or something else is meant.
    """
    kind = type(value)
    if dtype is FLOAT32 or dtype is FLOAT64:
        if kind is not float and kind is not int:
            raise TypeError(NOT_PLAIN)
    elif kind is not int or (dtype is not INT32 and dtype is not INT64):
        raise TypeError(NOT_PLAIN)
    key = (dtype.num, kind, value)
    found = _numbers.get(key) if value else None  # 0.0 is -0.0 to a dictionary
    if found is None:
        interpreter: Any = context.base.interpreter
        found = interpreter.convert(value, BY_NUMPY_NUMBER[dtype.num], None)
        if value and value == value:
            if len(_numbers) >= MOST_NUMBERS:
                _numbers.clear()
            _numbers[key] = found
    return found
