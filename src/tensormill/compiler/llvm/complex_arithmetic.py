"""Scalar functions of complex numbers, which are pairs of registers.

Products and sums are written in place. Elementary functions are definitions of their own, written
here in terms of the real ones (Kahan, "Branch cuts for complex elementary functions", 1987).
"""

from __future__ import annotations

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
    return r.w.line(f"and i1 {r.of('eq', x[0], y[0])}, {r.of('eq', x[1], y[1])}")


def _ne(r: Reals, x: Pair, y: Pair) -> Register:
    return r.w.line(f"or i1 {r.of('ne', x[0], y[0])}, {r.of('ne', x[1], y[1])}")


def _either(test: str) -> Callable[..., Register]:
    def write(r: Reals, x: Pair) -> Register:
        return r.w.line(f"or i1 {r.of(test, x[0])}, {r.of(test, x[1])}")

    return write


def _is_finite(r: Reals, x: Pair) -> Register:
    return r.w.line(f"and i1 {r.of('is_finite', x[0])}, {r.of('is_finite', x[1])}")


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
    "is_inf": _either("is_inf"),
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
    infinite = r.w.line(f"or i1 {r.of('is_inf', a)}, {r.of('is_inf', b)}")
    return r.choose(infinite, r.number(float("inf")), plain)


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
    size = _abs(r, x)
    half = r.mul(r.add(r.of("abs", a), size), r.number(0.5))
    root = r.of("sqrt", half)
    other = r.div(r.mul(r.of("abs", b), r.number(0.5)), root)
    none = r.of("eq", root, r.number(0.0))
    other = r.choose(none, r.number(0.0), other)
    right = r.of("ge", a, r.number(0.0))
    return r.choose(right, root, other), r.copysign(r.choose(right, other, root), b)


def _rsqrt(r: Reals, x: Pair) -> Pair:
    return _reciprocal(r, _sqrt(r, x))


def _exp(r: Reals, x: Pair) -> Pair:
    """No NaN for a real argument: infinity times the sine of zero is zero here."""
    size = r.of("exp", x[0])
    real_only = r.of("eq", x[1], r.number(0.0))
    imaginary = r.choose(real_only, x[1], r.mul(size, r.of("sin", x[1])))
    return r.mul(size, r.of("cos", x[1])), imaginary


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
    base_zero = r.w.line(f"and i1 {r.of('eq', x[0], '0.0')}, {r.of('eq', x[1], '0.0')}")
    no_power = r.w.line(f"and i1 {r.of('eq', y[0], '0.0')}, {r.of('eq', y[1], '0.0')}")
    # As NumPy: of zero, powers that go to the right are zero, all others but 1 are no number.
    to_the_right = r.choose(r.of("lt", "0.0", y[0]), r.number(0.0), r.number(float("nan")))
    return (
        r.choose(base_zero, r.choose(no_power, r.number(1.0), to_the_right), power[0]),
        r.choose(base_zero, r.choose(no_power, r.number(0.0), to_the_right), power[1]),
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
    return r.choose(far, one, real), r.choose(far, r.mul(wave, decay), imaginary)


def _times_i(r: Reals, x: Pair) -> Pair:
    return r.of("neg", x[1]), x[0]


def _times_minus_i(r: Reals, x: Pair) -> Pair:
    return x[1], r.of("neg", x[0])


def _rotated(function: Callable[[Reals, Pair], Pair]) -> Callable[[Reals, Pair], Pair]:
    """f(z) = -i g(i z): tan from tanh, asin from asinh, atan from atanh."""

    def write(r: Reals, x: Pair) -> Pair:
        return _times_minus_i(r, function(r, _times_i(r, x)))

    return write


def _sinh(r: Reals, x: Pair) -> Pair:
    return (
        r.mul(r.of("sinh", x[0]), r.of("cos", x[1])),
        r.mul(r.of("cosh", x[0]), r.of("sin", x[1])),
    )


def _cosh(r: Reals, x: Pair) -> Pair:
    return (
        r.mul(r.of("cosh", x[0]), r.of("cos", x[1])),
        r.mul(r.of("sinh", x[0]), r.of("sin", x[1])),
    )


def _cos(r: Reals, x: Pair) -> Pair:
    return _cosh(r, _times_i(r, x))


def _asinh(r: Reals, x: Pair) -> Pair:
    """Odd: computed for a positive real part, where log(z + sqrt(z² + 1)) does not cancel."""
    left = r.w.line(f"fcmp olt {REGISTER[r.type]} {x[0]}, 0.0")
    right = (r.choose(left, r.of("neg", x[0]), x[0]), r.choose(left, r.of("neg", x[1]), x[1]))
    squared = _mul(r, right, right)
    root = _sqrt(r, (r.add(squared[0], r.number(1.0)), squared[1]))
    value = _log(r, _add(r, right, root))
    return (
        r.choose(left, r.of("neg", value[0]), value[0]),
        r.choose(left, r.of("neg", value[1]), value[1]),
    )


def _acosh(r: Reals, x: Pair) -> Pair:
    """log(z + sqrt(z + 1) sqrt(z - 1))."""
    one = r.number(1.0)
    above, below = _sqrt(r, (r.add(x[0], one), x[1])), _sqrt(r, (r.sub(x[0], one), x[1]))
    return _log(r, _add(r, x, _mul(r, above, below)))


def _acos(r: Reals, x: Pair) -> Pair:
    sine = _rotated(_asinh)(r, x)
    return r.sub(r.number(1.5707963267948966), sine[0]), r.of("neg", sine[1])


def _atanh(r: Reals, x: Pair) -> Pair:
    """log((1 + z) / (1 - z)) / 2, real and imaginary part apart. Odd: |1 + z|² / |1 - z|² - 1 does
    not cancel for a positive real part, so small ones keep their digits.
    """
    a, b = x
    one, squared, size = r.number(1.0), r.mul(b, b), r.of("abs", a)
    below = r.sub(one, size)
    excess = r.div(r.mul(r.number(4.0), size), r.add(r.mul(below, below), squared))
    real = r.copysign(r.mul(r.number(0.25), r.of("log1p", excess)), a)
    beside = r.sub(r.mul(below, r.add(one, size)), squared)
    turn = r.of("atan2", r.mul(r.number(2.0), b), beside)
    return real, r.mul(r.number(0.5), turn)


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
    "asinh": _asinh,
    "asin": _rotated(_asinh),
    "acosh": _acosh,
    "acos": _acos,
    "atanh": _atanh,
    "atan": _rotated(_atanh),
}
