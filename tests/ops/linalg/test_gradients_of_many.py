"""The gradient with respect to one matrix that many are multiplied by."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf

ROWS = [2, 30]  # the gradient is larger than the rows, or smaller


@pytest.mark.sampled
@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("adjoint_b", [False, True])
@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
@pytest.mark.parametrize("compiled", [False, True])
def test_the_gradient_of_one_matrix_is_summed_over_many(
    rows: int, adjoint_b: bool, dtype: Any, compiled: bool
) -> None:
    random = np.random.default_rng(0)

    def numbers(*shape: int) -> Any:
        found = random.normal(size=shape).astype(dtype)
        return found + 1j * random.normal(size=shape) if dtype is np.complex128 else found

    x, d = numbers(3, 4, rows, 6), numbers(3, 4, rows, 7)
    w = numbers(7, 6) if adjoint_b else numbers(6, 7)

    def gradient(x: Any, w: Any, d: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(w)
            y = tf.linalg.matmul(x, w, adjoint_b=adjoint_b)
        return tape.gradient(y, w, output_gradients=d)

    found = (tf.function(gradient) if compiled else gradient)(*map(tf.constant, (x, w, d)))
    if adjoint_b:
        expected = np.einsum("abmn,abmk->nk", d.conj(), x)
    else:
        expected = np.einsum("abmk,abmn->kn", x.conj(), d)
    np.testing.assert_allclose(expected, found, rtol=1e-12, atol=1e-12)
