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


@pytest.mark.sampled
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


def test_a_batch_jacobian_of_no_examples() -> None:
    @tf.function(input_signature=[tf.TensorSpec([None, None])])
    def batched(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.cumsum(x * x, 1)
        return tape.batch_jacobian(y, x)

    assert batched(tf.zeros([0, 2])).shape == (0, 2, 2)
    assert batched(tf.zeros([2, 0])).shape == (2, 0, 0)
