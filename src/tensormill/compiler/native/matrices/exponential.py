"""Exponentials of matrices: the (7, 7) Padé approximant, scaled and squared (Higham 2005).

With p(A) = u + v, of which u has the odd powers, exp(A) is about (v - u)^-1 (v + u). The matrix is
halved until the sums of its rows are at most 0.95. The denominator's rows are then dominated by
their diagonal (what is beside it adds up to 0.61 of it at most): small systems need no pivots.
Larger ones, and larger products, are LAPACK's, for which every matrix is its transpose.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...loops.lapack import LapackNumbers
from .elimination import NO_ROOM, PREFIX, integers

# Coefficients of x^0 to x^7, and up to which sums of rows the approximant is exact in 64 bits.
PADE: Final = (17297280.0, 8648640.0, 1995840.0, 277200.0, 25200.0, 1512.0, 56.0, 1.0)
LARGEST_NORM: Final = 0.95
_SMALL: Final = 8  # rows of matrices for which loops are quicker than LAPACK
_TINY: Final = 2.0**-64  # sums of rows are added up as such a part, so that none is infinite
_ROOMS: Final = 6


def functions(n: LapackNumbers) -> list[str]:
    """The exponential of a matrix, and what it calls."""
    return [_exponential(n), _scaled(n), _product(n), _quotient(n)]


def names(n: LapackNumbers) -> list[str]:
    """What the first of them calls."""
    return [f"{PREFIX}{what}_one_{n.short}" for what in ("scaled", "product", "quotient")]


def _exponential(n: LapackNumbers) -> str:
    def times(a: str, b: str, out: str) -> str:
        return f"call done{out}: i64 = {PREFIX}product_one_{n.short}({a}, {b}, {out}, n)"

    return f"""
function {PREFIX}expm_one_{n.short}(a: ptr, x: ptr, n: i64) -> i64:
  let bytes: i64 = ((n * n) * {n.size})
  call memory: ptr = malloc((((bytes * {_ROOMS}) + (n * 4)) + 64))
  if (memory == 0ptr):
    return {NO_ROOM}
  let first: ptr = memory
  let second: ptr = (memory + bytes)
  let fourth: ptr = (memory + (bytes * 2))
  let sixth: ptr = (memory + (bytes * 3))
  let odd: ptr = (memory + (bytes * 4))
  let even: ptr = (memory + (bytes * 5))
  let exchanges: ptr = (memory + (bytes * {_ROOMS}))
  call squarings: i64 = {PREFIX}scaled_one_{n.short}(a, first, n)
  if (squarings < 0):
    bind nothing: {n.short}[(n * n)] at x
    for k in (n * n):
      nothing[k] = {_nan(n)}
    call free(memory)
    return 0
  {times("first", "first", "second")}
  {times("second", "second", "fourth")}
  {times("second", "fourth", "sixth")}
  bind squares: {n.short}[(n * n)] at second
  bind fourths: {n.short}[(n * n)] at fourth
  bind sixths: {n.short}[(n * n)] at sixth
  bind odds: {n.short}[(n * n)] at odd
  bind evens: {n.short}[(n * n)] at even
  for k in (n * n):
    odds[k] = {_sum(n, PADE[3::2], ("squares", "fourths", "sixths"))}
    evens[k] = {_sum(n, PADE[2::2], ("squares", "fourths", "sixths"))}
  for k in n:
    odds[(k * (n + 1))] = (odds[(k * (n + 1))] + {n.number(PADE[1])})
    evens[(k * (n + 1))] = (evens[(k * (n + 1))] + {n.number(PADE[0])})
  {times("first", "odd", "fourth")}
  # v - u in the place of the squares, v + u where the result is wanted or will be squared
  bind found: {n.short}[(n * n)] at x
  for k in (n * n):
    squares[k] = (evens[k] - fourths[k])
    found[k] = (evens[k] + fourths[k])
  call solved: i64 = {PREFIX}quotient_one_{n.short}(second, x, exchanges, n)
  for round in squarings:
    {times("x", "x", "even")}
    for k in (n * n):
      found[k] = evens[k]
  call free(memory)
  return 0
"""


def _sum(n: LapackNumbers, factors: Sequence[float], powers: Sequence[str]) -> str:
    """The sum of some matrices' elements at k, each times a factor."""
    terms = [
        f"({one}[k] * {n.number(factor)})" for factor, one in zip(factors, powers, strict=True)
    ]
    return f"(({terms[0]} + {terms[1]}) + {terms[2]})"


