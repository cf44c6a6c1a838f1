"""Which loops LLVM makes vectors of, and which it writes out."""

from __future__ import annotations

import pytest

from tensormill.compiler.llvm.emit import emit
from tensormill.compiler.llvm.exported import exported_as
from tensormill.compiler.loops.parse import parse, parse_function
from tensormill.compiler.loops.passes.order import optimise
from tensormill.compiler.machine.jit import readable


def test_loops_become_vectors() -> None:
    program = parse(
        "program main(x: input f32[n], y: output f32[n], s: output f32[], n: i64):\n"
        "  set sum: f32 = 0.0\n"
        "  for i in n reassociate:\n"
        "    y[i] = exp(x[i])\n"
        "    set sum = (sum + x[i])\n"
        "  s[] = sum\n"
    )
    text = emit(optimise(program), "main").replace("define internal i32", "define i32")

    assert "x float>" in readable(text).ir


def test_loops_around_vectors_stay_loops() -> None:
    """Written out they take LLVM several times as long."""
    assert " phi " in optimised_rows(columns=16)


def test_loops_around_a_few_elements_are_written_out() -> None:
    assert " phi " not in optimised_rows(columns=3)


@pytest.mark.parametrize("columns", [16, 64, 4096])
def test_independent_turns_become_vectors_once(columns: int) -> None:
    """LLVM wrote the vectors, or each number, out several times."""
    text = optimised(ROW.format(columns=columns), "row")

    assert text.count(" store ") <= 4


def test_numbers_are_added_as_they_were_where_vectors_stay_loops() -> None:
    """What the loop says of its vectors would change which products and sums are rounded once."""
    product, total = parse(ROW.format(columns=4096)), parse(ROW_SUM)

    assert "followup" in emit(product, "row")
    assert "followup" not in emit(total, "row")


def optimised(source: str, name: str) -> str:
    text = emit(parse(source), name)
    return readable(text.replace(f"define internal i32 @{name}", f"define i32 @{name}")).ir


ROW = """
program main(x: input f32[{columns}], y: output f32[{columns}]):
  for k in {columns}:
    y[k] = sqrt((x[k] * x[k]))
"""
ROW_SUM = """
program main(x: input f32[4096], y: output f32[]):
  set sum: f32 = 0.0
  for k in 4096 reassociate:
    set sum = (sum + (x[k] * x[k]))
  y[] = sum
"""


def optimised_rows(columns: int) -> str:
    return optimised(ROWS.format(columns=columns), "rows")


ROWS = """
program main(x: input f32[3, 3, {columns}], y: output f32[3, 3, {columns}]):
  for i in 3:
    for j in 3:
      for k in {columns}:
        y[i, j, k] = (x[i, j, k] + x[i, j, k])
"""


def test_vectors_that_a_function_states_are_written_once() -> None:
    """LLVM wrote as many turns of the loop around them as it had room for, one after another."""
    text = exported_as([parse_function(STATED, {})], ["rows"])

    assert readable(text).ir.count(" store <16 x float>") == 1


STATED = """
function rows(x: ptr, y: ptr, n: i64):
  bind given: f32[n, 16] at x
  bind out: f32[n, 16] at y
  for k in n:
    for lane in 16:
      out[k, lane] = (given[k, lane] + out[k, lane])
"""
