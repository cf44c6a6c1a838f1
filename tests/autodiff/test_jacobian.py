"""Jacobians and batch jacobians."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tests.autodiff.modes import MODES, STAGED

EVERY = sorted(MODES | STAGED)


def run(mode: str, function: Any, *arrays: Any) -> Any:
    (found,) = (MODES | STAGED)[mode](function, *arrays)
    return found


def jacobian(x: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x * x[0]
    return tape.jacobian(y, x)


def expected(x: Any) -> Any:
    found = np.diag(2.0 * x * x[0])
    found[:, 0] += x * x
    return found


@pytest.mark.parametrize("mode", EVERY)
@pytest.mark.parametrize("size", [1, 3, 7])
def test_a_jacobian_has_the_shapes_of_target_and_source(size: int, mode: str) -> None:
    x = np.arange(1.0, size + 1.0)
    np.testing.assert_allclose(expected(x), run(mode, jacobian, x))


@pytest.mark.parametrize("mode", EVERY)
def test_a_jacobian_can_be_differentiated(mode: str) -> None:
    def gradient(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = jacobian(x)
        return tape.gradient(y, x)

    x = np.arange(1.0, 7.0)
    np.testing.assert_allclose([46.0, 6.0, 8.0, 10.0, 12.0, 14.0], run(mode, gradient, x))


@pytest.mark.parametrize("mode", EVERY)
@pytest.mark.parametrize("width", [2, 6])
def test_a_batch_jacobian_keeps_examples_apart(width: int, mode: str) -> None:
    def batched(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x * x[:, :1]
        return tape.batch_jacobian(y, x)

    x = np.arange(1.0, 2.0 * width + 1.0).reshape(2, width)
    np.testing.assert_allclose([expected(row) for row in x], run(mode, batched, x))


def test_several_sources_and_what_does_not_depend() -> None:
    x, y, other = tf.constant([1.0, 2.0]), tf.Variable(3.0), tf.constant([1.0, 1.0, 1.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, other])
        z = x * x * y
    found = tape.jacobian(z, {"x": x, "y": y, "other": other})
    np.testing.assert_allclose([[6.0, 0.0], [0.0, 12.0]], found["x"])
    np.testing.assert_allclose([1.0, 4.0], found["y"])
    assert found["other"] is None
    np.testing.assert_array_equal(
        np.zeros((2, 3)), tape.jacobian(z, other, unconnected_gradients="zero")
    )


def test_a_jacobian_uses_a_tape_up() -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    with pytest.raises(TypeError, match="the target of a jacobian is one tensor"):
        tape.jacobian([y], x)
    tape.jacobian(y, x)
    with pytest.raises(RuntimeError, match="can only be used to compute one set"):
        tape.jacobian(y, x)


def test_a_hessian_by_the_jacobian_of_a_gradient() -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x * x * x
        first = inner.gradient(y, x)
    np.testing.assert_allclose([[6.0, 0.0], [0.0, 12.0]], outer.jacobian(first, x))


@pytest.mark.parametrize(
    ("shape", "other", "words"),
    [((3,), (3, 2), "must have rank at least 2"), ((3, 2), (2, 2), "Need first dimension")],
)
def test_batches_must_go_together(shape: Any, other: Any, words: str) -> None:
    x = tf.ones(shape)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(x) * tf.ones(other)
    with pytest.raises(ValueError, match=words):
        tape.batch_jacobian(y, x)


def test_a_batch_jacobian_of_no_examples() -> None:
    @tf.function(input_signature=[tf.TensorSpec([None, None])])
    def batched(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.cumsum(x * x, 1)
        return tape.batch_jacobian(y, x)

    assert batched(tf.zeros([0, 2])).shape == (0, 2, 2)
    assert batched(tf.zeros([2, 0])).shape == (2, 0, 0)
