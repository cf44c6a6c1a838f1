"""Functions of complex numbers as functions of their parts: first and second derivatives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf

POINT = np.array([[0.7, 0.4, -0.6, 0.3], [0.2, -0.9, 0.5, 0.8]])  # real parts, imaginary parts
ALONG = np.array([[0.3, -0.5, 0.2, 0.7], [-0.4, 0.1, 0.6, 0.2]])
MATRIX = np.array([[2.0, 0.3j], [1.0 - 0.5j, 3.0]])


def square_matrix(z: Any) -> Any:
    return tf.reshape(z, [2, 2]) + MATRIX


def hermitian(z: Any) -> Any:
    m = square_matrix(z)
    return m @ tf.linalg.adjoint(m) + tf.eye(2, dtype=tf.complex128)


FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    name: getattr(tf.math, name)
    for name in (
        "abs acos acosh angle asin asinh atan atanh conj cos cosh cumprod cumsum exp expm1 imag "
        "log log1p negative real reciprocal reciprocal_no_nan reduce_mean reduce_prod reduce_sum "
        "rsqrt sigmoid sign sin sinh sqrt square tan tanh"
    ).split()
} | {
    "sums": lambda z: tf.complex(tf.math.imag(z), tf.math.real(z)) + z * (1 + 2j),
    "products": lambda z: z * tf.math.conj(z[::-1]) * z,
    "quotients": lambda z: z / (z[::-1] + 2.0),
    "no nan": lambda z: tf.math.divide_no_nan(z, z[::-1] * 2j),
    "powers": lambda z: tf.pow(z, z[::-1]),
    "cubes": lambda z: z**3,
    "xlogy": lambda z: tf.math.xlogy(z, z + 2.0),
    "squared difference": lambda z: tf.math.squared_difference(z, z[::-1] * 1j),
    "matmul": lambda z: square_matrix(z) @ square_matrix(z * 1j),
    "adjoint": lambda z: tf.matmul(square_matrix(z), square_matrix(z * z), adjoint_a=True),
    "einsum": lambda z: tf.einsum("ij,jk,k->i", square_matrix(z), square_matrix(z), z[:2]),
    "inverse": lambda z: tf.linalg.inv(square_matrix(z)),
    "solve": lambda z: tf.linalg.solve(square_matrix(z), z[:2, tf.newaxis]),
    "determinant": lambda z: tf.linalg.det(square_matrix(z)),
    "cholesky": lambda z: tf.linalg.cholesky(hermitian(z)),
    "norm": tf.norm,
    "fft": lambda z: tf.signal.fft(z * z),
    "ifft": lambda z: tf.signal.ifft(z * tf.math.conj(z)),
    "irfft": lambda z: tf.signal.irfft(z * z),
    "rfft": lambda z: tf.signal.rfft(tf.math.real(z) * tf.math.imag(z)),
    "fft2d": lambda z: tf.signal.fft2d(square_matrix(z * z)),
    "where": lambda z: tf.where(tf.math.real(z) > 0.0, z * z, tf.sin(z)),
    "gather": lambda z: tf.gather(z * z, [0, 0, 3]) * z[0],
    "concat": lambda z: tf.concat([z, z * z], 0) * 1j,
}  # fmt: skip


def composed(name: str) -> Callable[[Any], Any]:
    """A number that depends on both parts of what a function gives for x[0] + i x[1]."""

    def function(x: Any) -> Any:
        found = FUNCTIONS[name](tf.complex(x[0], x[1]))
        weights = np.cos(1.7 * np.arange(found.shape.num_elements()) + 1.0)
        parts = tf.reshape(tf.math.real(found), [-1]), tf.reshape(tf.math.imag(found), [-1])
        return tf.reduce_sum((parts[0] + 0.6 * parts[1] ** 2) * weights)

    return function


def slope(function: Callable[..., Any]) -> Callable[..., Any]:
    def differentiated(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        return tape.gradient(y, x, unconnected_gradients="zero")

    return differentiated


def along(function: Callable[..., Any]) -> Callable[..., Any]:
    def pushed(x: Any) -> Any:
        with tf.autodiff.ForwardAccumulator(x, tf.constant(ALONG)) as accumulator:
            y = function(x)
        return accumulator.jvp(y, unconnected_gradients="zero")

    return pushed


def differences(function: Callable[..., Any], step: float = 1e-5) -> Any:
    ahead, behind = (function(tf.constant(POINT + s * step * ALONG)).numpy() for s in (1, -1))
    return (ahead - behind) / (2 * step)


@pytest.mark.sampled
@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_first_derivatives(name: str) -> None:
    function, x = composed(name), tf.constant(POINT)
    expected = differences(function)

    np.testing.assert_allclose(np.sum(slope(function)(x) * ALONG), expected, 1e-7, 1e-8)
    np.testing.assert_allclose(along(function)(x), expected, 1e-7, 1e-8)


@pytest.mark.sampled
@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_second_derivatives(name: str) -> None:
    function, x = composed(name), tf.constant(POINT)
    expected = differences(slope(function))
    twice = slope(lambda x: tf.reduce_sum(slope(function)(x) * ALONG))

    for second in (twice, along(slope(function)), slope(along(function))):
        np.testing.assert_allclose(second(x), expected, 1e-6, 1e-7)
