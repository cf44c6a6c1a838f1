"""Transforms of rows of any length, as products with chirps (Bluestein 1970).

Because j k = (j^2 + k^2 - (k - j)^2) / 2, a transform is a convolution, of any length m that is
long enough and has the factors of passes:

    X_k = c_k * sum over j of (x_j c_j) conj(c_(k - j))        c_k = exp(-i pi k^2 / n)

A table has the chirp [n, 2], then the transform of its conjugate [m, 2], divided by m. The inverse
transform of the convolution takes real for imaginary parts, as all inverse transforms do here.
"""

from __future__ import annotations

from typing import Final

from .lanes import VECTOR, LaneNumbers
from .roots import HEAD

MOST_LENGTH: Final = 1 << 13  # of a convolution, whose two blocks are of memory that calls share


def functions(name: str, n: LaneNumbers, *, inverse: bool) -> list[str]:
    """`name.many_chirps`, `name.longer`, and what they call."""
    kinds = dict.fromkeys([(inverse, False), (False, True), (True, inverse)])
    return [
        _many(name, n),
        _rows(name, n, inverse=inverse),
        _longer(name),
        _table(name, n),
        *(_times(name, n, before=before, after=after) for before, after in kinds),
    ]


def _longer(name: str) -> str:
    """The shortest length that suits a convolution; 0 where it is too long."""
    return f"""
function {name}.longer(n: i64) -> i64:
  if (n > {MOST_LENGTH // 2}):
    return 0
  set found: i64 = ((2 * n) - 1)
  set goes: bool = true
  while goes:
    call splits: bool = {name}.splits(found)
    set goes = logical_not(splits)
    if goes:
      set found = (found + 1)
  return where((found <= {MOST_LENGTH}), found, 0)
"""


def _table(name: str, n: LaneNumbers) -> str:
    """Null where there is no memory. `roots` are those of m."""
    size, kind = 2 * n.size, 2 * n.size + 2
    return f"""
apart function {name}.chirp_table(n: i64, m: i64, roots: ptr) -> ptr:
  call known: ptr = {name}.known_table({kind}, n)
  if (known != 0ptr):
    return known
  let bytes: i64 = ({HEAD} + ((n + m) * {size}))
  call made: ptr = aligned_alloc({VECTOR}, ((bytes + {VECTOR - 1}) & -{VECTOR}))
  if (made == 0ptr):
    return 0ptr
  call blocks: ptr = aligned_alloc({VECTOR}, (m * {4 * VECTOR}))
  if (blocks == 0ptr):
    call free(made)
    return 0ptr
  bind chirp: {n.real}[n, 2] at (made + {HEAD})
  bind spectrum: {n.real}[m, 2] at ((made + {HEAD}) + (n * {size}))
  bind block: {n.real}[m, 2, {n.lanes}] at blocks
  for k in m:
    for part in 2:
      for lane in {n.lanes}:
        block[k, part, lane] = {n.number(0.0)}
  for k in n:
    call {name}.root(((made + {HEAD}) + (k * {size})), (k * k), (2 * n))
    for lane in {n.lanes}:
      block[k, 0, lane] = chirp[k, 0]
      block[k, 1, lane] = ({n.number(0.0)} - chirp[k, 1])
    if (k > 0):
      for lane in {n.lanes}:
        block[(m - k), 0, lane] = chirp[k, 0]
        block[(m - k), 1, lane] = ({n.number(0.0)} - chirp[k, 1])
  call transformed: ptr = {name}.passes(blocks, (blocks + (m * {2 * VECTOR})), roots, m)
  bind found: {n.real}[m, 2, {n.lanes}] at transformed
  let scale: {n.real} = ({n.number(1.0)} / cast:{n.real}(m))
  for k in m:
    for part in 2:
      spectrum[k, part] = (found[k, part, 0] * scale)
  call free(blocks)
  call {name}.keep_table(made, {kind}, n, bytes)
  return made
"""


