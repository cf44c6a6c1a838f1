"""The tiny language that the recipes are written in.

A recipe is a Python function of `Term`s. Two readers exist: `text` turns what the recipe does into
LLVM IR, `arrays` does it at once with NumPy. A loop that calls a recipe is to stay one straight
line that LLVM can vectorise: there are no branches but `either`, which vectors compute both ways.

Operators mean what they mean on machine numbers: `+ - * /` round to nearest, `& | ^ << >>` work on
integers and truth values, `>>` keeps the sign (`shift_right` does not), comparisons with NaN are
false but for `!=`. A Python number takes the kind of the value that it meets.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, Protocol, TypeAlias, final

Kind: TypeAlias = Literal["f32", "f64", "i32", "i64", "i1"]
Number: TypeAlias = "Term | float"

FLOATS: Final = frozenset({"f32", "f64"})
INTEGER_OF: Final[dict[Kind, Kind]] = {"f32": "i32", "f64": "i64"}
FLOAT_OF: Final[dict[Kind, Kind]] = {"i32": "f32", "i64": "f64"}


class Reader(Protocol):
    """What gives the language its meaning. Payloads are the reader's own: text, or arrays."""

    def constant(self, kind: Kind, number: float) -> Any:
        """A payload for a number that is known now."""
        ...

    def table(self, kind: Kind, numbers: Sequence[float], index: Any) -> Any:
        """The payload of `numbers[index]`, where index is an i32 within bounds."""
        ...

    def repeat(
        self,
        kinds: Sequence[Kind],
        initial: Sequence[Any],
        unfinished: Callable[[Sequence[Any]], Any],
        step: Callable[[Sequence[Any]], Sequence[Any]],
    ) -> list[Any]:
        """The payloads after as many steps as are needed."""
        ...

    def either(
        self, kind: Kind, condition: Any, yes: Callable[[], Any], no: Callable[[], Any]
    ) -> Any:
        """The payload of one of two ways to a result of `kind`."""
        ...

    def apply(self, operation: str, kind: Kind, operand_kind: Kind, operands: Sequence[Any]) -> Any:
        """The payload of an operation's result, which is of `kind`."""
        ...


@final
class Term:
    """A number of some kind, as one reader sees it."""

    __slots__ = ("kind", "payload", "reader")

    def __init__(self, reader: Reader, kind: Kind, payload: Any) -> None:
        self.reader = reader
        self.kind: Kind = kind
        self.payload = payload

    def constant(self, number: float) -> Term:
        """A number of this value's kind."""
        return Term(self.reader, self.kind, self.reader.constant(self.kind, number))

    def lookup(self, kind: Kind, numbers: Sequence[float]) -> Term:
        """`numbers[self]`; self is an i32 within bounds."""
        return Term(self.reader, kind, self.reader.table(kind, numbers, self.payload))

    def apply(self, operation: str, *others: Number, kind: Kind | None = None) -> Term:
        """An operation of this value and others of the same kind; its result is of `kind`."""
        operands = [self.payload, *(self._like(other).payload for other in others)]
        kind = kind or self.kind
        return Term(self.reader, kind, self.reader.apply(operation, kind, self.kind, operands))

    def _like(self, other: Number) -> Term:
        if not isinstance(other, Term):
            return self.constant(other)
        if other.kind != self.kind:
            raise TypeError(f"a recipe mixes {self.kind} and {other.kind}")
        return other

    def __add__(self, other: Number) -> Term:
        return self.apply("add", other)

    def __radd__(self, other: float) -> Term:
        return self.constant(other) + self

    def __sub__(self, other: Number) -> Term:
        return self.apply("subtract", other)

    def __rsub__(self, other: float) -> Term:
        return self.constant(other) - self

    def __mul__(self, other: Number) -> Term:
        return self.apply("multiply", other)

    def __rmul__(self, other: float) -> Term:
        return self.constant(other) * self

    def __truediv__(self, other: Number) -> Term:
        return self.apply("divide", other)

    def __rtruediv__(self, other: float) -> Term:
        return self.constant(other) / self

    def __neg__(self) -> Term:
        return self.apply("negative")

    def __abs__(self) -> Term:
        return self.apply("absolute")

    def __and__(self, other: Number) -> Term:
        return self.apply("and", other)

    def __or__(self, other: Number) -> Term:
        return self.apply("or", other)

    def __xor__(self, other: Number) -> Term:
        return self.apply("xor", other)

    def __lshift__(self, other: Number) -> Term:
        return self.apply("shift left", other)

    def __rshift__(self, other: Number) -> Term:
        return self.apply("shift right, signed", other)

    def __lt__(self, other: Number) -> Term:
        return self.apply("less", other, kind="i1")

    def __le__(self, other: Number) -> Term:
        return self.apply("less or equal", other, kind="i1")

    def __gt__(self, other: Number) -> Term:
        return self.apply("greater", other, kind="i1")

    def __ge__(self, other: Number) -> Term:
        return self.apply("greater or equal", other, kind="i1")

    def equals(self, other: Number) -> Term:
        """Whether both are the same number; false for NaN (`==` keeps Python's meaning)."""
        return self.apply("equal", other, kind="i1")

    def is_nan(self) -> Term:
        """Whether this is no number."""
        return self.apply("unordered", self, kind="i1")


