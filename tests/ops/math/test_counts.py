"""`tf.math.bincount` and histograms of numbers that are as large as numbers get."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tests import native_calls

LARGEST = np.array([[2**31 - 1, 3], [1, 3]], np.int32)
MODES = pytest.mark.parametrize("mode", [lambda f: f, tf.function], ids=["eager", "compiled"])
Mode = Callable[[Any], Any]


@MODES
def test_the_largest_integer_is_beyond_what_is_counted(mode: Mode):
    total = mode(lambda x: tf.math.bincount(x, maxlength=5))
    by_row = mode(lambda x: tf.math.bincount(x, maxlength=5, axis=-1))

    assert [0, 1, 0, 2, 0] == total(tf.constant(LARGEST)).numpy().tolist()
    assert [[0, 0, 0, 1, 0], [0, 1, 0, 1, 0]] == by_row(tf.constant(LARGEST)).numpy().tolist()


@MODES
def test_no_memory_holds_the_counts_of_the_largest_integer(mode: Mode):
    counts = mode(lambda x: tf.math.bincount(x, dtype=tf.int64))

    with pytest.raises((tf.errors.ResourceExhaustedError, tf.errors.InvalidArgumentError)):
        counts(tf.constant([2**63 - 1]))


@MODES
def test_numbers_far_beyond_the_range_are_in_the_last_bin(mode: Mode):
    bins = mode(lambda x: tf.histogram_fixed_width_bins(x, [0.0, 1.0], 3))

    assert [2, 2, 0, 0, 1] == bins(
        tf.constant([np.inf, 1e30, -np.inf, -1e30, 0.5])
    ).numpy().tolist()


@MODES
def test_what_is_no_number_is_in_no_bin_of_a_histogram(mode: Mode):
    histogram = mode(lambda x: tf.histogram_fixed_width(x, [0.0, 1.0], 3))

    assert [1, 0, 1] == histogram(tf.constant([np.inf, -np.inf])).numpy().tolist()
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"\[1\] = nan"):
        histogram(tf.constant([0.5, np.nan]))


@pytest.mark.sampled
@pytest.mark.parametrize("axis", [None, -1])
@pytest.mark.parametrize("limits", [{}, {"minlength": 9}, {"maxlength": 5}])
@pytest.mark.parametrize("weighs", [None, np.int64, np.float32, True])
def test_many_integers_are_counted_as_few_are(
    axis: int | None, limits: dict[str, int], weighs: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    integers = np.random.default_rng(0).integers(0, 8, (3, 200))
    options: dict[str, Any] = {"axis": axis, **limits}
    if weighs is True:
        options["binary_output"] = True
    elif weighs is not None:
        options["weights"] = np.arange(600).reshape(3, 200).astype(weighs)
    ran = native_calls.noted(monkeypatch)
    found = tf.math.bincount(integers, **options)
    assert "DenseBincount" == ran[-1]

    native_calls.end(monkeypatch)
    expected = tf.math.bincount(integers, **options)

    assert (expected.dtype, expected.shape) == (found.dtype, found.shape)
    np.testing.assert_array_equal(expected, found)


def test_negative_ones_of_many_integers_are_refused() -> None:
    integers = np.arange(-1, 1000)
    for axis in (None, -1):
        with pytest.raises(tf.errors.InvalidArgumentError, match="non-negative"):
            tf.math.bincount(integers, axis=axis)
