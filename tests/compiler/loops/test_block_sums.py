"""Loops whose iterations need one another are not cut into blocks."""

from __future__ import annotations

import pytest

from tensormill.compiler.loops.parse import parse
from tensormill.compiler.loops.passes.block_sums import block_sums, identity
from tensormill.compiler.loops.text import text
from tensormill.compiler.loops.verify import verify

LOOP = """\
program f(x: input f32[n], y: output f32[], n: i64):
  set before: f32 = 0.0
  set most: f32 = 0.0
  for i in n reassociate:
{body}
  y[] = {result}
"""
RUNNING = ["set before = (x[i] + before)", "let sum: f32 = before", "set most = max(most, sum)"]
SHIFTED = ["let last: f32 = before", "set before = x[i]", "set most = max(most, (x[i] - last))"]
LAST = ["set before = x[i]", "set most = max(most, before)"]


@pytest.mark.parametrize(
    ("body", "result"),
    [(RUNNING, "most"), (SHIFTED, "most"), (LAST, "(most + before)")],
    ids=["a running sum", "the number before", "read after the loop"],
)
def test_a_register_that_iterations_share_keeps_them_in_order(body: list[str], result: str) -> None:
    source = LOOP.format(body="\n".join(f"    {line}" for line in body), result=result)
    program = verify(parse(source))

    assert text(block_sums(program)) == source


def test_a_register_that_each_iteration_makes_may_be_cut() -> None:
    source = LOOP.format(body="\n".join(f"    {line}" for line in LAST), result="most")
    source = source.replace("  set before: f32 = 0.0\n", "").replace("before =", "before: f32 =")

    assert "parfor" in text(verify(block_sums(verify(parse(source)))))


def test_sums_begin_with_what_changes_nothing() -> None:
    for function, type_, x in (
        ("add", "f32", 1.5), ("mul", "f64", 1.5), ("add", "i32", 7), ("mul", "u8", 7),
        ("max", "i8", -128), ("min", "i8", 127), ("max", "u8", 0), ("min", "u16", 65535),
        ("max", "f32", float("-inf")), ("min", "f32", float("inf")),
    ):  # fmt: skip
        start = identity(function, type_)
        found = {"add": start + x, "mul": start * x, "max": max(start, x), "min": min(start, x)}
        assert found[function] == x
    for start, x in ((identity("or", "i32"), 6), (identity("or", "bool"), True)):
        assert start | x == x
        assert type(start) is type(x)
    for start, x in ((identity("and", "i32"), 6), (identity("and", "bool"), True)):
        assert start & x == x
        assert type(start) is type(x)
