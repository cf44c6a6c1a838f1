"""Nearest centers."""

from __future__ import annotations

import pytest

import tensormill as tf

CENTERS = tf.constant([[0.0, 1.0], [3.0, 3.0], [10.0, 10.0]])


@pytest.mark.parametrize("k", [-1, -(2**40), -(2**63)])
@pytest.mark.parametrize("count", [0, 2])
def test_fewer_than_none_are_refused_however_few(k: int, count: int) -> None:
    points = tf.zeros([count, 2])

    def nearest(k: tf.Tensor) -> list[tf.Tensor]:
        return tf.raw_ops.NearestNeighbors(points=points, centers=CENTERS, k=k)

    for function in (nearest, tf.function(nearest)):
        with pytest.raises(tf.errors.InvalidArgumentError):
            function(tf.constant(k, tf.int64))


def test_more_than_there_are_gives_all() -> None:
    nearest = tf.function(
        lambda k: tf.raw_ops.NearestNeighbors(points=CENTERS, centers=CENTERS, k=k)
    )

    assert nearest(tf.constant(2**40, tf.int64))[0].shape == (3, 3)
