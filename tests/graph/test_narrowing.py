"""Shapes that are narrowed while tracing."""

from __future__ import annotations

import tensormill as tf


def test_a_small_tensor_that_was_narrowed_can_be_asked_for_its_value() -> None:
    @tf.function(input_signature=[tf.TensorSpec([None], tf.int32)])
    def narrowed(x: tf.Tensor) -> tf.Tensor:
        x.set_shape([2])
        assert tf.get_static_value(x) is None
        return tf.zeros(x + 1)

    assert (2, 3) == narrowed(tf.constant([1, 2])).shape
