"""Places, axes and numbers of bins that do not exist are refused, eagerly and compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import tensormill as tf

NUMBER = tf.Variable(3)
REFUSED: dict[str, Callable[[Any], Any]] = {
    "an index behind the end": lambda x: tf.unravel_index(x + 6, [2, 3]),
    "a negative index": lambda x: tf.unravel_index(x - 1, [2, 3]),
    "a row of a number": lambda x: tf.raw_ops.ResourceScatterAdd(
        resource=NUMBER.handle, indices=x, updates=1
    ),
    "two axes": lambda x: tf.expand_dims([1], tf.range(2) + x),
    "no axis": lambda x: tf.expand_dims([1], tf.zeros([0], tf.int32) + x),
    "no bins": lambda x: tf.histogram_fixed_width_bins([1.0], [0.0, 5.0], nbins=x),
    "fewer bins than none": lambda x: tf.histogram_fixed_width_bins([1.0], [0.0, 5.0], x - 1),
    "fewer elements than none": lambda x: tf.math.top_k([1, 2], x - 1),
    "splits of rows that fall": lambda x: rows_of(as_splits(0, 3, x + 2, 3)),
    "splits of rows beyond the last value": lambda x: rows_of(as_splits(0, 2, x + 9)),
    "splits of no rows": lambda x: rows_of(as_splits(0)[: tf.minimum(x, 0)]),
    "n-grams of rows that fall": lambda x: grams_of(as_splits(0, 3, x + 2, 3)),
    "n-grams of some values": lambda x: grams_of(as_splits(0, x + 2)),
    "n-grams of all but the first": lambda x: grams_of(as_splits(x + 1, 3)),
    "texts of rows that fall": lambda x: texts_of(as_splits(0, 3, x + 2, 3)),
    "texts of more values": lambda x: texts_of(as_splits(0, x + 4)),
    "splits that are a number": lambda x: tf.raw_ops.RaggedTensorToTensor(
        shape=[-1, -1],
        values=[1],
        default_value=9,
        row_partition_tensors=[x],
        row_partition_types=["ROW_SPLITS"],
    ),
    "five diagonals": lambda x: tf.linalg.tridiagonal_matmul(
        tf.zeros([x + 5, 4]), tf.zeros([4, 1])
    ),
}


def as_splits(*numbers: Any) -> Any:
    return tf.cast(tf.stack(numbers), tf.int64)


def rows_of(splits: Any) -> Any:
    return tf.raw_ops.RaggedGather(
        params_nested_splits=[splits], params_dense_values=[1, 2, 3],
        indices=tf.zeros([0], tf.int32), OUTPUT_RAGGED_RANK=1,
    )  # fmt: skip


def grams_of(splits: Any) -> Any:
    return tf.raw_ops.StringNGrams(
        data=["a", "b", "c"], data_splits=splits, separator="", ngram_widths=[2], left_pad="",
        right_pad="", pad_width=0, preserve_short_sequences=False,
    )  # fmt: skip


def texts_of(splits: Any) -> Any:
    return tf.raw_ops.UnicodeEncode(
        input_values=[65, 66, 67], input_splits=splits, output_encoding="UTF-8"
    )


@pytest.mark.sampled
@pytest.mark.parametrize("name", REFUSED)
def test_what_does_not_exist_is_refused(name: str) -> None:
    function, zero = REFUSED[name], tf.constant(0)

    for run in (function, lambda x: tf.function(function)(x)):
        with pytest.raises((tf.errors.InvalidArgumentError, ValueError)):
            run(zero)


def test_what_exists_is_found() -> None:
    assert tf.unravel_index([0, 5], [2, 3]).numpy().tolist() == [[0, 1], [0, 2]]
    assert tf.expand_dims([1], [0]).shape == [1, 1]
    assert tf.expand_dims([1], [[-1]]).shape == [1, 1]


def test_rows_of_sparse_tensors_are_counted_whatever_their_rank() -> None:
    @tf.function(input_signature=[tf.TensorSpec(None, tf.int64)] * 2)
    def counts(indices: Any, shape: Any) -> Any:
        return tf.raw_ops.SparseBincount(
            indices=indices, values=[1, 2, 1], dense_shape=shape, size=4, weights=tf.zeros([0])
        )

    for axes in (2, 3):
        found = counts(tf.zeros([3, axes], tf.int64), tf.fill([axes], tf.constant(2, tf.int64)))
        assert [[0, 2, 1, 0], [0, 0, 0, 0]] == found.numpy().tolist()


def test_a_scalar_has_no_spectrum_to_go_back_from() -> None:
    with pytest.raises(ValueError, match="rank 1"):
        tf.signal.irfft(tf.constant(1j, tf.complex64))


def test_a_quotient_needs_operands_of_one_dtype() -> None:
    whole, half = tf.constant([2]), tf.constant([0.5])

    for operands in ((whole, half), (half, whole)):
        with pytest.raises(tf.errors.InvalidArgumentError, match="same dtype"):
            tf.math.divide_no_nan(*operands)


def test_windows_have_one_to_three_axes() -> None:
    for window in ([], [2] * 4):
        with pytest.raises(ValueError, match="one, two or three axes"):
            tf.nn.pool(tf.ones([1, 4, 4, 1]), window, "MAX")
