"""Products of matrices in rows: what has none is refused."""

from __future__ import annotations

from typing import Any

import pytest

import tensormill as tf

ROWS = tf.ragged.constant([[[1.0, 2.0]], [[3.0, 4.0], [5.0, 6.0]]], ragged_rank=1)
SQUARES = tf.ones([2, 2, 2])
UNEVEN = tf.ragged.constant([[[1.0, 2.0], [3.0]], [[4.0, 5.0]]])

WRONG: dict[str, tuple[Any, Any, type[Exception], str]] = {
    "other ranks": (ROWS, SQUARES[0], ValueError, "same rank"),
    "other dtypes": (ROWS, tf.cast(SQUARES, tf.float64), ValueError, "same dtype"),
    "other numbers of matrices": (ROWS, SQUARES[:1], ValueError, "2 and 1 are not compatible"),
    "other sizes": (SQUARES, ROWS, tf.errors.InvalidArgumentError, "Matrix size-incompatible"),
    "rows of other lengths": (UNEVEN, SQUARES, tf.errors.InvalidArgumentError, "innermost"),
    "a matrix of other lengths": (
        UNEVEN[0], SQUARES[0], tf.errors.InvalidArgumentError, "innermost",
    ),
}  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG)
def test_what_has_no_product_is_refused(wrong: str) -> None:
    a, b, error, message = WRONG[wrong]

    with pytest.raises(error, match=message):
        tf.matmul(a, b)
    with pytest.raises(error, match=message):
        tf.function(lambda a, b: tf.matmul(a, b))(a, b)


def test_numbers_of_matrices_that_only_a_run_knows_are_compared() -> None:
    rows = tf.RaggedTensorSpec([None, None, 2], tf.float32, 1)
    signature = [rows, tf.TensorSpec([None, None, None])]
    product = tf.function(lambda a, b: tf.matmul(a, b), input_signature=signature)

    assert product(ROWS, SQUARES).to_list() == [[[3.0, 3.0]], [[7.0, 7.0], [11.0, 11.0]]]
    with pytest.raises(tf.errors.InvalidArgumentError, match="numbers of matrices differ"):
        product(ROWS, SQUARES[:1])


def test_the_operator_takes_rows() -> None:
    expected = [[[3.0, 3.0]], [[7.0, 7.0], [11.0, 11.0]]]
    assert [expected, expected] == [(ROWS @ SQUARES).to_list(), tf.matmul(ROWS, SQUARES).to_list()]


def test_images_that_are_no_rectangles_are_refused() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="rows differ in length"):
        tf.image.resize(tf.ragged.constant([[[[1.0], [2.0]], [[3.0]]]], inner_shape=(1,)), [2, 2])
    with pytest.raises(ValueError, match="rank 4"):
        tf.image.resize(ROWS, [2, 2])


def test_a_row_that_is_not_there_is_an_index_error() -> None:
    for index in (2, -3, tf.constant(5), (2, 0)):
        with pytest.raises(IndexError, match="out of bounds: there are 2") as raised:
            ROWS[index]
        assert isinstance(raised.value, tf.errors.InvalidArgumentError)
