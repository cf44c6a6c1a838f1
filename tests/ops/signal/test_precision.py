"""Transforms of 32-bit numbers are as exact as these are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tensormill as tf
from tensormill.ops.signal import pocketfft

HALF_UNIT = 2.0**-24
LENGTHS = st.integers(2, 300) | st.sampled_from([997, 1000, 1021, 1024, 4096])
FORWARDS = {"fft": tf.signal.fft, "rfft": tf.signal.rfft}
BACKWARDS = {"ifft": tf.signal.ifft, "irfft": tf.signal.irfft}


def drawn(points: int, real: bool, seed: int) -> Any:
    random = np.random.default_rng(seed)
    x = random.normal(size=(2, points)) + 1j * random.normal(size=(2, points))
    return x.real.astype(np.float32) if real else x.astype(np.complex64)


def off(found: Any, expected: Any) -> float:
    """The error beside the size of all, in halves of a unit in the last place."""
    found = np.asarray(found)
    return float(np.linalg.norm(found - expected) / np.linalg.norm(expected) / HALF_UNIT)


@given(LENGTHS, st.integers(0, 99))
@settings(max_examples=60, deadline=None)
def test_errors_grow_with_the_logarithm_of_the_length(points: int, seed: int) -> None:
    most = 2 + 1.5 * np.log2(points)
    for name, transform in (FORWARDS | BACKWARDS).items():
        x = drawn(points, name == "rfft", seed)
        exact = getattr(np.fft, name)(x.astype(np.result_type(x, np.float64)))
        assert off(transform(x), exact) <= most, name


@pytest.mark.parametrize("name", [*FORWARDS, *BACKWARDS])
@pytest.mark.parametrize("points", [1, 2, 7, 16, 59])
def test_where_numpy_shows_no_loops_its_functions_transform(
    name: str, points: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    x = drawn(9, name == "rfft", 1)
    expected = pocketfft.transformed(name, x, 0, points)

    monkeypatch.setattr(pocketfft, "ufunc", lambda _: None)
    found = pocketfft.transformed(name, x, 0, points)

    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected, rtol=0, atol=2e-6)


def test_rows_of_32_bits_are_not_widened(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    known = pocketfft.ufunc

    def watched(name: str) -> Any:
        def run(x: Any, factor: Any, **others: Any) -> Any:
            asked.append((x.dtype, factor.dtype, others["out"].dtype))
            return known(name)(x, factor, **others)

        return run

    monkeypatch.setattr(pocketfft, "ufunc", watched)
    tf.signal.fft(drawn(5, False, 0))
    tf.signal.rfft(drawn(5, True, 0))

    assert [tuple(map(str, one)) for one in asked] == [
        ("complex64", "float32", "complex64"),
        ("float32", "float32", "complex64"),
    ]
