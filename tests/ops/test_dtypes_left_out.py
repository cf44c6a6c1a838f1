"""Dtypes of results that are left to the function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf

X = [1.0, 3.0, 2.0]
SEED = [1, 2]
IMAGE = np.ones([1, 2, 2, 1], np.float32)
LEVELS = np.ones([2], tf.quint8.as_numpy_dtype)
PICTURE = tf.io.encode_png(np.zeros([1, 1, 1], np.uint8)).numpy()


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
        (tf.int32, lambda x: tf.math.bincount([1, 2], dtype=None)),
        (tf.int64, lambda x: tf.math.bincount(tf.constant([[1]], tf.int64), dtype=None, axis=-1)),
        (tf.int32, lambda x: tf.math.bincount(tf.sparse.from_dense([1]), dtype=None)),
        (tf.float32, lambda x: tf.math.bincount([1, 2, 0], weights=x, dtype=None)),
        (tf.bool, lambda x: tf.sequence_mask([1, 2], 3, dtype=None)),
        (tf.int64, lambda x: tf.math.confusion_matrix([0, 1], [1, 1], dtype=None)),
        (tf.int32, lambda x: tf.shape_n([x, x], out_type=None)[1]),
        (tf.int32, lambda x: tf.compat.v1.setdiff1d(x, x, index_dtype=None)[1]),
        (tf.int64, lambda x: tf.nn.max_pool_with_argmax(IMAGE, 1, 1, "SAME", output_dtype=None)[1]),
        (tf.int64, lambda x: tf.random.poisson([2], x, dtype=None)),
        (tf.int64, lambda x: tf.random.stateless_binomial([2], SEED, 1, 0.5, output_dtype=None)),
        (tf.float32, lambda x: tf.random.stateless_normal([2], SEED, dtype=None)),
        (tf.float32, lambda x: tf.random.stateless_truncated_normal([2], SEED, dtype=None)),
        (tf.float32, lambda x: tf.quantization.dequantize(LEVELS, 0.0, 1.0, dtype=None)),
        (tf.uint8, lambda x: tf.io.decode_png(PICTURE, dtype=None)),
        (tf.int32, lambda x: tf.ragged.constant([[1]], row_splits_dtype=None).row_splits),
    ],
)
def test_none_leaves_it_to_the_function(dtype: tf.DType, make: Callable[[Any], Any]) -> None:
    assert dtype is make(tf.constant(X)).dtype
    assert dtype is tf.function(make)(tf.constant(X)).dtype


@pytest.mark.parametrize(
    "make",
    [
        lambda: tf.math.confusion_matrix([0], [0], weights=[2.0], dtype=None),
        lambda: tf.random.normal([2], dtype=None),
        lambda: tf.random.stateless_uniform([2], SEED, dtype=None),
        lambda: tf.random.stateless_poisson([2], SEED, 1.0, dtype=None),
        lambda: tf.io.decode_raw([b"ab"], None),
        lambda: tf.bitcast(X, None),
    ],
)
def test_none_is_no_dtype_where_there_is_no_default(make: Callable[[], Any]) -> None:
    with pytest.raises(TypeError, match="None"):
        make()
