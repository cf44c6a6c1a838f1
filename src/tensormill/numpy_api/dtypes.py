"""NumPy's names of dtypes and numbers, and what is said of dtypes."""

from __future__ import annotations

import math
from typing import Any

import ml_dtypes
import numpy as np
from numpy import iinfo as iinfo
from numpy import inexact as inexact

from ..core.dtypes import DType, as_dtype
from .promotion import as_numpy_dtype, dtype_of

bool_ = np.bool_
int_ = np.int64
float_ = np.float64
complex_ = np.complex128
int8, int16, int32, int64 = np.int8, np.int16, np.int32, np.int64
uint8, uint16, uint32, uint64 = np.uint8, np.uint16, np.uint32, np.uint64
float16, float32, float64 = np.float16, np.float32, np.float64
complex64, complex128 = np.complex64, np.complex128
object_, string_, unicode_ = np.object_, np.bytes_, np.str_

e, pi, inf = math.e, math.pi, math.inf
newaxis = None


def finfo(dtype: Any) -> Any:
    """The limits of a floating dtype, as NumPy tells them (of bfloat16, too).

    >>> float(tf.experimental.numpy.finfo("bfloat16").eps)
    0.0078125

    Raises:
        ValueError: the dtype is no float.
    """
    if isinstance(dtype, str):
        return ml_dtypes.finfo(as_dtype(dtype).storage)
    return ml_dtypes.finfo(dtype_of(dtype).storage)


def issubdtype(arg1: Any, arg2: Any) -> bool:
    """Whether a dtype is below another one, or a kind, in NumPy's tree of types.

    >>> tf.experimental.numpy.issubdtype(np.int8, np.integer)
    True

    Raises:
        TypeError: an argument is no dtype.
    """
    first, second = (as_numpy_dtype(one) if isinstance(one, DType) else one for one in (arg1, arg2))
    return bool(np.issubdtype(first, second))
