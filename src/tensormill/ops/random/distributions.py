"""From random words to random numbers, as TensorFlow makes them, for arrays and for one element.

Each distribution says how many numbers a group of four words gives (`per_group`) and how.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ...core import dtypes
from ...core.dtypes import DType

# Mantissa bits, exponent bias, and the unsigned type of the same width.
_FORMATS: Final = {
    dtypes.float16: (10, 15, dtypes.uint16),
    dtypes.bfloat16: (7, 127, dtypes.uint16),
    dtypes.float32: (23, 127, dtypes.uint32),
    dtypes.float64: (52, 1023, dtypes.uint64),
}
_TINY: Final = 1e-7  # TensorFlow's least argument of the logarithm, for every dtype


def unit_floats(bits: np.ndarray[Any, Any], dtype: DType) -> np.ndarray[Any, Any]:
    """Words [n, 4] as floats in [0, 1): [n, 4], or [n, 2] for float64."""
    mantissa, bias, unsigned = _FORMATS[dtype]
    if dtype is dtypes.float64:
        high, low = bits[:, 0::2].astype(np.uint64), bits[:, 1::2].astype(np.uint64)
        pattern = ((high & np.uint64(0xFFFFF)) << np.uint64(32)) | low
    else:
        pattern = bits & np.uint32((1 << mantissa) - 1)
        pattern = pattern.astype(unsigned.storage, copy=False)
    pattern |= unsigned.storage.type(bias << mantissa)
    found = pattern.view(dtype.storage)
    found -= dtype.storage.type(1)
    return found


def normals(bits: np.ndarray[Any, Any], dtype: DType) -> np.ndarray[Any, Any]:
    """Box and Muller 1958: pairs of uniform numbers as pairs of normal ones."""
    wide = dtypes.float64 if dtype is dtypes.float64 else dtypes.float32
    uniform = unit_floats(bits, wide)
    kind = wide.storage.type
    radius = np.sqrt(kind(-2) * np.log(np.maximum(uniform[:, 0::2], kind(_TINY))))
    # TensorFlow's angles of float32 are a product in float64: near zeros of the sine it shows.
    angle = (2 * np.pi * uniform[:, 1::2].astype(np.float64)).astype(kind)
    result = np.empty_like(uniform)
    result[:, 0::2], result[:, 1::2] = np.sin(angle) * radius, np.cos(angle) * radius
    return result.astype(dtype.storage)


def integers(bits: np.ndarray[Any, Any], dtype: DType, low: int, span: int) -> np.ndarray[Any, Any]:
    """Words as integers low + word % span: [n, 4], or [n, 2] of 64-bit words."""
    if dtype.size == 8:
        offset = _pairs(bits) % np.uint64(span)
        offset += np.uint64(low & 0xFFFFFFFFFFFFFFFF)
        return offset.view(dtype.storage)
    offset = bits % np.uint32(span)
    offset += np.uint32(low & 0xFFFFFFFF)
    return offset.view(dtype.storage)


def whole_integers(bits: np.ndarray[Any, Any], dtype: DType) -> np.ndarray[Any, Any]:
    """Words as integers of all values that the dtype has."""
    if dtype.size == 8:
        return _pairs(bits).view(dtype.storage)
    return bits.view(dtype.storage)


def _pairs(bits: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Words [n, 4] as 64-bit words [n, 2], whose low halves come first."""
    return bits.astype("<u4", copy=False).view("<u8").astype(np.uint64, copy=False)


def per_group(dtype: DType) -> int:
    return 2 if dtype.size == 8 else 4


# ---------------------------------------------------------------- one element


def pick(s: Any, words: tuple[Any, ...], lane: Any) -> Any:
    """One of several scalars, by number."""
    chosen = words[-1]
    for number in reversed(range(len(words) - 1)):
        chosen = s.where(lane == number, words[number], chosen)
    return chosen


def unit_float(s: Any, words: tuple[Any, ...], lane: Any, dtype: DType) -> Any:
    """One number of `unit_floats`."""
    mantissa, bias, unsigned = _FORMATS[dtype]
    if dtype is dtypes.float64:
        high = s.cast(pick(s, words[0::2], lane), dtypes.uint64)
        low = s.cast(pick(s, words[1::2], lane), dtypes.uint64)
        kept = high & s.constant(0xFFFFF, high)
        pattern = s.left_shift(kept, s.constant(32, kept)) | low
    else:
        word = pick(s, words, lane)
        pattern = s.cast(word & s.constant((1 << mantissa) - 1, word), unsigned)
    number = s.bitcast(pattern | s.constant(bias << mantissa, pattern), dtype)
    return number - s.constant(1, number)


def whole_integer(s: Any, words: tuple[Any, ...], lane: Any, dtype: DType) -> Any:
    """One number of `whole_integers`."""
    if dtype.size < 8:
        return s.cast(pick(s, words, lane), dtype)
    low = s.cast(pick(s, words[0::2], lane), dtypes.uint64)
    high = s.cast(pick(s, words[1::2], lane), dtypes.uint64)
    return s.cast(low | s.left_shift(high, s.constant(32, high)), dtype)


def integer(s: Any, words: tuple[Any, ...], lane: Any, low: Any, high: Any) -> Any:
    """One number of `integers`; the bounds are scalars of one dtype."""
    unsigned = dtypes.uint64 if low.dtype.size == 8 else dtypes.uint32
    span = s.cast(high, unsigned) - s.cast(low, unsigned)
    offset = whole_integer(s, words, lane, unsigned) % span
    return s.cast(offset + s.cast(low, unsigned), low.dtype)


def normal(s: Any, words: tuple[Any, ...], lane: Any, dtype: DType) -> Any:
    """One number of `normals`."""
    radius, angle = polar(s, words, lane // 2 * 2, dtype)
    turned = s.where(lane % 2 == 0, s.sin(angle), s.cos(angle))
    return s.cast(turned * radius, dtype)


def polar(s: Any, words: tuple[Any, ...], pair: Any, dtype: DType) -> tuple[Any, Any]:
    """The radius and the angle of a pair of normal numbers, whose first lane is `pair`."""
    wide = dtypes.float64 if dtype is dtypes.float64 else dtypes.float32
    first = unit_float(s, words, pair, wide)
    turn = s.cast(unit_float(s, words, pair + 1, wide), dtypes.float64)
    angle = s.cast(turn * s.constant(2 * np.pi, turn), wide)
    radius = s.sqrt(s.constant(-2, first) * s.log(s.maximum(first, s.constant(_TINY, first))))
    return radius, angle
