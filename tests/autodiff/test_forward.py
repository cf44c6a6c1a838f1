"""ForwardAccumulator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.autodiff.forward import ForwardAccumulator
from tensormill.graph.builder import trace_graph
from tensormill.ops.math.arithmetic import Mul
from tests.autodiff.modes import MODES

MODE_NAMES = sorted(MODES)


def jvp_of(function: Any, *tangents: float) -> Any:
    def pushed(*primals: Any) -> Any:
        directions = [t * tf.ones_like(x) for x, t in zip(primals, tangents, strict=True)]
        with ForwardAccumulator(list(primals), directions) as accumulator:
            result = function(*primals)
        return accumulator.jvp(result, unconnected_gradients="zero")

    return pushed


FUNCTIONS = {
    "arithmetic": lambda x, y: x * y + x / y - tf.sin(x),
    "broadcast": lambda x, y: tf.reshape(x * y, [-1, 1]) * tf.stack([x[0], y[1]]),
    "matmul": lambda x, y: tf.matmul(x[:, tf.newaxis], y[tf.newaxis]) @ tf.ones([2, 2], tf.float64),
    "reductions": lambda x, y: tf.reduce_sum(x * y) * tf.reduce_max(x) + tf.reduce_mean(y),
    "softmax": lambda x, y: tf.nn.softmax(x * y),
    "gather": lambda x, y: tf.gather(x * x, [0, 1, 1]) * y[0],
    "concat": lambda x, y: tf.concat([x, y, x * y], 0),
    "where": lambda x, y: tf.where(x > 0.5, x * y, tf.exp(y)),
    "cond": lambda x, y: tf.cond(x[0] > 0.0, lambda: x * x * y, lambda: y),
    "while": lambda x, y: tf.while_loop(
        lambda i, _: i < 3, lambda i, a: (i + 1, tf.sin(a) * y), [0, x]
    )[1],
    "map": lambda x, y: tf.map_fn(lambda row: row * row * y, x),
    "call": tf.function(lambda x, y: tf.sin(x) * y * y),
}


@pytest.mark.sampled
@pytest.mark.parametrize("mode", MODE_NAMES)
@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_tangents_are_directional_derivatives(name: str, mode: str) -> None:
    function = FUNCTIONS[name]
    x, y = np.array([0.3, 0.9]), np.array([1.1, -0.4])
    step = 1e-6

    (found,) = MODES[mode](jvp_of(function, 1.0, -2.0), x, y)

    ahead = MODES["eager"](function, x + step, y - 2 * step)[0]
    behind = MODES["eager"](function, x - step, y + 2 * step)[0]
    np.testing.assert_allclose((ahead - behind) / (2 * step), found, rtol=1e-7, atol=1e-8)


def test_a_rule_of_the_operation_goes_first(monkeypatch: Any) -> None:
    monkeypatch.setattr(Mul, "jvp", lambda self, dx, dy: tf.constant(7.0))
    x = tf.constant(3.0)
    with ForwardAccumulator(x, tf.constant(1.0)) as accumulator:
        y = x * x
    assert accumulator.jvp(y).numpy() == 7.0


def test_a_number_is_no_primal() -> None:
    with pytest.raises(ValueError, match="must be a tensor or a variable"):
        ForwardAccumulator(1.0, 1.0)


def test_tangents_of_the_world_outside_are_known_in_traces_and_branches() -> None:
    x = tf.constant(3.0)
    with ForwardAccumulator(x, tf.constant(1.0)) as accumulator:
        y = x * x
    assert tf.function(lambda: accumulator.jvp(y))().numpy() == 6.0

    @tf.function
    def function(x: Any) -> Any:
        with ForwardAccumulator(x, tf.ones_like(x)) as accumulator:
            y = x * x
        return tf.cond(x > 0.0, lambda: accumulator.jvp(y) * 2.0, lambda: x)

    assert function(x).numpy() == 12.0


def test_it_may_be_left_before_what_was_entered_in_it() -> None:
    x, tape = tf.constant(3.0), tf.GradientTape()
    with tape:
        accumulator = ForwardAccumulator(x, tf.constant(1.0)).__enter__()
        tape.watch(x)
        y = x * x
        accumulator.__exit__(None, None, None)
        z = y * x
    assert accumulator.jvp(y).numpy() == 6.0
    assert accumulator.jvp(z) is None
    assert tape.gradient(z, x).numpy() == 27.0


def test_a_loop_carries_tangents_and_remembers_nothing() -> None:
    def pushed(x: Any) -> Any:
        with ForwardAccumulator(x, tf.ones_like(x)) as accumulator:
            y = tf.while_loop(lambda i, _: i < 5, lambda i, a: (i + 1, tf.sin(a) * x), [0, x])[1]
        return accumulator.jvp(y)

    graph = trace_graph(pushed, [tf.TensorSpec([])]).graph
    (loop,) = [one for one in graph.operations if "While" in one.op.name]
    names = {one.op.name for one in loop.attrs["body"].operations}

    assert "TensorListPushBack" not in names
    assert not any(one.op.name.startswith("TensorList") for one in graph.operations)


def test_a_call_is_traced_once_however_often_it_is_pushed() -> None:
    traced: list[Any] = []

    @tf.function
    def square(x: Any) -> Any:
        traced.append(x)
        return x * x

    x = tf.constant(3.0)
    for _ in range(3):
        with ForwardAccumulator(x, tf.constant(1.0)) as accumulator:
            y = square(x)
        assert accumulator.jvp(y).numpy() == 6.0
    assert len(traced) == 1


def customized(rule: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return tf.custom_gradient(lambda x: (x * 2.0, rule))


def along_ones(function: Callable[[Any], Any]) -> Any:
    x = tf.constant([1.0, 2.0])
    with ForwardAccumulator(x, tf.ones_like(x)) as accumulator:
        y = function(x)
    return accumulator.jvp(y)


def doubled(x: Any) -> Any:
    return tf.numpy_function(lambda x: x * 2, [x], tf.float32)


@tf.function
def doubled_if_positive(x: Any) -> Any:
    return tf.cond(x[0] > 0.0, lambda: doubled(x), lambda: x)


@pytest.mark.parametrize("rule", [doubled, doubled_if_positive])
def test_a_gradient_without_a_derivative_has_no_transpose(rule: Any) -> None:
    with pytest.raises(LookupError, match="whose rule uses PyFunc, which has no derivative"):
        along_ones(customized(rule))


def test_what_a_gradient_only_looks_at_needs_no_derivative() -> None:
    def seen(dy: Any) -> Any:
        doubled(dy)
        return dy * tf.cast(tf.size(dy), tf.float32)

    np.testing.assert_array_equal(along_ones(customized(seen)), [2, 2])


@pytest.mark.parametrize("reverse", [False, True])
def test_the_tangent_of_the_logarithm_of_nothing_is_zero(reverse: bool) -> None:
    found = along_ones(lambda x: tf.math.cumulative_logsumexp(x, exclusive=True, reverse=reverse))

    np.testing.assert_allclose(found, [1, 0] if reverse else [0, 1])
