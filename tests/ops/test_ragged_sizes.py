"""Static shapes of ragged tensors, and what is refused; all of it as TensorFlow has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.errors import InvalidArgumentError

Ragged = tf.RaggedTensor
ROWS = [[1.0, 2.0], [], [3.0, 4.0, 5.0]]

EAGER: list[tuple[Callable[[], Any], list[int | None]]] = [
    (lambda: Ragged.from_tensor([[1, 2], [3, 4]]), [2, 2]),
    (lambda: Ragged.from_tensor([[1, 2], [3, 4]], lengths=[1, 2]), [2, None]),
    (lambda: Ragged.from_tensor([[1, 2], [3, 4]], padding=4), [2, None]),
    (lambda: Ragged.from_tensor(tf.zeros([2, 3, 4])), [2, 3, 4]),
    (lambda: Ragged.from_tensor(tf.zeros([2, 3, 4]), ragged_rank=2), [2, 3, 4]),
    (lambda: Ragged.from_tensor(tf.zeros([2, 3, 4]), padding=0, ragged_rank=2), [2, 3, None]),
    (lambda: Ragged.from_tensor(tf.zeros([0, 3])), [0, 3]),
    (lambda: Ragged.from_tensor(tf.zeros([2, 3, 0])), [2, 3, 0]),
    (lambda: Ragged.from_uniform_row_length(tf.range(6), 2), [3, 2]),
    (lambda: Ragged.from_uniform_row_length(tf.range(0), 0, nrows=3), [3, 0]),
    (lambda: Ragged.from_uniform_row_length(tf.ragged.constant([[1], []]), 2), [1, 2, None]),
    (lambda: tf.cast(Ragged.from_tensor([[1, 2]]), tf.int64), [1, 2]),
    (lambda: Ragged.from_tensor([[1, 2], [3, 4]]).with_values(tf.zeros([4, 3])), [2, 2, 3]),
    (
        lambda: Ragged.from_tensor([[1, 2], [3, 4]]) + tf.ragged.constant([[1, 2], [3, 4]]),
        [2, None],
    ),
    (lambda: Ragged.from_tensor([[1, 2], [3, 4]])[1:], [1, 2]),
    (lambda: Ragged.from_tensor([[1, 2], [3, 4]])[:, 1:], [2, 1]),
    (lambda: Ragged.from_tensor([[1, 2], [3, 4]])[:, 1], [2]),
    (lambda: tf.gather(Ragged.from_tensor([[1, 2], [3, 4]]), [0, 1, 0]), [3, None]),
    (lambda: tf.expand_dims(tf.ragged.constant(ROWS), 0), [1, 3, None]),
    (lambda: tf.expand_dims(tf.ragged.constant(ROWS), 1), [3, 1, None]),
    (lambda: tf.expand_dims(tf.ragged.constant(ROWS), 2), [3, None, 1]),
    (lambda: tf.ragged.constant(ROWS)[None], [1, 3, None]),
    (lambda: tf.ragged.constant(ROWS)[:, None], [3, 1, None]),
    (lambda: tf.ragged.constant(ROWS) + tf.ones([2, 1, 1]), [2, 3, None]),
]


@pytest.mark.parametrize("case", EAGER, ids=str)
def test_sizes_that_rows_have_by_the_way_they_were_made_are_known(case: Any) -> None:
    make, expected = case

    assert expected == make().shape.as_list()


def test_sizes_are_known_of_rows_that_a_graph_makes() -> None:
    shapes: list[Any] = []

    def note(x: Any) -> None:
        ragged = Ragged.from_tensor(x)
        values = ragged, ragged[1:], ragged[:, 1:], ragged[:, 0], ragged[None], ragged * 2.0
        shapes.extend(one.shape.as_list() for one in values)

    tf.function(note, input_signature=[tf.TensorSpec([None, 2])]).get_concrete_function()

    assert [[None, 2], [None, 2], [None, 1], [None], [1, None, 2], [None, 2]] == shapes


def test_a_length_that_all_rows_have_goes_through_a_function() -> None:
    rows = Ragged.from_tensor([[1, 2], [3, 4], [5, 6]])
    returned = tf.function(lambda x: x)(rows)

    assert 2 == rows.uniform_row_length == returned.uniform_row_length
    assert [3, 2] == returned.shape.as_list()
    assert tf.shape(returned)[1] == 2
    assert tf.ragged.constant([[1, 2]]).uniform_row_length is None


def test_no_rows_of_one_length_become_a_tensor_of_that_width() -> None:
    assert [0, 2] == Ragged.from_uniform_row_length(tf.zeros([0]), 2)[:0].to_tensor().shape


@pytest.mark.parametrize("shape", [(0, 2), (2, 0), (0, 2, 3), (1, 0, 2)])
def test_texts_of_which_there_are_none_have_no_ngrams_and_join_to_nothing(shape: Any) -> None:
    texts = tf.constant(np.empty(shape, object))
    padded = tf.strings.ngrams(texts, 2, pad_values=("L", "R"))

    assert 0 == tf.size(padded)
    assert shape[:-1] == padded.shape[:-1]
    assert shape[:-1] == tf.strings.reduce_join(texts, -1).shape
    assert [b""] * tf.size(tf.zeros(shape[:-1])).numpy() == (
        tf.reshape(tf.strings.reduce_join(texts, -1), [-1]).numpy().tolist()
    )


def test_a_scalar_has_no_ngrams() -> None:
    with pytest.raises(ValueError, match="rank"):
        tf.strings.ngrams("a b", 2)


def test_sets_of_other_dtypes_or_numbers_of_rows_are_refused() -> None:
    for one, other in (([[1.0]], [[2.0]]), ([["a"]], [[1]])):
        with pytest.raises(TypeError, match="sets"):
            tf.sets.union(one, other)
    with pytest.raises(InvalidArgumentError, match="as many"):
        tf.sets.intersection([[1], [2]], [[1]])


def test_a_place_beyond_rows_of_one_length_is_refused() -> None:
    rows = Ragged.from_tensor([[1, 2], [3, 4]])

    assert [2, 4] == rows[:, -1].numpy().tolist()
    for place in (2, -3):
        with pytest.raises(InvalidArgumentError, match="out of bounds"):
            rows[:, place]


REFUSED: list[tuple[Callable[[Any], Any], type[Exception]]] = [
    (lambda x: tf.add(x, [10.0, 20.0, 30.0]), InvalidArgumentError),
    (lambda x: x + tf.zeros([3, 3]), InvalidArgumentError),
    (lambda x: x + tf.ragged.constant([[1.0], [2.0, 3.0], [4.0, 5.0]]), InvalidArgumentError),
    (lambda x: x + tf.ragged.constant([[1.0]]), InvalidArgumentError),
    (lambda x: x + x.with_row_splits_dtype(tf.int32), ValueError),
    (lambda x: tf.squeeze(x, 0), InvalidArgumentError),
    (lambda x: tf.squeeze(x, 1), InvalidArgumentError),
    (lambda x: tf.squeeze(x), ValueError),
    (lambda x: tf.split(x, 2), InvalidArgumentError),
    (lambda x: tf.split(x, [1, 1]), InvalidArgumentError),
    (lambda x: tf.split(x, [1, -1]), InvalidArgumentError),
    (lambda x: tf.split(x, [1, 1], axis=1), ValueError),
    (lambda x: tf.reduce_sum(x, [1, 1]), InvalidArgumentError),
    (lambda x: tf.reduce_sum(x, 2), ValueError),
    (lambda x: tf.broadcast_to(x, tf.shape(x)), ValueError),  # int64 row splits, an int32 shape
    (lambda x: tf.dynamic_partition(x, [0, 5, 0], 2), InvalidArgumentError),
    (lambda x: tf.debugging.assert_equal(x, -x), InvalidArgumentError),
    (lambda x: tf.debugging.assert_less(x, [[1.0], [2.0], [3.0]]), InvalidArgumentError),
    (lambda x: x.with_values(tf.ones([4])), ValueError),
    (lambda x: tf.concat([x, x[:, :, None]], 0), ValueError),
    (lambda x: tf.concat([x, x[:2]], 1), InvalidArgumentError),
    (lambda x: tf.math.unsorted_segment_sum(x, x[:, :1], 2), InvalidArgumentError),
]


@pytest.mark.parametrize("case", REFUSED, ids=str)
def test_what_does_not_fit_is_refused(case: Any) -> None:
    call, error = case

    with pytest.raises(error):
        call(tf.ragged.constant(ROWS))


def test_rows_with_a_negative_number_are_in_no_segment() -> None:
    total = tf.math.unsorted_segment_sum(tf.ragged.constant(ROWS), [1, 0, -1], 2)

    assert [[], [1.0, 2.0]] == total.to_list()


def test_variances_keep_their_digits_far_from_zero() -> None:
    rows = tf.ragged.constant([[1e6, 1e6 + 1.0, 1e6 + 2.0], [1e6 + 0.5]], tf.float32)

    found = tf.math.reduce_variance(rows, 1).numpy()
    assert [pytest.approx(2.0 / 3.0, abs=1e-5), 0.0] == found.tolist()


def test_reductions_of_nested_rows_have_gradients() -> None:
    flat = tf.constant([1.0, 2.0, 3.0, 4.0, 5.0])
    with tf.GradientTape() as tape:
        tape.watch(flat)
        rows = Ragged.from_nested_row_lengths(flat, [[2, 1], [2, 0, 3]])
        largest, sums = tf.reduce_max(rows, 0), tf.cumsum(rows, 2)
        loss = tf.reduce_sum(largest.flat_values * [1.0, 2.0, 3.0]) + tf.reduce_sum(sums)

    assert [[3.0, 4.0, 5.0], []] == largest.to_list()
    assert [2.0, 1.0, 4.0, 4.0, 4.0] == tape.gradient(loss, flat).numpy().tolist()


def test_padding_has_the_shape_of_what_rows_hold_also_where_ranks_are_unknown() -> None:
    @tf.function(input_signature=[tf.TensorSpec(None, tf.int32)])
    def rows(x: tf.Tensor) -> tf.Tensor:
        return tf.RaggedTensor.from_tensor(x, padding=0).row_lengths()

    assert rows([[1, 0], [1, 2]]).numpy().tolist() == [1, 2]
    for wrong in (tf.ones([2, 2, 3], tf.int32), tf.ones([2, 2, 1], tf.int32)):
        with pytest.raises(tf.errors.InvalidArgumentError):
            rows(wrong)
