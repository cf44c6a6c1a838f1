"""`tf.sparse` where sizes, or even the rank, are known only when the function is called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import tf

REFUSALS = (tf.errors.InvalidArgumentError, ValueError)


def sparse(indices: list[list[int]], values: list[float], shape: list[int]) -> Any:
    places = np.array(indices, np.int64).reshape(len(values), len(shape))
    return tf.SparseTensor(places, np.array(values, np.float32), np.array(shape, np.int64))


def wide() -> Any:
    return sparse([[0, 1], [1, 2]], [1, 2], [2, 3])


def tall() -> Any:
    return sparse([[0, 0], [2, 1]], [3, 4], [3, 2])


def cube() -> Any:
    return sparse([[0, 1, 1], [1, 0, 2]], [1, 2], [2, 2, 3])


def spec(value: Any, *, ranked: bool) -> Any:
    shape = [None] * int(value.dense_shape.shape[0]) if ranked else None
    return tf.SparseTensorSpec(shape, value.dtype)


def runs(call: Callable[..., Any], *operands: Any) -> list[Callable[[], Any]]:
    """The call itself, and of functions that know ranks only, or nothing but dtypes."""
    functions = [
        tf.function(call, [spec(one, ranked=ranked) for one in operands], autograph=False)
        for ranked in (True, False)
    ]
    return [lambda run=run: run(*operands) for run in (call, *functions)]


def dense(value: Any) -> Any:
    return tf.sparse.to_dense(value).numpy().tolist()


@pytest.mark.sampled
@pytest.mark.parametrize(
    "call",
    [
        tf.sparse.add,
        tf.sparse.maximum,
        tf.sparse.minimum,
        lambda a, b: tf.sparse.add(a, tf.sparse.to_dense(b)),
        lambda a, b: tf.sparse.concat(0, [a, b]),
        lambda a, b: tf.sparse.concat(1, [a, b]),
    ],
)
@pytest.mark.parametrize("other", [tall(), sparse([[0, 0]], [5], [1, 1]), sparse([[1]], [5], [3])])
def test_operands_of_other_shapes_are_refused(call: Callable[..., Any], other: Any) -> None:
    for run in runs(call, wide(), other):
        with pytest.raises(REFUSALS):
            run()


def test_values_at_other_numbers_of_places_are_refused() -> None:
    one, none = sparse([[0, 0]], [7], [2, 3]), sparse([], [], [2, 3])
    for run in runs(lambda a, b: tf.sparse.map_values(tf.add, a, b), one, none):
        with pytest.raises(REFUSALS):
            run()


def test_a_sum_leaves_small_elements_out() -> None:
    for run in runs(lambda a, b: tf.sparse.add(a, b, 3.0), wide(), wide()):
        assert dense(run()) == [[0, 0, 0], [0, 0, 4]]


def test_axes_are_reversed_whatever_their_number() -> None:
    for run in runs(tf.sparse.transpose, wide()):
        assert dense(run()) == [[0, 0], [1, 0], [0, 2]]


def test_axes_that_are_not_there_are_refused() -> None:
    for run in runs(lambda x: tf.sparse.transpose(x, [1, 2]), wide()):
        with pytest.raises(REFUSALS):
            run()


@pytest.mark.parametrize("sizes", [[-1, -1], [2, -2], [2, -3], [-2, -3]])
def test_only_one_size_may_be_open(sizes: list[int]) -> None:
    told = np.array(sizes, np.int64)
    given = tf.function(
        tf.sparse.reshape,
        [spec(wide(), ranked=True), tf.TensorSpec([None], tf.int64)],
        autograph=False,
    )
    for run in (*runs(lambda x: tf.sparse.reshape(x, told), wide()), lambda: given(wide(), told)):
        with pytest.raises(REFUSALS):
            run()


def test_without_elements_the_smallest_shape_is_empty() -> None:
    for run in runs(tf.sparse.reset_shape, sparse([], [], [2, 3])):
        assert run().dense_shape.numpy().tolist() == [0, 0]


@pytest.mark.parametrize(
    ("start", "size"), [([0], [1]), ([0, 0, 0], [1, 1, 1]), ([0], [2, 2]), ([0, 0], [-1, 2])]
)
def test_a_slice_names_every_axis_and_no_negative_size(start: list[int], size: list[int]) -> None:
    for run in runs(lambda x: tf.sparse.slice(x, start, size), wide()):
        with pytest.raises(REFUSALS):
            run()


def test_slices_and_kept_elements_of_any_rank() -> None:
    for run in runs(lambda x: tf.sparse.slice(x, [0, 1], [2, 1]), wide()):
        assert dense(run()) == [[1], [0]]
    for run in runs(lambda x: tf.sparse.retain(x, x.values > 1), wide()):
        assert dense(run()) == [[0, 0, 0], [0, 0, 2]]


def test_parts_along_an_axis_of_any_size() -> None:
    whole, ranked, _ = runs(lambda x: tf.sparse.split(x, 2, 1), wide())
    for run in (whole, ranked):
        assert [dense(part) for part in run()] == [[[0, 1], [0, 0]], [[0], [2]]]


def test_there_are_no_more_parts_than_slices() -> None:
    whole, ranked, _ = runs(lambda x: tf.sparse.split(x, 4, 1), wide())
    for run in (whole, ranked):
        with pytest.raises(REFUSALS):
            run()


def test_empty_rows_are_filled_whatever_the_rank() -> None:
    for run in runs(lambda x: tf.sparse.fill_empty_rows(x, 9.0), sparse([[1, 2]], [2], [2, 3])):
        filled, empty = run()
        assert (dense(filled), empty.numpy().tolist()) == ([[9, 0, 0], [0, 0, 2]], [True, False])


def test_softmax_of_any_rank_but_of_no_vector() -> None:
    for run in runs(tf.sparse.softmax, cube()):
        assert run().values.numpy().tolist() == [1, 1]
    for run in runs(tf.sparse.softmax, sparse([[1]], [8], [3])):
        with pytest.raises(REFUSALS):
            run()


def test_a_product_wants_a_matrix() -> None:
    for run in runs(lambda x: tf.sparse.sparse_dense_matmul(x, tf.ones([2, 3])), cube()):
        with pytest.raises(REFUSALS):
            run()


def test_rows_are_counted_apart_where_they_are_known() -> None:
    counted = tf.SparseTensor([[0, 1], [1, 2]], tf.constant([1, 2], tf.int64), [2, 3])
    whole, ranked, _ = runs(lambda x: tf.sparse.bincount(x, axis=-1), counted)
    for run in (whole, ranked):
        assert dense(run()) == [[0, 1, 0], [0, 0, 1]]


@pytest.mark.parametrize(
    ("places", "shape"),
    [
        ([[0, 1], [1, 2]], [2, 3]),
        ([[0, 0], [0, 2]], [2, 3]),
        ([[1, 1]], [2, 3]),
        ([[0, 0], [2, 1]], [3, 2]),
    ],
)
def test_elements_behind_a_gap_are_no_ragged_row(places: list[list[int]], shape: list[int]) -> None:
    value = sparse(places, [1.0] * len(places), shape)
    whole, ranked, _ = runs(tf.RaggedTensor.from_sparse, value)
    for run in (whole, ranked):
        with pytest.raises(REFUSALS):
            run()


def test_elements_at_the_beginning_of_rows_are_ragged() -> None:
    value = sparse([[0, 0], [0, 1], [2, 0]], [1, 2, 3], [3, 3])
    whole, ranked, _ = runs(tf.RaggedTensor.from_sparse, value)
    for run in (whole, ranked):
        assert run().to_list() == [[1, 2], [], [3]]