def _many(name: str, n: LaneNumbers) -> str:
    """All rows; false where there is no memory for tables. Rows without room are NumPy's."""
    size = 2 * n.size
    return f"""
function {name}.many_chirps(x: ptr, out: ptr, rows: i64, n: i64, m: i64) -> bool:
  call roots: ptr = {name}.columns_table(m)
  if (roots == 0ptr):
    return false
  call chirp: ptr = {name}.chirp_table(n, m, (roots + {HEAD}))
  if (chirp == 0ptr):
    call {name}.leave_table(roots)
    return false
  parfor vector in truncate_divide((rows + {n.lanes - 1}), {n.lanes}) grain 1:
    let start: i64 = (min((vector * {n.lanes}), (rows - {n.lanes})) * (n * {size}))
    call done: bool = {name}.chirp_rows((x + start), (out + start), (roots + {HEAD}), \
(chirp + {HEAD}), n, m)
    if logical_not(done):
      call {name}.block((x + start), (out + start), {n.lanes}, (n * {size}), (n * {size}), n, n, \
{size}, {size}, n)
  call {name}.leave_table(roots)
  call {name}.leave_table(chirp)
  return true
"""


def _rows(name: str, n: LaneNumbers, *, inverse: bool) -> str:
    """As many rows as lanes; false where there is no memory for their blocks."""
    points, size = n.lanes // 2, 2 * n.size
    one = n.number(1.0)
    scale = f"({one} / cast:{n.real}(n))" if inverse else one
    return f"""
apart function {name}.chirp_rows(x: ptr, out: ptr, roots: ptr, chirp: ptr, n: i64, m: i64) -> bool:
  let room: i64 = ((m * {4 * VECTOR}) + {VECTOR})
  call memory: ptr = tm_take(room)
  if (memory == 0ptr):
    return false
  let first: ptr = (memory + (neg(bitcast:i64(memory)) & {VECTOR - 1}))
  let second: ptr = (first + (m * {2 * VECTOR}))
  let spectrum: ptr = (chirp + (n * {size}))
  let squares: i64 = truncate_divide((n + {points - 1}), {points})
  for square in squares:
    let k: i64 = min((square * {points}), (n - {points}))
    call {name}.turn((x + (k * {size})), (n * {size}), (first + (k * {2 * VECTOR})), {VECTOR})
  call {_times_name(name, inverse, False)}(first, chirp, n, {one})
  bind rest: {n.real}[(m - n), 2, {n.lanes}] at (first + (n * {2 * VECTOR}))
  for k in (m - n):
    for part in 2:
      for lane in {n.lanes}:
        rest[k, part, lane] = {n.number(0.0)}
  call made: ptr = {name}.passes(first, second, roots, m)
  call {_times_name(name, False, True)}(made, spectrum, m, {one})
  call found: ptr = {name}.passes(made, where((made == first), second, first), roots, m)
  call {_times_name(name, True, inverse)}(found, chirp, n, {scale})
  for square in squares:
    let k: i64 = min((square * {points}), (n - {points}))
    call {name}.turn((found + (k * {2 * VECTOR})), {VECTOR}, (out + (k * {size})), (n * {size}))
  call tm_give(memory, room)
  return true
"""


def _times_name(name: str, before: bool, after: bool) -> str:
    return f"{name}.times{'_of_swapped' if before else ''}{'_swapped' if after else ''}"


def _times(name: str, n: LaneNumbers, *, before: bool, after: bool) -> str:
    """A block times factors and a scale; parts are swapped before that, or after it."""
    real, imaginary = (1, 0) if before else (0, 1)
    first, second = (1, 0) if after else (0, 1)
    return f"""
apart function {_times_name(name, before, after)}(x: ptr, factors: ptr, count: i64, \
scale: {n.real}):
  bind block: {n.real}[count, 2, {n.lanes}] at x
  bind factor: {n.real}[count, 2] at factors
  for k in count:
    let real: {n.real} = (factor[k, 0] * scale)
    let imaginary: {n.real} = (factor[k, 1] * scale)
    let less: {n.real} = ({n.number(0.0)} - imaginary)
    allocate v: {n.real}[2, {n.lanes}]
    for lane in {n.lanes}:
      v[0, lane] = fma(block[k, {real}, lane], real, (block[k, {imaginary}, lane] * less))
    for lane in {n.lanes}:
      v[1, lane] = fma(block[k, {real}, lane], imaginary, (block[k, {imaginary}, lane] * real))
    for lane in {n.lanes}:
      block[k, {first}, lane] = v[0, lane]
    for lane in {n.lanes}:
      block[k, {second}, lane] = v[1, lane]
"""
