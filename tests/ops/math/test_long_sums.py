"""Sums of many rows are sums of parts: their error doesn't grow with the number of rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf

SHAPES = [
    ((1_000_000, 2), (0,)),
    ((2, 500_000, 2), (1,)),
    ((1000, 1000, 2), (0, 1)),
    ((20_000, 100, 2), (0, 1)),
    ((500_000, 1, 2, 2), (0, 2)),
    ((2, 3, 100_000, 3), (0, 2)),
]


def numbers(shape: tuple[int, ...], dtype: Any = np.float32) -> np.ndarray[Any, Any]:
    return np.random.default_rng(0).random(shape).astype(dtype)


def in_a_function(function: Callable[..., Any], rank: int) -> Callable[..., Any]:
    """It, traced for unknown sizes."""
    return tf.function(function, input_signature=[tf.TensorSpec([None] * rank)])


@pytest.mark.parametrize(("shape", "axes"), SHAPES, ids=str)
def test_sums_of_many_rows_are_nearly_exact(shape: tuple[int, ...], axes: tuple[int, ...]) -> None:
    x = numbers(shape)
    exact = x.sum(axes, dtype=np.float64)

    def total(x: Any) -> Any:
        return tf.reduce_sum(x, axes)

    for found in (total(tf.constant(x)), in_a_function(total, x.ndim)(x), tf.function(total)(x)):
        np.testing.assert_allclose(found.numpy(), exact, rtol=1.5e-6)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: tf.reduce_mean(x, 0) * 1e6,
        lambda x: tf.math.reduce_euclidean_norm(tf.sqrt(x), 0) ** 2,
        lambda x: tf.raw_ops.BiasAddGrad(out_backprop=x),
        lambda x: tf.nn.moments(x, [0])[0] * 1e6,
    ],
    ids=["mean", "norm", "gradient of a bias", "moments"],
)
def test_what_is_made_of_sums_is_nearly_exact(function: Callable[..., Any]) -> None:
    x = numbers((1_000_000, 2))

    for form in (function, in_a_function(function, 2)):
        np.testing.assert_allclose(
            form(tf.constant(x)).numpy(), x.sum(0, dtype=np.float64), rtol=3e-6
        )


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize(
    "dtype", [np.float16, np.float32, np.complex64], ids=lambda one: one.__name__
)
@pytest.mark.parametrize(
    ("shape", "axes"),
    [
        ((1025, 3), (0,)),
        ((3, 5000, 2), (1,)),
        ((40, 50, 3, 2), (0, 1)),
        ((2000, 3, 4), (0, 2)),
        ((3, 40_000, 1), (0, 1)),
        ((2, 30, 3, 40, 2), (1, 3)),
        ((1500, 0), (0,)),
    ],
    ids=str,
)
def test_sums_in_parts_are_those_of_numpy(
    shape: tuple[int, ...], axes: tuple[int, ...], dtype: Any, keepdims: bool
) -> None:
    x = numbers(shape, dtype)
    wide = np.complex128 if dtype is np.complex64 else np.float64

    found = tf.reduce_sum(tf.constant(x), axes, keepdims).numpy()

    assert found.dtype == dtype
    exact = x.sum(axes, dtype=wide, keepdims=keepdims)
    np.testing.assert_allclose(found, exact, rtol=1e-3 if dtype is np.float16 else 1e-5)


def test_sums_of_transposed_arrays_are_nearly_exact() -> None:
    x = np.asarray(numbers((2, 1_000_000)), order="F")

    np.testing.assert_allclose(
        tf.reduce_sum(tf.constant(x), 1).numpy(), x.sum(1, dtype=np.float64), rtol=1.5e-6
    )


@pytest.mark.parametrize("rows", [1000, 1024, 1025, 5000, 20_000])
def test_sums_of_rows_have_the_same_bits_eagerly_and_compiled(rows: int) -> None:
    x = numbers((rows, 3))

    eager = tf.reduce_sum(tf.constant(x), 0).numpy()

    assert eager.tobytes() == tf.function(lambda x: tf.reduce_sum(x, 0))(x).numpy().tobytes()
    general = in_a_function(lambda x: tf.reduce_sum(x, 0), 2)
    assert eager.tobytes() == general(x).numpy().tobytes()
