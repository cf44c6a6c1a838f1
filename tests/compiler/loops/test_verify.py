from __future__ import annotations

import pytest

from tensormill.compiler.loops.ir import Apply, Literal, Load, Program, Store
from tensormill.compiler.loops.parse import parse
from tensormill.compiler.loops.verify import verify
from tensormill.errors import InternalError

HEADER = "program main(x: input f32[4], y: output f32[4], i: i64):\n"
WRONG = [
    ("x[i] = 1.0", "never written"),
    ("y[i, i] = 1.0", "1 axes, not 2"),
    ("y[i] = 1", "y is f32, its value i64"),
    ("y[1.0] = 1.0", "i64 is wanted, not f32"),
    ("let a: f32 = 1\n  y[i] = a", "a is f32, its value i64"),
    ("let i.1: i64 = 1\n  for k in 2.0:\n    pass", "i64 is wanted"),
    ("if 1:\n    pass", "bool is wanted"),
    ("together i turns:\n    y[0] = 1.0\n  beside i turns:\n    pass", "y is written"),
    (
        "allocate t: f32[4]\n  together i turns:\n    t[0] = 1.0\n"
        "  beside i turns:\n    let a: f32 = t[1]",
        "t is of more than one side",
    ),
    (
        "set a: f32 = 0.0\n  together i turns:\n    set a = 1.0\n"
        "  beside i turns:\n    set a = 2.0",
        "a is of more than one side",
    ),
    (
        "set l: ptr = 0ptr\n  together i turns:\n    call n: i64 = tm_list_length(frame, l)\n"
        "  beside i turns:\n    call m: i64 = tm_list_length(frame, l)",
        "l is of more than one side",
    ),
    (
        "together i turns:\n    call tm_bar()\n  beside i turns:\n    pass",
        "tm_bar is called in order",
    ),
    ("together 1.0 turns:\n    pass", "i64 is wanted"),
    ("set a: f32 = 0.0\n  parfor k in 4:\n    set a = 1.0", "parallel loop that did not make it"),
    ("allocate t: f32[x[0]]", "i64 is wanted"),
    ("set a: i64 = 2\n  allocate t: f32[a]", "must stay what they are"),
    ("allocate k: i64[1]\n  allocate t: f32[k[0]]", "must stay what they are"),
    ("check true else 1(1, 2, 3, 4, 5, 6, 7, 8, 9)", "at most 8"),
    ("bind p: f32[4] at i", "ptr is wanted"),
]


@pytest.mark.parametrize(("lines", "words"), WRONG)
def test_nonsense_is_refused(lines: str, words: str) -> None:
    with pytest.raises(InternalError, match=words):
        verify(parse(f"{HEADER}  {lines}\n"))


def test_names_end_with_their_block() -> None:
    source = f"{HEADER}  if (i < 2):\n    let a: f32 = 1.0\n  y[0] = a\n"

    with pytest.raises(InternalError, match="a is not known here"):
        verify(parse(source))


def test_memory_that_is_not_allocated_cannot_be_used() -> None:
    source = f"{HEADER}  if (i < 2):\n    allocate t: f32[4]\n  t[0] = 1.0\n"

    with pytest.raises(InternalError, match="buffer t is not known here"):
        verify(parse(source))


def test_types_of_functions_are_checked() -> None:
    good = parse(f"{HEADER}  y[i] = x[i]\n")
    x, y = (entry for entry in good.frame[:2])
    zero = Literal(0, "i64")
    wrong = Apply("add", (Load(x, (zero,)), zero), "f32")  # type: ignore[arg-type]
    program = Program("main", good.frame, (Store(y, (zero,), wrong),))  # type: ignore[arg-type]

    with pytest.raises(InternalError, match="add of different types"):
        verify(program)


def test_the_message_stands_under_the_statement() -> None:
    with pytest.raises(InternalError) as caught:
        verify(parse(f"{HEADER}  y[0] = 1.0\n  x[i] = 1.0\n"))

    lines = str(caught.value).splitlines()
    assert lines[-1].strip().startswith("^ x is an input")
    assert lines[-2].strip() == "x[i] = 1.0"
