"""Which two statements may change places, by what they do outside of memory."""

from __future__ import annotations

import pytest

from tensormill.compiler.loops.effects import Gathered, Summaries
from tensormill.compiler.loops.parse import parse

STATEMENTS = {
    "acts": "call tm_act()",
    "acts in a loop": "for i in n:\n    call tm_act()",
    "leaves": "check (n > 0) else 7(n)",
    "leaves in a loop": "for j in n:\n    check (j > 3) else 7(j)",
    "writes a variable": "v[0] = 1.0f32",
    "reads a variable": "let value: f32 = v[1]",
    "calls": "call r: i64 = tm_pure(n) pure",
    "reads wherever n says": "let some: f32 = x[n]",
    "writes wherever n says": "y[n] = 1.0f32",
    "writes the result": "y[0] = 1.0f32",
    "reads an input": "let first: f32 = x[0]",
    "computes": "let more: i64 = (n + 1)",
}
ACTS = {"acts", "acts in a loop"}
LEAVES = {"leaves", "leaves in a loop"}
TOUCHES_VARIABLES = {"writes a variable", "reads a variable"}
# The check before them may be the one that makes their memory accesses valid.
TRUSTS = {"calls", *ACTS, "reads wherever n says", "writes wherever n says"}


def in_order(one: str, other: str) -> bool:
    """What the table below says: neither may be seen to happen without the other."""
    if one in ACTS:
        return other in ACTS | LEAVES | TOUCHES_VARIABLES
    return one in LEAVES and other in LEAVES | {"writes a variable"} | TRUSTS


@pytest.mark.parametrize("second", STATEMENTS)
@pytest.mark.parametrize("first", STATEMENTS)
def test_statements_keep_their_order_where_the_outside_could_see_it(
    first: str, second: str
) -> None:
    text = f"""program main(x: input f32[4], y: output f32[4], v: state f32[4], n: i64):
  {STATEMENTS[first]}
  {STATEMENTS[second]}
"""
    a, b = parse(text).body
    gathered = Gathered(Summaries())
    gathered.add(a)

    assert (in_order(first, second) or in_order(second, first)) == gathered.keeps_in_order(b)
