"""Writes `ops/math/lgamma_roots.py`, by mpmath: `python -m tests.compiler.llvm.lgamma_roots`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mpmath
from mpmath import mpf

FILE = Path(__file__).parents[3] / "src/tensormill/ops/math/lgamma_roots.py"
FIRST, LAST, TERMS = 4, 35, 13
HEADER = '''"""Where lgamma is 0 below -2, and what its neighbours need, as found by mpmath in
tests/compiler/llvm/lgamma_roots.py.

One root lies in each half unit, that of x in row floor(-2x) - 4. A row: the root r as a float and
what is left of it, 1 over the sine of π times its distance from the pole beside it, and
(-1)^k / (k+1)! times the derivative of order k of digamma at 1 - r.
"""

from __future__ import annotations

from typing import Final

FIRST: Final = 4
WINDOW: Final = 0.26  # from the root, where a row is right

# fmt: off
ROWS: Final = (
'''


def root(half: int) -> Any:
    """Between -(half + 1) / 2 and -half / 2, which are poles or places above or below the root."""
    low, high = -mpf(half + 1) / 2, -mpf(half) / 2
    pole = low if half % 2 else high
    sign = 1 if half % 2 else -1
    near, far = mpf(10) ** -30, mpf(1) / 2
    for _ in range(400):
        middle = (near + far) / 2
        positive = mpmath.log(abs(mpmath.gamma(pole + sign * middle))) > 0
        near, far = (middle, far) if positive else (near, middle)
    return pole + sign * near


def row(half: int) -> list[float]:
    with mpmath.workdps(60):
        r = root(half)
        high = float(r)
        terms = [
            (-1) ** k * mpmath.polygamma(k, 1 - r) / mpmath.factorial(k + 1) for k in range(TERMS)
        ]
        inverse = 1 / mpmath.sinpi(r - mpmath.nint(r))
        return [high, float(r - mpf(high)), float(inverse), *map(float, terms)]


def lines() -> list[str]:
    found: list[str] = []
    for half in range(FIRST, LAST + 1):
        line = "    ("
        for number in row(half):
            word = f"{number!r}, "
            if len(line + word) > 98:
                found, line = [*found, line.rstrip()], "     "
            line += word
        found.append(f"{line.rstrip(', ')}),")
    return found


if __name__ == "__main__":
    FILE.write_text(HEADER + "\n".join(lines()) + "\n)\n# fmt: on\n")
