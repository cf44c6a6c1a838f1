"""A size of -1 is filled in wherever it comes from."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf

WAYS = {
    "an argument": lambda x, s: tf.reshape(x, tf.stack([s, 2])[::-1]),
    "a scalar in a list": lambda x, s: tf.reshape(x, [2, s]),
    "a computed scalar": lambda x, s: tf.reshape(x, [2, tf.minimum(s * 1, 5)]),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=list(WAYS))
def test_a_free_size_is_known_at_run_time_only(way: Any) -> None:
    x = np.arange(6.0)
    function = tf.function(way, input_signature=[tf.TensorSpec([None], tf.float64), *SCALAR])

    for size in (-1, 3):
        np.testing.assert_array_equal(function(x, size), x.reshape(2, 3))
    with pytest.raises(tf.errors.InvalidArgumentError, match="Size 1 must be non-negative, not -2"):
        function(x, -2)


SCALAR = [tf.TensorSpec([], tf.int32)]


def test_a_constant_that_was_stored_for_a_callback_is_still_a_constant() -> None:
    @tf.function(input_signature=[tf.TensorSpec([3])])
    def function(x: Any) -> Any:
        shape = tf.constant([-1])
        seen = tf.numpy_function(lambda one: one, [shape], tf.int32)
        return tf.reshape(x, shape), seen

    assert function(tf.ones([3]))[0].shape == [3]
