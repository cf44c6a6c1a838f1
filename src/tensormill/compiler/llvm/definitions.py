"""Definitions that a module's functions call: `@tm.<function>.<type>`.

Elementary functions of f32 and f64 come from `vector_math`, those of complex numbers from
`complex_arithmetic`; what integers and conversions need besides is written here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, Final, cast

from ...core.process.named_tuples import NamedTuple
from ...errors import InternalError
from ..loops.functions import KIND, REAL_PART
from .complex_arithmetic import FORMULAS, Reals
from .signatures import signature
from .types import BITS, REGISTER, Register, float_literal
from .writer import CALLED, INLINED, Writer


class Definition(NamedTuple):
    """LLVM IR text that defines a function, and what it needs itself."""

    text: str
    needs: tuple[tuple[str, str], ...] = ()


def definitions(needed: Iterable[tuple[str, str]]) -> list[str]:
    """The texts of all that is needed, directly or not, each once, in a fixed order."""
    found: dict[tuple[str, str], str] = {}
    pending = sorted(needed, reverse=True)
    while pending:
        symbol = pending.pop()
        if symbol not in found:
            made = definition(*symbol)
            found[symbol] = made.text
            pending.extend(sorted(made.needs, reverse=True))
    return list(found.values())


@cache
def definition(function: str, type_: str) -> Definition:
    """The definition of `@tm.<function>.<type>`.

    Raises:
        InternalError: there is none.
    """
    if KIND[type_] == "c":
        return _complex(function, type_)
    if (own := _OWN.get(function)) is not None and KIND[type_] in own.kinds:
        return _written(function, type_, own)
    library: Any = _vector_math()
    if (function, type_) not in library.SUPPORTED:
        raise InternalError(f"there is no machine code for {function} of {type_}")
    return Definition(library.definition(function, type_))


def _vector_math() -> Any:
    """Imported when first needed: it asks LLVM about the processor."""
    from .vector_math import library

    return library


def _complex(function: str, type_: str) -> Definition:
    if (formula := FORMULAS.get(function)) is None:
        raise InternalError(f"there is no machine code for {function} of {type_}")
    w, part = Writer(), REGISTER[REAL_PART[type_]]
    pairs = [(f"%x{k}", f"%y{k}") for k in range(_ARITY.get(function, 1))]
    result = formula(Reals(w, REAL_PART[type_]), *pairs)
    _, given = signature(function, type_)
    if isinstance(result, tuple):
        half = w.line(f"insertvalue {given} poison, {part} {result[0]}, 0")
        result = w.line(f"insertvalue {given} {half}, {part} {result[1]}, 1")
    w.do(f"ret {given} {result}")
    taken = ", ".join(f"{part} {each}" for pair in pairs for each in pair)
    header = f"define internal {given} @tm.{function}.{type_}({taken}) {CALLED}"
    return Definition(w.text(header), tuple(w.needs))


_ARITY: Final = {"div": 2, "pow": 2}

# ---------------------------------------------------------------- our own


class _Own(NamedTuple):
    """`write` writes the body and gives the result."""

    write: Callable[[Writer, str, Sequence[Register]], Register]
    kinds: str
    arity: int = 1
    attributes: str = INLINED


def _written(function: str, type_: str, own: _Own) -> Definition:
    w = Writer()
    parameters = [f"%x{k}" for k in range(own.arity)]
    result = own.write(w, type_, parameters)
    taken, given = signature(function, type_)
    w.do(f"ret {given} {result}")
    shown = ", ".join(f"{taken} {each}" for each in parameters)
    header = f"define internal {given} @tm.{function}.{type_}({shown}) {own.attributes}"
    return Definition(w.text(header), tuple(w.needs))


def _round(w: Writer, type_: str, x: Sequence[Register]) -> Register:
    """A float to the nearest half float, ties to even, as a float again."""
    if type_ == "f16":
        half = w.line(f"fptrunc float {x[0]} to half")
        return w.line(f"fpext half {half} to float")
    bits = w.line(f"bitcast float {x[0]} to i32")
    odd = w.line(f"and i32 {w.line(f'lshr i32 {bits}, 16')}, 1")
    nudged = w.line(f"add i32 {w.line(f'add i32 {bits}, 32767')}, {odd}")
    quiet = w.line(f"or i32 {bits}, 4194304")
    bad = w.line(f"fcmp uno float {x[0]}, 0.0")
    chosen = w.line(f"select i1 {bad}, i32 {quiet}, i32 {nudged}")
    return w.line(f"bitcast i32 {w.line(f'and i32 {chosen}, -65536')} to float")


def _narrow(w: Writer, type_: str, x: Sequence[Register]) -> Register:
    """A double to the nearest f16: to float with a sticky last bit, so that rounding is once."""
    near = w.line(f"fptrunc double {x[0]} to float")
    back = w.line(f"fpext float {near} to double")
    bits = w.line(f"bitcast float {near} to i32")
    size = w.line(f"call double @llvm.fabs.f64(double {x[0]})")
    found = w.line(f"call double @llvm.fabs.f64(double {back})")
    above = w.line(f"fcmp ogt double {found}, {size}")
    lower = w.line(f"sub i32 {bits}, {w.line(f'zext i1 {above} to i32')}")
    inexact = w.line(f"fcmp one double {found}, {size}")
    sticky = w.line(f"or i32 {lower}, {w.line(f'zext i1 {inexact} to i32')}")
    half = w.line(f"fptrunc float {w.line(f'bitcast i32 {sticky} to float')} to half")
    return w.line(f"fpext half {half} to float")


def _to_signed(bits: int) -> Callable[..., Register]:
    """Truncation; the least integer where the number is out of range or NaN."""

    def write(w: Writer, type_: str, x: Sequence[Register]) -> Register:
        kept, limit = REGISTER[type_], float_literal(2.0 ** (bits - 1), type_)
        least = float_literal(-(2.0 ** (bits - 1)), type_)
        high = w.line(f"fcmp olt {kept} {x[0]}, {limit}")
        low = w.line(f"fcmp oge {kept} {x[0]}, {least}")
        whole = w.line(f"fptosi {kept} {x[0]} to i{bits}")
        inside = w.line(f"and i1 {high}, {low}")
        return w.line(f"select i1 {inside}, i{bits} {whole}, i{bits} {-(2 ** (bits - 1))}")

    return write


def _to_unsigned(w: Writer, type_: str, x: Sequence[Register]) -> Register:
    """Negative numbers wrap; from 2**64 on the result is 2**63, as for other wild ones."""
    kept, half = REGISTER[type_], float_literal(2.0**63, type_)
    small = cast(Register, w.call("to_i64", type_, x[0]))
    rest = w.line(f"fsub {kept} {x[0]}, {half}")
    large = cast(Register, w.call("to_i64", type_, rest))
    flipped = w.line(f"or i64 {large}, {-(2**63)}")
    is_large = w.line(f"fcmp oge {kept} {x[0]}, {half}")
    return w.line(f"select i1 {is_large}, i64 {flipped}, i64 {small}")


def _safe_divisor(w: Writer, type_: str, x: Register, y: Register) -> tuple[Register, Register]:
    """(whether y is zero, a divisor that does not trap); x / 1 is what -2**n / -1 wraps to."""
    kept = REGISTER[type_]
    zero = w.line(f"icmp eq {kept} {y}, 0")
    bad = zero
    if KIND[type_] == "i":
        least = w.line(f"icmp eq {kept} {x}, {-(2 ** (BITS[type_] - 1))}")
        minus = w.line(f"icmp eq {kept} {y}, -1")
        bad = w.line(f"or i1 {zero}, {w.line(f'and i1 {least}, {minus}')}")
    return zero, w.line(f"select i1 {bad}, {kept} 1, {kept} {y}")


def _integer_truncate_divide(w: Writer, type_: str, x: Sequence[Register]) -> Register:
    kept, word = REGISTER[type_], "sdiv" if KIND[type_] == "i" else "udiv"
    zero, divisor = _safe_divisor(w, type_, *x)
    quotient = w.line(f"{word} {kept} {x[0]}, {divisor}")
    return w.line(f"select i1 {zero}, {kept} 0, {kept} {quotient}")


def _integer_truncate_modulo(w: Writer, type_: str, x: Sequence[Register]) -> Register:
    kept, word = REGISTER[type_], "srem" if KIND[type_] == "i" else "urem"
    _, divisor = _safe_divisor(w, type_, *x)
    return w.line(f"{word} {kept} {x[0]}, {divisor}")


def _differs(w: Writer, kept: str, divisor: Register, rest: Register) -> Register:
    """Whether there is a remainder whose sign is not the divisor's."""
    signs = w.line(f"xor {kept} {rest}, {divisor}")
    apart = w.line(f"icmp slt {kept} {signs}, 0")
    some = w.line(f"icmp ne {kept} {rest}, 0")
    return w.line(f"and i1 {some}, {apart}")


