"""Functions under gradient tapes, and tapes inside functions."""

from __future__ import annotations

import pytest

import tensormill as tf

X = tf.constant([1.0, 2.0, 3.0])


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


@pytest.mark.parametrize("persistent", [False, True])
def test_two_results_of_one_call(persistent: bool) -> None:
    both = tf.function(lambda x: (x * 2.0, x * x))
    with tf.GradientTape(persistent=persistent) as tape:
        tape.watch(X)
        a, b = both(X)
        total = tf.reduce_sum(a) + tf.reduce_sum(b)

    assert tape.gradient(total, X).numpy().tolist() == [4.0, 6.0, 8.0]
