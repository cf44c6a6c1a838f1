"""Blocks in parts do what they do in one piece, and functions do not grow with the program."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

import tensormill as tf
from tensormill.compiler.llvm import block_functions
from tensormill.compiler.llvm.emit import emit
from tensormill.compiler.loops.parse import parse
from tensormill.compiler.loops.passes.order import optimise
from tensormill.compiler.lowering.graphs import lower_graph
from tensormill.config import settings as configured
from tensormill.core.specs import TensorSpec
from tensormill.graph.builder import trace_graph
from tensormill.graph.passes.order import simplify
from tests.compiler.llvm.test_emit import WRITTEN, three_ways
from tests.compiler.loops.programs import programs
from tests.fuzz.limits import EXAMPLES
from tests.visits import visits

VECTOR = TensorSpec([None], tf.float32)


@pytest.fixture
def short_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every block is cut, into parts of two statements."""
    monkeypatch.setattr(block_functions, "LONG", 0)
    monkeypatch.setattr(block_functions, "PART", 2)
    monkeypatch.setattr(configured, "cache_enabled", False)  # the disk has them in one piece


@pytest.mark.sampled(among="random programs")
@pytest.mark.usefixtures("short_parts")
@settings(
    max_examples=EXAMPLES or 4,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(programs())
def test_made_up_programs(source: str) -> None:
    three_ways(parse(source), {"n": 5, "m": 3}, {"n": 0, "m": 2})


@pytest.mark.sampled
@pytest.mark.usefixtures("short_parts")
@pytest.mark.parametrize("name", WRITTEN)
def test_written_programs(name: str) -> None:
    three_ways(parse(WRITTEN[name]), {"n": 5, "m": 3}, {"n": 9, "m": 8})


# ---------------------------------------------------------------- what users write


def branches_and_loops(x: Any) -> Any:
    total, k = tf.reduce_sum(x), tf.constant(0)
    z = tf.complex(total, x[0])
    while k < 5:
        y = x * tf.cast(k, tf.float32)
        if tf.reduce_sum(y) > 3.0:
            z, total = z * z, total + y[0]
        else:
            x = tf.concat([x, y], 0)
        k += 1
    return x, z, total, k


def checks(x: Any) -> Any:
    tf.debugging.assert_less(x, 5.0)
    y = tf.gather(x, [0, 1])
    tf.debugging.assert_less(y, 3.0)
    return tf.reshape(tf.concat([x, y], 0), [2, -1]) * y[1]


def arrays(x: Any) -> Any:
    rows = tf.TensorArray(tf.float32, size=0, dynamic_size=True, element_shape=[None])
    for k in tf.range(4):
        rows = rows.write(k, tf.sort(x) * tf.cast(k, tf.float32))
    return rows.stack(), tf.linalg.matmul(rows.stack(), rows.stack(), transpose_b=True)


def calls_of_python(x: Any) -> Any:
    y = tf.numpy_function(lambda x: x + 1, [x * 2.0], tf.float32)
    return tf.reshape(y, tf.shape(x)) * x, tf.strings.length(tf.strings.as_string(x))


def gradient(x: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        for _ in range(5):
            y = tf.tanh(y) * x + tf.reduce_sum(y)
    return tape.gradient(y, x)


@pytest.mark.sampled
@pytest.mark.usefixtures("short_parts")
@pytest.mark.parametrize("fn", [branches_and_loops, checks, arrays, calls_of_python, gradient])
@pytest.mark.parametrize("values", [[1.0, 2.0], [0.5, -1.0, 2.5, 1.5]])
def test_it_does_what_eager_code_does(fn: Callable[[Any], Any], values: list[float]) -> None:
    x, native = tf.constant(values), tf.function(fn, input_signature=[VECTOR])

    pairs = zip(tf.nest.flatten(native(x)), tf.nest.flatten(fn(x)), strict=True)
    for found, wanted in pairs:
        assert np.allclose(found.numpy(), wanted.numpy(), rtol=1e-5)


@pytest.mark.usefixtures("short_parts")
@pytest.mark.parametrize(
    ("first", "values"), [("node Assert ", [9.0, 1.0]), ("node Assert_1 ", [1.0, 4.0])]
)
def test_the_first_check_that_fails_is_told(first: str, values: list[float]) -> None:
    native = tf.function(checks, input_signature=[VECTOR])

    with pytest.raises(tf.errors.InvalidArgumentError, match=first):
        native(tf.constant(values))


@pytest.mark.usefixtures("short_parts")
def test_variables_are_changed_in_order() -> None:
    variable = tf.Variable([1.0, 2.0])

    @tf.function
    def fn(x: Any) -> Any:
        before = variable.read_value()
        for k in tf.range(3):
            variable.assign_add(x * tf.cast(k, tf.float32))
            x = x + variable
        return before, x

    before, x = fn(tf.constant([1.0, 1.0]))
    assert before.numpy().tolist() == [1.0, 2.0]
    assert variable.numpy().tolist() == [13.0, 21.0]
    assert x.numpy().tolist() == [18.0, 29.0]


# ---------------------------------------------------------------- growth


def text_of(count: int) -> str:
    """The LLVM IR of a loop over `count` operations of unknown sizes and their gradients."""

    def fn(x: Any, y: Any) -> Any:
        def step(k: Any, z: Any) -> Any:
            with tf.GradientTape() as tape:
                tape.watch([z, y])
                w = z
                for _ in range(count):
                    w = tf.sin(w) + y * w
            return k + 1, tape.gradient(w, z)

        free = [tf.TensorShape([]), tf.TensorShape([None])]
        return tf.while_loop(lambda k, _: k < 3, step, [0, x], free)[1]

    graph = simplify(trace_graph(fn, [VECTOR, VECTOR], "fn").graph)
    program = lower_graph(graph).program
    assert program is not None
    return emit(optimise(program), "program")


def longest_function(text: str) -> int:
    """The number of blocks."""
    functions = re.findall(r"^define .*?^}", text, re.MULTILINE | re.DOTALL)
    return max(len(re.findall(r"^\w+:", one, re.MULTILINE)) for one in functions)


def test_functions_do_not_grow_with_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(block_functions, "LONG", 60)
    monkeypatch.setattr(block_functions, "PART", 20)
    once, twice = text_of(20), text_of(40)

    assert longest_function(twice) < 1.2 * longest_function(once)
    assert len(twice) < 2.3 * len(once)


def test_cutting_takes_steps_as_programs_are_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(block_functions, "LONG", 60)
    monkeypatch.setattr(block_functions, "PART", 20)
    header = "program main(y: output f32[n], n: i64):\n"

    def steps(count: int) -> int:
        lines = [f"  parfor i{k} in n:\n    y[i{k}] = (y[i{k}] + 1.0)\n" for k in range(count)]
        program = parse(header + "".join(lines))
        return visits(lambda: emit(program, "main"))

    assert steps(400) < 2.3 * steps(200)
