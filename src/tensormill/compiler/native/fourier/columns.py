"""Transforms of columns, a vector of them at a time (lanes.py).

    x [have, inner] to out [n, inner]

The last vector of columns ends with the last column, and does again what others began with.
Inverse transforms take real for imaginary parts, and the other way round, twice.
"""

from __future__ import annotations

from .lanes import MOST_POINTS, VECTOR, LaneNumbers


def functions(name: str, n: LaneNumbers, *, inverse: bool) -> list[str]:
    """`name.many_columns`, and what it calls."""
    return [_many(name, n), _vector(name, n, inverse=inverse)]


def _many(name: str, n: LaneNumbers) -> str:
    """All columns of all matrices; false where there is no memory for the roots."""
    size = 2 * n.size
    return f"""
function {name}.many_columns(x: ptr, out: ptr, outer: i64, have: i64, inner: i64, n: i64) -> bool:
  call table: ptr = {name}.columns_table(n)
  if (table == 0ptr):
    return false
  let vectors: i64 = truncate_divide((inner + {n.lanes - 1}), {n.lanes})
  parfor item in (outer * vectors) grain (truncate_divide(2048, n) + 1):
    let matrix: i64 = truncate_divide(item, max(vectors, 1))
    let column: i64 = min(((item - (matrix * vectors)) * {n.lanes}), (inner - {n.lanes}))
    call {name}.vector((x + (((matrix * have) * inner) * {size})), \
(out + (((matrix * n) * inner) * {size})), (table + {VECTOR}), column, have, inner, n)
  call {name}.leave_table(table)
  return true
"""


def _vector(name: str, n: LaneNumbers, *, inverse: bool) -> str:
    real, imaginary = (1, 0) if inverse else (0, 1)
    scaled = "({} * scale)" if inverse else "{}"
    return f"""
apart function {name}.vector(x: ptr, out: ptr, roots: ptr, column: i64, have: i64, inner: i64, \
n: i64):
  allocate first: {n.real}[{MOST_POINTS}, 2, {n.lanes}]
  allocate second: {n.real}[{MOST_POINTS}, 2, {n.lanes}]
  bind given: {n.real}[have, (2 * inner)] at x
  let start: i64 = (2 * column)
  for k in min(have, n):
    for lane in {n.lanes}:
      first[k, {real}, lane] = given[k, (start + (2 * lane))]
      first[k, {imaginary}, lane] = given[k, ((start + (2 * lane)) + 1)]
  for missing in max((n - have), 0):
    for lane in {n.lanes}:
      first[(have + missing), 0, lane] = {n.number(0.0)}
    for lane in {n.lanes}:
      first[(have + missing), 1, lane] = {n.number(0.0)}
  call made: ptr = {name}.passes(&first, &second, roots, n)
  bind found: {n.real}[n, 2, {n.lanes}] at made
  bind result: {n.real}[n, (2 * inner)] at out
  let scale: {n.real} = ({n.number(1.0)} / cast:{n.real}(n))
  for k in n:
    for lane in {n.lanes}:
      result[k, (start + (2 * lane))] = {scaled.format(f"found[k, {real}, lane]")}
      result[k, ((start + (2 * lane)) + 1)] = {scaled.format(f"found[k, {imaginary}, lane]")}
"""
