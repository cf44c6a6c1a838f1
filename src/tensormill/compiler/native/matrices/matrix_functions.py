"""Square roots and logarithms of matrices, for native/lapack.py: functions of Schur's triangle.

LAPACK gives a = u t u^H. Columns lie one after the other: `t[j, i]` is the element of row i and
column j. Björck and Hammarling 1983 have the root of a triangle; Higham 2008, "Functions of
Matrices", the logarithm: roots of t until that is near the identity, then a Padé approximant as a
sum of fractions (11.18), and exact elements where there is a formula (11.28).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ...loops.functions import SIZE
from ...loops.lapack import LapackNumbers
from .elimination import NO_ROOM, PREFIX, WRONG, integers

# Seven fractions are exact in float64 up to this norm (Higham 2008, table 11.1).
_FRACTIONS: Final = 7
_LARGEST_NORM: Final = 0.264
_MOST_ROOTS: Final = 1100  # from the largest number of float64 to nearly 1
_ROOM: Final = 34  # numbers for each row that LAPACK works in


def helpers(n: LapackNumbers) -> list[str]:
    """What roots and logarithms call."""
    return [f"{PREFIX}{what}_one_{n.short}" for what in ("root", "turnback", "schur")]


def schur(n: LapackNumbers) -> str:
    """t and u of the matrix that `t` holds; `values` has room for two numbers each.

    A triangle is its own. LAPACK would divide it by its largest number, as all matrices of very
    large ones, and lose the least.
    """
    words, at = integers(n="n", lead="max(n, 1)", work=f"((n * {_ROOM}) + 4)", info="0", count="0")
    parts = "values" if n.is_complex else f"values, (values + (n * {n.size}))"
    reals = "reals, " if n.is_complex else ""
    return f"""
function {PREFIX}schur_one_{n.short}(t: ptr, u: ptr, values: ptr, n: i64) -> i64:
  bind given: {n.short}[n, n] at t
  set triangle: bool = true
  for j in n:
    for below in ((n - 1) - j):
      set triangle = (triangle & (given[j, ((j + 1) + below)] == {n.number(0.0)}))
  if triangle:
    bind turn: {n.short}[n, n] at u
    bind found: {n.short}[2, n] at values
    for j in n:
      found[0, j] = given[j, j]
      found[1, j] = {n.number(0.0)}
      for i in n:
        turn[j, i] = where((i == j), {n.number(1.0)}, {n.number(0.0)})
    return 0
{words}
  allocate jobs: u8[2]
  jobs[0] = 86u8
  jobs[1] = 78u8
  call room: ptr = malloc((((n * {_ROOM + 1}) + 8) * {n.size}))
  if (room == 0ptr):
    return {NO_ROOM}
  let reals: ptr = (room + (((n * {_ROOM}) + 8) * {n.size}))
  call {n.routine("gees")}(&jobs, (&jobs + 1), 0ptr, {at["n"]}, t, {at["lead"]}, {at["count"]}, \
{parts}, u, {at["lead"]}, room, {at["work"]}, {reals}0ptr, {at["info"]}, 1, 1)
  call free(room)
  return where((integers[3] == 0i32), 0, {WRONG})
"""


def root(n: LapackNumbers) -> str:
    """The root of an upper triangle."""
    return f"""
function {PREFIX}root_one_{n.short}(t: ptr, r: ptr, n: i64) -> i64:
  bind given: {n.short}[n, n] at t
  bind found: {n.short}[n, n] at r
  for j in n:
    for i in n:
      found[j, i] = where((i <= j), given[j, i], {n.number(0.0)})
    let corner: {n.short} = sqrt(given[j, j])
    found[j, j] = corner
    for back in j:
      let k: i64 = ((j - 1) - back)
      let rest: {n.short} = found[j, k]
      let both: {n.short} = (found[k, k] + corner)
      let part: {n.short} = where((rest == {n.number(0.0)}), rest, (rest / both))
      found[j, k] = part
      for i in k:
        found[j, i] = (found[j, i] - (found[k, i] * part))
  return 0
"""


def turnback(n: LapackNumbers) -> str:
    """u t u^H by rows, of an upper triangle t; `p` is room for a matrix."""
    return f"""
