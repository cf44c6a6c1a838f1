"""Floats written out with so many significant digits, as C's `%g` does."""

from __future__ import annotations

from fractions import Fraction
from math import frexp
from typing import Any, Final

import numpy as numpy_module

from ....core import dtypes
from ...bind import bind
from ...lowering import Scalar
from ...math.comparison import logical_not
from ...math.reduce import reduce_any
from ...op import Attr
from .floats import BIAS, BITS, MOST_DECIMALS, FloatsAsSpans, NumbersAsSpans, bits_of, wide
from .spans import BYTE, LONG, Doubted, Spans, laid_out
from .writing import WIDE, DigitWriter

MOST_DIGITS: Final = 9
DOUBLE: Final = dtypes.float64
# What numbers are multiplied or divided by, to have their digits before the point: the nearest
# floats. Others than these are doubtful.
LARGEST_POWER: Final = 60
POWERS: Final = numpy_module.array([float(f"1e{k}") for k in range(LARGEST_POWER + 1)])
# Powers of five, for numbers in the middle of two: those have few digits.
FIVES: Final = 5.0 ** numpy_module.arange(14)
EXACT: Final = 2.0**52
# By this part of itself a number may be wrong after that.
INEXACT: Final = 2.0**-50
# The binary exponent times this, by 2**18, is the decimal one or one less.
LOG: Final = 78913


def written_floats(numbers: Any, precision: int, shortest: bool) -> Any:
    """Floats as C's `%f` writes them, or `%g`; NotImplemented for so many digits."""
    if shortest:
        digits = max(precision, 1)  # C takes 0 for 1
        if digits > MOST_DIGITS:
            return NotImplemented
        *made, doubtful = bind(SignificantAsSpans, numbers, digits=digits)
    else:
        if precision > MOST_DECIMALS:
            return NotImplemented
        *made, doubtful = bind(FloatsAsSpans, numbers, decimals=precision)
    return Doubted(logical_not(reduce_any(doubtful)), (Spans(*made, is_whole=True),))


