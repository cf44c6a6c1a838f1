"""Padding by numbers that only a run knows: in native code, as by NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes

import tensormill as tf
from tensormill.errors import InvalidArgumentError

FEW = st.lists(st.integers(0, 4), min_size=4, max_size=4)


@tf.function(input_signature=[tf.TensorSpec([None, None]), tf.TensorSpec([2, 2], tf.int32)])
def around(x: Any, margins: Any) -> Any:
    return tf.pad(x, margins, constant_values=7.0)


@tf.function(input_signature=[tf.TensorSpec([None], tf.int64), tf.TensorSpec([], tf.int32)])
def filled_up(x: Any, length: Any) -> Any:
    return tf.pad(x, [[0, length - tf.shape(x)[0]]])


@settings(deadline=None)  # the first one compiles
@given(array_shapes(min_dims=2, max_dims=2, min_side=0, max_side=4), FEW)
def test_margins_of_a_run_are_numpys(shape: tuple[int, ...], sizes: list[int]):
    x = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    margins = np.reshape(np.array(sizes, np.int32), (2, 2))

    np.testing.assert_array_equal(np.pad(x, margins, constant_values=7.0), around(x, margins))


def test_sequences_are_filled_up_in_native_code():
    assert [1, 2, 0, 0] == filled_up(np.array([1, 2]), 4).numpy().tolist()
    assert not filled_up.report().callbacks
    assert not around.report().callbacks


def test_what_is_too_long_is_refused():
    for function in (filled_up, lambda x, length: tf.pad(x, [[0, length - 2]])):
        with pytest.raises(InvalidArgumentError, match="Paddings must be non-negative: 0 -1"):
            function(np.array([1, 2]), 1)


def test_texts_are_padded_in_functions():
    @tf.function(input_signature=[tf.TensorSpec([None], tf.string), tf.TensorSpec([], tf.int32)])
    def filled(texts: Any, count: Any) -> Any:
        return tf.pad(texts, [[count, 1]], constant_values="-")

    assert [b"-", b"-", b"a", b"-"] == filled(tf.constant(["a"]), 2).numpy().tolist()
