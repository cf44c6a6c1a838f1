"""What is read of a list is looked at where it lies, and nobody sees later changes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tensormill as tf
from tests.compiler.lowering.random_lists import program_of

X = np.array([[1, -2, 3], [0.5, 0, -1]], np.float32)


@pytest.mark.sampled
@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([[2, 3], [2, 3], [-1, 3]]))
def test_programs_of_lists_do_what_eager_code_does(seed: int, element_shape: list[int]) -> None:
    fn = program_of(seed, element_shape)

    for mine, wanted in zip(tf.function(fn)(X), fn(tf.constant(X)), strict=True):
        np.testing.assert_allclose(wanted, mine, rtol=1e-5, atol=1e-6)
