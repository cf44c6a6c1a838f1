"""Functions of sparse tensors with many elements run in one piece, and do what their parts do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.ops.op import REGISTRY
from tensormill.ops.sparse import layout
from tests import native_calls

random = np.random.default_rng(0)
COUNT = 300


def sparse(dtype: Any, rank: int = 2, is_ordered: bool = True) -> Any:
    """Some hundred elements, infinite ones and NaN among floats."""
    sizes = {1: (2000,), 2: (50, 40), 3: (20, 9, 11)}[rank]
    places = random.choice(np.prod(sizes), COUNT, replace=False)
    places = np.sort(places) if is_ordered else places
    values = random.integers(-3, 4, COUNT).astype(dtype)
    if values.dtype.kind == "f":
        values[:4] = np.nan, np.inf, -np.inf, -0.0
    return tf.SparseTensor(np.stack(np.unravel_index(places, sizes), 1), values, sizes)


FUNCTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "slice": lambda a, b: tf.sparse.slice(a, [1] * a.shape.rank, [9] * a.shape.rank),
    "slice to the end": lambda a, b: tf.sparse.slice(a, [0] * a.shape.rank, a.dense_shape + 3),
    "slice of nothing": lambda a, b: tf.sparse.slice(a, a.dense_shape + 1, a.dense_shape),
    "split": lambda a, b: tf.sparse.split(a, 3, 0),
    "split behind": lambda a, b: tf.sparse.split(a, 4, -1),
    "add": lambda a, b: tf.sparse.add(a, b),
    "add, at least": lambda a, b: tf.sparse.add(a, b, 2),
    "minimum": lambda a, b: tf.sparse.minimum(a, b),
    "maximum": lambda a, b: tf.sparse.maximum(a, b),
    "reorder": lambda a, b: tf.sparse.reorder(a),
    "transpose": lambda a, b: tf.sparse.transpose(a),
    "concat": lambda a, b: tf.sparse.concat(0, [a, b]),
    "reshape": lambda a, b: tf.sparse.reshape(a, [-1, 10]),
    "fill_empty_rows": lambda a, b: tf.sparse.fill_empty_rows(a, tf.cast(7, a.dtype)),
    "reduce_sum": lambda a, b: tf.sparse.reduce_sum(a),
    "reduce_sum along the last axis": lambda a, b: tf.sparse.reduce_sum(a, -1),
    "reduce_sum, axes kept": lambda a, b: tf.sparse.reduce_sum(a, [0], keepdims=True),
    "reduce_sum, sparse": lambda a, b: tf.sparse.reduce_sum(a, 0, output_is_sparse=True),
    "reduce_max": lambda a, b: tf.sparse.reduce_max(a),
    "reduce_max along the first axis": lambda a, b: tf.sparse.reduce_max(a, 0),
    "reduce_max, sparse": lambda a, b: tf.sparse.reduce_max(a, -1, True, output_is_sparse=True),
    "to_dense": lambda a, b: tf.sparse.to_dense(tf.sparse.reorder(a)),
    "times": lambda a, b: a * tf.cast(tf.range(1, a.shape[-1] + 1), a.dtype),
    "divided": lambda a, b: a / tf.cast(tf.range(1, a.shape[-1] + 1), a.dtype),
}


def results(function: Callable[[Any, Any], Any], a: Any, b: Any) -> list[Any]:
    return [np.asarray(one) for one in tf.nest.flatten(function(a, b), expand_composites=True)]


@pytest.mark.sampled
@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("rank", [1, 2, 3])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int64])
def test_many_elements_are_what_the_parts_make_of_them(name: str, rank: int, dtype: Any) -> None:
    a, b = sparse(dtype, rank, is_ordered=name != "reorder"), sparse(dtype, rank)
    found = results(FUNCTIONS[name], a, b)
    with tf.GradientTape():  # which is told of each part
        expected = results(FUNCTIONS[name], a, b)

    for one, other in zip(expected, found, strict=True):
        assert (one.shape, one.dtype) == (other.shape, other.dtype)
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("rank", [2, 3])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_softmax_of_many_elements_is_what_the_parts_make_of_them(rank: int, dtype: Any) -> None:
    a = sparse(dtype, rank)

    found = tf.sparse.softmax(a)

    with tf.GradientTape():
        expected = tf.sparse.softmax(a)
    np.testing.assert_array_equal(expected.indices, found.indices)
    np.testing.assert_allclose(found.values, expected.values, 1e-6)


@pytest.mark.parametrize("axis", [2, [0, -3], tf.constant(5)])
def test_axes_that_are_not_there_are_told_by_the_parts(axis: Any) -> None:
    for function in (tf.sparse.reduce_sum, tf.sparse.reduce_max):
        for is_sparse in (False, True):
            with pytest.raises(tf.errors.InvalidArgumentError, match="reduction dimension"):
                function(sparse(np.float32), axis, output_is_sparse=is_sparse)


@pytest.mark.parametrize("is_turned", [False, True])
def test_products_with_dense_matrices_are_what_the_parts_make_of_them(is_turned: bool) -> None:
    a = tf.sparse.from_dense(random.integers(-3, 4, (50, 40)).astype(np.float32))
    b = random.integers(-3, 4, (50, 7) if is_turned else (40, 7)).astype(np.float32)

    found = tf.sparse.sparse_dense_matmul(a, b, adjoint_a=is_turned)

    dense = tf.sparse.to_dense(a).numpy()
    np.testing.assert_array_equal((dense.T if is_turned else dense) @ b, found)


def test_functions_of_many_elements_are_single_operations(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = native_calls.noted(monkeypatch)
    a, b = sparse(np.float32), sparse(np.float32)
    tf.sparse.add(a, b)
    tf.sparse.slice(a, [0, 0], [9, 9])
    tf.sparse.minimum(a, b)
    tf.sparse.reduce_sum(a, 0)
    tf.sparse.softmax(a)
    tf.sparse.split(a, 2, 0)

    names = ["SparseAdd", "SparseSlice", "SparseSparseMinimum", "SparseReduceSum"]
    assert [*names, "SparseSoftmax", "SparseSplit"] == [
        one for one in taken if one.startswith("Sparse")
    ]


def test_what_is_wrong_is_told_by_the_parts() -> None:
    a = sparse(np.float32)

    with pytest.raises(tf.errors.InvalidArgumentError, match="size must not be negative"):
        tf.sparse.slice(a, [0, 0], [-1, 2])
    with pytest.raises(tf.errors.InvalidArgumentError, match="num_split"):
        tf.sparse.split(a, 51, 0)


@pytest.mark.parametrize("count", [4, COUNT])
def test_sums_that_are_nan_are_left_out_as_nothing_is_as_large(count: int) -> None:
    places = np.arange(count)[:, None]
    values = np.where(places[:, 0] == 2, np.nan, 1.0).astype(np.float32)
    a = tf.SparseTensor(places, values, [count])

    assert 2 not in tf.sparse.add(a, a).indices
    assert count - 1 == tf.sparse.add(a, a).values.shape[0]
    alone = tf.SparseTensor([[0]], [1.0], [count])
    assert 2 in tf.sparse.add(a, alone).indices


def test_all_operations_know_the_rank_of_indices() -> None:
    rephrased = [one for one in REGISTRY.values() if one.rephrases and ".sparse." in one.__module__]
    marked = [one for one in rephrased if one.native_from is not None]

    assert len(marked) > 10
    assert all(one.native_axes for one in marked)


def test_a_split_into_many_parts_is_not_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(layout, "in_one_piece", lambda *_, **attrs: asked.append(attrs))
    x = sparse(np.float32)

    few, many = (tf.sparse.split(x, count, 0) for count in (layout.MOST_PARTS, 50))

    assert (layout.MOST_PARTS, 50) == (len(few), len(many))
    assert [{"num_split": layout.MOST_PARTS}] == [one for one in asked if one]


@pytest.mark.parametrize("count", [3, COUNT])
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("place", [-1, 30])
def test_elements_outside_of_a_factor_are_refused(count: int, axis: int, place: int) -> None:
    places = np.stack(np.divmod(np.arange(count), 30), 1)
    places[1, axis] = place
    x = tf.SparseTensor(places, np.ones(count, np.float32), [30, 30])

    for multiply in (tf.sparse.sparse_dense_matmul, tf.function(tf.sparse.sparse_dense_matmul)):
        with pytest.raises(tf.errors.InvalidArgumentError):
            multiply(x, tf.ones([30, 2]))
