"""Small matrices are factored and solved by native loops, as LAPACK would."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.compiler.lowering.matrices.elimination import LARGEST

DRAWN = np.random.default_rng(5)
sides = pytest.mark.parametrize("side", [1, 4, LARGEST])
CALLS: dict[str, Callable[..., Any]] = {
    "inv": tf.linalg.inv,
    "inv, adjoint": lambda x: tf.linalg.inv(x, adjoint=True),
    "det": tf.linalg.det,
    "slogdet": tf.linalg.slogdet,
    "solve": lambda x: tf.linalg.solve(x, x + 1.0),
    "solve, adjoint": lambda x: tf.linalg.solve(x, x[..., :1] - 2.0, adjoint=True),
    "cholesky": lambda x: tf.linalg.cholesky(tf.matmul(x, x, transpose_b=True)),
    "lower": lambda x: tf.linalg.triangular_solve(x, x + 1.0),
    "lower, adjoint": lambda x: tf.linalg.triangular_solve(x, x + 1.0, adjoint=True),
    "upper": lambda x: tf.linalg.triangular_solve(x, x[..., :2], lower=False),
    "upper, adjoint": lambda x: tf.linalg.triangular_solve(x, x, lower=False, adjoint=True),
    "cholesky_solve": lambda x: tf.linalg.cholesky_solve(x, x + 1.0),
}
calls = pytest.mark.parametrize("name", CALLS)


def drawn(*shape: int, dtype: str = "f8") -> np.ndarray[Any, Any]:
    """Matrices that are far from singular, but want their rows exchanged."""
    x = DRAWN.normal(size=shape) + 3.0 * np.eye(shape[-1])[::-1]
    return (x + 2.0 * np.eye(shape[-1])).astype(dtype)


def in_python(function: Any) -> bool:
    return "in Python" in str(function.report())


def assert_same(function: Callable[..., Any], x: np.ndarray[Any, Any], tolerance: float) -> Any:
    native = tf.function(function)
    expected = tf.nest.flatten(function(tf.constant(x)))
    for found, wanted in zip(tf.nest.flatten(native(x)), expected, strict=True):
        assert found.dtype == wanted.dtype
        np.testing.assert_allclose(found, wanted, tolerance, tolerance)
    return native


@pytest.mark.sampled
@calls
@sides
def test_natively_as_eagerly(name: str, side: int) -> None:
    native = assert_same(CALLS[name], drawn(side, side), 1e-7)

    assert not in_python(native)


@pytest.mark.sampled
@calls
def test_batches_of_float32(name: str) -> None:
    native = assert_same(CALLS[name], drawn(2, 3, 4, 4, dtype="f4"), 1e-3)

    assert not in_python(native)


@pytest.mark.sampled
@calls
def test_batches_whose_number_is_known_at_run_time(name: str) -> None:
    fn = tf.function(CALLS[name], input_signature=[tf.TensorSpec([None, 3, 3], tf.float64)])
    for count in (0, 1, 4):
        x = drawn(count, 3, 3)
        expected = tf.nest.flatten(CALLS[name](tf.constant(x)))
        for found, wanted in zip(tf.nest.flatten(fn(x)), expected, strict=True):
            np.testing.assert_allclose(found, wanted, 1e-9, 1e-12)
    assert not in_python(fn)


@pytest.mark.sampled
@calls
@pytest.mark.parametrize("size", [LARGEST + 1, None])
def test_lapack_does_the_rest(name: str, size: int | None) -> None:
    fn = tf.function(CALLS[name], input_signature=[tf.TensorSpec([size, size], tf.float64)])
    x = drawn(LARGEST + 1, LARGEST + 1)

    for found, wanted in zip(
        tf.nest.flatten(fn(x)), tf.nest.flatten(CALLS[name](tf.constant(x))), strict=True
    ):
        np.testing.assert_allclose(found, wanted, 1e-6, 1e-6)
    assert not in_python(fn)


def test_a_matrix_without_factor_gives_nan_throughout_and_the_next_one_does_not() -> None:
    bad, good = np.diag([1.0, 2.0, -3.0]), np.eye(3)

    found = tf.function(tf.linalg.cholesky)(np.stack([bad, good, bad * np.nan])).numpy()

    triangle = np.tril(np.ones(bad.shape, bool))
    assert (np.isnan(found[0]) == triangle).all()
    assert found[1].tolist() == good.tolist()
    assert (np.isnan(found[2]) == triangle).all()


@pytest.mark.parametrize("name", ["inv", "solve", "solve, adjoint"])
def test_a_singular_matrix_is_an_error(name: str) -> None:
    x = np.array([[1.0, 2.0], [2.0, 4.0]])

    with pytest.raises(tf.errors.InvalidArgumentError, match="is not invertible"):
        tf.function(CALLS[name])(x)


def test_a_singular_matrix_has_the_determinant_zero() -> None:
    x = np.array([[0.0, 2.0, 1.0], [0.0, 4.0, 0.5], [0.0, 1.0, 1.0]])

    assert tf.function(tf.linalg.det)(x).numpy() == 0.0
    sign, logarithm = tf.function(tf.linalg.slogdet)(x)
    assert (float(sign), float(logarithm)) == (0.0, -np.inf)


def test_no_rows_at_all() -> None:
    x = np.zeros((2, 0, 0))

    assert tf.function(tf.linalg.inv)(x).shape == (2, 0, 0)
    assert tf.function(tf.linalg.det)(x).numpy().tolist() == [1.0, 1.0]


def test_one_matrix_serves_a_batch_of_right_sides() -> None:
    x, y = drawn(3, 3), DRAWN.normal(size=(5, 3, 2))
    expected = tf.linalg.triangular_solve(x, y)

    np.testing.assert_allclose(tf.function(tf.linalg.triangular_solve)(x, y), expected, 1e-9)


def test_steps_of_a_loop_and_their_gradient_are_native() -> None:
    def distance(x: Any) -> Any:
        y = tf.eye(3, dtype=tf.float64)
        for _ in range(3):
            y = tf.linalg.solve(x, y + tf.linalg.inv(x)) + tf.linalg.cholesky(x @ tf.transpose(x))
        return tf.reduce_sum(y) + tf.linalg.logdet(x @ tf.transpose(x))

    @tf.function
    def slope(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = distance(x)
        return tape.gradient(y, x)

    x = tf.constant(drawn(3, 3))
    expected = slope.python_function(x)
    np.testing.assert_allclose(slope(x), expected, 1e-7)
    assert not in_python(slope)
