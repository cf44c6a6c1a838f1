"""Scalar functions of complex numbers, which are pairs of registers.

Products and sums are written in place. Elementary functions are definitions of their own, written
here in terms of the real ones (Kahan, "Branch cuts for complex elementary functions", 1987). They
keep the digits of large and of small numbers; at infinity they are what C says (annex G).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias, cast

from ..loops.functions import REAL_PART
from . import real_arithmetic
from .types import REGISTER, Register, Value, float_literal
from .writer import Writer

Pair: TypeAlias = tuple[Register, Register]


class Reals:
    """Real arithmetic of one type, to write formulas with."""

    def __init__(self, w: Writer, type_: str, flags: str = "") -> None:
        self.w, self.type, self.flags = w, type_, flags

    def number(self, value: float) -> Register:
        return float_literal(value, self.type)

    def of(self, function: str, *operands: Register) -> Register:
        return real_arithmetic.real(self.w, function, self.type, operands, self.flags)

    def add(self, x: Register, y: Register) -> Register:
        return self.of("add", x, y)

    def sub(self, x: Register, y: Register) -> Register:
        return self.of("sub", x, y)

    def mul(self, x: Register, y: Register) -> Register:
        return self.of("mul", x, y)

    def div(self, x: Register, y: Register) -> Register:
        return self.of("div", x, y)

    def choose(self, condition: Register, yes: Register, no: Register) -> Register:
        kept = REGISTER[self.type]
        return self.w.line(f"select i1 {condition}, {kept} {yes}, {kept} {no}")

    def both(self, one: Register, other: Register) -> Register:
        return self.w.line(f"and i1 {one}, {other}")

    def either(self, one: Register, other: Register) -> Register:
        return self.w.line(f"or i1 {one}, {other}")

    def copysign(self, size: Register, sign: Register) -> Register:
        kept = REGISTER[self.type]
        name = f"@llvm.copysign.{self.type}"
        return self.w.line(f"call {kept} {name}({kept} {size}, {kept} {sign})")


def apply(
    w: Writer, function: str, type_: str, arguments: Sequence[Value], flags: str = ""
) -> Value:
    """A function of complex arguments; the result is a pair, or one register if it is real."""
    r = Reals(w, REAL_PART[type_], flags)
    pairs = [cast(Pair, argument) for argument in arguments]
    if (rule := _IN_PLACE.get(function)) is not None:
        return rule(r, *pairs)
    return w.call(function, type_, *pairs)


def _add(r: Reals, x: Pair, y: Pair) -> Pair:
    return r.add(x[0], y[0]), r.add(x[1], y[1])


def _sub(r: Reals, x: Pair, y: Pair) -> Pair:
    return r.sub(x[0], y[0]), r.sub(x[1], y[1])


def _mul(r: Reals, x: Pair, y: Pair) -> Pair:
    real = r.sub(r.mul(x[0], y[0]), r.mul(x[1], y[1]))
    return real, r.add(r.mul(x[0], y[1]), r.mul(x[1], y[0]))


def _multiply_add(r: Reals, x: Pair, y: Pair, z: Pair) -> Pair:
    minus = r.of("neg", x[1])
    real = r.of("fma", minus, y[1], r.of("fma", x[0], y[0], z[0]))
    return real, r.of("fma", x[1], y[0], r.of("fma", x[0], y[1], z[1]))


def _neg(r: Reals, x: Pair) -> Pair:
    return r.of("neg", x[0]), r.of("neg", x[1])


def _conj(r: Reals, x: Pair) -> Pair:
    return x[0], r.of("neg", x[1])


def _square(r: Reals, x: Pair) -> Pair:
    return _mul(r, x, x)


def _eq(r: Reals, x: Pair, y: Pair) -> Register:
    return r.both(r.of("eq", x[0], y[0]), r.of("eq", x[1], y[1]))


def _ne(r: Reals, x: Pair, y: Pair) -> Register:
    return r.either(r.of("ne", x[0], y[0]), r.of("ne", x[1], y[1]))


def _either(test: str) -> Callable[..., Register]:
    def write(r: Reals, x: Pair) -> Register:
        return r.either(r.of(test, x[0]), r.of(test, x[1]))

    return write


_is_infinite: Final = _either("is_inf")


def _is_finite(r: Reals, x: Pair) -> Register:
    return r.both(r.of("is_finite", x[0]), r.of("is_finite", x[1]))


def _real(r: Reals, x: Pair) -> Register:
    return x[0]


def _imag(r: Reals, x: Pair) -> Register:
    return x[1]


def _angle(r: Reals, x: Pair) -> Register:
    return r.of("atan2", x[1], x[0])


_IN_PLACE: Final[dict[str, Callable[..., Value]]] = {
    "add": _add,
    "sub": _sub,
    "mul": _mul,
    "fma": _multiply_add,
    "neg": _neg,
    "conj": _conj,
    "square": _square,
    "eq": _eq,
    "ne": _ne,
    "is_nan": _either("is_nan"),
    "is_inf": _is_infinite,
    "is_finite": _is_finite,
    "real": _real,
    "imag": _imag,
    "angle": _angle,
}

# ---------------------------------------------------------------- definitions


def _abs(r: Reals, x: Pair) -> Register:
    """Without overflow on the way: the greater part times sqrt(1 + ratio²)."""
    a, b = r.of("abs", x[0]), r.of("abs", x[1])
    large, small = r.of("maximum", a, b), r.of("minimum", a, b)
    ratio = r.div(small, large)
    root = r.of("sqrt", r.add(r.number(1.0), r.mul(ratio, ratio)))
    plain = r.choose(r.of("eq", large, r.number(0.0)), large, r.mul(large, root))
    return r.choose(_is_infinite(r, x), r.number(float("inf")), plain)


def _div(r: Reals, x: Pair, y: Pair) -> Pair:
    """Smith 1962: divide by the larger part of the divisor first."""
    (a, b), (c, d) = x, y
    first = r.of("ge", r.of("abs", c), r.of("abs", d))
    large, small = r.choose(first, c, d), r.choose(first, d, c)
    ratio = r.div(small, large)
    zero = r.of("eq", large, r.number(0.0))
    ratio = r.choose(zero, r.number(0.0), ratio)
    scale = r.add(large, r.mul(small, ratio))
    real = r.choose(first, r.add(a, r.mul(b, ratio)), r.add(r.mul(a, ratio), b))
    imaginary = r.choose(first, r.sub(b, r.mul(a, ratio)), r.sub(r.mul(b, ratio), a))
    return r.div(real, scale), r.div(imaginary, scale)


def _reciprocal(r: Reals, x: Pair) -> Pair:
    return _div(r, (r.number(1.0), r.number(0.0)), x)


def _sign(r: Reals, x: Pair) -> Pair:
    size = _abs(r, x)
    none = r.of("eq", size, r.number(0.0))
    return (
        r.choose(none, r.number(0.0), r.div(x[0], size)),
        r.choose(none, r.number(0.0), r.div(x[1], size)),
    )


def _sqrt(r: Reals, x: Pair) -> Pair:
    """The root of the part that does not cancel; the other one by division."""
    a, b = x
    left, below = r.mul(r.of("abs", a), r.number(0.5)), r.mul(r.of("abs", b), r.number(0.5))
    root = r.of("sqrt", r.add(left, _abs(r, (left, below))))
    other = r.div(below, root)
    none = r.of("eq", root, r.number(0.0))
    other = r.choose(none, r.number(0.0), other)
    right = r.of("ge", a, r.number(0.0))
    real, imaginary = r.choose(right, root, other), r.choose(right, other, root)
    endless, infinity = r.of("is_inf", b), r.number(math.inf)
    return (
        r.choose(endless, infinity, real),
        r.copysign(r.choose(endless, infinity, imaginary), b),
    )


def _rsqrt(r: Reals, x: Pair) -> Pair:
    return _reciprocal(r, _sqrt(r, x))


def _without_overflow(r: Reals, a: Register) -> Pair:
    """A part of an exponent, and e to the power of its rest, which is taken off where the whole
    would overflow before a small cosine makes it finite.
    """
    step = 32.0 if r.type == "f32" else 256.0
    far = r.of("gt", r.of("abs", a), r.number(2 * step))
    rest = r.sub(a, r.copysign(r.number(step), a))
    return r.choose(far, rest, a), r.choose(far, r.number(math.exp(step)), r.number(1.0))


def _exp(r: Reals, x: Pair) -> Pair:
    """No NaN for a real argument: infinity times the sine of zero is zero here."""
    a, b = x
    part, factor = _without_overflow(r, r.of("maximum", a, r.number(0.0)))
    part = r.choose(r.of("gt", a, r.number(0.0)), part, a)
    size = r.of("exp", part)
    real = r.mul(r.mul(size, r.of("cos", b)), factor)
    imaginary = r.mul(r.mul(size, r.of("sin", b)), factor)
    imaginary = r.choose(r.of("eq", b, r.number(0.0)), b, imaginary)
    lost = r.both(r.of("is_inf", a), r.of("ne", r.sub(b, b), r.number(0.0)))  # which way it turns
    outside = r.of("gt", a, r.number(0.0))
    return (
        r.choose(lost, size, real),
        r.choose(lost, r.choose(outside, r.number(math.nan), size), imaginary),
    )


def _expm1(r: Reals, x: Pair) -> Pair:
    """exp(a) cos b - 1 = expm1(a) cos b - 2 sin²(b/2)."""
    half = r.of("sin", r.mul(x[1], r.number(0.5)))
    lost = r.mul(r.number(2.0), r.mul(half, half))
    real = r.sub(r.mul(r.of("expm1", x[0]), r.of("cos", x[1])), lost)
    return real, r.mul(r.of("exp", x[0]), r.of("sin", x[1]))


def _log(r: Reals, x: Pair) -> Pair:
    return r.of("log", _abs(r, x)), r.of("atan2", x[1], x[0])


def _log1p(r: Reals, x: Pair) -> Pair:
    """log|1 + z| = log1p(2a + a² + b²) / 2 where that is accurate, near zero."""
    a, b = x
    above = r.add(r.mul(a, r.add(a, r.number(2.0))), r.mul(b, b))
    near = r.mul(r.of("log1p", above), r.number(0.5))
    shifted = (r.add(a, r.number(1.0)), b)
    far = r.of("log", _abs(r, shifted))
    is_near = r.of("lt", r.of("abs", above), r.number(0.5))
    return r.choose(is_near, near, far), r.of("atan2", b, shifted[0])


def _pow(r: Reals, x: Pair, y: Pair) -> Pair:
    power = _exp(r, _mul(r, y, _log(r, x)))
    nothing = r.number(0.0), r.number(0.0)
    base_zero, no_power = _eq(r, x, nothing), _eq(r, y, nothing)
    # As NumPy: of zero, powers that go to the right are zero, all others but 1 are no number.
    to_the_right = r.choose(r.of("lt", "0.0", y[0]), r.number(0.0), r.number(float("nan")))
    return (
        r.choose(no_power, r.number(1.0), r.choose(base_zero, to_the_right, power[0])),
        r.choose(no_power, r.number(0.0), r.choose(base_zero, to_the_right, power[1])),
    )


def _sigmoid(r: Reals, x: Pair) -> Pair:
    size = _exp(r, _neg(r, x))
    return _reciprocal(r, (r.add(r.number(1.0), size[0]), size[1]))


def _tanh(r: Reals, x: Pair) -> Pair:
    """Kahan's formula in tan b and sinh a; far out the real part is one."""
    a, b = x
    tangent, sine = r.of("tan", b), r.of("sinh", a)
    beta = r.add(r.number(1.0), r.mul(tangent, tangent))
    rho = r.of("sqrt", r.add(r.number(1.0), r.mul(sine, sine)))
    below = r.add(r.number(1.0), r.mul(beta, r.mul(sine, sine)))
    real, imaginary = r.div(r.mul(beta, r.mul(rho, sine)), below), r.div(tangent, below)
    limit = 11.0 if r.type == "f32" else 22.0
    far = r.of("gt", r.of("abs", a), r.number(limit))
    decay = r.of("exp", r.mul(r.number(-2.0), r.of("abs", a)))
    wave = r.mul(r.number(4.0), r.mul(r.of("sin", b), r.of("cos", b)))
    one = r.copysign(r.number(1.0), a)
    infinite, zero = r.of("is_inf", a), r.number(0.0)
    limits = (
        r.choose(infinite, one, r.add(one, r.sub(b, b))),  # NaN where b turns nowhere
        r.choose(infinite, zero, r.mul(wave, decay)),
    )
    return (
        r.choose(r.of("eq", a, zero), a, r.choose(far, limits[0], real)),
        r.choose(r.of("eq", b, zero), b, r.choose(far, limits[1], imaginary)),
    )


