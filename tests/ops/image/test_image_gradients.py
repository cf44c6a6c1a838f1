"""`tf.image.image_gradients` where there is nothing between which something could change."""

import pytest

import tensormill as tf


@pytest.mark.parametrize("sizes", [(2, 0, 5, 3), (2, 4, 0, 3), (0, 4, 5, 3), (2, 1, 1, 3)])
def test_gradients_of_images_have_their_shape_whatever_it_is(sizes: tuple[int, ...]) -> None:
    image = tf.ones(sizes)
    traced = tf.function(tf.image.image_gradients, input_signature=[tf.TensorSpec([None] * 4)])

    for found in (tf.image.image_gradients(image), traced(image)):
        assert [one.shape for one in found] == [sizes, sizes]
