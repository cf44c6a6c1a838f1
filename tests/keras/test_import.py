"""How programs come to Keras. Each has a process of its own."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from importlib import import_module

import pytest

from tests.keras.optional import WITHOUT

loading = import_module("tensormill.compat.keras")

PROGRAMS = {
    "the names of tf are those of Keras": """
from tensormill.compat import install
install()
import tensorflow as tf
from tensorflow.keras import layers
from tensorflow.keras.models import Sequential
import tensorflow.keras.layers as again
import keras
assert layers is again is tf.keras.layers
assert layers.Dense is keras.layers.Dense
assert tf.losses.MeanSquaredError is keras.losses.MeanSquaredError
assert tf.metrics.Mean is keras.metrics.Mean
assert tf.optimizers.Adam is keras.optimizers.Adam
assert tf.initializers.Zeros is keras.initializers.Zeros
assert keras.backend.backend() == "tensorflow"
""",
    "programs that call TensorFlow 1 `tf` have the same Keras": """
from tensormill.compat import install
install()
import tensorflow.compat.v1 as tf
from tensorflow.compat.v1 import keras
import tensorflow, tensormill
assert tf.keras is keras is tensorflow.keras is tensormill.compat.v1.keras
assert (2, 3) == tuple(tf.keras.layers.Dense(3)(tf.ones([2, 2])).shape)
""",
    "tensormill gives Keras on first use": """
import sys
import tensormill as tf
assert not {"keras", "tensorflow"} & sys.modules.keys()
assert (2, 3) == tuple(tf.keras.layers.Dense(3)(tf.ones([2, 2])).shape)
assert "tensorflow" in sys.modules
""",
    "Keras can be imported from tensormill": """
from tensormill.keras import layers
import tensormill.keras.layers as again
import tensormill.keras.optimizers.schedules
import tensormill as tf
assert layers is again is tf.keras.layers
assert tensormill.keras.optimizers.schedules is tf.keras.optimizers.schedules
""",
    "star does not import Keras": """
import sys
from tensormill import *
assert "keras" not in sys.modules
""",
    "another backend is an error that says so": """
import os
os.environ["KERAS_BACKEND"] = "numpy"
import tensormill as tf
try:
    tf.keras
except RuntimeError as error:
    assert "KERAS_BACKEND" in str(error) and "numpy" in str(error)
else:
    raise AssertionError
""",
    "TensorFlow itself is never replaced": """
import sys, types
sys.modules["tensorflow"] = types.ModuleType("tensorflow")
import tensormill as tf
try:
    tf.keras
except RuntimeError as error:
    assert "already imported" in str(error)
else:
    raise AssertionError
""",
    "without Keras an error says how to get it": """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name == "keras":
            raise ModuleNotFoundError("No module named 'keras'", name="keras")
sys.meta_path.insert(0, Absent())
import tensormill as tf
try:
    tf.keras
except ImportError as error:
    assert "tensormill[keras]" in str(error)
else:
    raise AssertionError
""",
}


@pytest.mark.sampled
@pytest.mark.parametrize("claim", PROGRAMS)
def test_importing(claim: str) -> None:
    finished = subprocess.run(
        [sys.executable, "-c", WITHOUT + PROGRAMS[claim]],
        env={k: v for k, v in os.environ.items() if k != "KERAS_BACKEND"},
        capture_output=True,
        text=True,
        timeout=120,
    )

    assert "" == finished.stderr
    assert 0 == finished.returncode


def test_importing_keras_late_takes_nothing_from_the_random_numbers_of_the_user(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("install", "check_backend"):
        monkeypatch.setattr(loading, name, lambda: None)
    monkeypatch.setattr(loading, "import_module", lambda name: random.random())
    random.seed(7)
    expected = random.getstate()

    loading.load_keras()

    assert expected == random.getstate()
