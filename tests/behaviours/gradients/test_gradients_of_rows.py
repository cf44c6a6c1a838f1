"""Gradients that are rows of a larger tensor: statement G15."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.behaviours.gradients.derivatives import derivative, each_way
from tests.behaviours.library import behaviour, differs, tf


def gathered(source: Any, indices: Any = (0, 0, 2)) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(source)
        rows = tf.gather(source, list(indices))
    return tape.gradient(rows, source)


MATRIX = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])


@behaviour("G15")
@pytest.mark.parametrize("source", [MATRIX, tf.constant(np.ones([3, 2]), tf.float32)])
def test_the_gradient_of_a_gather_is_sparse(source: Any):
    found = gathered(source)

    assert isinstance(found, tf.IndexedSlices)
    np.testing.assert_array_equal(np.ones([3, 2]), found.values)
    np.testing.assert_array_equal([0, 0, 2], found.indices)
    np.testing.assert_array_equal([3, 2], found.dense_shape)
    assert found.dense_shape.dtype == tf.int32
    assert found.shape == (3, 2)


@behaviour("G15")
def test_converted_to_a_tensor_rows_of_one_index_add_up():
    dense = tf.convert_to_tensor(gathered(MATRIX))
    np.testing.assert_array_equal([[2.0, 2.0], [0.0, 0.0], [1.0, 1.0]], dense)


@behaviour("G15")
def test_sums_of_sparse_gradients_stay_sparse_and_with_dense_ones_become_dense():
    with tf.GradientTape(persistent=True) as tape:
        rows = tf.gather(MATRIX, [0, 2])
        more = tf.gather(MATRIX, [2])
        dense = MATRIX * 3.0
    sparse = tape.gradient([rows, more], MATRIX)
    mixed = tape.gradient([rows, dense], MATRIX)

    assert sorted(sparse.indices.numpy()) == [0, 2, 2]
    assert not isinstance(mixed, tf.IndexedSlices)
    np.testing.assert_array_equal([[4.0, 4.0], [3.0, 3.0], [4.0, 4.0]], mixed)


TWO = tf.constant(2.0)
TIMES_TWO = {
    "left": lambda rows: rows * TWO,
    "right": lambda rows: TWO * rows,
    "quotient": lambda rows: rows / tf.constant(0.5),
    "variable": lambda rows: rows * tf.Variable(2.0),
}


@behaviour("G15")
@pytest.mark.parametrize("product", TIMES_TWO.values(), ids=TIMES_TWO)
def test_rows_times_a_tensor_are_dense(product: Any):
    found = product(gathered(MATRIX))

    assert not isinstance(found, tf.IndexedSlices)
    np.testing.assert_array_equal([[4.0, 4.0], [0.0, 0.0], [2.0, 2.0]], found)


@behaviour("G15")
def test_stopping_the_gradient_of_rows_leaves_them_rows():
    assert isinstance(tf.stop_gradient(gathered(MATRIX)), tf.IndexedSlices)


@behaviour("G15")
def test_the_gradient_of_a_slice_is_dense():
    with tf.GradientTape() as tape:
        row = MATRIX[0] * 2.0
    found = tape.gradient(row, MATRIX)

    assert not isinstance(found, tf.IndexedSlices)
    np.testing.assert_array_equal([[2.0, 2.0], [0.0, 0.0], [0.0, 0.0]], found)


ROWS = tf.SparseTensor([[0, 0], [2, 1]], [1.0, 2.0], [3, 3])
DENSE = {
    "repeat": lambda x: tf.repeat(x, [1, 2, 0], axis=0),
    "frame": lambda x: tf.signal.frame(x, 2, 1, axis=0),
    "product": lambda x: tf.sparse.sparse_dense_matmul(ROWS, x),
    "segment_sum": lambda x: tf.sparse.segment_sum(x, [0, 1], [0, 0]),
    "segment_mean": lambda x: tf.sparse.segment_mean(x, [0, 1], [0, 0], num_segments=2),
}


@behaviour("G15")
@pytest.mark.parametrize("function", DENSE.values(), ids=DENSE)
@each_way
def test_what_is_no_gather_has_a_gradient_that_is_a_tensor(function: Any, way: Any):
    found = way(derivative(function))(tf.ones([3, 2]))
    assert not isinstance(found, tf.IndexedSlices)
    assert found.shape == [3, 2]


@behaviour("G15")
def test_segments_of_rows_may_have_gradients_of_rows():
    def sums(x: Any) -> Any:
        return tf.sparse.segment_sum(x, [0, 1], [0, 0], sparse_gradient=True)

    assert isinstance(derivative(sums)(tf.ones([3, 2])), tf.IndexedSlices)


@behaviour("G15")
def test_slices_can_be_negated():
    np.testing.assert_array_equal(-np.ones([3, 2]), (-gathered(MATRIX)).values)


@behaviour("G15")
@differs
def test_slices_can_be_scaled():
    for scaled in (gathered(MATRIX) * 2.0, 2.0 * gathered(MATRIX), gathered(MATRIX) / 0.5):
        assert isinstance(scaled, tf.IndexedSlices)
        np.testing.assert_array_equal(2 * np.ones([3, 2]), scaled.values)


@behaviour("G15")
@differs
def test_slices_show_what_they_hold():
    assert "values=" in repr(gathered(MATRIX))
    assert "indices=" in repr(gathered(MATRIX))


@behaviour("G15")
@differs
def test_slices_without_a_dense_shape_know_their_rows():
    assert tf.IndexedSlices(tf.ones([2, 4]), tf.constant([0, 1])).shape.as_list() == [None, 4]


@behaviour("G15")
def test_slices_without_a_dense_shape_are_no_tensor():
    slices = tf.IndexedSlices(tf.ones([2, 4]), tf.constant([0, 1]))
    with pytest.raises(ValueError, match="without dense_shape"):
        tf.convert_to_tensor(slices)


@behaviour("G15")
def test_sparse_gradients_in_a_function():
    @tf.function
    def step() -> Any:
        found = gathered(MATRIX)
        assert isinstance(found, tf.IndexedSlices)
        return found

    found = step()
    assert isinstance(found, tf.IndexedSlices)
    np.testing.assert_array_equal([0, 0, 2], found.indices)