def _floor_divide(w: Writer, type_: str, x: Sequence[Register]) -> Register:
    if KIND[type_] == "f":
        return _float_floor_divide(w, type_, x)
    if KIND[type_] == "u":
        return _integer_truncate_divide(w, type_, x)
    kept = REGISTER[type_]
    zero, divisor = _safe_divisor(w, type_, *x)
    quotient = w.line(f"sdiv {kept} {x[0]}, {divisor}")
    rest = w.line(f"srem {kept} {x[0]}, {divisor}")
    lower = w.line(f"sext i1 {_differs(w, kept, divisor, rest)} to {kept}")
    result = w.line(f"add {kept} {quotient}, {lower}")
    return w.line(f"select i1 {zero}, {kept} 0, {kept} {result}")


def _floor_modulo(w: Writer, type_: str, x: Sequence[Register]) -> Register:
    if KIND[type_] == "f":
        return _float_floor_modulo(w, type_, x)
    if KIND[type_] == "u":
        return _integer_truncate_modulo(w, type_, x)
    kept = REGISTER[type_]
    _, divisor = _safe_divisor(w, type_, *x)
    rest = w.line(f"srem {kept} {x[0]}, {divisor}")
    apart = _differs(w, kept, divisor, rest)
    more = w.line(f"select i1 {apart}, {kept} {divisor}, {kept} 0")
    return w.line(f"add {kept} {rest}, {more}")


