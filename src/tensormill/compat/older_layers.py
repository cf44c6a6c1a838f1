"""Layers and cells of TensorFlow 1, which TensorFlow keeps in private modules: tf_keras's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Final

from .private_keras import module_at

_LAYERS: Final = "base convolutional core normalization pooling".split()
_CELLS: Final = ("layers.rnn.legacy_cells", "layers.rnn.legacy_cell_wrappers")

# Paths below `tensorflow`, and the modules of `tf_keras.src` that have their names, nearest first.
PLACES: Final[Mapping[str, Sequence[str]]] = {
    **{f"python.layers.{one}": (f"legacy_tf_layers.{one}",) for one in _LAYERS},
    **{f"python.keras.legacy_tf_layers.{one}": (f"legacy_tf_layers.{one}",) for one in _LAYERS},
    "python.layers.layers": tuple(f"legacy_tf_layers.{one}" for one in _LAYERS),
    "python.ops.rnn_cell": _CELLS,
    "python.ops.rnn_cell_impl": _CELLS,
    "python.keras.layers.legacy_rnn.rnn_cell_impl": _CELLS,
}


def member(path: Sequence[str], name: str) -> Any:
    """What the module at a path has under a name.

    Raises:
        ImportError: there is no tf_keras.
        AttributeError: it has nothing of that name.
    """
    whole = ".".join(["tensorflow", *path])
    if find_spec("tf_keras") is None:
        raise ImportError(
            f"{whole}.{name} is of Keras 2, which is not installed: "
            "`pip install --no-deps tf_keras` brings it; or use tf.keras.layers",
            name="tf_keras",
        )
    for module in _modules(path):
        if hasattr(module, name):
            return getattr(module, name)
    raise AttributeError(f"module '{whole}' has no attribute '{name}' in the installed tf_keras")


def names(path: Sequence[str]) -> list[str]:
    """What `from ... import *` of the module at a path gives, where there is a tf_keras."""
    if ".".join(path) not in PLACES or find_spec("tf_keras") is None:
        return []
    return [
        name
        for module in _modules(path)
        for name, value in vars(module).items()
        if getattr(value, "__module__", None) == module.__name__ and not name.startswith("_")
    ]


def _modules(path: Sequence[str]) -> Iterator[ModuleType]:
    for place in PLACES[".".join(path)]:
        yield from module_at("tf_keras.src", place)
