"""The scalar functions of the loop language on registers, whatever the type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

from ..loops.functions import COMPUTED_IN, KIND
from . import casts, complex_arithmetic, real_arithmetic
from .types import Register, Value
from .writer import Writer

# Results that a half float has if the operands are half floats: not rounded again.
_EXACT: Final = frozenset(
    "neg abs sign maximum minimum min max floor ceil round real eq ne lt le gt ge "
    "is_nan is_inf is_finite".split()
)
_EXTREMES: Final = frozenset(("maximum", "minimum", "max", "min"))


def apply(
    w: Writer, function: str, source: str, target: str, arguments: Sequence[Value], flags: str = ""
) -> Value:
    """`function` of `arguments` of type `source`, giving `target`; `flags`: fast-math flags."""
    if function == "cast":
        return casts.cast(w, arguments[0], source, target)
    if function == "bitcast":
        return casts.bitcast(w, cast(Register, arguments[0]), source, target)
    if function == "complex":
        return cast(Register, arguments[0]), cast(Register, arguments[1])
    if KIND[source] == "c":
        return complex_arithmetic.apply(w, function, source, arguments, flags)
    operands = cast("Sequence[Register]", arguments)
    wide = COMPUTED_IN.get(source)
    if wide is None:
        return real_arithmetic.real(w, function, source, operands, flags)
    if function in _EXTREMES:  # of equal half floats TensorFlow and NumPy take the first
        operands = operands[::-1]
    result = real_arithmetic.real(w, function, wide, operands, flags)
    return result if function in _EXACT else cast(Register, w.call("round", source, result))
