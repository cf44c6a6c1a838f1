"""Losses of TensorFlow 1 where the answer depends on how they are called."""

from __future__ import annotations

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