def _float_floor_modulo(w: Writer, type_: str, x: Sequence[Register]) -> Register:
    """The remainder has the divisor's sign, also where it is zero (Python's rule)."""
    r = Reals(w, type_)
    rest = w.line(f"frem {REGISTER[type_]} {x[0]}, {x[1]}")
    negative = [r.of("lt", each, "0.0") for each in (rest, x[1])]
    apart = w.line(f"xor i1 {negative[0]}, {negative[1]}")
    moved = r.choose(apart, r.add(rest, x[1]), rest)
    zero = r.of("eq", rest, "0.0")
    return r.choose(zero, r.copysign(r.number(0.0), x[1]), moved)


def _float_floor_divide(w: Writer, type_: str, x: Sequence[Register]) -> Register:
    """The rounded quotient rounded down, as TensorFlow has it (Python's 1.0 // 0.1 is 9)."""
    r = Reals(w, type_)
    return r.of("floor", r.div(x[0], x[1]))


def _integer_power(w: Writer, type_: str, x: Sequence[Register]) -> Register:
    """By squaring, with wrap-around; zero for a negative exponent."""
    kept = REGISTER[type_]
    if KIND[type_] == "i":
        negative = w.line(f"icmp slt {kept} {x[1]}, 0")
        exponent = w.line(f"select i1 {negative}, {kept} 0, {kept} {x[1]}")
        one = w.line(f"select i1 {negative}, {kept} 0, {kept} 1")
    else:
        exponent, one = x[1], "1"
    w.jump("loop")
    w.begin("loop")
    after = power_after, base_after, left_after = w.name(), w.name(), w.name()
    before = one, x[0], exponent
    power, base, left = (
        w.phi(kept, (first, "entry"), (following, "loop"))
        for first, following in zip(before, after, strict=True)
    )
    odd = w.line(f"trunc {kept} {left} to i1")
    factor = w.line(f"select i1 {odd}, {kept} {base}, {kept} 1")
    w.define(power_after, f"mul {kept} {power}, {factor}")
    w.define(base_after, f"mul {kept} {base}, {base}")
    w.define(left_after, f"lshr {kept} {left}, 1")
    w.branch(w.line(f"icmp ne {kept} {left_after}, 0"), "loop", "done")
    w.begin("done")
    return power_after


_OWN: Final[dict[str, _Own]] = {
    "round": _Own(_round, "f"),
    "narrow": _Own(_narrow, "f"),
    "to_i32": _Own(_to_signed(32), "f"),
    "to_i64": _Own(_to_signed(64), "f"),
    "to_u64": _Own(_to_unsigned, "f"),
    "truncate_divide": _Own(_integer_truncate_divide, "iu", 2),
    "truncate_modulo": _Own(_integer_truncate_modulo, "iu", 2),
    "floor_divide": _Own(_floor_divide, "iuf", 2),
    "floor_modulo": _Own(_floor_modulo, "iuf", 2),
    "pow": _Own(_integer_power, "iu", 2, attributes=CALLED),
}
