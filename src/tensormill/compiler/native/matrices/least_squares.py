"""Least squares of any rank, for native/lapack.py: by orthogonal factors with exchanged columns."""

from __future__ import annotations

from ...loops.functions import SIZE
from ...loops.lapack import LapackNumbers
from .elimination import BLOCKED, NO_ROOM, integers
from .rotations import COLUMNS, HEIGHT

_PRECISION = {"f32": 2.0**-23, "f64": 2.0**-52}


def _of_few(n: LapackNumbers, svd_few: str) -> str:
    """By the singular values of a small matrix of full rank, without a call of LAPACK's."""
    room = COLUMNS * HEIGHT
    return f"""\
  if ((few <= {COLUMNS}) & (tall <= {HEIGHT})):
    allocate values: {n.short}[{COLUMNS}]
    allocate lefts: {n.short}[{room}]
    allocate rights: {n.short}[{room}]
    call small: bool = {svd_few}(a, &values, &lefts, &rights, m, n, 1)
    if small:
      bind u: {n.short}[m, few] at &lefts
      bind v: {n.short}[n, few] at &rights
      for j in k:
        for i in n:
          found[i, j] = {n.number(0.0)}
        set usable: bool = true
        for r in few:
          set part: {n.short} = {n.number(0.0)}
          for i in m:
            set usable = (usable & is_finite(right[i, j]))
            set part = fma(u[i, r], right[i, j], part)
          set part = (part / values[r])
          for i in n:
            found[i, j] = fma(v[i, r], part, found[i, j])
        for i in n:
          found[i, j] = where(usable, found[i, j], {n.number("nan")})
      return 0
"""


def least_squares(n: LapackNumbers, name: str, svd_few: str) -> str:
    """The shortest x of those with the least |a x - b|, a of [m, n] and b of [m, k]. NaN for a
    matrix that is not finite, and for such columns of b.
    """
    words, at = integers(
        m="m", n="n", k="k", lead="max(m, 1)", beside="tall", rank="0", work="work", info="0"
    )
    return f"""
function {name}(a: ptr, b: ptr, x: ptr, m: i64, n: i64, k: i64) -> i64:
  bind matrix: {n.short}[m, n] at a
  bind right: {n.short}[m, k] at b
  bind found: {n.short}[n, k] at x
  set finite: bool = true
  for i in m:
    for j in n:
      set finite = (finite & is_finite(matrix[i, j]))
  if (((m == 0) | (n == 0)) | ((k == 0) | logical_not(finite))):
    let value: {n.short} = where(finite, {n.number(0.0)}, {n.number("nan")})
    for i in n:
      for j in k:
        found[i, j] = value
    return 0
  let tall: i64 = max(m, n)
  let few: i64 = min(m, n)
{"" if n.is_complex else _of_few(n, svd_few)}\
  let work: i64 = ((few * {BLOCKED + 4}) + ((n * {BLOCKED + 2}) + ((k + 1) * {BLOCKED})))
  let numbers: i64 = (((m * n) + (tall * k)) + work)
  call memory: ptr = malloc((((numbers * {n.size}) + (n * {2 * SIZE[n.real]})) + (n * 4)))
  if (memory == 0ptr):
    return {NO_ROOM}
{words}
  let rest: ptr = (memory + ((m * n) * {n.size}))
  let room: ptr = (rest + ((tall * k) * {n.size}))
  let parts: ptr = (room + (work * {n.size}))
  let exchanges: ptr = (parts + (n * {2 * SIZE[n.real]}))
  bind w: {n.short}[n, m] at memory
  bind y: {n.short}[k, tall] at rest
  bind place: i32[n] at exchanges
  for i in m:
    for j in n:
      w[j, i] = matrix[i, j]
    for j in k:
      y[j, i] = where(is_finite(right[i, j]), right[i, j], {n.number(0.0)})
  for j in n:
    place[j] = 0i32
  allocate least: {n.real}[1]
  least[0] = ({n.part(_PRECISION[n.real])} * cast:{n.real}(tall))
  call {n.routine("gelsy")}({at["m"]}, {at["n"]}, {at["k"]}, memory, {at["lead"]}, rest, \
{at["beside"]}, exchanges, &least, {at["rank"]}, room, {at["work"]}, \
{"parts, " if n.is_complex else ""}{at["info"]})
  for j in k:
    set known: bool = true
    for i in m:
      set known = (known & is_finite(right[i, j]))
    for i in n:
      found[i, j] = where(known, y[j, i], {n.number("nan")})
  call free(memory)
  return 0
"""
