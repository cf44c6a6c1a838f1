"""The numbers that strings spell, read where they lie.

What is spelled otherwise than by decimal digits, has more of them than fit, or is none is left to
the kernel: of such strings a number is no more than doubtful. Floats: D. Lemire, Number Parsing at
a Gigabyte per Second, 2021.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

import numpy as numpy_module

from ....core import dtypes
from ....core.process.named_tuples import NamedTuple
from ....core.specs import TensorSpec
from ...lowering import Scalar
from ...op import Attr, In, Op, Out
from ...origins import Origin
from .looking import is_white
from .spans import BYTE, LONG, strings_of

WIDE: Final = dtypes.uint64
# Powers of ten from the first to the last one that multiply an integer of 64 bits to a float64.
FIRST_POWER, LAST_POWER = -342, 308
MOST_DIGITS: Final = 19  # that always fit into 64 bits
LARGEST_EXPONENT: Final = 100_000  # and there are no more bytes in a number that is read here


class SpelledFormat(NamedTuple):
    """A format of binary floats. `ties`: the powers of ten of decimal numbers of 64 bits that may
    lie in the middle between two of them.
    """

    fraction: int  # bits of it
    bias: int
    ties: tuple[int, int]

    @property
    def infinite(self) -> int:
        """The exponent of infinity, as it is kept."""
        return 2 * self.bias + 1


FORMATS: Final = {
    dtypes.float64: SpelledFormat(52, 1023, (-4, 23)),
    dtypes.float32: SpelledFormat(23, 127, (-17, 10)),
}


def power_words() -> Any:
    """Powers of five with 128 bits each, the first one set: higher words, then lower ones."""
    found: list[int] = []
    for power in range(FIRST_POWER, LAST_POWER + 1):
        five = 5 ** abs(power)
        if power < 0:
            # Of divisors of 64 bits the quotient is rounded up in its last bit; else beyond it.
            size = five.bit_length()
            five = (1 << (size + 127 if power >= -27 else 2 * size + 128)) // five + 1
        bits = five.bit_length()
        found.append(five << 128 - bits if bits < 128 else five >> bits - 128)
    words = [one >> 64 for one in found] + [one & (1 << 64) - 1 for one in found]
    return numpy_module.array(words, numpy_module.uint64)


class NumbersOfSpans(Op):
    """The number that each string spells; 0 where that is doubtful, and whether it is."""

    starts = In("i64 *s")
    stops = In("i64 *s")
    bytes = In("u8 n")
    output = Out("out_type *s")
    doubtful = Out("bool *s")
    out_type = Attr()
    origin = Origin.COMPILER
    differentiable = False

    def infer(self) -> Any:
        shape = self.starts.shape
        return TensorSpec(shape, self.out_type), TensorSpec(shape, dtypes.bool_)

    def eager(self, np: Any) -> Any:
        texts = strings_of(self.starts, self.stops, self.bytes)
        numbers = np.zeros(texts.shape, self.out_type.storage)
        doubtful = np.zeros(texts.shape, np.bool_)
        for place in np.ndindex(texts.shape):
            found = spelled_number(bytes(texts[place]), self.out_type)
            doubtful[place] = found is None
            numbers[place] = 0 if found is None else found
        return numbers, doubtful

    def lower(self, loops: Any) -> Any:
        starts, stops, row = (loops.kept(one) for one in (self.starts, self.stops, self.bytes))
        numbers = loops.memory(starts.shape, self.out_type)
        doubtful = loops.memory(starts.shape, dtypes.bool_)
        is_float = self.out_type.is_floating
        read = (FloatReader if is_float else IntegerReader)(loops, row, self.out_type)

        def one(*k: Any) -> None:
            number, is_doubtful = read(loops.held(starts[k]), loops.held(stops[k]))
            none = loops.constant(0, self.out_type)
            loops.put(numbers, k, loops.scalars.where(is_doubtful, none, number))
            loops.put(doubtful, k, is_doubtful)

        loops.for_each(starts.shape, one)
        return numbers, doubtful


class IntegerReader:
    """Reads an integer: what it is, and whether that is doubtful."""

    def __init__(self, loops: Any, row: Any, dtype: Any) -> None:
        self.loops, self.row, self.dtype, self.scalars = loops, row, dtype, loops.scalars

    def __call__(self, start: Scalar, stop: Scalar) -> tuple[Scalar, Scalar]:
        s, loops, dtype = self.scalars, self.loops, self.dtype
        at, end, is_below = self.sign(*self.trimmed(start, stop))
        after, number, count = self.digits(at, end, self.wide(0), loops.constant(0, LONG))
        limit = loops.held(s.where(is_below, self.wide(-dtype.min), self.wide(dtype.max)))
        is_number = (after > at) & (after == end) & (count <= MOST_DIGITS) & (number <= limit)
        if dtype.is_unsigned:
            is_number = is_number & s.logical_not(is_below)
        value = s.where(is_below, ~number + 1, number)
        return s.cast(value, dtype), s.logical_not(loops.held(is_number))

    def wide(self, number: int) -> Scalar:
        return self.loops.constant(number, WIDE)

    def byte(self, at: Scalar, stop: Scalar) -> Scalar:
        """A byte, or what is in no number."""
        none = self.loops.constant(0, BYTE)
        return self.loops.held(self.scalars.where(at < stop, self.row[(at,)], none))

    def trimmed(self, start: Scalar, stop: Scalar) -> tuple[Scalar, Scalar]:
        """Without white space at either end."""
        loops, where = self.loops, self.scalars.where
        no = loops.constant(False, dtypes.bool_)
        (begin,) = loops.repeat(
            (start,), lambda at: where(at < stop, is_white(loops, self.row[(at,)]), no),
            lambda at: (at + 1,),
        )  # fmt: skip
        (end,) = loops.repeat(
            (stop,), lambda at: where(at > begin, is_white(loops, self.row[(at - 1,)]), no),
            lambda at: (at - 1,),
        )  # fmt: skip
        return begin, end

    def sign(self, at: Scalar, stop: Scalar) -> tuple[Scalar, Scalar, Scalar]:
        """Behind a sign, and whether it is that of numbers below zero."""
        byte = self.byte(at, stop)
        is_below = self.loops.held(byte == ord("-"))
        is_sign = self.scalars.cast((byte == ord("+")) | is_below, LONG)
        return self.loops.held(at + is_sign), stop, is_below

    def digits(
        self, at: Scalar, stop: Scalar, number: Scalar, count: Scalar
    ) -> tuple[Scalar, Scalar, Scalar]:
        """Behind the digits, the number with them, and how many are behind its first zeros."""
        loops, s, no = self.loops, self.scalars, self.loops.constant(False, dtypes.bool_)

        def digit(at: Scalar) -> Scalar:
            return self.row[(at,)] - loops.constant(ord("0"), BYTE)  # wraps around below it

        def step(at: Scalar, number: Scalar, count: Scalar) -> tuple[Scalar, ...]:
            one = loops.held(digit(at))
            more = s.cast((count > 0) | (one != loops.constant(0, BYTE)), LONG)
            return at + 1, number * 10 + s.cast(one, WIDE), count + more

        return loops.repeat(
            (at, number, count), lambda at, *_: s.where(at < stop, digit(at) <= 9, no), step
        )


class FloatReader(IntegerReader):
    """Reads a float."""

    def __init__(self, loops: Any, row: Any, dtype: Any) -> None:
        super().__init__(loops, row, dtype)
        self.form, self.words = FORMATS[dtype], loops.literal_array(power_words(), WIDE)

    def __call__(self, start: Scalar, stop: Scalar) -> tuple[Scalar, Scalar]:
        s, loops, zero = self.scalars, self.loops, self.loops.constant(0, LONG)
        at, end, is_below = self.sign(*self.trimmed(start, stop))
        point, number, count = self.digits(at, end, self.wide(0), zero)
        has_point = s.cast(self.byte(point, end) == ord("."), LONG)
        fraction = loops.held(point + has_point)
        begin = loops.held(s.where(has_point != 0, fraction, end))  # else there are no digits
        last, number, count = self.digits(begin, end, number, count)
        last = loops.held(s.where(has_point != 0, last, point))
        has_digits = loops.held((last - at) > has_point)
        after, exponent, fits = self.exponent(last, end)
        exponent = loops.held(exponent - s.where(has_point != 0, last - fraction, zero))
        bits, is_doubtful = self.rounded(number, exponent)
        fits = fits & has_digits & (after == end) & (count <= MOST_DIGITS)
        word = dtypes.uint64 if self.dtype.size == dtypes.uint64.size else dtypes.uint32
        sign = s.left_shift(s.cast(is_below, WIDE), self.wide(8 * self.dtype.size - 1))
        found = s.bitcast(s.cast(bits | sign, word), self.dtype)
        return found, loops.held(is_doubtful | s.logical_not(fits))

    def exponent(self, at: Scalar, stop: Scalar) -> tuple[Scalar, Scalar, Scalar]:
        """Behind an exponent, what it is, and whether it is one."""
        s, loops, zero = self.scalars, self.loops, self.loops.constant(0, LONG)
        has_mark = loops.held((self.byte(at, stop) | 0x20) == ord("e"))
        begin, _, is_below = self.sign(loops.held(at + 1), stop)
        begin = loops.held(s.where(has_mark, begin, stop))
        after, size, count = self.digits(begin, stop, self.wide(0), zero)
        is_large = (count > MOST_DIGITS) | (size > self.wide(LARGEST_EXPONENT))
        size = s.cast(s.where(is_large, self.wide(LARGEST_EXPONENT), size), LONG)
        size = loops.held(s.where(is_below, zero - size, size))
        is_one = s.where(has_mark, after > begin, loops.constant(True, dtypes.bool_))
        return loops.held(s.where(has_mark, after, at)), s.where(has_mark, size, zero), is_one

    def rounded(self, number: Scalar, power: Scalar) -> tuple[Scalar, Scalar]:
        """The bits of the float nearest to `number` times ten to `power`; whether that is doubtful:
        near infinity, and below the normal numbers.
        """
        s, loops, form, wide = self.scalars, self.loops, self.form, self.wide
        is_known = loops.held((power >= FIRST_POWER) & (power <= LAST_POWER))
        place = loops.held(s.where(is_known, power - FIRST_POWER, loops.constant(0, LONG)))
        power = loops.held(place + FIRST_POWER)
        zeros, number_ = self.shifted(loops.held(s.maximum(number, wide(1))))
        high, low = self.product(number_, self.words[(place,)])
        # Where these bits are all set, what the lower word of the power adds may count.
        mask = wide((1 << 64 - form.fraction - 3) - 1)
        more, _ = self.product(number_, self.words[(place + (LAST_POWER - FIRST_POWER + 1),)])
        is_near = loops.held((high & mask) == mask)
        sum_ = loops.held(low + s.where(is_near, more, wide(0)))
        high = loops.held(high + s.cast(sum_ < low, WIDE))
        low = sum_
        upper = loops.held(s.right_shift(high, wide(63)))
        shift = loops.held(upper + (64 - form.fraction - 3))
        mantissa = loops.held(s.right_shift(high, shift))
        binary = s.right_shift(power * 217706, loops.constant(16, LONG)) + 63
        exponent = loops.held(binary + s.cast(upper, LONG) - zeros + form.bias)
        first, last = form.ties
        is_tie = (
            (low <= wide(1)) & (power >= first) & (power <= last) & ((mantissa & 3) == wide(1))
            & (s.left_shift(mantissa, shift) == high)
        )  # fmt: skip
        mantissa = mantissa - s.cast(is_tie, WIDE)
        mantissa = loops.held(s.right_shift(mantissa + (mantissa & 1), wide(1)))
        carries = loops.held(s.right_shift(mantissa, wide(form.fraction + 1)))
        kept = s.right_shift(mantissa, carries) & ((1 << form.fraction) - 1)
        # All ones: the product may be short of the next one by less than was added.
        is_unsafe = loops.held(low == wide((1 << 64) - 1)) & ((power < -27) | (power > 55))
        is_normal = (exponent > 0) & (exponent < form.infinite - 1)
        total = s.cast(exponent + s.cast(carries, LONG), WIDE)
        bits = kept | s.left_shift(total, wide(form.fraction))
        is_zero = loops.held(number == wide(0))
        fits = is_zero | (is_known & is_normal & s.logical_not(is_unsafe))
        return s.where(is_zero, wide(0), bits), s.logical_not(loops.held(fits))

    def shifted(self, number: Scalar) -> tuple[Scalar, Scalar]:
        """The zeros before the first bit of a number, and the number without them."""
        s, zeros = self.scalars, self.loops.constant(0, LONG)
        for count in (32, 16, 8, 4, 2, 1):
            is_free = self.loops.held(s.right_shift(number, self.wide(64 - count)) == self.wide(0))
            moved = s.left_shift(number, self.wide(count))
            number = self.loops.held(s.where(is_free, moved, number))
            zeros = zeros + s.where(is_free, self.loops.constant(count, LONG), zeros * 0)
        return self.loops.held(zeros), number

    def product(self, x: Scalar, y: Scalar) -> tuple[Scalar, Scalar]:
        """The upper and the lower 64 bits of a product."""
        s, loops, half, low = self.scalars, self.loops, self.wide(32), 0xFFFFFFFF
        (a, b), (c, d) = (
            (loops.held(s.right_shift(one, half)), loops.held(one & low)) for one in (x, y)
        )
        lowest, cross, other = loops.held(b * d), loops.held(a * d), loops.held(b * c)
        middle = loops.held(s.right_shift(lowest, half) + (cross & low) + (other & low))
        high = a * c + s.right_shift(cross, half) + s.right_shift(other, half)
        high = loops.held(high + s.right_shift(middle, half))
        return high, loops.held(s.left_shift(middle, half) | (lowest & low))


def spelled_number(text: bytes, dtype: Any) -> Any:
    """The number that decimal digits spell; None if it is doubtful: the slow twin of readers."""
    spelled = text.strip()
    sign, digits = spelled[:1], spelled[1:] if spelled[:1] in (b"+", b"-") else spelled
    mantissa, mark, exponent = digits.lower().partition(b"e") if dtype.is_floating else (
        digits, b"", b"",
    )  # fmt: skip
    if exponent[:1] in (b"+", b"-"):
        exponent = exponent[1:]
    whole, _, fraction = mantissa.partition(b".")
    parts = whole + fraction if dtype.is_floating else mantissa
    if not parts.isdigit() or (mark and not exponent.isdigit()):
        return None
    if len(parts.lstrip(b"0")) > MOST_DIGITS or b"_" in text:
        return None
    if not dtype.is_floating:
        value = int(spelled)
        fits = dtype.min <= value <= dtype.max and not (dtype.is_unsigned and sign == b"-")
        return value if fits else None
    return spelled_float(spelled, dtype)


def spelled_float(text: bytes, dtype: Any) -> Any:
    """The normal float that is nearest to what is spelled."""
    form = FORMATS[dtype]
    exact = Fraction(text.decode())
    if not exact:
        return -0.0 if text.startswith(b"-") else 0.0
    size = abs(exact)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    exponent -= Fraction(2) ** exponent > size
    if not 1 - form.bias <= exponent < form.bias:
        return None
    unit = Fraction(2) ** (exponent - form.fraction)
    return float(round(exact / unit) * unit)
