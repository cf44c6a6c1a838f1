"""Dropout whose randomness is a seed; numbers recorded from TensorFlow."""

from __future__ import annotations

import numpy as np
import pytest

import tensormill as tf


def test_a_seed_alone_decides_what_is_dropped() -> None:
    found = tf.nn.experimental.stateless_dropout(tf.ones([2, 5]), rate=0.4, seed=[1, 2])

    kept = [[1, 0, 1, 0, 0], [1, 0, 0, 1, 0]]
    np.testing.assert_allclose(found.numpy(), np.array(kept) / 0.6, rtol=1e-6)


def test_elements_share_their_fate_along_axes_of_size_one() -> None:
    x = tf.ones([2, 5], tf.float16)

    found = tf.nn.experimental.stateless_dropout(x, 0.4, [1, 2], noise_shape=(2, 1))

    assert [5, 0] == np.count_nonzero(found.numpy(), axis=1).tolist()


def test_a_rate_beyond_one_is_an_error() -> None:
    with pytest.raises(ValueError, match="rate"):
        tf.nn.experimental.stateless_dropout([1.0], 1.5, [1, 2])
