"""What is large and called in many places is compiled once, and called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.compiler import inlining
from tensormill.compiler.inlining import outline
from tensormill.compiler.pipeline import compile_graph
from tensormill.graph.passes.order import simplify
from tests.visits import visits

FLOATS = tf.TensorSpec([3], tf.float32)
X = np.array([0.1, -0.7, 2.0], np.float32)


@pytest.fixture
def copied_rarely(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inlining, "LARGEST", 30)
    monkeypatch.setattr(inlining, "SMALL", 6)


def called_twice(depth: int, of: Callable[..., Any], leaf: Callable[[Any], Any]) -> Any:
    fn = of(leaf)
    for _ in range(depth):
        fn = of(lambda x, fn=fn: fn(fn(x)) + x * 0.25)
    return fn


def graph_of(fn: Any) -> Any:
    return simplify(fn.get_concrete_function(FLOATS).callee.graph)


def test_twice_as_deep_is_compiled_in_twice_the_steps() -> None:
    """Eight levels are written out, 2^24 operations are not."""
    graphs = [graph_of(called_twice(depth, tf.function, tf.tanh)) for depth in (12, 24)]
    once, twice = (visits(lambda: compile_graph(graph, 1)) for graph in graphs)  # noqa: B023

    assert twice < 2.3 * once


def test_a_program_of_usual_size_calls_nothing() -> None:
    graph = graph_of(called_twice(8, tf.function, tf.tanh))

    assert outline(graph) is graph


@pytest.mark.usefixtures("copied_rarely")
def test_many_functions_that_are_called_twice_each_are_written_out() -> None:
    @tf.function
    def wide(x: Any) -> Any:
        for k in range(30):
            fn = tf.function(lambda x, k=k: tf.tanh(tf.exp(x * k) + tf.sin(x) - tf.cos(x) * x))
            x = fn(x) + fn(x * 2.0)
        return x

    assert outline(graph := graph_of(wide)) is graph


@pytest.mark.usefixtures("copied_rarely")
def test_it_computes_what_copies_do() -> None:
    native = called_twice(7, tf.function, tf.tanh)
    expected = called_twice(7, lambda fn: fn, tf.tanh)(tf.constant(X)).numpy()

    np.testing.assert_allclose(native(tf.constant(X)).numpy(), expected, rtol=1e-5)
    assert "too large" in str(native.get_concrete_function(FLOATS).callee.executable.callbacks[0])


@pytest.mark.usefixtures("copied_rarely")
def test_what_is_called_reads_and_writes_variables_in_order() -> None:
    count, scale = tf.Variable(0), tf.Variable(0.5)

    def leaf(x: Any) -> Any:
        count.assign_add(1)
        scale.assign(scale * 0.75 + 0.125)
        return tf.tanh(x) * scale + tf.cast(count, tf.float32)

    native = called_twice(7, tf.function, leaf)(tf.constant(X)).numpy()
    assert count.numpy() == 128
    last = scale.numpy()

    count.assign(0)
    scale.assign(0.5)
    expected = called_twice(7, lambda fn: fn, leaf)(tf.constant(X)).numpy()
    np.testing.assert_allclose(native, expected, rtol=1e-5)
    assert last == scale.numpy()


@pytest.mark.usefixtures("copied_rarely")
def test_what_draws_numbers_is_copied() -> None:
    """Each copy draws from streams of its own, as it does in a small program."""
    random = called_twice(3, tf.function, lambda x: x + tf.random.uniform([3]))
    random(tf.constant(X))

    assert not random.get_concrete_function(FLOATS).callee.executable.callbacks


@pytest.mark.usefixtures("copied_rarely")
def test_an_error_inside_says_where() -> None:
    def leaf(x: Any) -> Any:
        tf.debugging.assert_less(x, 100.0, message="it grew")
        return x * 3.0

    native = called_twice(6, tf.function, leaf)
    with pytest.raises(tf.errors.InvalidArgumentError, match="it grew"):
        native(tf.constant(X))
