"""Special functions of arrays: `tm_special_<function>_<dtype>`.

They take the addresses of operands and of results, arrays of one size, and that size. Threads share
the numbers. Some are SciPy's loops (ufunc_loops.py); `zeta` is a recipe of llvm/vector_math, so
long that it is compiled once, here, and not in each program; the incomplete gamma and beta
functions sort numbers by ways to compute them (incomplete_gamma.py): SciPy's loop is the rarest.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any, Final

from ...loops.externals import SPECIAL
from ...loops.functions import SIZE
from ...loops.ir import NativeFunction
from .. import ufunc_loops

PREFIX: Final = "tm_special_"
OWN: Final = ("zeta", "gamma_by_shape")
INVERSES: Final = ("erfinv", "ndtri")  # own code for f32 alone
SORTED: Final = ("gammainc", "gammaincc", "betainc")
_LETTERS: Final = {"f32": "f", "f64": "d"}
_BLOCK: Final = 512  # numbers, of 5 to 1000 ns each, that a thread computes together


def is_known(function: str) -> bool:
    """Whether it is own code, or its loop is where it should be."""
    return function in OWN or ufunc_loops.is_known(function)


def results_of(function: str) -> int:
    return SPECIAL[function][1]


def loops_of(name: str) -> dict[str, tuple[str, str]]:
    """The loop that a function calls: by the name that it knows, SciPy's and the types."""
    function, _, short = name.removeprefix(PREFIX).rpartition("_")
    if function in OWN:
        return {}
    if function in INVERSES and short == "f32":
        return {}
    if function in SORTED:
        return {f"tm_loop_{function}": (function, f"{'d' * SPECIAL[function][0]}->d")}
    operands, results = (_LETTERS[short] * count for count in SPECIAL[function])
    return {f"tm_loop_{function}": (function, f"{operands}->{results}")}


@cache
def functions(name: str) -> list[NativeFunction]:
    """That of a name, and what it calls."""
    from ...loops.parse import parse_function  # of no use to code that comes from the disk

    function, _, short = name.removeprefix(PREFIX).rpartition("_")
    return [
        parse_function(text)
        for text in (_whole(name, function, SIZE[short]), *_blocks(name, function, short))
    ]


def _blocks(name: str, function: str, short: str) -> list[str]:
    """`<name>.block`, for as many numbers as a thread takes, and what it calls."""
    from . import incomplete_beta, incomplete_gamma  # of no use to code that comes from the disk

    match function:
        case "zeta":
            return [_zeta(name, short)]
        case "gammainc" | "gammaincc":
            return incomplete_gamma.texts(name, function, short)
        case "gamma_by_shape":
            return incomplete_gamma.by_shape_texts(name, short)
        case "betainc":
            return incomplete_beta.texts(name, short)
        case "erfinv" if short == "f32":
            return [_erfinv(name)]
        case "ndtri" if short == "f32":
            return [_ndtri(name)]
        case _:
            return [_scipys(name, function, short)]


def _operands(function: str) -> str:
    return ", ".join(f"x{k}: ptr" for k in range(sum(SPECIAL[function])))


def _whole(name: str, function: str, size: int) -> str:
    moved = ", ".join(f"(x{k} + (first * {size}))" for k in range(sum(SPECIAL[function])))
    return f"""
function {name}({_operands(function)}, count: i64):
  let pieces: i64 = truncate_divide((count + {_BLOCK - 1}), {_BLOCK})
  parfor piece in pieces grain 1:
    let first: i64 = (piece * {_BLOCK})
    call {name}.block({moved}, min((count - first), {_BLOCK}))
"""


def _scipys(name: str, function: str, short: str) -> str:
    count = sum(SPECIAL[function])
    filled = "".join(f"  arrays[{k}] = x{k}\n  steps[{k}] = {SIZE[short]}\n" for k in range(count))
    return f"""
function {name}.block({_operands(function)}, count: i64):
  allocate arrays: ptr[{count}]
  allocate sizes: i64[1]
  allocate steps: i64[{count}]
  sizes[0] = count
{filled}  call tm_loop_{function}(&arrays, &sizes, &steps)
"""


