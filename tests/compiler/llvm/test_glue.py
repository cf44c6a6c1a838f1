"""Programs that are glue do what they do otherwise; LLVM's passes get their loops, not them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

import tensormill as tf
from tensormill.compiler.llvm.emit import emit
from tensormill.compiler.loops import glue
from tensormill.compiler.loops.glue import is_glue
from tensormill.compiler.loops.ir import Program
from tensormill.compiler.loops.parse import parse
from tensormill.compiler.machine.division import GLUE, divided
from tensormill.compiler.translation import translate
from tensormill.config import settings as configured
from tensormill.graph.builder import trace_graph
from tests.compiler.llvm.test_block_functions import VECTOR, arrays, branches_and_loops, checks
from tests.compiler.llvm.test_emit import WRITTEN, three_ways
from tests.compiler.loops.programs import programs
from tests.compiler.running import Native
from tests.fuzz.limits import EXAMPLES


@pytest.fixture
def everything_is_glue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(glue, "_MANY", -1)
    monkeypatch.setattr(glue, "_TIMES", -(10**9))
    monkeypatch.setattr(configured, "cache_enabled", False)  # the disk has them as one piece
    monkeypatch.setattr(configured, "effort", 2)


@pytest.mark.sampled(among="random programs")
@pytest.mark.usefixtures("everything_is_glue")
@settings(
    max_examples=EXAMPLES or 3,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(programs())
def test_made_up_programs(source: str) -> None:
    three_ways(parse(source), {"n": 5, "m": 3}, {"n": 0, "m": 2})


@pytest.mark.sampled
@pytest.mark.usefixtures("everything_is_glue")
@pytest.mark.parametrize("name", WRITTEN)
def test_written_programs(name: str) -> None:
    three_ways(parse(WRITTEN[name]), {"n": 5, "m": 3}, {"n": 9, "m": 8})


@pytest.mark.sampled
@pytest.mark.usefixtures("everything_is_glue")
@pytest.mark.parametrize("fn", [branches_and_loops, checks, arrays])
def test_it_does_what_eager_code_does(fn: Callable[[Any], Any]) -> None:
    x, native = tf.constant([0.5, -1.0, 2.5, 1.5]), tf.function(fn, input_signature=[VECTOR])

    pairs = zip(tf.nest.flatten(native(x)), tf.nest.flatten(fn(x)), strict=True)
    for found, wanted in pairs:
        assert np.allclose(found.numpy(), wanted.numpy(), rtol=1e-5)


SUM = """
program main(x: input f32[1000], y: output f32[1], z: output f32[1000]):
  set sum: f32 = 0.0
  for i in 1000 reassociate:
    set sum = (sum + x[i])
    z[i] = (x[i] + 1.0)
  y[0] = sum
"""


def test_sums_are_added_in_the_same_order(request: pytest.FixtureRequest) -> None:
    program, x = parse(SUM), np.random.default_rng(1).normal(size=1000).astype(np.float32)
    (whole, parted), z = np.zeros((2, 1), np.float32), np.zeros(1000, np.float32)
    assert Native(program)(x, whole, z) is None
    assert whole != np.add.accumulate(x)[-1]  # which rows of a vector would not give

    request.getfixturevalue("everything_is_glue")
    in_pieces = Native(program)
    assert in_pieces(x, parted, z) is None

    assert is_divided(in_pieces.text)
    assert parted == whole


def is_divided(text: str) -> bool:
    return [one.is_glue for one in divided(text)] == [False, True]


# ---------------------------------------------------------------- which programs are


def rows(count: int, loop: str, size: int, inside: str = "") -> Program:
    """So many loops over numbers, one after the other, each with some instructions before it."""
    lines = [f"program main(x: input f32[{size}], y: output f32[{size}]):"]
    for number in range(count):
        lines += [f"{inside}  let a{number}: f32 = (x[{number}] + x[{number + 1}])"]
        lines += [f"{inside}  for i in {size}{loop}:"]
        lines += [f"{inside}    y[i] = exp((x[i] * a{number}))"]
    return parse("\n".join([*lines, ""]))


def test_long_programs_of_long_loops_are_glue() -> None:
    assert is_glue(rows(300, "", 100_000))
    assert is_glue(rows(150, "", 100_000))
    assert not is_glue(rows(300, "", 301))  # what stands between the loops takes as long
    assert not is_glue(rows(3, "", 100_000))  # too short for a module of its own


def test_passes_get_all_loops_and_no_glue() -> None:
    others, program = divided(emit(rows(300, "", 100_000), "main") + CALL)

    assert "fmul" in others.text
    assert "fmul" not in program.text
    assert "phi" not in program.text
    assert program.text.count("call void @main.kernel.1(") == 300


CALL = """
define i32 @entry(ptr %frame) {
  %result = call i32 @main(ptr %frame)
  ret i32 %result
}
"""


@pytest.mark.parametrize(("size", "is_long"), [(1 << 20, True), (4, False)])
def test_the_entry_of_a_long_program_is_glue(size: int, is_long: bool) -> None:
    graph = trace_graph(lambda x: tf.exp(tf.sin(x)) + 1.0, [tf.TensorSpec([size])]).graph

    text = translate(graph, parameters=1).text

    entry = next(line for line in text.splitlines() if "@entry(" in line)
    assert (GLUE in entry) is is_long
