"""Functions of elements, of sparse tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf

FUNCTIONS = [
    tf.math.asin, tf.math.asinh, tf.math.atan, tf.math.atanh, tf.math.bessel_i0e,
    tf.math.bessel_i1e, tf.math.sin, tf.math.tan, tf.math.tanh,
]  # fmt: skip


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda one: one.__name__)
def test_a_function_of_a_sparse_tensor_is_that_of_its_values(
    function: Callable[[Any], Any], compiled: bool
) -> None:
    x = tf.sparse.from_dense([[0.5, 0.0, 0.25], [0.0, 0.75, 0.0]])

    y = (tf.function(function) if compiled else function)(x)
    np.testing.assert_array_equal(x.indices, y.indices)
    np.testing.assert_allclose(function(x.values), y.values, 1e-6)


def test_composites_have_no_static_value() -> None:
    assert tf.get_static_value(tf.sparse.from_dense([1.0])) is None
    assert tf.get_static_value(tf.ragged.constant([[1]])) is None
