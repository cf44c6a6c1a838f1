"""Activations keep their digits where they are small, and numbers of 16 bits theirs."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest

import tensormill as tf

WAYS = pytest.mark.parametrize("way", [lambda f: f, tf.function], ids=["eager", "compiled"])
Way = Callable[[Any], Any]


@WAYS
@pytest.mark.parametrize(
    ("dtype", "digits"), [(tf.float64, 53), (tf.float32, 24), (tf.float16, 11)]
)
def test_exact_gelu_has_its_digits_far_below_zero(way: Way, dtype: tf.DType, digits: int) -> None:
    x = tf.cast([-13.0, -11.6, -7.0, -3.7, -1.0, -0.1, 0.0, 0.1, 3.7, 13.0], dtype)
    with mpmath.workdps(40):
        wide = [mpmath.mpf(float(one)) for one in tf.cast(x, tf.float64)]
        expected = [float(one * mpmath.erfc(-one / mpmath.sqrt(2)) / 2) for one in wide]
    least = {11: 2.0**-24, 24: 2.0**-149, 53: 5e-324}[digits]

    found = tf.cast(way(tf.nn.gelu)(x), tf.float64)
    # x/sqrt(2) is rounded twice, and the tail falls as e**(-x²/2).
    allowed = (8 + 2 * np.square(np.array(wide, np.float64))) * 2.0**-digits
    np.testing.assert_array_less(np.abs(found - expected), allowed * np.abs(expected) + least)


@WAYS
@pytest.mark.parametrize(("dtype", "digits"), [(tf.float64, 53), (tf.float32, 24)])
def test_approximate_gelu_has_its_digits_far_below_zero(
    way: Way, dtype: tf.DType, digits: int
) -> None:
    x = tf.cast([-9.0, -6.4, -5.0, -3.7, -1.0, -0.1, 0.0, 0.1, 3.7, 13.0], dtype)
    with mpmath.workdps(80):
        wide = [mpmath.mpf(float(one)) for one in tf.cast(x, tf.float64)]
        inner = [mpmath.sqrt(2 / mpmath.pi) * (x + mpmath.mpf("0.044715") * x**3) for x in wide]
        true = [x * (1 + mpmath.tanh(u)) / 2 for x, u in zip(wide, inner, strict=True)]
        expected = np.array(true, np.float64)

    found = tf.cast(way(lambda x: tf.nn.gelu(x, approximate=True))(x), tf.float64)

    # 2u is rounded some times, and the tail falls as e**(2u).
    allowed = (8 + 6 * np.abs(np.array(inner, np.float64))) * 2.0**-digits
    np.testing.assert_array_less(np.abs(found - expected), allowed * np.abs(expected) + 1e-300)


@WAYS
def test_gradients_of_exact_gelu_have_their_digits_far_below_zero(way: Way) -> None:
    def gradient(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.nn.gelu(x)
        return tape.gradient(y, x)

    x = -7.0
    expected = math.erfc(7 / math.sqrt(2)) / 2 + x * math.exp(-24.5) / math.sqrt(2 * math.pi)
    np.testing.assert_allclose(way(gradient)(tf.constant(x)), expected, rtol=1e-5)


@WAYS
@pytest.mark.parametrize("dtype", [tf.float16, tf.bfloat16])
@pytest.mark.parametrize("name", ["sigmoid", "rsqrt"])
def test_numbers_of_16_bits_are_rounded_once(way: Way, name: str, dtype: tf.DType) -> None:
    function = {"sigmoid": tf.sigmoid, "rsqrt": tf.math.rsqrt}[name]
    x = tf.cast(np.linspace(0.01, 8, 400) if name == "rsqrt" else np.linspace(-8, 8, 400), dtype)
    expected = tf.cast(function(tf.cast(x, tf.float64)), dtype)

    np.testing.assert_array_equal(expected, way(function)(x))
