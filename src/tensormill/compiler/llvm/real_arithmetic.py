"""The scalar functions of the loop language on booleans, integers, floats and pointers.

What takes one or a few instructions is written in place; the rest calls a definition that LLVM
inlines (`definitions.py`). Nothing here is undefined for any operands: no division traps, shifts
and conversions of any size have the result that NumPy gives on x86.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, cast

from ..loops.functions import KIND
from .types import BITS, REGISTER, SUFFIX, Register, float_literal
from .writer import Writer

_INTEGER_INSTRUCTION: Final = {
    "add": "add", "sub": "sub", "mul": "mul", "and": "and", "or": "or", "xor": "xor",
}  # fmt: skip
_FLOAT_INSTRUCTION: Final = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}
_LOGIC: Final = {
    "and": "and", "or": "or", "xor": "xor", "logical_and": "and", "logical_or": "or",
    "minimum": "and", "maximum": "or", "min": "and", "max": "or",
}  # fmt: skip
_FLOAT_COMPARISON: Final = {
    "eq": "oeq", "ne": "une", "lt": "olt", "le": "ole", "gt": "ogt", "ge": "oge",
}  # fmt: skip
_ORDER: Final = {"lt": "lt", "le": "le", "gt": "gt", "ge": "ge"}
_INTRINSIC: Final = {
    "abs": "fabs", "sqrt": "sqrt", "floor": "floor", "ceil": "ceil", "round": "rint",
}  # fmt: skip
_IDENTITY_ON_INTEGERS: Final = frozenset(("floor", "ceil", "round", "real"))


def real(
    w: Writer, function: str, type_: str, operands: Sequence[Register], flags: str = ""
) -> Register:
    """A function of a type that is neither complex nor a half float."""
    kind = KIND[type_]
    match kind:
        case "f":
            return _float(w, function, type_, operands, flags)
        case "b":
            return _boolean(w, function, operands)
        case "p":
            return _pointer(w, function, operands)
        case "i" | "u":
            return _integer(w, function, type_, operands)
        case "c":
            raise TypeError(f"{function}: {type_} is not real")


def _pointer(w: Writer, function: str, operands: Sequence[Register]) -> Register:
    if function == "add":
        return w.line(f"getelementptr i8, ptr {operands[0]}, i64 {operands[1]}")
    condition = function if function in ("eq", "ne") else "u" + function
    return w.line(f"icmp {condition} ptr {operands[0]}, {operands[1]}")


def _boolean(w: Writer, function: str, operands: Sequence[Register]) -> Register:
    if function in ("not", "logical_not"):
        return w.line(f"xor i1 {operands[0]}, true")
    if (instruction := _LOGIC.get(function)) is not None:
        return w.line(f"{instruction} i1 {operands[0]}, {operands[1]}")
    condition = function if function in ("eq", "ne") else "u" + function
    return w.line(f"icmp {condition} i1 {operands[0]}, {operands[1]}")


# ---------------------------------------------------------------- integers


def _integer(w: Writer, function: str, type_: str, operands: Sequence[Register]) -> Register:
    kept, x = REGISTER[type_], operands[0]
    if (instruction := _INTEGER_INSTRUCTION.get(function)) is not None:
        return w.line(f"{instruction} {kept} {x}, {operands[1]}")
    if function in ("eq", "ne"):
        return w.line(f"icmp {function} {kept} {x}, {operands[1]}")
    if (order := _ORDER.get(function)) is not None:
        return w.line(f"icmp {_sign(type_)}{order} {kept} {x}, {operands[1]}")
    if function in _IDENTITY_ON_INTEGERS:
        return x
    if (rule := _INTEGER_RULES.get(function)) is not None:
        return rule(w, type_, operands)
    return cast(Register, w.call(function, type_, *operands))


def _sign(type_: str) -> str:
    return "u" if KIND[type_] == "u" else "s"


def _extreme_integer(which: str) -> Callable[..., Register]:
    def write(w: Writer, type_: str, operands: Sequence[Register]) -> Register:
        kept = REGISTER[type_]
        name = f"@llvm.{_sign(type_)}{which}.{kept}"
        return w.line(f"call {kept} {name}({kept} {operands[0]}, {kept} {operands[1]})")

    return write


def _negated(w: Writer, type_: str, operands: Sequence[Register]) -> Register:
    return w.line(f"sub {REGISTER[type_]} 0, {operands[0]}")


def _inverted(w: Writer, type_: str, operands: Sequence[Register]) -> Register:
    return w.line(f"xor {REGISTER[type_]} {operands[0]}, -1")


def _integer_abs(w: Writer, type_: str, operands: Sequence[Register]) -> Register:
    if KIND[type_] == "u":
        return operands[0]
    kept = REGISTER[type_]
    return w.line(f"call {kept} @llvm.abs.{kept}({kept} {operands[0]}, i1 false)")


def _integer_sign(w: Writer, type_: str, operands: Sequence[Register]) -> Register:
    kept, x = REGISTER[type_], operands[0]
    some = w.line(f"icmp ne {kept} {x}, 0")
    positive = w.line(f"zext i1 {some} to {kept}")
    if KIND[type_] == "u":
        return positive
    high = w.line(f"ashr {kept} {x}, {BITS[type_] - 1}")
    return w.line(f"or {kept} {high}, {positive}")


def _integer_square(w: Writer, type_: str, operands: Sequence[Register]) -> Register:
    return w.line(f"mul {REGISTER[type_]} {operands[0]}, {operands[0]}")


def _multiply_add(w: Writer, type_: str, operands: Sequence[Register]) -> Register:
    x, y, z = operands
    product = w.line(f"mul {REGISTER[type_]} {x}, {y}")
    return w.line(f"add {REGISTER[type_]} {product}, {z}")


def _zero(w: Writer, type_: str, operands: Sequence[Register]) -> Register:
    return "0"


def _left_shift(w: Writer, type_: str, operands: Sequence[Register]) -> Register:
    """All bits are gone after a shift by the width or more."""
    (x, y), kept = operands, REGISTER[type_]
    shifted = w.line(f"shl {kept} {x}, {y}")
    inside = w.line(f"icmp ult {kept} {y}, {BITS[type_]}")
    return w.line(f"select i1 {inside}, {kept} {shifted}, {kept} 0")


def _right_shift(w: Writer, type_: str, operands: Sequence[Register]) -> Register:
    (x, y), kept = operands, REGISTER[type_]
    if KIND[type_] == "i":
        most = f"{kept} {BITS[type_] - 1}"
        count = w.line(f"call {kept} @llvm.umin.{kept}({kept} {y}, {most})")
        return w.line(f"ashr {kept} {x}, {count}")
    shifted = w.line(f"lshr {kept} {x}, {y}")
    inside = w.line(f"icmp ult {kept} {y}, {BITS[type_]}")
    return w.line(f"select i1 {inside}, {kept} {shifted}, {kept} 0")


_INTEGER_RULES: Final[dict[str, Callable[..., Register]]] = {
    "minimum": _extreme_integer("min"),
    "maximum": _extreme_integer("max"),
    "min": _extreme_integer("min"),
    "max": _extreme_integer("max"),
    "neg": _negated,
    "not": _inverted,
    "abs": _integer_abs,
    "sign": _integer_sign,
    "square": _integer_square,
    "fma": _multiply_add,
    "imag": _zero,
    "left_shift": _left_shift,
    "right_shift": _right_shift,
}

# ---------------------------------------------------------------- floats


def _float(
    w: Writer, function: str, type_: str, operands: Sequence[Register], flags: str
) -> Register:
    kept, x = REGISTER[type_], operands[0]
    if (instruction := _FLOAT_INSTRUCTION.get(function)) is not None:
        return w.line(f"{instruction}{flags} {kept} {x}, {operands[1]}")
    if (condition := _FLOAT_COMPARISON.get(function)) is not None:
        return w.line(f"fcmp {condition} {kept} {x}, {operands[1]}")
    if (intrinsic := _INTRINSIC.get(function)) is not None:
        return w.line(f"call {kept} @llvm.{intrinsic}.{SUFFIX[kept]}({kept} {x})")
    if function == "fma":
        shown = ", ".join(f"{kept} {operand}" for operand in operands)
        return w.line(f"call{flags} {kept} @llvm.fmuladd.{SUFFIX[kept]}({shown})")
    if (rule := _FLOAT_RULES.get(function)) is not None:
        return rule(w, type_, operands)
    return cast(Register, w.call(function, type_, *operands))


def _float_neg(w: Writer, type_: str, operands: Sequence[Register]) -> Register:
    return w.line(f"fneg {REGISTER[type_]} {operands[0]}")


def _float_sign(w: Writer, type_: str, operands: Sequence[Register]) -> Register:
    """NaN stays what it is, and zeros lose their sign."""
    kept, x = REGISTER[type_], operands[0]
    one = float_literal(1.0, type_)
    unit = w.line(f"call {kept} @llvm.copysign.{SUFFIX[kept]}({kept} {one}, {kept} {x})")
    some = w.line(f"fcmp one {kept} {x}, 0.0")
    unsigned = w.line(f"fadd {kept} {x}, 0.0")
    return w.line(f"select i1 {some}, {kept} {unit}, {kept} {unsigned}")


def _float_square(w: Writer, type_: str, operands: Sequence[Register]) -> Register:
    return w.line(f"fmul {REGISTER[type_]} {operands[0]}, {operands[0]}")


def _reciprocal(w: Writer, type_: str, operands: Sequence[Register]) -> Register:
    return w.line(f"fdiv {REGISTER[type_]} {float_literal(1.0, type_)}, {operands[0]}")


def _reciprocal_root(w: Writer, type_: str, operands: Sequence[Register]) -> Register:
    return _reciprocal(w, type_, [_float(w, "sqrt", type_, operands, "")])


def _extreme_float(larger: bool) -> Callable[..., Register]:
    """NaN where either is NaN, and of equal ones the second, which zeros are told by. One
    comparison is enough beside a constant that is no NaN.
    """

    def write(w: Writer, type_: str, operands: Sequence[Register]) -> Register:
        kept, (x, y) = REGISTER[type_], operands
        condition = "ugt" if larger else "ult"
        if not x.startswith("%"):
            x, y = y, x
            condition = "uge" if larger else "ule"
        better = w.line(f"fcmp {condition} {kept} {x}, {y}")
        chosen = w.line(f"select i1 {better}, {kept} {x}, {kept} {y}")
        if not y.startswith("%") and not _is_nan_literal(y):
            return chosen
        bad = w.line(f"fcmp uno {kept} {y}, 0.0")
        return w.line(f"select i1 {bad}, {kept} {y}, {kept} {chosen}")

    return write


def _is_nan_literal(operand: Register) -> bool:
    bits = int(operand, 16)
    return (bits >> 52) & 0x7FF == 0x7FF and bits & ((1 << 52) - 1) != 0


def _is_nan(w: Writer, type_: str, operands: Sequence[Register]) -> Register:
    return w.line(f"fcmp uno {REGISTER[type_]} {operands[0]}, 0.0")


def _infinity(condition: str) -> Callable[..., Register]:
    def write(w: Writer, type_: str, operands: Sequence[Register]) -> Register:
        size = _float(w, "abs", type_, operands, "")
        infinity = float_literal(float("inf"), type_)
        return w.line(f"fcmp {condition} {REGISTER[type_]} {size}, {infinity}")

    return write


def _truncate_divide(w: Writer, type_: str, operands: Sequence[Register]) -> Register:
    kept = REGISTER[type_]
    quotient = w.line(f"fdiv {kept} {operands[0]}, {operands[1]}")
    return w.line(f"call {kept} @llvm.trunc.{SUFFIX[kept]}({kept} {quotient})")


def _truncate_modulo(w: Writer, type_: str, operands: Sequence[Register]) -> Register:
    return w.line(f"frem {REGISTER[type_]} {operands[0]}, {operands[1]}")


def _same(w: Writer, type_: str, operands: Sequence[Register]) -> Register:
    return operands[0]


def _float_zero(w: Writer, type_: str, operands: Sequence[Register]) -> Register:
    return float_literal(0.0, type_)


def _angle(w: Writer, type_: str, operands: Sequence[Register]) -> Register:
    """Pi for negative numbers and zeros, as NumPy says; NaN stays."""
    kept, x = REGISTER[type_], operands[0]
    one = float_literal(1.0, type_)
    sign = w.line(f"call {kept} @llvm.copysign.{SUFFIX[kept]}({kept} {one}, {kept} {x})")
    negative = w.line(f"fcmp olt {kept} {sign}, 0.0")
    pi, zero = float_literal(3.141592653589793, type_), float_literal(0.0, type_)
    angle = w.line(f"select i1 {negative}, {kept} {pi}, {kept} {zero}")
    bad = w.line(f"fcmp uno {kept} {x}, 0.0")
    return w.line(f"select i1 {bad}, {kept} {x}, {kept} {angle}")


_FLOAT_RULES: Final[dict[str, Callable[..., Register]]] = {
    "neg": _float_neg,
    "sign": _float_sign,
    "square": _float_square,
    "reciprocal": _reciprocal,
    "rsqrt": _reciprocal_root,
    "maximum": _extreme_float(True),
    "minimum": _extreme_float(False),
    "max": _extreme_float(True),
    "min": _extreme_float(False),
    "is_nan": _is_nan,
    "is_inf": _infinity("oeq"),
    "is_finite": _infinity("olt"),
    "truncate_divide": _truncate_divide,
    "truncate_modulo": _truncate_modulo,
    "real": _same,
    "imag": _float_zero,
    "angle": _angle,
}