def fma(x: Term, y: Number, z: Number) -> Term:
    """`x * y + z`, rounded once."""
    return x.apply("fma", y, z)


def multiply_add(x: Term, y: Number, z: Number) -> Term:
    """`x * y + z`, rounded once where that is as quick, twice elsewhere."""
    return x.apply("multiply-add", y, z)


def select(condition: Term, yes: Term, no: Number) -> Term:
    """`yes` where the condition holds, else `no`."""
    other = no if isinstance(no, Term) else yes.constant(no)
    payloads = [condition.payload, yes.payload, other.payload]
    payload = yes.reader.apply("select", yes.kind, yes.kind, payloads)
    return Term(yes.reader, yes.kind, payload)


def either(condition: Term, yes: Callable[[], Term], no: Callable[[], Term]) -> Term:
    """`yes()` where the condition holds, else `no()`, both f32.

    What `select` gives, bit by bit. A scalar takes only one of the ways, and a processor that
    guesses which does not wait for the condition: for a short way that is taken most of the time.
    """
    reader = condition.reader
    payload = reader.either("f32", condition.payload, lambda: yes().payload, lambda: no().payload)
    return Term(reader, "f32", payload)


def repeat_while(
    unfinished: Callable[[Sequence[Term]], Term],
    step: Callable[[Sequence[Term]], Sequence[Term]],
    state: Sequence[Term],
) -> list[Term]:
    """The state after as many steps as it takes: the one thing that is no straight line."""
    reader = state[0].reader
    kinds: list[Kind] = [value.kind for value in state]

    def values(payloads: Sequence[Any]) -> list[Term]:
        pairs = zip(kinds, payloads, strict=True)
        return [Term(reader, kind, payload) for kind, payload in pairs]

    return values(
        reader.repeat(
            kinds,
            [value.payload for value in state],
            lambda payloads: unfinished(values(payloads)).payload,
            lambda payloads: [value.payload for value in step(values(payloads))],
        )
    )


def sqrt(x: Term) -> Term:
    """The square root, rounded once."""
    return x.apply("sqrt")


def floor(x: Term) -> Term:
    """The greatest whole number not above x."""
    return x.apply("floor")


def ceil(x: Term) -> Term:
    """The least whole number not below x."""
    return x.apply("ceil")


def trunc(x: Term) -> Term:
    """X without its fraction."""
    return x.apply("trunc")


def rint(x: Term) -> Term:
    """The nearest whole number; of two, the even one."""
    return x.apply("rint")


def copysign(magnitude: Term, sign: Term) -> Term:
    """The first number with the second one's sign."""
    return magnitude.apply("copysign", sign)


def minimum(x: Term, y: Number) -> Term:
    """The lesser number; x if either is NaN (one instruction on x86, which a NaN x survives)."""
    other = y if isinstance(y, Term) else x.constant(y)
    return select(x > other, other, x)


def maximum(x: Term, y: Number) -> Term:
    """The greater number (an integer, too); x if either is NaN."""
    other = y if isinstance(y, Term) else x.constant(y)
    return select(x < other, other, x)


