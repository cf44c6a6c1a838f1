"""What statements touch, in programs of any length."""

from __future__ import annotations

from sys import getsizeof

import pytest

from tensormill.compiler.loops.effects import Effects, Gathered, Summaries, independent
from tensormill.compiler.loops.ir import For, Program
from tensormill.compiler.loops.parse import parse
from tensormill.compiler.loops.walk import Block
from tests.visits import visits


def lines(*body: str) -> Program:
    header = "program main(x: input f32[n], y: output f32[n], n: i64):"
    return parse("\n".join([header, *(f"  {line}" for line in body), ""]))


def chain(count: int) -> Program:
    steps = [f"let v{k + 1}: f32 = (v{k} + x[{k}])" for k in range(count)]
    return lines("let v0: f32 = x[0]", *steps)


def size(effects: Effects) -> int:
    return sum(map(getsizeof, (effects.written, effects.touched, effects.used, effects.defined)))


def kept(program: Program) -> int:
    summaries = Summaries()
    return sum(size(summaries.of(one)) for one in program.body)


def test_what_is_known_of_a_statement_is_no_longer_in_a_longer_program() -> None:
    assert kept(chain(1_600)) < 2.2 * kept(chain(800))


def test_statements_keep_their_order_where_one_makes_what_the_other_uses() -> None:
    """In a program of more names than there are bits to tell them apart."""
    count = 600
    summaries, body = Summaries(), chain(count).body
    found = set[tuple[int, int]]()
    for second in range(count + 1):
        for first in {0, 1, 76, 511, 512, second - 513, second - 512, second - 1} & {
            *range(second)
        }:
            gathered = Gathered(summaries)
            gathered.add(body[first])
            if gathered.conflicts(body[second]):
                found.add((first, second))

    assert found == {(one, one + 1) for one in range(count)}


def gathered(summaries: Summaries, body: Block) -> Gathered:
    found = Gathered(summaries)
    for statement in body:
        found.add(statement)
    return found


def test_a_statement_meets_many_in_as_many_steps_as_one() -> None:
    """Also where names share bits, and where nothing is in its way."""

    def steps(count: int) -> int:
        summaries, body = Summaries(), chain(2_400).body
        before = gathered(summaries, body[:count])
        before.conflicts(body[-1])
        return visits(lambda: [before.conflicts(one) for one in body[count + 1 :: 90]])

    assert steps(1_000) <= steps(100)


STEPS: list[tuple[str, list[str], bool]] = [
    ("y[i] = x[i]", [], True),
    ("y[(k + i)] = x[i]", [], True),
    ("y[(i + k)] = (y[(i + k)] + x[i])", [], True),
    ("y[(t + i)] = x[i]", ["let t: i64 = (i * 2)"], False),
    ("y[(k + i)] = y[i]", [], False),
    ("y[(i * k)] = x[i]", [], False),
    ("y[(z[0] + i)] = x[i]", [], False),
]


@pytest.mark.parametrize(("step", "before", "is_independent"), STEPS)
def test_turns_that_write_where_others_do_not_are_independent(
    step: str, before: list[str], is_independent: bool
) -> None:
    body = "".join(f"    {one}\n" for one in (*before, step))
    program = parse(
        "program main(x: input f32[n], y: output f32[n], z: state i64[1], n: i64, k: i64):\n"
        f"  for i in n:\n{body}"
    )
    (loop,) = program.body

    assert isinstance(loop, For)
    assert independent(loop) == is_independent
