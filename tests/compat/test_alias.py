"""`import tensorflow` after `install()`. Each claim has a process: the name is the process's."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.forks import errors_of

# What must hold, as assertions that run after this.
BEGIN = "import sys, tensormill\nfrom tensormill.compat import install\ninstall()\n"

CLAIMS = {
    "names are tensormill's": """
import tensorflow as tf
assert tf.constant is tensormill.constant
""",
    "the module tells its own name": """
import tensorflow as tf
assert tf.__name__ == tf.__spec__.name == tf.__package__ == "tensorflow"
assert tensormill.__name__ == tensormill.__spec__.name == "tensormill"
""",
    "the version is that of the TensorFlow it follows": """
import tensorflow as tf
assert tf.__version__ == "2.21.0" != tensormill.__version__
""",
    "importlib.metadata knows the version": """
from importlib.metadata import distribution, distributions, packages_distributions, version
assert version("tensorflow") == version("TensorFlow") == "2.21.0"
assert distribution("tensorflow").metadata["Name"] == "tensorflow"
assert "tensorflow" in packages_distributions()["tensorflow"]
assert any(one.name == "numpy" for one in distributions())
""",
    "importlib.metadata knows no other distribution": """
from importlib.metadata import PackageNotFoundError, version
try:
    version("tensorflow-no-such-part")
except PackageNotFoundError:
    pass
else:
    raise AssertionError
""",
    "compat.v1 has the version, and compat within it": """
import tensorflow.compat.v1 as v1
import tensorflow.compat.v1.compat.v1 as again
assert v1.__version__ == "2.21.0" and v1.__git_version__.startswith("v2.21.0")
assert again.Session is v1.compat.v1.Session is v1.Session
assert v1.compat.as_str(b"a") == "a"
""",
    "names can be imported": """
from tensorflow import constant
from tensorflow.math import exp
assert constant is tensormill.constant and exp is tensormill.math.exp
""",
    "submodules are the same modules": """
import tensorflow.math
import tensorflow.nn as nn
from tensorflow import math
assert tensorflow.math is math is tensormill.math and nn is tensormill.nn
""",
    "a submodule keeps its own name and spec": """
before = tensormill.math.__name__, tensormill.math.__spec__
import tensorflow.math
assert before == (tensormill.math.__name__, tensormill.math.__spec__)
""",
    "loops over ragged rows are staged": """
import tensorflow as tf
rows = tf.ragged.constant([[1, 2], [], [3]])
@tf.function
def total(rows):
    found = 0
    for row in rows:
        found += tf.reduce_sum(row)
    return found
assert total(rows) == 6
names = [one.type for one in total.get_concrete_function(rows).graph.get_operations()]
assert "StatelessWhile" in names or "While" in names
""",
    "names can be listed": """
import tensorflow as tf
assert {"constant", "math", "function"} <= set(dir(tf))
""",
    "names of private modules can be listed": """
from tensorflow.python.ops import math_ops
assert {"reduce_sum", *math_ops.__all__} <= set(dir(math_ops))
""",
    "classes are found where they say that they live": """
from importlib import import_module
from tensormill.core.tensorflow_names import _homes
for name in "data.dataset", "graph.symbolic", "ops.ragged.ragged_shape", "ops.sparse.sparse_tensor":
    import_module(f"tensormill.{name}")
assert len(_homes) >= 8
for cls, home in _homes.items():
    assert getattr(import_module(home), cls.__name__) is cls, (cls, home)
""",
    "tensors of all kinds can be pickled": """
import pickle
import tensorflow as tf
rows = pickle.loads(pickle.dumps(tf.ragged.constant([[1], []])))
assert rows.to_list() == [[1], []]
sparse = pickle.loads(pickle.dumps(tf.sparse.from_dense([0, 1])))
assert tf.sparse.to_dense(sparse).numpy().tolist() == [0, 1]
assert pickle.loads(pickle.dumps(tf.Tensor)) is tf.Tensor
""",
    "star gives the public names": """
