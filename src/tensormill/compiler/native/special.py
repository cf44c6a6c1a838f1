"""Special functions of arrays: `tm_special_<function>_<dtype>`.

They take the addresses of operands and of results, arrays of one size, and that size. Threads share
the numbers. Most are SciPy's loops (ufunc_loops.py); `zeta` is a recipe of llvm/vector_math, so
long that it is compiled once, here, and not in each program.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from ..loops.externals import SPECIAL
from ..loops.functions import SIZE
from ..loops.ir import NativeFunction
from . import ufunc_loops

PREFIX: Final = "tm_special_"
OWN: Final = ("zeta",)
_LETTERS: Final = {"f32": "f", "f64": "d"}
_BLOCK: Final = 1 << 10  # numbers, of 20 to 1000 ns each, that a thread computes together


def is_known(function: str) -> bool:
    """Whether it is own code, or its loop is where it should be."""
    return function in OWN or ufunc_loops.is_known(function)


def results_of(function: str) -> int:
    return SPECIAL[function][1]


def loops_of(name: str) -> dict[str, tuple[str, str]]:
    """The loop that a function calls: by the name that it knows, SciPy's and the types."""
    function, short = name.removeprefix(PREFIX).split("_")
    if function in OWN:
        return {}
    operands, results = (_LETTERS[short] * count for count in SPECIAL[function])
    return {f"tm_loop_{function}": (function, f"{operands}->{results}")}


@cache
def functions(name: str) -> list[NativeFunction]:
    """That of a name, and what it calls."""
    from ..loops.parse import parse_function  # of no use to code that comes from the disk

    function, short = name.removeprefix(PREFIX).split("_")
    block = _zeta(name, short) if function == "zeta" else _scipys(name, function, short)
    return [parse_function(text) for text in (_whole(name, function, SIZE[short]), block)]


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
