"""Images resized by sums over windows: each element reads what it is made of, and nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tensormill as tf
from tensormill.errors import InvalidArgumentError
from tensormill.ops.bind import bind
from tensormill.ops.image.windows import SpreadWindows, SumWindows

FLAT = tf.TensorSpec([None, None, None])
NUMBERS = tf.TensorSpec([None], tf.int64)
WEIGHTS = tf.TensorSpec([None, None])
OWN = tf.TensorSpec([], tf.int64)

sum_windows = tf.function(
    lambda *operands: bind(SumWindows, *operands), [FLAT, NUMBERS, NUMBERS, WEIGHTS]
)
spread_windows = tf.function(
    lambda *operands: bind(SpreadWindows, *operands), [FLAT, NUMBERS, NUMBERS, WEIGHTS, OWN]
)


@settings(deadline=None)  # the first one compiles
@given(st.integers(0, 2**31), st.integers(1, 9), st.integers(1, 9), st.integers(1, 4))
def test_sums_and_their_transpose_are_products_with_one_matrix(
    seed: int, own: int, count: int, channels: int
):
    random = np.random.default_rng(seed)
    first = random.integers(0, own, count)
    sizes = random.integers(0, own - first + 1)
    weights = random.normal(size=(count, max(sizes))).astype(np.float32)
    matrix = np.zeros((count, own), np.float32)
    for row, (start, size) in enumerate(zip(first, sizes, strict=True)):
        matrix[row, start : start + size] = weights[row, :size]
    x = random.normal(size=(2, own, channels)).astype(np.float32)
    dx = random.normal(size=(2, count, channels)).astype(np.float32)

    summed = sum_windows(x, first, sizes, weights)
    spread = spread_windows(dx, first, sizes, weights, own)

    np.testing.assert_allclose(summed, matrix @ x, 1e-5, 1e-5)
    np.testing.assert_allclose(spread, matrix.T @ dx, 1e-5, 1e-5)
    np.testing.assert_allclose(summed, bind(SumWindows, x, first, sizes, weights), 1e-5, 1e-5)


@pytest.mark.parametrize("method", ["bicubic", "area", "lanczos3", "gaussian", "mitchellcubic"])
def test_what_is_far_away_may_be_infinite(method: str):
    """A product with a matrix of mostly zeros would make NaN of it."""
    image = np.ones((1, 30, 30, 1), np.float32)
    image[0, 0, 0, 0] = np.inf

    resized = np.asarray(tf.image.resize(image, [10, 10], method))[0, :, :, 0]

    assert np.isfinite(resized[5:]).all()
    assert np.isfinite(resized[:, 5:]).all()
    assert not np.isfinite(resized[0, 0])


def test_one_pixel_has_two_corners():
    resized = tf.raw_ops.ResizeArea(
        images=[[[[3.0], [5.0]]]], size=[2, 3], align_corners=True
    )  # there is no step between corners
    np.testing.assert_allclose(resized[0, :, :, 0], [[3, 3, 5], [3, 3, 5]], 1e-6)


def test_images_do_not_shrink_to_nothing():
    def sampled(scale: Any) -> Any:
        return tf.raw_ops.ScaleAndTranslate(
            images=tf.ones([1, 2, 2, 1]), size=[3, 5], scale=scale, translation=[0.0, 0.0]
        )

    for scale in ([0.0, 1.0], [1.0, -1.0], [np.nan, 1.0]):
        with pytest.raises(InvalidArgumentError, match="Scale must be greater than zero"):
            sampled(scale)
        with pytest.raises(InvalidArgumentError, match="Scale must be greater than zero"):
            tf.function(sampled)(tf.constant(scale))


def test_where_images_are_sampled_has_no_gradient():
    scale, image = tf.constant([1.5, 2.0]), tf.ones([1, 2, 2, 1])
    with tf.GradientTape() as tape:
        tape.watch([image, scale])
        sampled = tf.raw_ops.ScaleAndTranslate(
            images=image, size=[3, 4], scale=scale, translation=[0.0, 0.0]
        )
    of_image, of_scale = tape.gradient(sampled, [image, scale])

    assert of_scale is None
    np.testing.assert_allclose(12.0, np.sum(of_image), 1e-6)


@pytest.mark.parametrize("method", ["nearest", "bilinear", "bicubic", "area", "lanczos3"])
def test_images_have_a_channel(method: str):
    resized = tf.function(
        lambda image: tf.image.resize(image, [3, 3], method),
        input_signature=[tf.TensorSpec([None, None, None, None])],
    )
    for function in (lambda image: tf.image.resize(image, [3, 3], method), resized):
        with pytest.raises(InvalidArgumentError, match="at least one channel"):
            function(tf.zeros([1, 2, 2, 0]))
        assert function(tf.zeros([0, 2, 2, 3])).shape == (0, 3, 3, 3)
