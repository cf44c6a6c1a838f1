"""Functions of complex numbers keep the digits of small parts."""

from __future__ import annotations

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
