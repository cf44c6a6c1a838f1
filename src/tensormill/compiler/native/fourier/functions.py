"""Fourier transforms of arrays along one axis: `tm_fourier_<kind>_<dtype of the input>`.

    x [outer, have, inner] to out [outer, want, inner], along the axis in the middle

Kinds: fft, ifft, rfft, irfft; `points` is the length of the transform. What the input has too much
is left out, what it lacks is 0, as NumPy does it. Threads share rows or columns.

Many complex numbers are transformed in vectors (columns.py, short_rows.py, long_rows.py) where the
length has no prime factor above 5, rows also where it has one above 23 (chirps.py). All else is
done by NumPy's loops (ufunc_loops.py). Of columns some become rows, are transformed, and written
back as columns: one by one each would ask the cache for other numbers at every step.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from ...loops.functions import COMPLEX_OF, REAL_PART, SIZE
from ...loops.ir import NativeFunction
from ..records import RECORDS
from . import chirps, columns, lanes, long_rows, roots, short_rows

PREFIX: Final = "tm_fourier_"
KINDS: Final = {"fft": ("c64", "c128"), "ifft": ("c64", "c128"), "rfft": ("f32", "f64"),
                "irfft": ("c64", "c128")}  # fmt: skip
INVERSE: Final = ("ifft", "irfft")
IN_LANES: Final = ("fft", "ifft")  # what is done in vectors where there is much of it
LARGE: Final = 1 << 13  # numbers from which that is so
_TILE: Final = 8  # columns that become rows together: the cache has all that is read with one
_FAR: Final = 2048  # bytes from one number of a column to the next, from which that pays
_BLOCK: Final = 1 << 14  # numbers that a thread transforms before it asks for more


def result_of(kind: str, short: str) -> str:
    """The type that a transform of such numbers has."""
    match kind:
        case "rfft":
            return COMPLEX_OF[short]
        case "irfft":
            return REAL_PART[short]
        case _:
            return short


def loops_of(name: str) -> dict[str, tuple[str, str]]:
    """The loops that a function calls: by the names that it knows, NumPy's and the types."""
    kind, short = name.removeprefix(PREFIX).split("_")
    letters = {"f32": "f", "f64": "d", "c64": "F", "c128": "D"}
    real = letters[REAL_PART.get(short, short)]
    types = f"{letters[short]}{real}->{letters[result_of(kind, short)]}"
    return {f"tm_loop_{one}": (one, types) for one in ufuncs_of(kind)}


def ufuncs_of(kind: str) -> tuple[str, ...]:
    """What NumPy calls a transform: that of real numbers has a loop for odd lengths, too."""
    return ("rfft_n_even", "rfft_n_odd") if kind == "rfft" else (kind,)


@cache
def functions(name: str) -> list[NativeFunction]:
    """That of a name, and what it calls."""
    from ...loops.parse import parse_function  # of no use to code that comes from the disk

    kind, short = name.removeprefix(PREFIX).split("_")
    texts = [_whole(name, kind, short), _columns(name, kind, short), _block(name, kind, short)]
    if kind in IN_LANES:
        texts += _in_lanes(name, kind, short)
    return [parse_function(text, RECORDS) for text in texts]


def _in_lanes(name: str, kind: str, short: str) -> list[str]:
    n, inverse = lanes.lane_numbers(short), kind in INVERSE
    return [
        *columns.functions(name, n, inverse=inverse),
        *long_rows.functions(name, n, inverse=inverse),
        *short_rows.functions(name, n, inverse=inverse),
        *chirps.functions(name, n, inverse=inverse),
        *roots.functions(name, n),
        *lanes.functions(name, n),
    ]


def _whole(name: str, kind: str, short: str) -> str:
    size, result = SIZE[short], SIZE[result_of(kind, short)]
    return f"""
function {name}(x: ptr, out: ptr, outer: i64, have: i64, want: i64, inner: i64, points: i64):
  if (points == 0):
    return
{_choice(name, short) if kind in IN_LANES else ""}\
  let by_rows: bool = (inner == 1)
  let groups: i64 = where(by_rows, 1, outer)
  let along: i64 = where(by_rows, outer, inner)
  let step: i64 = where(by_rows, (have * {size}), {size})
  let out_step: i64 = where(by_rows, (want * {result}), {result})
  let most: i64 = max(truncate_divide({_BLOCK}, max(points, 1)), 1)
  let pieces: i64 = truncate_divide(((along + most) - 1), most)
  parfor item in (groups * pieces) grain 1:
    let group: i64 = truncate_divide(item, max(pieces, 1))
    let first: i64 = ((item - (group * pieces)) * most)
    let count: i64 = min(most, (along - first))
    let from: ptr = (x + (((group * have) * inner) * {size}))
    let to: ptr = (out + (((group * want) * inner) * {result}))
    set done: bool = false
    if ((inner * {size}) >= {_FAR}):
      call columns: bool = {name}.columns(from, to, first, count, have, want, inner, points)
      set done = columns
    if logical_not(done):
      call {name}.block((from + (first * step)), (to + (first * out_step)), count, step, \
out_step, have, want, (inner * {size}), (inner * {result}), points)
"""


