"""Bilinear resizing in compiled functions gives the bits of the kernel, whatever the channels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf

DRAWN = np.random.default_rng(5)
WAYS = [{}, {"align_corners": True}, {"half_pixel_centers": True}]
# Wider than a stretch of columns is, smaller by far, and of one pixel, among others.
SIZES = [
    ((2, 5, 7), (9, 16)), ((1, 2, 800), (3, 1100)), ((1, 2, 900), (4, 20)), ((1, 1, 1), (3, 4)),
    ((3, 8, 8), (1, 1)), ((2, 30, 20), (11, 13)),
]  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize("dtype", [np.float32, np.uint8, np.float64, np.float16, np.int32])
@pytest.mark.parametrize("channels", [1, 2, 3, 4, 5, 8, 9])
def test_results_are_those_of_the_kernel(channels: int, dtype: Any) -> None:
    for dims, size in SIZES:
        x = tf.constant((DRAWN.random((*dims, channels)) * 200).astype(dtype))
        for way in WAYS:

            def resized(x: Any, way: Any = way, size: Any = size) -> Any:
                return tf.raw_ops.ResizeBilinear(images=x, size=size, **way)

            assert x.numpy().size < 1 << 14  # eagerly NumPy's, then
            expected = resized(x)
            np.testing.assert_array_equal(expected, tf.function(resized)(x), f"{dims} {way}")


def test_pictures_of_unknown_sizes_are_resized() -> None:
    spec = tf.TensorSpec([None, None, None, 3], tf.float32)
    resized = tf.function(lambda x, size: tf.image.resize(x, size), input_signature=[
        spec, tf.TensorSpec([2], tf.int32)])  # fmt: skip

    for dims, size in SIZES:
        x = tf.constant(DRAWN.random((*dims, 3)).astype(np.float32))
        np.testing.assert_array_equal(tf.image.resize(x, size), resized(x, size))


def test_what_is_not_finite_stays_where_it_is() -> None:
    x = np.ones((1, 4, 6, 3), np.float32)
    x[0, 1, 2, 1] = np.nan
    x = tf.constant(x)

    found = tf.function(lambda x: tf.image.resize(x, (8, 12)))(x).numpy()

    assert np.array_equal(np.isnan(found), np.isnan(tf.image.resize(x, (8, 12)).numpy()))
    assert not np.isnan(found[..., [0, 2]]).any()
