"""custom_gradient, recompute_grad, grad_pass_through."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.graph.passes import simplify
from tests.autodiff.finite_differences import gradients_of
from tests.autodiff.modes import MODES, STAGED, first_of

MODE_NAMES = sorted(MODES)


@tf.custom_gradient
def softplus(x: Any) -> Any:
    exponential = tf.exp(x)

    def grad(upstream: Any) -> Any:
        return upstream * (1.0 - 1.0 / (1.0 + exponential))

    return tf.math.log(1.0 + exponential), grad


@pytest.mark.parametrize("mode", MODE_NAMES)
def test_the_gradient_is_the_one_that_was_given(mode: str) -> None:
    sigmoid = 1.0 / (1.0 + np.exp(-1.0))

    (value,) = MODES[mode](softplus, 1.0)
    (first,) = MODES[mode](gradients_of(softplus), 1.0)
    (second,) = MODES[mode](gradients_of(first_of(gradients_of(softplus))), 1.0)

    np.testing.assert_allclose(np.log1p(np.e), value, rtol=1e-6)
    np.testing.assert_allclose(sigmoid, first, rtol=1e-6)
    np.testing.assert_allclose(sigmoid * (1.0 - sigmoid), second, rtol=1e-5)


def tripled(x: Any) -> Any:
    """x, whose gradient is said to be three."""
    return tf.custom_gradient(lambda x: (x * 1.0, lambda upstream: upstream * 3.0))(x)


@pytest.mark.parametrize("mode", MODE_NAMES)
@pytest.mark.parametrize(
    "function",
    [
        lambda x: tf.cond(x > 0.0, lambda: tripled(x), lambda: x),
        lambda x: tf.while_loop(lambda i, _: i < 1, lambda i, a: (i + 1, tripled(a)), [0, x])[1],
        tf.function(tripled),
        lambda x: tf.map_fn(tripled, tf.stack([x, x]))[0],
    ],
    ids=["cond", "while", "call", "map"],
)
def test_it_is_kept_in_branches_loops_and_calls(function: Any, mode: str) -> None:
    (found,) = MODES[mode](gradients_of(function), np.float32(2.0))
    assert found == 3.0


@pytest.mark.parametrize("mode", sorted(STAGED))
def test_tf_gradients_know_it(mode: str) -> None:
    assert STAGED[mode](lambda x: tf.gradients(tripled(x), x), np.float32(2.0)) == [3.0]


def test_it_gets_one_gradient_for_each_result_and_returns_one_for_each_argument() -> None:
    @tf.custom_gradient
    def both(x: Any, y: Any) -> Any:
        return (x * y, {"sum": x + y}), lambda a, b: (10.0 * a + b, None)

    x, y = tf.constant(2.0), tf.constant(3.0)
    for call in (both, tf.function(both)):
        with tf.GradientTape() as tape:
            tape.watch([x, y])
            product, rest = call(x, y)
            z = product + 2.0 * rest["sum"]
        found = tape.gradient(z, [x, y])
        assert found[0].numpy() == 12.0
        assert found[1] is None


def test_python_numbers_keywords_and_methods() -> None:
    class Scaler:
        @tf.custom_gradient
        def scaled(self, x: Any, factor: float = 2.0) -> Any:
            return x * factor, lambda upstream: upstream * 100.0

    assert Scaler().scaled(3.0).numpy() == 6.0
    for mode in MODES.values():
        (found,) = mode(gradients_of(lambda x: Scaler().scaled(x, factor=5.0)), np.float32(1.0))
        assert found == 100.0


@pytest.mark.parametrize("mode", MODE_NAMES)
@pytest.mark.parametrize(
    ("gradients", "error", "words"),
    [
        (lambda dy: (dy, dy), ValueError, "expected to return 1 gradients, but returned 2"),
        (lambda dy: tf.stack([dy, dy, dy]), ValueError, r"shape \(3,\) for an input of shape \(\)"),
        (lambda dy: tf.cast(dy, tf.float64), TypeError, "float64 for an input of dtype float32"),
    ],
)
def test_wrong_gradients_are_refused_when_they_are_asked_for(
    gradients: Any, error: Any, words: str, mode: str
) -> None:
    function = tf.custom_gradient(lambda x: (x * 2.0, gradients))

    assert MODES[mode](function, np.float32(1.0)) == [2.0]
    with pytest.raises(error, match=words):
        MODES[mode](gradients_of(function), np.float32(1.0))


def test_a_function_without_a_gradient_function() -> None:
    with pytest.raises(TypeError, match="Cannot iterate over a scalar tensor"):
        tf.custom_gradient(lambda x: x * 2.0)(1.0)


@pytest.mark.parametrize("mode", MODE_NAMES)
def test_variables_that_are_used_have_gradients_too(mode: str) -> None:
    v = tf.Variable(3.0)

    @tf.custom_gradient
    def scaled(x: Any) -> Any:
        def grad(upstream: Any, variables: Any = None) -> Any:
            assert [one is v for one in variables] == [True]
            return upstream * 100.0, [upstream * 7.0]

        return x * v, grad

    def gradients(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = scaled(x)
        return tape.gradient(y, [x, v])

    assert [100.0, 7.0] == MODES[mode](gradients, np.float32(2.0))


def test_variables_must_be_taken() -> None:
    v = tf.Variable(3.0)
    function = tf.custom_gradient(lambda x: (x * v, lambda upstream: upstream))
    for call in (function, tf.function(function)):
        with pytest.raises(TypeError, match="accept keyword argument 'variables'"):
            call(tf.constant(1.0))


@pytest.mark.parametrize("mode", MODE_NAMES)
def test_recomputed_values_have_the_same_gradients(mode: str) -> None:
    v = tf.Variable(3.0)
    runs: list[int] = []

    def function(x: Any) -> Any:
        runs.append(1)
        return tf.sin(x) * v

    def gradients(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.recompute_grad(function)(x)
        return tape.gradient(y, [x, v])

    np.testing.assert_allclose(
        [3.0 * np.cos(2.0), np.sin(2.0)], MODES[mode](gradients, np.float32(2.0)), rtol=1e-6
    )
    assert len(runs) == 2
    (second,) = MODES[mode](gradients_of(lambda x: gradients(x)[0]), np.float32(2.0))
    np.testing.assert_allclose(-3.0 * np.sin(2.0), second, rtol=1e-6)


def test_recomputing_takes_the_same_tensor_twice() -> None:
    def product(x: Any) -> Any:
        return tf.recompute_grad(lambda a, b: a * b * b)(x, x)

    for mode in MODES.values():
        assert mode(gradients_of(product), np.float32(2.0)) == [12.0]


@pytest.mark.parametrize("mode", MODE_NAMES)
def test_a_gradient_can_pass_through(mode: str) -> None:
    rounded = tf.grad_pass_through(tf.round)

    assert MODES[mode](lambda x: rounded(x) * 1.0, np.float32(2.3)) == [2.0]
    assert MODES[mode](gradients_of(rounded), np.float32(2.3)) == [1.0]


def test_what_only_the_gradient_needs_is_not_computed_without_one() -> None:
    @tf.custom_gradient
    def function(x: Any) -> Any:
        needed_later = tf.sin(x)
        return tf.exp(x), lambda upstream: upstream * needed_later

    graph = tf.function(function).get_concrete_function(tf.constant(1.0)).graph
    simplified = simplify(graph.finish(graph.outputs))
    assert ["Exp"] == [operation.op.name for operation in simplified.operations]


@pytest.mark.parametrize("run", [lambda fn: fn, tf.function], ids=["eager", "traced"])
def test_a_tensor_given_by_keyword_gets_its_gradient(run: Any) -> None:
    @tf.custom_gradient
    def tripled(x: Any) -> Any:
        return x * 1.0, lambda dy: dy * 3.0

    @run
    def gradient(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tripled(x=x)
        return tape.gradient(y, x)

    assert gradient(tf.constant(2.0)).numpy() == 3.0
