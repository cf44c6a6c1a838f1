"""tf.map_fn, tf.scan, tf.foldl, tf.group, tf.debugging: statements C19 to C21."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import behaviour, differs, tf
from tests.behaviours.modes import both

THREE = [1, 2, 3]


# ---- tf.map_fn


@behaviour("C19")
@both
def test_results_are_stacked(mode: Any):
    f = mode(lambda x: tf.map_fn(lambda row: tf.reduce_sum(row) + 1, x))
    result = f(tf.constant([[1, 2], [3, 4]]))

    assert result.numpy().tolist() == [4, 8]
    assert result.dtype == tf.int32


@behaviour("C19")
@both
def test_the_declared_dtype_is_that_of_the_result(mode: Any):
    f = mode(
        lambda x: tf.map_fn(lambda a: tf.cast(a, tf.float32) / 2, x, fn_output_signature=tf.float32)
    )
    result = f(tf.constant(THREE))

    assert result.dtype == tf.float32
    assert result.numpy().tolist() == [0.5, 1.0, 1.5]


@behaviour("C19")
@both
def test_a_result_of_another_dtype_than_declared_is_an_invalid_argument(mode: Any):
    f = mode(lambda x: tf.map_fn(lambda a: tf.cast(a, tf.float32), x, fn_output_signature=tf.int32))
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r"TensorArray dtype|Invalid data types"
    ):
        f(tf.constant(THREE))


@behaviour("C19")
@differs
@both
def test_the_dtype_of_the_result_is_that_of_what_the_function_returns(mode: Any):
    result = mode(lambda x: tf.map_fn(lambda a: tf.cast(a, tf.float32) / 2, x))(tf.constant(THREE))
    assert result.dtype == tf.float32
    assert result.numpy().tolist() == [0.5, 1.0, 1.5]


@behaviour("C19")
@differs
@both
def test_the_structure_of_the_result_is_that_of_what_the_function_returns(mode: Any):
    f = mode(lambda x: tf.map_fn(lambda a: {"twice": 2 * a, "both": (a, a > 1)}, x))
    result = f(tf.constant(THREE))
    assert result["twice"].numpy().tolist() == [2, 4, 6]
    assert result["both"][1].numpy().tolist() == [False, True, True]


@behaviour("C19")
@both
def test_scalars_have_no_slices(mode: Any):
    with pytest.raises(ValueError, match="must be 1\\+ dimensional"):
        mode(lambda: tf.map_fn(lambda a: a, tf.constant(1)))()


@behaviour("C19")
def test_no_slices_give_an_empty_result_of_the_right_shape():
    f = tf.function(lambda x: tf.map_fn(lambda row: tf.concat([row, row], 0), x))
    result = f(tf.zeros([0, 2], tf.int32))

    assert result.shape == (0, 4)
    assert result.dtype == tf.int32


@behaviour("C19")
@differs
def test_eagerly_too_no_slices_give_an_empty_result_of_the_right_shape():
    result = tf.map_fn(lambda row: tf.concat([row, row], 0), tf.zeros([0, 2], tf.int32))

    assert result.shape == (0, 4)
    assert result.dtype == tf.int32


@behaviour("C19")
def test_eagerly_rows_of_other_lengths_are_refused():
    with pytest.raises(ValueError, match="Incompatible shape for value"):
        tf.map_fn(tf.range, tf.constant(THREE))


@behaviour("C19")
def test_in_a_graph_rows_of_other_lengths_are_refused():
    f = tf.function(lambda x: tf.map_fn(tf.range, x))
    with pytest.raises((tf.errors.InvalidArgumentError, ValueError)):
        f(tf.constant(THREE))


@behaviour("C19")
@both
def test_a_ragged_signature_lets_rows_differ_in_length(mode: Any):
    spec = tf.RaggedTensorSpec([None], tf.int32, ragged_rank=0)
    f = mode(lambda x: tf.map_fn(tf.range, x, fn_output_signature=spec))
    result = f(tf.constant(THREE))

    assert isinstance(result, tf.RaggedTensor)
    assert result.to_list() == [[0], [0, 1], [0, 1, 2]]


@behaviour("C19")
@both
def test_rows_of_ragged_tensors_are_slices(mode: Any):
    f = mode(lambda x: tf.map_fn(tf.reduce_sum, x, fn_output_signature=tf.int32))
    assert f(tf.ragged.constant([[1, 2], [], [3]])).numpy().tolist() == [3, 0, 3]


@behaviour("C19")
@both
def test_ragged_rows_go_to_ragged_rows(mode: Any):
    spec = tf.RaggedTensorSpec([None], tf.int32, ragged_rank=0)
    f = mode(lambda x: tf.map_fn(lambda row: row * 2, x, fn_output_signature=spec))
    assert f(tf.ragged.constant([[1, 2], [], [3]])).to_list() == [[2, 4], [], [6]]


@behaviour("C19")
@both
def test_results_that_are_ragged_themselves_are_stacked(mode: Any):
    spec = tf.RaggedTensorSpec([None, None], tf.int32, ragged_rank=1)

    def rows(n: Any) -> Any:
        return tf.RaggedTensor.from_row_lengths(tf.range(n), tf.cast(tf.stack([0, n]), tf.int64))

    f = mode(lambda x: tf.map_fn(rows, x, fn_output_signature=spec))
    assert f(tf.constant([1, 2])).to_list() == [[[], [0]], [[], [0, 1]]]


@behaviour("C19")
@both
def test_sparse_tensors_are_mapped_row_by_row(mode: Any):
    sparse = tf.sparse.from_dense([[1, 0, 2], [0, 0, 3]])
    f = mode(lambda x: tf.map_fn(tf.sparse.reduce_sum, x, fn_output_signature=tf.int32))
    assert f(sparse).numpy().tolist() == [3, 3]


@behaviour("C19")
@both
def test_sparse_rows_become_a_sparse_tensor(mode: Any):
    spec = tf.SparseTensorSpec([None], tf.int32)
    f = mode(lambda x: tf.map_fn(tf.sparse.from_dense, x, fn_output_signature=spec))
    result = f(tf.constant([[0, 5], [6, 0]]))

    assert isinstance(result, tf.SparseTensor)
    assert tf.sparse.to_dense(result).numpy().tolist() == [[0, 5], [6, 0]]


# ---- folds


@behaviour("C20")
@both
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [1, 3, 6]),
        ({"initializer": 10}, [11, 13, 16]),
        ({"reverse": True}, [6, 5, 3]),
        ({"initializer": 10, "reverse": True}, [16, 15, 13]),
    ],
)
def test_scan_keeps_every_running_value(options: Any, expected: Any, mode: Any):
    f = mode(lambda x: tf.scan(lambda a, b: a + b, x, **options))
    assert f(tf.constant(THREE)).numpy().tolist() == expected


@behaviour("C20")
@both
def test_scanning_nothing_gives_no_values_of_the_shape_of_the_start(mode: Any):
    f = mode(lambda x: tf.scan(lambda a, b: (a[0] + b, a[1] + 1), x, (tf.zeros([2, 3]), 0)))
    values, counts = f(tf.zeros([0, 3]))
    assert (values.shape, counts.shape) == ([0, 2, 3], [0])


@behaviour("C20")
@both
def test_running_values_of_a_scan_keep_the_shape_of_the_start(mode: Any):
    with pytest.raises(ValueError, match="shape"):
        mode(lambda x: tf.scan(lambda a, b: a + b, x, initializer=0.0))(tf.zeros([2, 3]))


@behaviour("C20")
@both
def test_folds_keep_the_last_running_value(mode: Any):
    x = tf.constant(THREE)
    assert int(mode(lambda x: tf.foldl(lambda a, b: 2 * a + b, x))(x)) == 11
    assert int(mode(lambda x: tf.foldr(lambda a, b: 2 * a + b, x))(x)) == 17


@behaviour("C20")
def test_folding_nothing_without_a_start_is_out_of_range():
    with pytest.raises(tf.errors.OutOfRangeError, match="Tried to read from index 0"):
        tf.foldl(lambda a, b: a + b, tf.zeros([0]))


@behaviour("C20")
@pytest.mark.parametrize(
    "fn",
    [
        lambda a: a * 2 + 1,
        lambda a: tf.where(a > 1, 5, a * 2 + 1),
        lambda a: tf.py_function(lambda b: b * 2 + 1, [a], tf.int32),
    ],
    ids=["arithmetic", "where", "py_function"],
)
def test_vectorized_map_maps(fn: Any):
    expected = [3, 5, 5] if "where" in fn.__code__.co_names else [3, 5, 7]
    assert tf.vectorized_map(fn, tf.constant(THREE)).numpy().tolist() == expected


# ---- several things as one; assertions


@behaviour("C21")
def test_eagerly_everything_has_happened_already():
    one, two = tf.constant(1), tf.constant(2)

    assert tf.group(one, two) is None
    assert tf.no_op() is None
    assert isinstance(tf.tuple([one, two]), list)
    with tf.control_dependencies([one]):
        assert int(tf.identity(two)) == 2


@behaviour("C21")
@both
def test_what_is_asserted_must_be_true(mode: Any):
    def body(x: Any) -> Any:
        tf.debugging.Assert(x < 3, [x, "is too much"])
        return x

    f = mode(body)
    assert tf.debugging.Assert(True, []) is None
    assert int(f(tf.constant(2))) == 2
    with pytest.raises(tf.errors.InvalidArgumentError, match="is too much"):
        f(tf.constant(3))


@behaviour("C21")
def test_eagerly_data_of_an_assertion_are_summarized():
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        tf.debugging.Assert(False, [tf.constant([1, 2])])
    assert "Expected 'False' to be true. Summarized data:" in str(caught.value)


@behaviour("C21")
def test_the_users_words_come_first_then_what_did_not_hold_and_the_elements():
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        tf.debugging.assert_equal(1, 2, message="my words")

    words = re.split(r"\s*\n\s*", str(caught.value))
    assert words[0].startswith("my words")
    assert "Condition x == y did not hold" in str(caught.value)
    assert "First 1 elements of x:" in str(caught.value)


@behaviour("C21")
def test_shapes_that_do_not_hold_are_a_value_error():
    x, y = np.zeros((2, 3)), np.zeros((4, 3))
    assert tf.debugging.assert_shapes([(x, ("N", 3)), (y, ("M", 3))]) is None
    with pytest.raises(ValueError, match="shape"):
        tf.debugging.assert_shapes([(x, ("N", 3)), (y, ("N", 3))])
