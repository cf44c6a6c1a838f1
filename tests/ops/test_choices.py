"""Attributes that may be one of a few words, and those of one kind."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf

IMAGES = tf.ones([1, 4, 4, 4])
WRONG: dict[str, Callable[[], Any]] = {
    "length": lambda: tf.strings.length("abc", unit="X"),
    "substr": lambda: tf.strings.substr("abc", 0, 1, unit="X"),
    "unicode_transcode": lambda: tf.strings.unicode_transcode("a", "UTF-8", "UTF-8", errors="X"),
    "unicode_decode": lambda: tf.strings.unicode_decode("a", "UTF-8", errors="X"),
    "unicode_decode_with_offsets": lambda: tf.strings.unicode_decode_with_offsets(
        "a", "UTF-8", errors="X"
    ),
    "unicode_split": lambda: tf.strings.unicode_split("a", "UTF-8", errors="X"),
    "unicode_encode": lambda: tf.strings.unicode_encode([97], "UTF-8", errors="X"),
    "output_encoding": lambda: tf.strings.unicode_encode([97], "UTF-7"),
    "space_to_depth": lambda: tf.nn.space_to_depth(IMAGES, 2, data_format="X"),
    "depth_to_space": lambda: tf.nn.depth_to_space(IMAGES, 2, data_format="X"),
    "max_pool2d": lambda: tf.nn.max_pool2d(IMAGES, 2, 2, "SAME", data_format="nhwc"),
    "avg_pool": lambda: tf.nn.avg_pool(IMAGES, 2, 2, "SAME", data_format="nhwc"),
    "gather_nd": lambda: tf.gather_nd([1], [[0]], bad_indices_policy="X"),
    "scatter_nd": lambda: tf.scatter_nd([[0]], [1], [2], bad_indices_policy="X"),
    "max_pool": lambda: tf.nn.max_pool(IMAGES, 2, 2, "SAME", data_format="X"),
    "avg_pool without axes": lambda: tf.nn.avg_pool(IMAGES, 2, 2, "SAME", data_format="X"),
    "MirrorPad": lambda: tf.raw_ops.MirrorPad(input=[1], paddings=[[0, 0]], mode="X"),
}


@pytest.mark.parametrize("name", WRONG)
def test_another_word_than_the_allowed_ones_is_refused(name: str) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="allowed values"):
        WRONG[name]()
    with pytest.raises(ValueError, match="allowed values"):
        tf.function(WRONG[name])()


UNCHECKED: Any = tf  # type checkers would see what is wrong
OF_ANOTHER_KIND: dict[str, Callable[[], Any]] = {
    "int for argument 'block_size' not 'a'": lambda: UNCHECKED.nn.depth_to_space(IMAGES, "a"),
    "int for argument 'block_size' not None": lambda: UNCHECKED.nn.depth_to_space(IMAGES, None),
    "int for argument 'block_size' not [2]": lambda: UNCHECKED.nn.space_to_depth(IMAGES, [2]),
    "string for argument 'data_format' not 3": lambda: UNCHECKED.nn.depth_to_space(
        IMAGES, 2, data_format=3
    ),
    "int for argument 'num_buckets' not 'b'": lambda: UNCHECKED.strings.to_hash_bucket_fast(
        "a", "b"
    ),
    "bool for argument 'transpose_a' not 'no'": lambda: UNCHECKED.matmul(
        tf.eye(2), tf.eye(2), transpose_a="no"
    ),
    "bool for argument 'adj_x' not 1": lambda: UNCHECKED.matmul(
        tf.ones([2, 2, 2]), tf.ones([2, 2, 2]), adjoint_a=1
    ),
    "bool for argument 'reverse' not 1": lambda: UNCHECKED.cumsum([1.0, 2.0], reverse=1),
    "bool for argument 'keep_dims' not": lambda: UNCHECKED.raw_ops.Sum(
        input=[1.0], axis=[0], keep_dims=np.True_
    ),
    "bool for argument 'binary_output' not 'x'": lambda: UNCHECKED.math.bincount(
        [1], binary_output="x"
    ),
    "int for argument 'strides' not 'x'": lambda: UNCHECKED.nn.conv2d(
        IMAGES, tf.ones([1, 1, 4, 1]), [1, "x", 1, 1], "SAME"
    ),
}


@pytest.mark.parametrize("words", OF_ANOTHER_KIND)
def test_an_attribute_of_another_kind_is_a_type_error(words: str) -> None:
    for call in (OF_ANOTHER_KIND[words], tf.function(OF_ANOTHER_KIND[words])):
        with pytest.raises(TypeError, match=f"Expected {re.escape(words)}"):
            call()


def test_a_float_is_the_integer_below_it_where_one_is_wanted() -> None:
    assert [1, 2, 2, 16] == UNCHECKED.nn.space_to_depth(IMAGES, 2.5).shape
