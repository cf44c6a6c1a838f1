"""Samples of classes: what tables of calls do not say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.ops.random.candidates import alias_buckets


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
