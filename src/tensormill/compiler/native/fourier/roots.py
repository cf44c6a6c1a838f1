"""Tables of roots of one, which the transforms of a process share.

A table is made when a length is first transformed, in 64 bits whatever the numbers are, and kept:
the reserve (memory/reserve_words.py) has the first one, and each the next. Nobody frees a kept one,
so whoever looks for one needs no lock. What goes beyond `_MOST_BYTES` is freed by the call that
made it; each counts as `_LEAST_BYTES` at least, for who looks goes from one to the next.

    table    what it has
    columns  [n, 2]: w^k
    rows     of n = n1 * n2 (long_rows.py): [n1, 2, lanes], w^(k lane), then [vectors, n1, 2],
             w^(k first) for the first column of each vector of columns
    chirps   what chirps.py says
"""

from __future__ import annotations

import math
from typing import Final

from ..records import TABLE
from .lanes import VECTOR, LaneNumbers

HEAD: Final = VECTOR  # bytes before the roots, which so begin where vectors should
_MOST_BYTES: Final = 1 << 26
_LEAST_BYTES: Final = 1 << 18
assert HEAD >= TABLE.bytes


def functions(name: str, n: LaneNumbers) -> list[str]:
    """`name.columns_table`, `name.rows_table`, `name.leave_table`, and what they call."""
    return [
        _root(name, n),
        _known(name),
        _keep(name),
        _leave(name),
        _columns(name, n),
        _rows(name, n),
    ]


def _root(name: str, n: LaneNumbers) -> str:
    """w^k at an address. Angles are those of the first octant, where sine and cosine are exact."""
    one = n.number(1.0)
    quarter = math.pi / 4
    return f"""
apart function {name}.root(at: ptr, k: i64, n: i64):
  bind found: {n.real}[2] at at
  let turn: i64 = truncate_modulo(k, n)
  let octant: i64 = truncate_divide((turn * 8), n)
  let rest: i64 = ((turn * 8) - (octant * n))
  let within: i64 = where(((octant & 1) == 1), (n - rest), rest)
  let angle: f64 = ((cast:f64(within) * {quarter!r}f64) / cast:f64(n))
  let along: {n.real} = cast:{n.real}(cos(angle))
  let across: {n.real} = cast:{n.real}(sin(angle))
  let swapped: bool = ((right_shift((octant + 1), 1) & 1) == 1)
  let left: bool = ((octant >= 2) & (octant <= 5))
  let below: bool = (octant >= 4)
  found[0] = (where(left, neg({one}), {one}) * where(swapped, across, along))
  found[1] = (where(below, {one}, neg({one})) * where(swapped, along, across))
"""


def _known(name: str) -> str:
    """The table of a kind and length that is kept; null where there is none."""
    return f"""
apart function {name}.known_table(kind: i64, n: i64) -> ptr:
  call reserve: ptr = tm_lock_reserve()
  bind it: Reserve at reserve
  set at: ptr = it.tables[]
  call tm_unlock_reserve()
  while (at != 0ptr):
    bind table: Table at at
    if ((table.kind[] == kind) & (table.length[] == n)):
      return at
    set at = table.next[]
  return 0ptr
"""


def _keep(name: str) -> str:
    """Note what a table is, and keep it if there is room for it."""
    return f"""
apart function {name}.keep_table(at: ptr, kind: i64, n: i64, bytes: i64):
  bind table: Table at at
  table.kind[] = kind
  table.length[] = n
  call reserve: ptr = tm_lock_reserve()
  bind it: Reserve at reserve
  let all: i64 = (it.table_bytes[] + max(bytes, {_LEAST_BYTES}))
  let kept: bool = (all <= {_MOST_BYTES})
  table.kept[] = where(kept, 1, 0)
  table.next[] = it.tables[]
  if kept:
    it.tables[] = at
    it.table_bytes[] = all
  call tm_unlock_reserve()
"""


def _leave(name: str) -> str:
    """A call needs a table no more."""
    return f"""
apart function {name}.leave_table(at: ptr):
  if (at != 0ptr):
    bind table: Table at at
    if (table.kept[] == 0):
      call free(at)
"""


def _columns(name: str, n: LaneNumbers) -> str:
    return f"""
apart function {name}.columns_table(n: i64) -> ptr:
  call known: ptr = {name}.known_table({2 * n.size}, n)
  if (known != 0ptr):
    return known
  let bytes: i64 = ({HEAD} + (n * {2 * n.size}))
  call made: ptr = aligned_alloc({VECTOR}, ((bytes + {VECTOR - 1}) & -{VECTOR}))
  if (made == 0ptr):
    return 0ptr
  for k in n:
    call {name}.root(((made + {HEAD}) + (k * {2 * n.size})), k, n)
  call {name}.keep_table(made, {2 * n.size}, n, bytes)
  return made
"""


def _rows(name: str, n: LaneNumbers) -> str:
    return f"""
apart function {name}.rows_table(n: i64, n1: i64, n2: i64) -> ptr:
  call known: ptr = {name}.known_table({2 * n.size + 1}, n)
  if (known != 0ptr):
    return known
  let blocks: i64 = truncate_divide((n2 + {n.lanes - 1}), {n.lanes})
  let bytes: i64 = ({HEAD} + ((n1 * (blocks + {n.lanes})) * {2 * n.size}))
  call made: ptr = aligned_alloc({VECTOR}, ((bytes + {VECTOR - 1}) & -{VECTOR}))
  if (made == 0ptr):
    return 0ptr
  let first: ptr = (made + {HEAD})
  bind near: {n.real}[n1, 2, {n.lanes}] at first
  allocate one: {n.real}[2]
  for k in n1:
    for lane in {n.lanes}:
      call {name}.root(&one, (k * lane), n)
      near[k, 0, lane] = one[0]
      near[k, 1, lane] = one[1]
  let second: ptr = (first + (n1 * {2 * VECTOR}))
  for block in blocks:
    let column: i64 = min((block * {n.lanes}), (n2 - {n.lanes}))
    for k in n1:
      call {name}.root((second + (((block * n1) + k) * {2 * n.size})), (k * column), n)
  call {name}.keep_table(made, {2 * n.size + 1}, n, bytes)
  return made
"""
