"""Long rows of `Let`s in pieces mean what they meant, wherever they stand."""

from __future__ import annotations

import re
from typing import Any

import pytest

import tensormill as tf
from tensormill.compiler.llvm.emit import emit
from tensormill.compiler.loops.parse import parse
from tensormill.compiler.loops.passes.pieces import cut_long_code
from tensormill.compiler.loops.text import text
from tensormill.compiler.loops.verify import verify
from tensormill.compiler.translation import translate
from tensormill.graph.builder import trace_graph
from tests.compiler.loops.programs import same_results

HEAD = "program f(x: input f32[4], z: input c64[4], k: input i32[4], n: i64, y: output f32[8]):"


def row(count: int, indent: str = "  ") -> list[str]:
    """Numbers of several types, each made of one before it and of one long before it."""
    lines = [
        "let a0: f32 = x[0]",
        "let b0: c64 = z[0]",
        "let c0: i32 = k[0]",
        "let t0: bool = (x[0] < x[1])",
    ]
    for j in range(1, count):
        far = max(0, j - 25)
        lines += [
            f"let a{j}: f32 = where(t{far}, tanh((a{j - 1} + x[{j % 4}])), a{far})",
            f"let b{j}: c64 = ((b{j - 1} + b{far}) * z[{j % 4}])",
            f"let c{j}: i32 = (c{far} + k[{j % 4}])",
            f"let t{j}: bool = (a{j} < a{far})",
        ]
    last = count - 1
    stores = [
        f"y[0] = a{last}",
        f"y[1] = real(b{last})",
        f"y[2] = where((c{last} < c3), a{last}, x[0])",
        f"y[3] = where(t3, a{last}, x[0])",
    ]
    return [indent + line for line in [*lines, *stores]]


def in_a_choice(count: int) -> list[str]:
    return ["  if (x[0] < x[1]):", *row(count, "    "), "  else:", "    y[4] = x[2]"]


def in_a_loop(count: int) -> list[str]:
    return ["  for i in 2:", *row(count, "    "), "    y[(i + 4)] = a3"]


@pytest.mark.parametrize("lines", [row, in_a_choice])
def test_pieces_mean_the_same(lines: Any) -> None:
    source = "\n".join([HEAD, *lines(120), ""])
    cut = text(verify(cut_long_code(verify(parse(source)))))

    assert cut.count("for piece") > 4
    same_results(source, cut)


def test_a_row_in_a_loop_stays() -> None:
    program = parse("\n".join([HEAD, *in_a_loop(120), ""]))

    assert cut_long_code(program) is program


def longest_function(count: int) -> int:
    """In lines of LLVM IR, of the gradient of so many steps of a number."""

    def steps(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in range(count):
                y = tf.tanh(y * x)
        return tape.gradient(y, x)

    module = translate(trace_graph(steps, [tf.TensorSpec(())]).graph, 1).text
    return max(len(one.splitlines()) for one in re.split(r"^}", module, flags=re.MULTILINE))


def test_no_function_grows_with_the_row() -> None:
    assert longest_function(200) < 1.5 * longest_function(100)


def test_steps_that_differ_in_numbers_share_a_function() -> None:
    def kernels(count: int) -> int:
        lines = [f"  let a{j + 1}: f32 = (sin((a{j} * {j}.5)) + 0.{j + 1})" for j in range(count)]
        source = "\n".join([HEAD, "  let a0: f32 = x[0]", *lines, f"  y[0] = a{count}", ""])
        return emit(cut_long_code(verify(parse(source))), "main").count("define internal void")

    assert kernels(400) == kernels(1000)


def test_rows_that_take_llvm_no_longer_than_pieces_stay() -> None:
    program = parse("\n".join([HEAD, *row(30), ""]))

    assert cut_long_code(program) is program
