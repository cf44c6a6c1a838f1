"""How types of the loop language look to LLVM, and literals of them.

In registers bool is i1; half floats are floats whose value the half float has; complex numbers are
two registers. In memory bool is i8, bf16 is i16 and complex numbers are two floats in a row.
"""

from __future__ import annotations

import struct
from typing import Any, Final, TypeAlias

from ..loops.functions import KIND, REAL_PART

Register: TypeAlias = str
Value: TypeAlias = "Register | tuple[Register, Register]"

REGISTER: Final = {
    "bool": "i1", "ptr": "ptr", "f16": "float", "bf16": "float", "f32": "float", "f64": "double",
    "i8": "i8", "i16": "i16", "i32": "i32", "i64": "i64",
    "u8": "i8", "u16": "i16", "u32": "i32", "u64": "i64",
    "c64": "float", "c128": "double",
}  # fmt: skip
MEMORY: Final = {**REGISTER, "bool": "i8", "f16": "half", "bf16": "i16"}
BITS: Final = {
    "bool": 1, "i8": 8, "u8": 8, "i16": 16, "u16": 16, "i32": 32, "u32": 32, "i64": 64, "u64": 64,
}  # fmt: skip
# The suffix of intrinsics: llvm.sqrt.f32, llvm.smax.i32.
SUFFIX: Final = {"float": "f32", "double": "f64", **{f"i{n}": f"i{n}" for n in (8, 16, 32, 64)}}
ALIGNMENT: Final = {
    "i8": 1, "i16": 2, "half": 2, "i32": 4, "float": 4, "i64": 8, "double": 8, "ptr": 8,
}  # fmt: skip


def literal(value: Any, type_: str) -> Value:
    """A constant as an operand of instructions."""
    kind = KIND[type_]
    match kind:
        case "c":
            part, number = REAL_PART[type_], complex(value)
            return float_literal(number.real, part), float_literal(number.imag, part)
        case "f":
            return float_literal(float(value), type_)
        case "b":
            return "true" if value else "false"
        case "p":
            return "null" if value == 0 else f"inttoptr (i64 {value} to ptr)"
        case "i" | "u":
            return str(int(value))


def float_literal(value: float, type_: str) -> Register:
    """A float as LLVM wants it: the 64 bits of its value, after rounding to the type.

    Not cached: -0.0 equals 0.0, and so one would be written for the other.
    """
    if type_ != "f64":
        value = _rounded(value)
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


def _rounded(value: float) -> float:
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
