"""Matrix products: a batch of row-major matrices, by panels (strips.py) or OpenBLAS's CBLAS.

A large product is cut into strips of columns (of rows, where there are more of them) that the
threads of threads.py take: OpenBLAS's own threads wait for each other in busy loops,
which costs a multiple of the time where other programs want the processor. Strips are the same for
any number of threads, and so are results: where a strip ends decides on some processors (AVX2,
float32) in which order OpenBLAS adds up.

CBLAS takes 32-bit sizes; larger ones (and sizes of zero) never reach it.
"""

from __future__ import annotations

from typing import Final

from ..loops.cblas import CBLAS_TYPES, PLAIN, ROW_MAJOR, TRANSPOSED, cblas_product
from ..loops.functions import REAL_PART, SIZE
from .strips import FEW_ROWS, LEAST_ROWS, STRIP
from .windows.convolutions import NUMBERS

# Multiply-adds of a strip, at least and at most: a tenth of a millisecond, four milliseconds. Of
# whole products of more OpenBLAS is at least as quick as panels.
# OpenBLAS arranges the other factor anew for each strip, so few are better (8 cost 4 % more than 2
# at 128×1024 by 1024×4096), but threads need some to share.
LEAST: Final = 1 << 22
MOST: Final = 1 << 28
# So many strips, or a multiple, go evenly into 1, 2, 4, or 8 threads. Where there are fewer, they
# are 4 or 2.
TOGETHER: Final = 8
# Multiply-adds of small products that a thread takes at once.
_AT_ONCE: Final = 1 << 22
# Strips are whole numbers of the blocks that OpenBLAS's kernels work on, which they share as evenly
# as can be; the last one has the rest as well.
BLOCK: Final = 64


def function(short: str) -> str:
    """`tm_gemm_<dtype>`: the products of so many matrices [m, k] and [k, n], either of which may be
    stored as its transpose. Where `adding` is not 0 they are added to what was there.

    A step leads from one row (column) of a factor or the result to the next, in numbers.
    """
    return f"""
function tm_gemm_{short}(a: ptr, b: ptr, out: ptr, matrices: i64, m: i64, n: i64, k: i64, \
ta: i64, tb: i64, adding: i64):
  if (min(m, n) == 0):
    return
  let turned_a: bool = (ta != 0)
  let turned_b: bool = (tb != 0)
  let kept: {REAL_PART.get(short, short)} = \
where((adding != 0), {_real("1.0", short)}, {_real("0.0", short)})
  let by_rows: bool = (m > n)
  let extent: i64 = where(by_rows, m, n)
  # As few strips as are no longer than the most, a multiple of `TOGETHER`, but none too short.
  let work: f64 = (cast:f64((m * n)) * cast:f64(k))
  let rounds: f64 = ceil((work / {float(MOST * TOGETHER)}f64))
  let spread: f64 = min((rounds * {float(TOGETHER)}f64), (work / {float(LEAST)}f64))
  let most: i64 = max(cast:i64(min(spread, 1000000000.0f64)), 1)
  let wanted: i64 = where((most >= {TOGETHER}), most, where((most >= 4), 4, min(most, 2)))
  let units: i64 = max(truncate_divide(extent, {BLOCK}), 1)
  let strips: i64 = min(wanted, units)
  let few: f64 = min(({float(_AT_ONCE)}f64 / max(work, 1.0f64)), 1000000000.0f64)
  let a_step: i64 = where(by_rows, where(turned_a, 1, k), 0)
  let b_step: i64 = where(by_rows, 0, where(turned_b, k, 1))
  let out_step: i64 = where(by_rows, n, 1)
  let a_pitch: i64 = max(where(turned_a, m, k), 1)
  let b_pitch: i64 = max(where(turned_b, k, n), 1)
{_factors(short)}
  parfor number in (matrices * strips) grain max(cast:i64(few), 1):
    let matrix: i64 = truncate_divide(number, strips)
    let strip: i64 = truncate_modulo(number, strips)
    let start: i64 = (truncate_divide((strip * units), strips) * {BLOCK})
    let next: i64 = (truncate_divide(((strip + 1) * units), strips) * {BLOCK})
    let length: i64 = (where(((strip + 1) == strips), extent, next) - start)
    let height: i64 = where(by_rows, length, m)
    let width: i64 = where(by_rows, n, length)
    let left: ptr = {_moved("a", "(m * k)", short)}
    let right: ptr = {_moved("b", "(k * n)", short)}
    let below: ptr = {_moved("out", "(m * n)", short)}
{_multiplied(short)}"""


def _multiplied(short: str) -> str:
    """The product of a strip: by panels where these are quicker, else by the library."""
    library = f"""\
call {cblas_product(short)}({ROW_MAJOR}i32, \
where(turned_a, {TRANSPOSED}i32, {PLAIN}i32), where(turned_b, {TRANSPOSED}i32, {PLAIN}i32), \
cast:i32(height), cast:i32(width), cast:i32(k), \
{_one(short)}, left, cast:i32(a_pitch), right, cast:i32(b_pitch), \
{_kept(short)}, below, cast:i32(n))
"""
    if short not in NUMBERS:
        return f"    {library}"
    return f"""\
    if ((((ta + tb) == 0) & (height > 1)) & (work <= {float(MOST)}f64)):
      if ((height < {LEAST_ROWS}) & (adding == 0)):
        call {FEW_ROWS}{short}(left, right, below, height, width, k, k, n, n)
      else:
        call {STRIP}{short}(left, right, below, height, width, k, k, n, n, adding)
    else:
      {library}"""


def _moved(matrix: str, count: str, short: str) -> str:
    """Where this strip of this matrix of the batch begins."""
    numbers = f"((matrix * {count}) + (start * {matrix}_step))"
    return f"({matrix} + ({numbers} * {SIZE[short]}))"


def _factors(short: str) -> str:
    """CBLAS reads complex factors, of the product and of what is there, from memory."""
    if short not in REAL_PART:
        return ""
    return f"""\
  allocate one: {short}[1]
  allocate before: {short}[1]
  one[0] = (1.0, 0.0){short}
  before[0] = complex(kept, {_real("0.0", short)})"""


def _one(short: str) -> str:
    return "&one" if short in REAL_PART else _real("1.0", short)


def _kept(short: str) -> str:
    return "&before" if short in REAL_PART else "kept"


def _real(value: str, short: str) -> str:
    real = REAL_PART.get(short, short)
    return value if real == "f32" else f"{value}{real}"


FUNCTIONS: Final = "".join(map(function, CBLAS_TYPES))
