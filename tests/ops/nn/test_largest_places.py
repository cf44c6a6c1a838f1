"""Where the gradients of the largest elements go."""

from __future__ import annotations

import numpy as np
import pytest

import tensormill as tf

X = np.array([[1, 5, 2, 5], [3, 0, 9, 4], [7, 7, 1, 2], [0, 1, 3, 3]], "f")
FIRST = [[0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 0], [0, 0, 1, 0]]
ALL = [[0, 1, 0, 0], [0, 0, 1, 0], [1, 1, 0, 0], [0, 0, 1, 1]]


def gradient(x: tf.Tensor, spatial: int) -> tf.Tensor:
    """The gradient of windows of 2 by 2 that do not overlap."""
    pool = tf.nn.max_pool2d if spatial == 2 else tf.nn.max_pool3d
    window = [1] * (spatial - 2) + [2, 2]
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = pool(x, window, window, "VALID")
    return tape.gradient(y, x)


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
@pytest.mark.parametrize(("spatial", "expected"), [(2, FIRST), (3, ALL)])
def test_elements_as_large_share_no_gradient_in_images_and_get_all_of_it_in_volumes(
    compiled: bool, spatial: int, expected: list[list[int]]
) -> None:
    x = tf.constant(X.reshape(1, *[1] * (spatial - 2), 4, 4, 1))

    found = (tf.function(gradient) if compiled else gradient)(x, spatial)
    assert expected == found.numpy().reshape(4, 4).tolist()