def _times_i(r: Reals, x: Pair) -> Pair:
    return r.of("neg", x[1]), x[0]


def _times_minus_i(r: Reals, x: Pair) -> Pair:
    return x[1], r.of("neg", x[0])


def _rotated(function: Callable[[Reals, Pair], Pair]) -> Callable[[Reals, Pair], Pair]:
    """f(z) = -i g(i z): tan from tanh, asinh from asin, atan from atanh."""

    def write(r: Reals, x: Pair) -> Pair:
        return _times_minus_i(r, function(r, _times_i(r, x)))

    return write


def _sinh(r: Reals, x: Pair) -> Pair:
    a, b = x
    part, factor = _without_overflow(r, a)
    real = r.mul(r.mul(r.of("sinh", part), r.of("cos", b)), factor)
    imaginary = r.mul(r.mul(r.of("cosh", part), r.of("sin", b)), factor)
    return (
        r.choose(_turns_nowhere(r, x), a, real),
        r.choose(r.of("eq", b, r.number(0.0)), b, imaginary),
    )


def _cosh(r: Reals, x: Pair) -> Pair:
    a, b = x
    part, factor = _without_overflow(r, a)
    real = r.mul(r.mul(r.of("cosh", part), r.of("cos", b)), factor)
    imaginary = r.mul(r.mul(r.of("sinh", part), r.of("sin", b)), factor)
    nowhere, level = _turns_nowhere(r, x), r.of("eq", b, r.number(0.0))
    imaginary = r.choose(level, r.mul(b, r.copysign(r.number(1.0), a)), imaginary)
    return (
        r.choose(r.both(nowhere, r.of("is_inf", a)), r.of("abs", a), real),
        r.choose(r.both(nowhere, r.of("eq", a, r.number(0.0))), a, imaginary),
    )


