"""Numbers without a sign that are in the same order as others: `loops.order` knows only these."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.dtypes import DType


def ascending_ranks(loops: Any, x: Any) -> Any:
    """Of real numbers the least first; zeros of either sign are equal, and NaN is the largest."""
    return _ranks(loops, x, False)


def descending_ranks(loops: Any, x: Any) -> Any:
    """Of real numbers the largest first: NaN."""
    return _ranks(loops, x, True)


def rank_dtype(dtype: DType) -> DType:
    return dtypes.uint64 if dtype.size > 4 else dtypes.uint32


def _ranks(loops: Any, x: Any, is_descending: bool) -> Any:
    wide = rank_dtype(x.dtype)
    rank = _of_float if x.dtype.is_floating else _of_integer
    return loops.map(x.shape, wide, lambda *k: rank(loops, x[k], wide, is_descending))


def _of_integer(loops: Any, number: Any, wide: DType, is_descending: bool) -> Any:
    s, bits = loops.scalars, 8 * wide.size
    if not number.dtype.is_unsigned:
        signed = dtypes.int32 if wide is dtypes.uint32 else dtypes.int64
        number = s.bitcast(s.cast(number, signed), wide) ^ loops.constant(1 << (bits - 1), wide)
    number = s.cast(number, wide)
    return ~number if is_descending else number


def _of_float(loops: Any, number: Any, wide: DType, is_descending: bool) -> Any:
    """Bits of floats are in the order of their absolute values."""
    s, bits = loops.scalars, 8 * wide.size
    number = s.cast(number, dtypes.float32 if wide is dtypes.uint32 else dtypes.float64)
    number = number + loops.constant(0.0, number.dtype)  # -0 is 0
    sign, every = loops.constant(1 << (bits - 1), wide), loops.constant((1 << bits) - 1, wide)
    found = s.bitcast(number, wide)
    found = s.where(found >= sign, found ^ every, found | sign)
    found = s.where(s.is_nan(number), every, found)
    return found ^ every if is_descending else found
