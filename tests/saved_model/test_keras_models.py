"""Models of Keras that TensorFlow exported: `python -m tests.interop` does the same with all."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tensormill as tf

from . import record_keras


@pytest.mark.sampled
@pytest.mark.parametrize("name", record_keras.NAMES)
def test_models_of_keras_compute_here_what_they_do_there(name: str, tmp_path: Path) -> None:
    directory, calls, expected = record_keras.unpacked(name, tmp_path)
    loaded = tf.saved_model.load(directory)
    found = [
        one.numpy()
        for attribute, arrays in calls
        for one in tf.nest.flatten(getattr(loaded, attribute)(*map(tf.constant, arrays)))
    ]

    assert len(expected) == len(found)
    for wanted, got in zip(expected, found, strict=True):
        assert (wanted.dtype, wanted.shape) == (got.dtype, got.shape)
        np.testing.assert_allclose(got, wanted, rtol=1e-4, atol=1e-5)
