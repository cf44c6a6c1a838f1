"""Floats written out as strings."""

from __future__ import annotations

from typing import Any, Final

import numpy as numpy_module

from ....core import dtypes
from ....core.specs import TensorSpec
from ...lowering import Scalar
from ...op import Attr, In, Op, Out, types
from ...origins import Origin
from .spans import BYTE, LONG, laid_out, spans_in
from .writing import WIDE, DigitWriter

MOST_DECIMALS: Final = 9  # behind the point, that fit into 30 bits
BITS, BIAS = 52, 1023  # of the fractions of float64, and of their exponents


class NumbersAsSpans(Op, abstract=True):
    """Numbers written out, and whether that is doubtful."""

    input = In("T *s")
    starts = Out("i64 *s")
    stops = Out("i64 *s")
    bytes = Out("u8 m")
    doubtful = Out("bool *s")
    T = types("f16 bf16 f32 f64")
    origin = Origin.COMPILER
    differentiable = False

    def infer(self) -> Any:
        places = TensorSpec(self.input.shape, LONG)
        doubtful = TensorSpec(self.input.shape, dtypes.bool_)
        return places, places, TensorSpec((None,), BYTE), doubtful

    def written(self, numbers: Any, doubtful: Any, form: str) -> Any:
        """What C writes by `form`, as "%.3f", and 0 where that is doubtful."""
        texts = numpy_module.empty(numbers.size, object)
        known = numpy_module.where(doubtful, 0.0, numbers).reshape(-1).tolist()
        texts[:] = [(form % one).encode() for one in known]
        return *spans_in(texts.reshape(numbers.shape)), doubtful


class FloatsAsSpans(NumbersAsSpans):
    """Numbers with so many digits behind the point, as C's `%f` writes them, and whether that is
    doubtful: what is not finite, or 2**63 and more.
    """

    decimals = Attr()

    def eager(self, np: Any) -> Any:
        numbers = self.input.astype(np.float64)
        doubtful = np.asarray(~(np.abs(numbers) < 2.0**63))
        return self.written(numbers, doubtful, f"%.{self.decimals}f")

    def lower(self, loops: Any) -> Any:
        x, shape = loops.kept(self.input), self.input.shape
        wholes, parts = (loops.memory(shape, WIDE) for _ in range(2))
        lengths, doubtful = loops.memory(shape, LONG), loops.memory(shape, dtypes.bool_)
        s, digits = loops.scalars, DigitWriter(loops)
        behind = self.decimals + 1 if self.decimals else 0

        def split(*k: Any) -> None:
            bits = bits_of(loops, x[k])
            exponent = s.cast(s.right_shift(bits, wide(loops, BITS)) & 0x7FF, LONG)
            is_known = loops.held(exponent < BIAS + 63)
            bits = loops.held(s.where(is_known, bits, wide(loops, 0)))
            whole, part = rounded_parts(loops, bits, 10**self.decimals)
            loops.put(wholes, k, whole)
            loops.put(parts, k, part)
            loops.put(doubtful, k, s.logical_not(is_known))
            sign = s.cast(s.right_shift(bits, wide(loops, 63)), LONG)
            loops.put(lengths, k, digits.count(whole) + (sign + behind))

        loops.for_each(shape, split)
        starts, stops, room = laid_out(loops, shape, lambda *k: lengths[k])

        def write(*k: Any) -> None:
            start, stop = loops.held(starts[k]), loops.held(stops[k])
            point = loops.held(stop - behind)
            loops.put(room, (start,), loops.constant(ord("-"), BYTE))  # or a digit takes its place
            below = s.right_shift(bits_of(loops, x[k]), wide(loops, 63))
            is_below = s.where(doubtful[k], wide(loops, 0), below)
            digits.write(room, wholes[k], loops.held(start + s.cast(is_below, LONG)), point)
            if behind:
                loops.put(room, (point,), loops.constant(ord("."), BYTE))
                digits.write(room, parts[k], loops.held(point + 1), stop)

        loops.for_each(shape, write)
        return starts, stops, room, doubtful


def wide(loops: Any, number: int) -> Scalar:
    return loops.constant(number, WIDE)


def bits_of(loops: Any, number: Scalar) -> Scalar:
    s = loops.scalars
    return loops.held(s.bitcast(s.cast(number, dtypes.float64), WIDE))


def rounded_parts(loops: Any, bits: Scalar, scale: int) -> tuple[Scalar, Scalar]:
    """The whole part of a float64, and what is behind the point times `scale`, to the nearest
    integer, the even one of two. Both are exact: the float is an integer by a power of two.
    """
    s, zero, one = loops.scalars, wide(loops, 0), wide(loops, 1)
    kept = loops.held(s.right_shift(bits, wide(loops, BITS)) & 0x7FF)
    fraction = bits & ((1 << BITS) - 1)
    mantissa = loops.held(s.where(kept == zero, fraction, fraction + (1 << BITS)))
    exponent = loops.held(s.cast(s.maximum(kept, one), LONG) - (BIAS + BITS))
    none, most = loops.constant(0, LONG), loops.constant(95, LONG)
    up = s.cast(s.maximum(exponent, none), WIDE)
    down = loops.held(s.cast(s.minimum(s.maximum(none - exponent, none), most), WIDE))
    near = loops.held(s.minimum(down, wide(loops, 63)))
    whole = loops.held(s.left_shift(s.right_shift(mantissa, near), up))
    rest = loops.held(mantissa - s.left_shift(s.right_shift(mantissa, near), near))
    part = rounded_product(loops, rest, scale, down, whole)
    carries = loops.held(part >= scale)
    return loops.held(whole + s.cast(carries, WIDE)), s.where(carries, part - scale, part)


def rounded_product(loops: Any, rest: Scalar, scale: int, down: Scalar, whole: Scalar) -> Scalar:
    """`rest` times `scale`, divided by two to `down` and rounded; `whole` is before the point."""
    s, zero, one, low = loops.scalars, wide(loops, 0), wide(loops, 1), (1 << 32) - 1
    half = wide(loops, 32)
    # Of the product 32 bits are in `lower`, all others in `upper`.
    product = loops.held((rest & low) * scale)
    upper = loops.held(s.right_shift(rest, half) * scale + s.right_shift(product, half))
    lower = loops.held(product & low)
    is_far = loops.held(down > 32)
    far = loops.held(s.where(is_far, down - 32, zero))
    short = loops.held(s.where(is_far, zero, down))
    near = s.left_shift(upper, half - short) | s.right_shift(lower, short)
    quotient = loops.held(s.where(is_far, s.right_shift(upper, far), near))
    left_near = lower & (s.left_shift(one, short) - one)
    left = loops.held(s.where(is_far, upper - s.left_shift(quotient, far), left_near))
    # Half of what is divided by; 0 where that is one, of which nothing is left.
    middle = loops.held(s.right_shift(s.left_shift(one, s.where(is_far, far, short)), one))
    beyond = loops.held(s.where(is_far, lower, zero))
    is_odd = ((quotient + whole if scale == 1 else quotient) & one) == one
    is_tie = (left == middle) & (beyond == zero)
    is_more = (left > middle) | ((left == middle) & ((beyond > zero) | (is_tie & is_odd)))
    return loops.held(quotient + s.cast(is_more & (down > zero), WIDE))
