"""GradientTape in traces, calls and threads, and mistakes that leave it usable."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.core import context
from tensormill.ops.math.arithmetic import Mul


def gradient_of(function: Any, *sources: Any, **options: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(sources)
        target = function(*sources)
    return tape.gradient(target, list(sources), **options)


def test_watching_before_the_block_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="within its `with` block"):
        tf.GradientTape().watch(tf.constant(3.0))


def test_a_variable_in_a_trace_is_known_by_its_variable() -> None:
    v = tf.Variable(3.0)
    found: list[Any] = []

    @tf.function
    def step() -> Any:
        with tf.GradientTape() as tape:
            y = v * v
        found.extend(tape.watched_variables())
        return tape.gradient(y, v)

    assert step().numpy() == 6.0
    assert found[0] is v


def test_a_source_between_others() -> None:
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        z = y * y
    assert [8.0, 32.0] == [g.numpy() for g in tape.gradient(z, [y, x])]


def test_a_failed_call_does_not_use_up_the_tape() -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    with pytest.raises(TypeError, match=r"must be a tf\.Tensor or tf\.Variable"):
        tape.gradient(y, 1.0)
    with pytest.raises(TypeError, match="Argument `target` should be a list or nested structure"):
        tape.gradient(None, x)
    assert tape.gradient(y, x).numpy() == 6.0


def test_one_warning_names_the_source_that_cannot_have_a_gradient(caplog: Any) -> None:
    count = tf.Variable(1, name="count")
    with tf.GradientTape() as tape, caplog.at_level(logging.WARNING, "tensorflow"):
        y = count * 2
        assert tape.gradient(y, [count, count]) == [None, None]
    assert caplog.text.count("count:0") == 1
    assert "int32 is not floating" in caplog.text


def test_a_repeated_target_with_output_gradients_counts_each_time() -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    factors = [tf.constant(1.0), tf.constant(2.0)]
    assert tape.gradient([y, y], x, output_gradients=factors).numpy() == 18.0


def test_gradients_within_the_block_stop_a_tape_that_is_not_persistent() -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        assert tape.gradient(y, x).numpy() == 6.0
    assert context.top() is context.base  # on which the quick path of calls relies


@pytest.mark.parametrize(
    "function",
    [
        lambda x: tf.stop_gradient(x) * 2.0,
        lambda x: tf.cast(tf.argmax(x), tf.float32),
        lambda x: tf.cast(tf.cast(x, tf.int32), tf.float32),
    ],
)
def test_operations_that_pass_no_gradient_on(function: Any) -> None:
    assert gradient_of(function, tf.constant([1.0, 2.0]))[0] is None


def test_a_sparse_gradient_comes_out_of_a_call() -> None:
    v = tf.Variable([[1.0], [2.0], [3.0]])
    rows = tf.function(lambda: tf.gather(v, [2, 2]))
    with tf.GradientTape() as tape:
        y = rows()
    found = tape.gradient(y, v)
    assert isinstance(found, tf.IndexedSlices)
    np.testing.assert_array_equal([[0.0], [0.0], [2.0]], tf.convert_to_tensor(found))


def test_a_tape_around_a_trace_does_not_see_into_it() -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.function(lambda: x * x)()
    assert tape.gradient(y, x).numpy() == 6.0


def test_a_tape_in_a_branch_and_in_a_loop() -> None:
    def slope(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x * x
        return tape.gradient(y, x)

    @tf.function
    def both(x: Any) -> Any:
        chosen = tf.cond(x > 0.0, lambda: slope(x), lambda: x)
        return chosen, tf.while_loop(lambda i, a: i < 2, lambda i, a: (i + 1, slope(a)), [0, x])[1]

    assert [12.0, 432.0] == [one.numpy() for one in both(tf.constant(2.0))]


def test_an_operation_without_a_rule_says_so(monkeypatch: Any) -> None:
    monkeypatch.setattr(Mul, "vjp", None)
    with pytest.raises(LookupError, match="gradient registry has no entry for: Mul"):
        gradient_of(lambda x: x * x, tf.constant(1.0))


def test_threads_have_tapes_of_their_own() -> None:
    from concurrent.futures import ThreadPoolExecutor

    def work(k: int) -> float:
        x = tf.constant(float(k))
        return float(gradient_of(lambda x: x * x, x)[0])

    with ThreadPoolExecutor(4) as pool, tf.GradientTape():
        assert [2.0 * k for k in range(20)] == list(pool.map(work, range(20)))


def test_a_tensor_from_outside_depends_on_itself_in_a_branch() -> None:
    def inner(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
        return tape.gradient(y, x)

    @tf.function
    def fn(x: Any) -> Any:
        doubled = x * 2.0
        return tf.cond(tf.reduce_sum(x) > 0.0, lambda: inner(doubled), lambda: doubled)

    assert fn(tf.constant([1.0, 2.0])).numpy().tolist() == [1.0, 1.0]


@pytest.mark.parametrize("stage", [lambda function: function, tf.function])
def test_ragged_tensors_are_targets_and_sources(stage: Any) -> None:
    rows = tf.ragged.constant([[1.0, 2.0], [3.0]])

    @stage
    def gradients(x: Any) -> Any:
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = x * x
            total = tf.reduce_sum(y)
        weighted = tape.gradient(y, {"x": x}, output_gradients=x)["x"]
        return tape.gradient(y, x), weighted, tape.gradient(total, x)

    plain, weighted, of_sum = gradients(rows)
    assert [[2.0, 4.0], [6.0]] == plain.to_list() == of_sum.to_list()
    assert [[2.0, 8.0], [18.0]] == weighted.to_list()


def test_sources_that_nothing_depends_on_have_no_gradient_ragged_or_not() -> None:
    rows = tf.ragged.constant([[1.0, 2.0], [3.0]])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(rows)
        y = tf.constant(1.0)

    assert tape.gradient(y, rows) is None
    assert [[0.0, 0.0], [0.0]] == tape.gradient(y, rows, unconnected_gradients="zero").to_list()


def test_it_is_said_that_the_parts_of_a_sparse_tensor_are_asked_for() -> None:
    sparse = tf.sparse.from_dense([1.0, 0.0])
    with tf.GradientTape() as tape:
        tape.watch(sparse.values)
        y = tf.sparse.reduce_sum(sparse)
    with pytest.raises(ValueError, match="SparseTensor is not supported as a gradient source"):
        tape.gradient(y, sparse)
