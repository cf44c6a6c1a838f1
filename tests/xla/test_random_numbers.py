"""Programs draw the numbers that all back ends draw: the same streams, in the same places."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill import backends


def drawn(n: Any) -> Any:
    total = tf.zeros([3])
    for _ in tf.range(n):
        total += tf.random.uniform([3])
    return [
        total,
        tf.random.normal([5], dtype=tf.float64),
        tf.random.uniform([4], 0, 10**12, tf.int64),
        tf.random.truncated_normal([9]),
        tf.random.stateless_uniform([3], [1, 2], None, None, tf.int32),
        tf.random.shuffle(tf.range(9)),
        tf.random.categorical([[0.0, 1.0], [-np.inf, 2.0]], 5),
        tf.random.gamma([3], [0.5, 2.0]),
    ]


@pytest.mark.sampled(among="long programs of XLA")
def test_numbers_are_those_of_the_reference_and_go_on_from_call_to_call() -> None:
    found = {}
    for name in ("reference", "xla"):
        tf.random.set_seed(7)
        with backends.using(name):
            function = tf.function(drawn)
            found[name] = [one.numpy() for _ in range(2) for one in function(tf.constant(3))]
            first_again = tf.random.set_seed(7), function(tf.constant(3))
            np.testing.assert_array_equal(first_again[1][0].numpy(), found[name][0])
            if name == "xla":
                assert not function.report().callbacks

    half = len(found["xla"]) // 2
    assert (found["xla"][0] != found["xla"][half]).all()
    for wanted, one in zip(found["reference"], found["xla"], strict=True):
        np.testing.assert_allclose(one, wanted, rtol=2e-6)


def test_each_call_of_a_function_draws_from_its_own_stream_where_it_runs_by_itself() -> None:
    @tf.function
    def inner() -> Any:
        tf.py_function(lambda: None, [], [])
        return tf.random.uniform([2])

    def outer() -> Any:
        return inner(), inner()

    found = {}
    for name in ("cpu", "xla"):
        tf.random.set_seed(7)
        with backends.using(name):
            function = tf.function(outer)
            found[name] = [one.numpy() for _ in range(2) for one in function()]

    np.testing.assert_allclose(found["xla"], found["cpu"], rtol=2e-6)
