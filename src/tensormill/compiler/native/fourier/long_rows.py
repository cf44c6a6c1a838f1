"""Transforms of long rows, as those of the columns of two matrices (Bailey 1990, "FFTs in External
or Hierarchical Memory").

A row of n = n1 * n2 numbers is a matrix [n1, n2]. Its columns are transformed, multiplied with
w^(k1 j2) (roots.py), and turned; the columns of what that makes, [n2, n1], are transformed to the
result. So what one pass reads and writes is a block of some columns, however long the row is.

Between the two, a vector of columns lies in one piece: [vectors of n1, n2, 2, lanes]. As columns.py
does it, the last vector of n1 has some numbers that the one before has as well. So has that of n2;
but there both multiply with roots of other products, which differ by their last bits, so one thread
does both, in order.
"""

from __future__ import annotations

from typing import Final

from .lanes import MOST_POINTS, VECTOR, LaneNumbers

_SOME: Final = 4096  # numbers that a thread takes at once


def functions(name: str, n: LaneNumbers, *, inverse: bool) -> list[str]:
    """`name.long_rows`, `name.divisor`, and what they call."""
    return [
        _many(name, n),
        _divisor(name, n),
        _row(name, n),
        _down(name, n, inverse=inverse),
        _along(name, n, inverse=inverse),
    ]


def _divisor(name: str, n: LaneNumbers) -> str:
    """n1, at most n2; 0 where both can't be columns of vectors."""
    return f"""
function {name}.divisor(n: i64) -> i64:
  if (n > {MOST_POINTS * MOST_POINTS}):
    return 0
  set found: i64 = cast:i64(sqrt(cast:f64(n)))
  while ((found >= {n.lanes}) & (truncate_modulo(n, max(found, 1)) != 0)):
    set found = (found - 1)
  if ((found < {n.lanes}) | (truncate_divide(n, max(found, 1)) > {MOST_POINTS})):
    return 0
  return found
"""


def _many(name: str, n: LaneNumbers) -> str:
    """All rows; false where there is no memory for roots. A row without room is NumPy's."""
    size = 2 * n.size
    return f"""
function {name}.long_rows(x: ptr, out: ptr, rows: i64, n: i64, n1: i64) -> bool:
  let n2: i64 = truncate_divide(n, max(n1, 1))
  call table1: ptr = {name}.columns_table(n1)
  call table2: ptr = {name}.columns_table(n2)
  call table: ptr = {name}.rows_table(n, n1, n2)
  let known: bool = (((table1 != 0ptr) & (table2 != 0ptr)) & (table != 0ptr))
  if known:
    parfor row in rows grain 1:
      let from: ptr = (x + ((row * n) * {size}))
      let to: ptr = (out + ((row * n) * {size}))
      call done: bool = {name}.row(from, to, (table1 + {VECTOR}), (table2 + {VECTOR}), \
(table + {VECTOR}), n1, n2)
      if logical_not(done):
        call {name}.block(from, to, 1, (n * {size}), (n * {size}), n, n, {size}, {size}, n)
  call {name}.leave_table(table1)
  call {name}.leave_table(table2)
  call {name}.leave_table(table)
  return known
"""


def _row(name: str, n: LaneNumbers) -> str:
    """One row; false where there is no room for what lies between."""
    vectors = f"truncate_divide(({{}} + {n.lanes - 1}), {n.lanes})"
    return f"""
function {name}.row(x: ptr, out: ptr, roots1: ptr, roots2: ptr, table: ptr, n1: i64, n2: i64) \
-> bool:
  let vectors1: i64 = {vectors.format("n1")}
  let room: i64 = (((vectors1 * n2) * {2 * VECTOR}) + {VECTOR})
  call memory: ptr = tm_take(room)
  if (memory == 0ptr):
    return false
  let work: ptr = (memory + (neg(bitcast:i64(memory)) & {VECTOR - 1}))
  let vectors2: i64 = {vectors.format("n2")}
  let whole: i64 = truncate_divide(n2, {n.lanes})
  parfor item in whole grain (truncate_divide({_SOME}, (n1 * {n.lanes})) + 1):
    let rest: i64 = where((item == (whole - 1)), (vectors2 - whole), 0)
    for more in (rest + 1):
      let vector: i64 = (item + more)
      let column: i64 = min((vector * {n.lanes}), (n2 - {n.lanes}))
      let far: ptr = (table + ((n1 * {2 * VECTOR}) + ((vector * n1) * {2 * n.size})))
      call {name}.down(x, work, roots1, table, far, column, n1, n2)
  parfor vector in vectors1 grain (truncate_divide({_SOME}, (n2 * {n.lanes})) + 1):
    let column: i64 = min((vector * {n.lanes}), (n1 - {n.lanes}))
    call {name}.along((work + ((vector * n2) * {2 * VECTOR})), out, roots2, column, n1, n2)
  call tm_give(memory, room)
  return true
"""


