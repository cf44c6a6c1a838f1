"""Programs of everything in everything as programs of XLA: their values and derivatives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill import backends
from tests.composition.programs import PROGRAMS

POINT = np.array([0.7, 0.4, 1.1])
CHOSEN = ("arrays_in_branches", "matrices_in_loops", "return_from_nested_loops", "tapes_in_loops")


@pytest.mark.sampled
@pytest.mark.parametrize("name", CHOSEN)
def test_values_and_gradients_are_those_of_eager_execution(name: str) -> None:
    def with_slope(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = PROGRAMS[name](x)
        return y, tape.gradient(y, x)

    expected = with_slope(tf.constant(POINT))
    with backends.using("xla"):
        found = tf.function(with_slope)(tf.constant(POINT))

    for wanted, one in zip(expected, found, strict=True):
        np.testing.assert_allclose(one.numpy(), wanted.numpy(), rtol=1e-10)
