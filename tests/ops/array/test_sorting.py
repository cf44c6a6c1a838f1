"""The largest and the distinct elements, found without sorting or comparing all of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tensormill as tf
from tensormill.ops.array.distinct import first_places, places_of_integers, places_of_keys
from tensormill.ops.array.sorting import (
    leading_places,
    sorted_places,
)

random = np.random.default_rng(0)
SMALL = ["float16", "float32", "int8", "uint8", "int16", "uint16", "int32", "uint32"]
INTEGERS = [*SMALL[2:], "int64", "uint64"]


def numbers(dtype: str, *shape: int) -> Any:
    """Many equal ones, the least and the largest of the dtype, and what is no number."""
    drawn = random.integers(0, 9, shape)
    if dtype.startswith("float"):
        special = [np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0, 1.5, -1.5, 7.0]
        return np.array(special, dtype)[drawn]
    range_of = np.iinfo(dtype)
    chosen = [range_of.min, range_of.min + 1, 0, 1, 2, 3, 100, range_of.max - 1, range_of.max]
    return np.array(chosen, dtype)[drawn]


@pytest.mark.parametrize("dtype", SMALL)
def test_the_largest_are_those_of_sorted_rows(dtype: str) -> None:
    for shape in ((40,), (7, 33), (3, 2, 400)):
        x = numbers(dtype, *shape)
        for count in (1, 3, 8):
            assert np.array_equal(sorted_places(x, count), leading_places(x, count))


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
def test_a_few_of_many_are_the_first_of_all(dtype: str) -> None:
    x = tf.constant(numbers(dtype, 5, 100))
    values, places = tf.math.top_k(x, 7)
    every, order = tf.math.top_k(x, 100)

    assert np.array_equal(every[:, :7], values, equal_nan=dtype != "int64")
    assert np.array_equal(order[:, :7], places)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integers_are_numbered_as_any_keys_are(dtype: str) -> None:
    for count in (1, 2, 50, 1000):
        x = (random.integers(0, 100, count) + np.iinfo(dtype).min).astype(dtype)
        expected = places_of_keys(x.tolist())

        assert np.array_equal(expected, places_of_integers(x))
        firsts = [expected.tolist().index(k) for k in range(expected.max() + 1)]
        assert firsts == first_places(expected).tolist()


def test_what_is_distinct_comes_in_the_order_of_its_first_place() -> None:
    for x in (tf.constant([5, 3, 5, 9, 3]), tf.constant(["e", "c", "e", "i", "c"])):
        y, idx, count = tf.unique_with_counts(x)

        assert np.array_equal(x.numpy()[[0, 1, 3]], y)
        assert idx.numpy().tolist() == [0, 1, 0, 2, 1]
        assert count.numpy().tolist() == [2, 2, 1]


def test_nothing_has_nothing_distinct() -> None:
    for dtype in (tf.int32, tf.float32, tf.string):
        y, idx, count = tf.unique_with_counts(tf.zeros([0], dtype))

        assert y.shape == idx.shape == count.shape == (0,)


def test_all_distinct_elements_are_found_in_one_pass() -> None:
    x = tf.constant(np.array([b"%d" % k for k in range(100_000)], object))  # a minute, if not

    assert np.array_equal(np.arange(100_000), tf.unique(x).idx)
    assert np.array_equal(x.numpy(), tf.unique(x).y)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(-5, 5), max_size=20), st.lists(st.integers(-5, 5), max_size=20))
def test_rows_of_one_or_two_runs_are_sorted_stably(one: list[int], other: list[int]) -> None:
    for row in (sorted(one) + sorted(other), sorted(one) + other, sorted(one)):
        x = np.array([row, row[::-1]], np.float32)
        found = sorted_in_function(tf.constant(x))

        assert np.array_equal(np.argsort(x, 1, kind="stable"), found)


@tf.function(input_signature=[tf.TensorSpec([None, None])])
def sorted_in_function(x: Any) -> Any:
    return tf.argsort(x, stable=True)


@pytest.mark.parametrize("mode", [lambda f: f, tf.function], ids=["eager", "traced"])
def test_rows_of_other_ranks_are_found_in_their_order(mode: Any) -> None:
    rows, values = [[1, 3, 5], [2, 4, 6]], [[3], [4]]

    deeper = mode(lambda: tf.searchsorted(rows, [values]))()
    flatter = mode(lambda: tf.searchsorted([rows], values, side="right"))()
    assert [[[1], [1]]] == deeper.numpy().tolist()
    assert [[2], [2]] == flatter.numpy().tolist()
    with pytest.raises(tf.errors.InvalidArgumentError, match="must match"):
        mode(lambda: tf.searchsorted(rows, [[[1]]]))()


@pytest.mark.parametrize("function", [tf.sort, tf.argsort])
@pytest.mark.parametrize("axis", [1, -2])
def test_an_axis_that_is_not_there_is_an_invalid_argument(function: Any, axis: int) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="not in range"):
        function([1.0, 2.0], axis)
    with pytest.raises(ValueError, match="not in range"):
        tf.function(lambda: function([1.0, 2.0], axis))()
