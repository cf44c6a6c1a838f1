"""Operands that do not fit: native code says so where NumPy does, and reads nothing beyond them.

Each operation's samples (tests/ops/samples) are compiled for unknown sizes. Then indices, sizes
and shapes are changed at random: eager execution, which NumPy guards, and the compiled function
raise both, or give the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

import tensormill as tf
from tests.ops import rules
from tests.ops.rules import CASES, SAMPLES

from .limits import limits, no_passes

LIMITS = limits(150, HealthCheck.filter_too_much)
pytestmark = pytest.mark.usefixtures(no_passes.__name__)
NUMBERS = (-1, -2, 0, 1, 2, 3, 4, 5, 7, 100, -100, 10**6)
FAR = (2**62, -(2**63), 2**63 - 1, 2**40)
# Where eager and compiled differ on purpose, or nothing is promised.
EXEMPT = {
    "Equal": "of shapes that do not go together may be a scalar False, whose rank only a run knows",
    "NotEqual": "as Equal",
    "GatherGrad": "negative indices, which the gather before it has refused",
    "MirrorPad": "of no elements",
    "LowerBound": "rows that are not sorted give anything",
    "UpperBound": "rows that are not sorted give anything",
    "MaxPoolGradWithArgmax": "places outside count as the nearest one inside",
    "MaxPoolGradGradWithArgmax": "places outside count as the nearest one inside",
    "SoftmaxCrossEntropyWithLogits": "sizes of 1 broadcast only where they are known",
}


def operands(case: tuple[str, int]) -> list[Any]:
    """Those that need not be constants, as a flat list."""
    name, number = case
    sample = SAMPLES[name][number]
    free = [one for k, one in enumerate(sample.operands) if k not in sample.fixed]
    return [np.asarray(one) for one in rules.flat(free)]


NATIVE = [
    case
    for case in CASES
    if not rules.is_called_back(case[0])
    and case[0] not in EXEMPT
    and any(one.size for one in operands(case))
]


def applied(case: tuple[str, int], flat: Sequence[Any]) -> list[Any]:
    name, number = case
    sample, rest = SAMPLES[name][number], iter(flat)
    given = [
        one
        if place in sample.fixed
        else tuple(next(rest) for _ in one)
        if isinstance(one, tuple)
        else next(rest)
        for place, one in enumerate(sample.operands)
    ]
    return list(rules.applied(rules.REGISTRY[name], given, sample))


@cache
def compiled(case: tuple[str, int]) -> Any:
    """The function for operands of unknown sizes; None where native code has to know them."""
    specs = [tf.TensorSpec([None] * one.ndim, tf.constant(one).dtype) for one in operands(case)]
    function = tf.function(lambda *flat: applied(case, flat), specs, autograph=False)
    try:
        function.get_concrete_function()
    except (tf.errors.OpError, ValueError, TypeError):
        return None
    return function


def changed(draw: Any, array: Any) -> Any:
    """Other numbers, where they may be indices or sizes, or another shape."""
    if array.dtype.kind in "iu" and array.size and draw(st.booleans()):
        array, limits = array.copy(), np.iinfo(array.dtype)
        far = FAR if array.dtype.itemsize == 8 else (-(2**31),)
        number = draw(st.sampled_from(NUMBERS + far))
        place = draw(st.integers(0, array.size - 1))
        array.flat[place] = min(max(number, limits.min), limits.max)
        return array
    if not array.ndim:
        return array
    axis = draw(st.integers(0, array.ndim - 1))
    size = array.shape[axis]
    kept = draw(st.sampled_from([range(size - 1), [*range(size), *range(min(size, 1))], []]))
    return np.take(array, np.array(kept, int), axis)


@st.composite
def wrong(draw: Any) -> tuple[tuple[str, int], list[Any]]:
    case = draw(st.sampled_from(NATIVE))
    flat = operands(case)
    for place in draw(st.sets(st.integers(0, len(flat) - 1), min_size=1, max_size=2)):
        flat[place] = changed(draw, flat[place])
    return case, flat


def outcome(run: Any, flat: list[Any]) -> Any:
    with np.errstate(all="ignore"):
        try:
            return [one.numpy() for one in run(map(tf.constant, flat))]
        except (tf.errors.OpError, ValueError, TypeError) as error:
            return error


@LIMITS
@given(wrong())
def test_compiled_code_refuses_what_eager_execution_does(
    wrong: tuple[tuple[str, int], list[Any]],
) -> None:
    case, flat = wrong
    function = compiled(case)
    if function is None:
        return
    expected = outcome(lambda flat: applied(case, list(flat)), flat)
    found = outcome(lambda flat: function(*flat), flat)
    if isinstance(expected, Exception) or isinstance(found, Exception):
        assert isinstance(expected, Exception), found
        assert isinstance(found, Exception), expected
        return
    for x, y in zip(expected, found, strict=True):
        assert x.shape == y.shape
        if x.dtype.kind in "fc" or x.dtype.name == "bfloat16":
            near = 2e-2 if x.dtype.itemsize == 2 else 1e-4
            np.testing.assert_allclose(y.astype(complex), x.astype(complex), near, near)
        else:
            np.testing.assert_array_equal(y, x)
