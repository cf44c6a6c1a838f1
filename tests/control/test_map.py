"""map_fn, foldl, foldr, scan."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.control import slices
from tests.autodiff.modes import MODES, STAGED

EVERY = sorted(MODES | STAGED)
THREE = np.array([1.0, 2.0, 3.0], np.float32)
NO_FUNCTION: Any = 3


def run(mode: str, function: Any, *arrays: Any) -> Any:
    return [one.tolist() for one in (MODES | STAGED)[mode](function, *arrays)]


@pytest.mark.sampled
@pytest.mark.parametrize("mode", EVERY)
@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda x: tf.map_fn(lambda a: a * a, x), [[1.0, 4.0, 9.0]]),
        (lambda x: tf.map_fn(lambda a: tf.cast(a, tf.int32), x), [[1, 2, 3]]),
        (lambda x: tf.map_fn(lambda p: p["a"] * p["b"][0], {"a": x, "b": [x]}), [[1.0, 4.0, 9.0]]),
        (lambda x: tf.map_fn(lambda ab: ab[0] * ab[1], (x, x + 1.0)), [[2.0, 6.0, 12.0]]),
        (lambda x: tf.map_fn(lambda a: {"a": a, "b": [a + 1.0]}, x), [[1, 2, 3], [2, 3, 4]]),
        (lambda x: tf.map_fn(lambda a: 1, x, fn_output_signature=tf.float32), [[1.0, 1.0, 1.0]]),
        (lambda x: tf.foldl(lambda a, b: a * 2.0 + b, x), [11.0]),
        (lambda x: tf.foldr(lambda a, b: a * 2.0 + b, x), [17.0]),
        (lambda x: tf.foldl(lambda a, b: a * 2.0 + b, x, initializer=10.0), [91.0]),
        (lambda x: tf.foldr(lambda a, b: a * 2.0 + b, x, initializer=10.0), [97.0]),
        (lambda x: tf.scan(lambda a, b: a + b, x), [[1.0, 3.0, 6.0]]),
        (lambda x: tf.scan(lambda a, b: a + b, x, reverse=True), [[6.0, 5.0, 3.0]]),
        (lambda x: tf.scan(lambda a, b: a + b, x, initializer=10.0), [[11.0, 13.0, 16.0]]),
        (
            lambda x: tf.scan(lambda a, b: (a[0] + b, a[1] * b), x, initializer=(0.0, 1.0)),
            [[1.0, 3.0, 6.0], [1.0, 2.0, 6.0]],
        ),
    ],
)
def test_maps_folds_and_scans(function: Any, expected: Any, mode: str) -> None:
    assert expected == run(mode, function, THREE)


@pytest.mark.parametrize("mode", sorted(MODES))
def test_no_slices_give_an_empty_result_of_the_right_shape(mode: str) -> None:
    def function(x: Any) -> Any:
        return tf.map_fn(lambda row: tf.cast(tf.stack([row, row]), tf.int32), x)

    (found,) = MODES[mode](function, np.zeros((0, 4), np.float32))
    assert found.dtype == np.int32
    assert (0, 2, 4) == found.shape


@pytest.mark.parametrize("mode", sorted(MODES))
@pytest.mark.parametrize(
    ("function", "error", "words"),
    [
        (lambda x: tf.map_fn(lambda a: a, x[0]), ValueError, "must be 1\\+ dimensional"),
        (lambda x: tf.map_fn(lambda a: a, [x, x[:2]]), ValueError, "not compatible"),
        (lambda x: tf.map_fn(NO_FUNCTION, x), TypeError, "not callable"),
        (lambda x: tf.scan(NO_FUNCTION, x), TypeError, "not callable"),
        (
            lambda x: tf.map_fn(lambda a: a, x, dtype=tf.int32),
            tf.errors.InvalidArgumentError,
            "TensorArray dtype is int32 but Op is trying to write dtype float32",
        ),
        (
            lambda x: tf.foldl(lambda a, b: a, x[:0]),
            tf.errors.OutOfRangeError,
            "Tried to read from index 0 but array size is: 0",
        ),
    ],
)
def test_mistakes(function: Any, error: Any, words: str, mode: str) -> None:
    with pytest.raises(error, match=words):
        run(mode, function, THREE)


def test_the_function_is_traced_once() -> None:
    traces: list[int] = []

    def squared(a: Any) -> Any:
        traces.append(1)
        return a * a

    tf.function(lambda x: tf.map_fn(squared, x))(tf.constant(THREE))
    assert traces == [1]


def test_what_the_function_closes_over() -> None:
    v = tf.Variable(2.0)

    @tf.function
    def function(x: Any) -> Any:
        offset = x[0]
        return tf.map_fn(lambda a: a * v + offset, x)

    np.testing.assert_array_equal([3.0, 5.0, 7.0], function(tf.constant(THREE)))


def test_effects_happen_for_every_slice() -> None:
    v = tf.Variable(0.0)

    @tf.function
    def function(x: Any) -> Any:
        return tf.map_fn(lambda a: v.assign_add(a), x)

    np.testing.assert_array_equal([1.0, 3.0, 6.0], function(tf.constant(THREE)))
    assert v.numpy() == 6.0


@pytest.mark.parametrize("mode", EVERY)
def test_gradients_go_through_ragged_rows(mode: str) -> None:
    spec = tf.RaggedTensorSpec([None], tf.float32, ragged_rank=0)

    def function(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            ragged = tf.RaggedTensor.from_row_lengths(x, [2, 0, 1])
            squares = tf.map_fn(lambda row: row * row, ragged, fn_output_signature=spec)
            y = tf.reduce_sum(squares.flat_values)
        return tape.gradient(y, x)

    assert [[2.0, 4.0, 6.0]] == run(mode, function, THREE)


@pytest.mark.parametrize("mode", sorted(MODES))
@pytest.mark.parametrize(
    ("fn", "signature", "words"),
    [
        (lambda a: a, tf.RaggedTensorSpec([None, None], tf.float32), "Expected `fn` to return"),
        (lambda a: a, tf.SparseTensorSpec([None], tf.float32), "Expected `fn` to return"),
        (tf.sparse.from_dense, tf.RaggedTensorSpec([None], tf.float32, 0), "a RaggedTensorSpec"),
        (lambda a: [a], [tf.RaggedTensorSpec([3], tf.float32, 0)], "Incompatible shape for value"),
    ],
)
def test_results_of_another_kind_than_demanded(
    fn: Any, signature: Any, words: str, mode: str
) -> None:
    def function(x: Any) -> Any:
        tf.map_fn(fn, x, fn_output_signature=signature)

    with pytest.raises(ValueError, match=words):
        MODES[mode](function, np.ones((2, 2), np.float32))


@pytest.mark.parametrize("mode", sorted(MODES))
def test_no_slices_give_a_ragged_tensor_without_rows(mode: str) -> None:
    spec = tf.RaggedTensorSpec([None], tf.int32, ragged_rank=0)

    def function(x: Any) -> Any:
        found = tf.map_fn(tf.range, x, fn_output_signature=spec)
        return found.flat_values, found.row_splits

    values, splits = MODES[mode](function, np.zeros(0, np.int32))
    assert values.shape == (0,)
    assert [0] == splits.tolist()


def test_indexed_slices_with_a_dense_shape_are_no_sparse_tensors() -> None:
    sparse = tf.SparseTensor([[0, 1], [1, 0]], [1.0, 2.0], [2, 2])
    rows = tf.IndexedSlices(tf.ones([2, 3]), tf.constant([0, 1]), tf.constant([4, 3]))

    assert [True, False, False] == [slices.is_sparse(one) for one in (sparse, rows, tf.ones([2]))]


@pytest.mark.parametrize("staged", [False, True])
def test_results_have_the_shape_that_the_signature_says(staged: bool) -> None:
    def mapped(shape: Any) -> Any:
        spec = tf.TensorSpec(shape, tf.float32)
        return tf.map_fn(lambda x: x, tf.zeros([3, 2]), fn_output_signature=spec)

    run = tf.function(mapped) if staged else mapped
    assert [3, 2] == run([None]).shape == run([2]).shape
    for shape in ([], [3], [2, 2]):
        with pytest.raises(ValueError, match="Incompatible shape for value"):
            run(shape)


@pytest.mark.sampled
@pytest.mark.parametrize("function", [lambda x: x * 2.0, lambda x: (x, tf.reduce_sum(x))])
@pytest.mark.parametrize("splits", [[0, 2, 2, 4], [0, 4], [0]])
def test_rows_of_unknown_rank_stay_rows(function: Any, splits: list[int]) -> None:
    def mapped(values: Any, splits: Any) -> Any:
        return tf.map_fn(function, tf.RaggedTensor.from_row_splits(values, splits))

    specs = [tf.TensorSpec(None), tf.TensorSpec([None], tf.int64)]
    compiled = tf.function(mapped, specs, autograph=False)
    for width in ([], [2]):
        values = tf.ones([splits[-1], *width])
        pairs = (tf.nest.flatten(run(values, splits)) for run in (mapped, compiled))
        for expected, found in zip(*pairs, strict=True):
            assert type(expected) is type(found)
            is_ragged = isinstance(expected, tf.RaggedTensor)
            one, other = (
                x.to_list() if is_ragged else x.numpy().tolist() for x in (expected, found)
            )
            assert one == other


@pytest.mark.parametrize(
    "signature",
    [tf.TensorSpec([None], tf.float32), tf.RaggedTensorSpec([None], tf.float32, ragged_rank=0)],
)
def test_results_of_unknown_shape_are_compared_with_the_signature(signature: Any) -> None:
    def mapped(x: Any) -> Any:
        return tf.map_fn(lambda row: row * 2.0, x, fn_output_signature=signature)

    compiled = tf.function(mapped, [tf.TensorSpec(None)], autograph=False)

    np.testing.assert_array_equal(np.full([2, 3], 2.0), compiled(tf.ones([2, 3])).numpy())
    for run in (mapped, compiled):
        with pytest.raises((ValueError, tf.errors.InvalidArgumentError)):
            run(tf.ones([2, 3, 4]))
