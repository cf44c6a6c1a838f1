"""Losses of TensorFlow 1 where the answer depends on how they are called."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf

LABELS = np.array([[0.0, 1], [1, 0], [1, 1]], np.float32)
PREDICTIONS = np.array([[1.0, 2], [3, -1], [0.5, 0.2]], np.float32)
pairwise = tf.compat.v1.losses.mean_pairwise_squared_error


@pytest.mark.parametrize("weight", [1.0, 2.0, 0.0])
def test_pairs_are_of_one_example_where_a_graph_is_made(weight: float) -> None:
    expected = weight * 9.09  # TensorFlow's, too; eagerly it is 2.71 times the weight
    traced = tf.function(lambda: pairwise(LABELS, PREDICTIONS, weight))
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        found = session.run(pairwise(LABELS, PREDICTIONS, weight))

    np.testing.assert_allclose([expected, expected], [found, traced().numpy()], rtol=1e-6)
    eager = pairwise(LABELS, PREDICTIONS, weight)
    np.testing.assert_allclose(weight * 2.71, eager.numpy(), rtol=1e-6)


def test_an_example_of_one_element_has_no_pairs() -> None:
    weights = [[1.0, 0.0], [1.0, 1.0], [0.0, 3.0]]

    assert 18.0 == pairwise(LABELS, PREDICTIONS, weights).numpy()


def test_weights_of_pairs_have_as_many_axes_as_the_examples() -> None:
    with pytest.raises(ValueError, match="broadcast"):
        pairwise(LABELS, PREDICTIONS, [1.0, 0.0, 2.0])


@pytest.mark.parametrize("weights", [[[1.0], [2.0]], [[1.0, 2.0, 3.0]]])
def test_weights_do_not_make_losses_larger(weights: Any) -> None:
    """`weights` may have the sizes of the losses, or 1, also where only a run knows them."""
    for rank in ([None] * np.ndim(weights), None):
        sizes = [tf.TensorSpec(rank), tf.TensorSpec(None if rank is None else [None, None])]
        weighted = tf.function(tf.compat.v1.losses.compute_weighted_loss, autograph=False)
        function = weighted.get_concrete_function(sizes[1], sizes[0])

        assert 2.0 == function(tf.constant([[1.0, 3.0]]), tf.ones_like(weights)[:1, :1]).numpy()
        with pytest.raises(tf.errors.InvalidArgumentError):
            function(tf.constant([[1.0, 3.0]]), tf.constant(weights))


def test_one_row_of_logits_has_one_loss() -> None:
    softmax = tf.nn.softmax_cross_entropy_with_logits
    unknown = tf.function(softmax, [tf.TensorSpec([None, None])] * 2, autograph=False)

    for loss in (softmax, unknown):
        np.testing.assert_allclose(loss([[0.5, 0.5]], np.zeros((3, 2))), np.log([2.0] * 3), 1e-6)
        with pytest.raises(tf.errors.InvalidArgumentError):
            loss(LABELS, PREDICTIONS[:1])
