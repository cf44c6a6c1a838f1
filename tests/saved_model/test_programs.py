"""Programs saved and loaded here, and SavedModels of TensorFlow with what it computed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.core.random_state import state

from . import programs, record


@pytest.fixture(autouse=True)
def no_seed() -> Iterator[None]:
    """Recorded numbers come from programs that set no seed; other tests may have left theirs."""
    state.set_seed(None)
    yield
    state.set_seed(None)


def assert_alike(expected: list[Any], actual: list[Any]) -> None:
    assert len(expected) == len(actual)
    for one, other in zip(expected, actual, strict=True):
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        if one.dtype.kind == "f":
            np.testing.assert_allclose(other, one, rtol=2e-5, atol=1e-6)
        else:
            np.testing.assert_array_equal(other, one)


@pytest.mark.sampled
@pytest.mark.parametrize("name", programs.PROGRAMS)
def test_models_of_tensorflow_compute_here_what_they_do_there(name: str, tmp_path: Path) -> None:
    directory, expected = record.unpacked(name, tmp_path)
    loaded = tf.saved_model.load(directory)

    assert_alike(expected, programs.outputs(tf, loaded, name))


@pytest.mark.sampled
@pytest.mark.parametrize("name", programs.PROGRAMS)
def test_models_of_ours_compute_what_those_of_tensorflow_do(name: str, tmp_path: Path) -> None:
    _, expected = record.unpacked(name, tmp_path)
    model, signatures = programs.prepared(tf, name)
    tf.saved_model.save(model, tmp_path / "ours", signatures=signatures)

    assert_alike(expected, programs.outputs(tf, tf.saved_model.load(tmp_path / "ours"), name))


@pytest.mark.sampled
@pytest.mark.parametrize(
    "name",
    [
        "layers",
        "training",
        "loop_gradients",
        "serving",
        "structures",
        "tables",
        "composites",
        "datasets",
    ],
)
def test_what_was_loaded_can_be_saved_again(name: str, tmp_path: Path) -> None:
    directory, expected = record.unpacked(name, tmp_path)
    first = tf.saved_model.load(directory)
    signatures = {key: first.signatures[key] for key in first.signatures}
    tf.saved_model.save(first, tmp_path / "again", signatures=signatures)

    assert_alike(expected, programs.outputs(tf, tf.saved_model.load(tmp_path / "again"), name))
