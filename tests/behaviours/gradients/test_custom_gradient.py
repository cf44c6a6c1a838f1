"""Functions that say themselves how they are differentiated: statements G18 to G21."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.behaviours.gradients.derivatives import derivative, each_way, gradient_of
from tests.behaviours.library import behaviour, differs, tf


def constant_in_dy(x: Any) -> Any:
    return x * x, lambda dy: dy * 7.0


def with_gradient(gradients: Any) -> Any:
    """The function of one tensor that doubles it, with a gradient function."""
    return tf.custom_gradient(lambda x: (x * 2.0, gradients))


# ---- G18
@behaviour("G18")
@each_way
def test_the_gradient_is_what_the_function_says(way: Any):
    function = tf.custom_gradient(constant_in_dy)

    value, gradient = way(lambda x: (function(x), derivative(function)(x)))(tf.constant(3.0))

    assert value.numpy() == 9.0
    assert gradient.numpy() == 7.0


@behaviour("G18")
@each_way
def test_one_upstream_for_each_output_and_one_gradient_for_each_input(way: Any):
    @tf.custom_gradient
    def function(x: Any, y: Any) -> Any:
        def gradients(*upstream: Any) -> Any:
            of_sum, of_product = upstream
            return 10.0 * of_sum, 100.0 * of_product

        return (x + y, x * y), gradients

    def gradient(x: Any, y: Any) -> Any:
        return gradient_of(lambda x, y: function(x, y)[0] + 3.0 * function(x, y)[1], x, y)

    assert [10.0, 300.0] == [float(g) for g in way(gradient)(tf.constant(2.0), tf.constant(5.0))]


@behaviour("G18")
@each_way
def test_an_output_that_is_not_used_has_zeros_upstream(way: Any):
    @tf.custom_gradient
    def function(x: Any) -> Any:
        return (x, x * 2.0), lambda first, second: first + 10.0 * second + 1.0

    found = way(derivative(lambda x: function(x)[1]))(tf.constant([1.0, 2.0]))
    np.testing.assert_array_equal([11.0, 11.0], found)


@behaviour("G18")
def test_wrong_numbers_of_gradients():
    function = with_gradient(lambda dy: (dy, dy))
    with pytest.raises(ValueError, match="expected to return 1 gradients, but returned 2"):
        derivative(function)(tf.constant(1.0))


@behaviour("G18")
@differs
def test_wrong_numbers_of_gradients_are_the_same_error_in_a_trace():
    function = with_gradient(lambda dy: (dy, dy))
    with pytest.raises(ValueError, match="expected to return 1 gradients, but returned 2"):
        tf.function(derivative(function))(tf.constant(1.0))


@behaviour("G18")
@each_way
def test_a_function_that_returns_no_pair(way: Any):
    function = tf.custom_gradient(lambda x: x * 2.0)
    with pytest.raises(TypeError):
        way(function)(tf.constant(1.0))


@behaviour("G18")
def test_a_scalar_is_no_pair():
    with pytest.raises(TypeError, match=r"iterate over a scalar tensor|must return a pair"):
        tf.custom_gradient(lambda x: x * 2.0)(tf.constant(1.0))


@behaviour("G18")
@each_way
def test_no_gradient_is_none(way: Any):
    assert way(derivative(with_gradient(lambda dy: None)))(tf.constant(1.0)) is None


@behaviour("G18")
@differs
@pytest.mark.parametrize("shape", [[3], [1], [1, 1]])
@each_way
def test_a_gradient_of_another_shape_is_an_error(shape: list[int], way: Any):
    with pytest.raises(ValueError, match=r"gradient of .* has shape"):
        way(derivative(with_gradient(lambda dy: tf.ones(shape))))(tf.constant(1.0))


@behaviour("G18")
@differs
@each_way
def test_a_gradient_of_another_dtype_is_an_error(way: Any):
    with pytest.raises(TypeError, match="has dtype float64 for an input of dtype float32"):
        way(derivative(with_gradient(lambda dy: tf.cast(dy, tf.float64))))(tf.constant(1.0))


# ---- G19
def scaled_by(variable: Any, *, grad_fn: Any) -> Any:
    return tf.custom_gradient(lambda x: (x * variable, grad_fn))


def of_both(dy: Any, variables: Any = None) -> Any:
    assert len(variables) == 1
    return dy * 10.0, [dy * 100.0]


@behaviour("G19")
@each_way
def test_gradients_of_variables_are_returned_beside_those_of_inputs(way: Any):
    v = tf.Variable(2.0)
    function = scaled_by(v, grad_fn=of_both)

    def gradients(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = 3.0 * function(x)
        return tape.gradient(y, [x, v])

    assert [30.0, 300.0] == [float(one) for one in way(gradients)(tf.constant(1.0))]


@behaviour("G19")
@each_way
def test_the_variables_are_those_that_were_used(way: Any):
    v, unused = tf.Variable(2.0), tf.Variable(5.0)
    seen: list[Any] = []

    def grad_fn(dy: Any, variables: Any = None) -> Any:
        seen.extend(variables)
        return dy, [dy]

    def gradients(x: Any) -> Any:
        with tf.GradientTape() as tape:
            y = scaled_by(v, grad_fn=grad_fn)(x)
        return tape.gradient(y, [v, unused])

    found = way(gradients)(tf.constant(1.0))
    assert found[0].numpy() == 1.0
    assert found[1] is None
    assert {id(v)} == {id(one) for one in seen}


@behaviour("G19")
@each_way
def test_a_gradient_function_must_take_the_variables(way: Any):
    function = scaled_by(tf.Variable(2.0), grad_fn=lambda dy: dy)
    with pytest.raises(TypeError, match="grad_fn must accept keyword argument 'variables'"):
        way(derivative(function))(tf.constant(1.0))


# ---- G20
@tf.custom_gradient
def product(x: Any, y: Any) -> Any:
    return x * y, lambda dy: (dy * 10.0, dy * 100.0)


@behaviour("G20")
def test_arguments_by_keyword():
    assert product(x=tf.constant(2.0), y=tf.constant(3.0)).numpy() == 6.0
    assert product(tf.constant(2.0), y=tf.constant(3.0)).numpy() == 6.0


@behaviour("G20")
@differs
@each_way
def test_arguments_by_keyword_have_gradients_in_traces_too(way: Any):
    found = way(lambda x, y: gradient_of(lambda x, y: product(x=x, y=y), x, y))(
        tf.constant(2.0), tf.constant(3.0)
    )
    assert [10.0, 100.0] == [float(one) for one in found]


@tf.custom_gradient
def limited(x: Any, low: Any = -1.0, high: Any = 1.0) -> Any:
    return tf.identity(x), lambda dy: tf.clip_by_value(dy, low, high)


@behaviour("G20")
@pytest.mark.parametrize("names", [["low"], ["high"], ["low", "high"]])
def test_a_gradient_may_leave_tensors_by_keyword_out(names: list[str]) -> None:
    given = {name: tf.constant({"low": -0.5, "high": 0.25}[name]) for name in names}
    found = derivative(lambda x: limited(x, **given) * 7.0)(tf.constant(3.0))

    assert (0.25 if "high" in names else 1.0) == float(found)  # as in TensorFlow


@behaviour("G20")
@each_way
def test_numbers_as_inputs(way: Any):
    assert way(lambda: product(2.0, 3.0))().numpy() == 6.0
    assert way(derivative(lambda x: product(x, 3.0)))(tf.constant(2.0)).numpy() == 10.0


@behaviour("G20")
@each_way
def test_second_order_by_a_gradient_with_a_gradient_of_its_own(way: Any):
    @tf.custom_gradient
    def outer(x: Any) -> Any:
        @tf.custom_gradient
        def gradient(dy: Any, x: Any) -> Any:
            return dy * 10.0 * x, lambda ddy: (ddy, 1000.0 * ddy)

        return x * x, lambda dy: gradient(dy, x)

    assert way(derivative(outer))(tf.constant(3.0)).numpy() == 30.0
    assert way(derivative(derivative(outer)))(tf.constant(3.0)).numpy() == 1000.0


@behaviour("G20")
@each_way
def test_second_order_by_a_gradient_of_operations(way: Any):
    function = tf.custom_gradient(lambda x: (x, lambda dy: dy * x * x))
    assert way(derivative(derivative(function)))(tf.constant(3.0)).numpy() == 6.0


@behaviour("G20")
@each_way
def test_a_gradient_that_does_not_depend_on_the_input_has_none(way: Any):
    second = derivative(derivative(tf.custom_gradient(constant_in_dy)))
    assert way(second)(tf.constant(3.0)) is None


# ---- G21
@behaviour("G21")
@each_way
def test_a_recomputed_function_has_the_function_s_gradient(way: Any):
    v = tf.Variable(2.0)
    function = tf.recompute_grad(lambda x, y: tf.sin(x * y) * v)

    def gradients(x: Any, y: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([x, y])
            z = function(x, y)
        return tape.gradient(z, [x, y, v])

    found = way(gradients)(tf.constant(0.3), tf.constant(0.7))
    expected = [2 * 0.7 * np.cos(0.21), 2 * 0.3 * np.cos(0.21), np.sin(0.21)]
    np.testing.assert_allclose(expected, found, rtol=1e-6)


@behaviour("G21")
def test_a_recomputed_function_runs_again_for_its_gradient():
    runs: list[float] = []

    def noted(x: Any) -> Any:
        runs.append(float(x))
        return x * x

    function = tf.recompute_grad(noted)
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    assert runs == [3.0]
    assert tape.gradient(y, x).numpy() == 6.0
    assert runs == [3.0, 3.0]


@behaviour("G21")
@differs
@each_way
def test_a_recomputed_function_has_gradients_by_tensors_from_outside_and_by_keyword(way: Any):
    def gradients(x: Any, w: Any) -> Any:
        function = tf.recompute_grad(lambda y, scale: y * scale * w)
        with tf.GradientTape() as tape:
            tape.watch([x, w])
            y = function(x, scale=w)
        return tape.gradient(y, [x, w], unconnected_gradients="zero")

    assert [9.0, 12.0] == [float(g) for g in way(gradients)(tf.constant(2.0), tf.constant(3.0))]


@behaviour("G21")
@each_way
def test_a_function_that_gradients_pass_through(way: Any):
    function = tf.grad_pass_through(tf.round)

    value, gradient = way(lambda x: (function(x), derivative(function)(x)))(tf.constant([1.7, 2.2]))

    np.testing.assert_array_equal([2.0, 2.0], value)
    np.testing.assert_array_equal([1.0, 1.0], gradient)


@behaviour("G21")
def test_a_gradient_is_registered_once():
    tf.RegisterGradient("GradientThatIsRegisteredOnce")(lambda op, dy: dy)
    with pytest.raises(KeyError, match="Registering two gradient with name"):
        tf.RegisterGradient("GradientThatIsRegisteredOnce")(lambda op, dy: dy)
