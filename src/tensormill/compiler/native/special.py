"""Special functions by SciPy's loops (ufunc_loops.py): `tm_special_<function>_<dtype>`.

They take the addresses of operands and of results, arrays of one size, and that size. Threads share
the numbers.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from ..loops.externals import SPECIAL
from ..loops.functions import SIZE
from ..loops.ir import NativeFunction

PREFIX: Final = "tm_special_"
_LETTERS: Final = {"f32": "f", "f64": "d"}
_BLOCK: Final = 1 << 10  # numbers, of 20 to 1000 ns each, that a thread computes together


def results_of(function: str) -> int:
    return SPECIAL[function][1]


def loops_of(name: str) -> dict[str, tuple[str, str]]:
    """The loop that a function calls: by the name that it knows, SciPy's and the types."""
    function, short = name.removeprefix(PREFIX).split("_")
    operands, results = (_LETTERS[short] * count for count in SPECIAL[function])
    return {f"tm_loop_{function}": (function, f"{operands}->{results}")}


@cache
def functions(name: str) -> list[NativeFunction]:
    """That of a name, and what it calls."""
    from ..loops.parse import parse_function  # of no use to code that comes from the disk

    function, short = name.removeprefix(PREFIX).split("_")
    texts = _texts(name, function, sum(SPECIAL[function]), SIZE[short])
    return [parse_function(text) for text in texts]


def _texts(name: str, function: str, count: int, size: int) -> tuple[str, str]:
    taken = ", ".join(f"x{k}: ptr" for k in range(count))
    moved = ", ".join(f"(x{k} + (first * {size}))" for k in range(count))
    filled = "".join(f"  arrays[{k}] = x{k}\n  steps[{k}] = {size}\n" for k in range(count))
    whole = f"""
function {name}({taken}, count: i64):
  let pieces: i64 = truncate_divide((count + {_BLOCK - 1}), {_BLOCK})
  parfor piece in pieces grain 1:
    let first: i64 = (piece * {_BLOCK})
    call {name}.block({moved}, min((count - first), {_BLOCK}))
"""
    block = f"""
function {name}.block({taken}, count: i64):
  allocate arrays: ptr[{count}]
  allocate sizes: i64[1]
  allocate steps: i64[{count}]
  sizes[0] = count
{filled}  call tm_loop_{function}(&arrays, &sizes, &steps)
"""
    return whole, block
