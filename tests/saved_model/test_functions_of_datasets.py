"""Functions that go over datasets, in SavedModels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tensormill as tf


def test_a_saved_function_with_a_dataset_is_told_of(tmp_path: Path, caplog: Any) -> None:
    class Sums(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec((), tf.int64)])
        def below(self, stop: Any) -> Any:
            return tf.data.Dataset.range(stop).reduce(tf.constant(0, tf.int64), lambda a, b: a + b)

        @tf.function(input_signature=[tf.TensorSpec((), tf.int64)])
        def double(self, n: Any) -> Any:
            return 2 * n

    tf.saved_model.save(Sums(), str(tmp_path))
    loaded = tf.saved_model.load(str(tmp_path))

    assert caplog.text.count("which cannot be saved") == 1
    assert loaded.double(3) == 6
    with pytest.raises(tf.errors.UnimplementedError, match="MakeDataset"):
        loaded.below(3)
