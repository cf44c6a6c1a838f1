"""What levels stand for, and the nearest levels of floats, as tensors say it."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.dtypes import DType
from ..array.fill import zeros_like
from ..array.select import where
from ..math.arithmetic import maximum, minimum
from ..math.cast import cast
from ..math.comparison import equal
from ..math.elementwise import floor
from ..math.signs import abs as absolute
from ..math.signs import sign
from .levels import limits, steps

Range = tuple[Any, Any]


def rounded(x: Any) -> Any:
    """To the nearest integer, halves away from 0."""
    return sign(x) * floor(absolute(x) + 0.5)


def _wide(x: Any) -> Any:
    return cast(x, dtypes.float64)


def _stretched(dtype: DType, low: Any, high: Any) -> Any:
    """The range with half a level more at either end; rounded as TensorFlow's, by which halves
    fall.
    """
    return _wide(high - low) * (steps(dtype) / (steps(dtype) - 1))


def floats_of(levels: Any, dtype: DType, low: Any, high: Any) -> Any:
    """What levels stand for where the lowest is at `low`, and 0 is one of the floats: float64."""
    width = _stretched(dtype, low, high) / steps(dtype)
    narrow = cast(width, dtypes.float32)  # by which TensorFlow rounds the start
    start = _wide(rounded(low / narrow) * narrow)
    found = start + (_wide(levels) - float(limits(dtype)[0])) * width
    return where(equal(low, high), zeros_like(found) + _wide(low), found)


def level_of(x: Any, dtype: DType, low: Any, high: Any) -> Any:
    """The nearest level of each float, as if there were more on either side: float64."""
    scale = steps(dtype) / _stretched(dtype, low, high)
    found = rounded(_wide(x) * scale) - (rounded(_wide(low) * scale) - float(limits(dtype)[0]))
    return where(equal(low, high), zeros_like(found), found)


def level_within(x: Any, dtype: DType, low: Any, high: Any) -> Any:
    """The nearest level of each float, the first or the last where it is beyond: float64."""
    lowest, highest = (float(one) for one in limits(dtype))
    return minimum(maximum(level_of(x, dtype, low, high), lowest), highest)


def centred(x: Any, low: Any, high: Any) -> Any:
    """Levels less the level of 0.0: int32."""
    zero = cast(level_of(zeros_like(low), x.dtype, low, high), dtypes.int64)
    return cast(x, dtypes.int32) - cast(zero, dtypes.int32)


def requantized(x: Any, given: Range, wanted: Range) -> Any:
    """Levels in one range as levels of 32 bits in another: int32."""
    numbers = cast(floats_of(x, x.dtype, *given), dtypes.float32)
    return cast(level_within(numbers, dtypes.qint32, *wanted), dtypes.int32)


def product_limits(first: DType, a: Range, second: DType, b: Range) -> tuple[Any, Any]:
    """The range of qint32 for products of levels of `first` in `a` by those of `second` in `b`."""
    lowest, highest = limits(dtypes.qint32)
    width = _width(first, *a) * _width(second, *b)
    return width * float(lowest), width * float(highest)


def _width(dtype: DType, low: Any, high: Any) -> Any:
    """How far the floats of neighbouring levels are apart."""
    lowest, highest = limits(dtype)
    return (high - low) / float(highest - lowest)
