"""Ranks that a graph leaves open, and the graphs that it runs with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf

ANY = [tf.TensorSpec(None, tf.float32)]
INPUTS = ([2.0], [[2.0], [1.0]], 3.0)

v = tf.Variable(2.0)


def inner(x: Any) -> Any:
    return x * v


def calls(x: Any) -> Any:
    return traced_inner(traced_inner(x)) + 1.0


def gradient(x: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = traced_inner(x) * x
    return tape.gradient(y, x)


def loop(x: Any) -> Any:
    for _ in tf.range(3):
        if tf.reduce_sum(x) > 2.0:
            x = traced_inner(x)
        x = x + 1.0
    return x


def choice(x: Any) -> Any:
    index = tf.cast(tf.reduce_sum(x) > 2.0, tf.int32)
    return tf.switch_case(index, [lambda: x, lambda: traced_inner(x)])


def unknown_again(x: Any) -> Any:
    y = x
    while tf.reduce_sum(y) < 10.0:
        y = tf.reshape(y, tf.shape(y)) + v
    return y


def growing(x: Any) -> Any:
    for _ in tf.range(2):
        tf.autograph.experimental.set_loop_options(shape_invariants=[(x, tf.TensorShape(None))])
        x = tf.expand_dims(x, 0) * v
    return x


def either(x: Any) -> Any:
    y = tf.expand_dims(x, 0) if tf.reduce_sum(x) > 2.5 else x
    return y * v


traced_inner = tf.function(inner, input_signature=ANY)
NATIVE = (calls, gradient, loop, choice, unknown_again)


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("function", "signature"),
    [
        *((function, ANY) for function in (*NATIVE, growing, either)),
        *((function, None) for function in (calls, gradient, choice, either)),
    ],
)
def test_a_function_of_any_rank_runs_the_graphs_within(
    function: Callable[..., Any], signature: Any
) -> None:
    traced = tf.function(function, input_signature=signature)
    for given in INPUTS:
        tf.config.run_functions_eagerly(True)
        try:
            expected = traced(tf.constant(given))
        finally:
            tf.config.run_functions_eagerly(False)
        found = traced(tf.constant(given))
        assert expected.shape == found.shape
        np.testing.assert_allclose(expected, found)


@pytest.mark.parametrize("function", NATIVE)
def test_graphs_within_know_the_rank_that_the_call_has(function: Callable[..., Any]) -> None:
    traced = tf.function(function, input_signature=ANY)
    traced(tf.constant([2.0, 1.0]))

    assert "in Python" not in str(traced.report())