from tensorflow import *
assert constant is tensormill.constant
""",
    "clients that look for it find it": """
from importlib.util import find_spec
assert find_spec("tensorflow") is not None
assert find_spec("tensorflow.math") is not None
""",
    "clients that look for what is absent find nothing": """
from importlib.util import find_spec
assert find_spec("tensorflow.absent") is None
assert find_spec("tensorflow.constant") is None
""",
    "an absent submodule is an ImportError": """
try:
    import tensorflow.python.absent
except ModuleNotFoundError as error:
    assert error.name == "tensorflow.python.absent"
else:
    raise AssertionError
""",
    "an absent name says who is standing in": """
import tensorflow as tf
try:
    tf.absent
except AttributeError as error:
    assert "absent" in str(error) and "tensormill" in str(error)
else:
    raise AssertionError
""",
    "the module is of a release, and compat.v2 has its switch": """
import tensorflow as tf
import tensorflow.compat.v2 as v2
assert tf.__version__ == "2.21.0" and tf.__git_version__ == tf.version.GIT_VERSION
assert v2.enable_v2_behavior() is None and v2.add is tf.add
""",
    "the places of names in TensorFlow's wheel are those of `tf`": """
import tensorflow as tf
import tensorflow._api.v2.v2 as root
from tensorflow._api.v2 import signal
from tensorflow._api.v2.compat.v1 import ConfigProto
from tensorflow._api.v2.data import experimental
assert root.add is tf.add and signal.fft is tf.signal.fft and tf._api.v2.math is tf.math
assert ConfigProto is tf.compat.v1.ConfigProto and experimental is tf.data.experimental
try:
    import tensorflow._api.v2.absent
except ModuleNotFoundError as error:
    assert error.name == "tensorflow._api.v2.absent"
else:
    raise AssertionError
""",
    "what TPUs trained is described and looked up": """
import tensorflow as tf
features = tf.tpu.experimental.HardwareFeature.EmbeddingFeature
assert ["UNSUPPORTED", "V1", "V2"] == [one.name for one in features]
embedding = tf.tpu.experimental.embedding
assert isinstance(embedding.TPUEmbedding, type) and tf.tpu.XLAOptions()
try:
    tf.tpu.experimental.DeviceAssignment()
except NotImplementedError as error:
    assert "TPU" in str(error)
else:
    raise AssertionError
""",
    "installing twice changes nothing": """
first, finders = sys.modules["tensorflow"], len(sys.meta_path)
assert install() is first and len(sys.meta_path) == finders
""",
    "setting a name leaves tensormill alone": """
import tensorflow as tf
tf.my_own = 1
assert tf.my_own == 1 and not hasattr(tensormill, "my_own")
""",
}

REAL_TENSORFLOW_FIRST = """
import sys, types
real = types.ModuleType("tensorflow")
real.__file__ = "/somewhere/tensorflow/__init__.py"
sys.modules["tensorflow"] = real
from tensormill.compat import install
try:
    install()
except RuntimeError as error:
    assert "already imported" in str(error) and "/somewhere/tensorflow" in str(error)
else:
    raise AssertionError
assert sys.modules["tensorflow"] is real
"""


def check(program: str) -> None:
    finished = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert finished.stderr == ""
    assert finished.returncode == 0


@pytest.fixture(scope="module")
def found() -> dict[str, str]:
    return errors_of({claim: BEGIN + program for claim, program in CLAIMS.items()})


@pytest.mark.sampled(among="scripts")
@pytest.mark.parametrize("claim", CLAIMS)
def test_tensorflow_stands_for_tensormill(claim: str, found: dict[str, str]) -> None:
    assert "" == found[claim]


@pytest.mark.sampled(among="scripts")
def test_a_tensorflow_that_is_imported_already_is_left_alone() -> None:
    check(REAL_TENSORFLOW_FIRST)


@pytest.mark.sampled(among="scripts")
def test_nothing_is_registered_unasked() -> None:
    check("import sys, tensormill, tensormill.compat\nassert 'tensorflow' not in sys.modules")
