"""A sample: operands and attributes with which every rule of an operation is tried.

These files know NumPy only, so that `record.py` can run them beside TensorFlow.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import ml_dtypes
import numpy as np

NAN, INF = math.nan, math.inf
STORAGE = {
    "f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64,
    "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
    "u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64,
    "q8": np.dtype([("qint8", np.int8)]), "qu8": np.dtype([("quint8", np.uint8)]),
    "q16": np.dtype([("qint16", np.int16)]), "qu16": np.dtype([("quint16", np.uint16)]),
    "q32": np.dtype([("qint32", np.int32)]), "c64": np.complex64, "c128": np.complex128,
    "bool": np.bool_, "str": np.object_,
}  # fmt: skip


@dataclass(frozen=True)
class Sample:
    """One application. An operand is an array, or a tuple of arrays for a list.

    fixed: operands that a graph must know as constants for native code (axes, shapes).
    expected: the result, told by hand (a tuple: the results); without it, TensorFlow's recorded
        ones count.
    smooth: whether finite differences mean something here (no ties, no steps).
    tolerance: how far from the expected result, relative to 1, a float result may be.
    """

    operands: tuple[Any, ...]
    attrs: dict[str, Any] = field(default_factory=dict)
    fixed: tuple[int, ...] = ()
    expected: Any = None
    smooth: bool = True
    tolerance: float = 1e-12


Table = dict[str, list[Sample]]


def case(
    *operands: Any,
    fixed: tuple[int, ...] = (),
    expected: Any = None,
    smooth: bool = True,
    tolerance: float | None = None,
    **attrs: Any,
) -> Sample:
    """A sample; without a tolerance, that of the least exact operand."""
    arrays = tuple(_as_operand(operand) for operand in operands)
    if tolerance is None:
        tolerance = max((_tolerance(array) for array in _flat(arrays)), default=1e-12)
    return Sample(arrays, attrs, fixed, expected, smooth, tolerance)


def _as_operand(operand: Any) -> Any:
    if isinstance(operand, tuple):
        return tuple(_as_operand(one) for one in operand)
    return np.asarray(operand)


def _flat(operands: tuple[Any, ...]) -> list[Any]:
    return [
        one for operand in operands for one in (operand if type(operand) is tuple else (operand,))
    ]


def _tolerance(array: Any) -> float:
    if (array.dtype.kind == "f" and array.dtype.itemsize == 8) or array.dtype == np.complex128:
        return 1e-12
    if array.dtype.kind in "iubO" or array.dtype.names:
        return 1e-12
    return {2: 2e-2, 4: 4e-6, 8: 4e-6}[array.dtype.itemsize]


def f64(*values: Any) -> Any:
    return np.array(values, np.float64)


def f32(*values: Any) -> Any:
    return np.array(values, np.float32)


def i32(*values: Any) -> Any:
    return np.array(values, np.int32)


def i64(*values: Any) -> Any:
    return np.array(values, np.int64)


def bools(*values: Any) -> Any:
    return np.array(values, np.bool_)


def array(short: str, values: Any) -> Any:
    """Values as an array of the dtype with that short name; strings become bytes."""
    if short != "str":
        return np.array(values).astype(STORAGE[short])
    texts = np.array(values)
    result = np.empty(texts.shape, object)
    for place in np.ndindex(texts.shape):
        text = texts[place]
        result[place] = bytes(text) if isinstance(text, bytes) else str(text).encode()
    return result


def scalar(value: Any, short: str = "i32") -> Any:
    return array(short, value)


def spread(
    shape: tuple[int, ...] | int, low: float = -2.0, high: float = 2.0, seed: int = 0
) -> Any:
    """Different float64 numbers all over an interval, without any pattern; the same every time."""
    sizes = (shape,) if isinstance(shape, int) else shape
    steps = (np.arange(math.prod(sizes)) + 1 + 7 * seed) * 0.6180339887498949 % 1.0
    return (low + (high - low) * steps).reshape(sizes)


def whole(
    shape: tuple[int, ...] | int, low: int, high: int, short: str = "i32", seed: int = 0
) -> Any:
    """Integers from low to high - 1."""
    return np.floor(spread(shape, low, high, seed)).astype(STORAGE[short])


def unit(shape: tuple[int, ...] | int, seed: int = 0) -> Any:
    """Complex numbers around the origin, none near it."""
    angles = spread(shape, -3.0, 3.0, seed)
    return spread(shape, 0.5, 1.5, seed + 3) * np.exp(1j * angles)
