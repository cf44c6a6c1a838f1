"""Derivatives along a direction: statement G22."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.behaviours.gradients.derivatives import derivative, each_way
from tests.behaviours.library import behaviour, differs, tf

ForwardAccumulator = tf.autodiff.ForwardAccumulator


def along(function: Any, tangent: float = 1.0) -> Any:
    """The function that is the derivative of one along a direction."""

    def pushed(x: Any) -> Any:
        with ForwardAccumulator(x, tangent * tf.ones_like(x)) as accumulator:
            y = function(x)
        return accumulator.jvp(y)

    return pushed


def cube(x: Any) -> Any:
    return x * x * x


@behaviour("G22")
@each_way
def test_a_derivative_along_a_direction(way: Any):
    @way
    def pushed(x: Any, w: Any) -> Any:
        with ForwardAccumulator([x, w], [tf.constant([[1.0], [2.0]]), tf.ones([2, 2])]) as both:
            y = tf.linalg.matmul(w, x * x)
        return both.jvp(y)

    x, w = np.array([[0.5], [-1.0]], np.float32), np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)
    expected = w @ (2 * x * [[1.0], [2.0]]) + np.ones([2, 2]) @ (x * x)
    np.testing.assert_allclose(expected, pushed(tf.constant(x), tf.constant(w)), rtol=1e-6)


@behaviour("G22")
@each_way
def test_primals_have_their_tangents_and_what_is_unrelated_none_or_zeros(way: Any):
    @way
    def pushed(x: Any, other: Any) -> Any:
        with ForwardAccumulator(x, tf.constant(5.0)) as accumulator:
            y = x * x
            z = other * 2.0
        zeros = accumulator.jvp(z, unconnected_gradients="zero")
        return accumulator.jvp({"x": x, "y": [y], "z": z}), zeros

    found, zeros = pushed(tf.constant(3.0), tf.constant([1.0, 2.0]))
    assert found == {"x": 5.0, "y": [30.0], "z": None}
    np.testing.assert_array_equal([0.0, 0.0], zeros)


@behaviour("G22")
@each_way
def test_variables_as_primals(way: Any):
    v, other = tf.Variable(3.0), tf.Variable(2.0)

    @way
    def pushed() -> Any:
        with ForwardAccumulator([v, other], [tf.constant(1.0), tf.constant(10.0)]) as accumulator:
            y = v * v * other
        return accumulator.jvp(y), accumulator.jvp(v)

    product, itself = pushed()
    assert product.numpy() == 12.0 + 90.0
    assert itself.numpy() == 1.0


@behaviour("G22")
@each_way
@pytest.mark.parametrize(
    "second",
    [along(along(cube)), along(derivative(cube)), derivative(along(cube))],
    ids=["forward over forward", "forward over reverse", "reverse over forward"],
)
def test_second_order_by_nesting(second: Any, way: Any):
    assert way(second)(tf.constant(3.0)).numpy() == 18.0


@tf.function
def fifth_power(x: Any) -> Any:
    y = x
    for _ in tf.range(4):
        y = y * x
    return y


@behaviour("G22")
@each_way
def test_through_functions_and_loops(way: Any):
    assert way(along(fifth_power))(tf.constant(3.0)).numpy() == 405.0


@pytest.mark.sampled
@behaviour("G22")
@differs
@each_way
@pytest.mark.parametrize(
    "second",
    [along(along(fifth_power)), along(derivative(fifth_power)), derivative(along(fifth_power))],
)
def test_second_order_through_functions_and_loops(second: Any, way: Any):
    assert way(second)(tf.constant(3.0)).numpy() == 540.0


@behaviour("G22")
@differs
@each_way
def test_tangents_by_a_custom_gradient_are_those_of_its_linear_part(way: Any):
    @tf.custom_gradient
    def clipped(x: Any) -> Any:
        return x * 3.0, lambda dy: tf.clip_by_value(dy * 2.0, -0.5, 0.5)

    assert way(along(clipped, tangent=10.0))(tf.constant(1.0)).numpy() == 20.0


@behaviour("G22")
@each_way
def test_tangents_through_python_functions(way: Any):
    def function(x: Any) -> Any:
        return tf.py_function(lambda a: a * a, [x], tf.float32)

    assert way(along(function))(tf.constant(3.0)).numpy() == 6.0


@behaviour("G22")
@each_way
def test_what_happens_afterwards_has_no_tangent(way: Any):
    @way
    def pushed(x: Any) -> Any:
        with ForwardAccumulator(x, tf.ones_like(x)) as accumulator:
            y = x * x
        return accumulator.jvp(y * 2.0)

    assert pushed(tf.constant(3.0)) is None


@behaviour("G22")
def test_dtypes_of_primals_and_tangents_differ():
    with pytest.raises(ValueError, match=r"float32.*float64"):
        ForwardAccumulator(tf.constant(1.0), tf.constant(1.0, tf.float64))


@behaviour("G22")
@pytest.mark.parametrize(
    "tangents", [tf.constant(1.0), [tf.constant(1.0)] * 2, [[tf.constant(1.0)]]]
)
def test_structures_of_primals_and_tangents_differ(tangents: Any):
    with pytest.raises(ValueError, match="same nested structure"):
        ForwardAccumulator([tf.constant(1.0)], tangents)


@behaviour("G22")
def test_a_primal_given_twice():
    x = tf.constant(1.0)
    with pytest.raises(ValueError, match="specified as a primal multiple times"):
        ForwardAccumulator([x, x], [x, x])


@behaviour("G22")
@differs
@pytest.mark.parametrize("shape", [[1], [2], [1, 1]])
def test_a_tangent_has_the_shape_of_its_primal(shape: list[int]):
    with pytest.raises(ValueError, match="its tangent"):
        ForwardAccumulator(tf.constant(1.0), tf.ones(shape))


@behaviour("G22")
def test_integers_have_no_tangents():
    x, k = tf.constant(2.0), tf.constant(3)
    with ForwardAccumulator([x, k], [tf.constant(1.0), tf.constant(1)]) as accumulator:
        y, product = x * x, k * k

    assert (4.0, None) == (accumulator.jvp(y).numpy(), accumulator.jvp(product))


@behaviour("G22")
def test_an_accumulator_cannot_be_entered_while_it_records():
    x = tf.constant(1.0)
    with ForwardAccumulator(x, x) as accumulator:
        with pytest.raises(ValueError, match="Accumulator is already recording"):
            with accumulator:
                pass


@behaviour("G22")
def test_an_accumulator_can_be_entered_again_later():
    x = tf.constant(3.0)
    with ForwardAccumulator(x, tf.constant(1.0)) as accumulator:
        y = x * x
    with accumulator:
        z = y * x
    assert accumulator.jvp(z).numpy() == 27.0
