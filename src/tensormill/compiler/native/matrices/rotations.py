"""Singular values of small real matrices, for native/lapack.py: by rotating two columns at a time
until all are at right angles (Hestenes 1958; Demmel and Veselić 1992 say how exact that is).

LAPACK takes two microseconds for a matrix of 3×3, most of them before it begins to compute.
"""

from __future__ import annotations

from typing import Final

from ...loops.lapack import LapackNumbers

COLUMNS: Final = 4  # of more, LAPACK is as quick
HEIGHT: Final = 16
_MOST_SWEEPS: Final = 30  # five are enough, as far as anybody knows
# How far from a right angle columns may be: of f32 they are rotated in f64.
_RIGHT: Final = {"f32": 2.0**-30, "f64": 2.0**-51}
# A part of the largest singular value: vectors of smaller ones are LAPACK's.
_LEAST: Final = {"f32": 2.0**-20, "f64": 2.0**-46}


def svd_few(n: LapackNumbers, name: str) -> str:
    """The factors of a finite matrix, without signs that are settled; false where it is LAPACK's:
    too large, or not of full rank, as far as rounding tells.
    """
    short = n.short
    return f"""
function {name}(a: ptr, s: ptr, u: ptr, v: ptr, m: i64, n: i64, vectors: i64) -> bool:
  let k: i64 = min(m, n)
  let height: i64 = max(m, n)
  if (((k > {COLUMNS}) | (height > {HEIGHT})) | (k == 0)):
    return false
  bind x: {short}[m, n] at a
  bind values: {short}[k] at s
  allocate column: f64[{COLUMNS}, {HEIGHT}]
  allocate turned: f64[{COLUMNS}, {COLUMNS}]
  allocate length: f64[{COLUMNS}]
  set largest: f64 = 0.0f64
  for i in m:
    for j in n:
      set largest = max(largest, abs(cast:f64(x[i, j])))
  if (largest == 0.0f64):
    return false
  for i in m:
    for j in n:
      let part: f64 = (cast:f64(x[i, j]) / largest)
      if (m >= n):
        column[j, i] = part
      else:
        column[i, j] = part
  for i in k:
    for j in k:
      turned[i, j] = where((i == j), 1.0f64, 0.0f64)
  set rotated: bool = true
  set sweeps: i64 = 0
  while (rotated & (sweeps < {_MOST_SWEEPS})):
    set rotated = false
    set sweeps = (sweeps + 1)
    for p in (k - 1):
      for step in ((k - 1) - p):
        let q: i64 = ((p + 1) + step)
        set one: f64 = 0.0f64
        set other: f64 = 0.0f64
        set both: f64 = 0.0f64
        for i in height:
          set one = fma(column[p, i], column[p, i], one)
          set other = fma(column[q, i], column[q, i], other)
          set both = fma(column[p, i], column[q, i], both)
        if ((both * both) > ((one * other) * {_RIGHT[short] ** 2!r}f64)):
          set rotated = true
          let cotangent: f64 = ((other - one) / (2.0f64 * both))
          let way: f64 = where((cotangent < 0.0f64), -1.0f64, 1.0f64)
          let root: f64 = sqrt(fma(cotangent, cotangent, 1.0f64))
          let tangent: f64 = (way / (abs(cotangent) + root))
          let cosine: f64 = (1.0f64 / sqrt(fma(tangent, tangent, 1.0f64)))
          let sine: f64 = (cosine * tangent)
          for i in height:
            let first: f64 = column[p, i]
            let second: f64 = column[q, i]
            column[p, i] = ((cosine * first) - (sine * second))
            column[q, i] = ((sine * first) + (cosine * second))
          for i in k:
            let first: f64 = turned[p, i]
            let second: f64 = turned[q, i]
            turned[p, i] = ((cosine * first) - (sine * second))
            turned[q, i] = ((sine * first) + (cosine * second))
  set least: f64 = inff64
  set most: f64 = 0.0f64
  for j in k:
    set total: f64 = 0.0f64
    for i in height:
      set total = fma(column[j, i], column[j, i], total)
    length[j] = sqrt(total)
    set least = min(least, length[j])
    set most = max(most, length[j])
  if (rotated | (least <= (most * {_LEAST[short]!r}f64))):
    return false
  for place in k:
    set best: i64 = 0
    for j in k:
      set best = where((length[j] > length[best]), j, best)
    let size: f64 = length[best]
    length[best] = -1.0f64
    values[place] = cast:{short}((size * largest))
    if (vectors != 0):
      bind left: {short}[m, k] at u
      bind right: {short}[n, k] at v
      if (m >= n):
        for i in m:
          left[i, place] = cast:{short}((column[best, i] / size))
        for i in n:
          right[i, place] = cast:{short}(turned[best, i])
      else:
        for i in m:
          left[i, place] = cast:{short}(turned[best, i])
        for i in n:
          right[i, place] = cast:{short}((column[best, i] / size))
  return true
"""
