"""Where classes say that they live."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import tensormill as tf
from tensormill.core.tensorflow_names import at_home_in
from tensormill.compat import install
from tensormill.eager.tensor import EagerTensor

@at_home_in("tensorflow.python.a")
class Before: pass

assert EagerTensor.__module__ == "tensormill.eager.tensor"
assert Before.__module__ == "__main__"
install()

@at_home_in("tensorflow.python.b")
class After: pass

assert EagerTensor.__module__ == "tensorflow.python.framework.ops"
assert Before.__module__ == "tensorflow.python.a"
assert After.__module__ == "tensorflow.python.b"
"""


def test_classes_tell_tensorflow_s_modules_once_tensormill_stands_in_for_it() -> None:
    finished = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)

    assert "" == finished.stderr
