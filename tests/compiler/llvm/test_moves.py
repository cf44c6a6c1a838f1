"""Loops that only move numbers."""

from __future__ import annotations

import numpy as np
import pytest

from tensormill.compiler.llvm.emit import emit
from tensormill.compiler.loops.parse import parse
from tests.compiler.llvm.test_emit import three_ways
from tests.compiler.running import Native

MOVES = """
program main(x: input f32[n, m], y: output f32[n, m], c: state c64[n], n: i64, m: i64):
  for i in n:
    for j in m:
      y[i, j] = -0.0
    for j in (m - 1):
      y[i, j] = x[((n - 1) - i), (j + 1)]
  allocate d: c64[n]
  parfor i in n:
    d[i] = c[i]
  for i in (n - 2):
    c[i] = (0.0, 0.0)c64
  for i in (n - 1):
    c[(i + 1)] = d[i]
  for i in (n - 1):
    y[(i + 1), 0] = y[i, 0]
"""


def test_moves_are_what_the_loops_were() -> None:
    sizes = [{"n": n, "m": m} for n, m in ((5, 3), (1, 1), (90, 70), (0, 0))]

    three_ways(parse(MOVES), *sizes)


def test_what_only_moves_is_no_loop() -> None:
    """A row is; columns, a shift within a buffer and a zero with a sign are not."""

    def loops_of(statement: str) -> int:
        program = parse(
            "program main(x: input f32[n, 4], y: state f32[n, 4], n: i64):\n"
            f"  for i in n:\n    {statement}\n"
        )
        return emit(program, "main").count("phi")

    assert [0, 0] == [loops_of(row) for row in ("y[2, i] = x[1, (i + n)]", "y[2, i] = 0.0")]
    others = ("y[i, 2] = x[i, 2]", "y[2, (i + 1)] = y[2, i]", "y[2, i] = -0.0", "y[2, 0] = x[1, i]")
    assert [1, 1, 1, 1] == [loops_of(other) for other in others]


@pytest.mark.parametrize("place", ["((k * 16) + i)", "(i + (k * 16))"])
def test_a_row_that_goes_to_a_place_in_a_row_is_one_instruction(place: str) -> None:
    """Heads of attention, say: LLVM took a second for the loops that it had unrolled."""
    program = parse(
        "program main(x: input f32[n, 16], y: output f32[m], n: i64, m: i64):\n"
        f"  for k in n:\n    for i in 16:\n      y[{place}] = x[k, i]\n"
    )
    native = Native(program)
    x, y = np.arange(48.0, dtype=np.float32).reshape(3, 16), np.zeros(48, np.float32)

    assert native.text.count("call void @llvm.memcpy") == 1
    assert native(x, y, 3, 48) is None
    assert y.tolist() == x.reshape(-1).tolist()
