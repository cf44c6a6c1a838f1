"""Gradients of least squares."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf

A = np.array([[2.0, 1.0], [1.0, 3.0], [0.5, -1.0]])
B = np.array([[1.0], [2.0], [3.0]])


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
@pytest.mark.parametrize("matrix", [A, A.T, A[:2]], ids=["tall", "wide", "square"])
def test_both_ways_to_least_squares_have_one_gradient(matrix: Any, compiled: bool) -> None:
    def gradients(matrix: Any, rhs: Any, fast: bool) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([matrix, rhs])
            y = tf.reduce_sum(tf.sin(tf.linalg.lstsq(matrix, rhs, fast=fast)))
        return tape.gradient(y, [matrix, rhs])

    run = tf.function(gradients) if compiled else gradients
    operands = tf.constant(matrix), tf.constant(B[: len(matrix)])
    for quick, slow in zip(run(*operands, True), run(*operands, False), strict=True):
        np.testing.assert_allclose(quick, slow, 1e-8, 1e-9)
