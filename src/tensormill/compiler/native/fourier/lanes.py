"""Transforms of as many columns as a vector has lanes, all at the same time.

A block has a vector of real and one of imaginary parts for each number of a column: [n, 2, lanes].
A pass reads one block and writes another one, as Stockham does it (Van Loan 1992, "Computational
Frameworks for the Fast Fourier Transform", section 1.7): with n = `done` * r * m

    made[p, j, q] = w^(j p done) * sum over k of w_r^(j k) given[k, p, q]    p < m, q < done

where w is the n-th root of one, exp(-2 pi i / n), and w_r the r-th. After the passes of all of n's
factors everything lies where it belongs, and every access was of whole vectors.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from ....core.process.named_tuples import NamedTuple
from ...loops.functions import REAL_PART, SIZE

RADICES: Final = (8, 4, 2, 3, 5)  # a pass divides by the first that fits
PRIMES: Final = (2, 3, 5)
NUMPYS: Final = (2, 3, 5, 7, 11, 13, 17, 19, 23)  # NumPy's loops take as long as chirps do
MOST_POINTS: Final = 1024  # of a column: its two blocks are on the stack, and in the nearer caches
VECTOR: Final = 64  # bytes

Pair = tuple[str, str]  # the real and the imaginary part of a vector of numbers


class LaneNumbers(NamedTuple):
    """The numbers of a transform: what their parts are called, and how large those are."""

    real: str
    size: int

    @property
    def lanes(self) -> int:
        """How many fill a vector."""
        return VECTOR // self.size

    def number(self, value: float) -> str:
        """A number as the loop language spells it."""
        return f"{value!r}{'' if self.real == 'f32' else self.real}"


def lane_numbers(short: str) -> LaneNumbers:
    """Those of a complex type."""
    real = REAL_PART[short]
    return LaneNumbers(real, SIZE[real])


def functions(name: str, n: LaneNumbers) -> list[str]:
    """`name.passes` and what it calls; `name.splits`: whether it can do a length; `name.is_numpys`:
    whether NumPy's loops know all factors of one.
    """
    steps = [_pass(name, n, radix, last=last) for radix in RADICES for last in (False, True)]
    own, numpys = (_splits(name, *one) for one in (("splits", PRIMES), ("is_numpys", NUMPYS)))
    return [_passes(name), own, numpys, *steps]


# ---------------------------------------------------------------- transforms of a few numbers


class _Sums:
    """Writes vectors that are made of others, each with a number of its own in `v`."""

    def __init__(self, n: LaneNumbers) -> None:
        self.lines: list[str] = []
        self.count = 0
        self.numbers = n

    def vector(self, value: str) -> str:
        """A new vector."""
        name = f"v[{self.count}, n]"
        self.count += 1
        self.set(name, value)
        return name

    def set(self, target: str, value: str) -> None:
        """All lanes of a target."""
        self.lines += [f"for n in {self.numbers.lanes}:", f"  {target} = {value}"]

    def add(self, a: Pair, b: Pair) -> Pair:
        return self.vector(f"({a[0]} + {b[0]})"), self.vector(f"({a[1]} + {b[1]})")

    def subtract(self, a: Pair, b: Pair) -> Pair:
        return self.vector(f"({a[0]} - {b[0]})"), self.vector(f"({a[1]} - {b[1]})")

    def turned(self, a: Pair, b: Pair) -> tuple[Pair, Pair]:
        """a - i b and a + i b."""
        less = self.vector(f"({a[0]} + {b[1]})"), self.vector(f"({a[1]} - {b[0]})")
        more = self.vector(f"({a[0]} - {b[1]})"), self.vector(f"({a[1]} + {b[0]})")
        return less, more

    def weighed(self, *terms: tuple[float, Pair], plus: Pair | None = None) -> Pair:
        """The sum of pairs, each times a factor."""
        return self._weighed(0, terms, plus), self._weighed(1, terms, plus)

    def _weighed(self, part: int, terms: Sequence[tuple[float, Pair]], plus: Pair | None) -> str:
        total = None if plus is None else plus[part]
        for factor, pair in terms:
            word = self.numbers.number(factor)
            total = (
                f"({pair[part]} * {word})"
                if total is None
                else f"fma({pair[part]}, {word}, {total})"
            )
        assert total is not None
        return self.vector(total)


def _two(s: _Sums, x: Sequence[Pair]) -> list[Pair]:
    return [s.add(*x), s.subtract(*x)]


def _three(s: _Sums, x: Sequence[Pair]) -> list[Pair]:
    first, a, b = x
    both, off = s.add(a, b), s.weighed((math.sin(math.pi / 3), s.subtract(a, b)))
    less, more = s.turned(s.weighed((-0.5, both), plus=first), off)
    return [s.add(first, both), less, more]


def _four(s: _Sums, x: Sequence[Pair]) -> list[Pair]:
    even, odd = s.add(x[0], x[2]), s.add(x[1], x[3])
    less, more = s.turned(s.subtract(x[0], x[2]), s.subtract(x[1], x[3]))
    return [s.add(even, odd), less, s.subtract(even, odd), more]


def _five(s: _Sums, x: Sequence[Pair]) -> list[Pair]:
    first, a, b, c, d = x
    outer, inner, outer_off, inner_off = (
        s.add(a, d),
        s.add(b, c),
        s.subtract(a, d),
        s.subtract(b, c),
    )
    near, far = math.cos(2 * math.pi / 5), math.cos(4 * math.pi / 5)
    up, down = math.sin(2 * math.pi / 5), math.sin(4 * math.pi / 5)
    one, four = s.turned(
        s.weighed((near, outer), (far, inner), plus=first),
        s.weighed((up, outer_off), (down, inner_off)),
    )
    two, three = s.turned(
        s.weighed((far, outer), (near, inner), plus=first),
        s.weighed((down, outer_off), (-up, inner_off)),
    )
    return [s.add(first, s.add(outer, inner)), one, two, three, four]


def _eight(s: _Sums, x: Sequence[Pair]) -> list[Pair]:
    """Four of sums, and four of differences times 1, (1 - i) / sqrt(2), -i, (-1 - i) / sqrt(2)."""
    half = s.numbers.number(math.sqrt(0.5))
    less = s.numbers.number(-math.sqrt(0.5))
    sums = [s.add(x[k], x[k + 4]) for k in range(4)]
    second, fourth = s.subtract(x[1], x[5]), s.subtract(x[3], x[7])
    differences = [
        s.subtract(x[0], x[4]),
        (s.vector(f"(({second[0]} + {second[1]}) * {half})"),
         s.vector(f"(({second[1]} - {second[0]}) * {half})")),
        (s.vector(f"({x[2][1]} - {x[6][1]})"), s.vector(f"({x[6][0]} - {x[2][0]})")),
        (s.vector(f"(({fourth[1]} - {fourth[0]}) * {half})"),
         s.vector(f"(({fourth[0]} + {fourth[1]}) * {less})")),
    ]  # fmt: skip
    even, odd = _four(s, sums), _four(s, differences)
    return [one for both in zip(even, odd, strict=True) for one in both]


_SMALL: Final = {2: _two, 3: _three, 4: _four, 5: _five, 8: _eight}


# ---------------------------------------------------------------- passes


def _pass(name: str, n: LaneNumbers, radix: int, *, last: bool) -> str:
    """One pass; the last one has m = 1, and nothing to multiply with."""
    sums = _Sums(n)
    given = [(f"given[{k}, p, q, 0, n]", f"given[{k}, p, q, 1, n]") for k in range(radix)]
    held = [(sums.vector(real), sums.vector(imaginary)) for real, imaginary in given]
    roots = ""
    for j, (real, imaginary) in enumerate(_SMALL[radix](sums, held)):
        if j and not last:
            roots += f"""\
    let real{j}: {n.real} = root[({j} * (p * done)), 0]
    let imaginary{j}: {n.real} = root[({j} * (p * done)), 1]
    let less{j}: {n.real} = ({n.number(0.0)} - imaginary{j})
