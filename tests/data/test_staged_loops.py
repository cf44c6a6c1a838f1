"""Loops over rows that are at hand: native, and the same as through an iterator."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf

Dataset = tf.data.Dataset
X = np.arange(14.0, dtype=np.float32).reshape(7, 2)
ROWS = Dataset.from_tensor_slices({"x": X, "k": np.arange(7)})


def summed(dataset: Any) -> Any:
    total, weight = tf.constant(0.0), tf.constant(1.0)
    for element in dataset:
        parts = tf.nest.flatten(element)
        for part in parts:
            total += weight * tf.reduce_sum(tf.cast(part, tf.float32))
        weight += 1.0
    return total


NATIVE = {
    "range": Dataset.range(3, 20, 4),
    "rows": ROWS,
    "numbered": ROWS.enumerate(2),
    "zipped": Dataset.zip((ROWS, Dataset.range(5))),
    "some": ROWS.skip(1).take(5).shard(2, 1).prefetch(1),
    "none": ROWS.take(0),
    "batches": ROWS.batch(3),
    "whole batches": ROWS.batch(3, drop_remainder=True),
    "one batch": ROWS.skip(2).batch(10),
    "numbers in batches": Dataset.range(1, 30, 3).batch(4),
}


@pytest.mark.sampled
@pytest.mark.parametrize("name", NATIVE)
def test_a_captured_dataset_of_rows_needs_no_python(name: str) -> None:
    dataset = NATIVE[name]
    native = tf.function(lambda: summed(dataset))
    by_iterator = tf.function(summed)

    assert by_iterator(dataset).numpy() == native().numpy() == native().numpy()
    assert () == native.report().callbacks
    assert () != by_iterator.report().callbacks


OTHERS = {
    "shuffled": ROWS.shuffle(7, seed=1, reshuffle_each_iteration=False),
    "repeated": ROWS.repeat(2),
    "mapped": ROWS.map(lambda row: row["x"] * 2.0),
    "spaced batches": ROWS.shard(2, 0).batch(2),
}


@pytest.mark.parametrize("name", OTHERS)
def test_others_are_iterated(name: str) -> None:
    dataset = OTHERS[name]
    captured = tf.function(lambda: summed(dataset))

    assert tf.function(summed)(dataset).numpy() == captured().numpy()


def test_a_loop_over_rows_has_a_gradient_and_a_break() -> None:
    dataset = Dataset.from_tensor_slices([2.0, 3.0, 5.0, 7.0])

    @tf.function
    def slope(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            found = x
            for factor in dataset:
                if factor > 4.0:
                    break
                found *= factor * x
        return tape.gradient(found, x)

    assert 6.0 * 3.0 * 4.0 == slope(tf.constant(2.0))
    assert () == slope.report().callbacks


def test_elements_that_are_taken_together_fail_and_end_one_by_one() -> None:
    seen = tf.Variable(0)

    @tf.function
    def until_it_fails(stop: Any) -> Any:
        total = tf.constant(0, tf.int64)
        for n in Dataset.range(12).map(lambda n: 100 // (n - 7)):
            seen.assign_add(1)
            if seen == stop:
                break
            total += n
        return total

    with pytest.raises(tf.errors.InvalidArgumentError, match=r"Dataset\.map"):
        until_it_fails(99)
    assert seen == 7
    seen.assign(0)
    assert until_it_fails(5) == sum(100 // (n - 7) for n in range(4))


def test_a_generator_gives_a_loop_no_more_than_it_takes() -> None:
    yielded: list[int] = []

    def numbers() -> Any:
        for n in range(9):
            yielded.append(n)
            yield n

    @tf.function
    def first_two() -> Any:
        total = tf.constant(0, tf.int64)
        signature = tf.TensorSpec((), tf.int64)
        for n in Dataset.from_generator(numbers, output_signature=signature):
            total += n
            if n == 1:
                break
        return total

    assert first_two() == 1
    assert yielded == [0, 1]
