"""Copies of what stays in memory as long as they are read are not made; all others are."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tensormill.compiler.loops.ir import Allocate
from tensormill.compiler.loops.parse import parse
from tensormill.compiler.loops.passes.copies import share_copies
from tensormill.compiler.loops.text import text
from tensormill.compiler.loops.verify import verify
from tensormill.compiler.loops.walk import every_statement
from tests.compiler.loops.programs import same_results

BEGINNING = """\
program f(x: input f32[2, 3], w: state f32[3, 3], y: output f32[2, 3], n: i64):
  allocate a: f32[2, 3]
  for i in 6:
    a[flat i] = tanh(x[flat i])
  allocate c: f32[1, 6]
"""
COPY = """\
  for i in 2:
    for j in 3:
      c[0, ((i * 3) + j)] = a[i, j]
"""
OF_STATE = """\
  allocate d: f32[3, 3]
  for i in 9:
    d[flat i] = w[flat i]
"""
END = """\
  for i in 2:
    for j in 3:
      y[i, j] = c[0, ((i * 3) + j)]
"""
PRODUCT = "  call tm_gemm_f32(&c, &w, &y, 1, 2, 3, 3, 0, 0, 0) reads c, w writes y\n"


def spared(source: str) -> int:
    """How many buffers are not there after the pass."""
    program = verify(parse(source))
    shorter = verify(share_copies(program))
    same_results(source, text(shorter))
    return _buffers(program.body) - _buffers(shorter.body)


def _buffers(body: tuple[object, ...]) -> int:
    return sum(isinstance(one, Allocate) for one in every_statement(body))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "copy",
    [
        COPY,
        "  for i in 6:\n    c[flat i] = a[flat i]\n",
        "  parfor i in 6:\n    let t: f32 = a[flat i]\n    c[0, i] = t\n",
        "  for k in 1:\n    for i in 6:\n      c[k, i] = a[flat i]\n",
        COPY.replace("a[i, j]", "x[i, j]"),
        COPY.replace("(i * 3)", "(3 * i)"),
    ],
)
def test_all_elements_in_their_order_are_read_where_they_lie(copy: str) -> None:
    assert spared(BEGINNING + copy + END) == 1
    assert spared(BEGINNING + copy + PRODUCT) == 1


def test_a_copy_of_a_copy_is_none_either() -> None:
    again = "  allocate d: f32[6]\n  for i in 6:\n    d[i] = c[0, i]\n"

    assert spared(BEGINNING + COPY + again + END.replace("c[0, ", "d[")) == 2


def test_a_variable_may_be_written_after_the_last_reader() -> None:
    read = "  for i in 6:\n    y[flat i] = d[flat i]\n"

    assert spared(BEGINNING + OF_STATE + read + "  w[0, 0] = 5.0\n") == 1
    assert spared(BEGINNING + OF_STATE + "  w[0, 0] = 5.0\n" + read) == 0


def test_sizes_need_not_be_known_where_shapes_are_the_same() -> None:
    head = "program f(x: input f32[n, m], y: output f32[n, m], n: i64, m: i64):\n"
    make = "  allocate c: f32[n, m]\n"
    loops = "  for i in n:\n    for j in m:\n      {0}[i, j] = {1}[i, j]\n"

    assert spared(head + make + loops.format("c", "x") + loops.format("y", "c")) == 1


HELD_BACK = {
    "what is copied is written before the copy is read": COPY + "  a[1, 1] = 3.0\n",
    "a loop that reads the copy writes what was copied": COPY
    + "  for i in 6:\n    a[flat i] = (c[0, i] + a[flat (5 - i)])\n",
    "the copy is written again": COPY + "  c[0, 2] = 7.0\n",
    "the copy is written before": "  c[0, 2] = 7.0\n  y[0, 0] = c[0, 2]\n" + COPY,
    "a part is copied": "  for i in 6:\n    c[0, i] = 0.5\n" + COPY.replace("in 2", "in 1"),
    "rows are copied in another order": COPY.replace("a[i, j]", "a[(1 - i), j]"),
    "columns are rows": "  for i in 2:\n    for j in 3:\n      c[0, ((j * 2) + i)] = a[i, j]\n",
    "each is changed": COPY.replace("a[i, j]", "(a[i, j] * 2.0)"),
    "an element is spread": COPY.replace("a[i, j]", "a[i, 0]"),
    "what is copied goes through numbers": COPY.replace("a[i, j]", "a[flat (((i * 3) + j) * j)]")
    .replace("in 2", "in 1") + "  for i in 6:\n    c[0, i] = 0.5\n",
    "its memory is written through a pointer": "  bind p: f32[6] at &a\n" + COPY
    + "  p[3] = 9.0\n",
}  # fmt: skip


@pytest.mark.parametrize("middle", HELD_BACK.values(), ids=HELD_BACK)
def test_a_copy_stays_where(middle: str) -> None:
    assert spared(BEGINNING + middle + END) == 0


def test_a_variable_is_copied_before_python_may_assign_to_it() -> None:
    program = verify(parse(BEGINNING + OF_STATE + "  call tm_callback_0(0)\n"
                           "  for i in 6:\n    y[flat i] = d[flat i]\n"))  # fmt: skip

    assert share_copies(program).body is program.body


SHAPES = "6", "2, 3", "3, 2", "1, 6"


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Copies of copies, with changes of anything between them."""
    lines = ["program f(x: input f32[6], w: state f32[2, 3], y: output f32[6]):"]
    lines += ["  for i in 6:", "    y[i] = 0.5"]
    stored = ["x", "w", "y"]
    for number in range(draw(st.integers(1, 8))):
        one, other = draw(st.sampled_from(stored)), draw(st.sampled_from(stored[1:]))
        place = draw(st.sampled_from(["i", "i", "i", "(5 - i)"]))
        kind = draw(st.sampled_from(["copy", "copy", "copy", "change", "element", "turns", "if"]))
        if kind == "copy":
            shape, new = draw(st.sampled_from(SHAPES)), f"t{number}"
            lines += [f"  allocate {new}: f32[{shape}]", "  for i in 6:"]
            lines += [f"    {new}[flat i] = {one}[flat {place}]"]
            stored.append(new)
        elif kind == "change":
            lines += ["  for i in 6:", f"    {other}[flat i] = ({one}[flat {place}] * 0.5)"]
        elif kind == "element":
            lines += [f"  {other}[flat 3] = {one}[flat 2]"]
        elif kind == "turns":
            lines += ["  for k in 2:", "    allocate e: f32[2, 3]", "    for i in 6:"]
            lines += [f"      e[flat i] = {one}[flat i]", f"    {other}[flat k] = e[1, k]"]
            lines += ["    y[k] = e[0, k]"]
        else:
            lines += [f"  if ({one}[flat 0] > 0.0):", f"    {other}[flat 1] = 2.0"]
    lines += ["  for i in 6:", f"    y[i] = (y[i] + {stored[-1]}[flat i])"]
    return "\n".join(lines) + "\n"


@settings(max_examples=200, deadline=None)
@given(programs())
def test_programs_of_copies_keep_their_meaning(source: str) -> None:
    spared(source)
