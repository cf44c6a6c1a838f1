"""The docstring of every pass is its golden test; all of them together keep programs' meaning."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable

import pytest
from hypothesis import given, settings

from tensormill.compiler.loops.parse import parse
from tensormill.compiler.loops.passes import pieces
from tensormill.compiler.loops.passes.fusion import fuse_loops
from tensormill.compiler.loops.passes.interchange import block_transposes
from tensormill.compiler.loops.passes.order import PASSES, Pass, optimise
from tensormill.compiler.loops.passes.sums import sum_along_rows
from tensormill.compiler.loops.text import text
from tensormill.compiler.loops.verify import verify
from tests.compiler.loops.programs import programs, same_results
from tests.fuzz.limits import EXAMPLES

NAMED = list(dict.fromkeys(PASSES))


@pytest.fixture(autouse=True)
def short_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "_LONGEST", 4)
    monkeypatch.setattr(pieces, "_PIECE", 2)


def example(one: Callable[..., object], title: str) -> str:
    """The indented program after a title in a docstring."""
    assert one.__doc__ is not None
    lines = inspect.cleandoc(one.__doc__).split(f"{title}:\n")[1].splitlines()
    body: list[str] = []
    for line in lines:
        if not line.startswith(" " * 4):
            break
        body.append(line)
    return textwrap.dedent("\n".join(body)) + "\n"


@pytest.mark.parametrize("one", NAMED, ids=lambda one: one.__name__)
def test_a_pass_does_what_its_docstring_shows(one: Pass) -> None:
    before = verify(parse(example(one, "Before")))

    assert text(verify(one(before, None))) == example(one, "After")


@pytest.mark.sampled
@pytest.mark.parametrize("one", NAMED, ids=lambda one: one.__name__)
def test_the_examples_mean_the_same(one: Pass) -> None:
    same_results(example(one, "Before"), example(one, "After"))


@settings(max_examples=EXAMPLES or 12, deadline=None)
@given(programs())
def test_all_passes_keep_the_meaning(source: str) -> None:
    program = verify(parse(source))

    same_results(source, text(optimise(program, check=True)))


# What made-up programs seldom have: each means something else where a pass changes it all the same.
HELD_BACK = {
    "a loop reads what the one above it has summed up": """
program f(x: input f32[n], y: output f32[n], n: i64):
  set s: f32 = 0.0
  for i in n:
    set s = (s + x[i])
  for i in n:
    y[i] = (x[i] * s)
""",
    "a loop reads what a later iteration above it has written": """
program f(x: input f32[6], y: output f32[6], z: state f32[6]):
  for i in 5:
    z[i] = x[i]
  for i in 5:
    y[i] = z[(i + 1)]
""",
    "a check of the second loop fails before one of the first": """
program f(x: input f32[n], y: output f32[n], z: output f32[n], n: i64):
  for i in n:
    check (x[i] > (0.0 - 0.5)) else 7(i)
    y[i] = x[i]
  for i in n:
    check (x[i] > 1.0) else 8(i)
    z[i] = x[i]
""",
    "iterations read what others have written, across both axes": """
program f(z: state f32[5, 4]):
  for j in 3:
    for i in 4:
      z[i, (j + 1)] = (z[(i + 1), j] + 1.0)
""",
    "an element is written again, at a place that changes": """
program f(x: input f32[4], y: output f32[4], z: state f32[4]):
  set k: i64 = 0
  for i in 1:
    z[0] = x[1]
    z[k] = 5.0
    y[0] = z[0]
""",
}


@pytest.mark.parametrize("source", HELD_BACK.values(), ids=HELD_BACK)
def test_passes_leave_what_would_mean_something_else(source: str) -> None:
    same_results(source, text(optimise(verify(parse(source)), check=True)))


@pytest.mark.parametrize("one", NAMED, ids=lambda one: one.__name__)
def test_what_a_pass_leaves_alone_stays_the_same_object(one: Pass) -> None:
    lines = "for i in 4:", "  if (x[i] > 0.0):", "    y[i] = x[i]", "  else:", "    y[i] = 0.0"
    head = "program f(x: input f32[4], y: output f32[4]):"
    program = verify(parse("\n  ".join((head, *lines)) + "\n"))

    assert one(program, None).body is program.body


@pytest.mark.parametrize(("function", "loops"), [("exp", 1), ("tanh", 2)])
def test_loops_are_joined_as_far_as_vectors_of_them_are_quickly_made(function: str, loops: int):
    value = f"{function}(" * 15 + "x[i]" + ")" * 15
    each = "\n".join(f"  for i in 64:\n    {name}[i] = {value}" for name in ("a", "b", "c"))
    names = ", ".join(f"{name}: output f32[64]" for name in ("a", "b", "c"))
    program = verify(parse(f"program f(x: input f32[64], {names}):\n{each}\n"))

    assert len(fuse_loops(program).body) == loops


def test_only_what_is_read_across_its_rows_is_written_in_blocks() -> None:
    head = "program f(x: input f32[64, 64], y: output f32[64, 64]):"
    for read, is_left in (("i, j", True), ("j, i", False)):
        lines = "  for i in 64:", "    for j in 64:", f"      y[i, j] = x[{read}]"
        program = verify(parse("\n".join((head, *lines)) + "\n"))
        assert is_left == (block_transposes(program).body is program.body)


@pytest.mark.parametrize(
    ("place", "is_along"),
    [("((i * 50) + r)", True), ("(r + (50 * i))", True), ("((r * 40) + i)", False)],
)
def test_sums_run_along_memory_that_another_shape_counts_through(place: str, is_along: bool):
    head = "program f(x: input f32[2000], m: input f32[40], y: output f32[40]):"
    lines = "  for i in 40:", "    set s: f32 = 0.0", "    for r in 50 reassociate:"
    lines += f"      set s = (s + exp((x[{place}] - m[i])))", "    y[i] = s"
    source = "\n".join((head, *lines)) + "\n"
    program = verify(parse(source))

    assert is_along == (sum_along_rows(program).body is program.body)
    same_results(source, text(optimise(program)))
