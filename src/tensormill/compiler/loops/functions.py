"""The functions of the loop language: how many arguments, of which types, giving which type, and
what that costs.

A type is of a kind: b bool, i signed and u unsigned integers, f floats, c complex, p pointers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, Literal, TypeAlias

from ...core.process.named_tuples import NamedTuple

NumberKind: TypeAlias = Literal["b", "i", "u", "f", "c", "p"]
KIND: Final[dict[str, NumberKind]] = {
    "bool": "b", "ptr": "p", "c64": "c", "c128": "c",
    "f16": "f", "bf16": "f", "f32": "f", "f64": "f",
    "i8": "i", "i16": "i", "i32": "i", "i64": "i",
    "u8": "u", "u16": "u", "u32": "u", "u64": "u",
}  # fmt: skip
SIZE: Final = {
    "bool": 1, "ptr": 8, "c64": 8, "c128": 16, "f16": 2, "bf16": 2, "f32": 4, "f64": 8,
    "i8": 1, "i16": 2, "i32": 4, "i64": 8, "u8": 1, "u16": 2, "u32": 4, "u64": 8,
}  # fmt: skip
REAL_PART: Final = {"c64": "f32", "c128": "f64"}
COMPLEX_OF: Final = {"f32": "c64", "f64": "c128"}
# What arithmetic on a type is done in; every result is rounded to the type itself.
COMPUTED_IN: Final = {"f16": "f32", "bf16": "f32"}


# The type of a result: that of the first argument, bool, that of a complex number's parts, that of
# a complex number of such parts, or what the application says.
Result: TypeAlias = Literal["same", "bool", "part", "pair", "said"]


class ScalarSignature(NamedTuple):
    """`kinds`: those of the first argument.

    `cost`: of one application to a float32 among many, in vectors of sixteen, in hundredths of a
    nanosecond of one core of about 4 GHz (measured). Whoever weighs work asks for it here.
    """

    arity: int
    kinds: str
    result: Result
    cost: int


SIMPLE: Final = 2  # the cost of an addition, and of all that the table says nothing else of


def _table(
    names: str, arity: int, kinds: str, result: Result = "same", cost: int = SIMPLE
) -> dict[str, ScalarSignature]:
    return {name: ScalarSignature(arity, kinds, result, cost) for name in names.split()}


SIGNATURES: Final[dict[str, ScalarSignature]] = {
    **_table("add", 2, "iufcp"),
    **_table("sub mul", 2, "iufc"),
    **_table("div", 2, "fc", cost=20),
    **_table("pow", 2, "iufc", cost=120),
    **_table("and or xor", 2, "biu"),
    **_table("logical_and logical_or", 2, "b"),
    **_table("logical_not", 1, "b"),
    **_table("not", 1, "biu"),
    **_table("eq ne", 2, "biufcp", "bool"),
    **_table("lt le gt ge", 2, "biufp", "bool"),
    **_table("min max minimum maximum", 2, "biuf"),
    **_table("floor_divide floor_modulo truncate_divide truncate_modulo", 2, "iuf", cost=100),
    **_table("left_shift right_shift", 2, "iu"),
    **_table("atan2", 2, "f", cost=80),
    **_table("fma", 3, "iufc"),
    **_table("neg sign square", 1, "iufc"),
    **_table("floor ceil round", 1, "iuf"),
    **_table("reciprocal", 1, "fc", cost=20),
    **_table("sqrt exp", 1, "fc", cost=25),
    **_table("rsqrt expm1 log", 1, "fc", cost=40),
    **_table("log1p sigmoid tanh", 1, "fc", cost=50),
    **_table("sin cos asin acos atan", 1, "fc", cost=60),
    **_table("tan sinh cosh asinh acosh atanh", 1, "fc", cost=80),
    **_table("erf", 1, "f", cost=50),
    **_table("erfc", 1, "f", cost=80),
    **_table("lgamma digamma", 1, "f", cost=300),
    **_table("bessel_i0 bessel_i1 bessel_i0e bessel_i1e", 1, "f", cost=200),
    **_table("bessel_k0 bessel_k1 bessel_k0e bessel_k1e", 1, "f", cost=200),
    **_table("bessel_j0 bessel_j1 bessel_y0 bessel_y1", 1, "f", cost=300),
    **_table("dawsn expint fresnel_sin fresnel_cos spence", 1, "f", cost=200),
    **_table("zeta", 2, "f", cost=1000),
    **_table("is_nan is_inf is_finite", 1, "fc", "bool"),
    **_table("abs real imag", 1, "iufc", "part"),
    **_table("angle", 1, "fc", "part"),
    **_table("conj", 1, "c"),
    **_table("complex", 2, "f", "pair"),
    **_table("cast", 1, "biufc", "said"),
    **_table("bitcast", 1, "biufp", "said"),
}


def cost_of(function: str) -> int:
    """What a function costs, whatever the type."""
    return SIGNATURES[function].cost if function in SIGNATURES else SIMPLE  # `where` has no row


@cache  # it is asked for each part of each expression
def cost_on(function: str, type_: str) -> int:
    """What a function costs that gives this type; indices and conditions are part of iterations."""
    if type_ in ("i64", "bool"):
        return 0
    wide = 2 if SIZE[type_] == 8 else 1
    return cost_of(function) * (4 if KIND[type_] == "c" else wide)


def result_type(function: str, arguments: Sequence[str]) -> str | None:
    """The type of `function(arguments)`; None where the application itself must say it.

    Raises:
        ValueError: there is no such function, or it does not take these arguments.
    """
    if function == "where":
        return _where(arguments)
    signature = SIGNATURES.get(function)
    if signature is None:
        raise ValueError(f"there is no function {function}")
    if len(arguments) != signature.arity:
        raise ValueError(f"{function} takes {signature.arity} arguments, not {len(arguments)}")
    first = arguments[0]
    if KIND[first] not in signature.kinds:
        raise ValueError(f"{function} does not take {first}")
    same = all(other == first for other in arguments)
    if not same and not (function == "add" and tuple(arguments) == ("ptr", "i64")):
        raise ValueError(f"{function} of different types: {', '.join(arguments)}")
    return _result(signature.result, first)


def check_conversion(function: str, source: str, target: str) -> None:
    """Raise ValueError where `cast` or `bitcast` cannot lead to `target`."""
    if target not in KIND or (function == "cast" and target == "ptr"):
        raise ValueError(f"{function} cannot give {target}")
    if function == "bitcast" and (KIND[target] == "c" or SIZE[source] != SIZE[target]):
        raise ValueError(f"{source} does not have the bits of {target}")


def _where(arguments: Sequence[str]) -> str:
    if len(arguments) != 3 or arguments[0] != "bool" or arguments[1] != arguments[2]:
        raise ValueError(f"where takes bool and one type twice, not {', '.join(arguments)}")
    return arguments[1]


def _result(result: Result, first: str) -> str | None:
    match result:
        case "same":
            return first
        case "bool":
            return "bool"
        case "part":
            return REAL_PART.get(first, first)
        case "pair":
            if first not in COMPLEX_OF:
                raise ValueError(f"complex does not take {first}")
            return COMPLEX_OF[first]
        case "said":
            return None
