"""Conversions between types, on registers."""

from __future__ import annotations

from typing import Final
from typing import cast as as_type

from ..loops.functions import COMPUTED_IN, KIND, REAL_PART
from .types import BITS, REGISTER, Register, Value, float_literal
from .writer import Writer

_BITS_OF_FLOAT: Final = {"f32": "i32", "f64": "i64"}


def cast(w: Writer, value: Value, source: str, target: str) -> Value:
    """`value` as `target`: what NumPy's `astype` gives on x86."""
    if source == target:
        return value
    if KIND[target] == "c":
        return _to_complex(w, value, source, target)
    if KIND[source] == "c":
        part = REAL_PART[source]
        real, imaginary = as_type("tuple[Register, Register]", value)
        if target == "bool":
            some = [_to_bool(w, each, part) for each in (real, imaginary)]
            return w.line(f"or i1 {some[0]}, {some[1]}")
        return cast(w, real, part, target)
    x = as_type(Register, value)
    if target == "bool":
        return _to_bool(w, x, COMPUTED_IN.get(source, source))
    if KIND[target] == "f":
        return _to_float(w, x, source, target)
    if KIND[source] == "f":
        return _float_to_integer(w, x, COMPUTED_IN.get(source, source), target)
    return _between_integers(w, x, source, target)


def _to_complex(w: Writer, value: Value, source: str, target: str) -> Value:
    part = REAL_PART[target]
    if KIND[source] == "c":
        from_part = REAL_PART[source]
        real, imaginary = (as_type(Register, cast(w, each, from_part, part)) for each in value)
        return real, imaginary
    return as_type(Register, cast(w, value, source, part)), float_literal(0.0, part)


def _to_bool(w: Writer, x: Register, source: str) -> Register:
    if KIND[source] == "f":
        return w.line(f"fcmp une {REGISTER[source]} {x}, 0.0")
    return w.line(f"icmp ne {REGISTER[source]} {x}, 0")


def _to_float(w: Writer, x: Register, source: str, target: str) -> Register:
    if source == "f64" and target == "f16":
        return as_type(Register, w.call("narrow", "f16", x))
    wide = COMPUTED_IN.get(target, target)
    kept = REGISTER[wide]
    match KIND[source]:
        case "f":
            result = _between_floats(w, x, COMPUTED_IN.get(source, source), wide)
        case "i":
            result = w.line(f"sitofp {REGISTER[source]} {x} to {kept}")
        case _:
            result = w.line(f"uitofp {REGISTER[source]} {x} to {kept}")
    if wide == target or (source in COMPUTED_IN and source == target):
        return result
    return as_type(Register, w.call("round", target, result))


def _between_floats(w: Writer, x: Register, source: str, target: str) -> Register:
    if source == target:
        return x
    instruction = "fpext" if target == "f64" else "fptrunc"
    return w.line(f"{instruction} {REGISTER[source]} {x} to {REGISTER[target]}")


def _float_to_integer(w: Writer, x: Register, source: str, target: str) -> Register:
    """Out of range is the least i32 (i64 for u32 and 64-bit types), cut to the type's bits."""
    if target == "u64":
        return as_type(Register, w.call("to_u64", source, x))
    if target in ("i64", "u32"):
        wide = as_type(Register, w.call("to_i64", source, x))
        return wide if target == "i64" else w.line(f"trunc i64 {wide} to i32")
    wide = as_type(Register, w.call("to_i32", source, x))
    return wide if target == "i32" else w.line(f"trunc i32 {wide} to {REGISTER[target]}")


def _between_integers(w: Writer, x: Register, source: str, target: str) -> Register:
    before, after = BITS[source], BITS[target]
    if before == after:
        return x
    if before > after:
        return w.line(f"trunc {REGISTER[source]} {x} to {REGISTER[target]}")
    word = "sext" if KIND[source] == "i" else "zext"
    return w.line(f"{word} {REGISTER[source]} {x} to {REGISTER[target]}")


def bitcast(w: Writer, x: Register, source: str, target: str) -> Register:
    """The same bits as another type of the same size."""
    if source == "ptr" or target == "ptr":
        return _pointer_bits(w, x, source, target)
    bits = to_bits(w, x, source)
    return from_bits(w, bits, target)


def _pointer_bits(w: Writer, x: Register, source: str, target: str) -> Register:
    if source == target:
        return x
    if source == "ptr":
        return from_bits(w, w.line(f"ptrtoint ptr {x} to i64"), target)
    return w.line(f"inttoptr i64 {to_bits(w, x, source)} to ptr")


def to_bits(w: Writer, x: Register, source: str) -> Register:
    """The bits of a register, as an integer of the type's size (i8 for bool)."""
    match source:
        case "bool":
            return w.line(f"zext i1 {x} to i8")
        case "f16":
            half = w.line(f"fptrunc float {x} to half")
            return w.line(f"bitcast half {half} to i16")
        case "bf16":
            bits = w.line(f"bitcast float {x} to i32")
            high = w.line(f"lshr i32 {bits}, 16")
            return w.line(f"trunc i32 {high} to i16")
        case "f32" | "f64":
            return w.line(f"bitcast {REGISTER[source]} {x} to {_BITS_OF_FLOAT[source]}")
        case _:
            return x


def from_bits(w: Writer, bits: Register, target: str) -> Register:
    """The register of a type whose bits are those."""
    match target:
        case "bool":
            return w.line(f"icmp ne i8 {bits}, 0")
        case "f16":
            half = w.line(f"bitcast i16 {bits} to half")
            return w.line(f"fpext half {half} to float")
        case "bf16":
            wide = w.line(f"zext i16 {bits} to i32")
            high = w.line(f"shl i32 {wide}, 16")
            return w.line(f"bitcast i32 {high} to float")
        case "f32" | "f64":
            return w.line(f"bitcast {_BITS_OF_FLOAT[target]} {bits} to {REGISTER[target]}")
        case _:
            return bits
