"""Initializers give what TensorFlow 2.21's give, for the same seeds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf


def test_zeros_and_ones() -> None:
    assert tf.zeros_initializer()([2]).numpy().tolist() == [0.0, 0.0]
    assert tf.zeros_initializer()(shape=(1, 2), dtype="int32").numpy().tolist() == [[0, 0]]
    assert tf.ones_initializer()([2], tf.bool).numpy().tolist() == [True, True]


def test_constants() -> None:
    assert tf.constant_initializer(3)([2]).dtype == tf.int32
    assert tf.constant_initializer(2)([2], tf.int64).numpy().tolist() == [2, 2]
    assert tf.constant_initializer([1, 2, 3, 4])([2, 2]).numpy().tolist() == [[1, 2], [3, 4]]
    assert tf.constant_initializer("a")([1], tf.string).numpy().tolist() == [b"a"]


@pytest.mark.parametrize(
    ("initializer", "expected"),
    [
        (tf.random_normal_initializer(seed=7), [-0.03370864, -0.01793463]),
        (tf.random_uniform_initializer(seed=7), [0.02470788, 0.01721802]),
        (tf.random_normal_initializer(seed=4), [-0.02909243, 0.04326795]),
    ],
)
def test_a_seed_gives_the_same_numbers_each_time(initializer: Any, expected: list[float]) -> None:
    in_a_function = tf.function(lambda: initializer([2]))
    for call in (initializer, initializer, lambda _: in_a_function()):
        np.testing.assert_allclose(call([2]), expected, rtol=1e-5)


def test_integers_are_drawn_between_bounds() -> None:
    drawn = tf.random_uniform_initializer(0, 10, seed=7)([3], tf.int32)

    assert drawn.numpy().tolist() == [3, 2, 8]


def test_without_a_seed_numbers_follow_the_global_one() -> None:
    first, second = [], []
    for values in (first, second):
        tf.random.set_seed(3)
        initializer = tf.random_normal_initializer()
        values += [initializer([2]).numpy().tolist(), initializer([2]).numpy().tolist()]

    assert first == second
    assert first[0] != first[1]


def test_a_configuration_makes_another_one() -> None:
    config = {"mean": 1.0, "stddev": 2.0, "seed": 3}
    made = tf.random_normal_initializer.from_config({**config, "dtype": "float32"})

    assert made.get_config() == config
    assert tf.zeros_initializer().get_config() == {}
    assert tf.constant_initializer(2).get_config() == {"value": 2}


def test_parts_have_shapes_of_their_own() -> None:
    part = {"partition_shape": (2,), "partition_offset": (0,)}

    assert tf.zeros_initializer()([4], **part).shape == [2]
    assert tf.constant_initializer(1, support_partition=True)([4], **part).shape == [2]


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: tf.random_normal_initializer()([2], tf.int32), ValueError, "floating point"),
        (lambda: tf.random_uniform_initializer()([2], tf.string), ValueError, "numeric or bool"),
        (lambda: tf.zeros_initializer()([2], tf.string), ValueError, "numeric or boolean"),
        (lambda: tf.constant_initializer(tf.constant(1.0)), TypeError, "Invalid type for initial"),
        (lambda: tf.constant_initializer([1, 2, 3])([2]), TypeError, "has 3 elements"),
        (lambda: tf.ones_initializer()([2], foo=3), TypeError, "partition_shape.*Received: foo"),
        (lambda: tf.constant_initializer(1)([2], partition_shape=[1]), ValueError, "parts need"),
    ],
)
def test_what_cannot_be_made_is_an_error(make: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        make()
