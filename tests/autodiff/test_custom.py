"""custom_gradient, recompute_grad, grad_pass_through."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.graph.passes.order import simplify
from tests.autodiff.finite_differences import gradients_of
from tests.autodiff.modes import MODES, STAGED

MODE_NAMES = sorted(MODES)


def tripled(x: Any) -> Any:
    """x, whose gradient is said to be three."""
    return tf.custom_gradient(lambda x: (x * 1.0, lambda upstream: upstream * 3.0))(x)


def test_the_decorated_function_is_kept() -> None:
    def double(x: Any) -> Any:
        return 2.0 * x, lambda upstream: upstream

    assert double is tf.custom_gradient(double).__original_wrapped__


@pytest.mark.sampled
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


def test_recomputing_takes_the_same_tensor_twice() -> None:
    def product(x: Any) -> Any:
        return tf.recompute_grad(lambda a, b: a * b * b)(x, x)

    for mode in MODES.values():
        assert mode(gradients_of(product), np.float32(2.0)) == [12.0]


def test_what_only_the_gradient_needs_is_not_computed_without_one() -> None:
    @tf.custom_gradient
    def function(x: Any) -> Any:
        needed_later = tf.sin(x)
        return tf.exp(x), lambda upstream: upstream * needed_later

    graph = tf.function(function).get_concrete_function(tf.constant(1.0)).graph
    simplified = simplify(graph.finish(graph.outputs))
    assert ["Exp"] == [operation.op.name for operation in simplified.operations]


@pytest.mark.parametrize("staged_rule", [False, True])
@pytest.mark.parametrize("mode", ["eager", "function", "loop"])
def test_a_gradient_of_its_own_asks_a_tape_of_the_values(mode: str, staged_rule: bool) -> None:
    v = tf.Variable([1.0, 2.0])

    @tf.custom_gradient
    def energy(x: Any) -> Any:
        v.assign(x)
        with tf.GradientTape(watch_accessed_variables=False) as tape:
            tape.watch([v])
            y = tf.reduce_sum(v * v * v)

        def back(dy: Any, variables: Any = None) -> Any:
            return tape.gradient(y, [v])[0], [None] * len(variables)

        return y, tf.function(back) if staged_rule else back

    def slope(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = energy(x)
        return tape.gradient(y, x)

    def descended(x: Any) -> Any:
        return tf.while_loop(lambda i, _: i < 2, lambda i, x: (i + 1, slope(x)), [0, x])[1]

    function = tf.function(descended if mode == "loop" else slope) if mode != "eager" else slope
    expected = [3.0 * (3.0 * 0.25) ** 2, 3.0 * 3.0**2] if mode == "loop" else [0.75, 3.0]
    assert function(tf.constant([0.5, 1.0])).numpy().tolist() == expected


@pytest.mark.parametrize("around", ["nothing", "cond", "loop", "call"])
@pytest.mark.parametrize("mode", ["eager", "function"])
def test_a_variable_of_a_gradient_within_is_none_that_a_function_uses(
    around: str, mode: str
) -> None:
    used, other = tf.Variable(2.0), tf.Variable(3.0)
    seen: list[Any] = []

    @tf.custom_gradient
    def inner(x: Any) -> Any:
        return used * x, lambda dy, variables: (dy * other, [dy * x])

    def called(x: Any) -> Any:
        if around == "cond":
            return tf.cond(x > 0.0, lambda: inner(x), lambda: x)
        if around == "loop":
            return tf.while_loop(lambda i, _: i < 1, lambda i, x: (i + 1, inner(x)), [0, x])[1]
        return tf.function(inner)(x) if around == "call" else inner(x)

    @tf.custom_gradient
    def outer(x: Any) -> Any:
        def gradient(dy: Any, variables: Any) -> Any:
            seen.append(variables)
            return dy * 5.0, [dy * 7.0 for _ in variables]

        return called(x), gradient

    def gradients() -> Any:
        x = tf.constant(1.5)
        with tf.GradientTape() as tape:
            tape.watch([x, other])
            y = outer(x) + other
        return tape.gradient(y, [x, used, other])

    run = tf.function(gradients) if mode == "function" else gradients
    assert [5.0, 7.0, 1.0] == [float(one) for one in run()]
    assert all(len(variables) == 1 and variables[0] is used for variables in seen)


def test_who_watches_no_operand_sees_what_the_function_did() -> None:
    inner, x = tf.constant(2.0), tf.constant(3.0)
    product = tf.custom_gradient(lambda x: (x * inner, lambda dy: dy * 7.0))

    with tf.GradientTape() as of_inner, tf.GradientTape() as of_both:
        of_inner.watch(inner)
        of_both.watch([inner, x])
        y = product(x)
    assert 3.0 == float(of_inner.gradient(y, inner))
    by_inner, by_x = of_both.gradient(y, [inner, x])
    assert (None, 7.0) == (by_inner, float(by_x))
