from __future__ import annotations

import pytest
from hypothesis import given, settings

from tensormill.compiler.loops.parse import parse
from tensormill.compiler.loops.text import text
from tests.compiler.loops.programs import programs

EVERYTHING = """\
program main(x: input f32[n, 4], y: output f32[n, 4], s: state c64[], k: constant i8[3], n: i64):
  constant c: f32[2, 2] = [1.0, 2.0, 3.0, 4.0]
  constant z: c64[1] = bytes 0000803f00000000
  allocate t: f32[n, (n + 1)]
  parfor i in n:
    set acc: f32 = 0.0
    for j in 4 reassociate:
      set acc = (acc + (x[i, j] * c[0, 1]))
      t[flat (i * 4)] = tanh(x[i, j])
    let k.1: i32 = cast:i32(acc)
    y[i, 0] = where((acc < inf), acc, -1e-05)
    check (k.1 != -3i32) else 2(i, 5)
  while:
    set acc = nan
  holds true:
    call r: i64 = tm_foo(frame, &x, n, 0.5f64, (1.0, -2.0)c64) reads x, y writes t pure
    bind p: i8[4] at (&x + 16)
    if (p[0] == k[1]):
      pass
    else:
      call tm_bar()
    s[] = (z[0] * s[])
  together n turns:
    set acc = 1.0
  beside (n + 1) turns:
    pass
  beside 3 turns:
    t[0, 0] = 2.0
"""


def test_every_construct_is_printed_and_read_back() -> None:
    assert text(parse(EVERYTHING)) == EVERYTHING


@settings(max_examples=25, deadline=None)
@given(programs())
def test_generated_programs_are_read_back(source: str) -> None:
    printed = text(parse(source))

    assert text(parse(printed)) == printed


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("let a: f32 = b", "b is not known"),
        ("y[0] = 1.0", "no buffer y"),
        ("x[0] = exp(1.0", "expected more"),
        ("x[0] = frobnicate(1.0)", "no function frobnicate"),
        ("x[0] = 1.0 2.0", "more than one statement, found '2.0'\n  x\\[0\\] = 1.0 2.0\n *\\^"),
        ("x[0] = $", "line 2: cannot read"),
    ],
)
def test_what_is_no_program_is_refused(line: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        parse(f"program main(x: output f32[1]):\n  {line}\n")
