"""sin, cos and tan of any finite argument.

x = (k + f) π/2 with |f| <= 1/2 comes from x · 2/π, of which only k modulo 4 and f are wanted: bits
of 2/π so high that they contribute multiples of 4 are left out, and enough of the following are
kept that f is right even where x is closest to a multiple of π/2 (Payne and Hanek 1983). Products
are exact, as a rounded product and its error. There is no other path for small arguments: a loop
stays without branches.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from ....core.process.named_tuples import NamedTuple
from .emulation import exact_sum
from .language import (
    Kind,
    Term,
    bits,
    fma,
    maximum,
    narrow,
    polynomial,
    rint,
    round_to_integer,
    select,
    shift_right,
    wide,
    with_sign,
)

# The first 1280 bits of 2/π behind the binary point.
_TWO_OVER_PI: Final = int(
    "a2f9836e4e441529fc2757d1f534ddc0db6295993c439041fe5163abdebbc561b7246e3a424dd2e0"
    "06492eea09d1921cfe1deb1cb129a73ee88235f52ebb4484e99c7026b45f7e413991d639835339f4"
    "9c845f8bbdf9283b1ff897ffde05980fef2f118b5a0a6d1f6d367ecf27cb09b74f463f669e5fea2d"
    "7527bac7ebe5f17b3d0739f78a5292ea6bfb5fb11f8d5d0856033046fc7b6babf0cfbc209af4361d",
    16,
)
_BITS: Final = 1280
_HALF_PI: Final = (1.5707963267948966, 6.123233995736766e-17)

# (sin(r)/r - 1)/r² and (cos(r) - 1 + r²/2)/r⁴ in r², |r| <= π/4.
_SIN_F32: Final = (-0.16666655242443085, 0.008332191035151482, -0.00019518598855938762)
_COS_F32: Final = (0.04166664555668831, -0.0013887309469282627, 2.4432327336398885e-05)
_SIN_SHORT: Final = (
    -0.1666666664152631,
    0.008333329374051636,
    -0.00019839330975207829,
    2.718274278055935e-06,
)
_COS_SHORT: Final = (
    0.041666666619300595,
    -0.0013888883483742615,
    2.4799455862850487e-05,
    -2.720540054137877e-07,
)
_SIN_F64: Final = (
    -0.16666666666666632,
    0.008333333333322472,
    -0.0001984126982983564,
    2.755731369730728e-06,
    -2.5050758481560438e-08,
    1.5896795747740858e-10,
)
_COS_F64: Final = (
    0.041666666666666595,
    -0.0013888888888873325,
    2.480158728898368e-05,
    -2.755731421007355e-07,
    2.0875704270629808e-09,
    -1.1358683304104948e-11,
)


class ReducedAngle(NamedTuple):
    """x = k π/2 + r + rest, the low bits of k in an integer."""

    k: Term
    r: Term
    rest: Term


def sin(x: Term) -> Term:
    """The sine."""
    if x.kind == "f32":
        angle = _reduced_f32(x)
        result = _sine_or_cosine_f32(angle, narrow(angle.k))
        return select(abs(x) < 2.0**-13, x, result)
    angle = _reduced_f64(x)
    return select(abs(x) < 2.0**-27, x, _sine_or_cosine_f64(angle, angle.k))


def cos(x: Term) -> Term:
    """The cosine."""
    if x.kind == "f32":
        angle = _reduced_f32(x)
        return _sine_or_cosine_f32(angle, narrow(angle.k) + 1)
    angle = _reduced_f64(x)
    return _sine_or_cosine_f64(angle, angle.k + 1)


def tan(x: Term) -> Term:
    """The tangent: sine over cosine. For f32 both are made in f64: their errors would add up."""
    if x.kind == "f32":
        angle = _reduced_f32(x)
        square = angle.r * angle.r
        sine = fma(angle.r * square, polynomial(square, _SIN_SHORT), angle.r)
        cosine = 1.0 + square * fma(square, polynomial(square, _COS_SHORT), -0.5)
        return select(abs(x) < 2.0**-13, x, narrow(_quotient(sine, cosine, angle.k)))
    angle = _reduced_f64(x)
    result = _quotient(_sine_f64(angle), _cosine_f64(angle), angle.k)
    return select(abs(x) < 2.0**-27, x, result)


def _quotient(sine: Term, cosine: Term, k: Term) -> Term:
    """tan(r), or -1/tan(r) after an odd number of quarter turns."""
    odd = (k & 1).equals(1)
    return select(odd, -cosine, sine) / select(odd, sine, cosine)


def _sine_or_cosine_f32(angle: ReducedAngle, k: Term) -> Term:
    r = narrow(angle.r)
    square = r * r
    sine = fma(r * square, polynomial(square, _SIN_F32), r)
    cosine = fma(square, fma(square, polynomial(square, _COS_F32), -0.5), r.constant(1.0))
    return with_sign(select((k & 1).equals(0), sine, cosine), (k & 2) << 30)


def _sine_or_cosine_f64(angle: ReducedAngle, k: Term) -> Term:
    chosen = select((k & 1).equals(0), _sine_f64(angle), _cosine_f64(angle))
    return with_sign(chosen, (k & 2) << 62)


def _sine_f64(angle: ReducedAngle) -> Term:
    square = angle.r * angle.r
    correction = fma(square * -0.5, angle.rest, angle.rest)
    return angle.r + fma(angle.r * square, polynomial(square, _SIN_F64), correction)


def _cosine_f64(angle: ReducedAngle) -> Term:
    square = angle.r * angle.r
    half = 0.5 * square
    lead = 1.0 - half
    lost = (1.0 - lead) - half
    tail = fma(square * square, polynomial(square, _COS_F64), -angle.r * angle.rest)
    return lead + (lost + tail)


def sine_and_cosine(x: Term, precision: Kind) -> tuple[Term, Term]:
    """Both, of an f64; where `precision` is f32, x is one that was widened."""
    angle = _reduced_f64(x) if precision == "f64" else _reduced_widened(x)
    sine, cosine = _sine_f64(angle), _cosine_f64(angle)
    even = (angle.k & 1).equals(0)
    turned = with_sign(select(even, sine, cosine), (angle.k & 2) << 62)
    return turned, with_sign(select(even, cosine, sine), ((angle.k + 1) & 2) << 62)


def _reduced_f32(x: Term) -> ReducedAngle:
    return _reduced_widened(wide(x))


def _reduced_widened(y: Term) -> ReducedAngle:
    """For an f32, in f64: two pieces of 2/π, of 53 bits each, chosen by the size of it."""
    size = abs(y)
    pieces = [y.constant(piece) for piece in _pieces(0, 2)]
    # In a range of 21 powers of two the product is less than 2**46, right to 2**-8.
    for start in (44, 65, 86, 107):
        beyond = size >= 2.0**start
        pairs = zip(_pieces(25 - start, 2), pieces, strict=True)
        pieces = [select(beyond, y.constant(later), piece) for later, piece in pairs]
    product = y * pieces[0]
    error = fma(y, pieces[0], -product)
    whole, k = round_to_integer(product)
    fraction = fma(y, pieces[1], (product - whole) + error)
    return ReducedAngle(k, fraction * _HALF_PI[0], y.constant(0.0))


def _reduced_f64(x: Term) -> ReducedAngle:
    """For an f64: four pieces of 2/π from a table, each for a range of 32 powers of two."""
    exponent = shift_right(bits(x), 52) & 0x7FF
    group = narrow(maximum((exponent - (1023 + 52)) >> 5, 0))
    x = select(abs(x) >= 2.0**500, x * 2.0**-256, x)
    first, second, third, fourth = (group.lookup("f64", column) for column in _table())
    # Four rounded products and three errors, from large to tiny. The large ones lose whole turns.
    product = x * first
    turned = fma(rint(product * 0.25), -4.0, product)
    whole_1, error_1 = _split(fma(x, first, -product))
    product = x * second
    whole_2, fraction_2 = _split(product)
    error_2 = fma(x, second, -product)
    product_3 = x * third
    error_3 = fma(x, third, -product_3)
    high, high_rest = exact_sum(turned, error_1)
    high, next_rest = exact_sum(high, fraction_2)
    whole_3, high = _split(high)
    middle, middle_rest = exact_sum(error_2, product_3)
    fraction, rest = exact_sum(high, middle)
    rest = rest + (high_rest + (next_rest + (middle_rest + fma(x, fourth, error_3))))
    _, k = round_to_integer(whole_1 + whole_2 + whole_3)
    r = fraction * _HALF_PI[0]
    error = fma(fraction, _HALF_PI[0], -r)
    return ReducedAngle(k, r, fma(rest, _HALF_PI[0], fma(fraction, _HALF_PI[1], error)))


def _split(x: Term) -> tuple[Term, Term]:
    """The nearest whole number, and what is left."""
    whole, _ = round_to_integer(x)
    return whole, x - whole


def _pieces(top: int, count: int, lift: int = 0) -> list[float]:
    """The bits of 2/π whose weight is less than 2**top, in pieces of 53 bits, 2**lift times."""
    rest = _TWO_OVER_PI % (1 << (_BITS + top))
    ends = [_BITS + top - 53 * (number + 1) for number in range(count)]
    pieces = [(rest >> end) & ((1 << 53) - 1) for end in ends]
    return [piece * 2.0 ** (end - _BITS + lift) for piece, end in zip(pieces, ends, strict=True)]


@cache
def _table() -> tuple[tuple[float, ...], ...]:
    """Four columns of pieces; a row for 52 <= exponent < 84 and less, for the next 32, and so on.

    From 2**500 on, x is taken 2**-256 times and the pieces 2**256 times: the last ones would
    be subnormal.
    """
    rows = [_pieces(min(0, 2 - 32 * row), 4, 256 if row >= 14 else 0) for row in range(31)]
    return tuple(zip(*rows, strict=True))
