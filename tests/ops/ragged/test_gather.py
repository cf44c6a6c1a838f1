"""`tf.gather` of ragged tensors, or by ragged indices: TensorFlow 2.21's answers."""

from __future__ import annotations

from typing import Any

import pytest

import tensormill as tf

ROWS = [[1, 2], [3, 4, 5]]
NESTED = [[[1, 2], [3]], [[4], [5, 6]]]
MATRIX = tf.constant([[1, 2], [3, 4]])
CUBE = tf.constant([[[1, 2], [3, 4]], [[5, 6], [7, 8]]])

# Ragged are the lists; the others are tensors.
CASES: Any = [
    ([1, 4], ROWS, tf.constant([0, 1]), 1, 1),
    ([1, 3], ROWS, tf.constant([0, 0]), 1, 1),
    ([[[1, 2], [2, 1]], [[3, 4], [4, 3]]], ROWS, tf.constant([[0, 1], [1, 0]]), 1, 0),
    ([[1, 2], [3]], ROWS, [[0, 1], [0]], None, -1),
    ([[[1, 2], [1]], [[3, 4], [3]]], ROWS, [[0, 1], [0]], 1, 0),
    ([[[1], [1, 2]], [[4]]], ROWS, [[[0], [0, 1]], [[1]]], 1, 1),
    ([[1, 3], [4, 5]], NESTED, tf.constant([0, 0]), 2, 1),
    (
        [[[[1, 2], [3]], [[3], [1, 2]]], [[[4], [5, 6]], [[5, 6], [4]]]],
        NESTED, tf.constant([[0, 1], [1, 0]]), 1, 0,
    ),
    ([[[], []], [[4], [5]]], NESTED, [[], [0]], 2, 1),
    (
        [[[[1], [1, 2]], [[2]]], [[[3], [3, 4]], [[4]]]],
        MATRIX, [[[0], [0, 1]], [[1]]], 1, 0,
    ),
    ([[[1, 2], [3, 4]], [[5], [7]]], CUBE, [[0, 1], [0]], 2, 1),
]  # fmt: skip


def ragged(value: Any) -> Any:
    return tf.ragged.constant(value, tf.int32) if isinstance(value, list) else value


@pytest.mark.parametrize("staged", [False, True])
@pytest.mark.parametrize(("expected", "params", "indices", "axis", "batch_dims"), CASES)
def test_slices_are_gathered_row_by_row(
    expected: Any, params: Any, indices: Any, axis: Any, batch_dims: int, staged: bool
) -> None:
    def gather(params: Any, indices: Any) -> Any:
        return tf.gather(params, indices, axis=axis, batch_dims=batch_dims)

    call = tf.function(gather) if staged else gather
    found = call(ragged(params), ragged(indices))

    assert expected == (found.to_list() if hasattr(found, "to_list") else found.numpy().tolist())


def test_rows_of_matrices_are_gathered_by_indices_of_matrices() -> None:
    pairs = tf.ragged.constant([[[0, 0], [0, 1]], [[1, 1]]], ragged_rank=1)

    found = tf.gather(ragged(ROWS), pairs, batch_dims=1)
    assert [[[1, 1], [1, 2]], [[4, 4]]] == found.to_list()


@pytest.mark.parametrize("batch_dims", [-3, 2, 3])
def test_rows_have_not_more_axes_than_there_are(batch_dims: int) -> None:
    with pytest.raises(ValueError, match="batch_dims"):
        tf.gather(ragged(ROWS), ragged([[0], [0]]), batch_dims=batch_dims)


def test_an_axis_is_none_of_those_of_rows() -> None:
    with pytest.raises(ValueError, match="greater than or equal to batch_dims"):
        tf.gather(ragged(ROWS), ragged([[0], [0]]), axis=0, batch_dims=1)
    with pytest.raises(ValueError, match="axis=2 out of bounds"):
        tf.gather(ragged(ROWS), tf.constant([0]), axis=2)
