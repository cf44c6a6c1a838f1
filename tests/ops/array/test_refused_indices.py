"""Indices that raw operations refuse, as TensorFlow does."""

from __future__ import annotations

from typing import Any

import pytest

import tensormill as tf

WAYS = pytest.mark.parametrize("way", [lambda f: f, tf.function], ids=["eager", "compiled"])


@WAYS
@pytest.mark.parametrize("stride", [-1, 0])
def test_an_index_that_is_no_range_goes_forward(way: Any, stride: int) -> None:
    def taken(x: Any) -> Any:
        attrs = {"begin": [1], "end": [2], "strides": [stride], "shrink_axis_mask": 1}
        return tf.raw_ops.StridedSlice(input=x, **attrs)

    with pytest.raises(tf.errors.InvalidArgumentError, match="stride"):
        way(taken)(tf.constant([1, 2, 3]))


@WAYS
def test_a_scalar_has_no_indices(way: Any) -> None:
    places = way(lambda x: tf.raw_ops.Where(condition=x))
    with pytest.raises(tf.errors.InvalidArgumentError, match="scalar"):
        places(tf.constant(True))
