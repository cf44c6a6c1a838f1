"""Functions of native/lapack.py that go by eliminating: Cholesky, LU, determinants.

Matrices with NaN or infinities are not LAPACK's: its blocks pass over such numbers now and then.
"""

from __future__ import annotations

from textwrap import indent
from typing import Final

from ...loops.lapack import LapackNumbers

PREFIX: Final = "tm_lapack_"
WRONG: Final = 1
NO_ROOM: Final = 2
BLOCKED: Final = 64  # columns that LAPACK takes together


def integers(**values: str) -> tuple[str, dict[str, str]]:
    """Statements that put integers where LAPACK reads them, and their addresses."""
    lines = [f"  allocate integers: i32[{len(values)}]"]
    lines += [f"  integers[{k}] = cast:i32({value})" for k, value in enumerate(values.values())]
    return "\n".join(lines), {name: f"(&integers + {4 * k})" for k, name in enumerate(values)}


def cholesky(n: LapackNumbers) -> str:
    """In place: of a row-major matrix the lower triangle is the upper one of its transpose. NaN in
    the triangle of a matrix that has no factor.
    """
    words, at = integers(n="n", lead="max(n, 1)", info="0")
    return f"""
function {PREFIX}cholesky_one_{n.short}(a: ptr, n: i64) -> i64:
{words}
  bind factor: {n.short}[n, n] at a
  set finite: bool = true
  for i in n:
    for j in (i + 1):
      set finite = (finite & is_finite(factor[i, j]))
  set fails: bool = false
  if finite:
    allocate half: u8[1]
    half[0] = 85u8
    call {n.routine("potrf")}(&half, {at["n"]}, a, {at["lead"]}, {at["info"]}, 1)
    set fails = (integers[2] != 0i32)
  if logical_not(finite):
    for i in n:
      for j in (i + 1):
        set rest: {n.short} = factor[i, j]
        for k in j:
          set rest = (rest - (factor[i, k] * {n.conj("factor[j, k]")}))
        let root: {n.real} = sqrt(real(rest))
        set fails = (fails | ((i == j) & (real(rest) <= {n.part(0.0)})))
        factor[i, j] = where((i == j), {n.of_real("root")}, (rest / factor[j, j]))
  for i in n:
    for j in n:
      let kept: {n.short} = where(fails, {n.number("nan")}, factor[i, j])
      factor[i, j] = where((j <= i), kept, {n.number(0.0)})
  return 0
"""


def lu(n: LapackNumbers) -> str:
    """In place, by exchanging rows: LAPACK's way, but that complex numbers are as large as their
    absolute value says, and NaN is not larger than a number.
    """
    words, at = integers(n="n", lead="max(n, 1)", info="0")
    by_lapack = f"""\
  if (known & (n > {BLOCKED})):
    call memory: ptr = malloc((((n * n) * {n.size}) + (n * 4)))
    if (memory == 0ptr):
      return {NO_ROOM}
    bind w: {n.short}[n, n] at memory
    for i in n:
      for j in n:
        w[j, i] = x[i, j]
    let exchanges: ptr = (memory + ((n * n) * {n.size}))
    call {n.routine("getrf")}({at["n"]}, {at["n"]}, memory, {at["lead"]}, exchanges, {at["info"]})
    for i in n:
      for j in n:
        x[i, j] = w[j, i]
    bind other: i32[n] at exchanges
    for i in n:
      let k: i64 = (cast:i64(other[i]) - 1)
      let kept: i64 = place[i]
      place[i] = place[k]
      place[k] = kept
    call free(memory)
    return where((integers[2] == 0i32), 0, {WRONG})
"""
    exchanged = """\
      let first: i64 = place[j]
      place[j] = place[row]
      place[row] = first
"""
    checked = f"""\
    if ((pivot == {n.number(0.0)}) | ((j == 0) & is_nan(pivot))):
      return {WRONG}
"""
    return f"""
function {PREFIX}lu_one_{n.short}(a: ptr, order: ptr, n: i64) -> i64:
  bind x: {n.short}[n, n] at a
  bind place: i64[n] at order
  set known: bool = true
  for i in n:
    place[i] = i
    for j in n:
      set known = (known & logical_not(is_nan(x[i, j])))
{words}
{"" if n.is_complex else by_lapack}
{_gauss(n, "x", exchanged, checked)}  return 0
"""