function {PREFIX}turnback_one_{n.short}(u: ptr, t: ptr, p: ptr, x: ptr, n: i64) -> i64:
  bind turn: {n.short}[n, n] at u
  bind inner: {n.short}[n, n] at t
  bind half: {n.short}[n, n] at p
  bind found: {n.short}[n, n] at x
  for j in n:
    for i in n:
      half[j, i] = {n.number(0.0)}
    for k in (j + 1):
      let part: {n.short} = inner[j, k]
      for i in n:
        half[j, i] = (half[j, i] + (turn[k, i] * part))
  for i in n:
    for j in n:
      found[i, j] = {n.number(0.0)}
    for k in n:
      let part: {n.short} = half[k, i]
      for j in n:
        found[i, j] = (found[i, j] + (part * {n.conj("turn[k, j]")}))
  return 0
"""


def _begin(n: LapackNumbers, what: str, rooms: int) -> str:
    """Rooms for matrices, the first of which has the operand; NaN for what is not finite."""
    places = "".join(
        f"  let room{k}: ptr = (memory + ((n * n) * {k * n.size}))\n" for k in range(rooms)
    )
    return f"""
function {PREFIX}{what}_one_{n.short}(a: ptr, x: ptr, n: i64) -> i64:
  bind given: {n.short}[n, n] at a
  bind result: {n.short}[n, n] at x
  call memory: ptr = malloc(((((n * n) * {rooms}) + (n * 4)) * {n.size}))
  if (memory == 0ptr):
    return {NO_ROOM}
{places}  let values: ptr = (memory + ((n * n) * {rooms * n.size}))
  bind t: {n.short}[n, n] at room0
  set sound: bool = true
  for i in n:
    for j in n:
      set sound = (sound & is_finite(given[i, j]))
      t[j, i] = given[i, j]
"""


def _nothing(n: LapackNumbers) -> str:
    nan = f"(nan, nan){n.short}" if n.is_complex else n.number("nan")
    return f"""\
  if ((n == 0) | logical_not(sound)):
    for i in n:
      for j in n:
        result[i, j] = {nan}
    call free(memory)
    return 0
"""


def square_root(n: LapackNumbers) -> str:
    """The principal root. NaN for a real matrix that has no real one; where eigenvalues come in
    pairs, it is that of the same matrix of complex numbers.
    """
    return f"""{_begin(n, "sqrtm", 3)}\
  if (sound & (n > 0)):
    call outcome: i64 = {PREFIX}schur_one_{n.short}(room0, room1, values, n)
    set sound = (outcome == 0)
{"" if n.is_complex else _real_roots(n)}{_nothing(n)}\
  call rooted: i64 = {PREFIX}root_one_{n.short}(room0, room2, n)
  call turned: i64 = {PREFIX}turnback_one_{n.short}(room1, room2, room0, x, n)
  call free(memory)
  return 0
"""


def _real_roots(n: LapackNumbers) -> str:
    size = SIZE[n.pair]
    return f"""\
  bind reals: {n.short}[n] at values
  bind turns: {n.short}[n] at (values + (n * {n.size}))
  set pairs: bool = false
  if sound:
    for j in n:
      set pairs = (pairs | (turns[j] != {n.number(0.0)}))
      let below: bool = ((turns[j] == {n.number(0.0)}) & (reals[j] < {n.number(0.0)}))
      set sound = (sound & logical_not(below))
  if (pairs & sound):
    call wider: ptr = malloc(((n * n) * {2 * size}))
    if (wider == 0ptr):
      call free(memory)
      return {NO_ROOM}
    bind wide: {n.pair}[n, n] at wider
    bind found: {n.pair}[n, n] at (wider + ((n * n) * {size}))
    for i in n:
      for j in n:
        wide[i, j] = complex(given[i, j], {n.number(0.0)})
    call outcome: i64 = {PREFIX}sqrtm_one_{n.pair}(wider, (wider + ((n * n) * {size})), n)
    for i in n:
      for j in n:
        result[i, j] = real(found[i, j])
    call free(wider)
    call free(memory)
    return outcome
"""


def logarithm(n: LapackNumbers) -> str:
    """The principal logarithm; NaN for a singular matrix."""
    return f"""{_begin(n, "logm", 5)}\
  bind r: {n.short}[n, n] at room2
  bind total: {n.short}[n, n] at room3
  bind y: {n.short}[n] at room4
  bind logarithms: {n.short}[n] at values
  bind above: {n.short}[n] at (values + (n * {n.size}))
  bind corners: {n.short}[n] at (values + (n * {2 * n.size}))
{_regular_triangle(n)}\
{_nothing(n)}\
  for j in n:
    corners[j] = t[j, j]
    logarithms[j] = log(t[j, j])
    above[j] = t[min((j + 1), (n - 1)), j]
{_roots_near_one(n)}\
{_sum_of_fractions(n)}\
{_exact_elements(n)}\
  call turned: i64 = {PREFIX}turnback_one_{n.short}(room1, room3, room2, x, n)
  call free(memory)
  return 0