def shift_right(x: Term, count: Number) -> Term:
    """Shift an integer's bits; zeros come in from the left."""
    return x.apply("shift right", count)


def bits(x: Term) -> Term:
    """The bits of a float as an integer."""
    return x.apply("bits", kind=INTEGER_OF[x.kind])


def float_of_bits(x: Term) -> Term:
    """The float with these bits."""
    return x.apply("float of bits", kind=FLOAT_OF[x.kind])


def sign_bit(x: Term) -> Term:
    """The sign bit of a float alone, as an integer of its width."""
    return bits(x) & (-(1 << 31) if x.kind == "f32" else -(1 << 63))


def with_sign(x: Term, sign: Term) -> Term:
    """X with its sign turned where the bit from `sign_bit` is set."""
    return float_of_bits(bits(x) ^ sign)


def to_float(x: Term) -> Term:
    """A small integer as a float: an i32 as f32, an i64 (below 2**51 in size) as f64.

    i64 goes through the mantissa of 1.5 · 2**52: few processors have that conversion in vectors.
    """
    if x.kind == "i32":
        return x.apply("float of integer", kind="f32")
    shifter = float_of_bits(x.constant(0x4338 << 48))
    return float_of_bits(x + (0x4338 << 48)) - shifter


def wide(x: Term) -> Term:
    """An f32 as f64, an i32 as i64."""
    return x.apply("widen", kind="f64" if x.kind == "f32" else "i64")


def narrow(x: Term) -> Term:
    """An f64 as the nearest f32, an i64 as its low i32."""
    return x.apply("narrow", kind="f32" if x.kind == "f64" else "i32")


def polynomial(x: Term, coefficients: Sequence[float]) -> Term:
    """`c[0] + c[1] x + c[2] x² …` by Horner's rule: fewest operations, longest chain."""
    total = x.constant(coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        total = multiply_add(total, x, coefficient)
    return total


def quick_polynomial(x: Term, coefficients: Sequence[float]) -> Term:
    """The same polynomial by Estrin's scheme: a few products more, a chain much shorter."""
    terms: list[Term] = [x.constant(coefficient) for coefficient in coefficients]
    power = x
    while len(terms) > 1:
        rows = zip(terms[::2], terms[1::2], strict=False)
        pairs = [multiply_add(odd, power, even) for even, odd in rows]
        terms = pairs + terms[len(pairs) * 2 :]
        power = power * power
    return terms[0]


# What an exponent is raised by so that each of its halves is the exponent field of a power of two.
RAISED: Final = {"f32": 2 * 127, "f64": 2 * 1023}
_MANTISSA_BITS: Final = {"f32": 23, "f64": 52}


def scale(x: Term, exponent: Term) -> Term:
    """`x * 2**exponent` for an integer exponent of x's width."""
    return scale_by_raised(x, exponent + RAISED[x.kind])


def scale_by_raised(x: Term, raised: Term) -> Term:
    """`x * 2**(raised - RAISED)` in two steps.

    The second step alone overflows or becomes subnormal, so it is rounded once. Only the low bits
    of the exponent count (ten of f32's, thirteen of f64's), which lets callers pass the bits of a
    shifted float as they are.
    """
    mantissa = _MANTISSA_BITS[x.kind]
    first = shift_right(raised, 1) << mantissa
    second = (raised << mantissa) - first
    return x * float_of_bits(first) * float_of_bits(second)


def round_to_integer(x: Term, factor: float = 1.0, raised: int = 0) -> tuple[Term, Term]:
    """The whole number nearest to `x * factor` as a float, and an integer whose low bits are that
    number and `raised`, an even one, more: what would be added to it costs nothing here.

    Adding 1.5 · 2**(mantissa bits) pushes the fraction out and leaves the whole number in the low
    bits of the mantissa: no conversion, which vectors lack on some processors. The number must be
    below 2**22 (f32), 2**51 (f64) in size.
    """
    shifter = 1.5 * 2.0 ** _MANTISSA_BITS[x.kind] + raised
    shifted = x + shifter if factor == 1.0 else fma(x, factor, shifter)
    return shifted - shifter, bits(shifted)
