"""Jacobians, Hessians and maps of functions with loops and branches in them.

Derivatives of derivatives are long programs: those of one function are compiled for the sizes that
it gets, those of the other for any; with `TENSORMILL_EFFORT` both are, for both.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tests.composition.ways import WAYS, eagerly

each_way = pytest.mark.parametrize("way", list(WAYS.values()), ids=list(WAYS))

BOTH = ("any size", "compiled")
EVERY = "TENSORMILL_EFFORT" in os.environ
ROWS = np.array([[0.7, 0.4, 1.1], [-0.3, 0.8, 0.5]])


@tf.function
def stepped(x: Any, count: Any = 3) -> Any:
    """For each row of x a row of two numbers, by a loop with a branch in it."""
    a, b = x[:, 0], x[:, 1]
    for i in tf.range(count):
        if i % 2 == 0:
            a, b = tf.sin(a * b) + x[:, 2], a
        else:
            a, b = a * 0.5 + b * b, tf.tanh(b)
    return tf.stack([a, b], 1)


def ended_by_data(x: Any) -> Any:
    y = x
    while tf.reduce_sum(y * y) < 50.0:
        y = y * 1.5 + tf.sin(y) * x
    return y


def jacobian_of(function: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    def differentiated(x: Any) -> Any:
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = function(x)
        return tape.jacobian(y, x, **options)

    return differentiated


def batch_jacobian_of(function: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    def differentiated(x: Any) -> Any:
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = function(x)
        return tape.batch_jacobian(y, x, **options)

    return differentiated


def gradient_of(function: Callable[..., Any]) -> Callable[..., Any]:
    def differentiated(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(function(x))
        return tape.gradient(y, x)

    return differentiated


def differences(function: Callable[..., Any], x: Any, step: float = 1e-5) -> Any:
    """The jacobian by finite differences: target's axes, then those of x."""
    columns = []
    for place in np.ndindex(x.shape):
        moved = np.zeros(x.shape)
        moved[place] = step
        ahead, behind = (eagerly(function, x + s * moved)[0] for s in (1, -1))
        columns.append((ahead - behind) / (2 * step))
    return np.stack(columns, -1).reshape(*columns[0].shape, *x.shape)


def each_example(jacobian: Any) -> Any:
    """Of d target[b] / d source[c], where b is c."""
    return np.stack([jacobian[k, :, k] for k in range(len(jacobian))])


@pytest.mark.sampled
@each_way
@pytest.mark.parametrize("pfor", [True, False])
@pytest.mark.parametrize("function", [stepped, ended_by_data])
def test_jacobians_through_loops(function: Any, pfor: bool, way: Any) -> None:
    (found,) = way(jacobian_of(function, experimental_use_pfor=pfor), ROWS)
    np.testing.assert_allclose(found, differences(function, ROWS), rtol=1e-7, atol=1e-8)


@pytest.mark.sampled
@each_way
@pytest.mark.parametrize("pfor", [True, False])
def test_batch_jacobians_through_loops(pfor: bool, way: Any) -> None:
    (found,) = way(batch_jacobian_of(stepped, experimental_use_pfor=pfor), ROWS)
    expected = each_example(differences(stepped, ROWS))
    np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-8)


def compiled_in_turn(*others: str, **functions: Callable[..., Any]) -> pytest.MarkDecorator:
    """A function and a way to run it: each of them in the `others`, and compiled in one of two."""
    pairs = [
        pytest.param(function, WAYS[way], id=f"{name}-{way}")
        for number, (name, function) in enumerate(functions.items())
        for way in (*others, *(BOTH if EVERY else BOTH[number:][:1]))
    ]
    return pytest.mark.parametrize(("function", "way"), pairs)


@pytest.mark.sampled
@compiled_in_turn("eager", "reference", stepped=stepped, ended_by_data=ended_by_data)
def test_hessians_through_loops(function: Any, way: Any) -> None:
    (found,) = way(jacobian_of(gradient_of(function)), ROWS)
    expected = differences(gradient_of(function), ROWS)
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7)


@pytest.mark.sampled
@compiled_in_turn("reference", mapped=lambda x: tf.map_fn(tf.sin, x) * x, stepped=stepped)
def test_hessians_of_a_graph(function: Any, way: Any) -> None:
    def hessian(x: Any) -> Any:
        return tf.hessians(tf.reduce_sum(function(x)), x)[0]

    expected = differences(gradient_of(function), ROWS)
    np.testing.assert_allclose(way(hessian, ROWS)[0], expected, rtol=1e-6, atol=1e-7)


@pytest.mark.sampled
@compiled_in_turn("eager", "reference", stepped=stepped)
def test_gradients_of_jacobians(function: Any, way: Any) -> None:
    def sharpness(x: Any) -> Any:
        return tf.reduce_sum(batch_jacobian_of(function)(x) ** 2)

    (found,) = way(gradient_of(sharpness), ROWS)
    np.testing.assert_allclose(found, differences(sharpness, ROWS), rtol=1e-6, atol=1e-7)


