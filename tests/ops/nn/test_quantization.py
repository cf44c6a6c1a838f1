"""Fake quantization: gradients as functions, limits as numbers, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf

quantization = tf.quantization
X = tf.constant([[-2.0, 0.1, 0.33], [5.0, 0.7, -9.0], [1.5, -0.2, 0.9]])
DY = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]])
LOW, HIGH = tf.constant([-1.0, -1.0, -0.5]), tf.constant([1.0, 0.5, 6.0])
WAYS = pytest.mark.parametrize("way", [lambda f: f, tf.function], ids=["eager", "compiled"])


@WAYS
def test_the_gradient_of_limits_for_each_channel_is_tensorflow_s(way: Any) -> None:
    found = way(quantization.fake_quant_with_min_max_vars_per_channel_gradient)(DY, X, LOW, HIGH)

    assert found.backprops_wrt_input.numpy().tolist() == [[0, 2, 3], [0, 0, 0], [0, 8, 9]]
    assert found.backprop_wrt_min.numpy().tolist() == [1, 0, 6]
    assert found.backprop_wrt_max.numpy().tolist() == [11, 5, 0]


@WAYS
def test_gradients_by_a_tape_are_those_of_the_functions(way: Any) -> None:
    def slopes(x: Any, low: Any, high: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([x, low, high])
            y = quantization.fake_quant_with_min_max_vars_per_channel(x, low, high, num_bits=4)
        return tape.gradient(y, [x, low, high], output_gradients=DY)

    expected = quantization.fake_quant_with_min_max_vars_per_channel_gradient(
        DY, X, LOW, HIGH, num_bits=4
    )
    for one, other in zip(way(slopes)(X, LOW, HIGH), expected, strict=True):
        np.testing.assert_array_equal(one, other)


@WAYS
def test_limits_that_are_numbers_have_a_gradient(way: Any) -> None:
    def slope(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = quantization.fake_quant_with_min_max_args(x, -1.0, 1.0)
        return tape.gradient(y, x, output_gradients=DY)

    expected = quantization.fake_quant_with_min_max_args_gradient(DY, X, -1.0, 1.0)
    assert expected.numpy().tolist() == [[0, 2, 3], [0, 5, 0], [0, 8, 9]]
    np.testing.assert_array_equal(expected, way(slope)(X))


def test_of_two_numbers_as_near_the_one_of_tensorflow_is_taken() -> None:
    x = tf.constant([0.1])

    as_numbers = quantization.fake_quant_with_min_max_args(x, 2.0, 3.0).numpy()[0]
    as_tensors = quantization.fake_quant_with_min_max_vars(x, 2.0, 3.0).numpy()[0]
    assert (26, 25) == (round(as_numbers * 255), round(as_tensors * 255))


def test_inverted_limits_give_the_lower_one() -> None:
    found = quantization.fake_quant_with_min_max_vars(X, 3.0, -3.0).numpy()

    np.testing.assert_allclose(found, 3.0117648, rtol=1e-6)


MISTAKES = [
    ("num_bits", lambda x: quantization.fake_quant_with_min_max_args(x, num_bits=1)),
    ("num_bits", lambda x: quantization.fake_quant_with_min_max_vars(x, -3.0, 3.0, num_bits=17)),
    ("min has to be", lambda x: quantization.fake_quant_with_min_max_args(x, 3.0, -3.0)),
    ("same shape", lambda x: quantization.fake_quant_with_min_max_args_gradient(x[0], x)),
    (
        "same shape",
        lambda x: quantization.fake_quant_with_min_max_vars_gradient(x[0], x, -1.0, 1.0),
    ),
    ("rank 0", lambda x: quantization.fake_quant_with_min_max_vars(x, [-3.0], 3.0)),
    ("rank 1", lambda x: quantization.fake_quant_with_min_max_vars_per_channel(x, -3.0, HIGH)),
    ("rank 1", lambda x: quantization.fake_quant_with_min_max_vars_per_channel(x[0, 0], LOW, HIGH)),
    ("size", lambda x: quantization.fake_quant_with_min_max_vars_per_channel(x, LOW[:2], HIGH)),
]


@pytest.mark.parametrize(("words", "call"), MISTAKES, ids=range(len(MISTAKES)))
def test_mistakes_are_invalid_arguments(words: str, call: Any) -> None:
    unknown = tf.function(call, [tf.TensorSpec(None)], autograph=False)
    for run in (call, tf.function(call, autograph=False), unknown):
        with pytest.raises(tf.errors.InvalidArgumentError, match=words):
            run(X)


@WAYS
def test_a_gradient_that_is_nan_stays_nan_past_the_limits(way: Any) -> None:
    dy, x = tf.constant([np.nan, np.inf, 1.0]), tf.constant([-9.0, 9.0, 0.0])
    args = way(quantization.fake_quant_with_min_max_args_gradient)
    np.testing.assert_array_equal([np.nan, np.nan, 1.0], args(dy, x))
    limits = way(quantization.fake_quant_with_min_max_vars_gradient)
    dx, *ends = limits(dy, x, -6.0, 6.0)
    np.testing.assert_array_equal([np.nan, np.nan, 1.0], dx)
    np.testing.assert_array_equal([np.nan, np.nan], ends)


@WAYS
def test_no_levels_have_the_range_upside_down(way: Any) -> None:
    none = tf.bitcast(tf.zeros([0], tf.int32), tf.qint32)
    found = way(lambda x: tf.raw_ops.RequantizationRange(input=x, input_min=-10.0, input_max=10.0))
    np.testing.assert_array_equal([0.0, -10.0], found(none))


def test_levels_beside_each_other_have_a_range_by_name() -> None:
    parts = [tf.cast([1, 2], tf.quint8), tf.cast([3], tf.quint8)]
    found = tf.quantization.quantized_concat(0, parts, [0.0, 0.0], [1.0, 1.0])
    assert ("QuantizedConcat", [1, 2, 3]) == (type(found).__name__, found.output.numpy().tolist())
    assert [0.0, 1.0] == [limit.numpy() for limit in found[1:]]