def _zeta(name: str, short: str) -> str:
    """Below zero, of q = -(whole + part), the terms of negative bases are those of three sums of
    positive ones: from 1 - part on, from part on, and less those from 1 - q on.
    """
    return f"""
function {name}.block({_operands("zeta")}, count: i64):
  bind exponent: {short}[count] at x0
  bind first: {short}[count] at x1
  bind out: {short}[count] at x2
  for k in count:
    out[k] = zeta(exponent[k], maximum(first[k], 0.0{short}))
  allocate sum: f64[1]
  for k in count:
    if (first[k] < 0.0{short}):
      let s: f64 = cast:f64(exponent[k])
      let size: f64 = neg(cast:f64(first[k]))
      let part: f64 = (size - floor(size))
      let half: f64 = (s * 0.5f64)
      let sign: f64 = where((floor(half) == half), 1.0f64, -1.0f64)
      sum[0] = 0.0f64
      for turn in 3:
        let base: f64 = where((turn == 0), (ceil(size) - size), where((turn == 1), part, \
(size + 1.0f64)))
        let weight: f64 = where((turn == 0), 1.0f64, where((turn == 1), sign, neg(sign)))
        sum[0] = (sum[0] + (weight * zeta(s, base)))
      let found: f64 = where((floor(s) == s), sum[0], nanf64)
      out[k] = cast:{short}(where((part == 0.0f64), inff64, found))
"""


def _erfinv(name: str) -> str:
    """Of f32, in f64: two polynomials in w = -log(1 - x²) and in its root (Giles 2010)."""
    from ...llvm.vector_math.series import ERFINV_FAR

    far = _polynomial("u", ERFINV_FAR)
    return _inverse(
        name,
        f"""
        w = -log((1 - x) * (1 + x))
        u = {_from_end_to_end("sqrt(w)", ERFINV_FAR)}
        r = x * where(w < 5, {_near()}, {far})
        end = x / (1 - abs(x))
        found = where(abs(x) == 1, end, r + 0)
    """,
    )


def _ndtri(name: str) -> str:
    """√2 erfinv(2x - 1), whose w is -log(4 x (1 - x)): up to 103 where x is subnormal."""
    from ...llvm.vector_math.series import NDTRI_FAR

    far = _polynomial("u", NDTRI_FAR)
    return _inverse(
        name,
        f"""
        both = x * (1 - x)
        w = -log(4 * both)
        root = 1 + sqrt(w)
        u = {_from_end_to_end("(1 / root)", NDTRI_FAR)}
        r = where(w < 5, {_near()}, root * {far})
        end = (x - 0.5) / abs(both)
        found = where(both == 0, end, {math.sqrt(2)!r} * (2 * x - 1) * r)
    """,
    )


def _inverse(name: str, body: str) -> str:
    from .formulas import lets

    return f"""
function {name}.block(x0: ptr, x1: ptr, count: i64):
  bind given: f32[count] at x0
  bind out: f32[count] at x1
  for k in count:
    let x: f64 = cast:f64(given[k])
{lets(4, body)}    out[k] = cast:f32(found)
"""


def _near() -> str:
    """erfinv(x) / x for w < 5."""
    from ...llvm.vector_math.series import ERFINV_NEAR

    return _polynomial("(0.4 * w - 1)", ERFINV_NEAR)


def _polynomial(x: str, series: Any) -> str:
    """What a series is, of a number between -1 and 1."""
    from ...llvm.vector_math.chebyshev import powers
    from .formulas import horner

    return horner(x, powers(series.coefficients))


def _from_end_to_end(x: str, series: Any) -> str:
    """A number that goes from -1 to 1 as x does through the interval of a series."""
    width = series.high - series.low
    return f"{2 / width!r} * {x} - {(series.high + series.low) / width!r}"
