"""Triangular factors by LAPACK are those of elimination step by step."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.ops.linalg.decompositions import eliminate, factor

random = np.random.default_rng(0)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_factors_by_lapack_are_those_of_elimination(dtype: str) -> None:
    for size in (1, 2, 7, 40):
        step_by_step: Any = random.normal(size=(size, size)).astype(dtype)
        at_once = step_by_step.copy()
        expected, found = eliminate(np, step_by_step), factor(np, at_once)

        assert np.array_equal(expected, found)
        tolerance = 1e-3 if dtype == "float32" else 1e-10
        np.testing.assert_allclose(at_once, step_by_step, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("size", [3, 60])
def test_a_matrix_without_an_inverse_is_refused(size: int) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="not invertible"):
        tf.linalg.lu(tf.zeros([2, size, size]))
