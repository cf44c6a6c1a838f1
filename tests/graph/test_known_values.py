"""What inference knows of values while a function is traced."""

from __future__ import annotations

from typing import Any

import pytest

import tensormill as tf
from tensormill.graph.builder import trace_graph

MATRIX = tf.TensorSpec([None, 8], tf.float32)


def shape_of(body: Any) -> Any:
    return trace_graph(body, [MATRIX]).structure.shape


def in_a_callee(shape: Any) -> Any:
    """What captures a shape that is known but for a size."""
    return tf.function(lambda: tf.zeros(shape))()


def in_a_loop(shape: Any) -> Any:
    return tf.while_loop(
        lambda i, _: i < 2, lambda i, _: (i + 1, tf.ones(shape)), (0, tf.zeros(shape))
    )[1]


@pytest.mark.parametrize(
    ("body", "shape"),
    [
        (lambda x: tf.reshape(x, tf.shape(x)), [None, 8]),
        (lambda x: tf.reshape(x, [tf.shape(x)[0], 2, 4]), [None, 2, 4]),
        (lambda x: tf.reshape(x, tf.concat([tf.shape(x)[:1], [4, 2]], 0)), [None, 4, 2]),
        (lambda x: tf.zeros([tf.shape(x)[1], 3]), [8, 3]),
        (lambda x: tf.zeros(tf.shape(x)[1] * 2 + 1), [17]),
        (lambda x: tf.zeros([tf.shape(x)[1] // 3, tf.shape(x)[1] % 3]), [2, 2]),
        (lambda x: tf.zeros(tf.maximum(tf.shape(x)[1], 9)), [9]),
        (lambda x: tf.zeros([tf.rank(x)]), [2]),
        (lambda x: tf.reshape(x, tf.stack([-1, tf.shape(x)[1]])), [None, 8]),
        (lambda x: tf.zeros(tf.slice(tf.shape(x), [1], [1])), [8]),
        (lambda x: tf.zeros(tf.slice(tf.shape(x), [0], [-1])), [None, 8]),
        (lambda x: tf.linspace(0.0, 1.0, tf.shape(x)[1]), [8]),
        (lambda x: tf.linspace(0.0, 1.0, tf.shape(x)[0]), [None]),
        (lambda x: tf.zeros(tf.shape(x)[::-1]), [8, None]),
        (lambda x: in_a_callee(tf.shape(x)), [None, 8]),
        (lambda x: in_a_loop(tf.shape(x)), [None, 8]),
        (lambda x: tf.zeros(tf.gather(tf.shape(x), [1, 1])), [8, 8]),
        (lambda x: tf.zeros(tf.unstack(tf.shape(x))[1]), [8]),
        (lambda x: tf.zeros(tf.cast(tf.cast(tf.shape(x), tf.int64), tf.int32)), [None, 8]),
        (lambda x: tf.zeros(tf.reduce_prod(tf.shape(x)[1:])), [8]),
        (lambda x: tf.range(tf.constant(2) * 3), [6]),
        (lambda x: tf.reduce_sum(x, axis=tf.constant(3) - 2), [None]),
        (lambda x: tf.broadcast_to(tf.zeros([1, 8]), tf.shape(x)), [None, 8]),
    ],
)
def test_arithmetic_on_shapes_is_followed(body: Any, shape: list[int | None]) -> None:
    assert shape_of(body).as_list() == shape


def test_long_chains_are_followed_without_recursion() -> None:
    def body(x: Any) -> Any:
        size = tf.constant(0)
        for _ in range(3000):
            size = size + 1
        return tf.zeros([size])

    assert shape_of(body).as_list() == [3000]


def test_static_values_can_be_asked_for() -> None:
    found: list[Any] = []

    def body(x: Any) -> Any:
        found.append(tf.get_static_value(tf.shape(x)[1] + 1))
        found.append(tf.get_static_value(tf.shape(x)))
        found.append(tf.get_static_value(x))
        return x

    trace_graph(body, [MATRIX])

    assert found[0] == 9
    assert found[1:] == [None, None]


def test_operations_that_fail_are_left_for_run_time() -> None:
    def body(x: Any) -> Any:
        return tf.zeros([tf.constant(1) // tf.constant(0)])

    assert shape_of(body).as_list() == [None]


def test_random_numbers_are_not_worked_out() -> None:
    def body(x: Any) -> Any:
        return tf.zeros([tf.random.uniform([], 1, 5, tf.int32)])

    assert shape_of(body).as_list() == [None]
