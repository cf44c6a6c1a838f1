"""Samples of classes: what tables of calls do not say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import tensormill as tf
from tensormill.core import native_operations
from tensormill.ops.random.candidates import alias_buckets, weighted_tables
from tensormill.ops.random.draws import words_of
from tensormill.ops.random.keyed_candidates import ClassTables, KeyedCandidates, Kind
from tensormill.ops.random.philox import WordStream


def test_weights_may_come_from_a_file(tmp_path: Path) -> None:
    words = tmp_path / "words.csv"
    words.write_text("the,3\nof,1\n")

    found = tf.random.fixed_unigram_candidate_sampler([[0, 1]], 2, 8, False, 2, str(words))

    assert [[6.0, 2.0]] == found.true_expected_count.numpy().tolist()
    with pytest.raises(tf.errors.InvalidArgumentError, match="either a vocab_file or unigrams"):
        tf.random.fixed_unigram_candidate_sampler([[0]], 1, 8, False, 2)


def test_buckets_have_the_weights_that_they_were_made_of() -> None:
    weights = np.array([3.0, 0.0, 1.0, 2.5, 0.5], np.float32)
    buckets = alias_buckets(weights)

    shares = np.zeros(len(weights))
    for place, (chance, other) in enumerate(buckets):
        shares[place] += chance / len(weights)
        shares[other] += (1 - chance) / len(weights)
    np.testing.assert_allclose(shares, weights / weights.sum())


def test_functions_draw_anew_each_time_and_know_shapes() -> None:
    @tf.function(input_signature=[tf.TensorSpec([None, 1], tf.int64)])
    def sample(classes: Any) -> Any:
        found = tf.random.log_uniform_candidate_sampler(classes, 1, 50, False, 10_000)
        assert [50] == found.sampled_candidates.shape.as_list()
        assert [None, 1] == found.true_expected_count.shape.as_list()
        return found.sampled_candidates

    first, second = (sample(tf.constant([[1]], tf.int64)).numpy() for _ in range(2))

    assert (first != second).any()
    assert 0 <= min(first.min(), second.min()) <= max(first.max(), second.max()) < 10_000


def test_a_loss_over_samples_trains() -> None:
    tf.random.set_seed(5)
    weights, biases = tf.Variable(tf.zeros([50, 4])), tf.Variable(tf.zeros([50]))
    inputs = tf.random.normal([16, 4])
    labels = tf.reshape(tf.range(16, dtype=tf.int64), [16, 1])

    @tf.function
    def step() -> Any:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(
                tf.nn.sampled_softmax_loss(weights, biases, labels, inputs, 8, 50)
            )
        for variable, slope in zip(
            (weights, biases), tape.gradient(loss, (weights, biases)), strict=True
        ):
            variable.assign_sub(0.5 * tf.convert_to_tensor(slope))
        return loss

    losses = [float(step()) for _ in range(60)]

    assert losses[-1] < 0.7 * losses[0]


def tables_of(kind: Kind, weights: list[int]) -> ClassTables:
    if kind == "counted":
        return ClassTables(others=np.cumsum(weights))
    return weighted_tables(tuple(map(float, weights))) if kind == "weighted" else ClassTables()


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from(["uniform", "log_uniform", "all", "weighted", "counted"]),
    st.lists(st.integers(1, 9), min_size=1, max_size=300),
    st.integers(1, 400),
    st.booleans(),
    st.integers(0, 2**40),
)
@example("weighted", [2**30, 1, 1], 30, False, 0)
@example("counted", [2**31 - 5, 1, 3], 30, False, 7)  # every other word is drawn in vain
def test_native_samples_are_those_of_python(
    kind: Any, weights: list[int], count: int, unique: bool, start: int
) -> None:
    limit = len(weights)
    count = min(count, limit) if unique or kind == "all" else count
    stream = WordStream.of_seeds(start + 2**33, 5)
    numbers = (np.array(one, np.int64) for one in (count, limit))
    classes = np.arange(limit)[:, None]
    operands = (classes, *numbers, *words_of(stream, start), *tables_of(kind, weights))
    attrs = {"kind": kind, "unique": unique}

    expected = KeyedCandidates(*operands, **attrs).eager(np)
    found = native_operations.run(KeyedCandidates, operands, attrs)

    assert found is not None
    assert np.array_equal(expected[0], found[0])
    for one, other in zip(expected[1:], found[1:], strict=True):
        np.testing.assert_allclose(other, one, rtol=1e-5, atol=1e-30)


def losses(weights: Any, labels: Any, inputs: Any) -> Any:
    given = (weights, tf.reduce_sum(weights, 1), labels, inputs, 40, 50)
    by_weights = tf.random.fixed_unigram_candidate_sampler(
        labels, 1, 40, True, 50, unigrams=range(1, 51), seed=4
    )
    by_zipf = tf.random.log_uniform_candidate_sampler(labels, 1, 40, False, 50, seed=4)
    return (
        tf.nn.nce_loss(*given, sampled_values=by_zipf),
        tf.nn.sampled_softmax_loss(*given, sampled_values=by_weights, remove_accidental_hits=False),
    )


def test_losses_over_samples_are_native_and_those_of_eager_execution() -> None:
    random = np.random.RandomState(0)
    labels = tf.constant(random.randint(0, 50, (6, 1)), tf.int64)
    weights, inputs = (tf.constant(random.randn(n, 3), tf.float32) for n in (50, 6))
    operands = weights, labels, inputs
    native = tf.function(losses)
    tf.random.set_seed(2)
    expected = losses(*operands)
    tf.random.set_seed(2)

    for one, other in zip(expected, native(*operands), strict=True):
        np.testing.assert_allclose(other, one, rtol=1e-5)
    assert native.report().callbacks == ()


@pytest.mark.parametrize("compiled", [False, True])
def test_samples_refuse_classes_that_are_not_there(compiled: bool) -> None:
    def sample(classes: Any) -> Any:
        return tf.random.uniform_candidate_sampler(classes, 1, 40, True, 50)

    draw = tf.function(sample) if compiled else sample
    draw(tf.constant([[0], [49]], tf.int64))
    for wrong in (-1, 50):
        with pytest.raises(tf.errors.InvalidArgumentError, match=f"= {wrong} is not in"):
            draw(tf.constant([[0], [wrong]], tf.int64))
    many = tf.function(lambda k: tf.random.uniform_candidate_sampler(k, 1, 51, True, 50))
    with pytest.raises(tf.errors.InvalidArgumentError, match="range is too small: 51"):
        many(tf.constant([[0]], tf.int64))
