"""Gradients of slices that have no elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import tensormill as tf

FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "no slice": lambda x: tf.gather(x, tf.zeros([0], tf.int32)),
    "some": lambda x: tf.gather(x, [1, 0, 1]),
    "rows of some": lambda x: tf.gather(x, [[1, 0, 1]]),
    "repeated": lambda x: tf.repeat(x, [0, 0], 0),
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("sizes", [[2, 0, 3], [2, 3, 0], [2, 0]])
@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
def test_gradients_of_empty_slices_have_the_shape_of_their_source(
    name: str, sizes: list[int], compiled: bool
) -> None:
    def slope(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = FUNCTIONS[name](x)
        return tf.convert_to_tensor(tape.gradient(y, x))

    spec = tf.TensorSpec([None] * len(sizes), tf.float32)
    function = tf.function(slope, input_signature=[spec]) if compiled else slope

    assert sizes == function(tf.zeros(sizes)).shape.as_list()
