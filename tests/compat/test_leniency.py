"""What TensorFlow takes and libraries therefore pass."""

from __future__ import annotations

import numpy as np
import pytest

import tensormill as tf


def test_begin_and_size_of_a_slice_may_be_integers_of_two_kinds() -> None:
    x = tf.range(6)

    assert [2, 3] == tf.slice(x, np.array([2]), [2]).numpy().tolist()
    assert [2, 3] == tf.slice(x, tf.constant([2], tf.int64), [2]).numpy().tolist()
    assert [2, 3] == tf.slice(x, np.array([2]), tf.constant([2])).numpy().tolist()
    with pytest.raises(tf.errors.InvalidArgumentError, match="int64"):
        tf.slice(x, tf.constant([2], tf.int64), tf.constant([2]))


def test_parallel_iterations_may_be_a_tensor() -> None:
    (result,) = tf.while_loop(
        lambda i: i < 5, lambda i: (i + 2,), [0], parallel_iterations=tf.constant(3)
    )

    assert 6 == result.numpy()


def test_a_traced_tensor_is_an_integer_where_its_value_is_known() -> None:
    @tf.function(autograph=False)
    def known(x: tf.Tensor) -> tf.Tensor:
        return x[int(tf.rank(x))]

    assert 3.0 == known(tf.constant([1.0, 3.0])).numpy()

    @tf.function(autograph=False)
    def unknown(x: tf.Tensor) -> int:
        return int(tf.reduce_sum(x))

    with pytest.raises(TypeError, match="as a Python `int`"):
        unknown.get_concrete_function(tf.TensorSpec([2]))


def test_matrices_of_small_integers_are_multiplied_in_the_output_type() -> None:
    a = tf.constant([[100, 100]], tf.int8)
    b = tf.constant([[100], [100]], tf.int8)

    assert [[20000]] == tf.matmul(a, b, output_type=tf.int32).numpy().tolist()
    assert [[20000]] == tf.matmul(tf.cast(a, tf.uint8), b, output_type=tf.int32).numpy().tolist()


def test_identity_matrices_may_be_boolean() -> None:
    assert [[True, False], [False, True]] == tf.eye(2, dtype=tf.bool).numpy().tolist()


def test_slices_stand_for_a_tensor() -> None:
    assert tf.is_tensor(tf.IndexedSlices(tf.ones([1, 2]), [0]))