def _turns_nowhere(r: Reals, x: Pair) -> Register:
    """Whether the imaginary part has no cosine, while the real one is zero or infinite."""
    a, b = x
    endless = r.either(r.of("is_inf", a), r.of("eq", a, r.number(0.0)))
    return r.both(endless, r.of("ne", r.sub(b, b), r.number(0.0)))


def _cos(r: Reals, x: Pair) -> Pair:
    return _cosh(r, _times_i(r, x))


def _roots_beside_one(r: Reals, x: Pair) -> tuple[Pair, Pair]:
    """sqrt(1 - z) and sqrt(1 + z), whose products neither overflow nor cancel."""
    one, minus = r.number(1.0), r.of("neg", x[1])
    return _sqrt(r, (r.sub(one, x[0]), minus)), _sqrt(r, (r.add(one, x[0]), x[1]))


def _asin(r: Reals, x: Pair) -> Pair:
    a, b = x
    below, above = _roots_beside_one(r, x)
    level = r.sub(r.mul(below[0], above[0]), r.mul(below[1], above[1]))
    height = r.sub(r.mul(below[0], above[1]), r.mul(below[1], above[0]))
    infinite = _is_infinite(r, x)
    real = r.of("atan2", a, r.choose(infinite, r.of("abs", b), level))
    endless = r.copysign(r.number(math.inf), b)
    return (
        r.choose(r.of("eq", a, r.number(0.0)), a, real),
        r.choose(infinite, endless, r.of("asinh", height)),
    )


