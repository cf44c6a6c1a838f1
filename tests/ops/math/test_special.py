"""Special functions are as exact eagerly as they are compiled."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import pytest

import tensormill as tf

TAIL = np.linspace(1.0, 26.0, 97)


@pytest.mark.parametrize("compiled", [False, True])
def test_erfc_is_exact_where_it_is_small(compiled: bool) -> None:
    erfc = tf.function(tf.math.erfc) if compiled else tf.math.erfc
    with mpmath.workdps(30):
        exact = [mpmath.erfc(x) for x in TAIL]
        pairs = zip(exact, erfc(TAIL).numpy(), strict=True)
        errors = [float(abs(mpmath.mpf(y) / x - 1)) for x, y in pairs]

    assert max(errors) < 1e-15


def test_erfc_at_its_ends() -> None:
    found = tf.math.erfc(np.array([-np.inf, -30.0, 0.0, 30.0, 1e200, np.inf, np.nan])).numpy()

    np.testing.assert_array_equal(found, [2.0, 2.0, 1.0, 0.0, 0.0, 0.0, np.nan])


@pytest.mark.sampled
@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("dtype", [tf.float32, tf.float64])
def test_igammac_of_no_number_is_none(compiled: bool, dtype: tf.DType) -> None:
    igammac = tf.function(tf.math.igammac) if compiled else tf.math.igammac
    a, x = tf.constant([np.nan, np.nan, 0.0, 1.0], dtype), tf.constant([0.0, 1.0, 0.0, 0.0], dtype)

    np.testing.assert_array_equal(igammac(a, x), [np.nan, np.nan, np.nan, 1.0])


# Densities at x by mpmath, where logarithms of 1e7 cancel.
@pytest.mark.parametrize(
    ("function", "operands", "expected"),
    [
        (tf.math.betainc, (1e7, 1e7, 0.5), 3568.24819),
        (tf.math.betainc, (1e6, 3e6, 0.25), 1842.6353),
        (tf.math.igamma, (1e7, 1e7), 0.000126156625),
        (tf.math.igammac, (1e6, 1.001e6), -0.000241809505),
    ],
)
def test_float32_slopes_of_large_parameters_are_right(
    function: Any, operands: tuple[float, ...], expected: float
) -> None:
    *parameters, x = map(tf.constant, operands)
    with tf.GradientTape() as tape:
        tape.watch(x)
        found = function(*parameters, x)
    np.testing.assert_allclose(tape.gradient(found, x), expected, rtol=3e-7)
