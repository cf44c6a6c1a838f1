"""Powers by numbers that the program knows, where something quicker is as exact."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from ..ir import Apply, Expression, Literal

_FLOATS: Final = ("f32", "f64")


def fold_power(apply: Apply) -> Expression:
    """What is quicker than `pow`: the same but for last digits, and no further from the true value
    than docs/numerics.md says of powers.
    """
    base, exponent = apply.arguments
    if not isinstance(exponent, Literal):
        return apply
    if exponent.value == 1:
        return base
    if exponent.value == 2:
        return Apply("square", (base,), apply.type)
    if apply.type not in _FLOATS or (quicker := _QUICKER.get(exponent.value)) is None:
        return apply
    return quicker(base, apply.type)


def _reciprocal(base: Expression, type_: str) -> Expression:
    return Apply("reciprocal", (base,), type_)


def _root(base: Expression, type_: str) -> Expression:
    return _but_at_minus_infinity(base, "sqrt", math.inf, type_)


def _reciprocal_root(base: Expression, type_: str) -> Expression:
    return _but_at_minus_infinity(base, "rsqrt", 0.0, type_)


def _but_at_minus_infinity(base: Expression, function: str, there: float, type_: str) -> Expression:
    """A root, to which -0 is 0 as it is to `pow`, and minus infinity a number."""
    root = Apply(function, (Apply("add", (base, Literal(0.0, type_)), type_),), type_)
    is_there = Apply("eq", (base, Literal(-math.inf, type_)), "bool")
    return Apply("where", (is_there, Literal(there, type_), root), type_)


def _cube(base: Expression, type_: str) -> Expression:
    """Products of float32 are exact in float64, where nothing overflows, but for the last one."""
    wide = base if type_ == "f64" else Apply("cast", (base,), "f64")
    found = Apply("mul", (Apply("square", (wide,), "f64"), wide), "f64")
    return found if type_ == "f64" else Apply("cast", (found,), type_)


_QUICKER: Final[dict[object, Callable[[Expression, str], Expression]]] = {
    -1: _reciprocal, 0.5: _root, -0.5: _reciprocal_root, 3: _cube,
}  # fmt: skip
