"""What tracing leaves is told when it runs, so a branch that does not run may have it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import behaviour, tf

raw = tf.raw_ops
X = np.ones((3, 4), np.float32)
NO_COLUMNS = np.ones((3, 0), np.float32)
IMAGES = np.ones((1, 4, 0, 2), np.float32)
ROW = tf.Variable([1.0, 2.0, 3.0])

LATE: dict[str, Callable[[], Any]] = {
    "the largest of nothing": lambda: tf.argmax(NO_COLUMNS, 1),
    "the smallest of nothing": lambda: tf.argmin(NO_COLUMNS, 1),
    "the largest along no axis of a vector": lambda: tf.argmax(X[0], 1),
    "the largest of a scalar": lambda: tf.argmax(X[0, 0], 1),
    "sums along no axis": lambda: tf.cumsum(X, 2),
    "logarithms along no axis": lambda: tf.math.cumulative_logsumexp(X, 2),
    "a roll along no axis": lambda: tf.roll(X, 1, 2),
    "an axis twice": lambda: tf.transpose(X, [0, 0]),
    "a sum of an axis twice": lambda: tf.reduce_sum(X, [0, 0]),
    "a new axis too far": lambda: tf.one_hot([0, 1], 3, axis=7),
    "batches that are sequences": lambda: tf.reverse_sequence(X, [1, 2, 3], 0, 0),
    "an axis of batches": lambda: raw.GatherV2(
        params=X, indices=[[0, 1]] * 3, axis=0, batch_dims=1
    ),
    "a mirror that is too small": lambda: tf.pad(X, [[0, 9], [0, 0]], "REFLECT"),
    "a slice from outside": lambda: tf.slice(X, [9, 0], [1, 1]),
    "a slice to outside": lambda: tf.slice(X, [0, 0], [1, 9]),
    "an image of nothing": lambda: tf.image.resize(IMAGES, [2, 2]),
    "rows and segments that do not go together": lambda: tf.math.segment_sum(X, [0, 1]),
    "diagonals outside": lambda: tf.linalg.band_part(X, 9, 0),
    "a place from the end": lambda: tf.math.invert_permutation([-1, 0]),
    "a place twice": lambda: tf.math.invert_permutation([0, 0]),
    "a value that does not fit into a slice": lambda: ROW[:2].assign(X[0]),
    "a gradient that does not fit a slice": lambda: raw.StridedSliceGrad(
        shape=[4], begin=[0], end=[2], strides=[1], dy=X[0]
    ),
    "bounds with nothing between": lambda: raw.StatelessRandomUniformInt(
        shape=[3], seed=[1, 2], minval=3, maxval=3
    ),
    "bins of an empty range": lambda: tf.histogram_fixed_width(X, [1.0, 1.0]),
    "a draw of no classes": lambda: tf.random.stateless_categorical(NO_COLUMNS, 2, [1, 2]),
}


@pytest.mark.sampled
@behaviour("C1")
@pytest.mark.parametrize("wrong", LATE.values(), ids=LATE)
def test_a_wrong_call_that_tracing_leaves_is_told_where_it_runs(wrong: Callable[[], Any]):
    @tf.function(autograph=False)
    def called_if(flag: Any) -> Any:
        return tf.cond(
            flag, lambda: tf.reduce_sum(tf.cast(wrong(), tf.float32)), lambda: tf.constant(-1.0)
        )

    assert called_if(tf.constant(False)).numpy() == -1
    with pytest.raises(tf.errors.InvalidArgumentError):
        called_if(tf.constant(True))
    with pytest.raises(tf.errors.InvalidArgumentError):
        wrong()


@behaviour("C1")
def test_a_slice_to_the_end_begins_within_what_tracing_knows():
    with pytest.raises(ValueError, match="Slice"):
        tf.function(lambda: tf.slice(X, [9, 0], [-1, 1])).get_concrete_function()


@behaviour("C1")
@pytest.mark.parametrize("sizes", [[3, 4], []], ids=["transpose", "gather"])
def test_ranks_that_do_not_fit_are_told_while_tracing(sizes: list[int]):
    def wrong(x: Any, numbers: Any) -> Any:
        return (
            tf.transpose(x, numbers)
            if sizes
            else raw.GatherV2(params=x, indices=numbers, axis=numbers[0])
        )

    x, numbers = tf.TensorSpec(sizes), tf.TensorSpec([3], tf.int32)
    with pytest.raises(ValueError, match=r"Transpose|Gather"):
        tf.function(wrong, autograph=False).get_concrete_function(x, numbers)


@behaviour("C1")
@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: tf.strings.to_hash_bucket_fast(["a"], 0), "minimum 1"),
        (lambda: tf.histogram_fixed_width(X, [0.0, 1.0], 0), "nbins|0 must be > 0"),
        (lambda: tf.range(5, 1), "start <= limit"),
        (lambda: tf.range(1, 5, 0), "delta != 0"),
        (
            lambda: raw.StatelessRandomUniformInt(shape=[3], seed=[1, 2, 3], minval=1, maxval=3),
            "seed must have|must be 2 but is 3",
        ),
    ],
    ids=["buckets", "bins", "a range", "a range on the spot", "seeds"],
)
def test_what_tracing_knows_to_be_wrong_is_told_while_tracing(wrong: Callable[[], Any], words: str):
    with pytest.raises(ValueError, match=words):
        tf.function(wrong, autograph=False).get_concrete_function()
    with pytest.raises(tf.errors.InvalidArgumentError):
        wrong()