def _nan(n: LapackNumbers) -> str:
    return f"(nan, nan){n.short}" if n.is_complex else n.number("nan")


def _scaled(n: LapackNumbers) -> str:
    """A matrix, halved until it is small enough; how often, -1 where it is not finite."""
    return f"""
function {PREFIX}scaled_one_{n.short}(a: ptr, x: ptr, n: i64) -> i64:
  bind given: {n.short}[n, n] at a
  bind found: {n.short}[n, n] at x
  set norm: {n.real} = {n.part(0.0)}
  set finite: bool = true
  for i in n:
    set total: {n.real} = {n.part(0.0)}
    for j in n:
      set finite = (finite & is_finite(given[i, j]))
      set total = (total + (abs(given[i, j]) * {n.part(_TINY)}))
    set norm = max(norm, total)
  if logical_not(finite):
    return -1
  set halvings: i64 = 0
  set scale: {n.real} = {n.part(1.0)}
  while (norm > {n.part(LARGEST_NORM * _TINY)}):
    set norm = (norm * {n.part(0.5)})
    set scale = (scale * {n.part(0.5)})
    set halvings = (halvings + 1)
  for i in n:
    for j in n:
      found[i, j] = (given[i, j] * {n.of_real("scale")})
  return halvings
"""


def _product(n: LapackNumbers) -> str:
    words, at = integers(n="n")
    return f"""
function {PREFIX}product_one_{n.short}(a: ptr, b: ptr, x: ptr, n: i64) -> i64:
  if (n > {_SMALL}):
{_indented(words)}
    allocate letter: u8[1]
    allocate factors: {n.short}[2]
    letter[0] = 78u8
    factors[0] = {n.number(1.0)}
    factors[1] = {n.number(0.0)}
    call {n.routine("gemm")}(&letter, &letter, {at["n"]}, {at["n"]}, {at["n"]}, &factors, b, \
{at["n"]}, a, {at["n"]}, (&factors + {n.size}), x, {at["n"]}, 1, 1)
    return 0
  bind left: {n.short}[n, n] at a
  bind right: {n.short}[n, n] at b
  bind found: {n.short}[n, n] at x
  for i in n:
    for j in n:
      found[i, j] = {n.number(0.0)}
    for k in n:
      let part: {n.short} = left[i, k]
      for j in n:
        found[i, j] = (found[i, j] + (part * right[k, j]))
  return 0
"""


def _quotient(n: LapackNumbers) -> str:
    """b becomes a^-1 b; a is lost. Both are polynomials in one matrix, so their order is none."""
    words, at = integers(n="n", info="0")
    return f"""
function {PREFIX}quotient_one_{n.short}(a: ptr, b: ptr, exchanges: ptr, n: i64) -> i64:
  if (n > {_SMALL}):
{_indented(words)}
    allocate letter: u8[1]
    letter[0] = 78u8
    call {n.routine("getrf")}({at["n"]}, {at["n"]}, a, {at["n"]}, exchanges, {at["info"]})
    call {n.routine("getrs")}(&letter, {at["n"]}, {at["n"]}, a, {at["n"]}, exchanges, b, \
{at["n"]}, {at["info"]}, 1)
    return 0
  bind given: {n.short}[n, n] at a
  bind found: {n.short}[n, n] at b
  for k in n:
    let pivot: {n.short} = ({n.number(1.0)} / given[k, k])
    for below in ((n - 1) - k):
      let i: i64 = ((k + 1) + below)
      let part: {n.short} = (given[i, k] * pivot)
      for after in ((n - 1) - k):
        let j: i64 = ((k + 1) + after)
        given[i, j] = (given[i, j] - (part * given[k, j]))
      for j in n:
        found[i, j] = (found[i, j] - (part * found[k, j]))
  for back in n:
    let i: i64 = ((n - 1) - back)
    for after in back:
      let k: i64 = ((i + 1) + after)
      let part: {n.short} = given[i, k]
      for j in n:
        found[i, j] = (found[i, j] - (part * found[k, j]))
    let pivot: {n.short} = ({n.number(1.0)} / given[i, i])
    for j in n:
      found[i, j] = (found[i, j] * pivot)
  return 0
"""


def _indented(lines: str) -> str:
    return "\n".join(f"  {line}" for line in lines.splitlines())