class SignificantAsSpans(NumbersAsSpans):
    """Numbers with at most so many digits, as C's `%g` writes them, and whether that is doubtful:
    what is not finite, very large or small, or lies in the middle of two such numbers.
    """

    digits = Attr()

    def eager(self, np: Any) -> Any:
        numbers = self.input.astype(np.float64)
        doubtful = np.asarray([self._is_doubtful(one) for one in numbers.reshape(-1).tolist()])
        doubtful = doubtful.astype(bool).reshape(numbers.shape)
        return self.written(numbers, doubtful, f"%.{self.digits}g")

    def _is_doubtful(self, number: float) -> bool:
        """The same steps as below."""
        if number == 0:
            return False
        if not abs(number) < numpy_module.inf:
            return True
        low = ((frexp(number)[1] - 1) * LOG) >> 18
        most = 10.0**self.digits
        for power in (self.digits - 1 - low, self.digits - 2 - low):
            if abs(power) > LARGEST_POWER:
                return True
            factor = POWERS[abs(power)]
            scaled = abs(number) * factor if power >= 0 else abs(number) / factor
            if abs(scaled - (most - 0.5)) <= scaled * INEXACT:
                return True
            if scaled < most - 0.5:
                break
        if abs(scaled - numpy_module.floor(scaled) - 0.5) > scaled * INEXACT:
            return bool(scaled < most / 10 - 0.5)
        is_exact = Fraction(float(abs(number))) * Fraction(10) ** power == Fraction(float(scaled))
        is_seen = abs(number) < EXACT if power < 0 else power < len(FIVES)
        return not (is_exact and is_seen and scaled % 1 == 0.5)

    def lower(self, loops: Any) -> Any:
        x, shape = loops.kept(self.input), self.input.shape
        parts = SignificantParts(loops, self.digits)
        numbers, behinds = loops.memory(shape, WIDE), loops.memory(shape, LONG)
        exponents, tails = loops.memory(shape, LONG), loops.memory(shape, LONG)
        lengths, doubtful = loops.memory(shape, LONG), loops.memory(shape, dtypes.bool_)
        s, writer = loops.scalars, DigitWriter(loops)

        def split(*k: Any) -> None:
            bits = bits_of(loops, x[k])
            number, exponent, is_known = parts.of(bits)
            number, ahead, behind, tail = parts.laid_out(number, exponent)
            below = s.where(is_known, s.right_shift(bits, wide(loops, 63)), wide(loops, 0))
            loops.put(numbers, k, number)
            loops.put(behinds, k, behind)
            loops.put(exponents, k, exponent)
            loops.put(tails, k, tail)
            loops.put(doubtful, k, s.logical_not(is_known))
            point = s.cast(behind > 0, LONG)
            loops.put(lengths, k, s.cast(below, LONG) + ahead + point + behind + tail)

        loops.for_each(shape, split)
        starts, stops, room = laid_out(loops, shape, lambda *k: lengths[k])

        def write(*k: Any) -> None:
            start, stop = loops.held(starts[k]), loops.held(stops[k])
            behind, tail = loops.held(behinds[k]), loops.held(tails[k])
            exponent, number = loops.held(exponents[k]), loops.held(numbers[k])
            end = loops.held(stop - tail)
            has_tail, has_point = loops.held(tail > 0), loops.held(behind > 0)
            point = loops.held(end - behind - s.cast(has_point, LONG))
            sign = s.where(exponent < 0, char(loops, "-"), char(loops, "+"))
            # What is not there is written where something else takes its place afterwards.
            loops.put(room, (s.where(has_tail, end, start),), char(loops, "e"))
            loops.put(room, (s.where(has_tail, end + 1, start),), sign)
            loops.put(room, (s.where(has_point, point, start),), char(loops, "."))
            loops.put(room, (start,), char(loops, "-"))
            below = s.right_shift(bits_of(loops, x[k]), wide(loops, 63))
            below = loops.held(s.cast(s.where(doubtful[k], wide(loops, 0), below), LONG))
            cut = parts.whole_power(behind)
            whole = loops.held(s.floor_divide(number, cut))
            writer.write(room, whole, loops.held(start + below), point)
            rest = loops.held(number - whole * cut)
            writer.write(room, rest, loops.held(point + 1), end)
            size = s.cast(s.abs(exponent), WIDE)
            writer.write(room, loops.held(size), loops.held(end + 2), stop)

        loops.for_each(shape, write)
        return starts, stops, room, doubtful


def char(loops: Any, one: str) -> Scalar:
    """A byte."""
    return loops.constant(ord(one), BYTE)


