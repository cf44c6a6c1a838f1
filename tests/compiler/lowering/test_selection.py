"""Lengths that depend on values: where a condition holds, natively."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf


def compiled(fn: Any, *specs: tf.TensorSpec) -> Any:
    return tf.function(fn, input_signature=specs, autograph=False)


@pytest.mark.parametrize("dtype", ["bool", "int8", "float32", "bfloat16", "complex64"])
def test_where_finds_the_same_places_as_numpy(dtype: str) -> None:
    where = compiled(tf.where, tf.TensorSpec([None, 3, None], dtype))
    numbers = np.random.default_rng(0).integers(-1, 2, (5, 3, 4))

    for shape in (5, 4), (0, 4), (5, 0):
        x = tf.cast(tf.constant(numbers[: shape[0], :, : shape[1]]), dtype)
        expected = np.argwhere(x.numpy())
        found = where(x).numpy()
        assert found.dtype == np.int64
        np.testing.assert_array_equal(found, expected)


def test_nothing_of_a_mask_runs_in_python() -> None:
    kept = compiled(
        lambda x: tf.boolean_mask(x * 2.0, x[:, 0] > 0.0), tf.TensorSpec([None, 2], tf.float32)
    )

    assert kept(tf.constant([[1.0, 2.0], [-1.0, 3.0], [4.0, 5.0]])).numpy().tolist() == [
        [2.0, 4.0],
        [8.0, 10.0],
    ]
    assert kept(tf.constant([[-1.0, 2.0]])).shape == [0, 2]
    assert "in Python" not in str(kept.report())


def test_a_loop_carries_what_it_keeps_of_a_vector() -> None:
    @tf.function
    def sieve(n: Any) -> Any:
        left = tf.range(2, n)
        primes = tf.constant(0)
        while tf.size(left) > 0:
            tf.autograph.experimental.set_loop_options(
                shape_invariants=[(left, tf.TensorShape([None]))]
            )
            primes += 1
            left = tf.boolean_mask(left, left % left[0] != 0)
        return primes

    assert sieve(tf.constant(100)).numpy() == 25
    assert sieve(tf.constant(2)).numpy() == 0


def test_gradients_go_through_a_mask() -> None:
    def fn(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(tf.boolean_mask(x * x, x > 0.0))
        return tape.gradient(y, x)

    x = tf.constant([1.0, -2.0, 3.0])
    assert compiled(fn, tf.TensorSpec([None], tf.float32))(x).numpy().tolist() == [2.0, 0.0, 6.0]