def _acos(r: Reals, x: Pair) -> Pair:
    a, b = x
    below, above = _roots_beside_one(r, x)
    height = r.sub(r.mul(above[0], below[1]), r.mul(above[1], below[0]))
    infinite, minus = _is_infinite(r, x), r.of("neg", b)
    real = r.mul(r.number(2.0), r.of("atan2", below[0], above[0]))
    real = r.choose(infinite, r.of("atan2", r.of("abs", b), a), real)
    quarter = r.number(math.pi / 2)
    return (
        r.choose(r.of("eq", a, r.number(0.0)), quarter, real),
        r.choose(infinite, r.copysign(r.number(math.inf), minus), r.of("asinh", height)),
    )


def _acosh(r: Reals, x: Pair) -> Pair:
    a, b = x
    one = r.number(1.0)
    below, above = _sqrt(r, (r.sub(a, one), b)), _sqrt(r, (r.add(a, one), b))
    height = r.add(r.mul(below[0], above[0]), r.mul(below[1], above[1]))
    infinite = _is_infinite(r, x)
    turn = r.mul(r.number(2.0), r.of("atan2", below[1], above[0]))
    return (
        r.choose(infinite, r.number(math.inf), r.of("asinh", height)),
        r.choose(infinite, r.of("atan2", b, a), turn),
    )