class SignificantParts:
    """What a number is written of."""

    def __init__(self, loops: Any, digits: int) -> None:
        self.loops, self.scalars, self.digits = loops, loops.scalars, digits
        self.powers = loops.literal_array(POWERS, DOUBLE)
        self.fives = loops.literal_array(FIVES, DOUBLE)
        self.twos = loops.literal_array(2.0 ** numpy_module.arange(1, len(FIVES) + 1), DOUBLE)
        whole = numpy_module.array([10**k for k in range(MOST_DIGITS + 5)], numpy_module.uint64)
        self.whole_powers = loops.literal_array(whole, WIDE)

    def of(self, bits: Scalar) -> tuple[Scalar, Scalar, Scalar]:
        """The digits of a float64 as a number, the exponent of the first one, and whether these
        are known; else they are those of 0.
        """
        loops, s = self.loops, self.scalars
        zero, one = (loops.constant(n, LONG) for n in (0, 1))
        magnitude = loops.held(bits & ((1 << 63) - 1))
        binary = s.cast(s.right_shift(magnitude, wide(loops, BITS)), LONG) - BIAS
        low = loops.held(s.right_shift(binary * LOG, loops.constant(18, LONG)))
        most = 10.0**self.digits
        first, first_is_near = self._scaled(magnitude, loops.held(self.digits - 1 - low))
        second, second_is_near = self._scaled(magnitude, loops.held(self.digits - 2 - low))
        fits = loops.held(first < most - 0.5)
        value = loops.held(s.where(fits, first, second))
        power = loops.held(self.digits - 2 - low + s.where(fits, one, zero))
        is_near = first_is_near & (fits | second_is_near)
        # What has one digit more or not, says a comparison of what was rounded.
        is_decided = s.abs(first - (most - 0.5)) > first * INEXACT
        rest = s.abs(value - s.floor(value) - 0.5)
        is_tie = loops.held(self._is_exact(magnitude, value, power) & (rest == 0.0))
        is_clear = (rest > value * INEXACT) & (value >= most / 10 - 0.5) & (binary <= BIAS)
        is_zero = loops.held(magnitude == wide(loops, 0))
        is_known = loops.held(is_near & is_decided & (is_clear | is_tie))
        number = loops.held(
            s.cast(s.floor(s.where(is_known, value, loops.constant(0.0, DOUBLE)) + 0.5), WIDE)
        )
        number = number - s.where(is_tie, number & 1, wide(loops, 0))  # the even one of two
        exponent = s.where(is_known, low + s.where(fits, zero, one), zero)
        return loops.held(number), loops.held(exponent), loops.held(is_known | is_zero)

    def _is_exact(self, magnitude: Scalar, value: Scalar, power: Scalar) -> Scalar:
        """Whether `value`, in the middle of two whole numbers, is the number times ten to `power`.
        Products of whole numbers below 2**53 are exact, and others are not as small as these are.
        """
        loops, s = self.loops, self.scalars
        number, none = s.bitcast(magnitude, DOUBLE), loops.constant(0, LONG)
        is_up = loops.held((power >= 0) & (power < len(FIVES)))
        place = loops.held(s.where(is_up, power, none))
        whole = loops.held(number * self.twos[(place,)])
        is_whole = (s.floor(whole) == whole) & (whole < EXACT)
        up = is_up & is_whole & (whole * self.fives[(place,)] == value + value)
        is_down = (power < 0) & (power >= -LARGEST_POWER) & (number < EXACT)
        size = s.where(is_down, none - power, none)
        down = is_down & ((value + value) * self.powers[(size,)] == number + number)
        return loops.held(up | down)

    def _scaled(self, magnitude: Scalar, power: Scalar) -> tuple[Scalar, Scalar]:
        """A float64 times ten to a power, and whether that is in the table."""
        loops, s = self.loops, self.scalars
        size = loops.held(s.abs(power))
        is_near = loops.held(size <= LARGEST_POWER)
        factor = loops.held(self.powers[(s.where(is_near, size, loops.constant(0, LONG)),)])
        number = s.bitcast(magnitude, DOUBLE)
        scaled = s.where(power >= 0, number * factor, number / factor)
        return loops.held(scaled), is_near

    def laid_out(self, number: Scalar, exponent: Scalar) -> tuple[Scalar, ...]:
        """The number without zeros at its end, but those before the point; how many digits it has
        before and behind the point, and how many characters there are behind these.
        """
        loops, s, ten = self.loops, self.scalars, self.loops.constant(10, WIDE)
        zero, one, four = (loops.constant(n, LONG) for n in (0, 1, 4))
        number, count = loops.repeat(
            (number, loops.constant(self.digits, LONG)),
            lambda rest, count: (count > 1) & (s.floor_modulo(rest, ten) == wide(loops, 0)),
            lambda rest, count: (s.floor_divide(rest, ten), count - 1),
        )
        is_plain = loops.held((exponent >= -4) & (exponent < self.digits))
        left = loops.held(exponent + 1 - count)  # digits before the point that are zeros
        behind = s.where(is_plain, s.maximum(zero - left, zero), count - 1)
        ahead = s.where(is_plain, s.maximum(exponent, zero) + 1, one)
        up = loops.held(s.where(is_plain, s.maximum(left, zero), zero))
        number = loops.held(number * self.whole_power(up))
        tail = s.where(is_plain, zero, four)
        return number, loops.held(ahead), loops.held(behind), loops.held(tail)

    def whole_power(self, power: Scalar) -> Scalar:
        """Ten to a power that is not negative."""
        return self.loops.held(self.whole_powers[(power,)])
