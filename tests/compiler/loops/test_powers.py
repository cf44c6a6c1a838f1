"""Powers by numbers that programs know are as exact as others, and mean the same at the ends."""

from __future__ import annotations

import math
from typing import Any

import mpmath
import numpy as np
import pytest

import tensormill as tf

INF, NAN = math.inf, math.nan
ENDS = [INF, -INF, 0.0, -0.0, NAN, 1.0, -1.0, -2.0]
# What C's pow says of them.
KNOWN = {
    -1.0: [0.0, -0.0, INF, -INF, NAN, 1.0, -1.0, -0.5],
    0.5: [INF, INF, 0.0, 0.0, NAN, 1.0, NAN, NAN],
    -0.5: [0.0, 0.0, INF, INF, NAN, 1.0, NAN, NAN],
    1.0: ENDS,
    2.0: [INF, INF, 0.0, 0.0, NAN, 1.0, 1.0, 4.0],
    3.0: [INF, -INF, 0.0, -0.0, NAN, 1.0, -1.0, -8.0],
}
# docs/numerics.md says 2.7 of powers in general.
LARGEST_ERROR = {-1.0: 0.5, 0.5: 0.5, -0.5: 1.5, 1.0: 0.0, 2.0: 0.5, 3.0: 1.5}
DIGITS = {"float32": 24, "float64": 53}


def raised(exponent: float) -> Any:
    return tf.function(lambda x: x**exponent)


@pytest.mark.parametrize("dtype", DIGITS)
@pytest.mark.parametrize("exponent", KNOWN)
def test_zeros_infinities_and_negative_numbers_are_as_pow_has_them(
    exponent: float, dtype: str
) -> None:
    x, expected = tf.constant(ENDS, dtype), np.array(KNOWN[exponent], dtype)
    numbers = ~np.isnan(expected)
    eagerly = [x**exponent, x ** tf.fill([len(ENDS)], tf.constant(exponent, dtype))]

    for found in (one.numpy() for one in (raised(exponent)(x), *eagerly)):
        np.testing.assert_array_equal(expected, found)
        assert np.signbit(expected)[numbers].tolist() == np.signbit(found)[numbers].tolist()


@pytest.mark.parametrize("dtype", DIGITS)
@pytest.mark.parametrize("exponent", KNOWN)
def test_errors_are_those_of_powers(exponent: float, dtype: str) -> None:
    random = np.random.default_rng(0)
    widths = random.uniform(-12, 12, 300), random.uniform(-1, 1, 300)
    x = np.concatenate([10.0**width for width in widths]).astype(dtype)
    found = raised(exponent)(tf.constant(x)).numpy()

    worst = max(
        map(ulps, x.tolist(), found.tolist(), [exponent] * x.size, [DIGITS[dtype]] * x.size)
    )
    assert worst <= LARGEST_ERROR[exponent] + 1e-6


def ulps(x: float, found: float, exponent: float, digits: int) -> float:
    """How far a result is from the true one."""
    with mpmath.workdps(50):
        true = mpmath.mpf(x) ** mpmath.mpf(exponent)
        place = mpmath.floor(mpmath.log(true, 2)) - digits + 1
        return float(abs(mpmath.mpf(found) - true) / mpmath.mpf(2) ** place)


def test_powers_of_float32_lose_nothing_where_a_square_overflows() -> None:
    tiny, huge = (
        2.0**-49,
        2.0**42,
    )  # whose cubes are the least number of float32, and below its last

    found = raised(3)(tf.constant([tiny, -tiny, huge, -huge], "float32")).numpy().tolist()
    assert [2.0**-147, -(2.0**-147), 2.0**126, -(2.0**126)] == found


def test_powers_that_are_no_floats_are_left() -> None:
    assert raised(3)(tf.constant([2, -3])).numpy().tolist() == [8, -27]
    assert raised(0.5)(tf.constant([4 + 0j, -1])).numpy() == pytest.approx([2, 1j], abs=1e-6)
