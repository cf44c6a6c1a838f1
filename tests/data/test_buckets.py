"""Buckets of elements by their lengths."""

from __future__ import annotations

from typing import Any

import pytest

import tensormill as tf


def bucketed(bounds: Any, **options: Any) -> list[Any]:
    lengths = tf.data.Dataset.from_tensor_slices([1, 5, 2, 7, 3, 4])
    rows = lengths.map(lambda n: tf.fill([n], n))
    sizes = [2] * (len(bounds) + 1)
    batches = rows.bucket_by_sequence_length(tf.size, bounds, sizes, **options)
    return [batch.numpy()[:, 0].tolist() for batch in batches]


def test_a_length_belongs_to_the_first_bucket_around_it_in_whichever_order() -> None:
    # As TensorFlow has them: from each boundary to the next one.
    assert [[1, 2], [5, 3], [4], [7]] == bucketed([3, 6])
    assert [[1, 5], [2, 3], [4], [7]] == bucketed([6, 3])


def test_boundaries_are_ints() -> None:
    with pytest.raises(TypeError, match=r"ints, got \[3\.5, 6\]"):
        bucketed([3.5, 6])
