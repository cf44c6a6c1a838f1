"""One place says what functions and calls cost, and all that weighs work asks it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import tensormill as tf
from tensormill.compiler.lock_release import is_long
from tensormill.compiler.loops.costs import known_cost
from tensormill.compiler.loops.functions import KIND, SIGNATURES, SIMPLE, cost_of, cost_on
from tensormill.compiler.loops.ir import CALL, LONG, For, NativeCall, Program, Repeat
from tensormill.compiler.loops.parse import parse
from tensormill.compiler.loops.passes.sums import sum_along_rows
from tensormill.compiler.loops.text import text
from tensormill.compiler.loops.walk import every_statement
from tensormill.compiler.lowering.graphs import lower_graph
from tensormill.compiler.native.interrupts import BUDGET, work_of_turn
from tensormill.core.specs import TensorSpec
from tensormill.graph.builder import trace_graph

IMAGE, FILTERS = TensorSpec([8, 64, 64, 16], tf.float32), TensorSpec([3, 3, 16, 16], tf.float32)
MATRIX = TensorSpec([256, 256], tf.float32)


def lowered(fn: Callable[..., Any], *specs: TensorSpec) -> Program:
    program = lower_graph(trace_graph(fn, specs, "fn").graph).program
    assert program is not None
    return program


def of_loop(body: str, extent: str = "n", more: str = "") -> Program:
    head = f"program f(x: input f32[{extent}], y: output f32[{extent}]"
    head += ", n: i64):" if extent == "n" else "):"
    return parse(f"{head}\n  for i in {extent}:\n    y[i] = {body}\n{more}")


def test_wide_numbers_cost_twice_and_complex_ones_four_times_as_much() -> None:
    assert cost_on("exp", "f32") == cost_of("exp") > SIMPLE
    assert cost_on("exp", "f64") == 2 * cost_of("exp")
    assert cost_on("exp", "c64") == cost_on("exp", "c128") == 4 * cost_of("exp")
    assert cost_on("add", "i64") == 0  # indices


def test_every_function_of_the_language_costs_something() -> None:
    assert all(SIMPLE <= cost_of(function) for function in (*SIGNATURES, "where"))
    assert all(cost_on("where", type_) >= 0 for type_ in KIND)


def test_loops_cost_what_their_iterations_do() -> None:
    once, often = (known_cost(of_loop("exp(x[i])", extent).body) for extent in ("1", "1000"))

    assert often == 1000 * once
    assert known_cost(of_loop("x[i]", "1").body) == once - cost_of("exp")


def test_blocks_cost_what_whole_ones_do() -> None:
    known, unknown, block, turned = (
        known_cost(of_loop("exp(x[i])", "n", f"  for k in {extent}:\n    y[k] = x[k]\n").body)
        for extent in ("1000", "(5000 - n)", "min((5000 - n), 1000)", "min(1000, (5000 - n))")
    )

    assert known == block == turned > unknown


def test_sums_in_blocks_of_columns_cost_what_their_rows_do() -> None:
    source = """\
program f(x: input f32[300, 5000], y: output f32[5000]):
  parfor j in 5000:
    set sum: f32 = 0.0
    for i in 300 reassociate:
      set sum = (sum + x[i, j])
    y[j] = sum
"""
    (loop,) = sum_along_rows(parse(source)).body

    assert isinstance(loop, For)
    assert known_cost(loop.body) > 1000 * 300 * SIMPLE


def of_filters(height: int) -> Callable[..., Any]:
    return lambda x, dy: tf.raw_ops.Conv2DBackpropFilter(
        input=x, filter_sizes=[height, 3, 16, 16], out_backprop=dy, strides=[1, 1, 1, 1],
        padding="SAME",
    )  # fmt: skip


CALLS: dict[str, tuple[Callable[..., Any], tuple[TensorSpec, ...]]] = {
    "tm_gemm": (tf.matmul, (MATRIX, MATRIX)),
    "tm_convolve": (lambda x, f: tf.nn.conv2d(x, f[:2], 1, "SAME"), (IMAGE, FILTERS)),
    "tm_filter_gradient": (of_filters(2), (IMAGE, IMAGE)),
    "tm_winograd": (lambda x, f: tf.nn.conv2d(x, f, 1, "SAME"), (IMAGE, FILTERS)),
    "tm_winograd_gradient": (of_filters(3), (IMAGE, IMAGE)),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_products_and_convolutions_are_long(name: str) -> None:
    """So Python's lock is given up, and loops around them look for signals often."""
    fn, specs = CALLS[name]
    program = lowered(fn, *specs)
    (call,) = (
        one for one in every_statement(program.body)
        if isinstance(one, NativeCall) and one.function.startswith(name)
    )  # fmt: skip
    turns = [one for one in every_statement(lowered(repeated(fn), *specs).body)]
    (loop,) = (one for one in turns if isinstance(one, Repeat))

    assert call.work == LONG
    assert is_long(program)
    assert work_of_turn(loop) >= BUDGET // 16


def repeated(fn: Callable[..., Any]) -> Callable[..., Any]:
    def loop(a: Any, b: Any) -> Any:
        return tf.while_loop(
            lambda k, _: k < 1000, lambda k, total: (k + 1, total + fn(a, b)), [0, fn(a, b) * 0.0]
        )[1]

    return loop


def test_a_call_says_how_long_it_takes() -> None:
    source = "program f():\n  call tm_foo()\n  call tm_bar() pure takes 70\n"
    program = parse(source)
    first, second = program.body

    assert isinstance(first, NativeCall)
    assert isinstance(second, NativeCall)
    assert (first.work, second.work) == (CALL, 70)
    assert text(program) == source
    assert known_cost(program.body) == CALL + 70


def test_short_programs_keep_the_lock() -> None:
    assert not is_long(of_loop("(x[i] + 1.0f32)", "1000"))
    assert is_long(of_loop("(x[i] + 1.0f32)", "1000000"))
    assert is_long(of_loop("(x[i] + 1.0f32)"))  # nobody knows how long


def test_checks_cost_little_more_than_what_they_compare() -> None:
    """A loop of checked accesses is not a loop of calls."""
    checked = of_loop("x[i]", "1000", "  for j in 1000:\n    check (x[j] < 2.0f32) else 0()\n")

    assert not is_long(checked)
