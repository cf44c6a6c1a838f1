"""Functions under gradient tapes, and tapes inside functions."""

from __future__ import annotations

from typing import Any

import pytest

import tensormill as tf

X = tf.constant([1.0, 2.0, 3.0])


@tf.function
def cubes(x: Any) -> Any:
    return x * x * x


def test_the_gradient_of_a_call_is_that_of_its_body() -> None:
    with tf.GradientTape() as tape:
        tape.watch(X)
        y = cubes(X)

    assert tape.gradient(y, X).numpy().tolist() == [3.0, 12.0, 27.0]


def test_gradients_go_through_calls_to_any_order() -> None:
    with tf.GradientTape() as outer:
        outer.watch(X)
        with tf.GradientTape() as inner:
            inner.watch(X)
            y = cubes(X)
        first = inner.gradient(y, X)

    assert outer.gradient(first, X).numpy().tolist() == [6.0, 12.0, 18.0]


def test_captured_variables_get_gradients() -> None:
    w = tf.Variable([2.0, 3.0, 4.0])
    loss = tf.function(lambda x: tf.reduce_sum(w * x * x))

    with tf.GradientTape() as tape:
        value = loss(X)

    assert tape.gradient(value, w).numpy().tolist() == [1.0, 4.0, 9.0]


def test_captured_tensors_get_gradients() -> None:
    factor, table = tf.constant(3.0), tf.ones([200])
    f = tf.function(lambda x: factor * x + tf.reduce_sum(table))

    with tf.GradientTape() as tape:
        tape.watch([factor, table])
        y = f(tf.constant(2.0))
    by_factor, by_table = tape.gradient(y, [factor, table])

    assert by_factor.numpy() == 2.0
    assert by_table.numpy().tolist() == [1.0] * 200


def test_variables_that_are_arguments_get_gradients() -> None:
    w = tf.Variable([2.0, 3.0, 4.0])
    loss = tf.function(lambda v: tf.reduce_sum(v * v))

    with tf.GradientTape() as tape:
        value = loss(w)

    assert tape.gradient(value, w).numpy().tolist() == [4.0, 6.0, 8.0]


def test_a_tape_inside_a_function_sees_the_functions_it_calls() -> None:
    @tf.function
    def derivative(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = cubes(x)
        return tape.gradient(y, x)

    assert derivative(X).numpy().tolist() == [3.0, 12.0, 27.0]


def test_a_compiled_train_step_goes_down() -> None:
    w = tf.Variable(5.0)

    @tf.function
    def step() -> Any:
        with tf.GradientTape() as tape:
            loss = (w - 2.0) ** 2.0
        w.assign_sub(0.25 * tape.gradient(loss, w))
        return loss

    losses = [step().numpy() for _ in range(4)]

    assert losses == [9.0, 2.25, 0.5625, 0.140625]


def test_gradients_go_through_loops_and_branches_of_a_function() -> None:
    @tf.function
    def power(x: Any, n: Any) -> Any:
        y = tf.ones_like(x)
        for _ in tf.range(n):
            if y > 100.0:
                y = y * 1.0
            else:
                y = y * x
        return y

    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = power(x, tf.constant(5))

    assert (y.numpy(), tape.gradient(y, x).numpy()) == (32.0, 80.0)


def test_only_what_was_watched_is_recorded() -> None:
    with tf.GradientTape() as tape:
        y = cubes(X)

    assert tape.gradient(y, X) is None


@pytest.mark.parametrize("persistent", [False, True])
def test_two_results_of_one_call(persistent: bool) -> None:
    both = tf.function(lambda x: (x * 2.0, x * x))
    with tf.GradientTape(persistent=persistent) as tape:
        tape.watch(X)
        a, b = both(X)
        total = tf.reduce_sum(a) + tf.reduce_sum(b)

    assert tape.gradient(total, X).numpy().tolist() == [4.0, 6.0, 8.0]
