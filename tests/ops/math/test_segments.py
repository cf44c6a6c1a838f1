"""Reductions over segments in native code, beside what they mean."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.config import settings

random = np.random.default_rng(0)
COMBINE = {
    tf.math.unsorted_segment_sum: np.add, tf.math.unsorted_segment_prod: np.multiply,
    tf.math.unsorted_segment_max: np.maximum, tf.math.unsorted_segment_min: np.minimum,
}  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize("function", COMBINE, ids=lambda one: one.__name__)
@pytest.mark.parametrize("inner", [(), (1,), (8,), (3, 5), (0,)], ids=str)
@pytest.mark.parametrize("segments", [0, 1, 6])
def test_slices_with_negative_numbers_are_in_no_segment(
    function: Callable[..., Any], inner: tuple[int, ...], segments: int
) -> None:
    data = random.integers(-3, 4, (400, *inner)).astype(np.float32)
    ids = random.integers(-3, segments, 400).astype(np.int32)
    expected = function(data[:0], ids[:0], segments).numpy()
    for row, segment in zip(data, ids, strict=True):
        if segment >= 0:
            expected[segment] = COMBINE[function](expected[segment], row)
    compiled = tf.function(
        function, [tf.TensorSpec([None] * data.ndim), tf.TensorSpec([None], tf.int32),
                   tf.TensorSpec([], tf.int32)], autograph=False,
    )  # fmt: skip

    for found in (function(data, ids, segments), compiled(data, ids, segments)):
        np.testing.assert_array_equal(found.numpy(), expected)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("columns", [3, 3_000_000])
def test_rows_are_added_whether_threads_share_them_or_not(
    columns: int, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "threads", threads)
    data, ids = np.ones((4, columns), np.float32), np.array([1, 0, -1, 1])

    found = tf.function(
        lambda data: tf.math.unsorted_segment_sum(data, ids, 2), [tf.TensorSpec([None, None])]
    )(data).numpy()

    np.testing.assert_array_equal(found, np.repeat([[1.0], [2.0]], columns, 1))
