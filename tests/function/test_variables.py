"""Variables of a traced function: created, captured, changed."""

from __future__ import annotations

from typing import Any

import pytest

import tensormill as tf


def test_a_later_trace_may_not_create() -> None:
    made: list[Any] = []

    @tf.function(autograph=False)
    def f(x: Any) -> Any:
        if x.dtype == tf.float32 and not made:
            made.append(tf.Variable(1.0))
        return x

    f(tf.constant(1))
    with pytest.raises(ValueError, match="Creating variables on a non-first call"):
        f(tf.constant(1.0))


def test_what_python_holds_of_a_variable_does_not_change() -> None:
    v = tf.Variable([1.0, 2.0])
    step = tf.function(lambda: v.assign_add([1.0, 1.0]))
    step()
    before = v.read_value()
    step()

    assert before.numpy().tolist() == [2.0, 3.0]
    assert v.numpy().tolist() == [3.0, 4.0]


def test_a_concrete_function_keeps_the_variables_that_it_captured() -> None:
    def make() -> Any:
        v = tf.Variable(2.0)
        return tf.function(lambda: v * 2.0).get_concrete_function()

    assert make()().numpy() == 4.0


def test_a_variable_that_is_an_argument_and_captured_is_one_variable() -> None:
    shared = tf.Variable(1.0)

    @tf.function
    def twice(v: Any) -> Any:
        v.assign_add(1.0)
        shared.assign_add(10.0)
        return v.read_value(), shared.read_value()

    other = tf.Variable(100.0)
    results = [twice(other), twice(shared), twice(other), twice(shared)]

    assert [tuple(x.numpy() for x in pair) for pair in results] == [
        (101.0, 11.0), (22.0, 22.0), (102.0, 32.0), (43.0, 43.0)
    ]  # fmt: skip
