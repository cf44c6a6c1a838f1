"""`tf.recompute_grad`: what is kept, and what is computed again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.graph.builder import trace_graph
from tensormill.graph.passes.order import simplify
from tests.autodiff.modes import MODES
from tests.visits import visits

MATRIX = tf.TensorSpec([4, 4])


def layers(x: Any, w: Any) -> Any:
    for _ in range(3):
        x = tf.tanh(x @ w)
    return x


def gradients(function: Any) -> Any:
    def differentiated(x: Any, w: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([x, w])
            y = tf.reduce_sum(function(x, w) ** 2)
        return tape.gradient(y, [x, w])

    return differentiated


def looped(function: Any) -> Any:
    def repeated(x: Any, w: Any) -> Any:
        return tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, function(y, w)), [0, x])[1]

    return repeated


def nested(depth: int, recomputed: Any) -> Any:
    """Each level computes the one inside again for its own gradient."""
    if depth == 0:
        return layers
    inner = nested(depth - 1, recomputed)
    return recomputed(lambda x, w: tf.sin(inner(x, w)) @ w)


@tf.custom_gradient
def tripled(x: Any) -> Any:
    """The sine, with a gradient that is not its own."""
    return tf.sin(x), lambda upstream: 3.0 * upstream


def steeper(x: Any, w: Any) -> Any:
    return tripled(x * w) @ w


def slope(x: Any, w: Any) -> Any:
    """What is recomputed asks for a gradient itself."""
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tripled(x @ w) * x
    return tape.gradient(y, x)


def operations(function: Any) -> list[Any]:
    return list(simplify(trace_graph(function, [MATRIX, MATRIX], "step").graph).operations)


def count(function: Any, name: str) -> int:
    return sum(one.op.name == name for one in operations(function))


def test_it_is_not_shared_with_what_was_computed_before() -> None:
    assert count(gradients(layers), "Tanh") == 3
    assert count(gradients(tf.recompute_grad(layers)), "Tanh") == 6


def test_a_loop_remembers_what_its_steps_take() -> None:
    def remembered(function: Any) -> int:
        loops = [one for one in operations(gradients(looped(function))) if "While" in one.op.name]
        body = loops[0].attrs["body"]
        return sum(one.op.name == "TensorListPushBack" for one in body.operations)

    assert remembered(tf.recompute_grad(layers)) == 1
    assert remembered(layers) > 1


@pytest.mark.sampled
@pytest.mark.parametrize("mode", sorted(MODES))
@pytest.mark.parametrize(
    ("function", "again"),
    [
        (layers, tf.recompute_grad(layers)),
        (looped(layers), looped(tf.recompute_grad(layers))),
        (looped(layers), tf.recompute_grad(looped(layers))),
        (nested(3, lambda f: f), nested(3, tf.recompute_grad)),
        (steeper, tf.recompute_grad(steeper)),
        (slope, tf.recompute_grad(slope)),
    ],
    ids=["chain", "in a loop", "of a loop", "nested", "custom inside", "tape inside"],
)
def test_gradients_are_those_of_the_function(function: Any, again: Any, mode: str) -> None:
    x, w = np.random.default_rng(1).normal(size=(2, 4, 4))
    expected = MODES["eager"](gradients(function), x, w)

    for have, want in zip(MODES[mode](gradients(again), x, w), expected, strict=True):
        np.testing.assert_allclose(have, want, rtol=1e-12)


def test_a_function_that_is_first_called_where_it_is_recomputed_keeps_its_gradient() -> None:
    inner = tf.function(tripled)
    x = tf.constant(0.5)

    @tf.function
    def both(x: Any) -> Any:
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            first, second = tf.recompute_grad(inner)(x), inner(x)
        return tape.gradient(first, x), tape.gradient(second, x)

    assert [one.numpy() for one in both(x)] == [3.0, 3.0]


def test_levels_that_recompute_each_other_are_not_traced_twice_each() -> None:
    """Steps grow with the square of the depth: each level is computed again for those around."""

    def steps(depth: int) -> int:
        function = nested(depth, tf.recompute_grad)
        return visits(lambda: trace_graph(gradients(function), [MATRIX, MATRIX], "step"))

    steps(1)
    assert steps(8) < 4 * steps(4)


def test_methods_keep_their_object() -> None:
    class Layer:
        scale = 3.0

        @tf.recompute_grad
        def double(self, x: Any) -> Any:
            return x * x * self.scale

    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = Layer().double(x)
    assert tape.gradient(y, x).numpy() == 12.0


def test_a_gradient_that_recomputes_is_saved(tmp_path: Any) -> None:
    module = tf.Module()
    module.step = tf.function(
        gradients(tf.recompute_grad(layers)), input_signature=[MATRIX, MATRIX]
    )
    x = tf.reshape(tf.linspace(-1.0, 1.0, 16), [4, 4])
    tf.saved_model.save(module, str(tmp_path))

    for have, want in zip(
        tf.saved_model.load(str(tmp_path)).step(x, x), module.step(x, x), strict=True
    ):
        np.testing.assert_allclose(have, want, rtol=1e-6)


@pytest.mark.parametrize("way", [lambda function: function, tf.function])
def test_tensors_from_outside_have_gradients(way: Any) -> None:
    x, w, v = tf.constant(2.0), tf.constant(3.0), tf.Variable(7.0)
    again = tf.recompute_grad(lambda y, scale: y * scale * v * w)

    def function(x: Any) -> Any:
        z = w * 2.0
        return tf.recompute_grad(lambda y: again(y * z, scale=w))(x)

    with tf.GradientTape() as tape:
        tape.watch([x, w])
        y = way(function)(x)

    assert y.numpy() == 2 * 2 * 3**3 * 7
    assert tape.gradient(y, [x, w, v]) == [2 * 27 * 7, 2 * 2 * 27 * 7, 2 * 2 * 27]


@pytest.mark.parametrize("way", [lambda function: function, tf.function])
def test_tensors_from_outside_have_gradients_within_a_loop(way: Any) -> None:
    def gradient(x: Any, w: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([x, w])
            z = w * w
            step = tf.recompute_grad(lambda y: tf.sin(y * z) + w)
            y = tf.while_loop(lambda i, _: i < 3, lambda i, y: (i + 1, step(y)), [0, x])[1]
        return tape.gradient(y, [x, w])

    def plain(x: Any, w: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([x, w])
            y = x
            for _ in range(3):
                y = tf.sin(y * w * w) + w
        return tape.gradient(y, [x, w])

    operands = tf.constant(0.3, tf.float64), tf.constant(0.8, tf.float64)
    np.testing.assert_allclose(way(gradient)(*operands), plain(*operands), rtol=1e-12)