"""
            made = (
                f"fma({real}, real{j}, ({imaginary} * less{j}))",
                f"fma({real}, imaginary{j}, ({imaginary} * real{j}))",
            )
        else:
            made = real, imaginary
        for part, value in enumerate(made):
            sums.set(f"made[p, {j}, q, {part}, n]", value)
    body = "".join(f"      {line}\n" for line in sums.lines)
    return f"""
apart function {name}.pass{radix}{"last" if last else ""}(x: ptr, y: ptr, roots: ptr, m: i64, \
done: i64):
  bind given: {n.real}[{radix}, m, done, 2, {n.lanes}] at x
  bind made: {n.real}[m, {radix}, done, 2, {n.lanes}] at y
  bind root: {n.real}[({radix} * (m * done)), 2] at roots
  for p in m:
{roots}\
    for q in done:
      allocate v: {n.real}[{sums.count}, {n.lanes}]
{body}"""


def _passes(name: str) -> str:
    """All passes, which use both blocks in turn; where the result is."""
    choices, pad = "", "    "
    for radix in RADICES:
        fits = f"(truncate_modulo(left, {radix}) == 0)"
        if radix == 8:  # two passes of 4 take less than one of 8 and one of 2
            fits = f"({fits} & (left != 16))"
        one = f"{name}.pass{radix}"
        choices += f"""\
{pad}if {fits}:
{pad}  set left = truncate_divide(left, {radix})
{pad}  if (left == 1):
{pad}    call {one}last(from, to, roots, left, done)
{pad}  else:
{pad}    call {one}(from, to, roots, left, done)
{pad}  set done = (done * {radix})
{pad}else:
"""
        pad += "  "
    return f"""
apart function {name}.passes(x: ptr, room: ptr, roots: ptr, n: i64) -> ptr:
  set from: ptr = x
  set to: ptr = room
  set left: i64 = n
  set done: i64 = 1
  while (left > 1):
{choices}\
{pad}set left = 0
    let before: ptr = from
    set from = to
    set to = before
  return from
"""


def _splits(name: str, what: str, primes: Sequence[int]) -> str:
    """Whether n has no prime factors but these."""
    divisions = "".join(
        f"""\
  while ((left > 1) & (truncate_modulo(left, {prime}) == 0)):
    set left = truncate_divide(left, {prime})
"""
        for prime in primes
    )
    return f"""
function {name}.{what}(n: i64) -> bool:
  set left: i64 = n
{divisions}\
  return (left == 1)
"""