def _down(name: str, n: LaneNumbers, *, inverse: bool) -> str:
    """A vector of columns of [n1, n2], times roots, to its place between."""
    real, imaginary = (1, 0) if inverse else (0, 1)
    return f"""
apart function {name}.down(x: ptr, work: ptr, roots: ptr, near: ptr, far: ptr, column: i64, \
n1: i64, n2: i64):
  allocate first: {n.real}[{MOST_POINTS}, 2, {n.lanes}]
  allocate second: {n.real}[{MOST_POINTS}, 2, {n.lanes}]
  bind given: {n.real}[n1, (2 * n2)] at x
  let start: i64 = (2 * column)
  for k in n1:
    for lane in {n.lanes}:
      first[k, {real}, lane] = given[k, (start + (2 * lane))]
      first[k, {imaginary}, lane] = given[k, ((start + (2 * lane)) + 1)]
  call made: ptr = {name}.passes(&first, &second, roots, n1)
  bind found: {n.real}[n1, 2, {n.lanes}] at made
  bind lanes: {n.real}[n1, 2, {n.lanes}] at near
  bind begins: {n.real}[n1, 2] at far
  for k in n1:
    let real: {n.real} = begins[k, 0]
    let imaginary: {n.real} = begins[k, 1]
    let less: {n.real} = ({n.number(0.0)} - imaginary)
    allocate v: {n.real}[4, {n.lanes}]
    for n in {n.lanes}:
      v[0, n] = fma(lanes[k, 0, n], real, (lanes[k, 1, n] * less))
    for n in {n.lanes}:
      v[1, n] = fma(lanes[k, 0, n], imaginary, (lanes[k, 1, n] * real))
    for n in {n.lanes}:
      v[2, n] = ((found[k, 0, n] * v[0, n]) - (found[k, 1, n] * v[1, n]))
    for n in {n.lanes}:
      v[3, n] = fma(found[k, 0, n], v[1, n], (found[k, 1, n] * v[0, n]))
    for n in {n.lanes}:
      found[k, 0, n] = v[2, n]
    for n in {n.lanes}:
      found[k, 1, n] = v[3, n]
  for vector in truncate_divide((n1 + {n.lanes - 1}), {n.lanes}):
    let row: i64 = min((vector * {n.lanes}), (n1 - {n.lanes}))
    let place: ptr = (work + (((vector * n2) + column) * {2 * VECTOR}))
    let from: ptr = (made + (row * {2 * VECTOR}))
    call {name}.turn(from, {2 * VECTOR}, place, {2 * VECTOR})
    call {name}.turn((from + {VECTOR}), {2 * VECTOR}, (place + {VECTOR}), {2 * VECTOR})
"""


def _along(name: str, n: LaneNumbers, *, inverse: bool) -> str:
    """A vector of columns of [n2, n1] to the result."""
    real, imaginary = (1, 0) if inverse else (0, 1)
    scaled = "({} * scale)" if inverse else "{}"
    return f"""
apart function {name}.along(x: ptr, out: ptr, roots: ptr, column: i64, n1: i64, n2: i64):
  allocate second: {n.real}[{MOST_POINTS}, 2, {n.lanes}]
  call made: ptr = {name}.passes(x, &second, roots, n2)
  bind found: {n.real}[n2, 2, {n.lanes}] at made
  bind result: {n.real}[n2, (2 * n1)] at out
  let scale: {n.real} = ({n.number(1.0)} / cast:{n.real}((n1 * n2)))
  let start: i64 = (2 * column)
  for k in n2:
    for lane in {n.lanes}:
      result[k, (start + (2 * lane))] = {scaled.format(f"found[k, {real}, lane]")}
      result[k, ((start + (2 * lane)) + 1)] = {scaled.format(f"found[k, {imaginary}, lane]")}
"""