# Where one is nothing beside the square of a number, in both types.
_FAR: Final = 1e10


def _atanh(r: Reals, x: Pair) -> Pair:
    """log((1 + z) / (1 - z)) / 2, real and imaginary part apart. Odd: |1 + z|² / |1 - z|² - 1 does
    not cancel for a positive real part, so small ones keep their digits. Far out it is 1 / z and a
    quarter of a turn, close to 1 half the logarithm of 2 / |1 - z|.
    """
    a, b = x
    one, squared, size = r.number(1.0), r.mul(b, b), r.of("abs", a)
    below = r.sub(one, size)
    excess = r.div(r.mul(r.number(4.0), size), r.add(r.mul(below, below), squared))
    real = r.mul(r.number(0.25), r.of("log1p", excess))
    height = r.of("abs", b)
    pole = r.both(r.of("eq", size, one), r.of("lt", height, r.number(1 / _FAR)))
    close = r.mul(r.number(0.5), r.of("log", r.div(r.number(2.0), height)))
    real = r.copysign(r.choose(pole, close, real), a)
    beside = r.sub(r.mul(below, r.add(one, size)), squared)
    turn = r.mul(r.number(0.5), r.of("atan2", r.mul(r.number(2.0), b), beside))
    far = r.either(r.of("gt", size, r.number(_FAR)), r.of("gt", height, r.number(_FAR)))
    infinite, zero = _is_infinite(r, x), r.number(0.0)
    inverse = r.choose(infinite, r.copysign(zero, a), _reciprocal(r, x)[0])
    quarter = r.copysign(r.number(math.pi / 2), b)
    quarter = r.choose(infinite, quarter, r.add(quarter, r.sub(a, a)))  # NaN where a is
    quarter = r.choose(r.of("is_nan", b), b, quarter)
    real = r.choose(r.of("eq", a, zero), a, real)
    return r.choose(far, inverse, real), r.choose(far, quarter, turn)


FORMULAS: Final[dict[str, Callable[..., Value]]] = {
    "abs": _abs,
    "div": _div,
    "reciprocal": _reciprocal,
    "sign": _sign,
    "sqrt": _sqrt,
    "rsqrt": _rsqrt,
    "exp": _exp,
    "expm1": _expm1,
    "log": _log,
    "log1p": _log1p,
    "pow": _pow,
    "sigmoid": _sigmoid,
    "tanh": _tanh,
    "tan": _rotated(_tanh),
    "sinh": _sinh,
    "sin": _rotated(_sinh),
    "cosh": _cosh,
    "cos": _cos,
    "asinh": _rotated(_asin),
    "asin": _asin,
    "acosh": _acosh,
    "acos": _acos,
    "atanh": _atanh,
    "atan": _rotated(_atanh),
}
