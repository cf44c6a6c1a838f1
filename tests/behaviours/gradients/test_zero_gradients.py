"""Gradients that are zeros, and those that there are none of: statement G16."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tests.behaviours.gradients.derivatives import derivative, each_way
from tests.behaviours.library import behaviour, differs, tf
from tests.behaviours.modes import both


def derivatives(function: Any, order: int, at: float = 2.0) -> list[float | None]:
    """Of the first orders, by tapes around one call; no further than to a None."""
    x = tf.constant(at)
    tapes = [tf.GradientTape() for _ in range(order)]
    for tape in tapes:
        tape.__enter__()
        tape.watch(x)
    found, value = list[float | None](), function(x)
    for tape in reversed(tapes):
        tape.__exit__(None, None, None)
        value = None if value is None else tape.gradient(value, x)
        found.append(None if value is None else float(value))
    return found


def called_by_another(function: Any) -> Any:
    inner = tf.function(function)
    return tf.function(lambda x: inner(x))


called = pytest.mark.parametrize("call", [tf.function, called_by_another], ids=["called", "nested"])


@pytest.mark.sampled
@behaviour("G16")
@called
@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda x: x * x, [4.0, 2.0, 0.0, 0.0]),
        (lambda x: 3.0 * x, [3.0, 0.0, 0.0, 0.0]),
        (tf.abs, [1.0, 0.0, 0.0, 0.0]),
        (lambda x: tf.stop_gradient(x) * x, [2.0, 0.0, 0.0, 0.0]),
        (lambda x: tf.cond(x > 0.0, lambda: x * x, lambda: x), [4.0, 2.0, 0.0, 0.0]),
        (lambda x: tf.gather(tf.stack([x, x * x]), 1), [4.0, 2.0, 0.0, 0.0]),
    ],
    ids=["square", "factor", "abs", "product", "branch", "gather"],
)
def test_a_function_that_used_numbers_has_zeros_as_higher_derivatives(
    function: Any, expected: list[float], call: Any
):
    assert derivatives(call(function), 4) == expected


@pytest.mark.sampled
@behaviour("G16")
@called
@pytest.mark.parametrize(
    "function", [lambda x: x + 0.0, tf.identity, lambda x: x - 1.0], ids=["sum", "same", "less"]
)
def test_a_function_that_used_none_has_no_higher_derivatives(function: Any, call: Any):
    assert derivatives(call(function), 2) == [1.0, None]


@behaviour("G16")
def test_two_operands_of_a_sum_have_zeros_between_them():
    function = tf.function(lambda x, w: x * x + w * w)
    x, w = tf.constant(2.0), tf.constant(3.0)
    with tf.GradientTape() as outer:
        outer.watch([x, w])
        with tf.GradientTape() as inner:
            inner.watch([x, w])
            value = function(x, w)
        first = inner.gradient(value, x)
    assert [float(one) for one in outer.gradient(first, [x, w])] == [2.0, 0.0]


@behaviour("G16")
@each_way
@pytest.mark.parametrize(
    "function",
    [
        tf.nn.relu,
        tf.nn.relu6,
        lambda x: tf.reduce_sum(tf.nn.crelu(tf.stack([x, x]))),
        lambda x: tf.nn.max_pool2d(tf.reshape(x, [1, 1, 1, 1]), 1, 1, "VALID")[0, 0, 0, 0],
    ],
    ids=["relu", "relu6", "crelu", "max_pool"],
)
def test_what_bends_has_zeros_as_second_derivative(function: Any, way: Any):
    assert float(way(derivative(derivative(function)))(tf.constant(2.0))) == 0.0


@behaviour("G16")
@each_way
def test_a_penalty_on_gradients_of_an_input_reaches_the_weights_alone(way: Any):
    """Through two layers: the zeros of `relu` add nothing."""
    x = tf.constant([[1.0, -2.0, 0.5]])
    first, second = tf.ones([3, 2]) * [0.5, -0.25], tf.constant([[2.0], [3.0]])

    def penalty(first: Any, second: Any) -> list[Any]:
        with tf.GradientTape() as outer:
            outer.watch([first, second])
            with tf.GradientTape() as inner:
                inner.watch(x)
                value = tf.nn.relu(x @ first) @ second
            slope = tf.reduce_sum(inner.gradient(value, x) ** 2)
        return outer.gradient(slope, [first, second])

    found = way(penalty)(first, second)
    assert found[0].numpy().tolist() == [[0.0, -9.0 / 2.0 * 1.0]] * 3
    assert found[1].numpy().tolist() == [[0.0], [3.0 * 2.0 * 3.0 * 0.0625]]


def hessian_sums(function: Any, x: Any) -> Any:
    """The gradient, and that of its sum."""
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = function(x)
        first = inner.gradient(y, x)
    return first, outer.gradient(first, x)


@behaviour("G1")
@both
@pytest.mark.parametrize("alpha", [0.25, 0.0])
def test_leaky_relu_is_not_curved(mode: Any, alpha: float):
    run = mode(lambda x: hessian_sums(lambda x: tf.nn.leaky_relu(x, alpha=alpha), x))

    first, second = run(tf.constant([-2.0, 0.0, 3.0]))
    assert first.numpy().tolist() == [alpha, alpha, 1.0]
    assert second.numpy().tolist() == [0.0, 0.0, 0.0]


@pytest.mark.sampled
@behaviour("G1")
@differs("0 where an element is 0")
@both
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("exclusive", [False, True])
def test_running_products_that_are_0_have_gradients(mode: Any, exclusive: bool, reverse: bool):
    x = np.array([-2.0, 0.5, 0.0, 3.0, 0.0, 0.25])
    weights = np.array([1.0, -2.0, 3.0, 0.5, 7.0, 2.0])

    def total(x: Any) -> Any:
        return tf.reduce_sum(weights * tf.math.cumprod(x, 0, exclusive, reverse))

    steps = 1e-6 * np.eye(len(x))
    differences = [(total(x + step) - total(x - step)).numpy() / 2e-6 for step in steps]
    first, _ = mode(lambda x: hessian_sums(total, x))(tf.constant(x))
    np.testing.assert_allclose(first, differences, 1e-6, 1e-6)


@behaviour("G1")
@differs("0 where an element is 0")
@both
def test_products_that_are_0_have_second_gradients(mode: Any):
    first, second = mode(lambda x: hessian_sums(tf.reduce_prod, x))(
        tf.constant([-2.0, -0.5, 0.0, 0.5, 3.0])
    )

    assert first.numpy().tolist() == [0, 0, 1.5, 0, 0]
    assert second.numpy().tolist() == [-0.75, -3.0, -0.25, 3.0, 0.5]


@behaviour("G16")
@both
@pytest.mark.parametrize(("function", "flat"), [(tf.nn.relu, -1.0), (tf.nn.relu6, 7.0)])
def test_what_is_no_number_goes_through_where_relu_is_flat(function: Any, flat: float, mode: Any):
    """Its gradient is multiplied by 0, and so a step that overflows is seen as one."""
    upstream = np.array([math.inf, -math.inf, math.nan, 2.0] * 5, np.float32)

    def slope(x: Any):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        return tape.gradient(y, x, output_gradients=tf.constant(upstream))

    found = mode(slope)(tf.fill([20], flat))
    np.testing.assert_array_equal(found, [math.nan, math.nan, math.nan, 0.0] * 5)
