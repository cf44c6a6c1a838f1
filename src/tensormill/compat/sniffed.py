"""Where Keras believes that our classes live.

Keras recognises TensorFlow's objects by a class's name and the text of its `__module__`, without
`isinstance`. As long as tensormill stands in for TensorFlow, these classes therefore tell the
modules that TensorFlow's tell.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..api.lazy import load

CLASSES: Final[Mapping[str, str]] = {
    "eager.tensor.Tensor": "tensorflow.python.framework.tensor",
    "eager.tensor.EagerTensor": "tensorflow.python.framework.ops",
    "graph.symbolic.SymbolicTensor": "tensorflow.python.framework.ops",
}


def tell_modules() -> None:
    for place, module in CLASSES.items():
        home, _, name = place.rpartition(".")
        load(home, name).__module__ = module