@pytest.mark.sampled
@each_way
def test_a_jacobian_in_a_branch_in_a_loop(way: Any) -> None:
    def traces(x: Any) -> Any:
        total = tf.constant(0.0, tf.float64)
        for i in tf.range(3):
            if i != 1:
                y = x * tf.cast(i + 1, tf.float64)
                jacobian = jacobian_of(lambda row: tf.sin(row) * row[::-1])(y[0])
                total = total + tf.linalg.trace(jacobian) * x[1, 2]
        return total

    (found,) = way(gradient_of(traces), ROWS)
    np.testing.assert_allclose(found, differences(traces, ROWS), rtol=1e-6, atol=1e-7)


# ---- vectorized_map
def by_rows(row: Any) -> Any:
    return stepped(row[tf.newaxis], 2)[0]


@each_way
def test_a_map_of_a_function_with_a_loop(way: Any) -> None:
    (found,) = way(lambda x: tf.vectorized_map(by_rows, x), ROWS)
    np.testing.assert_allclose(found, [eagerly(by_rows, row)[0] for row in ROWS], rtol=1e-12)


@pytest.mark.sampled
@each_way
def test_gradients_of_each_example(way: Any) -> None:
    (found,) = way(lambda x: tf.vectorized_map(gradient_of(by_rows), x), ROWS)
    (expected,) = eagerly(gradient_of(lambda x: stepped(x, 2)), ROWS)
    np.testing.assert_allclose(found, expected, rtol=1e-11)


@each_way
def test_gradients_of_each_example_by_shared_weights(way: Any) -> None:
    w = tf.Variable(np.array([[0.2, -0.5], [1.0, 0.3], [0.7, -0.1]]))

    def for_one(row: Any) -> Any:
        with tf.GradientTape() as tape:
            y = row
            for _ in tf.range(2):
                y = tf.tanh(tf.linalg.matvec(w, tf.linalg.matvec(w, y, transpose_a=True)))
            loss = tf.reduce_sum(y * y)
        return tape.gradient(loss, w)

    (found,) = way(lambda x: tf.vectorized_map(for_one, x), ROWS)
    np.testing.assert_allclose(found, [eagerly(for_one, row)[0] for row in ROWS], rtol=1e-11)


@pytest.mark.sampled
@each_way
def test_jacobians_and_hessians_of_each_example(way: Any) -> None:
    def both(row: Any) -> Any:
        return jacobian_of(by_rows)(row), jacobian_of(gradient_of(by_rows))(row)

    jacobians, hessians = way(lambda x: tf.vectorized_map(both, x), ROWS)
    for k, row in enumerate(ROWS):
        np.testing.assert_allclose(jacobians[k], differences(by_rows, row), rtol=1e-6, atol=1e-8)
        expected = differences(gradient_of(by_rows), row)
        np.testing.assert_allclose(hessians[k], expected, rtol=1e-6, atol=1e-7)


@pytest.mark.sampled
@each_way
def test_derivatives_through_a_map(way: Any) -> None:
    def mapped(x: Any) -> Any:
        return tf.vectorized_map(by_rows, x * x)

    direction = np.cos(np.arange(6.0)).reshape(2, 3)

    def pushed(x: Any) -> Any:
        with tf.autodiff.ForwardAccumulator(x, tf.constant(direction)) as accumulator:
            y = mapped(x)
        return accumulator.jvp(y)

    jacobian = differences(mapped, ROWS)
    np.testing.assert_allclose(way(gradient_of(mapped), ROWS)[0], jacobian.sum((0, 1)), rtol=1e-6)
    expected = np.tensordot(jacobian, direction, 2)
    np.testing.assert_allclose(way(pushed, ROWS)[0], expected, rtol=1e-6)


@pytest.mark.sampled
@each_way
def test_products_with_a_hessian_need_no_hessian(way: Any) -> None:
    direction = np.cos(np.arange(6.0)).reshape(2, 3)

    def forward_over_reverse(x: Any) -> Any:
        with tf.autodiff.ForwardAccumulator(x, tf.constant(direction)) as accumulator:
            gradient = gradient_of(stepped)(x)
        return accumulator.jvp(gradient)

    def reverse_over_reverse(x: Any) -> Any:
        return gradient_of(lambda x: gradient_of(stepped)(x) * direction)(x)

    expected = np.tensordot(differences(gradient_of(stepped), ROWS), direction, 2)
    for product in (forward_over_reverse, reverse_over_reverse):
        np.testing.assert_allclose(way(product, ROWS)[0], expected, rtol=1e-6, atol=1e-7)
