"""Functions of complex numbers keep the digits of large and of small parts."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tensormill as tf

PARTS = st.floats(-2, 2).filter(lambda x: x == 0 or abs(x) > 1e-30) | st.sampled_from(
    [1e-9, -1e-9, 1e-20, 0.0]
)
functions = {
    name: tf.function(getattr(tf, name), input_signature=[tf.TensorSpec([], tf.complex128)])
    for name in ("atanh", "atan")
}
# NumPy's are those of C's library, as TensorFlow's are.
OF_NUMPY: dict[str, Any] = {
    "acos": np.arccos, "acosh": np.arccosh, "asin": np.arcsin, "asinh": np.arcsinh,
    "atan": np.arctan, "atanh": np.arctanh, "cos": np.cos, "cosh": np.cosh, "exp": np.exp,
    "sin": np.sin, "sinh": np.sinh, "sqrt": np.sqrt, "tan": np.tan, "tanh": np.tanh,
}  # fmt: skip
SIZES = [0.0, 1e-30, 1e-8, 1e-3, 0.5, 1.0, 2.5, 40.0, 100.0, 1e5, 1e30]
BOTH_SIGNS = [*SIZES, *(-size for size in SIZES)]


def pairs(parts: list[float], dtype: str) -> Any:
    """Numbers with these parts, negative zeros among them."""
    found = np.empty(len(parts) ** 2, dtype)
    found.real, found.imag = np.transpose([*product(parts, parts)])
    return found


@pytest.mark.parametrize("name", [*functions])
@given(PARTS, PARTS)
@settings(max_examples=100, deadline=None)
def test_both_parts_are_exact_near_zero(name: str, real: float, imaginary: float) -> None:
    if abs(abs(real) - 1) < 1e-3 or abs(abs(imaginary) - 1) < 1e-3:
        return  # poles and cuts
    z = complex(real, imaginary)
    expected: Any = getattr(np, "arc" + name.removeprefix("a"))(z)
    found = functions[name](z).numpy()

    if imaginary and real:
        np.testing.assert_allclose(found.real, expected.real, 1e-13)
        np.testing.assert_allclose(found.imag, expected.imag, 1e-13)


@pytest.mark.sampled
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("name", OF_NUMPY)
def test_large_and_small_numbers_keep_their_digits(name: str, dtype: str) -> None:
    numbers = pairs(BOTH_SIGNS, dtype)
    with np.errstate(all="ignore"):
        expected = OF_NUMPY[name](numbers.astype("complex128")).astype(dtype)

    found = tf.function(getattr(tf.math, name))(numbers).numpy()

    finite, tolerance = np.isfinite(expected), 2e-6 if dtype == "complex64" else 1e-14
    least = float(np.finfo(dtype).tiny)
    np.testing.assert_allclose(found[finite], expected[finite], tolerance, least)
    np.testing.assert_allclose(found[~finite].real, expected[~finite].real, tolerance, least)
    np.testing.assert_allclose(found[~finite].imag, expected[~finite].imag, tolerance, least)


@pytest.mark.sampled
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("name", OF_NUMPY)
def test_infinite_numbers_have_the_limits_of_c(name: str, dtype: str) -> None:
    numbers = pairs([np.inf, -np.inf, 0.0, -0.0, 2.5, -2.5], dtype)
    numbers = numbers[~np.isfinite(numbers)]
    with np.errstate(all="ignore"):
        expected = OF_NUMPY[name](numbers)

    found = tf.function(getattr(tf.math, name))(numbers).numpy()

    turns_nowhere = np.isinf(numbers.real) & ~np.isfinite(numbers.imag)  # of either sign
    for one, other in ((found.real, expected.real), (found.imag, expected.imag)):
        np.testing.assert_allclose(np.abs(one), np.abs(other), 1e-6)
        signed = ~turns_nowhere & ~np.isnan(other)
        np.testing.assert_allclose(one[signed], other[signed], 1e-6)
