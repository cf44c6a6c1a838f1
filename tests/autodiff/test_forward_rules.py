"""Tangents through every operation: what finite differences say, and the gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import tensormill as tf
from tests.ops.samples import Sample
from tests.ops.test_gradients import (
    BY_DEFINITION,
    GRADIENTS,
    ONCE_ONLY,
    SAMPLES,
    difference,
    direction,
    floats,
    is_tried,
    slope,
    weighted,
)


def pushed(function: Callable[..., Any], name: str, sample: Sample) -> float:
    """How a number changes along the directions of `difference`."""
    arrays = floats(sample)
    operands = [tf.constant(array) for array in arrays]
    tangents = [tf.constant(direction(array, k)) for k, array in enumerate(arrays)]
    with tf.autodiff.ForwardAccumulator(operands, tangents) as accumulator:
        value = function(name, sample, operands)
    return float(accumulator.jvp(value, unconnected_gradients="zero"))


@pytest.mark.sampled
@pytest.mark.parametrize("name", [name for name in GRADIENTS if name not in BY_DEFINITION])
def test_tangents_agree_with_finite_differences(name: str) -> None:
    for sample in filter(is_tried, SAMPLES[name]):
        expected = difference(weighted, name, sample)

        assert pushed(weighted, name, sample) == pytest.approx(expected, rel=1e-5, abs=1e-6)


@pytest.mark.sampled
@pytest.mark.parametrize(
    "name", [name for name in GRADIENTS if name not in BY_DEFINITION and name not in ONCE_ONLY]
)
def test_tangents_of_gradients_agree_with_finite_differences(name: str) -> None:
    for sample in [one for one in SAMPLES[name] if is_tried(one)][:1]:
        expected = difference(slope, name, sample)

        assert pushed(slope, name, sample) == pytest.approx(expected, rel=1e-4, abs=1e-5)