def _gauss(n: LapackNumbers, x: str, exchanged: str, checked: str = "") -> str:
    """The elimination of `x` in place, the largest of a column as pivot; a column of zeros is
    passed over. What is done where rows j and `row` change places, and with each pivot.

    Complex numbers by one that is not finite are NaN, as infinite.quotients says.
    """
    quotient = f"({x}[i, j] / pivot)"
    if n.is_complex:
        nan = f"complex({n.part('nan')}, {n.part('nan')})"
        quotient = f"where(is_finite(pivot), {quotient}, {nan})"
    return f"""\
  for j in n:
    set largest: {n.real} = abs({x}[j, j])
    set row: i64 = j
    for step in ((n - 1) - j):
      let i: i64 = ((j + 1) + step)
      let size: {n.real} = abs({x}[i, j])
      let larger: bool = (size > largest)
      set row = where(larger, i, row)
      set largest = where(larger, size, largest)
    if (row != j):
      for k in n:
        let kept: {n.short} = {x}[j, k]
        {x}[j, k] = {x}[row, k]
        {x}[row, k] = kept
{exchanged}    let pivot: {n.short} = {x}[j, j]
{checked}    let below: i64 = where((pivot == {n.number(0.0)}), 0, ((n - 1) - j))
    for step in below:
      let i: i64 = ((j + 1) + step)
      let factor: {n.short} = {quotient}
      {x}[i, j] = factor
      for right in ((n - 1) - j):
        let k: i64 = ((j + 1) + right)
        {x}[i, k] = ({x}[i, k] - (factor * {x}[j, k]))
"""


def slogdet(n: LapackNumbers) -> str:
    """The sign of a determinant, a number of modulus 1, and the logarithm of its absolute value."""
    words, at = integers(n="n", lead="max(n, 1)", info="0")
    exchanged = f"      set turned = ({n.number(0.0)} - turned)\n"
    eliminated = _gauss(n, "w", exchanged)
    return f"""
function {PREFIX}slogdet_one_{n.short}(a: ptr, turn: ptr, logarithm: ptr, n: i64) -> i64:
  bind x: {n.short}[n, n] at a
  bind turns: {n.short}[1] at turn
  bind logarithms: {n.real}[1] at logarithm
  call memory: ptr = malloc(((((n * n) * {n.size}) + (n * 4)) + 64))
  if (memory == 0ptr):
    return {NO_ROOM}
{words}
  bind w: {n.short}[n, n] at memory
  set finite: bool = true
  for i in n:
    for j in n:
      set finite = (finite & is_finite(x[i, j]))
      w[j, i] = x[i, j]
  set turned: {n.short} = {n.number(1.0)}
  set total: {n.real} = {n.part(0.0)}
  if finite:
    let exchanges: ptr = (memory + ((n * n) * {n.size}))
    call {n.routine("getrf")}({at["n"]}, {at["n"]}, memory, {at["lead"]}, exchanges, {at["info"]})
    bind other: i32[n] at exchanges
    for i in n:
      set turned = where((cast:i64(other[i]) != (i + 1)), ({n.number(0.0)} - turned), turned)
  if logical_not(finite):
    for i in n:
      for j in n:
        w[i, j] = x[i, j]
{indent(eliminated, "  ")}\
  for i in n:
    let pivot: {n.short} = w[i, i]
    let size: {n.real} = abs(pivot)
    set turned = (turned * {_direction(n)})
    set total = (total + log(size))
  turns[0] = turned
  logarithms[0] = total
  call free(memory)
  return 0
"""


def _direction(n: LapackNumbers) -> str:
    """A number of modulus 1, or 0."""
    if not n.is_complex:
        return "sign(pivot)"
    share = "complex((real(pivot) / size), (imag(pivot) / size))"
    return f"where((size == {n.part(0.0)}), {n.number(0.0)}, {share})"
