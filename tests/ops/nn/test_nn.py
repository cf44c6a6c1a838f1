"""Biases, dropout and class predictions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.ops.nn.bias_and_dropout import bias_add, dropout, in_top_k


def both(fn: Any, *arguments: Any) -> list[Any]:
    """What `fn` gives eagerly and compiled."""
    return [fn(*arguments), tf.function(fn)(*arguments)]


def test_a_bias_is_added_along_the_last_axis_or_the_second() -> None:
    x = tf.constant(np.zeros([2, 3, 2], np.float32))

    for last in both(bias_add, x, tf.constant([1.0, 2.0])):
        assert [1.0, 2.0] == last.numpy()[1, 2].tolist()
    for second in both(lambda v, b: bias_add(v, b, "NCW"), x, tf.constant([1.0, 2.0, 3.0])):
        assert [[1, 1], [2, 2], [3, 3]] == second.numpy()[0].tolist()


def test_a_bias_gets_the_sum_over_all_other_axes() -> None:
    bias = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(bias)
        y = bias_add(tf.constant(np.ones([2, 2, 5], np.float32)), bias, "NCW")

    assert [10.0, 10.0] == tape.gradient(y, bias).numpy().tolist()


@pytest.mark.parametrize(
    ("shape", "bias", "words"),
    [
        ([2], [1.0, 2.0], "at least 2D"),
        ([2, 3], [1.0, 2.0], "as many biases"),
        ([2, 3], [[1.0, 2.0, 3.0]], "Biases must be 1D"),
    ],
)
def test_a_bias_must_fit(shape: Any, bias: Any, words: str) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        bias_add(tf.constant(np.ones(shape, np.float32)), bias)


def test_sizes_of_biases_are_checked_when_the_graph_runs() -> None:
    fn = tf.function(bias_add, input_signature=[tf.TensorSpec([None, None]), tf.TensorSpec([None])])

    assert [[2.0, 3.0]] == fn(tf.constant([[1.0, 1.0]]), tf.constant([1.0, 2.0])).numpy().tolist()
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r"as many biases .*: \[3\] vs\. \[1, 2\]"
    ):
        fn(tf.constant([[1.0, 1.0]]), tf.constant([1.0, 2.0, 3.0]))


def test_an_unknown_data_format_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="data_format"):
        bias_add([[1.0]], [1.0], "CN")


def test_dropout_scales_what_it_keeps() -> None:
    tf.random.set_seed(1)
    x = tf.constant(np.ones(1000, np.float32))

    for y in both(lambda v: dropout(v, 0.75), x):
        assert {0.0, 4.0} == set(y.numpy().tolist())
        assert 150 < np.count_nonzero(y.numpy()) < 350


def test_dropout_draws_the_numbers_that_tensorflow_draws() -> None:
    """Recorded from TensorFlow 2.21."""
    tf.random.set_seed(7)
    y = dropout(tf.constant(np.ones([2, 5], np.float32)), 0.5, seed=3)

    assert RECORDED == y.numpy().tolist()


RECORDED = [[0.0, 0.0, 0.0, 0.0, 2.0], [0.0, 2.0, 0.0, 2.0, 2.0]]


def test_a_noise_shape_lets_elements_share_their_fate() -> None:
    tf.random.set_seed(1)
    y = dropout(tf.constant(np.ones([8, 3], np.float32)), 0.5, noise_shape=[None, 1]).numpy()

    assert (y == y[:, :1]).all()
    assert {0.0, 2.0} == set(y.ravel().tolist())


def test_rate_0_is_the_identity() -> None:
    x = tf.constant([1.0, 2.0])

    assert [1.0, 2.0] == dropout(x, 0.0).numpy().tolist()


def test_a_rate_may_be_a_tensor() -> None:
    for y in both(dropout, tf.constant(np.ones(50, np.float32)), tf.constant(0.5)):
        assert {0.0, 2.0} == set(y.numpy().tolist())


@pytest.mark.parametrize(
    ("rate", "words"),
    [
        (1.0, r"in the range \[0, 1\)"),
        (-0.5, r"in the range \[0, 1\)"),
        (True, r"in the range \[0, 1\)"),
        ("x", r"in the range \[0, 1\)"),
        (tf.constant(1), "rate.dtype"),
        (tf.constant([0.5]), "must have rank 0"),
    ],
)
def test_a_rate_is_a_number_below_1(rate: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        dropout(tf.constant([1.0]), rate)


def test_integers_cannot_be_dropped() -> None:
    with pytest.raises(ValueError, match="floating point"):
        dropout(tf.constant([1]), 0.5)


def test_a_target_is_in_the_top_k_if_fewer_than_k_are_larger() -> None:
    """Rows with something that is not finite, and targets that do not exist, are never in."""
    nan, inf = float("nan"), float("inf")
    rows = tf.constant([[1.0, 2, 3], [1, 2, 3], [1, nan, 3], [inf, 1, 2], [1, 2, 3], [3, 3, 3]])
    targets = tf.constant([0, 1, 0, 1, 9, 2])

    for found in both(lambda t, x: in_top_k(t, x, 2), targets, rows):
        assert [False, True, False, False, False, True] == found.numpy().tolist()


def test_the_last_axis_by_its_number_is_not_moved():
    def types(axis):
        entropy = tf.function(lambda y, x: tf.nn.softmax_cross_entropy_with_logits(y, x, axis))
        specs = [tf.TensorSpec([2, 3])] * 2
        return [one.type for one in entropy.get_concrete_function(*specs).graph.get_operations()]

    assert types(-1) == types(1)


@pytest.mark.sampled
@pytest.mark.parametrize("function", [tf.nn.elu, tf.nn.selu], ids=["elu", "selu"])
@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("count", [3, 300])
def test_a_negative_zero_keeps_its_sign(function: Any, dtype: str, count: int) -> None:
    x = tf.cast(tf.constant([-0.0, 0.0, float("nan")] * (count // 3)), dtype)

    for y in both(function, x):
        values = np.asarray(tf.cast(y, tf.float32)).reshape(-1, 3)
        assert np.signbit(values[:, 0]).all()
        assert not np.signbit(values[:, 1]).any()
        assert np.isnan(values[:, 2]).all()


def test_batches_are_normalised_by_known_moments_where_nothing_is_trained() -> None:
    normalise = tf.compat.v1.nn.fused_batch_norm
    x = tf.reshape([1.0, 3.0], [2, 1, 1, 1])

    y, mean, variance = normalise(x, [2.0], [1.0], [1.0], [4.0], is_training=False)
    assert [1.0, 3.0] == pytest.approx(y.numpy().ravel().tolist(), abs=1e-3)
    assert ([1.0], [4.0]) == (mean.numpy().tolist(), variance.numpy().tolist())
    with pytest.raises(ValueError, match="`mean` and `variance` are needed"):
        normalise(x, [2.0], [1.0], is_training=False)


def test_paddings_of_blocks_that_are_not_known_yet_are_found_when_they_are() -> None:
    paddings = tf.required_space_to_batch_paddings
    known = [one.numpy().tolist() for one in paddings([5, 6], [2, 4])]
    later = tf.function(lambda blocks: paddings([5, 6], blocks))(tf.constant([2, 4]))

    assert [[[0, 1], [0, 2]]] * 2 == known == [one.numpy().tolist() for one in later]


@pytest.mark.parametrize("size", [[5], [5, 6, 7], 5])
@pytest.mark.parametrize("base", [None, [[0, 0]], [[1, 0], [0, 1]]])
def test_paddings_for_other_than_as_many_sizes_as_blocks_are_refused(size: Any, base: Any) -> None:
    paddings = tf.function(lambda *given: tf.required_space_to_batch_paddings(*given))

    with pytest.raises((ValueError, tf.errors.InvalidArgumentError), match=r"hapes|equal"):
        paddings(tf.constant(size), tf.constant([2, 4]), base)


@pytest.mark.parametrize("shape", [[], None], ids=["known", "unknown"])
def test_statistics_along_an_axis_that_is_not_there_are_refused_alike(shape: Any) -> None:
    x, axes = tf.constant(1.0), [0]
    statistics = tf.function(
        lambda x: tf.nn.sufficient_statistics(x, axes)[:3],
        input_signature=[tf.TensorSpec(shape, tf.float32)],
    )

    for function in (statistics, lambda x: tf.nn.sufficient_statistics(x, axes)):
        with pytest.raises((tf.errors.InvalidArgumentError, ValueError), match="dimension"):
            function(x)