"""


def _regular_triangle(n: LapackNumbers) -> str:
    """Schur's triangle in `t`; it is not `sound` where a matrix is singular."""
    words, at = integers(n="n", lead="max(n, 1)", info="0")
    return f"""\
{words}
  for j in n:
    for i in n:
      r[j, i] = t[j, i]
  if (sound & (n > 0)):
    call {n.routine("getrf")}({at["n"]}, {at["n"]}, room2, {at["lead"]}, room3, {at["info"]})
    set sound = (integers[2] == 0i32)
  if (sound & (n > 0)):
    call outcome: i64 = {PREFIX}schur_one_{n.short}(room0, room1, values, n)
    set sound = (outcome == 0)
    for j in n:
      set sound = (sound & (t[j, j] != {n.number(0.0)}))
"""


def _roots_near_one(n: LapackNumbers) -> str:
    """Roots of `t` in its place, until it is near the identity; `scale` is two to their number."""
    one, zero = n.number(1.0), n.number(0.0)
    return f"""\
  set roots: i64 = 0
  set scale: {n.real} = 1.0{n.real}
  set goes: bool = true
  while goes:
    set norm: {n.real} = 0.0{n.real}
    for j in n:
      set size: {n.real} = 0.0{n.real}
      for i in (j + 1):
        set size = (size + abs((t[j, i] - where((i == j), {one}, {zero}))))
      set norm = max(norm, size)
    set goes = ((norm > {_LARGEST_NORM}{n.real}) & (roots < {_MOST_ROOTS}))
    if goes:
      call rooted: i64 = {PREFIX}root_one_{n.short}(room0, room2, n)
      set roots = (roots + 1)
      set scale = (scale * 2.0{n.real})
      for j in n:
        for i in (j + 1):
          t[j, i] = r[j, i]
"""


def _sum_of_fractions(n: LapackNumbers) -> str:
    """`total` is the logarithm of `t`, by its approximant at t - 1, times `scale`."""
    nodes, weights = np.polynomial.legendre.leggauss(_FRACTIONS)
    fractions = "".join(
        f"  nodes[{k}] = {float(node + 1) / 2!r}f64\n  weights[{k}] = {float(weight) / 2!r}f64\n"
        for k, (node, weight) in enumerate(zip(nodes, weights, strict=True))
    )
    one, zero = n.number(1.0), n.number(0.0)
    return f"""\
  allocate nodes: f64[{_FRACTIONS}]
  allocate weights: f64[{_FRACTIONS}]
{fractions}\
  for j in n:
    t[j, j] = (t[j, j] - {one})
    for i in n:
      total[j, i] = {zero}
  for fraction in {_FRACTIONS}:
    let node: {n.short} = complex(nodes[fraction], 0.0{n.real})
    let weight: {n.short} = complex((weights[fraction] * scale), 0.0{n.real})
    for j in n:
      for i in (j + 1):
        y[i] = t[j, i]
      for back in (j + 1):
        let k: i64 = (j - back)
        let part: {n.short} = (y[k] / ({one} + (node * t[k, k])))
        let moved: {n.short} = (part * node)
        y[k] = part
        for i in k:
          y[i] = (y[i] - (t[k, i] * moved))
      for i in (j + 1):
        total[j, i] = (total[j, i] + (weight * y[i]))
"""


def _exact_elements(n: LapackNumbers) -> str:
    """Those on the diagonal of `total`, and beside it, from the triangle as it was."""
    zero = n.number(0.0)
    return f"""\
  for j in n:
    total[j, j] = logarithms[j]
  for j in (n - 1):
    let first: {n.short} = corners[j]
    let second: {n.short} = corners[(j + 1)]
    let gap: {n.short} = (second - first)
    let between: {n.short} = (logarithms[(j + 1)] - logarithms[j])
    let turns: {n.real} = ceil(((imag(between) - {np.pi!r}{n.real}) / {2 * np.pi!r}{n.real}))
    let whole: {n.short} = complex(0.0{n.real}, (turns * {np.pi!r}{n.real}))
    if (gap == {zero}):
      total[(j + 1), j] = (above[j] / first)
    else:
      if (abs(gap) > (abs((first + second)) * 0.5{n.real})):
        total[(j + 1), j] = ((above[j] * between) / gap)
      else:
        let near: {n.short} = (atanh((gap / (first + second))) + whole)
        total[(j + 1), j] = (((above[j] * near) * (2.0, 0.0){n.short}) / gap)
"""
