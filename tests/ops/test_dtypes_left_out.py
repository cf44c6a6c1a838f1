"""Dtypes of results that are left to the function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import tensormill as tf

X = [1.0, 3.0, 2.0]


# TensorFlow Probability hands on what it was not given; as TensorFlow 2.21 answers.
@pytest.mark.parametrize(
    ("dtype", "make"),
    [
        (tf.int64, lambda x: tf.argmax(x, output_type=None)),
        (tf.int64, lambda x: tf.argmin(x, output_type=None)),
        (tf.int32, lambda x: tf.searchsorted(x, x, out_type=None)),
        (tf.int32, lambda x: tf.math.top_k(x, index_type=None).indices),
        (tf.int32, lambda x: tf.unique(x, out_idx=None).idx),
        (tf.int32, lambda x: tf.unique_with_counts(x, out_idx=None).idx),
        (tf.int32, lambda x: tf.histogram_fixed_width(x, [0.0, 4.0], dtype=None)),
        (tf.float32, lambda x: tf.strings.to_number("1", out_type=None)),
    ],
)
def test_none_leaves_it_to_the_function(dtype: tf.DType, make: Callable[[Any], Any]) -> None:
    assert dtype is make(tf.constant(X)).dtype
    assert dtype is tf.function(make)(tf.constant(X)).dtype
