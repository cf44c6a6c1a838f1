"""Permutations and differences of long vectors, in eager and in compiled code."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tensormill as tf

LONG = tf.TensorSpec([None], tf.int64)
inverted = tf.function(lambda x: tf.math.invert_permutation(x), input_signature=[LONG])
differing = tf.function(
    lambda x, y: tuple(tf.compat.v1.setdiff1d(x, y)), input_signature=[LONG, LONG]
)


@settings(max_examples=15, deadline=None)
@given(st.permutations(range(90)), st.integers(0, 90))
def test_permutations_are_inverted_alike_everywhere(order: list[int], count: int) -> None:
    x = tf.constant(np.argsort(order[:count]), tf.int64)
    expected = np.argsort(x)

    assert np.array_equal(expected, tf.math.invert_permutation(x))
    assert np.array_equal(expected, inverted(x))


@pytest.mark.parametrize("invert", [tf.math.invert_permutation, inverted])
@pytest.mark.parametrize("wrong", [[0, 0], [2, 0], [-1, 0], [1, 2, 1]])
def test_what_is_no_permutation_is_refused(invert: Any, wrong: list[int]) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="InvertPermutation: x"):
        invert(tf.constant(wrong, tf.int64))


NUMBERS = st.lists(st.integers(-9, 9), max_size=30)


@settings(max_examples=40, deadline=None)
@given(NUMBERS, NUMBERS)
def test_elements_of_one_vector_only_are_those_of_python(x: list[int], y: list[int]) -> None:
    places = [k for k, one in enumerate(x) if one not in y]
    operands = tf.constant(x, tf.int64), tf.constant(y, tf.int64)

    for out, idx in (tf.compat.v1.setdiff1d(*operands), differing(*operands)):
        assert [x[k] for k in places] == out.numpy().tolist()
        assert places == idx.numpy().tolist()


def test_differences_of_long_vectors_need_no_table_of_all_pairs() -> None:
    x, nan = tf.range(300_000), float("nan")

    assert 100_000 == len(tf.compat.v1.setdiff1d(x, x[:200_000])[0])
    assert [1, 2] == tf.compat.v1.setdiff1d([0.0, nan, 2.0], [-0.0, nan])[1].numpy().tolist()


def test_both_run_in_native_code() -> None:
    for function, operands in ((inverted, 1), (differing, 2)):
        function(*[tf.constant([1, 0], tf.int64)] * operands)
        assert function.report().callbacks == ()
