"""Sparse tensors with more places than numbers of 64 bits: 2**62 hash buckets, say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf

WIDE = [6, 2**62]
COUNTS = [2, 40]  # few, which are done one by one, and many in native code


def rows(count: int, order: int = 1) -> Any:
    """Elements of two rows that would have one place each, if places overflowed."""
    half = count // 2
    indices = [[row, column] for row in (0, 4) for column in range(half)][::order]
    return tf.SparseTensor(indices, np.arange(count, dtype=np.float32)[::order], WIDE)


FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "sums": lambda a: tf.sparse.add(a, a),
    "largest": lambda a: tf.sparse.maximum(a, a),
    "smallest": lambda a: tf.sparse.minimum(a, a),
}


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
def test_elements_of_wide_shapes_stay_apart(name: str, count: int, compiled: bool) -> None:
    a = rows(count)
    function = FUNCTIONS[name]

    found = (tf.function(function) if compiled else function)(a)

    np.testing.assert_array_equal(a.indices, found.indices)
    np.testing.assert_array_equal(np.arange(count) * (1 + (name == "sums")), found.values)


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
def test_elements_of_wide_shapes_are_sorted(count: int, compiled: bool) -> None:
    reorder = tf.function(tf.sparse.reorder) if compiled else tf.sparse.reorder

    found = reorder(rows(count, -1))

    np.testing.assert_array_equal(rows(count).indices, found.indices)
    np.testing.assert_array_equal(np.arange(count), found.values)


@pytest.mark.parametrize("count", COUNTS)
def test_too_many_places_that_only_a_run_tells_are_refused(count: int) -> None:
    @tf.function(input_signature=[tf.SparseTensorSpec([None, None], tf.float32)])
    def reorder(a: Any) -> Any:
        return tf.sparse.reorder(a)

    with pytest.raises(tf.errors.InvalidArgumentError, match="too many places"):
        reorder(rows(count, -1))


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("is_sparse", [False, True])
def test_the_largest_of_infinite_numbers_is_infinite(count: int, is_sparse: bool) -> None:
    places = np.arange(count)
    a = tf.SparseTensor(np.stack([places % 2, places], 1), np.full(count, -np.inf), [2, count])
    indices = np.argsort(places % 2, kind="stable")
    a = a.with_values(tf.gather(a.values, indices))
    a = tf.SparseTensor(tf.gather(a.indices, indices), a.values, a.dense_shape)

    found = tf.sparse.reduce_max(a, 1, output_is_sparse=is_sparse)

    assert [-np.inf] * 2 == (found.values if is_sparse else found).numpy().tolist()
    assert [-np.inf] * count == tf.sparse.maximum(a, a).values.numpy().tolist()


@pytest.mark.parametrize("count", COUNTS)
def test_axes_are_integers(count: int) -> None:
    for axis in (0.5, [0.0], np.float32(1)):
        with pytest.raises(TypeError, match="integers"):
            tf.sparse.reduce_sum(rows(count), axis)