def _choice(name: str, short: str) -> str:
    """What has many columns, or long rows, is done in vectors."""
    width = lanes.lane_numbers(short).lanes
    return f"""\
  let much: bool = (((outer * have) * inner) >= {LARGE})
  call splits: bool = {name}.splits(points)
  if ((much & splits) & ((inner >= {width}) & (points <= {lanes.MOST_POINTS}))):
    call together: bool = {name}.many_columns(x, out, outer, have, inner, points)
    if together:
      return
  let rows: bool = (much & ((inner == 1) & (have == points)))
  let many: bool = (rows & ((outer >= {width}) & (points >= {width // 2})))
  if ((many & splits) & (points <= {lanes.MOST_POINTS})):
    call together: bool = {name}.short_rows(x, out, outer, points)
    if together:
      return
  call known: bool = {name}.is_numpys(points)
  if (many & logical_not(known)):
    call longer: i64 = {name}.longer(points)
    if (longer > 0):
      call together: bool = {name}.many_chirps(x, out, outer, points, longer)
      if together:
        return
  if (rows & splits):
    call divisor: i64 = {name}.divisor(points)
    if (divisor > 0):
      call divided: bool = {name}.long_rows(x, out, outer, points, divisor)
      if divided:
        return
"""


def _columns(name: str, kind: str, short: str) -> str:
    """Some columns; false where there is no memory for their rows."""
    other = result_of(kind, short)
    size, result = SIZE[short], SIZE[other]
    return f"""
function {name}.columns(x: ptr, out: ptr, begin: i64, count: i64, have: i64, want: i64, \
inner: i64, points: i64) -> bool:
  call memory: ptr = malloc((((have * {size}) + (want * {result})) * count))
  if (memory == 0ptr):
    return false
  let beyond: ptr = (memory + ((have * {size}) * count))
  bind given: {short}[have, inner] at x
  bind rows: {short}[count, have] at memory
  bind results: {other}[count, want] at beyond
  bind found: {other}[want, inner] at out
  let tiles: i64 = truncate_divide(count, {_TILE})
  let rest: i64 = (count - (tiles * {_TILE}))
  for tile in tiles:
    let row: i64 = (tile * {_TILE})
    for k in have:
      for column in {_TILE}:
        rows[(row + column), k] = given[k, ((begin + row) + column)]
  for k in have:
    for column in rest:
      let row: i64 = ((tiles * {_TILE}) + column)
      rows[row, k] = given[k, (begin + row)]
  call {name}.block(memory, beyond, count, (have * {size}), (want * {result}), have, want, \
{size}, {result}, points)
  for tile in tiles:
    let row: i64 = (tile * {_TILE})
    for k in want:
      for column in {_TILE}:
        found[k, ((begin + row) + column)] = results[(row + column), k]
  for k in want:
    for column in rest:
      let row: i64 = ((tiles * {_TILE}) + column)
      found[k, (begin + row)] = results[row, k]
  call free(memory)
  return true
"""


def _block(name: str, kind: str, short: str) -> str:
    real = REAL_PART.get(short, short)
    calls = f"  call tm_loop_{kind}(&arrays, &sizes, &steps)\n"
    if kind == "rfft":
        calls = """\
  if (truncate_modulo(points, 2) == 0):
    call tm_loop_rfft_n_even(&arrays, &sizes, &steps)
  else:
    call tm_loop_rfft_n_odd(&arrays, &sizes, &steps)
"""
    inverse = f"({_one(real)} / cast:{real}(points))" if kind in INVERSE else _one(real)
    return f"""
function {name}.block(x: ptr, out: ptr, count: i64, step: i64, out_step: i64, have: i64, \
want: i64, inner_step: i64, inner_out_step: i64, points: i64):
  allocate factor: {real}[1]
  allocate arrays: ptr[3]
  allocate sizes: i64[3]
  allocate steps: i64[5]
  factor[0] = {inverse}
  arrays[0] = x
  arrays[1] = &factor
  arrays[2] = out
  sizes[0] = count
  sizes[1] = have
  sizes[2] = want
  steps[0] = step
  steps[1] = 0
  steps[2] = out_step
  steps[3] = inner_step
  steps[4] = inner_out_step
{calls}"""


def _one(real: str) -> str:
    return "1.0" if real == "f32" else f"1.0{real}"
