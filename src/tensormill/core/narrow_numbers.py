"""Numbers of a byte or less, float8 and int4 and their like, in the scalar language.

Compiled code keeps each as a byte, moves bytes, and computes with none of them: what casts them
reads and writes their bits. The formats are those of ml_dtypes, which says their figures:
https://github.com/jax-ml/ml_dtypes. Bits of a float, from the highest: sign, exponent, mantissa.
"""

from __future__ import annotations

from functools import cache
from typing import Any
from typing import cast as as_type

import ml_dtypes
import numpy as np

from . import dtypes
from .dtypes import DType
from .process.named_tuples import NamedTuple

_MANTISSA, _BIAS = 23, 127  # of float32
_INFINITY = 0x7F800000


class FloatFormat(NamedTuple):
    """Where the bits of a float are, and the bytes of what is no number of its own.

    Two bytes are those of a positive operand and of a negative one.
    """

    mantissa: int  # bits
    bias: int  # of the exponent
    sign: int  # the byte of which only the sign's bit is set
    largest: int  # the byte of the largest number
    overflow: tuple[int, int]
    nan: tuple[int, int]
    has_negative_zero: bool


@cache
def float_format(dtype: DType) -> FloatFormat:
    """The format of a narrow float, as ml_dtypes has it."""
    facts = as_type("Any", ml_dtypes.finfo(dtype.storage))
    given = np.array([np.inf, -np.inf, np.nan, -np.nan, facts.max, -0.0], np.float32)
    with np.errstate(all="ignore"):
        above, below, nan, minus_nan, largest, zero = map(int, _bytes(given.astype(dtype.storage)))
    sign = 1 << (facts.bits - 1)
    return FloatFormat(
        facts.nmant, 1 - facts.minexp, sign, largest, (above, below), (nan, minus_nan), zero == sign
    )


def _bytes(numbers: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return numbers.view(np.uint8)


def byte_of(value: Any, dtype: DType) -> int:
    """The byte that keeps a number, which ml_dtypes rounds."""
    return int(_bytes(np.asarray(value).astype(dtype.storage).reshape(1))[0])


def bits_of(dtype: DType) -> int:
    """How many bits of its byte a narrow integer has."""
    return int(ml_dtypes.iinfo(dtype.storage).bits)


def widened(s: Any, byte: Any, dtype: DType) -> Any:
    """The number of dtype `dtype` that a uint8 keeps, as float32 or (u)int8. It is exact."""
    if not dtype.is_integer:
        return _widened_float(s, byte, float_format(dtype))
    unused = 8 - bits_of(dtype)
    wide = s.cast(
        byte << s.constant(unused, byte), dtypes.uint8 if dtype.is_unsigned else dtypes.int8
    )
    return wide >> s.constant(unused, wide)


def narrowed(s: Any, x: Any, dtype: DType) -> Any:
    """The uint8 that keeps `x`, of any real dtype, as a number of dtype `dtype`: a float is
    rounded once, to the nearest one or the even one of two; of an integer the low bits stay.
    """
    if dtype.is_integer:
        low = s.cast(s.cast(x, dtypes.int32) if x.dtype.is_floating else x, dtypes.uint8)
        return low & s.constant((1 << bits_of(dtype)) - 1, low)
    single = rounded_to_odd(s, x) if x.dtype is dtypes.float64 else s.cast(x, dtypes.float32)
    return _narrowed_float(s, single, float_format(dtype))


def _widened_float(s: Any, byte: Any, form: FloatFormat) -> Any:
    """Where exponent and mantissa lie where float32 has them, the exponents' biases differ by a
    factor. Also where that float32 is subnormal: then this one is.
    """
    bits = s.cast(byte, dtypes.uint32)
    unsigned = bits & s.constant(form.sign - 1, bits)
    moved = unsigned << s.constant(_MANTISSA - form.mantissa, bits)
    value = s.bitcast(moved, dtypes.float32)
    scaled = s.bitcast(value * s.constant(2.0 ** (_BIAS - form.bias), value), dtypes.uint32)
    special = moved | s.constant(_INFINITY, bits)
    found = s.where(unsigned > s.constant(form.largest, bits), special, scaled)
    negative = bits & s.constant(form.sign, bits)
    found = found | negative << s.constant(32 - form.sign.bit_length(), bits)
    if not form.has_negative_zero:  # its bits are the only NaN's
        is_nan = bits == s.constant(form.sign, bits)
        found = s.where(is_nan, s.constant(_INFINITY | 1 << (_MANTISSA - 1), bits), found)
    return s.bitcast(found, dtypes.float32)


def _narrowed_float(s: Any, x: Any, form: FloatFormat) -> Any:
    """Rounding adds half of what the cut bits can be, or just less than that before an even number.
    A carry into the exponent is right. Of subnormal numbers an addition of floats cuts the bits.
    """
    bits = s.bitcast(x, dtypes.uint32)

    def number(value: int) -> Any:
        return s.constant(value, bits)

    is_negative = bits > number(0x7FFFFFFF)
    magnitude = bits & number(0x7FFFFFFF)
    cut = number(_MANTISSA - form.mantissa)
    half = number((1 << (_MANTISSA - form.mantissa - 1)) - 1)
    odd = magnitude >> cut & number(1)
    normal = (magnitude + half + odd >> cut) - number(_BIAS - form.bias << form.mantissa)
    large = 2.0 ** (1 - form.bias - form.mantissa + _MANTISSA)  # a unit is the least subnormal
    single = s.bitcast(magnitude, dtypes.float32)
    bits_of_large = int(np.float32(large).view(np.uint32))
    subnormal = s.bitcast(single + s.constant(large, single), dtypes.uint32) - number(bits_of_large)
    is_subnormal = magnitude < number(_BIAS + 1 - form.bias << _MANTISSA)
    found = s.where(is_subnormal, subnormal, normal)
    signed = found | number(form.sign)
    if not form.has_negative_zero:
        signed = s.where(found == number(0), found, signed)
    is_large, is_nan = found > number(form.largest), magnitude > number(_INFINITY)

    def with_specials(numbers: Any, overflow: int, nan: int) -> Any:
        return s.where(is_nan, number(nan), s.where(is_large, number(overflow), numbers))

    positive, negative = map(with_specials, (found, signed), form.overflow, form.nan)
    return s.cast(s.where(is_negative, negative, positive), dtypes.uint8)


def rounded_to_odd(s: Any, x: Any) -> Any:
    """A float64 as the float32 towards zero, its last bit set unless it is exact: rounding that
    further gives what rounding `x` gives (Boldo and Melquiond, "Emulation of FMA and correctly
    rounded sums", 2008).
    """
    single = s.cast(x, dtypes.float32)
    back = s.cast(single, dtypes.float64)
    bits = s.bitcast(single, dtypes.uint32)
    one = s.constant(1, bits)
    is_further = s.where(x < s.constant(0.0, x), back < x, back > x)
    odd = s.where(is_further, bits - one, bits) | one
    return s.bitcast(s.where((back == x) | (x != x), bits, odd), dtypes.float32)
