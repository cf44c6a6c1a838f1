"""Compiled functions find the n-th element of rows without putting them in order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf

DRAWN = np.random.default_rng(8)


def in_order(x: Any, reverse: bool) -> Any:
    """NaN is the largest."""
    ordered = np.sort(x, -1)
    return ordered[..., ::-1] if reverse else ordered


@pytest.mark.sampled
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("dtype", ["f4", "f8", "f2", "i4", "i8", "i1", "u1", "u2"])
def test_elements_are_those_of_ordered_rows(dtype: str, reverse: bool) -> None:
    found = tf.function(lambda x, n: tf.raw_ops.NthElement(input=x, n=n, reverse=reverse))
    for shape in ((1,), (3, 5), (2, 3, 100), (4, 1000)):
        x = DRAWN.integers(-90 * (dtype[0] != "u"), 90, shape).astype(dtype)
        if dtype[0] == "f":
            x.flat[::9] = np.nan
            x.flat[1::9] = -np.inf
        for n in {0, shape[-1] // 2, shape[-1] - 1}:
            np.testing.assert_array_equal(in_order(x, reverse)[..., n], found(x, tf.constant(n)))
    assert found.report().callbacks == ()


@pytest.mark.parametrize("dtype", ["i8", "i4", "u1"])
def test_extremes_of_integers_have_their_places(dtype: str) -> None:
    least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
    x = tf.constant(np.array([most, least, most - 1, least + 1] * 5, dtype))
    found = tf.function(lambda x, n: tf.raw_ops.NthElement(input=x, n=n))

    assert [least, least + 1, most - 1, most] == [
        int(found(x, tf.constant(k))) for k in (0, 5, 10, 19)
    ]


def test_rows_of_unknown_length_have_their_elements() -> None:
    spec = [tf.TensorSpec([None, None], tf.float32), tf.TensorSpec([], tf.int32)]
    found = tf.function(lambda x, n: tf.raw_ops.NthElement(input=x, n=n), input_signature=spec)

    x = DRAWN.normal(size=(3, 70)).astype(np.float32)
    for n in (0, 33, 69):
        np.testing.assert_array_equal(np.sort(x, -1)[:, n], found(x, n))
    with pytest.raises(tf.errors.InvalidArgumentError):
        found(x, 70)
    assert found(np.zeros((0, 3), np.float32), 1).shape == (0,)
