"""All elementary functions by name: `definition("exp", "f32")` is the text of `@tm.exp.f32`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from inspect import signature
from typing import Final, cast

from ...machine.jit import Target, host
from . import (
    bessel,
    error_function,
    exponential,
    gamma,
    hyperbolic,
    integrals,
    inverse_trigonometric,
    logarithm,
    modified_bessel,
    power,
    remainder,
    trigonometric,
    zeta,
)
from .language import Kind, Term
from .text import LLVM_TYPE, Recipe, TextReader, through_f64

_BOTH: Final[dict[str, Recipe]] = {
    "exp": exponential.exp,
    "exp2": exponential.exp2,
    "expm1": exponential.expm1,
    "sigmoid": exponential.sigmoid,
    "rsqrt": power.rsqrt,
    "sin": trigonometric.sin,
    "cos": trigonometric.cos,
    "tan": trigonometric.tan,
    "log": logarithm.log,
    "log1p": logarithm.log1p,
    "log2": logarithm.log2,
    "log10": logarithm.log10,
}

# Recipes of f64, which f32 uses as well: widened there, and rounded to f32 once at the end.
_WIDE: Final[dict[str, Recipe]] = {
    "sinh": hyperbolic.sinh,
    "cosh": hyperbolic.cosh,
    "asinh": hyperbolic.asinh,
    "acosh": hyperbolic.acosh,
    "atanh": hyperbolic.atanh,
    "digamma": gamma.digamma,
}

# Recipes in f64 that do less for f32.
_BY_PRECISION: Final[dict[str, Callable[..., Term]]] = {
    "bessel_i0": modified_bessel.i0,
    "bessel_i1": modified_bessel.i1,
    "bessel_i0e": modified_bessel.i0e,
    "bessel_i1e": modified_bessel.i1e,
    "bessel_k0": modified_bessel.k0,
    "bessel_k1": modified_bessel.k1,
    "bessel_k0e": modified_bessel.k0e,
    "bessel_k1e": modified_bessel.k1e,
    "bessel_j0": bessel.j0,
    "bessel_j1": bessel.j1,
    "bessel_y0": bessel.y0,
    "bessel_y1": bessel.y1,
    "dawsn": integrals.dawsn,
    "expint": integrals.expint,
    "fresnel_sin": integrals.fresnel_sin,
    "fresnel_cos": integrals.fresnel_cos,
    "spence": integrals.spence,
    "lgamma": gamma.lgamma,
    "zeta": zeta.zeta,
    "asin": inverse_trigonometric.asin,
    "acos": inverse_trigonometric.acos,
    "atan": inverse_trigonometric.atan,
    "atan2": inverse_trigonometric.atan2,
}


def _precise(recipe: Callable[..., Term], precision: Kind) -> Recipe:
    def of_one(x: Term) -> Term:
        return recipe(x, precision)

    def of_two(x: Term, y: Term) -> Term:
        return recipe(x, y, precision)

    of_f64 = of_one if len(signature(recipe).parameters) == 2 else of_two
    return of_f64 if precision == "f64" else through_f64(of_f64)


_RECIPES: Final[dict[tuple[str, str], Recipe]] = {
    **{(function, kind): recipe for function, recipe in _BOTH.items() for kind in ("f32", "f64")},
    **{(function, "f64"): recipe for function, recipe in _WIDE.items()},
    **{(function, "f32"): through_f64(recipe) for function, recipe in _WIDE.items()},
    **{
        (function, kind): _precise(recipe, kind)
        for function, recipe in _BY_PRECISION.items()
        for kind in ("f32", "f64")
    },
    ("erf", "f32"): error_function.erf_f32,
    ("erf", "f64"): error_function.erf_f64,
    ("erfc", "f32"): error_function.erfc_f32,
    ("erfc", "f64"): error_function.erfc_f64,
    ("pow", "f32"): power.pow_f32,
    ("pow", "f64"): power.pow_f64,
    ("truncate_modulo", "f32"): remainder.truncate_modulo_f32,
    ("truncate_modulo", "f64"): remainder.truncate_modulo_f64,
    ("tanh", "f32"): hyperbolic.tanh_f32,
    ("tanh", "f64"): hyperbolic.tanh_f64,
}

SUPPORTED: Final = frozenset(_RECIPES)

_ATTRIBUTES: Final = (
    "alwaysinline mustprogress nofree norecurse nosync nounwind willreturn memory(none)"
)


def recipe(function: str, dtype: str) -> Recipe:
    """The recipe of a function, to be read by any reader."""
    return _RECIPES[function, dtype]


def arity(function: str) -> int:
    """How many arguments a function takes."""
    return len(signature(_RECIPES[function, "f64"]).parameters)


@cache
def definition(function: str, dtype: str, target: Target | None = None) -> str:
    """LLVM IR text that defines `@tm.<function>.<dtype>` for a processor (the host by default).

    Raises:
        KeyError: (function, dtype) is not in `SUPPORTED`.
    """
    if (function, dtype) not in SUPPORTED:
        raise KeyError(f"no vector math for {function} of {dtype}")
    kind = cast(Kind, dtype)
    name, kept = f"tm.{function}.{kind}", LLVM_TYPE[kind]
    reader = TextReader(name, target or host())
    parameters = [f"%x{number}" for number in range(arity(function))]
    result = _RECIPES[function, dtype](*(Term(reader, kind, each) for each in parameters))
    taken = ", ".join(f"{kept} {each}" for each in parameters)
    header = f"define internal {kept} @{name}({taken}) {_ATTRIBUTES} {{"
    return "\n".join(
        [*reader.tables, header, "entry:", *reader.lines, f"  ret {kept} {result.payload}", "}\n"]
    )
