"""Native lists: memory is given back, and what is impossible is refused."""

from __future__ import annotations

import resource
from typing import Any

import pytest

import tensormill as tf


def grown_megabytes(run: Any) -> float:
    """How much the process's largest size grows while `run` runs."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    run()
    return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024


def test_iterations_give_back_the_lists_that_they_make() -> None:
    @tf.function
    def fn(count: Any) -> Any:
        total = tf.constant(0.0)
        for k in tf.range(count):
            array = tf.TensorArray(tf.float32, size=4)
            for j in tf.range(4):
                array = array.write(j, tf.fill([256], tf.cast(k + j, tf.float32)))
            total += array.stack()[3, 0]
        return total

    assert fn(tf.constant(10)).numpy() == 75.0
    assert grown_megabytes(lambda: fn(tf.constant(40_000))) < 16


def test_what_is_carried_survives_the_iterations() -> None:
    @tf.function
    def fn(count: Any) -> Any:
        first = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
        second = tf.TensorArray(tf.float32, size=2).unstack([0.0, -1.0])
        for k in tf.range(count):
            fresh = tf.TensorArray(tf.float32, size=2).unstack([0.0, tf.cast(k, tf.float32)])
            if k % 3 == 0:
                first, second = first.write(k, fresh.read(1)), fresh
            else:
                first = first.write(k, second.read(1) + 100.0)
        return first.stack(), second.stack()

    first, second = fn(tf.constant(200))

    assert first.numpy().tolist() == [
        float(k if k % 3 == 0 else k - k % 3 + 100) for k in range(200)
    ]
    assert second.numpy().tolist() == [0.0, 198.0]


def test_iterations_give_back_what_gradients_kept() -> None:
    weight = tf.Variable(tf.ones([64]))

    @tf.function
    def fn(count: Any) -> Any:
        total = tf.constant(0.1)
        for _ in tf.range(count):
            with tf.GradientTape() as tape:
                x = tf.ones([64]) * total
                for _ in tf.range(5):
                    x = tf.tanh(x * weight)
                y = tf.reduce_sum(x)
            total += tf.reduce_sum(tape.gradient(y, weight)) * 1e-6
        return total

    fn(tf.constant(10))
    assert grown_megabytes(lambda: fn(tf.constant(20_000))) < 16


def test_a_list_cannot_have_a_negative_size() -> None:
    @tf.function
    def fn(size: Any) -> Any:
        return tf.TensorArray(tf.float32, size=size).size()

    with pytest.raises(tf.errors.InvalidArgumentError, match="negative"):
        fn(tf.constant(-3))


def _length(items: Any) -> Any:
    return tf.raw_ops.TensorListLength(input_handle=items)


def _pushed(items: Any) -> Any:
    return tf.raw_ops.TensorListPushBack(input_handle=items, tensor=tf.zeros([2]))


def test_a_list_that_a_loop_leaves_in_two_places_is_two_lists() -> None:
    @tf.function
    def fn(turns: Any) -> Any:
        first, second = (
            tf.raw_ops.TensorListFromTensor(tensor=tf.zeros([count, 2]), element_shape=[2])
            for count in (1, 3)
        )

        def body(k: Any, _: Any, second: Any) -> Any:
            return k + 1, second, second

        _, first, second = tf.while_loop(lambda k, *_: k < turns, body, [0, first, second])
        return _length(first), _length(_pushed(second))

    assert [int(one) for one in fn(tf.constant(0))] == [1, 4]
    assert [int(one) for one in fn(tf.constant(2))] == [3, 4]


def test_a_list_that_a_loop_takes_twice_is_two_lists() -> None:
    @tf.function
    def fn(turns: Any) -> Any:
        items = tf.raw_ops.TensorListFromTensor(tensor=tf.zeros([1, 2]), element_shape=[2])

        def body(k: Any, changing: Any, staying: Any) -> Any:
            return k + _length(staying), _pushed(changing), staying

        _, changed, same = tf.while_loop(lambda k, *_: k < turns, body, [0, items, items])
        return _length(changed), _length(same)

    assert [int(one) for one in fn(tf.constant(5))] == [6, 1]
