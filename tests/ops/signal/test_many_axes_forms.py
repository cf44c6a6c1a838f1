"""Transforms of several axes under the names of operations, beside NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

import tensormill as tf

RAW: Any = tf.raw_ops


def test_transforms_of_several_axes_are_those_of_numpy() -> None:
    """TensorFlow has no kernels for them on processors."""
    x = np.random.default_rng(0).normal(size=(3, 4, 5))
    half = np.fft.rfftn(x, [3, 6], [0, 2])
    found = [
        tf.fftnd(tf.constant(x + 0j), [3, 6], [0, 2]),
        tf.ifftnd(tf.constant(x + 0j), [2, 4], [1, 0]),
        tf.rfftnd(tf.constant(x), [3, 6], [0, 2], Tcomplex=tf.complex128),
        tf.irfftnd(tf.constant(half), [3, 6], [0, 2], Treal=tf.float64),
    ]  # fmt: skip
    expected = [
        np.fft.fftn(x, [3, 6], [0, 2]), np.fft.ifftn(x, [2, 4], [1, 0]), half,
        np.fft.irfftn(half, [3, 6], [0, 2]),
    ]  # fmt: skip

    for one, told in zip(found, expected, strict=True):
        np.testing.assert_allclose(one.numpy(), told, 1e-10, 1e-10)
