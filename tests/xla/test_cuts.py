"""What no program can have runs on the CPU back end, between two programs."""

from __future__ import annotations

from threading import Thread
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill import backends
from tensormill.backends import cpu
from tensormill.graph.ir import Graph
from tensormill.ops.math.scan import Cumsum
from tensormill.xla.execution import programs


@pytest.fixture(autouse=True)
def _on_xla() -> Any:
    with backends.using("xla"):
        yield


def positive(x: Any) -> Any:
    chosen = tf.boolean_mask(x * 2.0, x > 0.0)
    return tf.reduce_sum(chosen) + 1.0


def test_sizes_that_depend_on_values_are_cut_out_and_reported() -> None:
    function = tf.function(positive)

    assert function(tf.constant([1.0, -2.0, 3.0])).numpy() == 9.0
    assert function(tf.constant([1.0, 2.0, 3.0])).numpy() == 13.0
    (cut,) = function.report().callbacks
    assert str(cut).startswith("Where ")
    assert "test_cuts.py:26" in str(cut)
    assert "bytes cross" in str(cut)


def test_threads_that_call_first_at_once_cut_the_same_plan(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # With a plan each, one thread would wait forever for a cut that the other made in its own.
    simplify, others = programs.simplify, list[Thread]()

    def meanwhile_called(graph: Any) -> Any:
        if not others:
            others.append(Thread(target=lambda: seen.append(made.plan)))
            others[0].start()
            others[0].join(0.1)
        return simplify(graph)

    monkeypatch.setattr(programs, "simplify", meanwhile_called)
    seen: list[Any] = []
    made = programs.GraphPrograms(Graph("f", (), (), (), ()), cpu.compile)
    seen.append(made.plan)
    others[0].join()

    assert seen[0] is seen[1]


def test_a_rule_that_fails_is_told_and_done_without(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: Any, xla: Any) -> Any:
        return xla.np.zeros(7, np.float32)

    monkeypatch.setattr(Cumsum, "xla", broken)
    function = tf.function(lambda x: tf.cumsum(x) + 1.0)

    with pytest.warns(RuntimeWarning, match=r"Cumsum runs on the CPU.*shape \(7,\) instead of"):
        assert function(tf.constant([1.0, 2.0])).numpy().tolist() == [2.0, 4.0]


def test_a_loop_with_a_python_function_runs_step_by_step() -> None:
    seen: list[float] = []

    @tf.function
    def halve(x: Any) -> Any:
        while x > 1.0:
            tf.py_function(lambda one: seen.append(float(one)), [x], [])
            x = x / 2.0
        return x * 3.0

    assert halve(tf.constant(5.0)).numpy() == 1.875
    assert seen == [5.0, 2.5, 1.25]
    assert "PyFunc" in str(halve.report())


def test_compiling_all_of_it_refuses_cuts() -> None:
    whole = tf.function(positive, jit_compile=True)

    with pytest.raises(tf.errors.InvalidArgumentError, match=r"(?s)jit_compile=True.*Where"):
        whole(tf.constant([1.0, -2.0]))


def test_every_shape_has_a_program_and_the_report_counts_them() -> None:
    function = tf.function(lambda x: tf.reduce_sum(x * x), input_signature=[tf.TensorSpec([None])])

    for n in (1, 2, 3, 2):
        assert function(tf.ones([n])).numpy() == n

    assert "3 programs, for x of the shapes [1], [2], [3]: pad it, or bucket" in str(
        function.report()
    )


def test_a_check_that_prints_any_numbers_raises_what_eager_execution_does() -> None:
    def checked(x: Any) -> Any:
        tf.debugging.assert_less(x, 2.0, message="too large")
        return x + 1.0

    function = tf.function(checked)
    assert function(tf.constant([1.0, 0.5])).numpy().tolist() == [2.0, 1.5]
    with pytest.raises(tf.errors.InvalidArgumentError, match="too large") as found:
        function(tf.constant([1.0, 2.5]))

    assert "2.5" in str(found.value)
    assert not function.report().callbacks


def test_sizes_that_only_the_run_knows_are_no_defects() -> None:
    function = tf.function(lambda x: tf.fill([tf.reduce_sum(x)], 2) + tf.reshape(x, [-1, x[0]])[0])

    assert function(tf.constant([1, 1])).numpy().tolist() == [3, 3]
    assert "its sizes depend on values" in str(function.report())


def test_gradients_of_ones_own_and_values_taken_again_are_no_cuts() -> None:
    double = tf.custom_gradient(lambda x: (x * 2.0, lambda dy: dy * 10.0))
    again = tf.recompute_grad(lambda x: tf.sin(x) * x)

    def derivative(start: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(start)
            x = start
            for _ in tf.range(2):
                x = double(x)
            y = tf.reduce_sum(x + again(x))
        return tape.gradient(y, start)

    function = tf.function(derivative)
    x = 4.0 * np.array([1.0, 2.0], np.float32)

    expected = 100 * (1 + np.sin(x) + x * np.cos(x))
    np.testing.assert_allclose(function(tf.constant([1.0, 2.0])), expected, rtol=1e-5)
    assert not function.report().callbacks


def test_strings_beside_numbers() -> None:
    function = tf.function(lambda x: (tf.strings.as_string(x * 2), x + 1))

    text, number = function(tf.constant([1, 2]))

    assert text.numpy().tolist() == [b"2", b"4"]
    np.testing.assert_array_equal(number.numpy(), [2, 3])


def test_strings_in_the_graphs_of_branches_and_loops_are_no_defects() -> None:
    log = tf.Variable("")

    @tf.function
    def note(x: Any) -> Any:
        if x > 0.0:
            log.assign(log + "b")
        for _ in tf.range(2):
            log.assign(log + "d")
        return x + 1.0

    assert note(tf.constant(1.0)).numpy() == 2.0
    assert log.numpy() == b"bdd"
    assert "XLA has no variables of string" in str(note.report())
