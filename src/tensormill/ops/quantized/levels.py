"""Levels of quantized types, and the floats that they stand for between two limits."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.dtypes import DType, shown

Array = np.ndarray[Any, Any]

FLOAT = np.float32


def limits(dtype: DType) -> tuple[int, int]:
    """The lowest and the highest level."""
    facts = np.iinfo(dtype.plain)
    return int(facts.min), int(facts.max)


def steps(dtype: DType) -> float:
    """How many levels there are."""
    lowest, highest = limits(dtype)
    return float(highest - lowest + 1)


def numbers(array: Array, as_type: Any = np.int64) -> Array:
    """The levels in a tensor of a quantized type, as plain numbers."""
    return shown(array).astype(as_type)


def stored(levels: Any, dtype: DType) -> Array:
    """Levels as a tensor of a quantized type keeps them. Floats beyond the type's range are its
    lowest level, as those that no integer holds are to a processor.
    """
    levels = np.asarray(levels)
    if levels.dtype.kind == "f":
        lowest, highest = limits(dtype)
        beyond = ~((levels >= lowest) & (levels < highest + 1.0))
        levels = np.where(beyond, lowest, levels.astype(np.float64)).astype(np.int64)
    return levels.astype(dtype.plain, order="C").view(dtype.storage)


def rounded(x: Array) -> Array:
    """To the nearest integer, halves away from 0."""
    whole = np.trunc(x)
    away = np.where(np.abs(x - whole) >= 0.5, np.sign(x), np.zeros((), x.dtype))
    return (whole + away).astype(x.dtype)


def floats_of(levels: Array, dtype: DType, low: Any, high: Any) -> Array:
    """What levels stand for where the lowest is at `low`, and 0 is one of the floats: float32."""
    wide = np.float64
    scale = wide(FLOAT(high) - FLOAT(low)) * (steps(dtype) / (steps(dtype) - 1)) / steps(dtype)
    with np.errstate(all="ignore"):
        width = FLOAT(scale)  # by which TensorFlow rounds the start
        start = wide(rounded(np.asarray(FLOAT(low) / width)) * width)
        found = start + (levels.astype(wide) - limits(dtype)[0]) * scale
    return np.where(low == high, FLOAT(low), found.astype(FLOAT))


def levels_of(x: Array, dtype: DType, low: Any, high: Any) -> Array:
    """The nearest level of each float, the first or the last where it is beyond."""
    lowest, highest = limits(dtype)
    return np.clip(unlimited(x, dtype, low, high), lowest, highest).astype(np.int64)


def unlimited(x: Any, dtype: DType, low: Any, high: Any) -> Array:
    """The nearest level of each float, as if there were more on either side."""
    if low == high:
        return np.zeros(np.shape(x), np.float64)
    wide = np.float64
    scale = steps(dtype) / (wide(FLOAT(high) - FLOAT(low)) * (steps(dtype) / (steps(dtype) - 1)))
    first = rounded(np.asarray(wide(low) * scale))
    return rounded(np.asarray(x, wide) * scale) - (first - limits(dtype)[0])
