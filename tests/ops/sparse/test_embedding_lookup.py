"""Embeddings of several ids for each example; numbers recorded from TensorFlow."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.ops.sparse.embedding_lookup import (
    embedding_lookup_sparse,
    safe_embedding_lookup_sparse,
)
from tensormill.ops.sparse.sparse_tensor import SparseTensor

TABLE = np.arange(12.0, dtype=np.float32).reshape(6, 2)
PLACES = [[0, 0], [0, 2], [1, 0], [3, 1]]
IDS = np.array([1, 3, 0, 5])


def pair() -> tuple[Any, Any]:
    ids = SparseTensor(PLACES, IDS, [4, 3])
    return ids, SparseTensor(PLACES, [0.5, 2.0, -1.0, 3.0], [4, 3])


@pytest.mark.parametrize(
    ("combiner", "expected"),
    [
        ("sum", [[13.0, 15.5], [0.0, -1.0], [0.0, 0.0], [30.0, 33.0]]),
        ("mean", [[5.2, 6.2], [0.0, 1.0], [0.0, 0.0], [10.0, 11.0]]),
        ("sqrtn", [[6.305926, 7.518605], [0.0, -1.0], [0.0, 0.0], [10.0, 11.0]]),
    ],
)
def test_rows_are_weighed_and_combined(combiner: str, expected: Any) -> None:
    ids, weights = pair()

    found = embedding_lookup_sparse(TABLE, ids, weights, combiner)

    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-6)


def test_without_weights_each_id_counts_once() -> None:
    found = embedding_lookup_sparse(TABLE, pair()[0], None)

    assert [[4.0, 5.0], [0.0, 1.0], [0.0, 0.0], [10.0, 11.0]] == found.numpy().tolist()


def test_weights_must_be_positive_where_that_is_safe() -> None:
    ids, weights = pair()

    found = safe_embedding_lookup_sparse(TABLE, ids, weights, "mean", default_id=2)

    expected = [[5.2, 6.2], [4.0, 5.0], [4.0, 5.0], [10.0, 11.0]]
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-6)


def test_ids_below_zero_are_left_out_and_further_axes_stay() -> None:
    places = [[0, 0, 0], [0, 1, 2], [1, 0, 0], [1, 1, 1]]
    ids = SparseTensor(places, np.array([1, -3, 0, 5]), [2, 2, 3])

    found = safe_embedding_lookup_sparse(TABLE, ids)

    assert [[[2.0, 3.0], [0.0, 0.0]], [[0.0, 1.0], [10.0, 11.0]]] == found.numpy().tolist()


def test_gradients_reach_the_table_through_a_compiled_function() -> None:
    table = tf.Variable(TABLE)

    @tf.function
    def gradient(ids: Any, weights: Any) -> Any:
        with tf.GradientTape() as tape:
            found = embedding_lookup_sparse(table, ids, weights, "sum")
            total = tf.reduce_sum(found**2)
        return tf.convert_to_tensor(tape.gradient(total, table))

    expected = [[0, 2], [13, 15.5], [0, 0], [52, 62], [0, 0], [180, 198]]
    assert expected == gradient(*pair()).numpy().tolist()


def test_what_cannot_be_combined_is_an_error() -> None:
    with pytest.raises(ValueError, match="combiner"):
        embedding_lookup_sparse(TABLE, pair()[0], None, "max")
    with pytest.raises(TypeError, match="SparseTensor"):
        embedding_lookup_sparse(TABLE, tf.constant([[1]]), None)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="two axes"):
        safe_embedding_lookup_sparse(TABLE, SparseTensor([[0]], [1], [2]))


def test_rows_behind_the_last_id_are_left_out_unless_that_is_safe() -> None:
    ids = SparseTensor([[0, 0], [2, 0]], tf.constant([1, 0]), [5, 1])
    none = SparseTensor(tf.zeros([0, 2], tf.int64), tf.zeros([0], tf.int64), [3, 2])
    lookup = tf.function(embedding_lookup_sparse)

    for look in (embedding_lookup_sparse, lookup):
        assert [3, 2] == look(TABLE, ids, None).shape.as_list()
        assert [0, 2] == look(TABLE, none, None).shape.as_list()
    assert [5, 2] == safe_embedding_lookup_sparse(TABLE, ids).shape.as_list()
